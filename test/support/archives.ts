/** archives: a record with something of every kind, its archive, and archives that somebody changed. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from '@hapi/code';
import { openAuditSigner } from '../../core/audit/signer';
import { exportRecord } from '../../core/archive/export';
import { importRecord, type Imported } from '../../core/archive/import';
import { Packer } from '../../core/archive/packer';
import { unpack } from '../../core/archive/unpack';
import { insertLeftOut } from '../../core/documents/left-out-store';
import { factTables } from '../../core/facts/model/fact-tables';
import { lockRecord } from '../../core/records/store';
import type { Credentials } from './client';
import { portalDocument, vaccine, vaccines } from './portal-documents';
import { medications, type TestService } from './server';
import { mintSmartToken } from './smart';
import { attribute, authorizeApp, succeeded, type World } from './world';

export const NS = 'https://svc.example/vocab/xml/documents#';
export const procedure = (name: string): string =>
  `<Procedure xmlns="${NS}"><datePerformed>2024-03-05T13:00:00Z</datePerformed><name ` +
  `type="http://snomed.info/sct" value="80146002">${name}</name></Procedure>`;
const medication = (name: string): string =>
  `<Models><Model name="Medication"><Field name="drugName_title">${name}</Field><Field name="drugName_system">http://purl.bioontology.org/ontology/RXNORM/</Field><Field name="drugName_identifier">314076</Field><Field name="startDate">2024-01-01</Field>` +
  '<Field name="fulfillments"><Models><Model name="Fill"><Field name="date">2024-01-02T10:00:00Z</Field><Field ' +
  'name="dispenseDaysSupply">30</Field></Model><Model name="Fill"><Field ' +
  'name="date">2024-02-02T10:00:00Z</Field><Field ' +
  'name="dispenseDaysSupply">30.25</Field></Model></Models></Field></Model></Models>';

export const quiet = {
  begin: () => undefined,
  step: () => undefined,
  checked: () => undefined,
  stored: () => undefined,
};

export const toolsOf = async ({ services }: TestService) => ({
  ...services,
  tables: factTables(services.models()),
  signer: await openAuditSigner(services.database, services.sealing, services.clock),
});

export const writeArchive = async (service: TestService, recordId: string, file: string) =>
  exportRecord(await toolsOf(service), recordId, file, quiet);
export const readArchive = async (service: TestService, file: string): Promise<Imported> =>
  importRecord(await toolsOf(service), file, quiet);

export const filesOf = async (archive: string): Promise<Map<string, string>> => {
  const files = new Map<string, string>();
  await unpack(archive, async ({ name, whole }) => {
    files.set(name, (await whole()).toString('latin1'));
  });
  return files;
};

type Filled = World & { readonly service: TestService; readonly app: Credentials };

const post = async ({ service: { call }, app }: Filled, path: string, body: string): Promise<string> =>
  attribute(succeeded(await call(app, 'POST', path, { body })).text, 'Document', 'id');

/** Keeps with a document that a person left something out of it. */
async function leaveOutOf({ services }: TestService, recordId: string, documentId: string): Promise<void> {
  const { contents, database } = services;
  const fact = { model: 'Procedure', statement: 'only', values: { name: 'Left out' }, children: {} };
  await database.transaction(async (trx) => {
    const { contentKey } = (await lockRecord(trx, recordId, false))!;
    const owner = { recordId, documentId, lineageId: documentId };
    await insertLeftOut(trx, contents.under(contentKey), owner, [{ fact }]);
  });
}

/** @returns one with a label and two versions, one that annotates it, and one that no format reads */
async function fillDocuments(filled: Filled): Promise<{ second: string; note: string }> {
  const { service, app, alice, recordId } = filled;
  const { call } = service;
  const documents = `/records/${recordId}/documents/`;
  const first = await post(filled, documents, procedure('Appendectomy'));
  const second = await post(filled, `${documents}${first}/replace`, procedure('Appendectomy, corrected'));
  await post(filled, documents, medication('lisinopril \u{1F48A} 10 MG'));
  const strange = await post(
    filled,
    documents,
    '<Note xmlns="urn:example:strange">\r\n  kept as it is &amp; was\r\n</Note>',
  );
  const note = await post(filled, `${documents}${second}/rels/annotation/`, procedure('Colonoscopy'));
  succeeded(await call(app, 'PUT', `${documents}${second}/label`, { body: 'From the hospital', type: 'text/plain' }));
  succeeded(
    await call(app, 'PUT', `${documents}external/${encodeURIComponent('medications@apps.svc.example')}/visit-1`, {
      body: procedure('With a name of its own'),
    }),
  );
  for (const [id, status, reason] of [
    [note, 'void', 'entered twice'],
    [note, 'active', 'no, it was not'],
    [strange, 'archived', 'of old'],
  ] as const) {
    succeeded(await call(alice, 'POST', `${documents}${id}/set-status`, { form: { status, reason } }));
  }
  await leaveOutOf(service, recordId, strange);
  return { second, note };
}

async function share({ service: { call }, alice, recordId }: Filled, shared: string, never: string): Promise<void> {
  const documents = `/records/${recordId}/documents/`;
  const carenets = succeeded(await call(alice, 'GET', `/records/${recordId}/carenets/`)).text;
  const carenet = attribute(carenets, 'Carenet', 'id');
  succeeded(
    await call(alice, 'POST', `/carenets/${carenet}/accounts/`, {
      form: { account_id: 'bob@example.org', write: 'false' },
    }),
  );
  succeeded(
    await call(alice, 'PUT', `/carenets/${carenet}/apps/${encodeURIComponent('medications@apps.svc.example')}`),
  );
  succeeded(await call(alice, 'PUT', `${documents}${shared}/carenets/${carenet}`));
  succeeded(await call(alice, 'PUT', `${documents}${never}/nevershare`));
  succeeded(
    await call(alice, 'POST', `/records/${recordId}/autoshare/carenets/${carenet}/bytype/set`, {
      form: { type: `${NS}Procedure` },
    }),
  );
  succeeded(await call(alice, 'PUT', `/carenets/${carenet}/kinds/labs-kidney`));
  succeeded(
    await call(alice, 'POST', `/records/${recordId}/shares/`, {
      form: { account_id: 'carol@example.org', role_label: 'Sister' },
    }),
  );
}

async function sendAndKeep({ service: { call }, app, recordId }: Filled, about: string): Promise<void> {
  succeeded(
    await call(app, 'POST', `/records/${recordId}/inbox/message-1`, {
      form: { subject: 'Results\u2028two\u2029lines', body: 'They are here', num_attachments: '1' },
    }),
  );
  succeeded(
    await call(app, 'POST', `/records/${recordId}/inbox/message-1/attachments/1`, { body: procedure('Attached') }),
  );
  succeeded(
    await call(app, 'POST', `/records/${recordId}/notifications/`, {
      form: { content: 'Something new', document_id: about },
    }),
  );
  succeeded(
    await call(
      app,
      'POST',
      `/records/${recordId}/apps/${encodeURIComponent('medications@apps.svc.example')}/documents/`,
      { body: '{"remembers":true}', type: 'application/json' },
    ),
  );
}

async function addCondition({ service, recordId }: Filled): Promise<void> {
  const token = await mintSmartToken(service, {
    account: 'alice@example.org',
    app: medications!.consumer.key,
    scopes: 'patient/Condition.c',
    record: recordId,
  });
  const known = await service.running.server.inject({
    method: 'POST',
    url: '/fhir/Condition',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+json' },
    payload: JSON.stringify({
      resourceType: 'Condition',
      identifier: [{ system: 'urn:hospital', value: '17' }],
      code: {
        text: 'Asthma',
        // The second code has a row of its own.
        coding: [
          { system: 'http://snomed.info/sct', code: '195967001' },
          { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'J45.909' },
        ],
      },
      onsetDateTime: '2009-03',
      subject: { reference: `Patient/${recordId}` },
    }),
  });
  expect(known.statusCode, known.payload).to.equal(201);
}

/** Fills a record with something of every kind. The account carol@example.org must exist. */
export async function fillRecord(service: TestService, world: World): Promise<void> {
  const app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
  const filled = { ...world, service, app };
  const { second, note } = await fillDocuments(filled);
  await share(filled, second, note);
  await sendAndKeep(filled, second);
  await addCondition(filled);
  // Its sender gives ids, which have rows of their own.
  const body = portalDocument({ at: '20240301', sections: [vaccines(vaccine('2.999.7|i1', 'COVID-19 mRNA'))] });
  succeeded(await service.call(world.alice, 'POST', `/records/${world.recordId}/documents/`, { body }));
}

/** Writes an archive again with some files changed or left out, and a manifest that fits them. */
export async function rewriteArchive(
  from: string,
  to: string,
  folder: string,
  change: (name: string, text: string) => string | undefined,
): Promise<void> {
  const scratch = mkdtempSync(join(folder, 'rewrite-'));
  const packer = new Packer('record-rewritten', scratch, new Date());
  const pieces: Buffer[] = [];
  for (const [name, text] of await filesOf(from)) {
    const changed = name === 'manifest.sha256' ? undefined : change(name, text);
    if (changed !== undefined) {
      pieces.push(...packer.bytes(name, Buffer.from(changed, 'latin1')));
    }
  }
  for await (const piece of packer.end()) {
    pieces.push(piece);
  }
  writeFileSync(to, gzipSync(Buffer.concat(pieces)));
}

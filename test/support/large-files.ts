/** large-files: what is true of a file of any size at every door, for a size that a test chooses. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@hapi/code';
import { sha256 } from '../../core/base/ids';
import { wrapFile } from '../../core/files/envelope';
import { forgetRecord } from '../../core/records/forget';
import { checkContents } from '../../core/sealing/seal-stored';
import { readArchive, toolsOf, writeArchive } from './archives';
import { direct } from './direct';
import { FHIR_APP } from './fhir';
import { pdfWith } from './pictures';
import { until } from './receiver';
import type { TestService } from './server';
import { formsOf, readable, type Site, type SitePage } from './site';
import { enterSite, MEMBER, OWNER, type SiteRecord } from './site-record';
import { mintSmartToken } from './smart';
import { unzip } from './unzip';
import { succeeded } from './world';

/** A PDF of this many bytes, most of them random, with a line of text on its page. */
export const pdfOfSize = (bytes: number, line: string): Buffer => {
  const small = pdfWith([line]);
  const table = small.lastIndexOf('xref\n0 ');
  const end = small.lastIndexOf('startxref');
  const padding = (length: number): Buffer =>
    Buffer.concat([Buffer.from('\n'), randomBytes(length - 2), Buffer.from('\n')]);
  const whole = (length: number): Buffer =>
    Buffer.concat([
      small.subarray(0, table),
      padding(length),
      small.subarray(table, end),
      Buffer.from(`startxref\n${table + length}\n%%EOF\n`),
    ]);
  return whole(bytes - (whole(100).length - 100) - (String(table + bytes).length - String(table + 100).length));
};

/** Whether two buffers are the same; a comparison that fails would print both. */
export const isSame = (one: Buffer | undefined, other: Buffer): boolean => one?.equals(other) ?? false;

/** Chooses files at the page, and adds them. @returns the ids of their documents */
export const addFiles = async (
  site: Site,
  recordId: string,
  files: readonly (readonly [string, Buffer])[],
): Promise<{ readonly preview: SitePage; readonly id: string }> => {
  const path = `/my/records/${recordId}/add`;
  const preview = await site.send(
    await site.open(path),
    files.map(([name, bytes]) => ({ field: 'file', name, bytes })),
  );
  const form = formsOf(preview).find(({ html }) => html.includes('Add to my record'));
  if (!form) {
    throw new Error(readable(preview));
  }
  const { nevershare: _box, ...sent } = form.fields;
  const added = await site.post(form.action, sent);
  const id = /\/documents\/([\w-]{36})$/.exec(String(added.headers['location']))?.[1];
  if (id === undefined) {
    throw new Error(readable(added));
  }
  return { preview, id };
};

/** Adds a file, and reads it at every door. @returns the id of its document */
export const passThrough = async (service: TestService, of: SiteRecord, bytes: Buffer): Promise<string> => {
  const { services, call } = service;
  const { recordId, owner, credentials } = of;
  const { preview, id } = await addFiles(owner, recordId, [['scan.pdf', bytes]]);
  expect(readable(preview)).to.contain(['scan.pdf', `${new Intl.NumberFormat('en').format(bytes.length / 1e6)} MB`]);
  const picture = /src="([^"]*\/pages\/1\.png)"/.exec(preview.text)![1]!;
  expect((await owner.get(picture)).status, 'the picture of what is added').to.equal(404);

  const at = `/my/records/${recordId}/documents/${id}`;
  const page = await owner.open(at);
  expect([page.status, readable(page).includes('scan')], readable(page)).to.equal([200, true]);
  expect((await owner.get(`${at}/pages/1.png`)).bytes?.subarray(1, 4).toString()).to.equal('PNG');
  const file = await owner.get(`${at}/download`);
  expect(isSame(file.bytes, bytes)).to.be.true();
  expect(file.headers['content-type']).to.equal('application/pdf');

  const stored = succeeded(await call(credentials, 'GET', `/records/${recordId}/documents/${id}`));
  expect(isSame(stored.bytes, wrapFile({ bytes, title: 'scan' }, services.config.vocabBase))).to.be.true();
  const facts = succeeded(
    await call(credentials, 'GET', `/records/${recordId}/reports/StoredFile/?response_format=application/json`),
  );
  expect((JSON.parse(facts.text) as { bytes: number }[]).map((fact) => fact.bytes)).to.include(bytes.length);

  const token = await mintSmartToken(service, {
    account: OWNER,
    app: FHIR_APP,
    scopes: 'patient/*.rs',
    record: recordId,
  });
  const binary = await service.running.server.inject({
    url: `/fhir/Binary/${id}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect([binary.statusCode, isSame(binary.rawPayload, stored.bytes)]).to.equal([200, true]);
  const resource = await service.running.server.inject({
    url: `/fhir/Binary/${id}`,
    headers: { authorization: `Bearer ${token}`, accept: 'application/fhir+json' },
  });
  const { data } = JSON.parse(resource.payload) as { data: string };
  expect(isSame(Buffer.from(data, 'base64'), stored.bytes)).to.be.true();
  const reference = await service.running.server.inject({
    url: `/fhir/DocumentReference/${id}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const [{ attachment }] = (JSON.parse(reference.payload) as { content: [{ attachment: { size: number } }] }).content;
  expect(attachment.size).to.equal(stored.bytes.length);
  return id;
};

/** Who has no right finds nothing; who is in a circle with it finds the same bytes. */
export const shareIt = async (service: TestService, of: SiteRecord, id: string, bytes: Buffer): Promise<void> => {
  const { recordId, carenetId, credentials, member, stranger } = of;
  const inCircle = `/my/carenets/${carenetId}/documents/${id}/download`;
  expect((await member.get(inCircle)).status).to.equal(404);
  succeeded(await service.call(credentials, 'PUT', `/records/${recordId}/documents/${id}/carenets/${carenetId}`));
  expect(isSame((await member.get(inCircle)).bytes, bytes)).to.be.true();
  expect((await stranger.get(inCircle)).status).to.equal(404);
  expect((await stranger.get(`/my/records/${recordId}/documents/${id}/download`)).status).to.equal(404);
  expect((await (await enterSite(service, MEMBER)).get(`/my/records/${recordId}/documents/${id}`)).status).to.equal(
    404,
  );
};

/** Takes the record along in each way, and brings it in again. */
export const takeAlong = async (service: TestService, of: SiteRecord, bytes: Buffer): Promise<void> => {
  const { recordId, owner } = of;
  const folder = mkdtempSync(join(tmpdir(), 'svc-large-'));
  try {
    await owner.open('/my/account');
    const zip = await owner.post(`/my/records/${recordId}/export/files.zip`, { crumb: owner.cookies.get('crumb')! });
    const files = [...unzip(zip.bytes!)].filter(([name]) => name.endsWith('scan.pdf'));
    expect(files.map(([, content]) => isSame(content, bytes))).to.equal([true]);

    const archive = join(folder, 'archive.tar.gz');
    await writeArchive(service, recordId, archive);
    const imported = await readArchive(service, archive);
    const [copy] = await direct(service.services.database)('document')
      .where({
        record_id: imported.recordId,
        digest: sha256(wrapFile({ bytes, title: 'scan' }, service.services.config.vocabBase)),
      })
      .pluck('id');
    expect(copy).to.be.a.string();
    await bringIn(service, of, readFileSync(archive), bytes);
    expect(await forgetRecord(await toolsOf(service), imported.recordId)).to.exist();
    expect(await direct(service.services.database)('document_part').where({ record_id: imported.recordId })).to.equal(
      [],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Reloads the page like a browser until the work is done. */
export const whenReady = async (site: Site, page: SitePage): Promise<SitePage> => {
  let here = page;
  await until(async () => {
    here = here.headers['refresh'] === undefined ? here : await site.open(here.path);
    return here.headers['refresh'] === undefined;
  });
  return here;
};

const bringIn = async (service: TestService, { owner }: SiteRecord, archive: Buffer, bytes: Buffer): Promise<void> => {
  const shown = await whenReady(
    owner,
    await owner.send(await owner.open('/my/bring-in'), [{ field: 'archive', name: 'record.tar.gz', bytes: archive }]),
  );
  const form = formsOf(shown).find(({ html }) => html.includes('Bring it in'));
  expect(form, readable(shown)).to.exist();
  const answer = await owner.post(form!.action, form!.fields);
  const done = await whenReady(owner, await owner.open(String(answer.headers['location'])));
  expect(readable(done)).to.contain('The record is here');
  const { database, config } = service.services;
  const records = (await direct(database)('record').where({ owner_id: OWNER }).orderBy('seq').pluck('id')) as string[];
  const digest = sha256(wrapFile({ bytes, title: 'scan' }, config.vocabBase));
  const [id] = await direct(database)('document')
    .where({ record_id: records.at(-1), digest })
    .pluck('id');
  const copy = await owner.get(`/my/records/${records.at(-1)!}/documents/${String(id)}/download`);
  expect(isSame(copy.bytes, bytes)).to.be.true();
};

/** Every content opens, and has the digest of what was stored. */
export const isUnharmed = async ({ services }: TestService): Promise<void> => {
  expect((await checkContents(services)).problems).to.equal([]);
};

/**
 * clinic: links that clinics scan: what stands in them, what a clinic's software fetches and when it is refused, and that
 * each fetch is told.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { labelOf } from '../../../core/received/clinic-profile';
import { operations } from '../../../plugins/website/http/operations';
import { recipientName } from '../../../plugins/fhir/links/clinic-fetch';
import { addSession } from '../../support/cast';
import { decrypted, faultsIn, fetchAs, resourcesOf, scanned, type ClinicPayload } from '../../support/clinic';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { missingReaders, pagesOf } from '../../support/pdf';
import { askingAs, openLink } from '../../support/links';
import { attribute, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ALICE = 'alice@example.org';
const BOB = 'bob@example.org';
const VERONA = 'Verona Health System';
const EVERYTHING = 'problems,medicines,allergies,immunizations,results,vitals,procedures,visits,devices,insurance';
const DAY = 86_400_000;

const missing = missingReaders();
const unread = missing.length === 0 ? '' : ` (left out: ${missing.join(', ')} not installed)`;

const coded = (text: string, code = text) => ({ coding: [{ system: 'http://loinc.org', code }], text });
const clinical = (type: string, code: string) => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${type}`, code }],
});
const subject = { reference: 'urn:uuid:00000000-0000-4000-8000-000000000001' };
const observation = (code: string, date: string, value: number, category = 'laboratory') => ({
  resourceType: 'Observation',
  status: 'final',
  category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: category }] }],
  code: coded(code),
  subject,
  effectiveDateTime: date,
  valueQuantity: { value, unit: 'mg' },
});

/** What came from a hospital: of each kind something that is current, and something that is not. */
const hospital = (day: (ago: number) => string): object => {
  const practitioner = 'urn:uuid:00000000-0000-4000-8000-000000000002';
  const resources: readonly object[] = [
    {
      resourceType: 'Condition',
      code: coded('Asthma'),
      clinicalStatus: clinical('condition-clinical', 'active'),
      subject,
    },
    {
      resourceType: 'Condition',
      code: coded('Mumps'),
      clinicalStatus: clinical('condition-clinical', 'resolved'),
      subject,
    },
    {
      resourceType: 'Condition',
      code: coded('Gout'),
      verificationStatus: clinical('condition-ver-status', 'refuted'),
      subject,
      recorder: { reference: practitioner },
    },
    {
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'order',
      medicationCodeableConcept: coded('Salbutamol'),
      subject,
      requester: { reference: practitioner },
    },
    {
      resourceType: 'MedicationRequest',
      status: 'stopped',
      intent: 'order',
      medicationCodeableConcept: coded('Penicillin'),
      subject,
    },
    {
      resourceType: 'MedicationStatement',
      status: 'unknown',
      medicationCodeableConcept: coded('Ibuprofen'),
      subject,
      effectivePeriod: { start: day(90), end: day(60) },
    },
    {
      resourceType: 'AllergyIntolerance',
      code: coded('Nuts'),
      clinicalStatus: clinical('allergyintolerance-clinical', 'active'),
      patient: subject,
    },
    {
      resourceType: 'AllergyIntolerance',
      code: coded('Latex'),
      verificationStatus: clinical('allergyintolerance-verification', 'refuted'),
      patient: subject,
    },
    {
      resourceType: 'Immunization',
      status: 'completed',
      vaccineCode: coded('Tetanus'),
      patient: subject,
      occurrenceDateTime: day(4000),
    },
    {
      resourceType: 'Immunization',
      status: 'entered-in-error',
      vaccineCode: coded('Cholera'),
      patient: subject,
      occurrenceDateTime: day(40),
    },
    observation('Glucose', day(10), 90),
    observation('Glucose', day(100), 91),
    observation('Glucose', day(800), 92),
    observation('Iron', day(900), 50),
    observation('Pulse', day(20), 61, 'vital-signs'),
    observation('Pulse', day(700), 62, 'vital-signs'),
    observation('Smoking', day(20), 3, 'social-history'),
    {
      resourceType: 'Procedure',
      status: 'completed',
      code: coded('Appendectomy'),
      subject,
      performedDateTime: day(9000),
    },
    { resourceType: 'Procedure', status: 'not-done', code: coded('Tonsillectomy'), subject },
    {
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'AMB' },
      type: [coded('Check-up')],
      subject,
      period: { start: day(500), end: day(500) },
    },
    {
      resourceType: 'Encounter',
      status: 'finished',
      class: { code: 'AMB' },
      type: [coded('Long ago')],
      subject,
      period: { start: day(1500), end: day(1500) },
    },
    {
      resourceType: 'Device',
      status: 'active',
      type: coded('Pacemaker'),
      udiCarrier: [{ deviceIdentifier: '0123' }],
      patient: subject,
    },
    { resourceType: 'Device', status: 'active', type: coded('Walking stick'), patient: subject },
    {
      resourceType: 'Coverage',
      status: 'active',
      beneficiary: subject,
      payor: [{ reference: 'Organization/somewhere-else' }],
      period: { start: day(400) },
    },
    {
      resourceType: 'Coverage',
      status: 'active',
      beneficiary: subject,
      payor: [{ display: 'Old Payer' }],
      period: { start: day(900), end: day(600) },
    },
    { resourceType: 'Practitioner', name: [{ family: 'Weber' }] },
  ];
  return {
    resourceType: 'Bundle',
    type: 'collection',
    entry: [
      {
        fullUrl: subject.reference,
        resource: { resourceType: 'Patient', name: [{ family: 'Lee', given: ['Alice'] }] },
      },
      ...resources.map((resource, index) => ({
        fullUrl:
          (resource as Read)['resourceType'] === 'Practitioner'
            ? practitioner
            : `urn:uuid:00000000-0000-4000-9000-0000000000${String(index + 10)}`,
        resource,
      })),
    ],
  };
};

const nameIn = (resource: Read): string =>
  (resource['code'] ?? resource['medicationCodeableConcept'] ?? resource['vaccineCode'] ?? resource['type'])?.text ??
  resource['type']?.[0]?.text ??
  '';

for (const leg of databases) {
  describe(`links for clinics on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
      const now = ground.service.services.clock.now();
      const day = (ago: number): string => new Date(now - ago * DAY).toISOString().slice(0, 10);
      await ground.put(JSON.stringify(hospital(day)), 'application/fhir+json');
    });
    after(() => ground.service.stop());

    type Wish = Readonly<Record<string, string>>;
    const inRecord = () => ({ RECORD_ID: ground.recordId });
    const askAlice = () => askingAs(ground.service, ALICE, ground.alice);
    const linkOf = async (id: string) =>
      (await askAlice()(operations.links.recordClinic, { params: inRecord() })).links.find((link) => link.id === id)!;
    const make = async (wish: Wish = {}, ask = askAlice()): Promise<ClinicPayload & { readonly id: string }> => {
      const body = { kinds: EVERYTHING, ...wish };
      const id = await ask(operations.links.recordClinicCreate, { params: inRecord(), body });
      return { ...scanned((await linkOf(id)).shlink), id };
    };
    const end = (id: string) => askAlice()(operations.links.recordLinkEnd, { params: { ...inRecord(), LINK_ID: id } });
    const read = async (link: ClinicPayload): Promise<Read> => {
      const answer = await fetchAs(ground.service, link, VERONA);
      expect(answer.status, answer.text).to.equal(200);
      return (await decrypted(answer, link)).bundle;
    };
    const rows = async (): Promise<readonly Record<string, unknown>[]> => {
      await ground.service.services.anonymousCalls.drain();
      return (await direct(ground.service.services.database)('audit')
        .where({ function_name: 'link_fetch' })
        .orderBy('seq')
        .select()) as Record<string, unknown>[];
    };
    const statusOf = async (link: ClinicPayload): Promise<number> =>
      (await fetchAs(ground.service, link, VERONA)).status;

    it('are what the profile says, and no more', async () => {
      const { id, ...payload } = await make();
      expect(Object.keys(payload)).to.equal(['url', 'flag', 'key', 'exp', 'label']);
      expect(payload).to.include({ flag: 'U', label: 'Alice Lee' });
      expect(Buffer.from(payload.key, 'base64url').length).to.equal(32);
      const base = ground.service.services.baseUrl();
      expect(payload.url).to.startWith(`${base}/c/`);
      expect(payload.url.length - base.length).to.be.at.most(68);
      expect(payload.exp - Math.floor(ground.service.services.clock.now() / 1000)).to.be.within(3590, 3600);
      const { text, shlink, terms } = await linkOf(id);
      expect(text).to.equal(`${base}/l#${shlink}`);
      expect(terms).to.include({ most: 5, words: true, tells: false });
    });

    it('show what is current, and of the past what a clinic can use', async () => {
      const link = await make();
      const answer = await fetchAs(ground.service, link, VERONA);
      expect(String(answer.headers['content-type'])).to.equal('application/jose');
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.headers['access-control-allow-origin']).to.equal('*');
      const { head, bundle } = await decrypted(answer, link);
      expect(head).to.equal({ alg: 'dir', enc: 'A256GCM', cty: 'application/fhir+json' });
      expect(faultsIn(bundle)).to.equal([]);
      const names = (type: string): readonly string[] => resourcesOf(bundle, type).map(nameIn).sort();
      expect(names('Condition')).to.equal(['Asthma']);
      expect(names('MedicationRequest')).to.equal(['Salbutamol']);
      expect(names('MedicationStatement')).to.equal([]);
      expect(names('AllergyIntolerance')).to.equal(['Nuts']);
      expect(names('Immunization')).to.equal(['Tetanus']);
      expect(names('Observation')).to.equal(['Glucose', 'Glucose', 'Iron', 'Pulse']);
      expect(names('Procedure')).to.equal(['Appendectomy']);
      expect(names('Encounter')).to.equal(['Check-up']);
      expect(names('Device')).to.equal(['Pacemaker']);
      expect(resourcesOf(bundle, 'Practitioner').length).to.equal(1);
      const [coverage, ...more] = resourcesOf(bundle, 'Coverage');
      expect([coverage!['payor'], more]).to.equal([[{ display: 'Not shared' }], []]);
      const again = (await read(link))['entry'][0].fullUrl as string;
      expect(again).to.not.equal(bundle['entry'][0].fullUrl);
    });

    it('leave out what the person calls wrong, and a medicine that the person no longer takes', async () => {
      const medicines = async (): Promise<readonly string[]> =>
        resourcesOf(await read(await make({ kinds: 'medicines,allergies' })), 'MedicationRequest').map(nameIn);
      const { service, recordId, alice } = ground;
      const lines = succeeded(
        await service.call(alice, 'GET', `/records/${recordId}/lines/Medication/?standing=open`),
      ).text;
      const statement = /<Says\b[^>]*?\bid="([^"]*)"(?:(?!<Says\b)[^])*?Salbutamol/.exec(lines)![1]!;
      expect(await medicines()).to.equal(['Salbutamol']);
      for (const verdict of ['stopped', 'wrong']) {
        const body =
          `<OwnWord xmlns="${service.services.config.vocabBase}/xml/documents#"><verdict>${verdict}</verdict>` +
          `<date>2199-05-02</date><about model="Medication" statement="${statement}">Salbutamol</about></OwnWord>`;
        const id = attribute(
          succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
          'Document',
          'id',
        );
        expect(await medicines(), verdict).to.equal([]);
        succeeded(
          await service.call(alice, 'POST', `/records/${recordId}/documents/${id}/set-status`, {
            form: { status: 'void', reason: 'x' },
          }),
        );
        expect(await medicines(), verdict).to.equal(['Salbutamol']);
      }
    });

    it('show the chosen kinds only, and of a circle what lies in it', async () => {
      const some = await read(await make({ kinds: 'allergies,vitals' }));
      expect(some['entry'].map(({ resource }: Read) => resource['resourceType'])).to.equal([
        'Patient',
        'AllergyIntolerance',
        'Observation',
        'DocumentReference',
      ]);
      const circle = await read(await make({ carenet: ground.carenetId }));
      expect(circle['entry'].map(({ resource }: Read) => resource['resourceType'])).to.equal([
        'Patient',
        'DocumentReference',
      ]);
    });

    it(`carry a reading of everything else, and the person's words${unread}`, { skip: unread !== '' }, async () => {
      const vocab = ground.service.services.config.vocabBase;
      const fields: Readonly<Record<string, string>> = {
        visit_type: 'Patient Note',
        visit_type_type: 'http://loinc.org',
        visit_type_value: '51855-5',
        content: 'I worry about &lt;my&gt; heart.',
      };
      const note = Object.entries(fields).map(([name, value]) => `<Field name="${name}">${value}</Field>`);
      await ground.put(
        `<Models xmlns="${vocab}/xml/documents#"><Model name="SimpleClinicalNote">${note.join('')}</Model></Models>`,
      );
      const bundle = await read(await make({ language: 'de' }));
      expect(faultsIn(bundle)).to.equal([]);
      const papers = resourcesOf(bundle, 'DocumentReference');
      expect(papers.map(({ type }) => type.coding[0].code)).to.equal(['60591-5', '51855-5']);
      for (const paper of papers) {
        expect(paper['category'][0].coding[0].code).to.equal('patient-shared');
        expect(paper['meta'].security[0].code).to.equal('PATAST');
        expect(paper['author'][0].reference).to.equal(paper['subject'].reference);
        expect(paper['content'].length).to.equal(1);
      }
      const [summary, words] = papers.map(({ content }) => {
        expect(content[0].attachment.contentType).to.equal('application/pdf');
        return pagesOf(Buffer.from(content[0].attachment.data, 'base64')).join('\n');
      }) as [string, string];
      expect(words).to.contain('I worry about <my> heart.').and.to.contain('In eigenen Worten');
      expect(summary).to.contain('Allergien · Allergies').and.to.contain('Medikamente jetzt · Medicines now');
      const others = ['Patient', 'DocumentReference', 'Practitioner', 'Organization', 'Medication', 'Location'];
      const named = (bundle['entry'] as readonly { readonly resource: Read }[])
        .map(({ resource }) => resource)
        .filter(({ resourceType }) => !others.includes(String(resourceType)));
      expect(named.length).to.be.above(8);
      expect(named.map(nameIn).filter((name) => !summary.includes(name))).to.equal([]);
      const without = await read(await make({ words: 'false' }));
      expect(resourcesOf(without, 'DocumentReference').length).to.equal(1);
    });

    it('are sent once with both sides where sources differ', async () => {
      const said = (status: string, day: string, about: string): object => ({
        resourceType: 'MedicationStatement',
        status,
        medicationCodeableConcept: {
          coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '617310' }],
          text: 'Atorvastatin 20 mg',
        },
        effectivePeriod: { start: '2025-01-10' },
        dateAsserted: day,
        dosage: [{ text: about }],
        subject,
      });
      for (const one of [
        said('active', '2026-01-03', 'one in the evening'),
        said('active', '2026-01-03', 'two in the morning'),
      ]) {
        const bundle = { resourceType: 'Bundle', type: 'collection', entry: [{ resource: one }] };
        await ground.put(JSON.stringify(bundle), 'application/fhir+json');
      }
      const bundle = await read(await make({ kinds: 'medicines' }));
      const found = resourcesOf(bundle, 'MedicationStatement').filter((one) => nameIn(one).startsWith('Atorvastatin'));
      expect(found.length).to.equal(1);
      expect(found[0]!['status']).to.equal('unknown');
      const text = found[0]!['note'].at(-1).text as string;
      expect(text)
        .to.contain('Sources differ')
        .and.to.contain('one in the evening')
        .and.to.contain('two in the morning');
    });

    it('are made by whoever has full control, for a circle by the owner alone', async () => {
      const bob = askingAs(ground.service, BOB, await addSession(ground.service.services, BOB));
      await read(await make({}, bob));
      await expect(make({ carenet: ground.carenetId }, bob)).to.reject(/do not permit/);
      const carol = askingAs(
        ground.service,
        'carol@example.org',
        await addSession(ground.service.services, 'carol@example.org'),
      );
      await expect(make({}, carol)).to.reject(/do not permit/);
      const wrong: readonly Wish[] = [
        { kinds: '' },
        { kinds: 'secrets' },
        { minutes: '7' },
        { openings: '0' },
        { openings: '101' },
      ];
      for (const wish of wrong) {
        await expect(make(wish), JSON.stringify(wish)).to.reject(/kinds|minutes|openings/);
      }
      await expect(make({ carenet: 'another' })).to.reject(/carenet/);
    });

    it('refuse all alike, and are opened by GET with a name alone', async () => {
      const [live, ended, gone] = [await make(), await make(), await make({ minutes: '5' })];
      await end(ended.id);
      const unknown = { url: `${live.url.slice(0, -5)}xxxxx` };
      const before = (await rows()).length;
      for (const recipient of [undefined, '', '  ', '\u0000\n']) {
        const answer = await fetchAs(ground.service, live, recipient);
        expect([answer.status, answer.headers['access-control-allow-origin']]).to.equal([400, '*']);
      }
      for (const method of ['POST', 'PUT', 'DELETE'] as const) {
        const answers = await Promise.all(
          [live, ended, unknown].map((one) => fetchAs(ground.service, one, 'x', method)),
        );
        answers.forEach(({ status, headers, text }) =>
          expect([status, headers['allow'], headers['access-control-allow-origin'], text]).to.equal([
            405,
            'GET, HEAD, OPTIONS',
            '*',
            answers[0]!.text,
          ]),
        );
      }
      const preflight = await fetchAs(ground.service, unknown, undefined, 'OPTIONS');
      expect([preflight.status, preflight.headers['access-control-allow-methods']]).to.equal([
        204,
        'GET, HEAD, OPTIONS',
      ]);
      const heads = await Promise.all(
        [live, ended, unknown].map((one) => fetchAs(ground.service, one, undefined, 'HEAD')),
      );
      expect(heads.map(({ status }) => status)).to.equal([200, 404, 404]);
      expect((await linkOf(live.id)).openings).to.equal(0);
      expect((await rows()).length).to.equal(before);
      const refusals = await Promise.all([ended, unknown].map((one) => fetchAs(ground.service, one, VERONA)));
      expect(refusals.map(({ status, text }) => [status, text])).to.equal([
        [404, refusals[0]!.text],
        [404, refusals[0]!.text],
      ]);
      expect(await statusOf(gone)).to.equal(200);
      // The failed fetch of the ended link is told in its record.
      const failed = (await rows()).filter(
        ({ record_id: of, successful }) => of === ground.recordId && !Number(successful),
      );
      expect(failed.map(({ recipient, status, url }) => [recipient, Number(status), url])).to.equal([
        [VERONA, 404, '/c/***'],
      ]);
    });

    it('end after their openings, and count no more than these when all come at once', async () => {
      const link = await make({ openings: '3' });
      const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(link)));
      expect(statuses.filter((status) => status === 200).length).to.equal(3);
      expect(statuses.filter((status) => status === 404).length).to.equal(5);
      expect(await linkOf(link.id)).to.include({ openings: 3, over: 'used' });
    });

    it('tell who fetched them, as text', async () => {
      const link = await make();
      const name = `  ${'Ø'.repeat(150)}<b>\u202e\u0007${'😀'.repeat(80)}`;
      expect((await fetchAs(ground.service, link, name)).status).to.equal(200);
      const [{ by } = { by: '' }] = (await linkOf(link.id)).opened;
      expect([...by].length).to.equal(200);
      expect(by).to.startWith(`${'Ø'.repeat(150)}<b>\u202e ${'😀'.repeat(40)}`);
      const row = (await rows()).find(({ recipient }) => recipient === by);
      expect([row!['recipient'], row!['url'], row!['principal_id'], Number(row!['status'])]).to.equal([
        by,
        '/c/***',
        null,
        200,
      ]);
      const report = await ground.service.call(
        ground.alice,
        'GET',
        `/records/${ground.recordId}/audits/query/?function_name=link_fetch`,
      );
      expect(report.status).to.equal(200);
      expect(report.text).to.contain('req_url="/c/***"').and.contain(`recipient="${VERONA}"`);
      expect(report.text).to.not.contain(link.url.slice(-43));
    });

    it('are not opened as links of the other kind, nor these as links for clinics', async () => {
      const link = await make();
      const secret = link.url.slice(-43);
      const url = `${ground.service.services.baseUrl()}/fhir/links/${secret}`;
      expect((await openLink(ground.service, { url })).status).to.equal(404);
      const given = await askAlice()(operations.links.recordLinkCreate, { params: inRecord(), body: {} });
      const shown = (await askAlice()(operations.links.recordLinks, { params: inRecord() })).find(
        ({ id }) => id === given,
      )!;
      const other = scanned(shown.text).url.slice(-43);
      expect(await statusOf({ ...link, url: link.url.replace(secret, other) })).to.equal(404);
      expect(
        (await askAlice()(operations.links.recordLinks, { params: inRecord() })).some(({ id }) => id === link.id),
      ).to.equal(false);
    });

    it('end with the rights of who made them', async () => {
      const bob = askingAs(ground.service, BOB, await addSession(ground.service.services, BOB));
      const link = await make({}, bob);
      expect(await statusOf(link)).to.equal(200);
      await direct(ground.service.services.database)('account').where({ id: BOB }).update({ state: 'disabled' });
      expect(await statusOf(link)).to.equal(404);
      await direct(ground.service.services.database)('account').where({ id: BOB }).update({ state: 'active' });
      expect(await statusOf(link)).to.equal(200);
    });

    it('are twenty at most', async () => {
      const { links } = await askAlice()(operations.links.recordClinic, { params: inRecord() });
      for (const { id, over } of links) {
        if (over === null) {
          await end(id);
        }
      }
      for (let made = 0; made < 20; made += 1) {
        await make(made % 2 === 0 ? {} : { carenet: ground.carenetId });
      }
      await expect(make()).to.reject(/20 links/);
      const [first] = (await askAlice()(operations.links.recordClinic, { params: inRecord() })).links;
      await end(first!.id);
      await make();
    });
  });
}

describe('the words of links for clinics', () => {
  it('cut labels at 80 units, never inside a character', () => {
    expect(labelOf('Ann')).to.equal('Ann');
    expect(labelOf('x'.repeat(90)).length).to.equal(80);
    expect(labelOf(`${'x'.repeat(79)}😀`)).to.equal('x'.repeat(79));
    expect(labelOf(`${'x'.repeat(79)}e\u0301`)).to.equal('x'.repeat(79));
  });

  it('take names in one line', () => {
    expect(recipientName(' A\u0000\r\n B \ud800')).to.equal('A B \ufffd');
    expect(recipientName('\u2028')).to.equal('');
  });
});

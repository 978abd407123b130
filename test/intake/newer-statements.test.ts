/**
 * newer-statements: of what one sender says twice about one thing, the newer counts at every door, in whatever order it
 * comes, and the older stays in its document. What only looks alike is never taken for the same.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Credentials } from '../support/client';
import { databases } from '../support/databases';
import { FHIR_APP } from '../support/fhir';
import { startService, type TestService } from '../support/server';
import { mintSmartToken } from '../support/smart';
import { enterSite, OWNER } from '../support/site-record';
import { readable, type Site } from '../support/site';
import { attribute, createAccount, createRecord, signIn, succeeded } from '../support/world';
import {
  medicine,
  medicines,
  portalDocument,
  problem,
  problems,
  replaces,
  result,
  results,
  vaccine,
  vaccines,
  version,
} from '../support/portal-documents';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const typeOf = (body: string): string => (body.startsWith('{') ? 'application/fhir+json' : 'application/xml');

/** What the doors show of a record. */
type Shown = {
  readonly overview: string;
  readonly summary: string;
  readonly ccr: string;
};

const PATIENT = { resourceType: 'Patient', id: 'p', name: [{ family: 'Halvorsen', given: ['Mira'] }] };

type Json = Readonly<Record<string, unknown>>;

/** A Bundle of one server, with the resource under its address there. */
const bundle = (resource: Json, address = 'https://hospital.example/fhir'): string => {
  const entry = [PATIENT, resource].map((one) => ({
    ...(address === '' ? {} : { fullUrl: `${address}/${String(one['resourceType'])}/${String(one['id'])}` }),
    resource: one,
  }));
  return JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry });
};

const warfarin = (status: string, meta?: Json, more: Json = {}): Json => ({
  resourceType: 'MedicationStatement',
  id: 'm7',
  ...(meta ? { meta } : {}),
  status,
  subject: { reference: 'Patient/p' },
  medicationCodeableConcept: { text: 'Warfarin' },
  ...more,
});

const potassium = (value: number, meta: Json): Json => ({
  resourceType: 'Observation',
  id: 'o1',
  meta,
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Potassium' },
  subject: { reference: 'Patient/p' },
  effectiveDateTime: '2024-02-01T08:30:00Z',
  valueQuantity: { value, unit: 'mmol/L' },
});

for (const leg of databases) {
  describe(`newer statements on ${leg.name}`, () => {
    let service: TestService;
    let owner: Site;
    let hers: Exclude<Credentials, null>;

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OWNER, 'Olga Openshaw');
      hers = await signIn(service.call, OWNER);
      owner = await enterSite(service, OWNER);
    });
    after(() => service.stop());

    const newRecord = (): Promise<string> => createRecord(service.call, OWNER, 'Mira', 'Halvorsen');
    const put = async (recordId: string, body: string): Promise<string> =>
      attribute(
        succeeded(await service.call(hers, 'POST', `/records/${recordId}/documents/`, { body, type: typeOf(body) }))
          .text,
        'Document',
        'id',
      );
    const page = async (path: string): Promise<string> => {
      const found = await owner.get(path);
      expect(found.status, readable(found)).to.equal(200);
      return readable(found);
    };
    const summaryOf = async (record: string): Promise<string> => {
      const token = await mintSmartToken(service, { account: OWNER, app: FHIR_APP, scopes: 'patient/*.rs', record });
      const { text, status } = await service.call(null, 'GET', `/fhir/Patient/${record}/$summary`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(status, text).to.equal(200);
      return text;
    };
    const shownOf = async (recordId: string): Promise<Shown> => ({
      overview: await page(`/my/records/${recordId}/`),
      summary: await summaryOf(recordId),
      ccr: succeeded(await service.call(hers, 'GET', `/records/${recordId}/reports/experimental/ccr`)).text,
    });
    /** What is shown after the documents came in this order, and in the other. */
    const inBothOrders = async (
      ...documents: readonly string[]
    ): Promise<readonly (Shown & { recordId: string })[]> => {
      const found = [];
      for (const order of [documents, [...documents].reverse()]) {
        const recordId = await newRecord();
        for (const document of order) {
          await put(recordId, document);
        }
        found.push({ recordId, ...(await shownOf(recordId)) });
      }
      return found;
    };
    const count = (text: string, word: string): number => text.split(word).length - 1;
    const table = (recordId: string, model: string): Promise<string> => page(`/my/records/${recordId}/data/${model}`);
    const OLD = '20240101120000-0500';
    const NEW = '20240301120000-0500';

    it('count in the place of older ones with the same id and name', async () => {
      const older = portalDocument({
        at: OLD,
        sections: [
          problems(problem('2.999.9|p1', 'Asthma')),
          medicines(medicine('2.999.9|m1', 'Warfarin'), medicine('2.999.9|m2', 'Metformin')),
        ],
      });
      const newer = portalDocument({
        at: NEW,
        sections: [
          problems(problem('2.999.9|p1', 'Asthma', '20240215')),
          medicines(medicine('2.999.9|m1', 'Warfarin', '20240215'), medicine('2.999.9|m2', 'Metformin')),
        ],
      });
      for (const { overview, summary, ccr, recordId } of await inBothOrders(older, newer)) {
        expect(overview).to.contain(['Metformin', 'in 2 documents', '1 that was stopped or is over']);
        expect(overview).to.not.contain('Warfarin').and.to.not.contain('Asthma');
        expect([count(ccr, '>Warfarin<'), count(ccr, '>Metformin<'), count(ccr, '>Asthma<')]).to.equal([1, 1, 1]);
        expect(ccr).to.not.contain('>Active</Text></Status><Product');
        expect([count(summary, '<li>Warfarin'), count(summary, '<li>Metformin')]).to.equal([1, 1]);
        expect(await table(recordId, 'Medication')).to.contain('of these 2 entries');
      }
    });

    it('leave the older document to be read, which says that there is a newer one', async () => {
      const recordId = await newRecord();
      const older = await put(
        recordId,
        portalDocument({ at: OLD, sections: [medicines(medicine('2.999.9|m1', 'Warfarin'))] }),
      );
      const newer = await put(
        recordId,
        portalDocument({ at: NEW, sections: [medicines(medicine('2.999.9|m1', 'Warfarin', '20240215'))] }),
      );
      expect(await page(`/my/records/${recordId}/documents/${older}`)).to.contain([
        'Warfarin',
        'For one statement its sender says something newer',
      ]);
      expect((await owner.get(`/my/records/${recordId}/documents/${older}`)).text).to.contain(`/documents/${newer}"`);
      expect(await page(`/my/records/${recordId}/documents/${newer}`)).to.not.contain('something newer');
      const report = succeeded(
        await service.call(hers, 'GET', `/records/${recordId}/reports/Medication/?response_format=application/xml`),
      ).text;
      expect(count(report, '>Warfarin<'), 'a report says what documents say').to.equal(2);
    });

    it('count in a circle only if it holds their document', async () => {
      const recordId = await newRecord();
      const ends = ['', '20240215'].map((end, at) =>
        portalDocument({ at: at ? NEW : OLD, sections: [medicines(medicine('2.999.9|m1', 'Warfarin', end))] }),
      );
      const documents = [await put(recordId, ends[0]!), await put(recordId, ends[1]!)];
      const carenets = succeeded(await service.call(hers, 'GET', `/records/${recordId}/carenets/`)).text;
      const circle = attribute(/<Carenet\b[^>]*name="Family"[^>]*>/.exec(carenets)![0], 'Carenet', 'id');
      const seen = async (document: string): Promise<string> => {
        const path = `/records/${recordId}/documents/${document}/carenets/${circle}`;
        succeeded(await service.call(hers, 'PUT', path));
        return page(`/my/carenets/${circle}/`);
      };
      expect(await seen(documents[0]!))
        .to.contain('Warfarin')
        .and.to.not.contain('stopped or is over');
      expect(await seen(documents[1]!)).to.contain('1 that was stopped or is over');
    });

    it('count no longer when their document is void', async () => {
      const recordId = await newRecord();
      await put(recordId, portalDocument({ at: OLD, sections: [medicines(medicine('2.999.9|m1', 'Warfarin'))] }));
      const newer = await put(
        recordId,
        portalDocument({ at: NEW, sections: [medicines(medicine('2.999.9|m1', 'Warfarin', '20240215'))] }),
      );
      const form = { status: 'void', reason: 'wrong' };
      succeeded(await service.call(hers, 'POST', `/records/${recordId}/documents/${newer}/set-status`, { form }));
      expect(await page(`/my/records/${recordId}/`)).to.contain('Warfarin');
    });

    /** Statements that both count are one line, and the newer one says that it has ended. */
    const ENDED = '1 that was stopped or is over';
    const counting = async (recordId: string): Promise<readonly string[]> => {
      const path = `/records/${recordId}/reports/Medication/?response_format=application%2Fjson`;
      const rows = JSON.parse(succeeded(await service.call(hers, 'GET', path)).text) as Record<string, string>[];
      return rows.map((row) => row['drugName_title']!).sort();
    };
    const kept: Readonly<Record<string, readonly [string, string]>> = {
      'with another name': ['2.999.9|m1', 'Metformin'],
      'with another id': ['2.999.9|m9', 'Warfarin'],
    };
    for (const [title, [id, name]] of Object.entries(kept)) {
      it(`do not count for a statement ${title}`, async () => {
        const older = portalDocument({
          at: OLD,
          code: '18842-5',
          sections: [medicines(medicine('2.999.9|m1', 'Warfarin'))],
        });
        const newer = portalDocument({ at: NEW, sections: [medicines(medicine(id, name, '20240215'))] });
        for (const { overview, recordId } of await inBothOrders(older, newer)) {
          expect(await counting(recordId)).to.equal(['Warfarin', name].sort());
          expect(overview)
            .to.not.contain('newer list')
            .and.to.contain(name === 'Warfarin' ? ENDED : 'Warfarin');
        }
      });
    }

    it('do not count for what another sender says, nor under a root or a nil id', async () => {
      const other = {
        at: NEW,
        custodian: '2.999.5',
        sections: [medicines(medicine('2.999.9|m1', 'Warfarin', '20240215'))],
      };
      const older = portalDocument({ at: OLD, sections: [medicines(medicine('2.999.9|m1', 'Warfarin'))] });
      for (const { overview, recordId } of await inBothOrders(older, portalDocument(other))) {
        expect(await counting(recordId)).to.equal(['Warfarin', 'Warfarin']);
        expect(overview).to.contain(ENDED);
      }
      for (const id of ['2.999.9', '00000000-0000-0000-0000-000000000000', '2.999.9|0', '2.999.9|UNK']) {
        const [one, two] = ['', '20240215'].map((end, at) =>
          portalDocument({ at: at ? NEW : OLD, sections: [medicines(medicine(id, 'Warfarin', end))] }),
        ) as [string, string];
        for (const { overview, recordId } of await inBothOrders(one, two)) {
          expect(await counting(recordId), id).to.equal(['Warfarin', 'Warfarin']);
          expect(overview, id).to.contain(ENDED);
        }
      }
    });

    it('take back what their sender says was never so', async () => {
      const older = portalDocument({
        at: OLD,
        sections: [problems(problem('2.999.9|p1', 'Asthma'), problem('2.999.9|p2', 'Gout'))],
      });
      const newer = portalDocument({
        at: NEW,
        sections: [problems(problem('2.999.9|p1', 'Asthma', '', 'negationInd="true"'), problem('2.999.9|p2', 'Gout'))],
      });
      for (const { overview, summary } of await inBothOrders(older, newer)) {
        expect(overview).to.contain('Gout').and.to.not.contain('Asthma');
        expect(summary).to.not.contain('Asthma');
      }
    });

    it('are shown once where they say the same, with the number of documents', async () => {
      const documents = ['20240301', '20240302', '20240303'].map((at) =>
        portalDocument({
          at,
          sections: [
            results(result('2.999.9|r1', 'Potassium', '5.1')),
            vaccines(vaccine('2.999.7|i1', 'COVID-19 mRNA')),
          ],
        }),
      );
      for (const { recordId, overview } of await inBothOrders(...documents)) {
        expect(overview).to.contain('in 3 documents');
        expect(await table(recordId, 'LabResult')).to.contain(['CSV of this entry', 'Documents']);
        expect(await table(recordId, 'Immunization')).to.contain(['CSV of this entry', 'Documents']);
        const csv = (await owner.get(`/my/records/${recordId}/data/Immunization.csv`)).text;
        expect(csv.trim().split('\r\n')).to.have.length(2);
        expect(count(await page(`/my/records/${recordId}/timeline`), 'COVID-19 mRNA')).to.equal(1);
      }
    });

    it('are two where one id is used for two days', async () => {
      const at = (day: string) => results(result('2.999.9|r1', 'Potassium', '5.1', `${day}083000-0500`));
      const documents = ['20240201', '20240301'].map((day) =>
        portalDocument({ at: `${day}120000-0500`, sections: [at(day)] }),
      );
      for (const { recordId } of await inBothOrders(...documents)) {
        expect(await table(recordId, 'LabResult')).to.contain('of these 2 entries');
      }
    });

    it('are marked, and not ended, when the newer list lacks them', async () => {
      const older = portalDocument({
        at: OLD,
        sections: [medicines(medicine('2.999.9|m1', 'Warfarin'), medicine('2.999.9|m2', 'Metformin'))],
      });
      const newer = portalDocument({ at: NEW, sections: [medicines(medicine('2.999.9|m2', 'Metformin'))] });
      for (const { recordId, overview, summary, ccr } of await inBothOrders(older, newer)) {
        const rows = (await table(recordId, 'Medication')).split('Warfarin');
        expect(rows[1]).to.contain('Not in the newer list of 1 March 2024');
        expect(count(rows.join(), 'Not in the newer list')).to.equal(1);
        const file = (await owner.get(`/my/records/${recordId}/data/Medication.csv`)).text.trim().split('\r\n');
        expect(file[0]).to.match(/,not_in_newer_list$/);
        expect(file.slice(1).map((line) => [line.includes('Warfarin'), line.split(',').at(-1)])).to.only.include([
          [true, '2024-03-01T12:00:00-05:00'],
          [false, ''],
        ]);
        const days = await page(`/my/records/${recordId}/timeline`);
        expect(count(days, 'Not in the newer list of 1 March 2024')).to.equal(1);
        expect(count(ccr, 'Not in the newer list of its sender of 2024-03-01')).to.equal(1);
        expect(overview).to.contain(['Warfarin', 'Not in the newer list of 1 March 2024']);
        expect(count(overview, 'Not in the newer list')).to.equal(1);
        expect(summary).to.contain('not in the newer list of its source of 2024-03-01');
      }
      const others = { 'another kind': { code: '18842-5' }, 'another sender': { custodian: '2.999.5' } };
      for (const [title, more] of Object.entries(others)) {
        const list = portalDocument({ at: NEW, ...more, sections: [medicines(medicine('2.999.9|m2', 'Metformin'))] });
        for (const { overview, ccr } of await inBothOrders(older, list)) {
          expect(ccr, title).to.not.contain('newer list');
          expect(overview, title).to.contain('Warfarin').and.to.not.contain('newer list');
        }
      }
    });

    it('come with a new version of the document, whatever ids they have', async () => {
      const make = (number: number, name: string, at = `2024030${number}`) =>
        portalDocument({
          at,
          set: version('2.999.50|s', number),
          sections: [medicines(medicine(`2.999.9|${name}`, name))],
        });
      for (const { overview, recordId, ccr } of await inBothOrders(
        make(1, 'Warfarin'),
        make(3, 'Apixaban'),
        make(2, 'Heparin'),
      )) {
        expect(overview).to.contain('Apixaban').and.to.not.contain('Warfarin').and.to.not.contain('Heparin');
        expect(ccr).to.not.contain('Warfarin');
        expect(await table(recordId, 'Medication')).to.contain('CSV of this entry');
      }
    });

    it('come with a document that replaces another, and beside one that is only added to', async () => {
      const parent = portalDocument({
        at: OLD,
        id: '2.999.100|a',
        sections: [medicines(medicine('2.999.9|m1', 'Warfarin'))],
      });
      const child = (type: string, custodian = '2.999.4') =>
        portalDocument({
          at: NEW,
          custodian,
          code: '18842-5',
          related: replaces('2.999.100|a', type),
          sections: [medicines(medicine('2.999.9|m2', 'Apixaban'))],
        });
      for (const { overview } of await inBothOrders(parent, child('RPLC'))) {
        expect(overview).to.contain('Apixaban').and.to.not.contain('Warfarin');
      }
      for (const added of [child('APND'), child('RPLC', '2.999.5')]) {
        for (const { overview } of await inBothOrders(parent, added)) {
          expect(overview).to.contain(['Apixaban', 'Warfarin']);
        }
      }
      const recordId = await newRecord();
      const older = await put(recordId, parent);
      await put(recordId, child('RPLC'));
      expect(await page(`/my/records/${recordId}/documents/${older}`)).to.contain([
        'There is a newer version of this document',
        'Warfarin',
      ]);
    });

    const metas: Readonly<Record<string, readonly [Json, Json]>> = {
      'a higher version': [{ versionId: '9' }, { versionId: '10' }],
      'a later time': [{ lastUpdated: '2024-01-01T09:00:00+01:00' }, { lastUpdated: '2024-01-01T08:30:00Z' }],
      'a higher version and a later time': [
        { versionId: '1', lastUpdated: '2024-01-01T00:00:00Z' },
        { versionId: '2', lastUpdated: '2024-02-01T00:00:00Z' },
      ],
    };
    for (const [title, [first, second]] of Object.entries(metas)) {
      it(`of FHIR count with ${title}`, async () => {
        for (const address of ['https://hospital.example/fhir', '']) {
          const documents = [bundle(warfarin('active', first), address), bundle(warfarin('stopped', second), address)];
          for (const { overview, recordId } of await inBothOrders(...documents)) {
            expect(overview).to.contain('1 that was stopped or is over');
            expect(await table(recordId, 'Medication')).to.contain('CSV of this entry');
          }
        }
      });
    }

    const documentOf = (id: string, at: string, name: string, more: Json = {}): string =>
      JSON.stringify({
        resourceType: 'Bundle',
        type: 'document',
        timestamp: at,
        entry: [
          {
            fullUrl: `urn:uuid:00000000-0000-4000-8000-00000000000${id}`,
            resource: {
              resourceType: 'Composition',
              id,
              status: 'final',
              type: { text: 'Summary' },
              date: at,
              title: 'Summary',
              author: [{ display: 'Dr. A' }],
              subject: { reference: 'Patient/p' },
              custodian: { display: 'Clinic' },
              ...more,
            },
          },
          {
            resource: {
              resourceType: 'MedicationStatement',
              status: 'active',
              subject: { reference: 'Patient/p' },
              medicationCodeableConcept: { text: name },
            },
          },
        ],
      });

    it('of FHIR come with a document that replaces another by reference', async () => {
      const older = documentOf('1', '2024-01-01T00:00:00Z', 'Warfarin');
      const newer = (code: string, reference: string, more: Json = {}): string =>
        documentOf('2', '2024-03-01T00:00:00Z', 'Apixaban', {
          relatesTo: [{ code, targetReference: { reference } }],
          ...more,
        });
      for (const reference of [
        'Composition/1',
        'urn:uuid:00000000-0000-4000-8000-000000000001',
        'Composition/1/_history/3',
      ]) {
        for (const { overview } of await inBothOrders(older, newer('replaces', reference))) {
          expect([reference, overview.includes('Apixaban'), overview.includes('Warfarin')]).to.equal([
            reference,
            true,
            false,
          ]);
        }
      }
      for (const other of [
        newer('appends', 'Composition/1'),
        newer('replaces', 'Composition/7'),
        newer('replaces', 'Composition/1', { custodian: { display: 'Other clinic' } }),
      ]) {
        for (const { overview } of await inBothOrders(older, other)) {
          expect(overview).to.contain(['Apixaban', 'Warfarin']);
        }
      }
    });

    it('of FHIR take back what was entered in error', async () => {
      const documents = [
        bundle(warfarin('active', { versionId: '1' })),
        bundle(warfarin('entered-in-error', { versionId: '2' })),
      ];
      for (const { overview, summary } of await inBothOrders(...documents)) {
        expect(overview).to.contain('No medicine yet.');
        expect(summary).to.not.contain('Warfarin');
      }
    });

    it('of FHIR correct a result, and are others on another server', async () => {
      const [wrong, right] = [bundle(potassium(8.1, { versionId: '1' })), bundle(potassium(5.1, { versionId: '2' }))];
      for (const { recordId, summary, overview } of await inBothOrders(wrong, right)) {
        expect(await table(recordId, 'LabResult'))
          .to.contain('CSV of this entry')
          .and.to.not.contain('8.1');
        expect(overview).to.contain('5.1').and.to.not.contain('8.1');
        // A time such as 12:00:08.100 says nothing about potassium.
        expect(summary).to.not.match(/\b8\.1\b/);
      }
      const elsewhere = bundle(warfarin('stopped', { versionId: '2' }), 'https://other.example/fhir');
      for (const { overview } of await inBothOrders(bundle(warfarin('active', { versionId: '1' })), elsewhere)) {
        expect(overview).to.contain('Warfarin');
      }
    });
  });
}

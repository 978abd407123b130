/**
 * versions inside: of one thing that stands several times in one file, the newest version counts, whatever the order,
 * and the older ones are told. What only has the same id is another thing.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { oneSection } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

type Json = Readonly<Record<string, unknown>>;
type Entry = { readonly fullUrl?: string; readonly resource: Json };

const subject = { reference: 'Patient/p' };
const PATIENT: Entry = { resource: { resourceType: 'Patient', id: 'p' } };

const potassium = (value: number, more: Json = {}): Json => ({
  resourceType: 'Observation',
  id: 'o1',
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Potassium' },
  subject,
  effectiveDateTime: '2024-02-01T08:30:00Z',
  valueQuantity: { value, unit: 'mmol/L' },
  ...more,
});
const warfarin = (status: string, more: Json = {}): Json => ({
  resourceType: 'MedicationRequest',
  id: 'm1',
  status,
  intent: 'order',
  subject,
  medicationCodeableConcept: { text: 'Warfarin' },
  ...more,
});
const asthma = (state: string, versionId: string): Json => ({
  resourceType: 'Condition',
  id: 'c1',
  meta: { versionId },
  subject,
  clinicalStatus: { coding: [{ code: state }] },
  code: { text: 'Asthma' },
});

/** What a Bundle says in one line a fact, and why the rest is left out. */
async function told(entries: readonly (Entry | Json)[], type = 'collection'): Promise<readonly string[]> {
  const entry = [PATIENT, ...entries.map((one) => ('resourceType' in one ? { resource: one } : one))];
  const { facts, leftOut } = await reader.read(Buffer.from(JSON.stringify({ resourceType: 'Bundle', type, entry })));
  return [
    ...facts.map(({ values }) =>
      String(
        values['quantitative_result_value_value'] ??
          values['clinicalStatus_title'] ??
          values['content'] ??
          values['status_title'],
      ),
    ),
    ...leftOut.map(({ count, reason }) => `${count} ${reason}`),
  ];
}

const at = (address: string, resource: Json): Entry => ({ fullUrl: `${address}/Observation/o1`, resource });
const HOSPITAL = 'https://h.example/fhir';
const report = (status: string, conclusion: string): Json => ({
  resourceType: 'DiagnosticReport',
  id: 'r1',
  status,
  code: { text: 'CT' },
  subject,
  effectiveDateTime: '2024-02-01',
  conclusion,
});

/** Pairs of an older and a newer version, and what counts. */
const pairs: readonly (readonly [string, readonly [Entry | Json, Entry | Json], string])[] = [
  ['by their status', [potassium(6.9, { status: 'preliminary' }), potassium(4.1)], '4.1'],
  ['that were corrected', [potassium(6.9), potassium(4.1, { status: 'corrected' })], '4.1'],
  [
    'by their number, whatever the status',
    [
      potassium(6.9, { meta: { versionId: '9' } }),
      potassium(4.1, { status: 'preliminary', meta: { versionId: '10' } }),
    ],
    '4.1',
  ],
  [
    'by their time',
    [
      potassium(6.9, { meta: { lastUpdated: '2024-03-01T00:30:00+02:00' } }),
      potassium(4.1, { meta: { lastUpdated: '2024-02-29T23:00:00Z' } }),
    ],
    '4.1',
  ],
  [
    'by the time of issue',
    [potassium(6.9, { issued: '2024-02-01T09:00:00Z' }), potassium(4.1, { issued: '2024-02-01T10:00:00Z' })],
    '4.1',
  ],
  [
    'under one address, with another day',
    [
      at(HOSPITAL, potassium(6.9, { status: 'preliminary', effectiveDateTime: '2024-01-31' })),
      at(HOSPITAL, potassium(4.1)),
    ],
    '4.1',
  ],
  ['of a prescription', [warfarin('active'), warfarin('stopped')], 'Stopped'],
  ['of a problem', [asthma('active', '1'), asthma('resolved', '2')], 'Resolved'],
  ['of a report', [report('preliminary', 'Possible mass'), report('final', 'No mass')], 'No mass'],
];

describe('versions in one Bundle', () => {
  for (const [title, [older, newer], counts] of pairs) {
    it(`${title}: the newer counts in both orders, and the older is told`, async () => {
      expect(await told([older, newer])).to.equal([counts, '1 older_version']);
      expect(await told([newer, older])).to.equal([counts, '1 older_version']);
    });
  }

  it('leave nothing where the newest was entered in error', async () => {
    const wrong = potassium(6.9, { status: 'entered-in-error' });
    for (const order of [
      [potassium(6.9), wrong],
      [wrong, potassium(6.9)],
    ]) {
      expect((await told(order)).toSorted()).to.equal(['1 entered_in_error', '1 older_version']);
    }
  });

  it('are of one thing only: not of two servers, names, days, people or states that come and go', async () => {
    const preliminary = potassium(6.9, { status: 'preliminary' });
    const others: readonly (readonly [Entry | Json, Entry | Json])[] = [
      [at(HOSPITAL, preliminary), at('https://z.example/fhir', potassium(4.1))],
      [preliminary, potassium(4.1, { code: { text: 'Sodium' } })],
      [preliminary, potassium(4.1, { effectiveDateTime: '2024-02-02T08:30:00Z' })],
      [preliminary, potassium(4.1, { id: 'o2' })],
      [warfarin('active'), warfarin('on-hold')],
    ];
    for (const [one, other] of others) {
      expect((await told([one, other])).length, JSON.stringify(other)).to.equal(2);
      expect((await told([one, other])).join()).to.not.contain('older_version');
    }
  });

  it('of a history count by their number, in any order', async () => {
    const address = (resource: Json): Entry => at(HOSPITAL, resource);
    const [one, two] = ['1', '2'].map((versionId) => address(potassium(Number(versionId), { meta: { versionId } })));
    expect(await told([one!, two!], 'history')).to.equal(['2', '1 older_version']);
    expect(await told([two!, one!], 'history')).to.equal(['2', '1 older_version']);
  });

  it('belong to the panel that names them', async () => {
    const panel = {
      resourceType: 'DiagnosticReport',
      id: 'r',
      status: 'final',
      category: [{ coding: [{ code: 'LAB' }] }],
      code: { text: 'Electrolytes' },
      subject,
      result: [{ reference: 'Observation/o1' }],
    };
    const entry = [
      PATIENT,
      ...[potassium(6.9, { status: 'preliminary' }), potassium(4.1), panel].map((resource) => ({ resource })),
    ];
    const read = await reader.read(Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })));
    const found = read.facts.find(({ model }) => model === 'LabPanel');
    expect(found?.children['results']).to.have.length(1);
  });
});

describe('versions of a file in FHIR', () => {
  const described = (id: string, more: object = {}): object => ({
    resourceType: 'DocumentReference',
    id,
    status: 'current',
    type: { text: 'Letter' },
    subject,
    content: [{ attachment: { contentType: 'text/plain', data: 'SGVsbG8=' } }],
    ...more,
  });
  const newer = { relatesTo: [{ code: 'replaces', target: { reference: 'DocumentReference/1' } }] };

  it('are told where a newer one takes their place', async () => {
    const entry = [described('1'), described('2', newer), described('3', { status: 'superseded' })];
    const bundle = { resourceType: 'Bundle', type: 'collection', entry: entry.map((resource) => ({ resource })) };
    const { facts, source } = await reader.read(Buffer.from(JSON.stringify(bundle)));
    expect(facts.map(({ values }) => values['kind'])).to.equal([
      'Letter (superseded)',
      'Letter',
      'Letter (superseded)',
    ]);
    expect(source?.replaces).to.be.undefined();
  });

  it('are documents of one sender where each stands alone', async () => {
    const custodian = { display: 'Clinic' };
    const sourceOf = async (resource: object) => (await reader.read(Buffer.from(JSON.stringify(resource)))).source;
    expect(await sourceOf(described('2', { ...newer, custodian }))).to.include({
      sender: 'Clinic',
      id: 'DocumentReference/2',
      replaces: 'DocumentReference/1',
    });
    expect((await sourceOf(described('2', newer)))?.replaces).to.be.undefined();
  });
});

describe('versions in one C-CDA', () => {
  const observation = (state: string, value: number, day = '20240201'): string =>
    '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.2"/><id root="2.999.8" ' +
    'extension="r1"/><code code="2823-3" codeSystem="2.16.840.1.113883.6.1" displayName="Potassium"/><statusCode ' +
    `code="${state}"/><effectiveTime value="${day}"/><value xsi:type="PQ" value="${value}" unit="mmol/L"/></observation>`;

  it('of a result: what is complete counts more than what is not yet', async () => {
    for (const order of [
      [observation('active', 6.9), observation('completed', 4.1)],
      [observation('completed', 4.1), observation('active', 6.9)],
    ]) {
      const { facts, leftOut } = await reader.read(oneSection('30954-2', ...order));
      expect(facts.map(({ values }) => values['quantitative_result_value_value'])).to.equal(['4.1']);
      expect(leftOut.map(({ reason }) => reason)).to.equal(['older_version']);
    }
    const days = oneSection('30954-2', observation('active', 6.9), observation('completed', 4.1, '20240202'));
    expect((await reader.read(days)).facts).to.have.length(2);
  });
});

/**
 * three-portals: what a person sees when three portals say the same in other words, units and versions, and what a clinic
 * gets by the code of a circle that sees kinds of facts only.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { operations } from '../../plugins/website/http/operations';
import { makeClinicCode } from '../property/circle-doors';
import { databases } from '../support/databases';
import { FHIR_APP } from '../support/fhir';
import { askingAs } from '../support/links';
import { readable } from '../support/site';
import { factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../support/site-record';
import { startService, type TestService } from '../support/server';
import { mintSmartToken } from '../support/smart';
import type { Signs } from '../support/cast';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

type Fields = Readonly<Record<string, string>>;

const cholesterol = (value: string, unit: string, day: string, more: Fields = {}): string =>
  factOf('LabResult', {
    test_name_title: unit === 'mg/dL' ? 'CHOL' : 'Cholesterin',
    test_name_identifier: unit === 'mg/dL' ? '2093-3' : '14647-2',
    test_name_system: 'http://loinc.org',
    collected_at: `${day}T09:00:00Z`,
    quantitative_result_value_value: value,
    quantitative_result_value_unit: unit,
    ...more,
  });
const medicine = (name: string, more: Fields = {}): string =>
  factOf('Medication', { drugName_title: name, startDate: '2025-01-01', status_identifier: 'active', ...more });
const sample = (value: string, status: string): string =>
  factOf('LabResult', {
    test_name_title: 'Sodium',
    test_name_identifier: '2951-2',
    test_name_system: 'http://loinc.org',
    accession_number: 'N-7',
    collected_at: '2025-11-04T09:00:00Z',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: 'mmol/L',
    status_identifier: status,
    status_title: status,
    notes: 'secret note',
  });
const weight = (value: number, unit: string, code: string, day: string): string =>
  JSON.stringify({
    resourceType: 'Observation',
    id: `w-${day}`,
    status: 'final',
    category: [
      {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }],
      },
    ],
    code: { coding: [{ system: 'http://loinc.org', code: '29463-7', display: 'Body weight' }] },
    subject: { reference: 'Patient/p' },
    effectiveDateTime: `${day}T07:00:00Z`,
    valueQuantity: { value, unit, system: 'http://unitsofmeasure.org', code },
  });

/** What each portal says of the person. */
const PORTALS: readonly (readonly string[])[] = [
  [
    medicine('Ramipril 5 mg', { reasonStopped_title: 'secret reason' }),
    cholesterol('231', 'mg/dL', '2024-11-03'),
    sample('151', 'final'),
    factOf('Allergy', { allergen_title: 'Penicillin', notes: 'secret note' }),
    factOf('Problem', { name_title: 'secret problem' }),
    factOf('LabResult', {
      test_name_title: 'HIV 1 RNA',
      test_name_identifier: '20447-9',
      test_name_system: 'http://loinc.org',
      quantitative_result_value_value: '77',
      quantitative_result_value_unit: '{copies}/mL',
      collected_at: '2025-03-01T08:00:00Z',
    }),
  ],
  [medicine('RAMIPRIL  5mg'), cholesterol('5.2', 'mmol/L', '2025-11-03'), sample('141', 'corrected')],
  [
    medicine('Ramipril 5 mg', { quantity_value: '2' }),
    factOf('AllergyExclusion', { name_title: 'No known allergies' }),
  ],
];

for (const leg of databases) {
  describe(`three portals on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    const said = async (path: string): Promise<string> =>
      readable(await record.owner.open(`/my/records/${record.recordId}/${path}`));
    const drawn = async (path: string): Promise<string> =>
      /<svg class="wide"[^]*?<\/svg>/.exec(
        (await record.owner.open(`/my/records/${record.recordId}/${path}`)).text,
      )![0];

    before(async () => {
      service = await startService(leg);
      record = await makeSiteRecord(service);
      for (const facts of PORTALS) {
        await record.store(factsDocument(service, ...facts));
      }
      for (const body of [weight(180, 'lbs', '[lb_av]', '2025-01-05'), weight(80, 'kg', 'kg', '2025-06-05')]) {
        const path = `/records/${record.recordId}/documents/`;
        succeeded(await service.call(record.credentials, 'POST', path, { body, type: 'application/fhir+json' }));
      }
    });
    after(() => service.stop());

    it('lists a medicine once, however it is written', async () => {
      const list = await said('list/Medication');
      expect(list.match(/Ramipril/gi)).to.have.length(1);
      expect((await said('')).match(/Ramipril/gi)).to.have.length(1);
    });

    it('shows results of two units as one series, and a corrected one as history', async () => {
      const page = await said('tests/cholesterol');
      expect(page).to.contain(['5.2 mmol/L', '231 mg/dL', '5.97 mmol/L']);
      expect(await said('tests')).to.match(/Sodium \(blood\) 4 November 2025, 2 results 141 /);
      expect(await said('tests/sodium')).to.match(/151 mmol\/L Replaced by a corrected result/);
      expect(await said('')).to.not.contain('151');
    });

    it('draws weights in one unit, whatever their scale had', async () => {
      const page = await said('tests/weight');
      expect(page).to.match(/81\.6\d* kg/);
      expect(await drawn('tests/weight')).to.not.match(/\b180\b/);
    });

    it('keeps an allergy that somebody denies, and says so', async () => {
      for (const path of ['', 'list/Allergy', 'paper']) {
        expect(await said(path), path)
          .to.match(/No known allergies/i)
          .and.to.contain('Penicillin');
      }
    });

    it('gives a summary with one entry a line, the corrected result, and the denied allergy', async () => {
      const token = await mintSmartToken(service, {
        account: OWNER,
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        record: record.recordId,
      });
      const { payload } = await service.running.server.inject({
        url: `/fhir/Patient/${record.recordId}/$summary`,
        headers: { authorization: `Bearer ${token}` },
      });
      const entries = (JSON.parse(payload) as { entry: { resource: Record<string, unknown> }[] }).entry;
      const of = (type: string): string[] =>
        entries
          .filter(({ resource }) => resource['resourceType'] === type)
          .map(({ resource }) => JSON.stringify(resource));
      expect(of('MedicationStatement').filter((text) => /ramipril/i.test(text))).to.have.length(1);
      expect(of('AllergyIntolerance')).to.have.length(1);
      expect(of('AllergyIntolerance')[0]).to.contain(['Penicillin', 'No known allergies']);
      const sodium = of('Observation').filter((text) => text.includes('2951-2'));
      expect([sodium.length, sodium[0]!.includes('141'), sodium[0]!.includes('"corrected"')]).to.equal([1, true, true]);
    });

    it('gives a circle and its code for clinics kinds of facts, and nothing else', async () => {
      const { credentials, carenetId, recordId } = record;
      for (const kind of ['labs', 'medicines', 'allergies']) {
        succeeded(await service.call(credentials, 'PUT', `/carenets/${carenetId}/kinds/${kind}`));
      }
      const csv = (await record.member.get(`/my/carenets/${carenetId}/data/LabResult.csv`)).text;
      expect(csv)
        .to.contain(['231', '151', '141'])
        .and.to.not.match(/secret|HIV/i);
      const page = await record.member.open(`/my/carenets/${carenetId}/tests/sodium`);
      expect(readable(page)).to.match(/151 mmol\/L Replaced by a corrected result/);
      const chart = await record.member.open(`/my/carenets/${carenetId}/data/LabResult?test_name_title=Sodium`);
      expect(chart.status).to.equal(200);
      expect(chart.text).to.not.contain('<svg class="wide"');
      const ask = askingAs(service, OWNER, credentials as Signs);
      const { kinds } = await ask(operations.links.recordClinic, { params: { RECORD_ID: recordId } });
      expect(kinds.length).to.be.above(3);
      const scan = await makeClinicCode(service, ask, { record: recordId, carenet: carenetId });
      const { status, text } = await scan();
      expect(status).to.equal(200);
      expect(text)
        .to.contain(['231', '5.2', '141', 'Penicillin'])
        .and.to.match(/ramipril/i);
      expect(/secret|HIV|20447-9|lb_av|"Condition"|"Encounter"|29463-7/.exec(text)?.[0]).to.be.undefined();
      const types = new Set([...text.matchAll(/"resource":\{"resourceType":"(\w+)"/g)].map(([, type]) => type!));
      expect(types.size).to.be.above(3);
      expect(
        [...types].filter(
          (type) => !/^(Patient|Observation|Medication\w*|AllergyIntolerance|DocumentReference|Provenance)$/.test(type),
        ),
      ).to.equal([]);
    });
  });
}

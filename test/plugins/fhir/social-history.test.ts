/** social-history: lifestyle data are kept from C-CDA and FHIR, and returned as what they were. */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const CATEGORIES = 'http://terminology.hl7.org/CodeSystem/observation-category';
const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';

/** A C-CDA document with these entries in its social history section. */
const ccda = (...entries: readonly string[]): string =>
  readFileSync(inProject('pipeline-config/ccda/sample-sparse.xml'), 'utf8').replace(
    /<structuredBody>[^]*<\/structuredBody>/,
    '<structuredBody><component><section><code code="29762-2" codeSystem="2.16.840.1.113883.6.1"/><title>Life</title>' +
      `<text>Life</text>${entries.map((entry) => `<entry>${entry}</entry>`).join('')}</section></component></structuredBody>`,
  );

const told = (template: string, code: string, more: string): string =>
  `<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.${template}"/>${code}` +
  `<statusCode code="completed"/>${more}</observation>`;
const loinc = (code: string, name: string): string =>
  `<code code="${code}" codeSystem="2.16.840.1.113883.6.1" displayName="${name}"/>`;
const snomed = (code: string, name: string): string =>
  `<value xsi:type="CD" code="${code}" codeSystem="2.16.840.1.113883.6.96" displayName="${name}"/>`;
const ASSERTION = '<code code="ASSERTION" codeSystem="2.16.840.1.113883.5.4"/>';
const DAY = '<effectiveTime value="20140606"/>';
const SPAN = '<effectiveTime><low value="1992"/><high value="201404"/></effectiveTime>';

for (const leg of databases) {
  describe(`social history, on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const found = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/Observation?${query}`))['entry'] ?? []) as readonly Read[]).map(
        ({ resource }) => resource as Read,
      );
    const post = async (resource: Read): Promise<Read> => {
      const answer = await ground.call('/Observation', {
        method: 'POST',
        body: JSON.stringify({
          resourceType: 'Observation',
          status: 'final',
          subject: { reference: `Patient/${ground.recordId}` },
          ...resource,
        }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const category = (code: string): Read => ({ coding: [{ system: CATEGORIES, code }] });

    it('goes out as the Observation that it came as, and is found by what it says', async () => {
      const smoking = { coding: [{ system: LOINC, code: '72166-2', display: 'Tobacco smoking status' }] };
      const former = { coding: [{ system: SNOMED, code: '8517006', display: 'Former smoker' }] };
      const alike = async (sent: Read): Promise<void> => {
        expect(await post(sent)).to.include(sent);
      };
      await alike({
        category: [category('social-history')],
        code: smoking,
        effectiveDateTime: '2024-03-18',
        valueCodeableConcept: former,
        note: [{ text: 'Stopped on his own' }],
      });
      await alike({
        category: [category('social-history')],
        code: { coding: [{ system: LOINC, code: '11341-5', display: 'History of Occupation' }] },
        effectivePeriod: { start: '2001-01-01', end: '2010-05-01' },
        valueString: 'Baker',
      });
      await alike({
        status: 'amended',
        category: [category('social-history')],
        code: { coding: [{ system: LOINC, code: '74013-4', display: 'Alcoholic drinks per day' }] },
        effectiveDateTime: '2024-03-18',
        valueQuantity: { value: 2, unit: '/d', system: 'http://unitsofmeasure.org', code: '/d' },
      });
      for (const [query, count] of [
        ['category=social-history', 3],
        ['code=72166-2', 1],
        ['value-concept=8517006', 1],
        ['date=2005', 0],
        ['date=ge2005', 3],
        ['status=amended', 1],
        ['category=laboratory', 0],
      ] as const) {
        expect([query, (await found(query)).length]).to.equal([query, count]);
      }
    });

    it('keeps what a sender calls a survey where it is about smoking, each component for itself, and a survey of anything else as such', async () => {
      const survey = await post({
        category: [category('survey')],
        code: { coding: [{ system: LOINC, code: '72166-2' }] },
        effectiveDateTime: '2020-01-01',
        valueCodeableConcept: { coding: [{ system: SNOMED, code: '266919005' }] },
      });
      expect(survey['valueCodeableConcept']).to.equal({ coding: [{ system: SNOMED, code: '266919005' }] });
      const both = await post({
        category: [category('social-history')],
        code: { text: 'Smoking' },
        valueBoolean: true,
        component: [
          {
            code: { coding: [{ system: SNOMED, code: '401201003', display: 'Cigarette pack-years' }] },
            valueQuantity: {
              value: 12,
              unit: '{pack-years}',
              system: 'http://unitsofmeasure.org',
              code: '{pack-years}',
            },
          },
          { code: { text: 'Asked' } },
        ],
      });
      expect([both['resourceType'], both['valueBoolean'], both['component'].length]).to.equal(['Observation', true, 2]);
      const asked = await post({
        category: [category('survey')],
        code: { coding: [{ system: LOINC, code: '93025-5' }] },
        valueString: 'x',
      });
      expect([asked['resourceType'], asked['category'][0].coding[0].code, asked['valueString']]).to.equal([
        'Observation',
        'survey',
        'x',
      ]);
      for (const nothing of [
        { category: [category('social-history')], code: { text: 'Smoking' } },
        { category: [category('social-history')], code: { text: 'Smoking' }, status: 'cancelled', valueString: 'Yes' },
      ]) {
        expect(await post(nothing)).to.include(nothing);
      }
    });

    it('is kept from a C-CDA, also where it calls itself an assertion', async () => {
      const id = await ground.put(
        ccda(
          told('78', loinc('72166-2', 'Tobacco smoking status'), DAY + snomed('449868002', 'Smokes tobacco daily')),
          told('78', ASSERTION, DAY + snomed('266927001', 'Unknown if ever smoked')),
          told('85', ASSERTION, SPAN + snomed('77176002', 'Smoker')),
          told('38', loinc('74013-4', 'Drinks a day'), `${DAY}<value xsi:type="PQ" value="2" unit="{drinks}/d"/>`),
          told('38', loinc('11341-5', 'Work'), `${SPAN}<value xsi:type="ST">Baker</value>`),
          told('38', loinc('11341-5', 'Work'), `${DAY}<value xsi:type="CD" nullFlavor="UNK"/>`),
          told('38', ASSERTION, DAY + snomed('77386006', 'Pregnant')),
          told('38', loinc('11341-5', 'Work'), `${DAY}<value xsi:type="ST">Smith</value>`).replace(
            'completed',
            'aborted',
          ),
        ),
      );
      const mine = (await found('category=social-history')).filter(({ meta }) => meta.versionId === id);
      const said = mine.map((one) => [
        one['code'].coding?.[0].code as string,
        (one['valueCodeableConcept']?.coding[0].code ?? one['valueString'] ?? one['valueQuantity'].value) as unknown,
        (one['effectiveDateTime'] ?? [one['effectivePeriod'].start, one['effectivePeriod'].end]) as unknown,
        one['status'] as string,
      ]);
      expect([...said].sort()).to.equal([
        ['11341-5', 'Baker', ['1992', '2014-04'], 'final'],
        ['11367-0', '77176002', ['1992', '2014-04'], 'final'],
        ['72166-2', '266927001', '2014-06-06', 'final'],
        ['72166-2', '449868002', '2014-06-06', 'final'],
        ['74013-4', 2, '2014-06-06', 'final'],
        ['82810-3', '77386006', '2014-06-06', 'final'],
      ]);
      const document = succeeded(
        await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/documents/${id}/meta`),
      ).text;
      expect(document).to.match(/model="SocialHistory" reason="no_value" count="1"/);
      expect(document).to.not.contain('reason="no_code"');
      expect(document).to.match(/model="SocialHistory" reason="cancelled" count="1"/);
    });

    it('stands in its section of a summary and in a CCR, and not among results', async () => {
      const composition = (await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'][0].resource as Read;
      const section = (code: string): string =>
        JSON.stringify((composition['section'] as readonly Read[]).find((one) => one['code'].coding[0].code === code));
      expect(section('29762-2')).to.contain('Tobacco smoking status, Former smoker').and.to.contain('Baker');
      expect(section('30954-2') ?? '').to.not.contain('smok');
      const ccr = succeeded(
        await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/reports/experimental/ccr`),
      ).text;
      expect(ccr).to.contain('<SocialHistory><SocialHistoryElement>').and.to.contain('Former smoker');
    });
  });
}

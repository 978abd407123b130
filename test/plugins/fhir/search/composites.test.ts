/**
 * composites: values are found together with their code, amounts in every unit of their dimension, codes by their words
 * and by value sets.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const UCUM = 'http://unitsofmeasure.org';

/** Searches, each with the texts of the Observations that it finds. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  'code-value-quantity=718-7$7.5': ['hb'],
  'code-value-quantity=718-7$gt7': ['hb'],
  'code-value-quantity=718-7$gt8': [],
  'code-value-quantity=85354-9$7.5': [],
  [`code-value-quantity=http://loinc.org|718-7$75|${UCUM}|g/L`]: ['hb'],
  [`code-value-quantity=718-7$75|${UCUM}|mmol/L`]: [],
  'code-value-quantity=718-7$7.5||g/dL,1-1$3': ['hb'],
  'code-value-quantity=718-7$7.5||g/dl': ['hb'],
  [`code-value-quantity=718-7$7.5|${UCUM}|`]: ['hb'],
  'code-value-quantity=718-7$7.5|urn:other|': [],
  'combo-code-value-quantity=8480-6$gt110': ['bp'],
  // A code of one component says nothing about the value of another.
  'combo-code-value-quantity=8480-6$80': [],
  'combo-code-value-quantity=718-7$7.5': ['hb'],
  [`component-code-value-quantity=8480-6$16|${UCUM}|kPa`]: ['bp'],
  [`component-code-value-quantity=8480-6$gt16|${UCUM}|kPa`]: [],
  'component-code-value-quantity=718-7$7.5': [],
  'code-value-concept=72166-2$8517006': ['smoke'],
  'code-value-concept=72166-2$http://snomed.info/sct|8517006': ['smoke'],
  'code-value-concept=72166-2$http://snomed.info/sct|': ['smoke'],
  'code-value-concept=72166-2$851': [],
  'code-value-concept=718-7$8517006': [],
  'code-value-string=1-1$positive': ['words'],
  'code-value-string=1-1$negative': [],
  'code-value-date=1-3$2024-05': ['day'],
  'code-value-date=1-3$2023': [],
  'combo-code=8480-6,718-7': ['bp', 'hb'],
  'combo-code=http://loinc.org|8480-6,http://loinc.org|718-7': ['bp', 'hb'],
  'combo-code:not=8480-6,718-7': ['day', 'smoke', 'words'],
  'combo-value-quantity=lt100': ['bp', 'hb'],
  'combo-value-concept=8517006': ['smoke'],
  'combo-code-value-quantity:missing=false': ['bp', 'hb'],
  'combo-code-value-quantity:missing=true': ['day', 'smoke', 'words'],
  [`value-quantity=75|${UCUM}|g/L`]: ['hb'],
  [`value-quantity=0.075|${UCUM}|kg/L`]: ['hb'],
  [`value-quantity=75|${UCUM}|mmol/L`]: [],
  [`value-quantity=ne75|${UCUM}|g/L`]: [],
  [`value-quantity=ne76|${UCUM}|g/L`]: ['hb'],
  'value-quantity=7.50E0': ['hb'],
  'value-quantity=0.75e1': ['hb'],
  'value-quantity=5e3': [],
  'code:text=display': ['bp', 'day', 'hb', 'smoke', 'words'],
  'code:text=HB': ['hb'],
  'code:text=718-7': [],
  'combo-code:text=systo': ['bp'],
  'value-concept:text=ex-': ['smoke'],
  'status:in=http://hl7.org/fhir/ValueSet/observation-status|4.0.1': ['bp', 'day', 'hb', 'smoke', 'words'],
  'status:not-in=http://hl7.org/fhir/ValueSet/observation-status': [],
  'status:in=http://hl7.org/fhir/ValueSet/goal-status': [],
};

for (const leg of databases) {
  describe(`searches for values with their codes, on ${leg.name}`, () => {
    let ground: FhirGround;

    const store = async (text: string, code: string, more: object): Promise<void> => {
      const coding = [{ system: 'http://loinc.org', code, display: `Display of ${text}` }];
      const body = JSON.stringify({
        resourceType: 'Observation',
        status: 'final',
        code: { coding, text },
        subject: { reference: `Patient/${ground.recordId}` },
        ...more,
      });
      const answer = await ground.call('/Observation', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
    };
    const component = (code: string, display: string, value: number): object => ({
      code: { coding: [{ system: 'http://loinc.org', code, display }] },
      valueQuantity: { value, unit: 'mmHg', system: UCUM, code: 'mm[Hg]' },
    });

    before(async () => {
      ground = await startFhir(leg);
      await store('hb', '718-7', { valueQuantity: { value: 7.5, unit: 'g/dl', system: UCUM, code: 'g/dL' } });
      await store('bp', '85354-9', {
        component: [component('8480-6', 'Systolic', 120), component('8462-4', 'Diastolic', 80)],
      });
      await store('smoke', '72166-2', {
        valueCodeableConcept: { coding: [{ system: 'http://snomed.info/sct', code: '8517006', display: 'Ex-smoker' }] },
      });
      await store('words', '1-1', { valueString: 'Positive for X' });
      await store('day', '1-3', { valueDateTime: '2024-05-06' });
    });
    after(() => ground.service.stop());

    for (const [query, texts] of Object.entries(SEARCHES)) {
      it(`finds ${texts.join(', ') || 'nothing'} by ${query}`, async () => {
        const bundle = await ground.get(`/Observation?${query}`, { headers: { prefer: 'handling=strict' } });
        const found = ((bundle['entry'] ?? []) as readonly Read[]).map(({ resource }) => resource.code.text as string);
        expect(found.sort()).to.equal([...texts]);
        expect(bundle['total']).to.equal(texts.length);
      });
    }

    it('refuses values that have no meaning', async () => {
      const wrong = [
        'code-value-quantity=718-7',
        'code-value-quantity=718-7$a',
        'code-value-quantity=718-7$1$2',
        'code-value-date=1-3$someday',
        'value-quantity=1e400',
        'status:in=https://nobody.example/ValueSet/x',
        'date:in=http://hl7.org/fhir/ValueSet/observation-status',
        'value-quantity:text=x',
      ];
      for (const query of wrong) {
        const answer = await ground.call(`/Observation?${query}`);
        expect([query, answer.status]).to.equal([query, 400]);
        expect(issueOf(answer)['severity']).to.equal('error');
      }
    });

    it('declares what it finds', async () => {
      const { rest } = await ground.get('/metadata', { token: '' });
      const { searchParam } = rest[0].resource.find(({ type }: Read) => type === 'Observation');
      const declared = new Map(searchParam.map(({ name, type }: Read) => [name, type]));
      for (const query of Object.keys(SEARCHES)) {
        expect(declared.has(query.replace(/[:=].*/, '')), query).to.be.true();
      }
      expect(declared.get('combo-code-value-quantity')).to.equal('composite');
    });

    it('hides values from whom their document is hidden', async () => {
      const bundle = await ground.get('/Observation?code-value-quantity=718-7$7.5', { token: ground.carenetToken });
      expect(bundle['total']).to.equal(0);
    });
  });
}

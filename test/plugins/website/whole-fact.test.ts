/** whole-fact: a document's page omits nothing that a fact contains, in models with fields of every type. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { inProject } from '../../../core/base/paths';
import { loadModels } from '../../../core/facts/model/models';
import { factPairs, nameFirst } from '../../../plugins/website/words/whole-fact';
import { wordsIn } from '../../../plugins/website/words/words';
import { removeFolder, writeFolder } from '../../support/formats';

export const lab = Lab.script();
const { after, describe, it } = lab;

const visits = writeFolder({
  'visit.yaml': `
__modelname__: HomeVisit
reason: { type: String, required: true }
said: CodedValue
amount: Number
count: Integer
began: DateOnly
ended: DateOnly
span: ValueRange
nurse: Provider
phone: Telephone
shop: Pharmacy
bp: BloodPressure
result: QuantitativeResult
`,
});
const { models } = loadModels([inProject('datamodels'), visits], 'https://v.example');
const model = (name: string) => models.find(name)!;
const english = wordsIn('en', 'UTC');

const pairsOf = (name: string, fact: Readonly<Record<string, unknown>>): readonly string[] =>
  factPairs(model(name), fact, { root: model(name), path: '', words: english }).map(
    ({ label, value }) => `${label}: ${value}`,
  );

describe('all that a fact says', () => {
  after(() => removeFolder(visits));

  it('shows every field that was filled, and none that was not', () => {
    expect(pairsOf('Problem', { name_title: 'Asthma', clinicalStatus_title: 'Active' })).to.equal([
      'Problem: Asthma',
      'Now: Active',
    ]);
  });

  it('marks what is said to be done on a day that is still to come', () => {
    const fact = { date: '2130-01-05T00:00:00Z', administration_status_title: 'Dose given', product_name_title: 'MMR' };
    const said = pairsOf('Immunization', fact);
    expect(said.filter((pair) => pair.includes('Dose given'))).to.equal(['Given: Dose given; Please check: Date']);
  });

  it('says a unit in a field of its own with its number only', () => {
    const fact = { type: 'HBA1C', value: 5.6, unit: '%', datetime: '2026-03-03T00:00:00Z' };
    expect(pairsOf('Measurement', fact)).to.equal(['What was measured: HBA1C', 'Value: 5.6%', 'Date: 3 March 2026']);
  });

  it('says between which values a result is normal, beside it', () => {
    const limits = { min_value: 12, min_unit: 'g/dL', max_value: 15.5, max_unit: 'g/dL' };
    const range = Object.entries(limits).map(([part, value]) => [`quantitative_result_normal_range_${part}`, value]);
    const fact = { quantitative_result_value_value: 13.2, quantitative_result_value_unit: 'g/dL' };
    expect(pairsOf('LabResult', { ...fact, ...Object.fromEntries(range) })).to.equal([
      'Result: 13.2 g/dL',
      'Usual range: 12 to 15.5 g/dL',
    ]);
    expect(pairsOf('LabResult', fact)).to.equal(['Result: 13.2 g/dL']);
  });

  it('says what a name, a number or a value alone leaves out of a field of many parts', () => {
    expect(
      pairsOf('HomeVisit', {
        nurse_name_given: 'Ann',
        nurse_gender: 'f',
        nurse_bday: '1970-01-02',
        nurse_tel_1_type: 'w',
        nurse_tel_1_number: '+47 55',
        phone_number: '+47 56',
        phone_type: 'h',
        phone_preferred_p: true,
        nurse_tel_1_preferred_p: false,
        shop_ncpdpid: '0012',
        bp_systolic_value: 120,
        bp_systolic_unit: 'mm[Hg]',
        bp_diastolic_value: 80,
        bp_diastolic_unit: 'mm[Hg]',
        bp_site_title: 'Left arm',
        result_value_value: '5',
        result_value_unit: 'mg',
        result_non_critical_range_max_value: '9',
        result_non_critical_range_max_unit: 'mg',
      }),
    ).to.equal([
      'Nurse: Ann',
      'More: Nurse: Sex: female; Date of birth: 2 January 1970; Kind: work; Telephone number: +47 55',
      'Phone: +47 56',
      'More: Phone: Kind: home; Call this one first: yes',
      'Shop: NCPDP number: 0012',
      'Bp: 120 / 80 mmHg',
      'More: Bp: Where it was measured: Left arm',
      'Result: 5 mg',
      'More: Result: Not critical to: 9 mg',
    ]);
  });

  it('gives each end of a range, and each half of a blood pressure, its own unit where they differ', () => {
    const span = { span_min_value: '90', span_min_unit: 'cm', span_max_value: '2', span_max_unit: 'm' };
    expect(pairsOf('HomeVisit', span)).to.equal(['Span: 90 cm to 2 m']);
    expect(pairsOf('HomeVisit', { ...span, span_min_unit: 'm' })).to.equal(['Span: 90 to 2 m']);
    expect(pairsOf('HomeVisit', { span_min_value: '90', span_min_unit: 'cm' })).to.equal(['Span: ≥ 90 cm']);
    const pressure = { bp_systolic_value: 16, bp_systolic_unit: 'kPa', bp_diastolic_value: 80 };
    expect(pairsOf('HomeVisit', { ...pressure, bp_diastolic_unit: 'mm[Hg]' })).to.equal(['Bp: 16 kPa / 80 mmHg']);
  });

  it('says the name first and once, and keeps two fields that happen to say the same', () => {
    const fact = { reason: 'Fall', said_title: 'Fall', amount: 2, count: 2, began: '2026-03-01', ended: '2026-03-01' };
    const { named, others } = nameFirst(model('HomeVisit'), fact, english);
    expect(named?.value).to.equal('Fall');
    expect(others.map(({ label, value }) => `${label}: ${value}`)).to.equal([
      'Amount: 2',
      'Count: 2',
      'Began: 1 March 2026',
      'Ended: 1 March 2026',
    ]);
  });
});

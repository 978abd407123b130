/** cases: what the rules of the bundled models say of a few statements; each rule decides at least one of them. */
import type { Saying } from './told';

export type LineCase = {
  readonly model: string;
  readonly says: readonly Saying[];
  /** The statements of each line. */ readonly lines: readonly (readonly number[])[];
  /** The standing of each line, in the order of `lines`. */ readonly standing?: readonly string[];
  /** Fields that differ, of the first line. */ readonly differs?: readonly string[];
  /** How many times the first line has. */ readonly times?: number;
  /** Whether anything is perhaps the same. */ readonly perhaps?: boolean;
  /** Whether the first line is in conflict. */ readonly conflict?: boolean;
  /** The statement that lends the first line its words. */ readonly shown?: number;
  /** The statements of the first line that a corrected one takes the place of. */ readonly history?: readonly number[];
  /** The heading under which the first line stands. */ readonly group?: string;
  /** The first day of the first line. */ readonly first?: string;
  /** Statements of which the person says that they are one. */ readonly same?: readonly number[];
};

const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const SNOMED_CODES = 'http://snomed.info/sct';
const drug = (title: string, code = '', more: Saying = {}): Saying => ({
  drugName_title: title,
  ...(code === '' ? {} : { drugName_identifier: code, drugName_system: RXNORM }),
  startDate: '2026-01-01',
  ...more,
});
const status = (text: string): Saying => ({ status_identifier: text, status_title: text });

const medications: readonly LineCase[] = [
  { model: 'Medication', says: [drug('Foo', '77'), drug('Bar', '77')], lines: [[0, 1]] },
  { model: 'Medication', says: [drug('Foo', '9'), drug('Bar', '8')], lines: [[0], [1]], perhaps: true },
  { model: 'Medication', says: [drug('Zocor 20 mg', '9'), drug('Simvastatin 20mg', '9')], lines: [[0, 1]] },
  { model: 'Medication', says: [drug('Zocor', '90'), drug('Simvastatin', '91')], lines: [[0, 1]] },
  { model: 'Medication', says: [drug('Simvastatin 20 mg'), drug('SIMVASTATIN  20 MG')], lines: [[0, 1]] },
  {
    model: 'Medication',
    says: [drug('Simvastatin 20 mg', '9'), drug('Simvastatin 40 mg', '9')],
    lines: [[0], [1]],
    perhaps: false,
  },
  { model: 'Medication', says: [drug('Simvastatin', '9'), drug('Simva', '8')], lines: [[0], [1]] },
  // Strength, form and way are said beside the name.
  ...[{ strength: '20 mg' }, { form_title: 'Tablet' }, { route_title: 'Oral' }].map((one): LineCase => ({
    model: 'Medication',
    says: [
      drug('Simvastatin', '9', one),
      drug('Simvastatin', '9', Object.fromEntries(Object.keys(one).map((name) => [name, '40 mg of it']))),
    ],
    lines: [[0], [1]],
    perhaps: false,
  })),
  {
    model: 'Medication',
    says: [drug('Simvastatin', '9', { strength: '0.5 g' }), drug('Simvastatin', '9', { strength: '500mg' })],
    lines: [[0, 1]],
  },
  {
    model: 'Medication',
    says: [drug('Simvastatin 500 mg', '9'), drug('Simvastatin', '9', { strength: '0.5 g' })],
    lines: [[0, 1]],
  },
  {
    model: 'Medication',
    says: [
      drug('X', '', { form_title: 'Tablet', form_identifier: '1', form_system: 'http://snomed.info/sct' }),
      drug('X', '', { form_title: 'Tablette', form_identifier: '1', form_system: 'http://snomed.info/sct' }),
    ],
    lines: [[0, 1]],
  },
  // A sender may give several codes. One that is shared joins; those of a shared system must not disagree.
  {
    model: 'Medication',
    says: [
      drug('Zocor', '700', { _also: { drugName_identifier: [{ system: SNOMED_CODES, code: '5' }] } }),
      drug('Simva', '', { drugName_identifier: '5', drugName_system: SNOMED_CODES }),
    ],
    lines: [[0, 1]],
  },
  {
    model: 'Medication',
    says: [
      drug('Zocor', '700', { _also: { drugName_identifier: [{ system: SNOMED_CODES, code: '5' }] } }),
      drug('Zocor', '701', { _also: { drugName_identifier: [{ system: SNOMED_CODES, code: '5' }] } }),
    ],
    lines: [[0], [1]],
    perhaps: true,
  },
  {
    model: 'Medication',
    says: [
      drug('Zocor', '700', { _also: { drugName_identifier: [{ system: RXNORM, code: '702' }] } }),
      drug('Zocor', '702'),
    ],
    lines: [[0, 1]],
  },
  // Statements of which each shares a code with the next, but the first and the last disagree, are joined nowhere.
  {
    model: 'Medication',
    says: [
      drug('Zocor', '700'),
      drug('Zocor', '702', { _also: { drugName_identifier: [{ system: RXNORM, code: '700' }] } }),
      drug('Zocor', '702'),
    ],
    lines: [[0], [1], [2]],
    perhaps: true,
  },
  {
    model: 'Medication',
    says: [drug('Simvastatin 20 mg', '77'), drug('Simvastatin', '77')],
    lines: [[0], [1]],
    perhaps: true,
  },
  { model: 'Medication', says: [drug('Simvastatin 20 mg', '90'), drug('Simvastatin', '91')], lines: [[0, 1]] },
  {
    model: 'Medication',
    says: [drug('X', '', { endDate: '2026-01-20' }), drug('X', '', { startDate: '2026-03-01' })],
    lines: [[0, 1]],
    times: 2,
  },
  // A status that is unknown is a question to the person, as long as no other source knows it.
  {
    model: 'Medication',
    says: [drug('X', '', status('unknown'))],
    lines: [[0]],
    standing: ['unclear'],
    conflict: false,
  },
  {
    model: 'Medication',
    says: [drug('X', '', status('unknown')), drug('X', '', status('active'))],
    lines: [[0, 1]],
    standing: ['open'],
  },
  {
    model: 'Medication',
    says: [
      drug('X', '', { ...status('stopped'), endDate: '2026-03-03' }),
      drug('X', '', { ...status('active'), startDate: null, _said: '2026-04-10' }),
    ],
    lines: [[0, 1]],
    standing: ['unclear'],
    conflict: true,
  },
  {
    model: 'Medication',
    says: [
      drug('X', '', { ...status('active'), _said: '2026-02-10' }),
      drug('X', '', { ...status('stopped'), endDate: '2026-03-03' }),
    ],
    lines: [[0, 1]],
    standing: ['over'],
  },
  {
    model: 'Medication',
    says: [
      drug('X', '', { quantity_value: '1', quantity_unit: 'g' }),
      drug('X', '', { quantity_value: '1000', quantity_unit: 'mg' }),
    ],
    lines: [[0, 1]],
    differs: [],
  },
  {
    model: 'Medication',
    says: [
      drug('X', '', { quantity_value: '1', quantity_unit: 'g' }),
      drug('X', '', { quantity_value: '2', quantity_unit: 'g' }),
    ],
    lines: [[0, 1]],
    differs: ['quantity'],
  },
  {
    model: 'Medication',
    says: [
      drug('X', '', { frequency_value: '1', frequency_unit: '/d' }),
      drug('X', '', { frequency_value: '2', frequency_unit: '/d' }),
    ],
    lines: [[0, 1]],
    differs: ['frequency'],
  },
  {
    model: 'Medication',
    says: [drug('X', '', { instructions: 'at night' }), drug('X', '', { instructions: 'in the morning' })],
    lines: [[0, 1]],
    differs: ['instructions'],
  },
];

const SNOMED = 'http://snomed.info/sct';
const allergy = (more: Saying): Saying => ({ ...more });

const allergies: readonly LineCase[] = [
  {
    model: 'Allergy',
    says: [
      allergy({ allergen_title: 'Peanut', allergen_identifier: '91935009', allergen_system: SNOMED }),
      allergy({
        allergen_title: 'Erdnuss',
        allergen_identifier: '91935009',
        allergen_system: 'urn:oid:2.16.840.1.113883.6.96',
      }),
    ],
    lines: [[0, 1]],
  },
  { model: 'Allergy', says: [{ allergen_title: 'Peanut' }, { food_allergen_title: 'PEANUT' }], lines: [[0, 1]] },
  {
    model: 'Allergy',
    says: [{ drug_class_allergen_title: 'Penicillin' }, { drug_allergen_title: 'Penicillin' }],
    lines: [[0], [1]],
    perhaps: true,
  },
  {
    model: 'Allergy',
    says: [{ drug_class_allergen_title: 'Penicillin' }, { drug_allergen_title: 'Penicillin' }],
    same: [0, 1],
    lines: [[0, 1]],
  },
  {
    model: 'Allergy',
    says: [
      { allergen_title: 'A', clinicalStatus_identifier: 'active', _said: '2026-04-01' },
      { allergen_title: 'A', clinicalStatus_identifier: 'resolved', _said: '2026-04-01' },
    ],
    lines: [[0, 1]],
    standing: ['unclear'],
    conflict: true,
    differs: [],
  },
  {
    model: 'Allergy',
    says: [
      { allergen_title: 'A', severity_title: 'mild' },
      { allergen_title: 'A', severity_title: 'severe' },
    ],
    lines: [[0, 1]],
    differs: ['severity'],
  },
  {
    model: 'Allergy',
    says: [
      { allergen_title: 'A', category_title: 'food' },
      { allergen_title: 'A', category_title: 'drug' },
    ],
    lines: [[0, 1]],
    differs: ['category'],
  },
];

const ICD = 'http://hl7.org/fhir/sid/icd-10-cm';
const problem = (title: string, code = '', system = '', more: Saying = {}): Saying => ({
  name_title: title,
  ...(code === '' ? {} : { name_identifier: code, name_system: system }),
  ...more,
});

const problems: readonly LineCase[] = [
  {
    model: 'Problem',
    says: [problem('Asthma', '195967001', SNOMED), problem('Asthma bronchiale', '195967001', SNOMED)],
    lines: [[0, 1]],
  },
  { model: 'Problem', says: [problem('Pain', 'M54.5', ICD), problem('pain', 'M54.5', ICD)], lines: [[0, 1]] },
  {
    model: 'Problem',
    says: [problem('Low back pain', 'M54.5', ICD), problem('Lumbago', 'M54.5', ICD)],
    lines: [[0], [1]],
    perhaps: true,
  },
  {
    model: 'Problem',
    says: [
      problem('Low back pain', 'M54.5', ICD, { startDate: '2020-05-01' }),
      problem('Lumbago', 'M54.5', ICD, { startDate: '2020-05-01' }),
    ],
    lines: [[0, 1]],
  },
  { model: 'Problem', says: [problem('Asthma'), problem('ASTHMA')], lines: [[0, 1]] },
  { model: 'Problem', says: [problem('Asthma', '1', SNOMED), problem('Asthma', '2', SNOMED)], lines: [[0], [1]] },
  {
    model: 'Problem',
    says: [problem('Left knee pain', '7', SNOMED), problem('Right knee pain', '7', SNOMED)],
    lines: [[0], [1]],
  },
  {
    model: 'Problem',
    says: [
      problem('A', '', '', { startDate: '2020-01-01', endDate: '2020-02-01' }),
      problem('A', '', '', { startDate: '2021-01-01' }),
    ],
    lines: [[0, 1]],
    times: 2,
  },
  {
    model: 'Problem',
    says: [
      problem('A', '', '', { verificationStatus_identifier: 'refuted' }),
      problem('A', '', '', { verificationStatus_identifier: 'confirmed' }),
    ],
    lines: [[0, 1]],
    standing: ['unclear'],
    conflict: true,
  },
  {
    model: 'Problem',
    says: [problem('A', '', '', { startDate: '2020-01-01' }), problem('A', '', '', { startDate: '2020-01-09' })],
    lines: [[0, 1]],
    differs: ['startDate'],
  },
];

const CVX = 'http://hl7.org/fhir/sid/cvx';
const shot = (title: string, code: string, more: Saying = {}): Saying => ({
  product_name_title: title,
  ...(code === '' ? {} : { product_name_identifier: code, product_name_system: CVX }),
  date: '2025-10-02T00:00:00.000000Z',
  ...more,
});

const shots: readonly LineCase[] = [
  { model: 'Immunization', says: [shot('Fluzone', '03'), shot('MMR', '3')], lines: [[0, 1]] },
  { model: 'Immunization', says: [shot('Flu', ''), shot('FLU', '')], lines: [[0, 1]] },
  {
    model: 'Immunization',
    says: [shot('Flu', '141'), shot('Flu', '141', { date: '2025-10-03T00:00:00.000000Z' })],
    lines: [[0], [1]],
  },
  {
    model: 'Immunization',
    says: [shot('Flu A', '141', { lotNumber: 'L1' }), shot('Flu B', '88', { lotNumber: 'l1' })],
    lines: [[0, 1]],
  },
  {
    model: 'Immunization',
    says: [shot('Flu A', '141', { lotNumber: 'L1' }), shot('Flu A', '141', { lotNumber: 'L2' })],
    lines: [[0], [1]],
  },
  { model: 'Immunization', says: [shot('Flu A', '141'), shot('Flu B', '88')], lines: [[0], [1]], perhaps: true },
  {
    model: 'Immunization',
    says: [shot('Flu', '141', status('completed')), shot('Flu', '141', status('not-done'))],
    lines: [[0, 1]],
    standing: ['unclear'],
    conflict: true,
    differs: [],
  },
];

const procedure = (name: string, code = '', more: Saying = {}): Saying => ({
  name,
  ...(code === '' ? {} : { name_value: code, name_type: SNOMED }),
  date_performed: '2024-03-01T00:00:00.000000Z',
  ...more,
});

const procedures: readonly LineCase[] = [
  {
    model: 'Procedure',
    says: [procedure('Appendectomy', '80146002'), procedure('Blinddarm', '80146002')],
    lines: [[0, 1]],
  },
  { model: 'Procedure', says: [procedure('Appendectomy'), procedure('appendectomy')], lines: [[0, 1]] },
  { model: 'Procedure', says: [procedure('Left cataract', '5'), procedure('Right cataract', '5')], lines: [[0], [1]] },
  {
    model: 'Procedure',
    says: [procedure('A', '5'), procedure('B', '5', { date_performed: '2024-03-03T00:00:00.000000Z' })],
    lines: [[0], [1]],
    perhaps: true,
  },
  {
    model: 'Procedure',
    says: [procedure('A', '5'), procedure('B', '5', { date_performed: '2024-03-09T00:00:00.000000Z' })],
    lines: [[0], [1]],
    perhaps: false,
  },
  {
    model: 'Procedure',
    says: [procedure('A', '', status('completed')), procedure('A', '', status('not-done'))],
    lines: [[0, 1]],
    standing: ['unclear'],
    conflict: true,
    differs: ['status'],
  },
  {
    model: 'Procedure',
    says: [procedure('A', '', status('completed')), procedure('A', '', status('in-progress'))],
    lines: [[0, 1]],
    differs: ['status'],
  },
  {
    model: 'Procedure',
    says: [procedure('A', '', { location: 'Ward 1' }), procedure('A', '', { location: 'Ward 2' })],
    lines: [[0, 1]],
    differs: ['location'],
  },
];

const LOINC = 'http://loinc.org';
const at = (time: string): string => `2026-02-03T${time}:00.000000Z`;
const result = (value: string, more: Saying = {}): Saying => ({
  test_name_title: 'Glucose',
  test_name_identifier: '2345-7',
  test_name_system: LOINC,
  quantitative_result_value_value: value,
  quantitative_result_value_unit: 'mg/dL',
  collected_at: at('08:30'),
  ...more,
});
const reading = (value: string, more: Saying = {}): Saying => ({
  type: 'WEIGHT',
  value,
  unit: 'kg',
  datetime: at('08:30'),
  ...more,
});

const corrected = (value: string, more: Saying = {}): Saying =>
  result(value, { accession_number: 'A1', status_identifier: 'corrected', ...more });

const results: readonly LineCase[] = [
  // Codes of one series are one test, whatever it is called; another specimen is another one.
  {
    model: 'LabResult',
    says: [result('100'), result('100', { test_name_title: 'Glukose', test_name_identifier: '14749-6' })],
    lines: [[0, 1]],
  },
  {
    model: 'LabResult',
    says: [result('100'), result('100', { test_name_identifier: '2339-0' })],
    lines: [[0], [1]],
  },
  {
    model: 'LabResult',
    says: [
      result('100', { accession_number: 'A1' }),
      result('101', { accession_number: 'a1', collected_at: at('09:00') }),
    ],
    lines: [[0, 1]],
    differs: ['quantitative_result'],
  },
  // A medicine that is taken is not preliminary: two doses contradict each other, whatever is said of its state.
  {
    model: 'Medication',
    says: [
      drug('X', '9', { quantity_value: '1', quantity_unit: 'tablet', ...status('active') }),
      drug('X', '9', { quantity_value: '2', quantity_unit: 'tablet' }),
    ],
    lines: [[0, 1]],
    differs: ['quantity'],
  },
  // Two final values contradict each other, and a preliminary one contradicts none.
  ...['preliminary', 'active'].flatMap((state): readonly LineCase[] => [
    {
      model: 'LabResult',
      says: [
        result('100', { accession_number: 'A1', status_identifier: state }),
        result('101', { accession_number: 'A1', status_identifier: 'final' }),
      ],
      lines: [[0, 1]],
      differs: [],
      conflict: false,
    },
    {
      model: 'LabResult',
      says: [
        result('100', { accession_number: 'A1', status_identifier: state }),
        result('101', { accession_number: 'A1', status_identifier: state }),
      ],
      lines: [[0, 1]],
      differs: ['quantitative_result'],
    },
  ]),
  // A day alone leads to two that are hours apart: it joins none, and asks about both.
  {
    model: 'LabResult',
    says: [
      result('100', { collected_at: at('08:00') }),
      result('100', { collected_at: at('00:00') }),
      result('100', { collected_at: at('14:00') }),
    ],
    lines: [[0], [1], [2]],
    perhaps: true,
  },
  {
    model: 'LabResult',
    says: [result('100', { collected_at: at('08:00') }), result('100', { collected_at: at('14:00') })],
    lines: [[0], [1]],
    perhaps: false,
  },
  {
    model: 'LabResult',
    says: [result('100'), result('1.0', { quantitative_result_value_unit: 'g/L' })],
    lines: [[0, 1]],
  },
  {
    model: 'LabResult',
    says: [result('100', { _doc: 'x' }), result('100', { _doc: 'x' }), result('100')],
    lines: [[0, 1, 2]],
  },
  {
    model: 'LabResult',
    says: [
      result('100', { _doc: 'x' }),
      result('100', { _doc: 'x', collected_at: at('09:30') }),
      result('100', { collected_at: at('00:00') }),
    ],
    lines: [[0], [1], [2]],
  },
  { model: 'LabResult', says: [result('100'), result('100', { collected_at: at('00:00') })], lines: [[0, 1]] },
  { model: 'LabResult', says: [result('100'), result('100', { collected_at: at('09:30') })], lines: [[0], [1]] },
  {
    model: 'LabResult',
    says: [result('', { value: 'negative' }), result('', { narrative_result: 'Negative' })],
    lines: [[0, 1]],
  },
  {
    model: 'LabResult',
    says: [result('', { value: 'neg', accession_number: '1' }), result('', { value: 'pos', accession_number: '1' })],
    lines: [[0, 1]],
    differs: ['value'],
  },
  { model: 'LabResult', says: [result('5.17'), result('5.2')], lines: [[0], [1]], perhaps: true },
  // A corrected result takes the place of that of its sample, whatever the order, and contradicts nobody who says the same.
  ...[
    [corrected('101'), result('100', { accession_number: 'a1' })],
    [result('100', { accession_number: 'a1' }), corrected('101')],
    [corrected('101'), result('100', { accession_number: 'a1' }), result('100'), result('101')],
  ].map((says): LineCase => {
    const at = says.findIndex(({ status_identifier: said }) => said === 'corrected');
    const history = says.flatMap((one, place) => (one['quantitative_result_value_value'] === '100' ? [place] : []));
    return { model: 'LabResult', says, lines: [says.map((_, place) => place)], differs: [], shown: at, history };
  }),
  {
    model: 'LabResult',
    says: [corrected('101', { _said: '2026-01-03' }), corrected('102', { _said: '2026-01-04' })],
    lines: [[0, 1]],
    differs: [],
    shown: 1,
    history: [0],
  },
  {
    model: 'LabResult',
    says: [corrected('101'), corrected('102')],
    lines: [[0, 1]],
    differs: ['quantitative_result'],
    history: [],
  },
  // 100 mg/dL of glucose are 5.55 mmol/L, exactly 5.5507.
  ...(
    [
      ['100', '5.55', true],
      ['100', '5.6', true],
      ['100', '5.50', false],
      ['101', '5.55', false],
      ['101', '5.6', true],
      ['&lt;100', '5.55', false],
    ] as const
  ).map(([mass, moles, perhaps]): LineCase => ({
    model: 'LabResult',
    says: [result(mass), result(moles, { test_name_identifier: '14749-6', quantitative_result_value_unit: 'mmol/l' })],
    lines: [[0], [1]],
    perhaps,
  })),
  { model: 'LabResult', says: [result('5.17'), result('5.3')], lines: [[0], [1]], perhaps: false },
  {
    model: 'LabResult',
    says: [
      result('100', { accession_number: 'A1' }),
      result('100', { accession_number: 'A1', quantitative_result_value_unit: 'U/L' }),
    ],
    lines: [[0], [1]],
    perhaps: false,
    conflict: false,
  },
  {
    model: 'LabResult',
    says: [
      result('1', { abnormal_interpretation_identifier: 'H' }),
      result('1', { abnormal_interpretation_identifier: 'N' }),
    ],
    lines: [[0, 1]],
    differs: ['abnormal_interpretation'],
  },
  ...['min', 'max'].map((end): LineCase => {
    const range = (value: string): Saying => ({
      [`quantitative_result_normal_range_${end}_value`]: value,
      [`quantitative_result_normal_range_${end}_unit`]: 'mg/dL',
    });
    return {
      model: 'LabResult',
      says: [result('1', range('70')), result('1', range('75'))],
      lines: [[0, 1]],
      differs: [`quantitative_result_normal_range_${end}`],
    };
  }),
  {
    model: 'LabResult',
    says: [result('1', { reference: 'under 5' }), result('1', { reference: 'under 6' })],
    lines: [[0, 1]],
    differs: ['reference'],
  },
  { model: 'Measurement', says: [reading('80'), reading('80000', { unit: 'g' })], lines: [[0, 1]] },
  { model: 'Measurement', says: [reading('80'), reading('81')], same: [0, 1], lines: [[0, 1]], differs: ['value'] },
  { model: 'Measurement', says: [reading('80'), reading('80', { datetime: at('00:00') })], lines: [[0, 1]] },
  {
    model: 'Measurement',
    says: [reading('80', { _doc: 'x' }), reading('80', { _doc: 'x' }), reading('80')],
    lines: [[0, 1, 2]],
  },
  { model: 'Measurement', says: [reading('80.04'), reading('80.0')], lines: [[0], [1]], perhaps: true },
  {
    model: 'Measurement',
    says: [
      reading('80'),
      reading('80', { datetime: at('00:00') }),
      reading('81', { datetime: at('08:30'), type: 'OTHER' }),
    ],
    lines: [[0, 1], [2]],
  },
];

/** Measures of vital signs: each may join two sets, and each may contradict. */
const MEASURES = [
  'bp_systolic',
  'bp_diastolic',
  'weight',
  'height',
  'bmi',
  'heart_rate',
  'respiratory_rate',
  'oxygen_saturation',
  'temperature',
];
const taken = (measures: Readonly<Record<string, number>>, more: Saying = {}): Saying => ({
  date: at('08:30'),
  ...Object.fromEntries(Object.entries(measures).map(([name, value]) => [`${name}_value`, value])),
  ...more,
});

const vitals: readonly LineCase[] = MEASURES.flatMap((name): readonly LineCase[] => {
  const other = name === 'weight' ? 'height' : 'weight';
  return [
    // Two sets of one minute from one source are joined by the minute alone.
    {
      model: 'VitalSigns',
      says: [taken({ [name]: 1 }, { _doc: 'x' }), taken({ [name]: 1 }, { _doc: 'x' })],
      lines: [[0, 1]],
    },
    { model: 'VitalSigns', says: [taken({ [name]: 1 }), taken({ [name]: 1 }, { date: at('00:00') })], lines: [[0, 1]] },
    {
      model: 'VitalSigns',
      says: [taken({ [name]: 1, [other]: 5 }), taken({ [name]: 2, [other]: 5 })],
      lines: [[0, 1]],
      differs: [name],
    },
    { model: 'VitalSigns', says: [taken({ [name]: 1 }), taken({ [name]: 2 })], lines: [[0], [1]] },
  ];
});

const SNOMED_CT = 'http://snomed.info/sct';
const named = (title: string, code = '', more: Saying = {}): Saying => ({
  name_title: title,
  ...(code === '' ? {} : { name_identifier: code, name_system: SNOMED_CT }),
  ...more,
});

const denials: readonly LineCase[] = [
  { model: 'AllergyExclusion', says: [named('None known', '716186003'), named('Keine', '716186003')], lines: [[0, 1]] },
  { model: 'AllergyExclusion', says: [named('None known'), named('none  known')], lines: [[0, 1]] },
  { model: 'AllergyExclusion', says: [named('No food allergy'), named('No drug allergy')], lines: [[0], [1]] },
];

const device = (name: string, more: Saying = {}): Saying => ({ name, ...more });
const devices: readonly LineCase[] = [
  { model: 'Equipment', says: [device('Pacemaker', { vendor: 'A' }), device('pacemaker')], lines: [[0, 1]] },
  {
    model: 'Equipment',
    says: [device('Stent', { serialNumber: 'S1' }), device('Stent', { serialNumber: 'S2' })],
    lines: [[0], [1]],
  },
  {
    model: 'Equipment',
    says: [device('Pacemaker', { vendor: 'A' }), device('Pacemaker', { vendor: 'B' })],
    lines: [[0], [1]],
  },
  {
    model: 'Equipment',
    says: [device('Lens', { date_started: '2024-01-02' }), device('Lens', { date_started: '2024-03-02' })],
    lines: [[0], [1]],
  },
  {
    model: 'Equipment',
    says: [
      device('Pump', { ...status('inactive'), _said: '2024-01-02' }),
      device('Pump', { ...status('active'), _said: '2024-02-02' }),
    ],
    lines: [[0, 1]],
    conflict: true,
  },
];

const habit = (title: string, code: string, more: Saying): Saying =>
  named(title, code, { date: '2026-01-02', ...more });
/** Answers of one paper. */
const answers = (code: string, ...values: readonly string[]): readonly Saying[] =>
  values.map((value) => habit('Tobacco product', code, { value_title: value, _doc: `paper ${values.join()}` }));
const habits: readonly LineCase[] = [
  { model: 'SocialHistory', says: answers('7', 'Cigarettes', 'Chews'), lines: [[0], [1]], conflict: false },
  { model: 'SocialHistory', says: answers('', 'Cigarettes', 'Chews'), lines: [[0], [1]], conflict: false },
  {
    model: 'SocialHistory',
    says: [...answers('7', 'Cigarettes', 'Chews'), ...answers('7', 'Chews', 'Cigarettes')],
    lines: [
      [0, 3],
      [1, 2],
    ],
    conflict: false,
  },
  {
    model: 'SocialHistory',
    says: [habit('Smoking', '7', { value_title: 'Never' }), habit('Tobacco', '7', { value_title: 'Never' })],
    lines: [[0, 1]],
    conflict: false,
  },
  {
    model: 'SocialHistory',
    says: [habit('Smoking', '', { value_title: 'Never' }), habit('smoking', '', { value_title: 'Daily' })],
    lines: [[0, 1]],
    differs: ['value'],
  },
  {
    model: 'SocialHistory',
    says: [
      habit('Drinks', '', { amount_value: '2', amount_unit: '/wk' }),
      habit('Drinks', '', { amount_value: '9', amount_unit: '/wk' }),
    ],
    lines: [[0, 1]],
    differs: ['amount'],
  },
  {
    model: 'SocialHistory',
    says: [habit('Smoking', '7', {}), habit('Smoking', '7', { date: '2026-01-03' })],
    lines: [[0], [1]],
  },
];

/** Each of these systems joins by its code, whatever the words are. */
const systems: readonly LineCase[] = [
  ...['http://hl7.org/fhir/sid/ndc', 'http://fhir.de/CodeSystem/ifa/pzn', 'http://snomed.info/sct'].map(
    (system): LineCase => ({
      model: 'Medication',
      says: ['Foo', 'Bar'].map((title) => drug(title, '', { drugName_identifier: '0001', drugName_system: system })),
      lines: [[0, 1]],
    }),
  ),
  ...[
    'http://fhir.de/CodeSystem/bfarm/icd-10-gm',
    'http://hl7.org/fhir/sid/icd-10',
    'http://hl7.org/fhir/sid/icd-9-cm',
  ].flatMap((system): readonly LineCase[] => [
    {
      model: 'Problem',
      says: ['A', 'B'].map((title) => problem(title, 'M54.5', system, { startDate: '2020-05-01' })),
      lines: [[0, 1]],
    },
    {
      model: 'Problem',
      says: ['A', 'B'].map((title) => problem(title, 'M54.5', system)),
      lines: [[0], [1]],
      perhaps: true,
    },
  ]),
  ...['allergen', 'drug_allergen', 'drug_class_allergen', 'food_allergen'].flatMap((field): readonly LineCase[] => [
    {
      model: 'Allergy',
      says: ['A', 'B'].map((title) => ({
        [`${field}_title`]: title,
        [`${field}_identifier`]: '7',
        [`${field}_system`]: SNOMED_CODES,
      })),
      lines: [[0, 1]],
    },
    { model: 'Allergy', says: ['Dust', 'DUST'].map((title) => ({ [`${field}_title`]: title })), lines: [[0, 1]] },
  ]),
];

/** What keeps apart beside amounts in names, when a time ends, and in which column a result stands. */
const parts: readonly LineCase[] = [
  {
    model: 'Medication',
    says: [drug('Simvastatin 20 mg', '9'), drug('Simvastatin', '9', { strength: '40 mg' })],
    lines: [[0], [1]],
    perhaps: false,
  },
  {
    model: 'Medication',
    says: [drug('Simvastatin', '9', { strength: 'mite' }), drug('Simvastatin', '9', { strength: 'forte' })],
    lines: [[0], [1]],
    perhaps: false,
  },
  { model: 'Medication', says: [drug('Zocor', '9')], lines: [[0]], group: 'RxNorm|1' },
  {
    model: 'Problem',
    says: [
      problem('A', '', '', { startDate: '2020-01-01', endDate: '2020-12-01' }),
      problem('A', '', '', { startDate: '2021-01-15' }),
    ],
    lines: [[0, 1]],
    times: 1,
  },
  {
    model: 'LabResult',
    says: [
      result('', { value: 'neg', accession_number: '1' }),
      result('', { narrative_result: 'pos', accession_number: '1' }),
    ],
    lines: [[0, 1]],
    differs: ['value'],
  },
];

/** When an event was, by its own date. */
const dated: readonly LineCase[] = [
  { model: 'Immunization', says: [shot('Flu', '141')], lines: [[0]], first: '2025-10-02' },
  { model: 'LabResult', says: [result('1')], lines: [[0]], first: '2026-02-03' },
  { model: 'Measurement', says: [reading('80')], lines: [[0]], first: '2026-02-03' },
  { model: 'Procedure', says: [procedure('A')], lines: [[0]], first: '2024-03-01' },
  { model: 'SocialHistory', says: [habit('Smoking', '7', {})], lines: [[0]], first: '2026-01-02' },
  { model: 'VitalSigns', says: [taken({ weight: 1 })], lines: [[0]], first: '2026-02-03' },
];

/** The newest says how a line is called, although others say it more often. */
const newest = (model: string, say: (words: string, more: Saying) => Saying): LineCase => ({
  model,
  says: [say('Old', { _said: '2020-01-01' }), say('New', { _said: '2026-04-01' }), say('Old', { _said: '2020-01-02' })],
  lines: [[0, 1, 2]],
  shown: 1,
});
const words: readonly LineCase[] = [
  newest('Medication', (title, more) => drug(title, '9', more)),
  newest('Allergy', (title, more) => ({
    allergen_title: title,
    allergen_identifier: '7',
    allergen_system: SNOMED_CODES,
    ...more,
  })),
  newest('AllergyExclusion', (title, more) => named(title, '716186003', more)),
  newest('Problem', (title, more) => problem(title, '7', SNOMED, more)),
  newest('Immunization', (title, more) => shot(title, '141', more)),
  newest('Procedure', (title, more) => procedure(title, '5', more)),
  newest('SocialHistory', (title, more) => habit(title, '7', more)),
  newest('LabResult', (title, more) => result('1', { test_name_title: title, ...more })),
  newest('Measurement', (title, more) => reading('80', { name: title, ...more })),
];

export const CASES: readonly LineCase[] = [
  ...denials,
  ...devices,
  ...habits,
  ...medications,
  ...allergies,
  ...problems,
  ...shots,
  ...procedures,
  ...results,
  ...vitals,
  ...systems,
  ...parts,
  ...dated,
  ...words,
];

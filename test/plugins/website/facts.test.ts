/** facts: facts of bundled models and of a drop-in model, in plain words. */
import { readFileSync } from 'node:fs';
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { inProject } from '../../../core/base/paths';
import { loadModels } from '../../../core/facts/model/models';
import {
  factDate,
  factLine,
  factTitle,
  fieldWords,
  modelTitle,
  numberWords,
  splitName,
  unitWords,
  withUnit,
} from '../../../plugins/website/words/facts';
import { languages, type Language } from '../../../core/base/languages';
import { checkWords } from '../../../plugins/website/unlikely';
import { statusWords } from '../../../plugins/website/words/standing';
import { commaSeparated, websiteTexts, wordsIn } from '../../../plugins/website/words/words';

export const lab = Lab.script();
const { describe, it } = lab;

const { models } = loadModels([inProject('datamodels')], 'https://v.example');
const model = (name: string) => models.find(name)!;
const english = wordsIn('en', 'UTC');

describe('a result in another unit than its usual range', () => {
  const result = (value: string, unit: string, low: number, high: number, other: string) => ({
    test_name_title: 'Glucose',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: unit,
    quantitative_result_normal_range_min_value: low,
    quantitative_result_normal_range_min_unit: other,
    quantitative_result_normal_range_max_value: high,
    quantitative_result_normal_range_max_unit: other,
  });

  it('is marked where its number fits to the range, and its unit does not', () => {
    for (const [fact, said] of [
      [result('185', 'mmol/L', 70, 99, 'mg/dL'), 'Please check: Result'],
      [result('5.1', 'mg/dL', 3.9, 5.5, 'mmol/L'), 'Please check: Result'],
      [result('5.1', 'mmol/L', 70, 99, 'mg/dL'), ''],
      [result('185', 'mg/dL', 3.9, 5.5, 'mmol/L'), ''],
      [result('185', 'mg/dL', 70, 99, 'mg/dL'), ''],
      [result('4.1', 'mmol/L', 3.5, 5.1, 'meq/L'), ''],
    ] as const) {
      expect(checkWords(model('LabResult'), fact, english)).to.equal(said);
    }
  });
});

describe('facts in words', () => {
  it('says a measurement with its parts, its unit and its day', () => {
    const fact = {
      date: '2026-03-03T00:00:00Z',
      bp_systolic_value: 132,
      bp_systolic_unit: 'mm[Hg]',
      bp_diastolic_value: 84,
      bp_diastolic_unit: 'mm[Hg]',
      bp_position_title: 'Sitting',
      heart_rate_value: 68,
      heart_rate_unit: '{beats}/min',
    };
    expect(factTitle(model('VitalSigns'), fact, english)).to.equal('Blood pressure 132 / 84 mmHg, sitting');
    expect(factLine(model('VitalSigns'), fact, english)).to.equal('Heart rate 68 beats a minute');
    expect(factDate(model('VitalSigns'), fact, english)).to.equal('3 March 2026');
  });

  it('says a number with the unit that stands in a field of its own, and the unit only there', () => {
    const fact = { type: 'HBA1C', value: 5.6, unit: '%', datetime: '2026-03-03T00:00:00Z' };
    expect(factTitle(model('Measurement'), fact, english)).to.equal('HBA1C');
    expect(factLine(model('Measurement'), fact, english)).to.equal('5.6%');
    expect(factLine(model('Measurement'), { ...fact, unit: 'mmol/mol' }, english)).to.equal('5.6 mmol/mol');
  });

  it('says what was counted without the name of its field, a bare code as a code, and a type of file in words', () => {
    const steps = { type: 'Steps', value: 812, datetime: '2026-03-03T08:30:00Z' };
    expect(factLine(model('Measurement'), steps, english)).to.equal('812');
    expect(factTitle(model('Measurement'), { ...steps, type: '72514-3' }, english)).to.equal('Code 72514-3');
    const coded = { name_identifier: '40930008', name_system: 'http://snomed.info/sct' };
    expect(factTitle(model('Problem'), coded, english)).to.equal('Code 40930008');
    expect(factTitle(model('Problem'), { ...coded, name_identifier: 'E11.9' }, english)).to.equal('Code E11.9');
    expect(factTitle(model('Problem'), { ...coded, name_identifier: 'gout' }, english)).to.equal('gout');
    expect(factTitle(model('Problem'), { ...coded, name_title: 'B12' }, english)).to.equal('B12');
    expect(factTitle(model('Problem'), { name_identifier: 'B12', name_title: 'B12' }, english)).to.equal('B12');
    const twice = { product_name_identifier: '207', product_name_title: '207' };
    expect(factTitle(model('Immunization'), twice, english)).to.equal('Code 207');
    const file = { title: 'Rash', kind: 'Note', media_type: 'application/pdf' };
    expect(factLine(model('StoredFile'), file, english)).to.equal('Note, PDF');
    expect(factLine(model('StoredFile'), { ...file, media_type: 'image/png' }, english)).to.equal('Note, Picture');
    for (const [type, words] of [
      ['image/heic', 'Picture'],
      ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Text document'],
      ['application/vnd.oasis.opendocument.spreadsheet', 'Table'],
      ['application/x-unknown', 'File'],
      ['and/or', 'and/or'],
    ] as const) {
      expect(factLine(model('StoredFile'), { ...file, media_type: type }, english)).to.equal(`Note, ${words}`);
    }
  });

  it('says what a format of this service has measured in the language of the person, and other words as they are', () => {
    const title = (language: Language, name: string, fact: Record<string, unknown>): string =>
      factTitle(model(name), fact, wordsIn(language, 'UTC'));
    const steps = { type: 'Steps', value: 812 };
    expect((['en', 'de', 'es', 'ar'] as const).map((language) => title(language, 'Measurement', steps))).to.equal([
      'Steps',
      'Schritte',
      'Pasos',
      'الخطوات',
    ]);
    expect(title('de', 'Measurement', { ...steps, type: 'Steps of the dog' })).to.equal('Steps of the dog');
    expect(title('de', 'StoredFile', { title: 'ECG' })).to.equal('EKG');
    expect(title('de', 'Problem', { name_title: 'Steps' })).to.equal('Steps');
  });

  it('says usual states in the language of the person, and each part of a line in its own direction', () => {
    const fact = { drug_allergen_title: 'Penicillin', allergic_reaction_title: 'Hives', severity_title: 'Moderate' };
    const line = (language: Language, more = {}): string =>
      factLine(model('Allergy'), { ...fact, ...more }, wordsIn(language, 'UTC'));
    expect([line('en'), line('de'), line('es')]).to.equal(['Hives, Moderate', 'Hives, Mäßig', 'Hives, Moderado']);
    expect(line('ar')).to.equal('\u200f\u2068Hives\u2069، \u2068متوسط\u2069');
    // Other words of a source are shown as they are.
    expect(line('de', { severity_title: 'quite strong' })).to.equal('Hives, quite strong');
  });

  it('says every word that formats give for a code in the language of the person', () => {
    const sheet = readFileSync(inProject('pipeline-config', 'common', 'facts.xsl'), 'utf8');
    const titles = [...sheet.matchAll(/<term code="[^"]*" title="([^"]*)"/g)].map(([, title]) => title!);
    expect(titles).to.contain(['Completed', 'Not achieved', 'Maternal aunt', 'Smoker, current status unknown']);
    for (const language of ['de', 'es', 'ar'] as const) {
      const { states } = websiteTexts.read()[language];
      const names = titles.map((title) => title.toLowerCase().replace(/[ ,-]+/g, '-'));
      expect(names.filter((name) => states![name] === undefined)).to.equal([]);
    }
    const status = (language: Language, said: string): string =>
      statusWords(model('Procedure'), { __modelname__: 'Procedure', status_title: said }, wordsIn(language, 'UTC'));
    expect((['de', 'es', 'ar'] as const).map((language) => status(language, 'complete'))).to.equal([
      'abgeschlossen',
      'terminado',
      'مكتمل',
    ]);
    expect(status('de', 'Revoked')).to.equal('widerrufen');
    expect(status('de', 'completed 123')).to.equal('completed 123');
  });

  it('says when something was to the day, where the time of day does not matter', () => {
    const fact = { startDate: '2022-06-20T09:00:00Z' };
    expect(factDate(model('Problem'), fact, english)).to.equal('since 20 June 2022 at 09:00');
    expect(factDate(model('Problem'), fact, english, 'day')).to.equal('since 20 June 2022');
  });

  it('says an allergy by what it is to, then reaction and severity', () => {
    const fact = { drug_allergen_title: 'Penicillin', allergic_reaction_title: 'hives', severity_title: 'moderate' };
    expect(factTitle(model('Allergy'), fact, english)).to.equal('Penicillin');
    expect(factLine(model('Allergy'), fact, english)).to.equal('hives, moderate');
    expect(factDate(model('Allergy'), fact, english)).to.equal('');
  });

  it('names the field of a number that has no unit', () => {
    const fact = { drugName_title: 'Salbutamol', quantity_value: 2, quantity_unit: '1', frequency_value: 4 };
    const daily = { ...fact, frequency_unit: '/d' };
    expect(factLine(model('Medication'), daily, english)).to.equal('How much: 2, 4 a day');
    expect(factLine(model('Medication'), { ...daily, quantity_unit: 'mg' }, english)).to.equal('2 mg, 4 a day');
  });

  it('names the field of a yes or no', () => {
    const seen = { name: 'seen', type: 'Boolean', columns: ['seen'] };
    const plain = { ...model('Problem'), words: undefined, fields: [...model('Problem').fields.slice(0, 1), seen] };
    expect(factLine(plain, { name_title: 'Asthma', seen: true }, english)).to.equal('Seen: yes');
  });

  it('says from when to when, or since when', () => {
    const fact = { drugName_title: 'Lisinopril', startDate: '2023-07-02' };
    expect(factDate(model('Medication'), fact, english)).to.equal('since 2 July 2023');
    const panel = { date: '2025-02-10T00:00:00Z' };
    expect(factDate(model('LabPanel'), panel, english)).to.equal('10 February 2025');
    expect(factDate(model('LabPanel'), { ...panel, end_date: '2025-02-11T00:00:00Z' }, english)).to.equal(
      '10 February 2025 to 11 February 2025',
    );
    const [from, to] = ['2025-02-10T08:10:00Z', '2025-02-10T09:40:00Z'];
    expect(factDate(model('LabPanel'), { date: from, end_date: to }, english)).to.equal(
      '10 February 2025, 08:10–09:40',
    );
    expect(factDate(model('LabPanel'), { date: from, end_date: to }, english, 'day')).to.equal('10 February 2025');
    expect(factDate(model('LabPanel'), { ...panel, end_date: to }, english)).to.equal('10 February 2025');
    expect(factDate(model('Medication'), { ...fact, endDate: '2024-05-04' }, english)).to.equal(
      '2 July 2023 to 4 May 2024',
    );
  });

  it('puts no comma behind a full stop, and takes none from a short form', () => {
    expect(commaSeparated(['Nothing unusual.', '', 'St. Olav Hospital', 'seen today.'], english)).to.equal(
      'Nothing unusual, St. Olav Hospital, seen today.',
    );
    expect(commaSeparated(['12 Main St.', 'Bergen'], english)).to.equal('12 Main St., Bergen');
  });

  it('keeps a number before its unit where text runs from right to left', () => {
    const arabic = wordsIn('ar', 'UTC');
    const fact = { quantitative_result_value_value: 6.7, quantitative_result_value_unit: '10*9/L' };
    expect(fieldWords(model('LabResult'), fact, 'quantitative_result', arabic)).to.equal('\u2066٦٫٧ × 10⁹/L\u2069');
    expect(withUnit('من ٤ إلى ٨', 'g/dL', arabic)).to.equal('من ٤ إلى ٨ \u2066g/dL\u2069');
    expect([withUnit('٧٠', '{beats}/min', arabic), withUnit('٩٨', '%', arabic), withUnit('', 'kg', arabic)]).to.equal([
      `٧٠ ${unitWords('{beats}/min', arabic)}`,
      '٩٨%',
      '',
    ]);
  });

  it('writes counts in a volume as people do, however the laboratory spells them', () => {
    const spelled = ['10*3/uL', '10+3/ul', '10^9/L', 'x10*12/L', '10*3'].map((unit) => unitWords(unit, english));
    expect(spelled).to.equal(['× 10³/µL', '× 10³/µL', '× 10⁹/L', '× 10¹²/L', '10*3']);
  });

  it('has words for every bundled model and field in every language', () => {
    for (const one of models.all.filter(({ builtin, parent }) => !builtin && !parent)) {
      for (const language of Object.keys(languages) as Language[]) {
        const words = one.words?.languages[language];
        expect(words?.many, `${one.name} ${language}`).to.be.a.string();
        const missing = one.fields.filter(({ name }) => !words?.fields[name]).map(({ name }) => name);
        expect(missing, `${one.name} ${language}`).to.equal([]);
      }
    }
  });

  it('speaks of a model without words by splitting its names', () => {
    const plain = { ...model('Problem'), name: 'SleepStudy', words: undefined } as never;
    expect(modelTitle(plain, english)).to.equal('Sleep study');
    expect(splitName('averageSpO2_value')).to.equal('Average sp o2 value');
    expect(factTitle(plain, { name_title: 'Apnoea' }, english)).to.equal('Apnoea');
  });

  it('loses no digit of an amount that somebody wrote, and makes none of a small number zero', () => {
    const said = (value: unknown, language: Language = 'en'): string => numberWords(value, wordsIn(language, 'UTC'));
    expect(
      ['5.40', '0.0004', '-12', '1234.5', '1-2', '>100', '+5', '007', '0x10', '1e3', ''].map((one) => said(one)),
    ).to.equal(['5.40', '0.0004', '-12', '1,234.5', '1-2', '>100', '+5', '007', '0x10', '1e3', '']);
    expect(said('12345678901234567890')).to.equal('12345678901234567890');
    // What only a computer writes is as long as what a computer worked out here.
    expect(
      ['195.63766110972347', '-3.3138274392911726', '0.000012345678', '1.234567'].map((one) => said(one)),
    ).to.equal(['195.6', '-3.314', '0.00001235', '1.234567']);
    expect([0.0004, 0.00012345, 70.30681759, 1234.567890123, 5, Number.NaN].map((one) => said(one))).to.equal([
      '0.0004',
      '0.0001235',
      '70.31',
      '1,235',
      '5',
      '',
    ]);
    // A table holds a number that somebody wrote as a number, too.
    expect([154.32, 1013.25, 12.345, 0, -0.5, 128.260602, 5e-8].map((one) => said(one))).to.equal([
      '154.32',
      '1,013.25',
      '12.345',
      '0',
      '-0.5',
      '128.3',
      '0.00000005',
    ]);
    expect([said('5.40', 'de'), said(null)]).to.equal(['5,40', '']);
  });

  it('writes units as people do', () => {
    const said = ['mm[Hg]', 'Cel', '{tablet}', '%{HemoglobinSaturation}', 'mg/dL', '[IU]/L'].map((unit) =>
      unitWords(unit, english),
    );
    expect(said).to.equal(['mmHg', '°C', 'tablet', '%', 'mg/dL', 'IU/L']);
    const more = ['ug/mL', 'u[IU]/mL', 'umol/L', 'kg/m2', 'mL/min/{1.73_m2}', 'mg/g{creat}', '/uL', 'mum'];
    expect(more.map((unit) => unitWords(unit, english))).to.equal([
      'µg/mL',
      'µIU/mL',
      'µmol/L',
      'kg/m²',
      'mL/min/1.73 m²',
      'mg/g',
      '/µL',
      'mum',
    ]);
  });
});

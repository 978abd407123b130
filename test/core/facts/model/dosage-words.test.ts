/**
 * dosage-words: words about how a medicine is taken, in four languages with the same texts, and the plain fields that
 * are filled only where they are true by themselves.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../../core/base/paths';
import { withDosage } from '../../../../core/facts/model/dosage-fields';
import { columnsOf } from '../../../../core/facts/model/field-types';
import { dosagesIn, type Dosage } from '../../../../core/facts/model/dosage';
import { dosageTexts, dosageWords, frequencyWords } from '../../../../core/facts/model/dosage-words';
import { testTexts } from '../../../support/about-texts';

export const lab = Lab.script();
const { describe, it } = lab;

const dosages = (...given: readonly object[]): readonly Dosage[] => dosagesIn(JSON.stringify(given))!;
const dose = (value: number, unit: string): object => ({ doseAndRate: [{ doseQuantity: { value, unit } }] });
const every = (frequency: number, period: number, periodUnit: string, more: object = {}): object => ({
  timing: { repeat: { frequency, period, periodUnit, ...more } },
});

const MONDAYS = { ...dose(6, 'tablet'), ...every(1, 1, 'd', { dayOfWeek: ['mon'] }) };

describe('words about dosages', () => {
  testTexts(it, dosageTexts, [inProject('core', 'facts', 'model'), inProject('core', 'language', 'note-words.ts')]);

  it('say days, times and meals, and never "once a day" beside them', () => {
    const words = (given: object): string => dosageWords(dosages(given), 'en');
    expect(words(MONDAYS)).to.equal('6 tablet on Mondays');
    expect(words({ ...dose(1, 'tablet'), ...every(1, 1, 'd', { timeOfDay: ['08:00:00', '20:00:00'] }) })).to.equal(
      '1 tablet at 08:00 and 20:00, every day',
    );
    expect(words({ ...dose(5, 'mL'), ...every(3, 1, 'd', { when: ['ACM', 'ACV'], offset: 30 }) })).to.equal(
      '5 mL, 3 times a day, 30 minutes before breakfast and 30 minutes before dinner',
    );
    expect(words({ ...dose(60, 'mg'), ...every(1, 6, 'mo') })).to.equal('60 mg once every 6 months');
    expect(words({ ...every(1, 4, 'h', { periodMax: 6 }), asNeededBoolean: true })).to.equal(
      'once every 4 to 6 hours; as needed',
    );
  });

  it('do not say twice that a step comes next', () => {
    const steps = dosages({ sequence: 1, text: '2 tablets for a week' }, { sequence: 2, text: 'Then 1 tablet' });
    expect(dosageWords(steps, 'en')).to.equal('2 tablets for a week; Then 1 tablet');
    expect(dosageWords(steps, 'de')).to.equal('2 tablets for a week; Then 1 tablet');
    const plain = dosages({ sequence: 1, text: '2 tablets' }, { sequence: 2, text: '1 tablet' });
    expect(dosageWords(plain, 'de')).to.equal('2 tablets; danach 1 tablet');
  });

  it('say that a unit of time without a number is no schedule, and what the source says instead', () => {
    const unclear = (repeat: object, language: 'en' | 'de' = 'en'): string =>
      dosageWords(dosages({ ...dose(1, 'tablet'), timing: { repeat } }), language);
    // As in the example of the International Patient Summary, whose text says "once daily".
    expect(unclear({ count: 1, periodUnit: 'd' })).to.equal('1 tablet (how often is not clear: count 1, periodUnit d)');
    expect(unclear({ frequency: 2, periodUnit: 'wk', when: ['MORN'] }, 'de')).to.equal(
      '1 tablet (wie oft, ist nicht klar: frequency 2, periodUnit wk), morgens',
    );
    expect(unclear({ count: 1 })).to.equal('1 tablet once in all');
  });

  it('are written in four languages, with the digits of each and without separators of thousands', () => {
    const taper = dosages(
      { sequence: 2, ...dose(2.5, 'mg'), ...every(1, 1, 'd', { boundsDuration: { value: 7, code: 'd' } }) },
      { sequence: 1, ...dose(1000, 'mg'), ...every(2, 1, 'd') },
    );
    expect(dosageWords(taper, 'en')).to.equal('1000 mg, 2 times a day; then 2.5 mg once a day, for 7 days');
    expect(dosageWords(taper, 'de')).to.equal('1000 mg, 2-mal am Tag; danach 2,5 mg einmal am Tag, Dauer: 7 Tage');
    expect(dosageWords(taper, 'es')).to.equal('1000 mg, 2 veces al día; después 2,5 mg una vez al día, durante 7 días');
    expect(dosageWords(taper, 'ar')).to.equal(
      '\u2066١٠٠٠ mg\u2069 مرتين في اليوم؛ ثم \u2066٢٫٥ mg\u2069 مرة واحدة في اليوم، لمدة ٧ أيام',
    );
    expect(dosageWords(dosages(MONDAYS), 'de')).to.equal('6 tablet montags');
    expect(frequencyWords('1', '/(6.mo)', 'es')).to.equal('una vez cada 6 meses');
    expect(frequencyWords('2', '/d', 'en')).to.be.undefined();
  });

  it('show a code that nobody knows as it is, and say that an extension cannot be read', () => {
    const odd = dosages({ timing: { repeat: { when: ['XYZ'] } }, modifierExtension: [{ url: 'https://h.example/x' }] });
    expect(dosageWords(odd, 'en')).to.equal(
      'XYZ; the source adds something here that cannot be read: look into the document',
    );
  });
});

describe('the plain fields beside a dosage', () => {
  const columns = [
    ...(['instructions', 'startDate', 'endDate'] as const).flatMap((name) => columnsOf(name, 'String')!),
    ...columnsOf('frequency', 'ValueAndUnit')!,
    ...columnsOf('quantity', 'ValueAndUnit')!,
    ...columnsOf('dosage', 'Dosage')!,
  ];
  const fields = (given: readonly object[], more: Readonly<Record<string, string>> = {}) => {
    const values = withDosage(columns, { dosage: JSON.stringify(given), ...more });
    return [
      ...['quantity', 'frequency'].map((name) =>
        `${values[`${name}_value`] ?? ''} ${values[`${name}_unit`] ?? ''}`.trim(),
      ),
      values['instructions'],
      values['dosage'] !== null,
    ];
  };

  it('say all of it alone where they can, and then the dosage is not kept', () => {
    expect(fields([{ text: 'with food', ...dose(1, 'tablet'), ...every(2, 1, 'd') }])).to.equal([
      '1 tablet',
      '2 /d',
      'with food',
      false,
    ]);
    expect(fields([{ text: 'as told' }, { text: 'and at night' }])).to.equal(['', '', 'as told; and at night', false]);
    const bounds = { boundsPeriod: { start: '2024-03-01' } };
    expect(fields([every(2, 1, 'd', bounds)], { startDate: '2024-03-01' })[3]).to.be.false();
    expect(fields([every(2, 1, 'd', bounds)], { startDate: '2024-02-01' })[3]).to.be.true();
  });

  it('are empty where something narrows them, and the words say the whole', () => {
    expect(fields([MONDAYS])).to.equal(['6 tablet', '', '6 tablet on Mondays', true]);
    for (const more of [
      { timeOfDay: ['08:00:00', '20:00:00'] },
      { when: ['HS'] },
      { count: 1 },
      { frequencyMax: 3 },
      { periodMax: 2 },
      { duration: 1, durationUnit: 'h' },
      { boundsDuration: { value: 10, code: 'd' } },
    ]) {
      expect(fields([every(1, 1, 'd', more)])[1], JSON.stringify(more)).to.equal('');
    }
    expect(fields([{ ...every(4, 1, 'd'), asNeededBoolean: true }])[1]).to.equal('');
    expect(fields([dose(1, 'tablet'), dose(2, 'tablet')])[0]).to.equal('');
    expect(fields([{ ...dose(1, 'g'), route: { text: 'Oral' } }])).to.equal(['1 g', '', '1 g; route: Oral', true]);
    expect(fields([every(1, 8, 'h')])).to.equal(['', '3 /d', 'once every 8 hours', true]);
  });

  it('keep what a document says in them, and refuse what is no dosage', () => {
    expect(fields([MONDAYS], { instructions: 'own words' })).to.equal(['', '', 'own words', true]);
    expect(dosagesIn('{"text":"x"}')).to.be.undefined();
    expect(dosagesIn('[{"text":1}]')).to.be.undefined();
    expect(dosagesIn('[{"dose":"x"}]')).to.be.undefined();
    expect(dosagesIn('[{"timing":{"repeat":{"frequency":"2"}}}]')).to.be.undefined();
  });
});

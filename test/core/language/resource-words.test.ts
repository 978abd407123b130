/** resource-words: what a resource says in the words of a person's language: every value, and none that is another's. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Language } from '../../../core/base/languages';
import { saidWords, speechIn } from '../../../core/language/resource-words';
import { summaryLine } from '../../../core/language/summary-lines';

export const lab = Lab.script();
const { describe, it } = lab;

const MARKS = /[\u200e\u2066-\u2069]/g;

/** What is said of a resource, without signs of direction. */
const said = (resource: object, language: Language = 'en'): string =>
  saidWords({ resourceType: 'Observation', status: 'final', ...resource }, speechIn(language, 'UTC')).replace(
    MARKS,
    '',
  );

const part = (text: string, value: number, unit: string, code?: string): object => ({
  code: { text, ...(code === undefined ? {} : { coding: [{ code }] }) },
  valueQuantity: { value, unit },
});
const upper = part('Systolic', 132, 'mm[Hg]', '8480-6');
const lower = part('Diastolic', 82, 'mm[Hg]', '8462-4');

describe('the words of a resource', () => {
  it('have the upper value of a blood pressure first, whatever order its source has', () => {
    for (const component of [
      [upper, lower],
      [lower, upper],
    ]) {
      expect(said({ component })).to.equal('132 / 82 mmHg');
      expect(said({ component }, 'ar')).to.equal('١٣٢ / ٨٢ mmHg');
    }
  });

  it('join nothing else: every other part says which one it is', () => {
    expect(said({ component: [part('HDL', 50, 'mg/dL'), part('LDL', 120, 'mg/dL')] })).to.equal(
      'HDL 50 mg/dL, LDL 120 mg/dL',
    );
    expect(said({ component: [lower, part('Mean', 99, 'mm[Hg]'), upper] })).to.equal('132 / 82 mmHg, Mean 99 mmHg');
    expect(said({ component: [upper] })).to.equal('Systolic 132 mmHg');
    expect(said({ component: [upper, part('Diastolic', 11, 'kPa', '8462-4')] })).to.equal(
      'Systolic 132 mmHg, Diastolic 11 kPa',
    );
  });

  it('are in the same order in the line of a summary', () => {
    const line = (component: readonly object[]): string =>
      summaryLine({ resourceType: 'Observation', code: { text: 'X' }, component });
    expect(line([lower, upper])).to.equal('X, 132 mm[Hg] / 82 mm[Hg]');
    expect(line([part('HDL', 50, 'mg/dL'), part('LDL', 120, 'mg/dL')])).to.equal('X, HDL 50 mg/dL, LDL 120 mg/dL');
  });

  it('keep in the line of a summary the digits of their source, but for those that only a computer writes', () => {
    const line = (value: unknown, more: object = {}): string =>
      summaryLine({ resourceType: 'Observation', code: { text: 'X' }, valueQuantity: { value, unit: 'kg', ...more } });
    expect(line(195.63766110972347)).to.equal('X, 195.6 kg');
    expect(line('0.00012345678901', { comparator: '<' })).to.equal('X, <0.0001235 kg');
    expect(line('1234567.12345678')).to.equal('X, 1234567 kg');
    expect(line('7.10')).to.equal('X, 7.10 kg');
    expect(line('1e5')).to.equal('X, 1e5 kg');
    expect(line(5.123456), 'six places are written by people, too').to.equal('X, 5.123456 kg');
  });

  it('keep the digits of their source, but for those that only a computer writes', () => {
    const of = (value: string, language: Language = 'en'): string =>
      said({ valueQuantity: { value, unit: 'mg/dL' } }, language);
    expect(['5.40', '195.63766110972347', '0.000012345678', '-3.3138274392911726'].map((value) => of(value))).to.equal([
      '5.40 mg/dL',
      '195.6 mg/dL',
      '0.00001235 mg/dL',
      '-3.314 mg/dL',
    ]);
    expect(of('195.63766110972347', 'de')).to.equal('195,6 mg/dL');
  });

  it('have the values of all types, and a value beside its parts', () => {
    const low = { value: 5, unit: '/HPF' };
    const high = { value: 10, unit: '/HPF' };
    expect(said({ valueRange: { low, high } })).to.equal('5 to 10 /HPF');
    expect(said({ valueRange: { high } })).to.equal('≤ 10 /HPF');
    expect(said({ valueRange: { low, high } }, 'ar')).to.equal('٥ إلى ١٠ /HPF');
    expect(said({ valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } })).to.equal('1 : 128');
    expect(said({ valueTime: '08:30:00' })).to.equal('08:30');
    expect(said({ valueDateTime: '2026-10-03' })).to.equal('3 October 2026');
    expect(said({ valueDateTime: '2026-10-03T09:05:00Z' }, 'de')).to.equal('3. Oktober 2026, 09:05');
    expect(said({ valuePeriod: { start: '2026-10-03', end: '2026-10-05' } })).to.equal(
      '3 October 2026 to 5 October 2026',
    );
    expect(said({ valueBoolean: false }, 'es')).to.equal('no');
    expect(said({ valueBoolean: true }, 'de')).to.equal('ja');
    expect(said({ valueInteger: 0 })).to.equal('0');
    expect(said({ valueInteger: 9, component: [part('Breathing', 2, '{score}')] })).to.equal('9, Breathing 2');
  });

  it('say how severe, where, why, which dose and lot, and that a visit is to come', () => {
    const where = { bodySite: [{ text: 'Left arm' }], severity: { coding: [{ code: 'severe' }] } };
    expect(said({ resourceType: 'Condition', ...where }, 'de')).to.equal('Left arm, schwer');
    const reason = { reasonCode: [{ text: 'Gout' }] };
    expect(said({ resourceType: 'MedicationRequest', status: 'active', ...reason }, 'es')).to.equal('por Gout');
    const dose = { protocolApplied: [{ doseNumberPositiveInt: 2, seriesDosesPositiveInt: 3 }], lotNumber: 'L7' };
    expect(said({ resourceType: 'Immunization', status: 'completed', ...dose })).to.equal('dose 2 of 3, lot L7');
    expect(said({ resourceType: 'Immunization', status: 'completed', ...dose }, 'ar')).to.contain('٢ من ٣');
    expect(said({ resourceType: 'Encounter', status: 'planned' })).to.equal('planned');
    expect(said({ resourceType: 'Encounter', status: 'finished' })).to.equal('');
  });
});

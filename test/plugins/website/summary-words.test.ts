/** summary-words: resources of a patient summary in plain words, in four languages, without a term of FHIR. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { inProject } from '../../../core/base/paths';
import { loadModels } from '../../../core/facts/model/models';
import { Decimal } from '../../../core/fhir/decimal';
import type { Resource } from '../../../core/fhir/resource';
import { resourceWords } from '../../../plugins/website/words/summary-words';
import type { Language } from '../../../core/base/languages';
import { wordsIn } from '../../../plugins/website/words/words';

export const lab = Lab.script();
const { describe, it } = lab;

const { models } = loadModels([inProject('datamodels')], 'https://v.example');
const said = (resource: Resource, language: Language = 'en', named?: Resource): readonly string[] => {
  const { name, parts, date } = resourceWords(resource, { models, words: wordsIn(language, 'UTC') }, named);
  return [name, parts.join(', '), date];
};
const concept = (code: string, text?: string) => ({ coding: [{ code }], ...(text === undefined ? {} : { text }) });
const quantity = (value: string, unit: string) => ({ value: new Decimal(value), unit });
const reading = (code: string, value: string, unit: string): Resource => ({
  resourceType: 'Observation',
  status: 'unknown',
  code: concept(code, 'As its source calls it'),
  effectiveDateTime: '2026-03-03',
  valueQuantity: quantity(value, unit),
});

describe('resources of a summary in words', () => {
  it('says readings by the words of their model, in units that people write', () => {
    expect(said(reading('8867-4', '68', '/min'))).to.equal(['Heart rate 68 beats a minute', '', '3 March 2026']);
    expect(said(reading('29463-7', '73.40', 'kg'), 'de')[0]).to.equal('Gewicht 73,4 kg');
    expect(said(reading('8310-5', '37.2', 'Cel'), 'es')).to.equal(['Temperatura 37,2 °C', '', '3 de marzo de 2026']);
    expect(said(reading('8310-5', '98.6', '[degF]'))[0]).to.equal('Temperature 98.6 °F');
    expect(said(reading('2708-6', '97', '%'))[0]).to.equal('Oxygen saturation 97%');
    const part = (value: string) => ({ code: concept('8480-6'), valueQuantity: quantity(value, 'mm[Hg]') });
    const pressure = {
      resourceType: 'Observation',
      code: concept('85354-9', 'Blood pressure'),
      component: [part('132'), part('84')],
    };
    expect(said(pressure)).to.equal(['Blood pressure 132 / 84 mmHg', '', '']);
    // The order of the pair stays the same in text that runs from right to left.
    expect(said(pressure, 'ar')[0]).to.contain('\u2066١٣٢ \u200e/\u200e ٨٤\u2069');
  });

  it('says a result with its value, what the laboratory says of it, and its range', () => {
    const result = {
      ...reading('718-7', '9.1', 'g/dL'),
      status: 'preliminary',
      code: concept('718-7', 'Hemoglobin'),
      interpretation: [concept('L')],
      referenceRange: [{ low: quantity('12', 'g/dL'), high: quantity('16', 'g/dL') }],
      effectiveDateTime: '2026-03-03T09:30:00Z',
    };
    expect(said(result)).to.equal([
      'Hemoglobin',
      '9.1 g/dL, low, reference range 12 to 16, preliminary',
      '3 March 2026 at 09:30',
    ]);
    expect(said(result, 'de')[1]).to.equal('9,1 g/dL, niedrig, Referenzbereich 12 bis 16, vorläufig');
    const small = { ...result, status: 'final', valueQuantity: { comparator: '<', ...quantity('5', 'ug/L') } };
    expect(said({ ...small, interpretation: [], referenceRange: [] })[1]).to.equal('< 5 µg/L');
    const worded = { ...result, valueQuantity: undefined, valueCodeableConcept: concept('x', 'Detected') };
    expect(said({ ...worded, interpretation: [concept('odd', 'Odd')], referenceRange: [] })[1]).to.equal(
      'Detected, Odd, preliminary',
    );
  });

  it('says how things stand as far as somebody said it', () => {
    const problem = { resourceType: 'Condition', code: concept('233604007', 'Pneumonia'), onsetDateTime: '2019-01-12' };
    expect(said(problem)).to.equal(['Pneumonia', '', 'since 12 January 2019']);
    const over = { ...problem, clinicalStatus: concept('resolved'), abatementDateTime: '2019-02-04' };
    expect(said(over)).to.equal(['Pneumonia', 'over', '12 January 2019 to 4 February 2019']);
    expect(said({ ...over, verificationStatus: concept('refuted') }, 'es')[1]).to.equal('superado, descartado');
    const allergy = {
      resourceType: 'AllergyIntolerance',
      code: { coding: [{ code: '723', display: 'amoxicillin' }] },
      criticality: 'high',
      verificationStatus: concept('confirmed'),
      reaction: [{ manifestation: [concept('1', 'Itching')], severity: 'moderate' }],
    };
    expect(said(allergy)).to.equal(['amoxicillin', 'Itching (moderate), high risk, confirmed', '']);
    expect(said({ ...allergy, criticality: 'unable-to-assess' }, 'de')[1]).to.equal('Itching (mäßig), bestätigt');
  });

  it('says a medicine with its dose, and a dose of a vaccine that was not given as such', () => {
    const often = (frequency: number, period: number, periodUnit: string) => ({
      timing: { repeat: { frequency, period, periodUnit } },
    });
    const medicine = {
      resourceType: 'MedicationStatement',
      status: 'on-hold',
      medicationCodeableConcept: concept('1', 'Ramipril'),
      effectivePeriod: { start: '2024-01-31' },
      dosage: [{ ...often(2, 1, 'd'), doseAndRate: [{ doseQuantity: quantity('5', 'mg') }], text: 'with food' }],
    };
    expect(said(medicine)).to.equal(['Ramipril', 'paused, with food (5 mg, 2 times a day)', 'since 31 January 2024']);
    expect(said({ ...medicine, status: 'unknown', dosage: [often(1, 8, 'h')] }, 'de')[1]).to.equal(
      'einmal alle 8 Stunden',
    );
    const vaccine = { resourceType: 'Immunization', status: 'not-done', vaccineCode: concept('140', 'Influenza') };
    expect(said({ ...vaccine, statusReason: concept('PATOBJ', 'Patient objection') })[1]).to.equal(
      'not given, Patient objection',
    );
    expect(said({ resourceType: 'Procedure', status: 'completed', code: concept('1', 'Biopsy') }, 'ar')[1]).to.equal(
      'أُجري',
    );
  });

  it('says a device by its name, and finds a word where there is none', () => {
    const device = { resourceType: 'Device', deviceName: [{ name: 'Pacemaker' }] };
    expect(said({ resourceType: 'DeviceUseStatement', status: 'completed' }, 'en', device)).to.equal([
      'Pacemaker',
      'no longer used',
      '',
    ]);
    expect(said({ resourceType: 'Condition' })[0]).to.equal('Without a name');
    // A code that the website has no text for is shown as it is written.
    expect(said({ resourceType: 'Procedure', status: 'some-day', code: concept('1', 'Biopsy') })[1]).to.equal(
      'some day',
    );
  });
});

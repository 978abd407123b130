/** left-out: what became no fact, and where it is in the document, in the language of the person. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { inProject } from '../../../core/base/paths';
import { loadModels } from '../../../core/facts/model/models';
import { leftOutName, leftOutPlace } from '../../../plugins/website/pages/documents/left-out';
import { wordsIn } from '../../../plugins/website/words/words';

export const lab = Lab.script();
const { describe, it } = lab;

describe('the place of what was left out', () => {
  for (const [where, language, said] of [
    ['section Social history', 'en', 'In the section “Social history”'],
    ['section Sozialanamnese', 'de', 'Im Abschnitt „Sozialanamnese“'],
    ['section 29762-2', 'es', 'En una sección sin título'],
    ['body', 'de', 'Im Hauptteil des Dokuments'],
    ['header', 'ar', 'في رأس المستند'],
    ['Condition', 'de', 'Krankheiten'],
    ['MedicationStatement', 'en', 'Medicines'],
    ['page 3', 'de', 'page 3'],
  ] as const) {
    it(`is ${said} for ${where} in ${language}`, () => {
      expect(leftOutPlace(where, wordsIn(language, 'UTC'))).to.equal(said);
    });
  }
});

describe('what was left out', () => {
  const { models } = loadModels([inProject('datamodels')], 'https://v.example');
  for (const [name, language, said] of [
    ['Problem', 'de', 'Erkrankung'],
    ['SocialHistory', 'de', 'Lebensweise'],
    ['Encounter', 'es', 'Visita'],
    ['DiagnosticReport', 'de', 'Befunde'],
    ['FlightPlan', 'de', 'Flight plan'],
  ] as const) {
    it(`is ${said} for ${name} in ${language}`, () => {
      expect(leftOutName(name, models, wordsIn(language, 'UTC'))).to.equal(said);
    });
  }
});

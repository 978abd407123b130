/** left-out: where something stands that became no fact, in the language of the person. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { leftOutPlace } from '../../../plugins/website/left-out';
import { wordsIn } from '../../../plugins/website/words';

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

/** type-words: the words for a type of document, singular and plural, in the language of the page. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { inProject } from '../../../core/base/paths';
import { loadModels } from '../../../core/facts/model/models';
import { kindName, kindTitle } from '../../../plugins/website/words/type-words';
import { wordsIn } from '../../../plugins/website/words/words';

export const lab = Lab.script();
const { describe, it } = lab;

const SVC = 'https://svc.example/xml/documents#';

describe('what people call a document', () => {
  const { models } = loadModels([inProject('datamodels')], 'https://v.example');
  for (const [type, language, one, several] of [
    [`${SVC}File`, 'en', 'Letter or file', 'Letters and files'],
    [`${SVC}File`, 'de', 'Brief oder Datei', 'Briefe und Dateien'],
    ['urn:hl7-org:v3#ClinicalDocument', 'es', 'Resumen de una clínica', 'Resúmenes de clínicas'],
    ['http://hl7.org/fhir#Patient', 'en', 'Health data from a clinic', 'Health data from clinics'],
    [`${SVC}Medication`, 'de', 'Medikament', 'Medikamente'],
    [`${SVC}Demographics`, 'en', 'Personal details', 'Name, birth date and address'],
    ['https://other.example/FlightPlan', 'de', 'Flight plan', 'Flight plan'],
  ] as const) {
    it(`is ${one}, and ${several}, for ${type} in ${language}`, () => {
      const words = wordsIn(language, 'UTC');
      expect([kindName(type, models, words), kindTitle(type, models, words)]).to.equal([one, several]);
    });
  }
});

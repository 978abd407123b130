/** type-words: names kinds of documents as people do ("Lab results"), whatever the name of their type. */
import { groupedBy } from '../../../core/base/grouped-by';
import type { Models } from '../../../core/facts/model/model';
import { modelName, modelTitle, splitName } from './facts';
import type { Words } from './words';

/**
 * Types whose name people do not understand, or that have no model: the last part of the type -> the name of its text.
 */
const texts: Readonly<Record<string, string>> = {
  AllergyExclusion: 'allergy-exclusion',
  Annotation: 'annotation',
  AppleHealth: 'apple-health',
  AsthmaActionPlan: 'asthma-action-plan',
  Bundle: 'bundle',
  ClinicalDocument: 'clinical-document',
  Contact: 'contact',
  Demographics: 'demographics',
  Encounter: 'encounter',
  EncryptedDocument: 'encrypted-document',
  File: 'file',
  Genotype: 'genotype',
  HBA1C: 'blood-sugar',
  Lab: 'lab',
  Models: 'models',
  SchoolForm: 'school-form',
  Survey: 'survey',
  SurveyAnswers: 'survey-answers',
  UserPreferences: 'user-preferences',
  VitalSign: 'vital-sign',
  VitalSigns: 'vital-sign',
};

const FHIR = 'http://hl7.org/fhir';

/** The name of a type without its namespace. */
function lastPart(type: string): string {
  return type.split(/[#/:]/).filter(Boolean).at(-1) ?? type;
}

function wordOf(type: string): string | undefined {
  const name = lastPart(type);
  if (type.startsWith(FHIR)) {
    return 'bundle';
  }
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** Several documents of a type, as a heading: "Lab results", "Medicines". */
export function kindTitle(type: string, models: Models, words: Words): string {
  const word = wordOf(type);
  if (word !== undefined) {
    return words.say(`kinds.${word}`);
  }
  const model = models.find(lastPart(type));
  return model ? modelTitle(model, words) : splitName(lastPart(type)) || words.say('kinds.file');
}

/** One document of a type: "Lab result", "Medicine". */
export function kindName(type: string, models: Models, words: Words): string {
  const word = wordOf(type);
  if (word !== undefined) {
    return words.say(`kind.${word}`);
  }
  const model = models.find(lastPart(type));
  return model ? modelName(model, words) : splitName(lastPart(type)) || words.say('kind.file');
}

/** The title of a kind within a sentence, where English and Spanish write no capital letter. */
export function inSentence(title: string, { language, locale }: Words): string {
  return (language === 'en' || language === 'es') && /^\p{Lu}\p{Ll}/u.test(title)
    ? title.charAt(0).toLocaleLowerCase(locale) + title.slice(1)
    : title;
}

export type Kind = { readonly title: string; readonly types: readonly string[] };

/** Groups types into kinds: types with the same title are one kind. Kinds are sorted by title. */
export function kindsOf(types: readonly string[], models: Models, words: Words): readonly Kind[] {
  return [...groupedBy(new Set(types), (type) => kindTitle(type, models, words))]
    .map(([title, known]) => ({ title, types: known }))
    .sort((a, b) => a.title.localeCompare(b.title, words.locale));
}

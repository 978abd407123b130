/** type-words: what people call a kind of document: "Lab results", whatever its type is called. */
import type { Models } from '../../core/datamodel/model';
import { modelName, modelTitle, splitName } from './facts';
import type { Words } from './words';

/** Types whose name says nothing to people, or is not the name of a model: the last part of the type -> its text. */
const texts: Readonly<Record<string, string>> = {
  AllergyExclusion: 'kinds.allergy-exclusion',
  Annotation: 'kinds.annotation',
  AsthmaActionPlan: 'kinds.asthma-action-plan',
  Bundle: 'kinds.bundle',
  ClinicalDocument: 'kinds.clinical-document',
  Contact: 'kinds.contact',
  Demographics: 'kinds.demographics',
  Encounter: 'kinds.encounter',
  EncryptedDocument: 'kinds.encrypted-document',
  File: 'kinds.file',
  Genotype: 'kinds.genotype',
  HBA1C: 'kinds.blood-sugar',
  Lab: 'kinds.lab',
  Models: 'kinds.models',
  SchoolForm: 'kinds.school-form',
  Survey: 'kinds.survey',
  SurveyAnswers: 'kinds.survey-answers',
  UserPreferences: 'kinds.user-preferences',
  VitalSign: 'kinds.vital-sign',
  VitalSigns: 'kinds.vital-sign',
};

const FHIR = 'http://hl7.org/fhir';

/** The name of a type without its namespace. */
const lastPart = (type: string): string => type.split(/[#/:]/).filter(Boolean).at(-1) ?? type;

/** Several documents of a type, as a heading: "Lab results", "Medicines". */
export const kindTitle = (type: string, models: Models, words: Words): string => {
  const name = lastPart(type);
  if (type.startsWith(FHIR)) {
    return words.say('kinds.bundle');
  }
  const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
  if (text !== undefined) {
    return words.say(text);
  }
  const model = models.find(name);
  return model ? modelTitle(model, words) : splitName(name) || words.say('kinds.file');
};

/** One document of a type: "Medicine". */
export const kindName = (type: string, models: Models, words: Words): string => {
  const model = models.find(lastPart(type));
  return model ? modelName(model, words) : kindTitle(type, models, words);
};

/** The title of a kind within a sentence, where English and Spanish write no capital letter. */
export const inSentence = (title: string, { language, locale }: Words): string =>
  (language === 'en' || language === 'es') && /^\p{Lu}\p{Ll}/u.test(title)
    ? title.charAt(0).toLocaleLowerCase(locale) + title.slice(1)
    : title;

export type Kind = { readonly title: string; readonly types: readonly string[] };

/** Types that people call by one name are one kind; by title. */
export const kindsOf = (types: readonly string[], models: Models, words: Words): readonly Kind[] => {
  const byTitle = new Map<string, string[]>();
  for (const type of new Set(types)) {
    const title = kindTitle(type, models, words);
    byTitle.set(title, [...(byTitle.get(title) ?? []), type]);
  }
  return [...byTitle]
    .map(([title, known]) => ({ title, types: known }))
    .sort((a, b) => a.title.localeCompare(b.title, words.locale));
};

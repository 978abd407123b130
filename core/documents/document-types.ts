/** document-types: names of document types and relations <-> their URIs (specification 2.6, 2.7). */
import type { RelationType } from './relations-store';

const relations: readonly RelationType[] = ['annotation', 'interpretation', 'followup'];

export function documentsNamespace(vocabBase: string): string {
  return `${vocabBase}/xml/documents#`;
}

/** A bare name is one of our own types; anything with `:` or `/` is a URI already. */
export function typeUri(type: string, vocabBase: string): string {
  return /[:/]/.test(type) ? type : `${documentsNamespace(vocabBase)}${type}`;
}

/**
 * The types that a caller may mean. A URI means itself; a bare name means one of our own types or the type of a
 * document without a namespace.
 */
export function typesNamed(name: string, vocabBase: string): readonly string[] {
  return [...new Set([typeUri(name, vocabBase), name])];
}

export function demographicsType(vocabBase: string): string {
  return typeUri('Demographics', vocabBase);
}

export function relationUri(type: RelationType, vocabBase: string): string {
  return `${vocabBase}/documentrels#${type}`;
}

/** The relation of a path segment; undefined for a name that is not in the fixed list. */
export function relationNamed(name: string): RelationType | undefined {
  return relations.find((type) => type === name);
}

/** Types that autoshares know whether or not a format is registered for them. */
export const seedTypes: readonly string[] = [
  'Contact',
  'Demographics',
  'Survey',
  'SurveyAnswers',
  'UserPreferences',
  'Allergy',
  'Annotation',
  'AsthmaActionPlan',
  'SimpleClinicalNote',
  'Equipment',
  'HBA1C',
  'Immunization',
  'Lab',
  'Medication',
  'Problem',
  'Procedure',
  'SchoolForm',
  'VitalSign',
  'EncryptedDocument',
  'Genotype',
  'Models',
];

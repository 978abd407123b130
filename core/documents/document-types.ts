/** document-types: names of document types and relations <-> their URIs (specification 2.6, 2.7). */
import type { RelationType } from './relations-store';

const relations: readonly RelationType[] = ['annotation', 'interpretation', 'followup'];

export const documentsNamespace = (vocabBase: string): string => `${vocabBase}/xml/documents#`;

/** A bare name is one of our own types; anything with `:` or `/` is a URI already. */
export const typeUri = (type: string, vocabBase: string): string =>
  /[:/]/.test(type) ? type : `${documentsNamespace(vocabBase)}${type}`;

/**
 * The types that a caller may mean. A URI means itself; a bare name means one of our own types or the type of a
 * document without a namespace.
 */
export const typesNamed = (name: string, vocabBase: string): readonly string[] => [
  ...new Set([typeUri(name, vocabBase), name]),
];

export const demographicsType = (vocabBase: string): string => typeUri('Demographics', vocabBase);

export const relationUri = (type: RelationType, vocabBase: string): string => `${vocabBase}/documentrels#${type}`;

/** The relation of a path segment; undefined for a name that is not in the fixed list. */
export const relationNamed = (name: string): RelationType | undefined => relations.find((type) => type === name);

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

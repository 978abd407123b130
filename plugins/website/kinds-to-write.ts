/** kinds-to-write: which kinds of facts a person can write down, the usual ones first. */
import type { Model, Models } from '../../core/datamodel/model';
import { modelName } from './facts';
import type { Words } from './words';

const usualNames = [
  'VitalSigns',
  'Medication',
  'Allergy',
  'Problem',
  'Immunization',
  'LabResult',
  'SimpleClinicalNote',
];

/** A model that has a form of its own: a nested one is written down with what it belongs to. */
export const canBeWritten = (model: Model): boolean => !model.builtin && model.parent === undefined;

/** Models of this installation, dropped-in ones too. */
export const kindsToWrite = (
  models: Models,
  words: Words,
): { readonly usual: readonly Model[]; readonly others: readonly Model[] } => {
  const all = models.all.filter(canBeWritten);
  return {
    usual: usualNames.flatMap((name) => all.find((model) => model.name === name) ?? []),
    others: all
      .filter(({ name }) => !usualNames.includes(name))
      .sort((a, b) => modelName(a, words).localeCompare(modelName(b, words), words.language)),
  };
};

/** kinds-to-write: which kinds of facts a person can write down, the usual ones first. */
import type { Model, Models } from '../../core/datamodel/model';
import { refersToOthers } from '../../core/datamodel/references';
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

/** A file is chosen, not written down: what is in it would be missing. */
const FILE = 'StoredFile';

/**
 * A model that has a form of its own: a nested one is written down with what it belongs to, and nobody can write down which
 * other facts a fact names.
 */
export const canBeWritten = (models: Models, model: Model): boolean =>
  !model.builtin && model.parent === undefined && !refersToOthers(models, model.name);

/** Models of this installation, dropped-in ones too. */
export const kindsToWrite = (
  models: Models,
  words: Words,
): { readonly usual: readonly Model[]; readonly others: readonly Model[] } => {
  const all = models.all.filter((model) => canBeWritten(models, model) && model.name !== FILE);
  return {
    usual: usualNames.flatMap((name) => all.find((model) => model.name === name) ?? []),
    others: all
      .filter(({ name }) => !usualNames.includes(name))
      .sort((a, b) => modelName(a, words).localeCompare(modelName(b, words), words.language)),
  };
};

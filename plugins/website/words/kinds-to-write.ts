/** kinds-to-write: lists the kinds of facts that a person can write down, the usual ones first. */
import type { Model, Models } from '../../../core/facts/model/model';
import { needsOthers } from '../../../core/facts/model/references';
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

/** People choose a file instead of writing it down, and say what they think of an entry on its page. */
const ELSEWHERE: readonly string[] = ['StoredFile', 'OwnWord'];

/**
 * Whether a model has a form of its own. A nested fact is written down with the fact that contains it, and nobody can
 * type references to other facts.
 */
export function canBeWritten(models: Models, model: Model): boolean {
  return !model.builtin && model.parent === undefined && !needsOthers(models, model.name);
}

/** The models of this installation, including those that its operator added. */
export function kindsToWrite(
  models: Models,
  words: Words,
): { readonly usual: readonly Model[]; readonly others: readonly Model[] } {
  const all = models.all.filter((model) => canBeWritten(models, model) && !ELSEWHERE.includes(model.name));
  return {
    usual: usualNames.flatMap((name) => all.find((model) => model.name === name) ?? []),
    others: all
      .filter(({ name }) => !usualNames.includes(name))
      .sort((a, b) => modelName(a, words).localeCompare(modelName(b, words), words.language)),
  };
}

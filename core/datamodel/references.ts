/** references: which models name other facts of their document, in columns of the type Statement. */
import type { Models } from './model';

/** Whether facts of this model, or what is nested in them, name others. */
export const refersToOthers = (models: Models, name: string): boolean => {
  const model = models.find(name);
  return (
    model !== undefined &&
    (model.columns.some(({ statement }) => statement === true) ||
      model.relations.some((relation) => refersToOthers(models, relation.model)))
  );
};

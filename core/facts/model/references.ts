/** references: tells which models refer to other facts of their document, in columns of the type Statement. */
import type { Models } from './model';

/** Whether facts of this model, or facts nested in them, refer to other facts. */
export function refersToOthers(models: Models, name: string): boolean {
  const model = models.find(name);
  return (
    model !== undefined &&
    (model.columns.some(({ statement }) => statement === true) ||
      model.relations.some((relation) => refersToOthers(models, relation.model)))
  );
}

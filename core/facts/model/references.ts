/** references: tells which models refer to other facts of their document, in columns of the type Statement. */
import type { Model, Models } from './model';

type Column = Model['columns'][number];

function anyColumn(models: Models, name: string, holds: (column: Column) => boolean): boolean {
  const model = models.find(name);
  return (
    model !== undefined &&
    (model.columns.some(holds) || model.relations.some((relation) => anyColumn(models, relation.model, holds)))
  );
}

/** Whether facts of this model, or facts nested in them, refer to other facts. */
export function refersToOthers(models: Models, name: string): boolean {
  return anyColumn(models, name, ({ statement }) => statement === true);
}

/** Whether facts of this model, or facts nested in them, cannot be without other facts to refer to. */
export function needsOthers(models: Models, name: string): boolean {
  return anyColumn(models, name, ({ statement, required }) => statement === true && required);
}

/** fact-tables: plans the tables of all models that have a fact table, once for each set of models. */
import type { FactTables } from '../store';
import type { Models } from './model';
import { tablePlan } from './table-plan';

const planned = new WeakMap<Models, FactTables>();

export function factTables(models: Models): FactTables {
  let tables = planned.get(models);
  if (!tables) {
    tables = new Map(models.all.filter(({ builtin }) => !builtin).map((model) => [model.name, tablePlan(model)]));
    planned.set(models, tables);
  }
  return tables;
}

/** people: the doctors and places that facts name, read with one statement over all models. */
import type { Reads } from '../db/database';
import { allOf, anyOf, type Condition } from '../db/condition';
import type { Dialect } from '../db/dialect';
import type { PlannedColumn, Scalar, TablePlan } from './plans';
import type { ReportScope } from '../sharing/containment';
import { columnSql } from './apply-plan';
import { factsFrom } from './facts-in-scope';
import type { FactTables } from './store';

/** What of a model is read here. */
type ModelField = { readonly name: string; readonly type: string };
type Model = {
  readonly name: string;
  readonly builtin?: boolean | undefined;
  readonly parent?: { readonly model: string } | undefined;
  readonly fields: readonly ModelField[];
};

/** A field that names a person or a place, and the columns in which its name stands. */
type NamingField = {
  readonly model: Model;
  readonly plan: TablePlan;
  readonly field: string;
  readonly isPlace: boolean;
  readonly columns: readonly PlannedColumn[];
};

/** What one field says, and how many facts say it. */
export type SaidName = {
  readonly field: NamingField;
  readonly parts: readonly string[];
  readonly facts: number;
  /** One of the documents that say it. */ readonly documentId: string;
};

const PARTS = ['prefix', 'given', 'middle', 'family', 'suffix'] as const;
/** Fields of plain words that name who did something, or where. */
const PERSONS = ['provider', 'provider_name', 'performer', 'set_by'];
const PLACES = ['provider_institution', 'payer'];

function personColumns(name: string): readonly string[] {
  return PARTS.map((part) => `${name}_${part}`);
}

type Naming = { readonly names: readonly string[]; readonly isPlace: boolean };

function namingOf({ name, type }: ModelField): Naming | undefined {
  switch (type) {
    case 'Provider':
      return { names: personColumns(`${name}_name`), isPlace: false };
    case 'Name':
      return { names: personColumns(name), isPlace: false };
    case 'Organization':
      return { names: [`${name}_name`], isPlace: true };
    case 'Pharmacy':
      return { names: [`${name}_org`], isPlace: true };
    case 'String':
      return PERSONS.includes(name) || PLACES.includes(name)
        ? { names: [name], isPlace: PLACES.includes(name) }
        : undefined;
    default:
      return undefined;
  }
}

/** The fields of all models that name people and places of care. */
export function namingFields(models: readonly Model[], tables: FactTables): readonly NamingField[] {
  return models
    .filter(({ builtin }) => !builtin)
    .flatMap((model) =>
      model.fields.flatMap((field): readonly NamingField[] => {
        const [naming, plan] = [namingOf(field), tables.get(model.name)];
        const columns = (naming?.names ?? []).flatMap((name) => plan?.columns.find((one) => one.name === name) ?? []);
        return naming && plan && columns.length > 0
          ? [{ model, plan, field: field.name, isPlace: naming.isPlace, columns }]
          : [];
      }),
    );
}

const MOST_OF_FIELD = 400;

type Row = { readonly holder: number | string; readonly n: number | string; readonly document_id: string } & Readonly<
  Record<`part_${number}`, Scalar>
>;

/** The names that the facts of a scope say. @param within further conditions on `fact` */
export async function readNames(
  on: Reads,
  dialect: Dialect,
  scope: ReportScope,
  fields: readonly NamingField[],
  within: readonly Condition[] = [],
): Promise<readonly SaidName[]> {
  if (fields.length === 0) {
    return [];
  }
  const branches = fields.map(({ plan, columns }, holder) => {
    const said = columns.map((column) => columnSql(dialect, 'fact', column));
    const isSaid = anyOf(said.map((sql) => ({ text: `coalesce(${sql}, '') <> ''`, values: [] })));
    const from = factsFrom(plan, scope, allOf([isSaid, ...within]));
    const parts = PARTS.map((_, place) => `${said[place] ?? 'null'} as part_${place}`);
    const groups = said.join(', ');
    return {
      text:
        `select * from (select ${holder} as holder, ${parts.join(', ')}, count(*) as n, max(fact._document_id) as document_id ` +
        `${from.text} group by ${groups} order by n desc limit ${MOST_OF_FIELD}) as named_${holder}`,
      values: from.values,
    };
  });
  const rows = await on.rows<Row>(
    branches.map(({ text }) => text).join(' union all '),
    branches.flatMap(({ values }) => values),
  );
  return rows.map((row) => {
    const field = fields[Number(row.holder)]!;
    const parts = field.columns.map((_, place) => String(row[`part_${place}`] ?? ''));
    return { field, parts, facts: Number(row.n), documentId: row.document_id };
  });
}

/** The condition that a fact of the field's table says this name. @param alias of the table */
export function saysName(dialect: Dialect, { field, parts }: SaidName, alias = 'fact'): Condition {
  return allOf(
    field.columns.map((column, place) => ({
      text: `coalesce(${columnSql(dialect, alias, column)}, '') = ?`,
      values: [parts[place] ?? ''],
    })),
  );
}

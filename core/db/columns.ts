/** columns: the fields of a row and the columns that keep them: the field `accountId` is in the column `account_id`. */

/** Columns by the names of their fields. Rows that knex selects with them have the names of the fields. */
export type Columns<Field extends string> = Readonly<Record<Field, string>>;

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function columnsNamed<Field extends string>(...fields: readonly Field[]): Columns<Field> {
  return Object.fromEntries(fields.map((field) => [field, columnOf(field)])) as Columns<Field>;
}

/** The columns of a table, for statements that read several tables. */
export function inTable<Field extends string>(table: string, columns: Columns<Field>): Columns<Field> {
  return Object.fromEntries(
    Object.entries<string>(columns).map(([field, column]) => [field, `${table}.${column}`]),
  ) as Columns<Field>;
}

/** The values of a row for these columns. Other fields of the row and undefined values are left out. */
export function toColumns<Field extends string>(
  columns: Columns<Field>,
  row: Readonly<Partial<Record<Field, unknown>>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<string>(columns)
      .map(([field, column]) => [column, row[field as Field]])
      .filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;
}

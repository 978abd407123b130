/** page: which rows of a list a call wants (specification 4.9). */
export type PageQuery = {
  readonly limit: number;
  readonly offset: number;
  /** A field name, with a leading `-` descending; unknown fields have no effect. */
  readonly orderBy?: string;
};

export type Order = { readonly column: string; readonly order: 'asc' | 'desc' }[];

/**
 * The order asked for, else the usual one; ties in the same direction, so that pages never overlap.
 * @param asked as in `PageQuery`
 * @param columns by the names of the fields that can be asked for
 * @param usual as one would ask for it, `-created_at`
 */
export const orderOf = (
  asked: string | undefined,
  columns: Readonly<Record<string, string>>,
  usual: string,
  tie: string,
): Order => {
  const fieldOf = (text: string): string => text.replace(/^-/, '');
  const chosen = asked !== undefined && Object.hasOwn(columns, fieldOf(asked)) ? asked : usual;
  const order = chosen.startsWith('-') ? 'desc' : 'asc';
  return [
    { column: columns[fieldOf(chosen)]!, order },
    { column: tie, order },
  ];
};

/** page: which rows of a list a call wants (specification 4.9). */
export type PageQuery = {
  readonly limit: number;
  readonly offset: number;
  /** A field name, with a leading `-` descending; unknown fields have no effect. */
  readonly orderBy?: string;
};

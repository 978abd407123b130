/** same: when two facts of a model are one thing, as a `.same.yaml` file says it. It is plain data, part of the model. */

/** Where a code stands. Without a column for its system the code stands alone. */
export type CodeColumns = { readonly code: string; readonly system?: string };

/** Where a number stands, and its unit where that has a column. */
export type AmountColumns = { readonly value: string; readonly unit?: string };

/** What two facts must have in common: all that one entry names. */
export type SameRule = {
  /** The entry as it is written, for people. */ readonly name: string;
  readonly code?: {
    readonly columns: readonly CodeColumns[];
    /** Short names of systems; empty: any that is not coarse. */ readonly systems: readonly string[];
    /** The relation that leads different codes to one. */ readonly through?: string;
  };
  /** The first filled of these columns has the words. */ readonly words?: readonly string[];
  readonly amount?: AmountColumns;
  /** An amount that is equal once it has no more digits than the other. */ readonly rounded?: AmountColumns;
  readonly day?: string;
  readonly minute?: string;
  /** A date that is at most so many days away. */ readonly within?: { readonly column: string; readonly days: number };
  readonly sent?: true;
  /** It joins only what is the one such fact of its document: two answers of one paper differ on purpose. */ readonly single?: true;
  readonly test?: { readonly code: readonly CodeColumns[]; readonly words: readonly string[] };
  readonly accession?: string;
  /** True in an entry that only asks: there a code that may stand for many things is enough. */ readonly asks?: true;
};

/** A field that two facts may fill with different things. Those with an equal code or equal words are the same. */
export type DifferingField = { readonly columns: readonly string[]; readonly code?: CodeColumns };

/** What keeps two facts apart, whatever they have in common. */
export type UnlessRule =
  | { readonly kind: 'amounts'; readonly columns: readonly string[] }
  | { readonly kind: 'sides'; readonly columns: readonly string[] }
  | { readonly kind: 'differ'; readonly fields: readonly DifferingField[] }
  | { readonly kind: 'days'; readonly column: string }
  /** Both have a unit, and neither converts into the other. */
  | { readonly kind: 'units'; readonly amount: AmountColumns }
  /** One fact fills only the first column, and the other one only the second. */
  | { readonly kind: 'kinds'; readonly columns: readonly [string, string] };

/** What two facts of one line may say differently. */
export type ConflictRule =
  | { readonly kind: 'standing' }
  | { readonly kind: 'amount'; readonly field: string; readonly amount: AmountColumns }
  | { readonly kind: 'words'; readonly field: string; readonly columns: readonly string[] }
  | { readonly kind: 'code'; readonly field: string; readonly columns: readonly CodeColumns[]; readonly words: string }
  | { readonly kind: 'day'; readonly field: string; readonly column: string };

export type SameRules = {
  /** A thing goes on, and a line has times; an event happens once. */ readonly what: 'thing' | 'event';
  /** From the strongest to the weakest. */ readonly equal: readonly SameRule[];
  readonly unless: readonly UnlessRule[];
  readonly times?: { readonly from: string; readonly until?: string; readonly apart: number };
  readonly when?: { readonly date: string; readonly same: 'minute' | 'day' };
  readonly conflict: readonly ConflictRule[];
  readonly perhaps: readonly SameRule[];
  readonly group?: { readonly columns: readonly CodeColumns[]; readonly through: string };
  /** Which statement lends its words to the line. */ readonly shows: 'newest' | 'most-said';
};

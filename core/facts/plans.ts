/**
 * plans: the plain data that the floors above pass to storage: fact tables, facts with nested facts, and report
 * queries.
 */
import type { Days } from '../base/days-in-zone';
import type { DocumentStatus, Id, Timestamp } from '../base/types';
import type { ColumnType } from '../db/dialect';
import type { Place } from '../db/page';
import type { Sent } from './sent';

/** What one column of a fact holds. `datetime` is UTC text of 27 characters, `date` is `YYYY-MM-DD`. */
export type ColumnKind = 'string' | 'text' | 'number' | 'integer' | 'boolean' | 'datetime' | 'date';

/** Whether a column holds days or points in time. */
export function isDate({ kind }: { readonly kind: ColumnKind }): boolean {
  return kind === 'datetime' || kind === 'date';
}

/** A value of a column; null is "not known". */
export type Scalar = string | number | boolean | null;

/** A field that holds facts of another model: one (`many: false`) or a list of them. */
export type Relation = { readonly field: string; readonly model: string; readonly many: boolean };

/** What is known of a date that is stored as the first day of its month or year. */
export type PartialDate = 'month' | 'year';

/**
 * The clock of a time that is stored in UTC: `local` for one that the source wrote without a zone, whose clock is shown as
 * if it were that of UTC, and an offset such as `+01:00` for one that the source wrote with it.
 */
export type Clock = 'local' | `${'+' | '-'}${string}`;

/** How the dates of a fact are meant, by their columns. Every other date is a day, or a time in UTC. */
export type PartialDates = Readonly<Record<string, PartialDate | Clock>>;

/**
 * A checked fact: plain data, because it crosses from a worker process. `values` has every column of the model and
 * `children` every relation: one fact or null for one-to-one, a list for one-to-many.
 */
/** A code as a source gives it; the system is empty where it gives none. */
export type GivenCode = { readonly system: string; readonly code: string };

export type Fact = {
  readonly model: string;
  /**
   * Key of the statement that this fact is, or is a part of. By this key the statement is recognized in the document's
   * next version.
   */
  readonly statement: string;
  /**
   * Numbers, from 1, of the document's parts from which the fact was made; absent where the transform does not say.
   * They are not stored.
   */
  readonly parts?: readonly number[];
  /** The sender's id of the statement; absent where it gives none, and for nested facts. */
  readonly sent?: Sent;
  /** Codes that the source gives beside the one in a column, by that column. */
  readonly codings?: Readonly<Record<string, readonly GivenCode[]>>;
  readonly values: Readonly<Record<string, Scalar>>;
  readonly partialDates?: PartialDates;
  readonly children: Readonly<Record<string, Fact | readonly Fact[] | null>>;
};

/** A fact as read back, with what storage knows about it. */
export type StoredFact = {
  readonly model: string;
  readonly values: Readonly<Record<string, Scalar>>;
  readonly partialDates?: PartialDates;
  readonly children: Readonly<Record<string, StoredFact | readonly StoredFact[] | null>>;
  readonly id: Id;
  readonly recordId: Id;
  readonly documentId: Id;
  readonly lineageId: Id;
  readonly parentId: Id | null;
  readonly createdAt: Timestamp;
  /** Id of the source's statement, which facts made of one statement share. */
  readonly statementId: Id;
  /**
   * The carenet does not contain the document: hidden columns are null, and all ids but that of the record are names of
   * their own for the carenet, which lead nowhere.
   */
  readonly isSeenByKind?: true;
};

type Nesting<F> = { readonly children: Readonly<Record<string, F | readonly F[] | null>> };

/** The facts in one field of a fact: none, one or many. */
export function childrenIn<F extends Nesting<F>>(fact: F, field: string): readonly F[] {
  return [fact.children[field] ?? []].flat() as readonly F[];
}

/** The facts in all fields of a fact, without what is nested in them. */
export function allChildren<F extends Nesting<F>>(fact: F): readonly F[] {
  return Object.keys(fact.children).flatMap((field) => childrenIn(fact, field));
}

/** The text with which a column refers to another fact of the document. */
export function statementReference({ model, statement }: Pick<Fact, 'model' | 'statement'>): string {
  return `${model} ${statement}`;
}

/**
 * The same reference by the id of the statement. Stored facts use it, because in a record that was imported under new
 * ids the id does not follow from the key.
 */
export function idReference(model: string, id: Id): string {
  return `${model} id:${id}`;
}

/** Reads a reference: the model, and the key or the id of the statement. Undefined for text that is no reference. */
export function readReference(
  text: string,
): { readonly model: string; readonly statement: string; readonly id?: Id } | undefined {
  const [, model, statement] = /^(\w+) (.+)$/s.exec(text) ?? [];
  if (model === undefined || statement === undefined) {
    return undefined;
  }
  return statement.startsWith('id:') ? { model, statement, id: statement.slice(3) } : { model, statement };
}

export type PlannedColumn = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly type: ColumnType;
  /** True: kept inside the JSON text of `_packed`, because the table would be too wide for a row of MySQL. */
  readonly packed: boolean;
  /** The column refers to another fact of the document. */
  readonly statement?: true;
};

/**
 * A column with ` desc` after its name is in descending order. An index with such a column is made only where the
 * database supports it.
 */
export type PlannedIndex = { readonly name: string; readonly columns: readonly string[]; readonly unique: boolean };

/** One fact table. Its base columns are the same for all models (see apply-plan). */
export type TablePlan = {
  readonly model: string;
  readonly table: string;
  readonly columns: readonly PlannedColumn[];
  readonly relations: readonly Relation[];
  readonly indexes: readonly PlannedIndex[];
};

/** What a query field reads: the first of `columns` that is not null; an empty list is always null. */
export type ReportField = {
  readonly kind: ColumnKind;
  readonly columns: readonly string[];
  /** The columns belong to the fact in which this one is nested. For a fact that is not nested they are null. */
  readonly ofParent?: true;
  /** Columns whose text a filter compares ignoring case; absent: `columns`, exactly. */
  readonly matches?: readonly string[];
  /** With `matches`: an underscore equals a space. */
  readonly words?: boolean;
};

export type Increment =
  'hour' | 'day' | 'week' | 'month' | 'year' | 'hourofday' | 'dayofweek' | 'weekofyear' | 'monthofyear';
export type Operator = 'sum' | 'avg' | 'max' | 'min' | 'count';

export type ReportFilter = { readonly field: ReportField; readonly values: readonly (string | number | boolean)[] };

/** Inclusive; a bound that is absent is open, and a field that is null is in no range. Dates are text, as stored. */
export type ReportRange = {
  readonly field: ReportField;
  readonly from?: string | number;
  readonly to?: string | number;
  /** A value before `from` that is in the range, and one before `to` that is not (base/days-in-zone). */
  readonly also?: string;
  readonly but?: string;
  /** The days that are meant: those of times that their sources wrote by a clock of their own. */
  readonly days?: Days;
};

/** A report query (specification 4.9) that has been checked. */
export type ReportPlan = {
  readonly status: DocumentStatus;
  readonly filters: readonly ReportFilter[];
  /** All of them must hold. */
  readonly ranges?: readonly ReportRange[];
  /**
   * A fact must have at least one field of each of these lists. An order by a field that is alone in its list is read
   * from the field's index.
   */
  readonly present?: readonly (readonly ReportField[])[];
  /** Facts that have one of these texts in the field, in any case, are left out. */
  readonly except?: readonly { readonly field: ReportField; readonly values: readonly string[] }[];
  /** Statements that are left out, as the rows of the scope name them. */ readonly leftOut?: readonly string[];
  /**
   * `timeZone` (IANA name): periods are those of local time instead of UTC. A plain day is the same everywhere, and
   * with `midnightIsDay` a time at midnight in UTC is a plain day.
   */
  readonly group?: {
    readonly field: ReportField;
    readonly increment?: Increment;
    readonly timeZone?: string;
    readonly midnightIsDay?: boolean;
    /** The first and the last date of the facts as they are stored; where it is absent they are read. */
    readonly within?: readonly [string, string] | undefined;
    /** A field, such as a unit, whose values are groups of their own within each group; for several aggregates only. */
    readonly split?: ReportField | undefined;
  };
  /** Without a field: the number of facts. */
  readonly aggregate?: { readonly operator: Operator; readonly field?: ReportField };
  /** Absent: insertion order for facts, and the order of their own value for groups. */
  readonly order?: { readonly by: ReportField | 'group' | 'aggregate'; readonly descending: boolean };
  readonly limit: number;
  readonly offset: number;
  /** Set when the page is a part of a list. `offset` has a meaning only when no place says where the part begins. */
  readonly part?: { readonly place?: Place | undefined };
};

/**
 * Where a report gets its rows from: the facts of one table, or one row for each fact and branch whose `present` column
 * is not null (nine readings of one set of vital signs are nine rows).
 */
export type ReportSource = {
  readonly table: TablePlan;
  /** The table of the facts in which these are nested, for fields `ofParent`. */
  readonly parent?: TablePlan;
  readonly branches?: readonly ReportBranch[];
};

export type ReportBranch = {
  readonly present: string;
  /** New column -> the column of the table that it shows, with `otherwise` in place of null; or a constant text. */
  readonly columns: Readonly<
    Record<string, { readonly column: string; readonly otherwise?: string } | { readonly text: string }>
  >;
};

export type AggregateRow = { readonly group?: Scalar; readonly value: Scalar };

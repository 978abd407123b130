/**
 * model: the type of a data model that has been read, with its columns, its relations and its place in the database.
 */
import type { LabTests } from '../../lab-tests/tests';
import type { ColumnKind, Relation } from '../plans';
import type { CodeTables } from '../code-tables';
import type { Kinds } from '../kinds';
import type { FhirMapping } from './fhir-map';
import type { SameRules } from './same';

/** The label of a field, a help text for filling it in, and words for values that are stored otherwise. */
export type FieldWords = {
  readonly label: string;
  readonly help?: string;
  readonly values?: Readonly<Record<string, string>>;
};

/** Which number of a model is drawn, and how. */
export type ChartWords = {
  readonly field: string;
  /** The field that splits the facts into series. */
  readonly split?: string;
  /** The field with the unit, or the unit itself. */
  readonly unit?: string;
  readonly together: 'average' | 'sum';
};

/** The words of one language. Nested fields are named by their path: `fulfillments.date`. */
export type WordsOfLanguage = {
  /** Several facts of the model, for headings: "Allergies". */
  readonly many?: string;
  /** One fact of the model, for sentences: "Allergy". */
  readonly one?: string;
  readonly fields: Readonly<Record<string, FieldWords>>;
};

/** Numbers that are possible: from the least to the most, in the unit of the model, and not above the column `atMost`. */
export type LikelyNumbers = { readonly from: number; readonly to: number; readonly atMost?: string };

/** Values that are possible: numbers, a date that is not in the future, or one that is not before another column's. */
export type Likely = LikelyNumbers | 'past' | { readonly notBefore: string };

/** The words of a model. They are plain data, because they are part of the model. */
export type ModelWords = {
  /** Fields that can be the title of a fact, which is the first one that is filled. */
  readonly title?: readonly string[];
  /** The title with its fields in braces: `{ear}, {hertz} Hz`. They are the fields of `title`, too. */
  readonly titleText?: string;
  /** The fields that a table of the facts shows after their date, in this order. */
  readonly columns?: readonly string[];
  readonly chart?: ChartWords;
  /** Fields that say more about the fact, in this order. */
  readonly line?: readonly string[];
  /** The field with the date by which a fact is found in a person's history. */
  readonly date?: string;
  /** Column -> the values that are possible in it. Any other value is asked about, or marked. */
  readonly likely?: Readonly<Record<string, Likely>>;
  /** Language, such as `en` -> its words. */
  readonly languages: Readonly<Record<string, WordsOfLanguage>>;
};

/** The object of one predicate. */
export type RdfValue =
  | { readonly kind: 'column'; readonly column: string; readonly always: boolean }
  /** A field of a compound type, as the node that the vocabulary has for that type. */
  | { readonly kind: 'block'; readonly block: string; readonly field: string; readonly class?: string }
  | { readonly kind: 'node'; readonly type: string; readonly properties: readonly RdfProperty[] }
  /** The facts nested in a field. */
  | { readonly kind: 'facts'; readonly field: string }
  /** The fact in which this one is nested. */
  | { readonly kind: 'parent' }
  /** Fixed text; `{record_id}` and `{record_uri}` are filled in. */
  | { readonly kind: 'text'; readonly text: string };

/** One predicate with its values, or alternatives of which only the first that has a value is used. */
export type RdfProperty =
  { readonly predicate: string; readonly values: readonly RdfValue[] } | { readonly first: readonly RdfProperty[] };

/** The RDF mapping of a model. It is plain data, because it is part of the model. */
export type RdfMapping = {
  /** Class of the fact, as prefix:name. */
  readonly type: string;
  /** Where facts are found below their record: `/records/{RECORD_ID}/{path}/` and below that by id. */
  readonly path: string;
  readonly properties: readonly RdfProperty[];
  /** Prefixes that the file defines in addition to the usual ones. */
  readonly prefixes: Readonly<Record<string, string>>;
};

export type { ColumnKind, Relation, Scalar } from '../plans';

/** One expanded column of a model: plain data, because models travel to worker processes. */
export type Column = {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Longest text in characters; absent when there is no limit. */
  readonly max?: number;
  readonly required: boolean;
  /** The only permitted values of a filled column. */
  readonly values?: readonly (string | number)[];
  /** The only permitted value of a filled column. */
  readonly equals?: string | number | boolean;
  /** Source of a regular expression that the whole text must match. */
  readonly pattern?: string;
  /** The value that is stored when the document gives none; such a column is never null. */
  readonly default?: boolean;
  readonly index: boolean;
  /** True when the column refers to another fact of the document, as a `statementReference`. */
  readonly statement?: true;
  /** True when the column holds dosages of FHIR as JSON text. */
  readonly dosage?: true;
};

export type ModelField = { readonly name: string; readonly type: string; readonly columns: readonly string[] };

export type Model = {
  readonly name: string;
  /** Name of the fact table: `fact_` and the model's name in lower case. */
  readonly table: string;
  readonly columns: readonly Column[];
  /**
   * The fields as the definition has them, in its order: each has a type of field-types.ts and the columns to which
   * that expands.
   */
  readonly fields: readonly ModelField[];
  readonly relations: readonly Relation[];
  /** One of these fields, each with its columns, must be filled. */
  readonly oneof?: readonly { readonly field: string; readonly columns: readonly string[] }[];
  /** The one place where this model is nested in another one. */
  readonly parent?: { readonly model: string; readonly field: string; readonly many: boolean };
  /** SHA-256 over everything that decides how documents become facts of this model, nested models included. */
  readonly digest: string;
  /** True for Demographics, which has no fact table and no generic report. */
  readonly builtin: boolean;
  /** The file that defines the model; empty for a built-in one. */
  readonly file: string;
  /** How the facts are expressed in RDF; absent when they are not. */
  readonly rdf?: RdfMapping;
  /** How the facts are expressed in FHIR; absent when they are not. */
  readonly fhir?: FhirMapping;
  /** The model's words for people; when absent, its names are split into words. */
  readonly words?: ModelWords;
  /** When two facts are one thing; when absent, each is a thing of its own. */
  readonly same?: SameRules;
  /** True when the model says `__override__`, but no earlier folder has a model of its name. */
  readonly overridesNothing?: true;
  /** Absolute path of a module with serializers of its own. */
  readonly serializers?: string;
};

export type Models = {
  /** All models, nested and built-in ones too, sorted by name. */
  readonly all: readonly Model[];
  /** Finds a model by its name, ignoring case as calls for reports do. */
  readonly find: (name: string) => Model | undefined;
  /** Code systems and relations between codes; absent where none were read. */
  readonly codes?: CodeTables;
  /** The laboratory tests to which results belong. */
  readonly labTests: LabTests;
  /** The kinds of facts that a carenet can be given. */
  readonly kinds: Kinds;
};

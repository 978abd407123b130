/** model: what a data model is once it has been read: its columns, its relations, its place in the database. */
import type { ColumnKind, Relation } from '../storage/plans';
import type { FhirMapping } from '../fhir/mapping';
import type { ModelWords } from './model-words';
import type { RdfMapping } from './rdf-mapping';

export type { ColumnKind, Relation, Scalar } from '../storage/plans';

/** One expanded column of a model: plain data, because models travel to worker processes. */
export type Column = {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Longest text in characters; absent: no limit. */
  readonly max?: number;
  readonly required: boolean;
  /** The only values that are allowed when there is one. */
  readonly values?: readonly (string | number)[];
  /** The only value that is allowed when there is one. */
  readonly equals?: string | number | boolean;
  /** Source of a regular expression that the whole text must match. */
  readonly pattern?: string;
  /** Stored when the document says nothing; such a column is never null. */
  readonly default?: boolean;
  readonly index: boolean;
  /** It holds which other fact of the document is meant: `statementReference`. */
  readonly statement?: true;
};

export type ModelField = { readonly name: string; readonly type: string; readonly columns: readonly string[] };

export type Model = {
  readonly name: string;
  /** Name of the fact table: `fact_` and the model's name in lower case. */
  readonly table: string;
  readonly columns: readonly Column[];
  /**
   * The fields as the definition has them, in its order: a type of field-types.ts and the columns that it expands to.
   */
  readonly fields: readonly ModelField[];
  readonly relations: readonly Relation[];
  /** One of these fields, each with its columns, must be filled. */
  readonly oneof?: readonly { readonly field: string; readonly columns: readonly string[] }[];
  /** The one place where this model is nested in another one. */
  readonly parent?: { readonly model: string; readonly field: string; readonly many: boolean };
  /** SHA-256 over all that decides how documents become facts of this model, nested models included. */
  readonly digest: string;
  /** True for Demographics: no fact table and no generic report. */
  readonly builtin: boolean;
  /** The file that defines it; empty for a built-in one. */
  readonly file: string;
  /** How its facts are said in RDF; absent: they are not. */
  readonly rdf?: RdfMapping;
  /** How its facts are said in FHIR; absent: they are not. */
  readonly fhir?: FhirMapping;
  /** How it is spoken of to people; absent: its names are split into words. */
  readonly words?: ModelWords;
  /** It says `__override__`, and no earlier folder has a model of its name. */
  readonly overridesNothing?: true;
  /** Absolute path of a module with serializers of its own. */
  readonly serializers?: string;
};

export type Models = {
  /** All models, nested and built-in ones too, sorted by name. */
  readonly all: readonly Model[];
  /** Looks a model up, ignoring case (reports are called that way). */
  readonly find: (name: string) => Model | undefined;
};

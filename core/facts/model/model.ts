/**
 * model: the type of a data model that has been read, with its columns, its relations and its place in the database.
 */
import type { ColumnKind, Relation } from '../../db/plans';
import type { FhirMapping } from './fhir-map';
import type { ModelWords } from './model-words';
import type { RdfMapping } from './rdf-mapping';

export type { ColumnKind, Relation, Scalar } from '../../db/plans';

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
};

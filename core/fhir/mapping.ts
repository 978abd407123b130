/**
 * mapping: how the facts of a model are said in FHIR, as plain data: what a `.fhir.yaml` file beside a model file
 * becomes once it has been read.
 */
import type { Json } from '../base/types';
import type { ColumnKind } from '../storage/plans';
import type { SearchType } from './search-parameters';

/**
 * All of these columns must hold one of the texts, or anything where none is named; `past`: a time that had come when the document
 * was stored.
 */
export type Condition = readonly {
  readonly column: string;
  readonly values?: readonly string[];
  readonly past?: true;
}[];

/** When a resource, an item of a list or a value is said at all: if one of the conditions of `when` is met, and none of `unless`. */
export type Said = { readonly when?: readonly Condition[]; readonly unless?: readonly Condition[] };

/** What an element is made of. */
export type ElementValue = Said &
  (
    | { readonly kind: 'column'; readonly column: string; readonly of: ColumnKind; readonly like?: string }
    /** A field of a compound type as the FHIR type that fits it. */
    | {
        readonly kind: 'block';
        readonly block: string;
        readonly field: string;
        /** The unit that goes out, where the model's own is another word for it. */
        readonly unit?: string;
        /** Other columns that the block reads, by what they are to it. */
        readonly columns?: Readonly<Record<string, string>>;
        /** By how many places the decimal point goes to the right on the way into `unit`. */
        readonly shift?: number;
      }
    /** Codes of the element, each with the texts of the column that mean it. */
    | {
        readonly kind: 'lookup';
        readonly column: string;
        readonly codes: Readonly<Record<string, readonly string[]>>;
        readonly system?: string;
        /** The code for what is known to be none of these, or not known at all. */
        readonly otherwise?: string;
      }
    | { readonly kind: 'fixed'; readonly value: Json }
    /** Text with columns in braces, and nothing when one of them is empty. */
    | { readonly kind: 'words'; readonly text: string; readonly columns: readonly string[] }
    /** Those that have a value, line by line. */
    | { readonly kind: 'lines'; readonly values: readonly ElementValue[] }
    /** The first that has a value. */
    | { readonly kind: 'first'; readonly values: readonly ElementValue[] }
    | { readonly kind: 'node'; readonly node: Node }
    /** One item for each nested fact, or for each fact of the statement (`rows`). */
    | { readonly kind: 'each'; readonly field: string; readonly value: ElementValue }
    /** The same, said of the fact that this one is nested in. */
    | { readonly kind: 'above'; readonly value: ElementValue }
    | { readonly kind: 'patient' }
    /** A reference to another resource of the same statement. */
    | { readonly kind: 'own'; readonly id: string; readonly display?: readonly string[] }
    /** References to the resources of nested facts. */
    | { readonly kind: 'facts'; readonly field: string }
    /** A reference to the resource of the fact that this one is nested in, when it is of this type. */
    | { readonly kind: 'parent'; readonly resource: string }
    /** A reference to the resource of another fact of the document, which a column names, when it is of this type. */
    | { readonly kind: 'statement'; readonly column: string; readonly of: string; readonly display?: string }
    /** A required value that is not known. */
    | { readonly kind: 'absent'; readonly reason: string }
  );

/** An element with its values, or alternatives of which the first that says anything is said. */
export type NodeElement =
  | { readonly name: string; readonly many: boolean; readonly type: string; readonly values: readonly ElementValue[] }
  | { readonly first: readonly Node[] };

/** A resource or a part of one. */
export type Node = readonly NodeElement[];

/** Which elements a search parameter looks at: paths as in FHIRPath, `code` or `component.code`. */
export type SearchMapping = { readonly name: string; readonly type: SearchType; readonly paths: readonly string[] };

export type ResourceMapping = Said & {
  readonly resource: string;
  /** What stands behind the statement's id, where a statement becomes several resources of one type; empty for the main one. */
  readonly id: string;
  readonly elements: Node;
  readonly search: readonly SearchMapping[];
};

/** Plain data: it is part of its model. */
export type FhirMapping = {
  /** All facts of one statement are one resource; else each is. */
  readonly together: boolean;
  readonly resources: readonly ResourceMapping[];
};

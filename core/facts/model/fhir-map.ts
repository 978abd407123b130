/**
 * fhir-map: the types of a mapping, which says as plain data how the facts of a model are expressed in FHIR. It is read
 * from the `.fhir.yaml` file next to the model's file.
 */
import type { Json } from '../../base/types';
import type { ColumnKind } from '../plans';
import type { SearchType } from '../../fhir/search-parameters';

/**
 * All of these columns must hold one of the texts, or any text where none is named. `past` means a time that had come
 * when the document was stored.
 */
export type Condition = readonly {
  readonly column: string;
  readonly values?: readonly string[];
  readonly past?: true;
}[];

/** The conditions for a resource, an item of a list or a value: one of `when` must be met, and none of `unless`. */
export type Said = { readonly when?: readonly Condition[]; readonly unless?: readonly Condition[] };

/** What an element is made of. */
export type ElementValue = Said &
  (
    | { readonly kind: 'column'; readonly column: string; readonly of: ColumnKind; readonly like?: string }
    /** A field of a compound type, as the FHIR type that fits it. */
    | {
        readonly kind: 'block';
        readonly block: string;
        readonly field: string;
        /** The unit that is sent, where the model uses another word for it. */
        readonly unit?: string;
        /** Other columns that the block reads, by their role in it. */
        readonly columns?: Readonly<Record<string, string>>;
        /** How many places to move the decimal point to the right when converting to `unit`. */
        readonly shift?: number;
      }
    /** Codes of the element, each with the texts in the column that mean it. */
    | {
        readonly kind: 'lookup';
        readonly column: string;
        readonly codes: Readonly<Record<string, readonly string[]>>;
        readonly system?: string;
        /** The code for a text that means none of these, or for no text at all. */
        readonly otherwise?: string;
      }
    | { readonly kind: 'fixed'; readonly value: Json }
    /** Text with columns in braces; nothing when one of the columns is empty. */
    | { readonly kind: 'words'; readonly text: string; readonly columns: readonly string[] }
    /** One line for each of the values that is present. */
    | { readonly kind: 'lines'; readonly values: readonly ElementValue[] }
    /** The first of the values that is present. */
    | { readonly kind: 'first'; readonly values: readonly ElementValue[] }
    | { readonly kind: 'node'; readonly node: Node }
    /** One item for each nested fact, or for each fact of the statement (`rows`). */
    | { readonly kind: 'each'; readonly field: string; readonly value: ElementValue }
    /** The value, evaluated on the fact in which this one is nested. */
    | { readonly kind: 'above'; readonly value: ElementValue }
    | { readonly kind: 'patient' }
    /** A reference to another resource of the same statement. */
    | { readonly kind: 'own'; readonly id: string; readonly display?: readonly string[] }
    /** References to the resources of nested facts. */
    | { readonly kind: 'facts'; readonly field: string }
    /** A reference to the resource of the fact in which this one is nested, if it is of this type. */
    | { readonly kind: 'parent'; readonly resource: string }
    /** A reference to the resource of another fact of the document, which a column names, if it is of this type. */
    | { readonly kind: 'statement'; readonly column: string; readonly of: string; readonly display?: string }
    /** A required value that is not known. */
    | { readonly kind: 'absent'; readonly reason: string }
  );

/** An element with its values, or alternatives, of which the first that has a value is used. */
export type NodeElement =
  | {
      readonly name: string;
      readonly many: boolean;
      readonly type: string;
      /** It has no time of day, whatever the source said. */
      readonly isDay: boolean;
      readonly values: readonly ElementValue[];
    }
  | { readonly first: readonly Node[] };

/** A resource or a part of one. */
export type Node = readonly NodeElement[];

/** The elements that a search parameter reads: paths as in FHIRPath, such as `code` or `component.code`. */
export type SearchMapping = { readonly name: string; readonly type: SearchType; readonly paths: readonly string[] };

export type ResourceMapping = Said & {
  readonly resource: string;
  /**
   * The ending after the statement's id, where a statement becomes several resources of one type; empty for the main
   * one.
   */
  readonly id: string;
  readonly elements: Node;
  readonly search: readonly SearchMapping[];
};

/** The mapping of a model. It is plain data, because it is part of the model. */
export type FhirMapping = {
  /** True when all facts of one statement form one resource, false when each fact is a resource. */
  readonly together: boolean;
  readonly resources: readonly ResourceMapping[];
};

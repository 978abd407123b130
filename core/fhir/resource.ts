/**
 * resource: the FHIR resources that the service sends as JSON objects, and the small parts that all of them share
 * (pure).
 */
import { fromTimestamp } from '../base/clock';
import type { Json, Timestamp } from '../base/types';

/** When a resource was last changed, and the name of that version. A fact that is seen by its kind tells neither. */
export type Meta = {
  readonly versionId?: string;
  /** FHIR instant. */
  readonly lastUpdated?: string;
  readonly profile?: readonly string[];
};

export type Resource = {
  readonly resourceType: string;
  readonly id?: string;
  readonly meta?: Meta;
  readonly [element: string]: unknown;
};

/** A resource as it is read, with its version. */
export type Versioned = Resource & { readonly id: string; readonly meta: Meta };

/** Stored text as an instant of FHIR, to the millisecond. */
export function instant(stored: Timestamp): string {
  return new Date(fromTimestamp(stored)).toISOString();
}

const ID_CHARACTERS = 36;

/** Types that describe a document itself. What came as FHIR names its document as its source. */
const ofDocuments: readonly string[] = ['DocumentReference', 'Provenance', 'Binary'];

/**
 * The id of the document from which a resource was made. The version of a resource is that id, with a number behind it
 * where the document was read anew. Empty for a resource that leads to no document.
 */
export function documentIn({ resourceType, id, meta }: Versioned): string {
  return ofDocuments.includes(resourceType) && !('source' in meta)
    ? id
    : (meta.versionId ?? '').slice(0, ID_CHARACTERS);
}

/** `Type/id`, by which other resources of the record refer to a resource. */
export function resourceName({ resourceType, id = '' }: Pick<Resource, 'resourceType' | 'id'>): string {
  return `${resourceType}/${id}`;
}

/** The name of a type behind its article: "an Observation". */
export function withArticle(type: string): string {
  return `${/^[aeio]/i.test(type) ? 'an' : 'a'} ${type}`;
}

export function reference(type: string, id: string): { readonly reference: string } {
  return { reference: `${type}/${id}` };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** The elements that are not empty: FHIR has no empty elements. */
export function filled<T extends Readonly<Record<string, unknown>>>(elements: T): T {
  return Object.fromEntries(Object.entries(elements).filter(([, value]) => !isEmpty(value))) as T;
}

/** The items of a list that are not empty. */
export function filledList<T>(list: readonly (T | undefined | null | '')[]): readonly T[] {
  return list.filter((one): one is T => !isEmpty(one));
}

type Coding = { readonly system?: string; readonly code: string; readonly display?: string };

export function concept(coding: Coding, text?: string): Json {
  return {
    coding: [filled(coding) as Json],
    ...(text === undefined ? {} : { text }),
  };
}

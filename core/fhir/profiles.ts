/**
 * profiles: finds the profiles of IPA and US Core that a resource meets, by the table in `profiles.json`. A resource
 * claims only profiles that it meets.
 */
import type { Versioned } from './resource';
import table from './profiles.json';

/** A value in FHIR as it goes into JSON; numbers may be objects that keep their digits. */
type FhirValue = unknown;
type FhirObject = { readonly [name: string]: FhirValue };

/**
 * `has` lists elements that must be present (`[x]` stands for any type), and `any` lists elements of which one must be
 * present. `coded` gives codings `system|code` of which the element must have one, and `values` gives the values of which
 * an element must have one.
 */
type Profile = {
  readonly url: string;
  readonly has: readonly string[];
  readonly any?: readonly string[];
  readonly coded?: Readonly<Record<string, readonly string[]>>;
  readonly values?: Readonly<Record<string, readonly string[]>>;
};

const profiles = table as unknown as Readonly<Record<string, readonly Profile[]>>;

function isFhirObject(value: FhirValue): value is FhirObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values at a path, from one of its names on; of a list, those of all items. */
function valuesAt(value: FhirValue, names: readonly string[], at = 0): readonly FhirValue[] {
  if (Array.isArray(value)) {
    return (value as readonly FhirValue[]).flatMap((item) => valuesAt(item, names, at));
  }
  const name = names[at];
  if (name === undefined) {
    return [value];
  }
  if (!isFhirObject(value)) {
    return [];
  }
  const chosen = name.endsWith('[x]')
    ? Object.keys(value).find((key) => key.startsWith(name.slice(0, -'[x]'.length)))
    : name;
  const inside = chosen === undefined ? undefined : value[chosen];
  return inside === undefined ? [] : valuesAt(inside, names, at + 1);
}

type ValuesAt = (path: string) => readonly FhirValue[];

/** Finds the values at paths of a resource, each path once: the profiles of a type ask for the same ones. */
function findValues(resource: FhirObject): ValuesAt {
  const known = new Map<string, readonly FhirValue[]>();
  return (path) => {
    const found = known.get(path) ?? valuesAt(resource, path.split('.'));
    known.set(path, found);
    return found;
  };
}

function codingsIn(codings: readonly FhirValue[]): readonly string[] {
  return codings.map((coding) => (isFhirObject(coding) ? `${String(coding['system'])}|${String(coding['code'])}` : ''));
}

function isMet(at: ValuesAt, { has, any, coded = {}, values = {} }: Profile): boolean {
  const isThere = (path: string): boolean => at(path).length > 0;
  return (
    has.every(isThere) &&
    (any === undefined || any.some(isThere)) &&
    Object.entries(coded).every(([path, wanted]) => {
      const found = codingsIn(at(`${path}.coding`));
      return wanted.every((coding) => found.includes(coding));
    }) &&
    Object.entries(values).every(([path, allowed]) => at(path).some((value) => allowed.includes(String(value))))
  );
}

/** Canonical addresses of the profiles that resources of a type may meet. */
export function profilesFor(type: string): readonly string[] {
  return (profiles[type] ?? []).map(({ url }) => url);
}

/** Canonical addresses of the profiles that a resource meets. */
export function profilesOf(resource: FhirObject & { readonly resourceType: string }): readonly string[] {
  const at = findValues(resource);
  return (profiles[resource.resourceType] ?? []).filter((profile) => isMet(at, profile)).map(({ url }) => url);
}

/** The resource with the addresses of the profiles that it meets. */
export function withProfiles(resource: Versioned): Versioned {
  const profile = profilesOf(resource as unknown as FhirObject & { readonly resourceType: string });
  return profile.length === 0 ? resource : { ...resource, meta: { ...resource.meta, profile } };
}

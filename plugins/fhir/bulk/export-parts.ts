/**
 * export-parts: exports of a part of what there is: `_typeFilter` chooses resources by searches, and `_elements` the
 * elements that are written of each.
 */
import { isLosslessNumber } from 'lossless-json';
import { groupedBy } from '../../../core/base/grouped-by';
import { errors } from '../../../core/base/errors';
import type { Versioned } from '../../../core/fhir/resource';
import type { Asking } from '../asking';
import { shownOf } from '../map/shown';
import { matchingIds } from '../search/search';

export type ExportParts = {
  /** `id` for all types, `Observation.code` for one. */
  readonly elements: readonly string[];
  /** Such as `Observation?category=laboratory`. */
  readonly filters: readonly string[];
};

const MOST_FILTERS = 20;

function readFilter(filter: string): { readonly type: string; readonly pairs: URLSearchParams } {
  const at = filter.indexOf('?');
  return { type: filter.slice(0, Math.max(at, 0)), pairs: new URLSearchParams(filter.slice(at + 1)) };
}

/**
 * Checks what a client asks for before anything is written.
 * @param types those of `_type`; empty: all
 * @throws errors.invalidParameter
 */
export async function checkParts(
  asking: Asking,
  { elements, filters }: ExportParts,
  types: readonly string[],
): Promise<void> {
  if (elements.some((one) => !/^(?:[A-Z]\w{0,60}\.)?[a-z]\w{0,60}$/.test(one))) {
    throw errors.invalidParameter('_elements', 'it names elements, such as id or Observation.code');
  }
  if (filters.length > MOST_FILTERS) {
    throw errors.invalidParameter('_typeFilter', `there can be ${MOST_FILTERS} of them`);
  }
  for (const { type, pairs } of filters.map(readFilter)) {
    if (types.length > 0 && !types.includes(type)) {
      throw errors.invalidParameter('_typeFilter', 'it is about a type that _type does not name');
    }
    await matchingIds(asking, type, pairs, []);
  }
}

/** The resources that meet one of the filters of their type; those of types without a filter are all there. */
export async function filtered(
  asking: Asking,
  resources: readonly Versioned[],
  filters: readonly string[],
): Promise<readonly Versioned[]> {
  const byType = groupedBy(filters.map(readFilter), ({ type }) => type);
  if (byType.size === 0) {
    return resources;
  }
  const met = new Set<Versioned>();
  for (const [type, of] of groupedBy(resources, ({ resourceType }) => resourceType)) {
    const own = byType.get(type);
    for (const { pairs } of own ?? []) {
      const ids = await matchingIds(
        asking,
        type,
        pairs,
        of.map(({ id }) => id),
      );
      of.filter(({ id }) => ids.has(id)).forEach((one) => met.add(one));
    }
    if (!own) {
      of.forEach((one) => met.add(one));
    }
  }
  return resources.filter((one) => met.has(one));
}

function hasMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !isLosslessNumber(value);
}

function withAddresses(value: unknown, base: string): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => withAddresses(one, base));
  }
  return hasMembers(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          name === 'url' && typeof one === 'string' && one.startsWith('Binary/')
            ? `${base}/${one}`
            : withAddresses(one, base),
        ]),
      )
    : value;
}

/** A resource with absolute addresses of its attachments: a file has no base to which they could be relative. */
export function absolute(resource: Versioned, base: string): Versioned {
  return withAddresses(resource, base) as Versioned;
}

/** The part of a resource that was asked for. Elements of other types say nothing about it. */
export function partly(resource: Versioned, elements: readonly string[]): Versioned {
  const own = elements.flatMap((one) => {
    const [first = '', second] = one.split('.');
    if (second === undefined) {
      return [first];
    }
    return first === resource.resourceType ? [second] : [];
  });
  return own.length === 0 ? resource : (shownOf(resource, { summary: 'false', elements: own }) as Versioned);
}

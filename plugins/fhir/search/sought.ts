/** sought: what the values of search parameters mean: dates as conditions on both ends of a time, and systems (pure). */
import type { SoughtDate } from '../../../core/fhir/search-dates';

export type Reading = {
  readonly base: string;
  readonly recordId: string;
  readonly dateOf: (name: string, value: string) => SoughtDate;
};

/**
 * Whether a search for this system can find a plain code: the system of such a code is one of FHIR's own, and is not
 * written down.
 */
export function impliedSystem(system: string | undefined): boolean {
  return system === undefined || system === '' || system.startsWith('http://hl7.org/fhir/');
}

/**
 * The relation of a date to a point in time. A day, a month and a year have a length; a point in time has
 * none.
 */
export type Edge = 'startsFrom' | 'startsBefore' | 'endsBy' | 'endsAfter';

/**
 * A condition on the start or the end of a date or a period; `unsaid` is the result where that end of a period is open.
 */
type Want = { readonly edge: Edge; readonly stamp: string; readonly unsaid: boolean };

/** The conditions of a date: all conditions of at least one list must hold. With `ne`, no list may hold. */
export function wantsOf({ prefix, start, end }: SoughtDate): readonly (readonly Want[])[] {
  const contained: readonly Want[] = [
    { edge: 'startsFrom', stamp: start, unsaid: false },
    { edge: 'endsBy', stamp: end, unsaid: false },
  ];
  const above: readonly Want[] = [{ edge: 'endsAfter', stamp: end, unsaid: true }];
  const below: readonly Want[] = [{ edge: 'startsBefore', stamp: start, unsaid: true }];
  switch (prefix) {
    case 'eq':
    case 'ne':
      return [contained];
    case 'gt':
      return [above];
    case 'lt':
      return [below];
    case 'ge':
      return [above, contained];
    case 'le':
      return [below, contained];
    case 'sa':
      return [[{ edge: 'startsFrom', stamp: end, unsaid: false }]];
    case 'eb':
      return [[{ edge: 'endsBy', stamp: start, unsaid: false }]];
    case 'ap':
      return [
        [
          { edge: 'startsBefore', stamp: end, unsaid: true },
          { edge: 'endsAfter', stamp: start, unsaid: true },
        ],
      ];
  }
}

/** names: values that the operations have in common. */
import { countOf } from '../../core/base/count';
import { errors } from '../../core/base/errors';
import { readSoughtDate, type SoughtDate } from '../../core/fhir/search-dates';

/** The query of a call that is answered in pages. */
export type PagedQuery = {
  /** The parameters that were used, percent-encoded. */
  readonly used: string;
  /** The value that the link to a later page has in place of the parameters; empty for the first page. */
  readonly _page: string;
};

const MOST_ON_PAGE = 1000;

/** `_count`; undefined if it was not sent. @throws errors.invalidParameter */
export function countOnPage(text: string): number | undefined {
  if (text === '') {
    return undefined;
  }
  const count = countOf(text);
  if (count === undefined || count === 0) {
    throw errors.invalidParameter('_count', 'it must be a whole number above 0');
  }
  return Math.min(count, MOST_ON_PAGE);
}

/** A date or a time, without a prefix; undefined if it was not sent. @throws errors.invalidParameter */
export function readInstant(name: string, value: string, now: number): SoughtDate | undefined {
  if (value === '') {
    return undefined;
  }
  if (!/^\d/.test(value)) {
    throw errors.invalidParameter(name, 'it must be a date or a time such as 2024-01-31 or 2024-01-31T10:00:00Z');
  }
  return readSoughtDate(name, value, now);
}

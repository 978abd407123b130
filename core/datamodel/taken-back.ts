/**
 * taken-back: whether somebody took a measurement back, or it never came to be: then it is neither a latest value nor a
 * point of a chart.
 */
import type { Model } from './model';

/** What the source says of its state, as it is spelled there, in small letters. */
export const TAKEN_BACK: readonly string[] = [
  'cancelled',
  'canceled',
  'aborted',
  'stopped',
  'obsolete',
  'nullified',
  'entered-in-error',
  'entered in error',
];

const NAMES = ['status_identifier', 'status_title'];

/** The columns that say it; none in a model without a status. */
export const takenBackColumns = ({ columns }: Model): readonly string[] =>
  columns.filter(({ name }) => NAMES.includes(name)).map(({ name }) => name);

export const isTakenBack = (fact: Readonly<Record<string, unknown>>): boolean =>
  NAMES.some((name) => TAKEN_BACK.includes(String(fact[name] ?? '').toLowerCase()));

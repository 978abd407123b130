/**
 * taken-back: tells whether a measurement was taken back or never happened. Such a measurement is neither a latest
 * value nor a point of a chart.
 */
import type { Model } from './model';

/** Statuses of such measurements as sources spell them, in lower case. */
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

/** The columns that hold the status; empty for a model without one. */
export function takenBackColumns({ columns }: Model): readonly string[] {
  return columns.filter(({ name }) => NAMES.includes(name)).map(({ name }) => name);
}

export function isTakenBack(fact: Readonly<Record<string, unknown>>): boolean {
  return NAMES.some((name) => TAKEN_BACK.includes(String(fact[name] ?? '').toLowerCase()));
}

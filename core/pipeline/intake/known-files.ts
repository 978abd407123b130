/** known-files: finds the intakes that know a file by its name and its first bytes (pure). */
import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import type { Intake } from './intake-messages';
import { wideEncoding } from './plain-cells';

/** A file is recognized by at most this many bytes at its beginning. */
export const BEGINNING_BYTES = 4096;

/** `*.csv` as a regular expression. */
function namePattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`, 'iu');
}

/** Whether the bytes are UTF-8; the last ones may be the first of a letter. */
function beginsInUtf8(beginning: Buffer): boolean {
  return [0, 1, 2, 3].some((cut) => isUtf8(beginning.subarray(0, Math.max(beginning.length - cut, 0))));
}

/** Reads UTF-8, UTF-16 and Windows-1252. */
export function textOfBeginning(beginning: Buffer): string {
  const wide = wideEncoding(beginning);
  const narrow = beginsInUtf8(beginning) ? 'utf-8' : 'windows-1252';
  return new TextDecoder(wide ?? narrow).decode(beginning).replace(/^\uFEFF/, '');
}

/**
 * The intakes that know the file by its name and beginning. An intake that checks the beginning is more certain than
 * one that checks only the name, so the latter are left out if there is one of the former.
 */
export function intakesFor<Known extends Pick<Intake, 'files' | 'begins'>>(
  intakes: readonly Known[],
  name: string,
  beginning: Buffer,
): readonly Known[] {
  const text = textOfBeginning(beginning.subarray(0, BEGINNING_BYTES));
  const known = intakes.filter(
    ({ files, begins }) =>
      files.some((pattern) => namePattern(pattern).test(basename(name))) &&
      (begins === undefined || new RegExp(begins, 'u').test(text)),
  );
  const sure = known.filter(({ begins }) => begins !== undefined);
  return sure.length > 0 ? sure : known;
}

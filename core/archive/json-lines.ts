/** json-lines: rows of an archive, line by line. */
import { existsSync } from 'node:fs';
import { SetupError } from '../base/errors';
import { linesOf } from '../base/lines';
import type { Row } from './format';
import { parts } from './parts';

const ROWS = 500;

function parseRow(line: string, file: string): Row {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    row = undefined;
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw new SetupError([`the archive's ${file} has a line that is no row: nothing was imported`]);
  }
  return row as Row;
}

/** Whether an archive may do without a file, because earlier releases did not write it. */
function mayLack(file: string): boolean {
  return parts.some((part) => part.file === file && part.isNew === true);
}

/**
 * The rows of a file.
 * @param file its name in the archive
 * @throws SetupError for a line that is no JSON object
 */
export async function* readRows(path: string, file: string): AsyncGenerator<Row> {
  if (mayLack(file) && !existsSync(path)) {
    return;
  }
  for await (const line of linesOf(path)) {
    yield parseRow(line, file);
  }
}

/** Rows in pages; the last page may be empty. */
export async function* inPages<T>(rows: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length === ROWS) {
      yield page;
      page = [];
    }
  }
  yield page;
}

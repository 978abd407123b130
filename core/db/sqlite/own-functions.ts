/**
 * own-functions: gives SQLite `sha2`, as MariaDB and MySQL have it, so that one statement works on all of them, and
 * `folded`, by which searches compare texts.
 */
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../base/ids';
import { foldedText } from '../../base/words/folded-text';
import type { SqliteDatabase } from './better-sqlite';

/** A record names the same few things over and over. */
const MOST_KEPT = 5000;
const LONGEST_KEPT = 200;

/** Remembers short texts of the last searches, which costs less than comparing their letters again. */
function rememberingFold(): (text: string) => string {
  const known = new LRUCache<string, string>({ max: MOST_KEPT });
  return (text) => {
    if (text.length > LONGEST_KEPT) {
      return foldedText(text);
    }
    const found = known.get(text) ?? foldedText(text);
    known.set(text, found);
    return found;
  };
}

/** A connection whose statements may call `sha2(text, 256)` and `folded(text)`. */
export function withOwnFunctions(connection: SqliteDatabase): SqliteDatabase {
  const fold = rememberingFold();
  return connection
    .function('sha2', { deterministic: true, varargs: true }, (...[text]: readonly unknown[]) =>
      text === null ? null : sha256(String(text)),
    )
    .function('folded', { deterministic: true }, (text: unknown) => (text === null ? null : fold(String(text))));
}

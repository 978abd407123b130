/** tables: reads the tables in an archive that are described, each as if it had been given alone. */
import { peek } from '../common/beginning.mjs';

/** A table is recognized by as many bytes as a file by itself is. */
const BEGINNING = 4096;
const TABLE = /\.(?:csv|tsv)$/i;

/** What is left out of tables. What several files of one kind leave out for one reason is told once. */
export class ToldOfTables {
  #told = new Map();

  add(file, leftOut) {
    const key = JSON.stringify([leftOut.what, leftOut.words, leftOut.reason, leftOut.column]);
    const told = this.#told.get(key);
    const isOther = told !== undefined && told.last !== file;
    this.#told.set(key, {
      leftOut: told ? { ...told.leftOut, count: told.leftOut.count + leftOut.count } : { ...leftOut, file },
      more: (told?.more ?? 0) + (isOther ? 1 : 0),
      last: file,
    });
  }

  items() {
    return [...this.#told.values()].map(({ leftOut, more }) => ({
      leftOut: { ...leftOut, ...(more > 0 ? { moreFiles: more } : {}) },
    }));
  }
}

/** The table as a stream, with how it is read; without `read` for what is no described table. */
export const openTable = async (name, contents, tableIn) => {
  if (!TABLE.test(name)) {
    return { all: contents };
  }
  const { beginning, all } = await peek(contents, BEGINNING);
  return { all, read: tableIn(name, beginning) };
};

/**
 * The documents of a table. One that is not what it should be does not refuse the other files. Its documents are given
 * away only when all of it was read, because a wrong date far below refuses those above.
 */
export async function* documentsOf(name, { all, read }, told) {
  const documents = [];
  try {
    for await (const item of read(all)) {
      if ('leftOut' in item) {
        told.add(name, item.leftOut);
      } else {
        documents.push(item);
      }
    }
  } catch (error) {
    if (error.code !== 'invalid_file') {
      throw error;
    }
    told.add(name, { what: 'Table', count: 1, words: `it is refused: ${error.message}`, reason: 'refused-table' });
    return;
  }
  yield* documents;
}

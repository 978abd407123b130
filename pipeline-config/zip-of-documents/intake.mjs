/** intake: makes documents from the files in an archive of a patient portal, each as if it had been given alone. */
import { Drugs } from '../common/drugs.mjs';
import { invalidFile } from '../common/invalid-file.mjs';
import { Resources } from '../common/ndjson.mjs';
import { membersOf, whole } from '../common/zip.mjs';
import { isWorkbook, kindOf } from './kinds.mjs';
import { documentsOf, openTable, ToldOfTables } from './tables.mjs';

const WORDS = {
  shows: 'it only shows or lists what the other files say',
  'by-itself': 'it holds several documents or many readings: give it by itself',
  empty: 'it is empty',
  large: 'it is larger than a document may be',
  unknown: 'it is not known what it is',
};
/** At most this many files that become no document are named; the others are counted. */
const MOST_NAMES = 50;
/** So many of them are named where nothing else is in the archive. */
const MOST_TOLD = 5;

/** Files with one resource a line. */
const LINES = /\.(?:ndjson|jsonl)$/i;

/** Whether a path names a folder, or a file that Macs and editors leave behind: nobody put it there on purpose. */
const isNothing = (parts) =>
  parts.length === 0 || parts.includes('__MACOSX') || parts.at(-1).startsWith('.') || parts.at(-1) === 'Thumbs.db';

/** The files that become no document, by name and reason. */
class LeftOut {
  #told = new Map();
  #offered = 0;
  /** Names of tables and archives. */ byItself = [];

  /** A file that can be kept as a file: one of an unknown kind, or a workbook. */
  offered(name, bytes, reason) {
    if (this.#offered === MOST_NAMES) {
      return this.add(name, reason);
    }
    if (reason === 'by-itself') {
      this.byItself.push(name);
    }
    this.#offered += 1;
    return [{ leftOut: { what: name, count: 1, words: WORDS[reason], reason }, unread: { bytes, title: name } }];
  }

  add(name, reason) {
    if (reason === 'by-itself') {
      this.byItself.push(name);
    }
    const what = this.#told.size + this.#offered < MOST_NAMES ? name : 'Other files';
    const key = `${reason} ${what}`;
    const count = (this.#told.get(key)?.count ?? 0) + 1;
    this.#told.set(key, { what, count, words: WORDS[reason], reason });
    return [];
  }

  items() {
    return [...this.#told.values()].map((leftOut) => ({ leftOut }));
  }
}

/** XML keeps its bytes, because it declares its own encoding. */
const documentOf = (kind, name, bytes) => {
  if (kind === 'file') {
    return { file: { bytes, title: name }, label: name };
  }
  if (kind === 'xml') {
    return { xml: bytes, name };
  }
  const json = bytes.toString('utf8');
  const [, resource] = /"resourceType"\s*:\s*"([A-Za-z]{1,60})"/.exec(json) ?? [];
  return { json, name, ...(resource ? { resource } : {}) };
};

/** A resource about a medicine in a file of its own; undefined for other files. */
const medicineIn = ({ json, resource }) => {
  if (!/^Medication/.test(resource ?? '')) {
    return undefined;
  }
  try {
    const value = JSON.parse(json);
    return value?.resourceType === resource ? value : undefined;
  } catch {
    // The reader tells what is wrong with it.
    return undefined;
  }
};

/** A file that is kept as it is may be larger than a document. */
const kindFitting = (name, bytes, { maxDocumentBytes }) => {
  const kind = kindOf(name, bytes);
  return bytes.length <= maxDocumentBytes || ['file', 'unknown', 'by-itself'].includes(kind) ? kind : 'large';
};

/** @param input `chunks` are those of the archive; `tableIn` finds how a described table is read */
export default async function* ({ chunks, options, tableIn }) {
  const leftOut = new LeftOut();
  const told = new ToldOfTables();
  const drugs = new Drugs(options.maxDocumentBytes);
  const resources = new Resources(options.maxDocumentBytes, drugs);
  let found = false;
  for await (const { name: path, contents } of membersOf(chunks)) {
    const parts = path.split(/[\\/]/).filter(Boolean);
    if (/[\\/]$/.test(path) || isNothing(parts)) {
      continue;
    }
    const name = parts.at(-1);
    if (LINES.test(name)) {
      found = true;
      yield* resources.documentsIn(contents, name);
      continue;
    }
    const table = await openTable(name, contents, tableIn);
    if (table.read) {
      found = true;
      yield* documentsOf(name, table, told);
      continue;
    }
    const bytes = await whole(table.all, options.maxFileBytes);
    const kind = bytes ? kindFitting(name, bytes, options) : 'large';
    if (kind in WORDS) {
      const isOffered = kind === 'unknown' || (kind === 'by-itself' && isWorkbook(name));
      yield* isOffered ? leftOut.offered(name, bytes, kind) : leftOut.add(name, kind);
    } else {
      found = true;
      const document = documentOf(kind, name, bytes);
      const medicine = medicineIn(document);
      yield* medicine ? drugs.take(document, medicine) : [document];
    }
  }
  if (!found && leftOut.byItself.length > 0) {
    const names = leftOut.byItself.slice(0, MOST_TOLD).join(', ');
    throw invalidFile(`none of its tables is of a kind that is read by itself: unpack it, and give one by one ${names}`, 'by-itself');
  }
  if (!found) {
    throw invalidFile(
      'no file in the archive can be a document: look for one in XML, FHIR in JSON, PDF or a picture and give that',
      'empty',
    );
  }
  yield* resources.rest();
  yield* told.items();
  yield* leftOut.items();
}

/**
 * already: finds the document of a record that is a file or contains it, to warn a person who is about to add the file
 * again.
 */
import { sha256 } from '../../core/base/ids';
import type { Id } from '../../core/base/types';
import { factTables } from '../../core/facts/model/fact-tables';
import { unwrapFile, type FindHeld } from '../../core/files/envelope';
import type { Services } from '../../core/services';
import { columnSql } from '../../core/facts/apply-plan';
import { UnreadableContent } from '../../core/sealing/contents-store';
import type { KnownDocument } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';

/** The model of files that documents contain, and its field that says how long one is. */
const FILES = { model: 'StoredFile', size: 'bytes' };

/** How many files of the same length are compared. */
const COMPARED = 3;

async function contains(
  find: FindHeld,
  open: () => Promise<Buffer>,
  file: Buffer,
  vocabBase: string,
): Promise<boolean> {
  try {
    return (await unwrapFile(find, await open(), vocabBase))?.bytes.equals(file) ?? false;
  } catch (error) {
    // A document that cannot be read is reported where it is read. Here it only cannot be compared.
    if (error instanceof UnreadableContent) {
      return false;
    }
    throw error;
  }
}

/**
 * The documents are found by the length of the file, which is stored and has an index. A digest of each file would tell
 * more to a reader of the database.
 */
async function containing(
  services: Services,
  recordId: Id,
  file: Buffer,
  owner: string | undefined,
): Promise<KnownDocument | undefined> {
  const { models, database, contents, config } = services;
  const plan = factTables(models()).get(FILES.model);
  const size = plan?.columns.find(({ name }) => name === FILES.size);
  if (!plan || !size) {
    return undefined;
  }
  const find: FindHeld = (bytes, namespace) => services.reader.heldFile(bytes, namespace, owner);
  const fact = { table: plan.table, column: columnSql(database.dialect, 'fact', size), value: file.length };
  for (const { known, open } of await documentStore.findByFact(database.reads, contents, recordId, fact, COMPARED)) {
    if (await contains(find, open, file, config.vocabBase)) {
      return known;
    }
  }
  return undefined;
}

/**
 * Searches the whole record, so the caller must have full control of it. A void document is treated as missing.
 * @param contained the file is no document itself: a document would contain it
 * @param owner the principal for whom documents are read
 */
export function knownDocument(
  services: Services,
  recordId: Id,
  bytes: Buffer,
  contained: boolean,
  owner: string | undefined,
): Promise<KnownDocument | undefined> {
  return contained
    ? containing(services, recordId, bytes, owner)
    : documentStore.findByDigest(services.database.reads, recordId, sha256(bytes));
}

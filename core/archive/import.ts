/**
 * import: makes a record of this installation from an archive. The whole archive is checked first. Then everything that
 * nobody can see is written in parts, read back and compared. One last transaction makes the record and everything that
 * leads to it.
 */
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTempFolder } from '../base/temp-folder';
import { SetupError } from '../base/errors';
import { linesOf } from '../base/lines';
import type { Config } from '../config/schema';
import type { RecordFile } from './format';
import { ImportedRows, type RowTools, type Stored } from './import-rows';
import { beginImport, deadImports, undoImport } from './unfinished';
import { verifyArchive, type Checked } from './verify';

type ImportTools = RowTools & { readonly config: Config };

export type Imported = {
  readonly recordId: string;
  /** True: ids of the archive were taken here, so every row has a new id. */
  readonly newIds: boolean;
  readonly documents: number;
  readonly files: number;
  /** SHA-256 of the manifest. */
  readonly manifest: string;
  readonly newAccounts: readonly string[];
  /** What could not be imported, and why; the archive still has it. */
  readonly leftOut: readonly string[];
};

export type Report = {
  /** A file of the archive was compared with the manifest. */
  readonly checked: (checked: Checked) => void;
  /** The archive is whole; this many documents follow. */
  readonly begin: (documents: number) => void;
  readonly stored: Stored;
};

function refuseOtherVocabulary({ vocab_base: there }: RecordFile, { vocabBase: here }: Config): void {
  if (there !== here) {
    throw new SetupError([
      `the archive names document types below ${there}, this installation below ${here}: set SVC_VOCAB_BASE alike`,
    ]);
  }
}

async function countDocuments(scratch: string): Promise<number> {
  let count = 0;
  for await (const _line of linesOf(join(scratch, 'documents.jsonl'))) {
    count += 1;
  }
  return count;
}

/**
 * @throws SetupError when the file does not exist or cannot be read; this is checked before anything is opened or made
 */
export async function requireArchive(file: string): Promise<void> {
  await access(file, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new SetupError([`${file} ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}`]);
  });
}

/**
 * Imports the record of an archive. Nothing that is stored already is changed.
 * @throws SetupError when the archive is not whole, does not fit this installation, or names people that are apps here
 */
export async function importRecord(tools: ImportTools, file: string, report: Report): Promise<Imported> {
  for (const recordId of await deadImports(tools)) {
    await undoImport(tools, recordId);
  }
  // The unpacked health data is removed when the process ends, even if a signal ends it.
  return withTempFolder(join(tmpdir(), 'svc-import'), async (scratch) => {
    const { opening, files, manifest } = await verifyArchive(file, scratch, report.checked);
    refuseOtherVocabulary(opening, tools.config);
    const work = new ImportedRows(tools, scratch, opening, report.stored);
    await work.prepare();
    const documents = await countDocuments(scratch);
    report.begin(documents);
    await beginImport(tools, work.recordId);
    try {
      await work.writeContents(file);
      await work.writeHidden();
      await work.writeAudits(manifest);
      await work.publish();
    } catch (error) {
      await undoImport(tools, work.recordId);
      throw error;
    }
    return {
      recordId: work.recordId,
      newIds: work.newIds,
      documents,
      files,
      manifest,
      newAccounts: work.newAccounts,
      leftOut: [...work.leftOut],
    };
  });
}

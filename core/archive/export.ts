/**
 * export: writes everything that belongs to one record into one archive (see format). It is read in one snapshot and
 * page by page, so that the archive is consistent while the service goes on writing, and the memory that it needs does
 * not grow with the record.
 */
import { constants, createWriteStream, existsSync } from 'node:fs';
import { copyFile, link, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { AuditSigner } from '../audit/signer';
import { recordTrail } from '../audit/trail';
import { toTimestamp, wireTime, type Clock } from '../base/clock';
import { withTempFolder } from '../base/temp-folder';
import { errors, SetupError } from '../base/errors';
import { projectVersion } from '../base/paths';
import type { Config } from '../config/schema';
import type { Database, Reads } from '../db/database';
import type { Dialect } from '../db/dialect';
import { factDialect } from '../facts/fact-dialect';
import { inParts } from '../db/in-parts';
import { countRows } from '../db/page';
import { contentsOf, factPages, pagesOf, rowsBelonging } from '../sealing/rows-store';
import { type RawRow, markOf, openRow } from '../sealing/tables-store';
import type { ContentKey, Contents, Sealer } from '../sealing/contents-store';
import { toFact, type FactTables } from '../facts/store';
import {
  factFile,
  folderOf,
  FORMAT,
  INDEX_FILE,
  PRINCIPALS_FILE,
  RECORD_FILE,
  type RecordFile,
  type Row,
} from './format';
import { IndexPage, type Lineage } from './index-page';
import { Packer } from './packer';
import { columnsOf, parts, type Part } from './parts';
import { toArchivedRow, archivedColumns, contentFile, contentKey } from './rows';

type ExportTools = {
  readonly config: Config;
  readonly database: Database;
  readonly contents: Contents;
  readonly tables: FactTables;
  readonly clock: Clock;
  readonly signer: AuditSigner;
};

/** What writing the bytes needs. */
type Writing = Omit<ExportTools, 'signer'>;

export type Exported = {
  readonly recordId: string;
  readonly documents: number;
  readonly files: number;
  /** Bytes of the archive. */
  readonly bytes: number;
  /** SHA-256 of the manifest, which has the digests of all other files. */
  readonly manifest: string;
  /** What is missing in the archive, for the operator. */
  readonly leftOut: readonly string[];
};

/** Called with the number of documents first, then once for each of them. */
type Steps = { readonly begin: (documents: number) => void; readonly step: () => void };

/** A batch ends after this number of rows, or with the row that exceeds this number of bytes. */
const [ROWS, BYTES] = [200, 1_000_000];

const bySize = async function* (rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += Number(row['size']);
    if (batch.length === ROWS || bytes > BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
};

class Source {
  readonly principals = new Set<string>();
  /**
   * Documents whose facts are left out, because the settings do not have their models. Wherever the archive is
   * imported, `svc reprocess` has to make these facts.
   */
  private readonly withoutFacts = new Set<string>();
  readonly leftOut: string[] = [];
  constructor(
    readonly on: Reads,
    readonly dialect: Dialect,
    readonly sealer: Sealer,
    readonly recordId: string,
  ) {}

  async leaveOutUnknown(tables: FactTables): Promise<void> {
    const known = new Set([...tables.values()].map(({ table }) => table));
    for (const table of (await factDialect(this.dialect).factTables(this.on)).filter((name) => !known.has(name))) {
      const rows = (await this.on(table)
        .where({ _record_id: this.recordId })
        .distinct({ id: '_document_id' })) as readonly { id: string }[];
      rows.forEach(({ id }) => this.withoutFacts.add(id));
      if (rows.length > 0) {
        this.leftOut.push(
          `facts of ${rows.length} documents in ${table}, whose model is not in SVC_DATAMODELS_DIR: svc reprocess ` +
            'makes them again where it is',
        );
      }
    }
  }

  /** Pages of the ids of a part's rows. */
  private async *idPages(table: string): AsyncGenerator<readonly string[]> {
    const part = parts.find((one) => one.table === table)!;
    const column = part.reach.column;
    for await (const page of pagesOf(this.on, {
      table,
      column,
      value: this.recordId,
      order: part.reach.order,
      columns: ['id'],
    })) {
      yield page.map((row) => String(row['id']));
    }
  }

  private async *rawPages({ table, reach }: Part): AsyncGenerator<readonly RawRow[]> {
    const columns = [...archivedColumns(table), ...(markOf(table) === 'sealed_texts' ? ['sealed_texts'] : [])];
    if (reach.by === 'column') {
      yield* pagesOf(this.on, {
        table,
        column: reach.column,
        value: this.recordId,
        order: reach.order,
        columns,
      });
      return;
    }
    for await (const values of this.idPages(reach.part)) {
      yield await rowsBelonging(this.on, {
        table,
        column: reach.column,
        values,
        order: reach.order,
        columns,
      });
    }
  }

  /** The rows of a part. A row with content names the file that holds it. */
  async *rows(part: Part): AsyncGenerator<Row> {
    let number = 0;
    for await (const page of this.rawPages(part)) {
      for (const raw of page) {
        const whole = toArchivedRow(part.table, part.content ? raw : openRow(part.table, this.sealer, raw));
        const row =
          part.table === 'document' && this.withoutFacts.has(String(whole['id']))
            ? { ...whole, fingerprint: null }
            : whole;
        number += 1;
        this.note(part.table, row);
        yield part.content ? { ...row, file: contentFile(part.content.folder, number, row) } : row;
      }
    }
  }

  /** Remembers the principals that a row names. Audit rows are passed over, because they name strangers, too. */
  note(table: string, row: Row): void {
    if (table === 'audit') {
      return;
    }
    for (const { name, kind } of columnsOf(table)) {
      if (kind === 'principal' && typeof row[name] === 'string') {
        this.principals.add(row[name]);
      }
    }
  }

  async one(table: string, column: string): Promise<Row | undefined> {
    const [raw] = (await this.on(table)
      .where(column, this.recordId)
      .select([...archivedColumns(table)])) as readonly RawRow[];
    return raw && toArchivedRow(table, raw);
  }

  /** The rows of a part with their content; many small contents are read with one query. */
  async *contents(part: Part): AsyncGenerator<readonly [Row, Buffer]> {
    for await (const rows of bySize(this.rows(part))) {
      const contents = await contentsOf(this.on, this.sealer, part.table, rows.map(contentKey));
      yield* rows.map((row, index) => [row, contents[index]!] as const);
    }
  }
}

const asLines = async function* (rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) {
    yield JSON.stringify(row);
  }
};

const principalRows = async function* ({ on, principals }: Source): AsyncGenerator<object> {
  for (const ids of inParts([...principals].sort())) {
    yield* (await on('principal').whereIn('id', ids).orderBy('id').select('id', 'kind', 'name')) as readonly object[];
  }
};

async function lineagesOf({ on }: Source, page: IndexPage): Promise<readonly Lineage[]> {
  const found: Lineage[] = [];
  for (const ids of inParts(page.lineageIds())) {
    found.push(...((await on('document_lineage').whereIn('id', ids).select('id', 'status', 'label')) as Lineage[]));
  }
  return found;
}

const factRows = async function* (source: Source, tables: FactTables, model: string): AsyncGenerator<object> {
  const plan = tables.get(model)!;
  for await (const page of factPages(source.on, source.dialect, plan, source.recordId)) {
    for (const row of page) {
      const { id, documentId, lineageId, parentId, createdAt, statementId, values, partialDates } = toFact(plan, row);
      yield {
        id,
        document_id: documentId,
        lineage_id: lineageId,
        parent_id: parentId,
        created_at: createdAt,
        statement_id: statementId,
        values,
        ...(partialDates && { partial_dates: partialDates }),
      };
    }
  }
};

/**
 * Yields the archive's bytes before compression.
 * @returns the digest of the manifest
 */
const pack = async function* (
  source: Source,
  { config, tables, clock }: Writing,
  packer: Packer,
  steps: Steps,
): AsyncGenerator<Buffer, string> {
  const record = (await source.one('record', 'id'))!;
  source.note('record', record);
  const opening: RecordFile = {
    format: FORMAT,
    service: projectVersion,
    exported_at: wireTime(toTimestamp(clock.now())),
    vocab_base: config.vocabBase,
    record,
    demographics: (await source.one('demographics', 'record_id')) ?? null,
  };
  yield* packer.bytes(RECORD_FILE, Buffer.from(`${JSON.stringify(opening, null, 1)}\n`));
  const page = new IndexPage(opening);
  for (const part of parts) {
    yield* packer.lines(part.file, asLines(source.rows(part)));
  }
  for (const model of tables.keys()) {
    yield* packer.lines(factFile(model), asLines(factRows(source, tables, model)));
  }
  for (const part of parts.filter(({ content }) => content !== undefined)) {
    for await (const [row, content] of source.contents(part)) {
      yield* packer.bytes(String(row['file']), content);
      if (part.table === 'document') {
        page.add(row);
        steps.step();
      }
    }
  }
  yield* packer.lines(PRINCIPALS_FILE, asLines(principalRows(source)));
  yield* packer.bytes(INDEX_FILE, Buffer.from(page.text(await lineagesOf(source, page))));
  return yield* packer.end();
};

function alreadyThere(file: string): SetupError {
  return new SetupError([`${file} is there already: give another name`]);
}

/**
 * Gives the finished file its name. If the name has been taken meanwhile, this fails, so that no file is ever replaced.
 */
async function publish(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw alreadyThere(file);
    }
    // Some file systems have no hard links.
    await copyFile(draft, file, constants.COPYFILE_EXCL);
  }
}

async function writeArchive(
  tools: Writing,
  recordId: string,
  scratch: string,
  steps: Steps,
): Promise<Omit<Exported, 'bytes'>> {
  return tools.database.snapshot(async (on) => {
    // A record that is being forgotten has no key any more.
    const held = (await on('record').where({ id: recordId }).whereNot('creator_id', '').first('content_key')) as
      { content_key: ContentKey } | undefined;
    if (!held) {
      throw new SetupError([`there is no record ${recordId}: svc records list ACCOUNT shows the ids`]);
    }
    const source = new Source(on, tools.database.dialect, tools.contents.under(held.content_key), recordId);
    await source.leaveOutUnknown(tools.tables);
    const documents = await countRows(on('document').where({ record_id: recordId }));
    steps.begin(documents);
    const packer = new Packer(folderOf(recordId), scratch, new Date(tools.clock.now()));
    let manifest = '';
    const bytes = async function* (): AsyncGenerator<Buffer> {
      manifest = yield* pack(source, tools, packer, steps);
    };
    await pipeline(bytes, createGzip(), createWriteStream(join(scratch, 'archive'), { mode: 0o600 }));
    return { recordId, documents, files: packer.files, manifest, leftOut: source.leftOut };
  });
}

/**
 * Flushes the file to the disk, so that it survives a power cut.
 * @returns its size in bytes
 */
async function toDisk(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/**
 * Writes the archive of a record. The file appears only when it is complete.
 * @throws SetupError for an unknown record and when the file exists already
 */
export async function exportRecord(
  tools: ExportTools,
  recordId: string,
  target: string,
  steps: Steps,
): Promise<Exported> {
  const file = resolve(target);
  if (existsSync(file)) {
    throw alreadyThere(file);
  }
  return withTempFolder(file, async (scratch) => {
    const exported = await writeArchive(tools, recordId, scratch, steps);
    const bytes = await toDisk(join(scratch, 'archive'));
    await publish(join(scratch, 'archive'), file);
    await recordTrail(tools, [{ function_name: 'record_export', record_id: recordId }]);
    return { ...exported, bytes };
  });
}

export type OpenArchive = { readonly stream: Readable; readonly bytes: number };

/** More archives at once would slow down other requests. */
const AT_ONCE = 2;
let writing = 0;

/**
 * The archive of a record, for a caller who may have it; the caller writes the audit row. The archive is made in a
 * temporary folder that is removed before the first byte is read. A slow reader thus holds neither a snapshot of the
 * database nor a file that anybody else can open.
 * @throws errors.unavailable while others are being made
 */
export async function openArchive(tools: Writing, recordId: string): Promise<OpenArchive> {
  if (writing >= AT_ONCE) {
    throw errors.unavailable('other archives are being made');
  }
  writing += 1;
  try {
    return await withTempFolder(join(tmpdir(), 'archive'), async (scratch) => {
      await writeArchive(tools, recordId, scratch, { begin: () => undefined, step: () => undefined });
      const handle = await open(join(scratch, 'archive'));
      const { size } = await handle.stat();
      return { stream: handle.createReadStream(), bytes: size };
    });
  } finally {
    writing -= 1;
  }
}

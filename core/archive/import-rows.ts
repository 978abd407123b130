/** import-rows: writes the rows of an archive into their tables, under the ids that they get here. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorName } from '../audit/operator';
import type { AuditFacts } from '../audit/row';
import type { AuditSigner } from '../audit/signer';
import { recordTrail } from '../audit/trail';
import { makeAuditWriter } from '../audit/writer';
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { SetupError } from '../base/errors';
import { sha256 } from '../base/ids';
import type { Database, Transaction } from '../db/database';
import { beginningOf, insertParts, PART_BYTES } from '../documents/parts-store';
import { awaitTexts } from '../documents/texts-store';
import { hasRoomFor, isClock, partialDatesText } from '../facts/partial-dates';
import { idReference, isDate, type PartialDates, type PlannedColumn, type TablePlan } from '../facts/plans';
import type { ContentKey, Contents, Sealer } from '../sealing/contents-store';
import { contentsOf, takenIds, writeRows } from '../sealing/rows-store';
import { type RawRow, markOf, sealRow } from '../sealing/tables-store';
import { missAllResources } from '../documents/kept-resources-store';
import { insertFactRows, referredStatement, type FactRow, type FactTables, type NewFact } from '../facts/store';
import { checkReferences, isForReaders, type CheckedReferences } from './check-references';
import { factFile, PRINCIPALS_FILE, type RecordFile, type Row } from './format';
import { addPrincipals, matchPrincipals, readPrincipals, type Matched } from './import-principals';
import { inPages, readRows } from './json-lines';
import { otherIds, sameIds } from './new-ids';
import { columnsOf, partOfFolder, parts, type Part } from './parts';
import { isOwn, referencesOf } from './references';
import { contentKey, toStoredRow } from './rows';
import { endImport, tellImportLives } from './unfinished';
import { unpack } from './unpack';

export type RowTools = {
  readonly database: Database;
  readonly tables: FactTables;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly contents: Contents;
  readonly signer: AuditSigner;
};

/** Called when a document was stored and read back, and still has its digest. */
export type Stored = (document: { readonly id: string; readonly digest: string }) => void;

const ROWS = 500;
/** Together with one more part of a document, these bytes fit into one statement. */
const BYTES = PART_BYTES;

const stampLength = 27;
const dayLength = 10;

/**
 * Whether a value fits a column here: a model of the same name may differ from the one with which the facts were made.
 */
function fitsColumn({ kind, type }: PlannedColumn, value: unknown): boolean {
  if (value === null || value === undefined) {
    return true;
  }
  switch (kind) {
    case 'number':
    case 'integer':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'datetime':
      return typeof value === 'string' && value.length === stampLength;
    case 'date':
      return typeof value === 'string' && value.length === dayLength;
    default:
      return (
        typeof value === 'string' &&
        (!type.startsWith('text:') || [...value].length <= Number(type.slice('text:'.length)))
      );
  }
}

/** How the archive says that dates are meant, for those dates that the model here has. */
function partialDatesIn({ columns }: TablePlan, said: unknown): PartialDates {
  const given = new Map(Object.entries(typeof said === 'object' && said !== null ? said : {}));
  return Object.fromEntries(
    columns.filter(isDate).flatMap(({ name }) => {
      const how: unknown = given.get(name);
      return how === 'month' || how === 'year' || isClock(how) ? [[name, how] as const] : [];
    }),
  );
}

/** Documents of FHIR have no up-to-date mark: `svc reprocess` makes the resources that go out as they came. */
function toReadAnew({ table }: Part, row: Row): Row {
  return table === 'document' && String(row['type']).startsWith('http://hl7.org/fhir#')
    ? { ...row, fingerprint: null }
    : row;
}

function beginningIn(row: RawRow): Buffer {
  return beginningOf(row['content'] as Buffer);
}

export class ImportedRows {
  /** What could not be imported, and why. */
  readonly leftOut = new Set<string>();
  private idFor: (id: string) => string = sameIds;
  /** The mark of rows that say what happened in another installation. */
  private readonly mark: { readonly imported_by: string; readonly imported_at: string };
  /** The key of the record that is being made. No row holds it before the last transaction. */
  private contentKey: ContentKey = null;
  private matched: Matched = { missing: [], apps: new Set() };
  private references: CheckedReferences = { readers: new Set(), named: new Set() };

  constructor(
    private readonly tools: RowTools,
    private readonly scratch: string,
    private readonly opening: RecordFile,
    private readonly stored: Stored,
  ) {
    this.mark = { imported_by: operatorName(), imported_at: toTimestamp(tools.clock.now()) };
  }

  get recordId(): string {
    return this.idFor(String(this.opening.record['id']));
  }
  private get sealer(): Sealer {
    return this.tools.contents.under(this.contentKey);
  }
  get newIds(): boolean {
    return this.idFor !== sameIds;
  }
  get newAccounts(): readonly string[] {
    return this.matched.missing.filter(({ kind }) => kind === 'account').map(({ id }) => id);
  }

  private rows(file: string): AsyncGenerator<Row> {
    return readRows(join(this.scratch, file), file);
  }

  /**
   * Checks whether the archive names only what it holds, whether its ids are free here, and which of its people and apps
   * are known.
   */
  async prepare(): Promise<void> {
    const listed = await readPrincipals(this.rows(PRINCIPALS_FILE));
    const { missing, apps } = await matchPrincipals(this.tools.database, listed);
    this.references = await checkReferences(this.scratch, this.opening, listed);
    this.matched = { missing: missing.filter(({ id }) => this.references.named.has(id)), apps };
    this.idFor = (await this.anyTaken()) ? otherIds() : sameIds;
    this.contentKey = await this.tools.contents.newKey(this.tools.database.reads);
  }

  private async anyTaken(): Promise<boolean> {
    const { database } = this.tools;
    const recordId = String(this.opening.record['id']);
    // The audits of a record that was removed here remain; they must not become those of another record.
    for (const [table, column] of [
      ['record', 'id'],
      ['document', 'record_id'],
      ['audit', 'record_id'],
    ] as const) {
      if ((await takenIds(database.reads, table, column, [recordId])).length > 0) {
        return true;
      }
    }
    for (const { table, file } of parts.filter(({ table }) => referencesOf(table).some(isOwn))) {
      if (await this.isAnyTaken(table, 'id', file)) {
        return true;
      }
    }
    for (const model of await this.modelsWithFacts()) {
      const plan = this.tools.tables.get(model);
      if (plan && (await this.isAnyTaken(plan.table, '_id', factFile(model)))) {
        return true;
      }
    }
    return false;
  }

  private async isAnyTaken(table: string, column: string, file: string): Promise<boolean> {
    for await (const page of inPages(this.rows(file))) {
      const ids = page.map((row) => String(row['id']));
      if ((await takenIds(this.tools.database.reads, table, column, ids)).length > 0) {
        return true;
      }
    }
    return false;
  }

  private async modelsWithFacts(): Promise<readonly string[]> {
    const names = await readdir(join(this.scratch, 'facts')).catch(() => []);
    return names.map((name) => name.replace(/\.jsonl$/, ''));
  }

  /** Apps that are not registered here get nothing back, and nobody gets messages about what they may not see. */
  private admits({ table }: Part, row: Row): boolean {
    if (!isForReaders(table, row, this.references.readers)) {
      this.leftOut.add(`${String(row['account_id'])} may not see the whole record: their messages were left out`);
      return false;
    }
    const app = ['record_app', 'carenet_app', 'app_document'].includes(table) ? String(row['app_id']) : undefined;
    if (app !== undefined && !this.matched.apps.has(app)) {
      this.leftOut.add(`${app} is not registered here: its access to the record and what it kept there were left out`);
      return false;
    }
    return true;
  }

  private async write(trx: Transaction, part: Part, rows: readonly RawRow[]): Promise<void> {
    const columns = columnsOf(part.table).map(({ name }) => name);
    const marked = columns.includes('imported_by') ? rows.map((row) => ({ ...row, ...this.mark })) : rows;
    const mark = markOf(part.table);
    const isDocument = part.table === 'document';
    await writeRows(
      trx,
      part.table,
      [...columns, ...(mark ? [mark] : [])],
      marked.map((row) => sealRow(part.table, this.sealer, isDocument ? { ...row, content: beginningIn(row) } : row)),
    );
    for (const row of isDocument ? rows : []) {
      const [recordId, id] = [String(row['record_id']), String(row['id'])];
      await insertParts(trx, this.sealer, { recordId, id, content: row['content'] as Buffer });
    }
  }

  private alive(): Promise<unknown> {
    return tellImportLives(this.tools, this.recordId);
  }

  /** Writes the rows that show the record to nobody and have no content, page by page, and the facts. */
  async writeHidden(): Promise<void> {
    for (const part of parts.filter(({ visible, content }) => !visible && !content)) {
      for await (const page of inPages(this.rows(part.file))) {
        await this.tools.database.transaction((trx) =>
          this.write(
            trx,
            part,
            page.map((row) => toStoredRow(part.table, row, this.idFor)),
          ),
        );
        await this.alive();
      }
    }
    for (const model of await this.modelsWithFacts()) {
      const plan = this.tools.tables.get(model);
      if (plan) {
        await this.writeFacts(model, plan);
      } else if ((await stat(join(this.scratch, factFile(model)))).size > 0) {
        this.leftOut.add(
          `there is no data model ${model} here: facts of it were left out; svc reprocess makes them once there is`,
        );
        for await (const page of inPages(this.rows(factFile(model)))) {
          await this.leaveOut(page);
        }
      }
    }
  }

  /**
   * The values of a fact. With new ids, the id of a statement no longer follows from its key, so the fact then refers
   * to other statements by their ids.
   */
  private valuesOf({ columns }: TablePlan, row: Row): FactRow {
    const values = row['values'] as FactRow;
    if (!this.newIds) {
      return values;
    }
    const naming = columns.filter(({ statement }) => statement === true);
    const named = naming.flatMap(({ name }) => {
      const meant = referredStatement(String(row['lineage_id']), String(values[name] ?? ''));
      return meant ? [[name, idReference(meant.model, this.idFor(meant.id))] as const] : [];
    });
    return { ...values, ...Object.fromEntries(named) };
  }

  private async writeFacts(model: string, plan: TablePlan): Promise<void> {
    const id = (row: Row, name: string): string | null =>
      row[name] === null || row[name] === undefined ? null : this.idFor(String(row[name]));
    const toFact = (row: Row): NewFact => ({
      base: [
        id(row, 'id'),
        this.recordId,
        id(row, 'document_id'),
        id(row, 'lineage_id'),
        id(row, 'parent_id'),
        String(row['created_at']),
        // Archives of earlier releases have no ids of statements.
        id(row, 'statement_id'),
        partialDatesText(partialDatesIn(plan, row['partial_dates'])),
      ],
      values: this.valuesOf(plan, row),
    });
    const known = (row: Row): boolean =>
      plan.columns.every((column) => fitsColumn(column, (row['values'] as FactRow)[column.name])) &&
      hasRoomFor(partialDatesIn(plan, row['partial_dates']));
    for await (const page of inPages(this.rows(factFile(model)))) {
      await this.tools.database.transaction((trx) => insertFactRows(trx, plan, page.filter(known).map(toFact)));
      const strange = page.filter((row) => !known(row));
      if (strange.length > 0) {
        this.leftOut.add(
          `the data model ${model} is another one here: facts that do not fit it were left out; svc reprocess makes them again`,
        );
        await this.leaveOut(strange);
      }
      await this.alive();
    }
  }

  /**
   * Marks the documents of facts that are left out, so that `svc reprocess` makes the facts again, even if this
   * installation has the very format that made them, now or later.
   */
  private async leaveOut(facts: readonly Row[]): Promise<void> {
    const ids = [...new Set(facts.map((row) => this.idFor(String(row['document_id']))))];
    await this.tools.database.transaction((trx) => trx('document').whereIn('id', ids).update({ fingerprint: null }));
    await this.alive();
  }

  /** Writes the rows with content in the order of the archive's files, which is the order of their lines. */
  async writeContents(file: string): Promise<void> {
    const lines = new Map<Part, AsyncGenerator<Row>>();
    try {
      await this.writeFiles(file, lines);
    } finally {
      await Promise.all([...lines.values()].map((rows) => rows.return(undefined)));
    }
  }

  private async writeFiles(file: string, lines: Map<Part, AsyncGenerator<Row>>): Promise<void> {
    let batch: { part: Part; row: Row; content: Buffer }[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (batch.length > 0) {
        await this.storeContents(batch[0]!.part, batch);
      }
      batch = [];
      bytes = 0;
    };
    await unpack(file, async ({ name, whole }) => {
      const part = partOfFolder(name.split('/')[0]!);
      if (!part || !name.includes('/')) {
        return;
      }
      const rows = lines.get(part) ?? this.rows(part.file);
      lines.set(part, rows);
      const next = await rows.next();
      const row = next.done ? undefined : next.value;
      if (row?.['file'] !== name) {
        throw new SetupError([
          `the archive has ${name} where ${part.file} names ${String(row?.['file'] ?? 'nothing')}: nothing was imported`,
        ]);
      }
      if (batch.length >= ROWS || bytes > BYTES || (batch[0] && batch[0].part !== part)) {
        await flush();
      }
      if (this.admits(part, row)) {
        const content = await whole();
        batch.push({ part, row, content });
        bytes += content.length;
      }
    });
    await flush();
  }

  private async storeContents(
    part: Part,
    batch: readonly { readonly row: Row; readonly content: Buffer }[],
  ): Promise<void> {
    const { database } = this.tools;
    await database.transaction((trx) =>
      this.write(
        trx,
        part,
        batch.map(({ row, content }) => toStoredRow(part.table, toReadAnew(part, row), this.idFor, content)),
      ),
    );
    const stored = await contentsOf(
      database.reads,
      this.sealer,
      part.table,
      batch.map(({ row }) => contentKey(toStoredRow(part.table, row, this.idFor) as Row)),
    );
    for (const [index, { row, content }] of batch.entries()) {
      const digest = sha256(stored[index]!);
      if (digest !== sha256(content) || (row['digest'] !== undefined && row['digest'] !== digest)) {
        throw new SetupError([`${String(row['file'])} does not have the digest of its line: nothing was imported`]);
      }
      if (part.table === 'document') {
        this.stored({ id: this.idFor(String(row['id'])), digest });
      }
    }
    await this.alive();
  }

  /**
   * Writes the audits of the archive, and a row for the import itself. Nobody saw the calls of these audits here, so
   * each row also says who imported it, and its hash covers that: the chain proves the import, and not what the archive
   * says.
   */
  async writeAudits(manifest: string): Promise<void> {
    const writer = makeAuditWriter(this.tools);
    for await (const page of inPages(this.rows('audits.jsonl'))) {
      await Promise.all(
        page.map((row) => {
          const { writer_id: _w, writer_seq: _s, hash: _h, ...facts } = toStoredRow('audit', row, this.idFor);
          return writer.write({ ...facts, ...this.mark } as AuditFacts);
        }),
      );
      await this.alive();
    }
    await writer.drain();
    await recordTrail(this.tools, [
      { function_name: 'record_import', record_id: this.recordId, external_id: manifest },
    ]);
  }

  private async writeVisible(trx: Transaction): Promise<void> {
    for (const part of parts.filter(({ visible, table }) => visible && table !== 'audit')) {
      for await (const page of inPages(this.rows(part.file))) {
        const rows = page
          .filter((row) => this.admits(part, row))
          .map((row) => toStoredRow(part.table, row, this.idFor));
        await this.write(trx, part, part.table === 'message' ? await this.withoutTakenNames(trx, rows) : rows);
      }
    }
  }

  /**
   * An `external_id` may occur once for each account and sender. A message whose `external_id` is taken is stored
   * without it.
   */
  private async withoutTakenNames(trx: Transaction, rows: readonly RawRow[]): Promise<readonly RawRow[]> {
    const named = [
      ...new Set(rows.map((row) => row['external_id']).filter((name) => name !== null && name !== undefined)),
    ] as string[];
    const taken =
      named.length === 0
        ? []
        : ((await trx('message')
            .whereIn('external_id', named)
            .select('account_id', 'sender_id', 'external_id')) as RawRow[]);
    const isTaken = (row: RawRow): boolean =>
      taken.some((one) => ['account_id', 'sender_id', 'external_id'].every((name) => one[name] === row[name]));
    return rows.map((row) => (isTaken(row) ? { ...row, external_id: null } : row));
  }

  private async recordRow(trx: Transaction): Promise<RawRow> {
    const row = toStoredRow('record', this.opening.record, this.idFor);
    const external = { external_app_id: row['external_app_id'] ?? null, external_id: row['external_id'] ?? null };
    if (external.external_id !== null && (await trx('record').where(external).first('id')) !== undefined) {
      this.leftOut.add(
        `the external id ${String(external.external_id)} belongs to another record here: the record comes without one`,
      );
      return { ...row, external_app_id: null, external_id: null };
    }
    return row;
  }

  /** Makes the record visible to everybody who may see it, all at once. */
  publish(): Promise<void> {
    const { database, sealing, clock } = this.tools;
    return database.transaction(async (trx) => {
      await addPrincipals(trx, this.matched.missing, sealing, toTimestamp(clock.now()));
      if (this.opening.demographics) {
        await writeRows(
          trx,
          'demographics',
          columnsOf('demographics').map(({ name }) => name),
          [toStoredRow('demographics', this.opening.demographics, this.idFor)],
        );
      }
      await this.writeVisible(trx);
      await writeRows(
        trx,
        'record',
        [...columnsOf('record').map(({ name }) => name), 'content_key'],
        [{ ...(await this.recordRow(trx)), content_key: this.contentKey }],
      );
      await awaitTexts(trx, this.recordId);
      await missAllResources(trx, this.recordId);
      await endImport(trx, this.recordId);
    });
  }
}

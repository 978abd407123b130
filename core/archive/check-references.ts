/**
 * check-references: compares everything that the rows of an archive name with what the archive itself holds, before
 * anything is written (see references).
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SetupError } from '../base/errors';
import { isId } from '../base/ids';
import { ScratchIds, type NamedId } from './scratch-ids';
import { factFile, type PrincipalLine, type RecordFile, type Row, RECORD_FILE } from './format';
import { inPages, readRows } from './json-lines';
import { parts } from './parts';
import { FACT, referencesOf, type Reference } from './references';

export type CheckedReferences = {
  /** Who may see the whole record. */
  readonly readers: ReadonlySet<string>;
  /** People and apps that the rows to be imported name. */
  readonly named: ReadonlySet<string>;
};

type Checking = {
  readonly ids: ScratchIds;
  readonly recordId: string;
  readonly principals: ReadonlyMap<string, PrincipalLine>;
  readonly readers: Set<string>;
  readonly named: Set<string>;
};

/** Where a row comes from: its table and its file in the archive. */
type Source = { readonly table: string; readonly file: string };

type Found = { readonly defined: Omit<NamedId, 'place'>[]; readonly named: NamedId[] };

function refuseArchive(what: string): never {
  throw new SetupError([`the archive's ${what}: nothing was imported`]);
}

function checkId({ table, file }: Source, { column, rule }: Reference, value: unknown, found: Found): void {
  const id = isId(value) ? value : refuseArchive(`${file} has a ${column} that is no id`);
  if (rule.is === 'own' || rule.is === 'both') {
    found.defined.push({ kind: table, id });
  }
  if (rule.is === 'row' || rule.is === 'both') {
    found.named.push({ kind: rule.of, id, place: `${file} names in ${column}` });
  }
}

function checkPrincipal({ principals }: Checking, { file }: Source, { column, rule }: Reference, value: unknown): void {
  const wanted = rule.is === 'principal' ? rule.kind : 'account';
  const kind = principals.get(String(value))?.kind;
  if (kind === undefined || (wanted !== 'any' && (kind === 'account') !== (wanted === 'account'))) {
    refuseArchive(
      `${file} names in ${column} somebody who is no ${wanted === 'any' ? 'principal' : wanted} of the archive`,
    );
  }
}

function checkValue(checking: Checking, source: Source, reference: Reference, row: Row, found: Found): void {
  const value = row[reference.column] ?? null;
  switch (reference.rule.is) {
    case 'record':
      return value === checking.recordId ? undefined : refuseArchive(`${source.file} has a row of another record`);
    case 'words':
      return undefined;
    default:
      if (value === null) {
        return reference.required ? refuseArchive(`${source.file} has a row without ${reference.column}`) : undefined;
      }
      return reference.rule.is === 'principal' || reference.rule.is === 'reader'
        ? checkPrincipal(checking, source, reference, value)
        : checkId(source, reference, value, found);
  }
}

/** Whether the row is for somebody who may see the whole record, if it is for one person. */
export function isForReaders(table: string, row: Row, readers: ReadonlySet<string>): boolean {
  return referencesOf(table).every(({ column, rule }) => rule.is !== 'reader' || readers.has(String(row[column])));
}

function namesIn(table: string, row: Row): readonly string[] {
  return referencesOf(table)
    .filter(({ rule, column }) => (rule.is === 'principal' || rule.is === 'reader') && typeof row[column] === 'string')
    .map(({ column }) => String(row[column]));
}

function checkPage(checking: Checking, source: Source, rows: readonly Row[]): void {
  const found: Found = { defined: [], named: [] };
  for (const row of rows) {
    referencesOf(source.table).forEach((reference) => checkValue(checking, source, reference, row, found));
    if (source.table === 'record_share') {
      checking.readers.add(String(row['account_id']));
    }
    if (isForReaders(source.table, row, checking.readers)) {
      namesIn(source.table, row).forEach((name) => checking.named.add(name));
    }
  }
  const twice = checking.ids.note(found.defined, found.named);
  if (twice) {
    refuseArchive(`${source.file} has two rows with the id ${twice.id}`);
  }
}

async function checkFile(checking: Checking, scratch: string, source: Source): Promise<void> {
  for await (const page of inPages(readRows(join(scratch, source.file), source.file))) {
    checkPage(checking, source, page);
  }
}

async function checkFacts(checking: Checking, scratch: string): Promise<void> {
  for (const name of await readdir(join(scratch, 'facts')).catch(() => [])) {
    await checkFile(checking, scratch, { table: FACT, file: factFile(name.replace(/\.jsonl$/, '')) });
  }
}

/**
 * Checks every reference of every row, those of the record itself and those of its facts included.
 * @param principals the people and apps that the archive lists
 * @throws SetupError for the first row that names something that the archive does not hold
 */
export async function checkReferences(
  scratch: string,
  { record, demographics }: RecordFile,
  principals: readonly PrincipalLine[],
): Promise<CheckedReferences> {
  const recordId = record['id'];
  const checking: Checking = {
    ids: new ScratchIds(join(scratch, '.ids')),
    recordId: isId(recordId) ? recordId : refuseArchive(`${RECORD_FILE} has an id that is none`),
    principals: new Map(principals.map((line) => [line.id, line])),
    readers: new Set(typeof record['owner_id'] === 'string' ? [record['owner_id']] : []),
    named: new Set(),
  };
  try {
    checkPage(checking, { table: 'record', file: RECORD_FILE }, [record]);
    checkPage(checking, { table: 'demographics', file: RECORD_FILE }, demographics ? [demographics] : []);
    // The parts are in the order in which the shares come before the messages.
    for (const source of parts) {
      await checkFile(checking, scratch, source);
    }
    await checkFacts(checking, scratch);
    const missing = checking.ids.findUndefined();
    return missing ? refuseArchive(`${missing.place} what it does not hold`) : checking;
  } finally {
    checking.ids.close();
  }
}

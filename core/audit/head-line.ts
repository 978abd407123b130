/** head-line: what is kept of the audit log outside the database, as one JSON line for each signed statement (pure). */
import { parseMysqlUrl } from '../config/mysql-url';
import { sqlitePath } from '../config/sqlite-url';
import type { Id, Timestamp } from '../base/types';
import type { CheckpointRow } from './store';
import { checkpointText } from './checkpoint-text';

/** A checkpoint, which is also in the database: how far the chain had come. */
export type HeadLine = CheckpointRow & { readonly kind: 'head'; readonly place: string };

/** The operator's statement that a chain became shorter, because a backup replaced the database. */
export type RestoredLine = {
  readonly kind: 'restored';
  readonly place: string;
  readonly madeAt: Timestamp;
  readonly writerId: Id;
  /** The last row that the chain has now; 0: none. */ readonly writerSeq: number;
  readonly hash: string;
  /** The last row of the heads that are no longer valid. */ readonly was: number;
  readonly why: string;
  readonly signature: string;
};

/** Says that heads are kept from this time on. Rows that were cut off before cannot be noticed. */
type BegunLine = {
  readonly kind: 'begun';
  readonly place: string;
  readonly madeAt: Timestamp;
  readonly signature: string;
};

export type OutsideLine = HeadLine | RestoredLine | BegunLine;

export function restoredText(line: Omit<RestoredLine, 'kind' | 'signature'>): string {
  return JSON.stringify([
    'audit restored',
    1,
    line.place,
    line.writerId,
    line.writerSeq,
    line.hash,
    line.was,
    line.why,
    line.madeAt,
  ]);
}

export function begunText({ place, madeAt }: Omit<BegunLine, 'kind' | 'signature'>): string {
  return JSON.stringify(['audit heads begun', 1, place, madeAt]);
}

/** The text that the signature of a line signs. */
export function signedText(line: OutsideLine): string {
  switch (line.kind) {
    case 'head':
      return checkpointText(line);
    case 'restored':
      return restoredText(line);
    case 'begun':
      return begunText(line);
  }
}

/**
 * The database that a line is about, so that several databases may share a file: the path of its file, or its name at
 * its server.
 */
export function databasePlace(databaseUrl: string): string {
  return sqlitePath(databaseUrl) ?? parseMysqlUrl(databaseUrl).database;
}

function headFields(line: OutsideLine): Readonly<Record<string, unknown>> {
  if (line.kind === 'begun') {
    return {};
  }
  const chain = { chain: line.writerId, row: line.writerSeq, hash: line.hash };
  return line.kind === 'head' ? { ...chain, previous: line.previous } : { ...chain, was: line.was, why: line.why };
}

export function writeOutsideLine(line: OutsideLine): string {
  return JSON.stringify({
    audit: line.kind,
    database: line.place,
    at: line.madeAt,
    ...headFields(line),
    signature: line.signature,
  });
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(fields: Fields): OutsideLine | undefined {
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  const number = (name: string): number => (Number.isSafeInteger(fields[name]) ? (fields[name] as number) : -1);
  const common = { place: text('database'), madeAt: text('at'), signature: text('signature') };
  const chain = { writerId: text('chain'), writerSeq: number('row'), hash: text('hash') };
  switch (fields['audit']) {
    case 'head':
      return { kind: 'head', ...common, ...chain, previous: text('previous') };
    case 'restored':
      return { kind: 'restored', ...common, ...chain, was: number('was'), why: text('why') };
    case 'begun':
      return { kind: 'begun', ...common };
    default:
      return undefined;
  }
}

/** Reads a line of a file of heads, or such a line as a syslog server wrote it; undefined for every other line. */
export function parseLine(text: string): OutsideLine | undefined {
  const begin = text.indexOf('{"audit":"');
  const end = text.lastIndexOf('}');
  if (begin < 0 || end < begin) {
    return undefined;
  }
  try {
    return readFields(JSON.parse(text.slice(begin, end + 1)) as Fields);
  } catch {
    return undefined;
  }
}

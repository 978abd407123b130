/**
 * brought: reads an archive that a person brings in. Anybody may have written it, so nothing of it is believed but
 * documents with what people say beside them (title, day of care, kind, tags, status, which of their facts they left
 * out) and the names of circles: no audit, no principal, no share, no fact. Everything else is counted, so that the
 * answer can say what was not taken.
 */
import { createHash } from 'node:crypto';
import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import { AppError, errors, SetupError } from '../base/errors';
import { typeUri } from '../documents/document-types';
import { MOST_ENVELOPE_BYTES } from '../files/envelope';
import type { Json } from '../base/types';
import { readLeftOutText, type LeftOutFact } from '../documents/left-out-store';
import { FORMAT, MANIFEST_FILE, RECORD_FILE, type Row } from './format';
import { unpackPieces, type Unpacked } from './unpack';

/** What an archive, or something in it, is refused for; a page has a sentence for each. */
type ArchiveFault = 'no-archive' | 'damaged' | 'bomb' | 'many' | 'format' | 'vocabulary' | 'person' | 'nothing';

/** A whole archive that is not taken in. */
export class ArchiveRefused extends AppError {
  constructor(
    readonly reason: ArchiveFault,
    words: string,
  ) {
    const { status, code, message } = errors.invalidDocument(words);
    super(status, code, message);
  }
}

/** A version of a document with what is said beside it, as the archive has it. */
export type BroughtDocument = {
  /** Ids of the archive: they only say which versions belong together. */ readonly id: string;
  readonly firstId: string;
  readonly isLast: boolean;
  readonly isPerson: boolean;
  readonly label: string | null;
  readonly date: string | null;
  readonly kind: string | null;
  readonly tags: readonly string[];
  readonly status: 'active' | 'void' | 'archived';
  readonly reason: string;
  readonly nevershare: boolean;
  /** What a person left out of this version. */ readonly leftOut: readonly LeftOutFact[];
};

/** What was not taken. */
type NotTaken = {
  /** Rows of the history, shares, apps, messages. */ readonly history: number;
  readonly people: number;
  readonly apps: number;
  readonly messages: number;
  /** Documents: those that were taken back, words about single entries of the other record, and too large ones. */
  readonly undone: number;
  readonly words: number;
  readonly large: number;
};

export type Brought = {
  readonly label: string;
  readonly exportedAt: string;
  readonly circles: readonly string[];
  readonly documents: number;
  readonly notTaken: NotTaken;
  /** Digest of its documents: the same record gives the same one. */ readonly digest: string;
};

type BroughtLimits = {
  readonly vocabBase: string;
  /** Bytes of all its files together. */ readonly bytes: number;
  readonly documents: number;
  readonly documentBytes: number;
};

/** An archive has some fifty files beside its documents and what was attached to messages. */
const OTHER_FILES = 10_000;
const LONGEST_LINE = 2_000_000;
const OPENING_BYTES = 1_000_000;
const MOST_CIRCLES = 50;
/** All that was left out is in memory until the documents come. */
const LEFT_OUT_LETTERS = 20_000_000;
const [LABEL, REASON, KIND, TAG, MOST_TAGS, CIRCLE] = [100, 1000, 100, 40, 20, 100] as const;

/** Files whose rows are only counted. */
const counted: Readonly<Record<string, keyof NotTaken>> = {
  'audits.jsonl': 'history',
  'shares.jsonl': 'people',
  'carenet-members.jsonl': 'people',
  'apps.jsonl': 'apps',
  'carenet-apps.jsonl': 'apps',
  'app-documents.jsonl': 'apps',
  'messages.jsonl': 'messages',
};

function damaged(words: string): ArchiveRefused {
  return new ArchiveRefused('damaged', words);
}

/** A text of a row as a person could have typed it; null where it is none. */
function textInRow(row: Row, column: string, most: number): string | null {
  const value = row[column];
  const text =
    typeof value === 'string'
      ? value
          .toWellFormed()
          .replace(/\p{Cc}+/gu, ' ')
          .trim()
      : '';
  return text === '' ? null : [...text].slice(0, most).join('');
}

function idIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string' || !/^[0-9a-zA-Z-]{1,64}$/.test(value)) {
    throw damaged('a row of it has no id');
  }
  return value;
}

function dayIn(row: Row): string | null {
  const day = row['own_date'];
  const time = typeof day === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

function tagsIn(row: Row): readonly string[] {
  const lines = typeof row['tags'] === 'string' ? row['tags'].split('\n') : [];
  const tags = lines.flatMap((line) => textInRow({ line: line.replace(/[,،]/g, ' ') }, 'line', TAG) ?? []);
  return [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()].slice(0, MOST_TAGS);
}

function rowIn(line: string): Row {
  let row: Json | undefined;
  try {
    row = JSON.parse(line) as Json;
  } catch {
    row = undefined;
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw damaged('a line of it is no row');
  }
  return row as Row;
}

/** The lines of a file; the longest one is bounded, since it is in memory as a whole. */
async function* linesIn(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield Buffer.concat([...begun, piece.subarray(from, end)]).toString('utf8');
      [begun, length, from] = [[], 0, end + 1];
    }
    begun.push(piece.subarray(from));
    length += piece.length - from;
    if (length > LONGEST_LINE) {
      throw damaged('a line of it is too long');
    }
  }
  if (length > 0) {
    yield Buffer.concat(begun).toString('utf8');
  }
}

type Lineage = Omit<BroughtDocument, 'id' | 'firstId' | 'isLast' | 'isPerson' | 'leftOut'> & {
  readonly isUndone: boolean;
};

type Version = {
  readonly id: string;
  readonly lineageId: string;
  readonly isWords: boolean;
  readonly mostBytes: number;
};

/** Whether a document only says something of entries of the other record, which have other ids here. */
function saysOfEntries(row: Row): boolean {
  return typeof row['facts'] === 'string' && row['facts'].startsWith('{"OwnWord":');
}

/** What is read of one archive so far. */
class Reading {
  private opening: { label: string; exportedAt: string; personLineage: string } | undefined;
  /** By the name of its file. */ private readonly versions = new Map<string, Version>();
  private readonly lineages = new Map<string, Lineage>();
  private readonly first = new Map<string, string>();
  private readonly last = new Map<string, string>();
  /** Lineages with a version that is too large: none of their versions is taken. */
  private readonly large = new Set<string>();
  private readonly digests = new Map<string, string>();
  private leftOutLetters = 0;
  private readonly circles = new Set<string>();
  /** By the id of the version. */ private readonly leftOut = new Map<string, LeftOutFact[]>();
  private readonly content = createHash('sha256');
  private manifest: string | undefined;
  private taken = 0;
  private notTaken: NotTaken = { history: 0, people: 0, apps: 0, messages: 0, undone: 0, words: 0, large: 0 };

  constructor(
    private readonly limits: BroughtLimits,
    private readonly take: (document: BroughtDocument, bytes: Buffer) => Promise<void>,
  ) {}

  private leave(what: keyof NotTaken): void {
    this.notTaken = { ...this.notTaken, [what]: this.notTaken[what] + 1 };
  }

  private open(text: string): void {
    const file = rowIn(text);
    if (file['format'] !== FORMAT) {
      throw new ArchiveRefused('format', 'its format is another one');
    }
    if (file['vocab_base'] !== this.limits.vocabBase) {
      throw new ArchiveRefused('vocabulary', 'its service names types of documents in another way');
    }
    const record = file['record'] as Row | null;
    if (typeof record !== 'object' || record === null) {
      throw damaged('it does not say whose record it is');
    }
    this.opening = {
      label: textInRow(record, 'label', LABEL * 2) ?? '',
      exportedAt: textInRow(file, 'exported_at', 40) ?? '',
      personLineage: String(record['demographics_lineage_id']),
    };
  }

  private readonly rows: Readonly<Record<string, (row: Row) => void>> = {
    'documents.jsonl': (row) => {
      const [id, lineageId] = [idIn(row, 'id'), idIn(row, 'lineage_id')];
      if (this.versions.size >= this.limits.documents) {
        throw new ArchiveRefused('many', `it holds more than ${this.limits.documents} documents`);
      }
      const mostBytes = this.mostBytes(row['type']);
      this.versions.set(String(row['file']), { id, lineageId, isWords: saysOfEntries(row), mostBytes });
      this.first.set(lineageId, this.first.get(lineageId) ?? id);
      this.last.set(lineageId, id);
      if (Number(row['size']) > mostBytes) {
        this.large.add(lineageId);
      }
    },
    'lineages.jsonl': (row) => {
      const status = row['status'];
      this.lineages.set(idIn(row, 'id'), {
        label: textInRow(row, 'label', LABEL),
        date: dayIn(row),
        kind: textInRow(row, 'own_kind', KIND),
        tags: tagsIn(row),
        status: status === 'void' || status === 'archived' ? status : 'active',
        reason: '',
        nevershare: row['nevershare'] === true,
        isUndone: row['undone'] === true,
      });
    },
    'status-history.jsonl': (row) => {
      const lineage = this.lineages.get(idIn(row, 'lineage_id'));
      if (lineage && lineage.status === row['status']) {
        this.lineages.set(idIn(row, 'lineage_id'), { ...lineage, reason: textInRow(row, 'reason', REASON) ?? '' });
      }
    },
    'left-out-facts.jsonl': (row) => {
      const text = typeof row['fact'] === 'string' ? row['fact'] : '';
      this.leftOutLetters += text.length;
      if (this.leftOutLetters > LEFT_OUT_LETTERS) {
        throw damaged('more is left out of it than its documents can say');
      }
      const [id, one] = [idIn(row, 'document_id'), readLeftOutText(text)];
      const all = this.leftOut.get(id) ?? [];
      this.leftOut.set(id, all);
      all.push(...(one === undefined ? [] : [one]));
    },
    'carenets.jsonl': (row) => {
      const name = textInRow(row, 'name', CIRCLE);
      // A circle of one person is named after them, and they do not come along.
      if (name !== null && typeof row['person_id'] !== 'string' && this.circles.size < MOST_CIRCLES) {
        this.circles.add(name);
      }
    },
  };

  /** A document with a file may be as large as a file that a person adds makes it. */
  private mostBytes(type: unknown): number {
    const isFile = type === typeUri('File', this.limits.vocabBase);
    return Math.max(this.limits.documentBytes, isFile ? MOST_ENVELOPE_BYTES : 0);
  }

  private async takeDocument(name: string, whole: (most: number) => Promise<Buffer>): Promise<void> {
    const version = this.versions.get(name);
    const lineage = version && this.lineages.get(version.lineageId);
    if (!version || !lineage || !this.opening) {
      throw damaged('it holds a document that it does not list');
    }
    const { id, lineageId, isWords } = version;
    if (lineage.isUndone || isWords || this.large.has(lineageId)) {
      this.leave((lineage.isUndone && 'undone') || (isWords && 'words') || 'large');
      return;
    }
    const bytes = await whole(version.mostBytes);
    this.content.update(`${this.digests.get(name) ?? ''}\n`);
    this.taken += 1;
    const { isUndone: _, ...said } = lineage;
    const firstId = this.first.get(lineageId)!;
    const isPerson = firstId === id && lineageId === this.opening.personLineage;
    const leftOut = this.leftOut.get(id) ?? [];
    await this.take({ id, firstId, ...said, leftOut, isLast: this.last.get(lineageId) === id, isPerson }, bytes);
  }

  /** Reads one file to its end. */
  async file({ name, size, whole, pieces }: Unpacked): Promise<void> {
    if (this.digests.has(name) || this.digests.size >= this.limits.documents + OTHER_FILES) {
      throw damaged('a file of it comes twice, or there are too many');
    }
    const hash = createHash('sha256');
    const hashed = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of pieces()) {
        hash.update(piece);
        yield piece;
      }
    };
    const all = async (most: number): Promise<Buffer> => {
      if (size > most) {
        throw damaged('a file of it is too large');
      }
      const bytes = await whole();
      hash.update(bytes);
      this.digests.set(name, hash.copy().digest('hex'));
      return bytes;
    };
    const handle = this.rows[name];
    const what = counted[name];
    if (name === RECORD_FILE) {
      this.open((await all(OPENING_BYTES)).toString('utf8'));
    } else if (name === MANIFEST_FILE) {
      this.manifest = (await all(LABEL * (this.limits.documents + OTHER_FILES) * 2)).toString('utf8');
    } else if (name.startsWith('documents/')) {
      await this.takeDocument(name, all);
    } else if (handle !== undefined || what !== undefined) {
      for await (const line of linesIn(hashed())) {
        (handle ?? (() => this.leave(what!)))(rowIn(line));
      }
    }
    if (!this.digests.has(name)) {
      // What was not read yet is only hashed.
      for await (const _ of hashed()) {
        await breathe();
      }
      this.digests.set(name, hash.digest('hex'));
    }
  }

  /** Compares every file with the manifest, which only shows damage: whoever writes an archive writes that, too. */
  private requireWhole(): void {
    const listed = (this.manifest ?? '').split('\n').filter((line) => line !== '');
    const wrong = listed.filter((line) => this.digests.get(line.slice(66)) !== line.slice(0, 64));
    if (listed.length !== this.digests.size - 1 || wrong.length > 0) {
      throw damaged('it is not whole, or was changed');
    }
  }

  end(): Brought {
    this.requireWhole();
    if (!this.opening || this.taken === 0) {
      throw new ArchiveRefused('nothing', 'there is no document in it');
    }
    const { label, exportedAt } = this.opening;
    return {
      label,
      exportedAt,
      circles: [...this.circles],
      documents: this.taken,
      notTaken: this.notTaken,
      digest: this.content.digest('hex'),
    };
  }
}

/** The first block of a tar file of ours: the name of its folder, and the mark of the format. */
function isArchiveOfOurs(beginning: Buffer): boolean {
  return (
    beginning.subarray(0, 7).toString('latin1') === 'record-' &&
    beginning.subarray(257, 262).toString('latin1') === 'ustar'
  );
}

/**
 * Unpacks the bytes and counts them. It is done here, because the reader of tar files unpacks as much as there is, and
 * once more what was packed twice.
 */
async function* unpacked(
  pieces: AsyncIterable<Buffer>,
  most: number,
  failed: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const source = Readable.from(pieces);
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  let bytes = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      if (bytes === 0 && !isArchiveOfOurs(piece)) {
        throw new ArchiveRefused('no-archive', 'it is no archive of a record');
      }
      bytes += piece.length;
      if (bytes > most) {
        throw new ArchiveRefused('bomb', `unpacked it has more than ${most} bytes`);
      }
      yield piece;
    }
  } catch (error) {
    failed(error);
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** What is wrong with bytes that cannot be unpacked. */
function asRefusal(error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException).code);
  if (code === 'Z_DATA_ERROR') {
    return new ArchiveRefused('no-archive', 'it is no archive of a record');
  }
  return code.startsWith('Z_') || error instanceof SetupError ? damaged('it is not whole') : error;
}

/**
 * Reads an archive to its end, one document in memory at a time.
 * @param take called with every document that may be taken, in the order of the archive, before it is known whether the
 * archive is whole
 * @throws ArchiveRefused
 */
export async function readBrought(
  pieces: AsyncIterable<Buffer>,
  limits: BroughtLimits,
  take: (document: BroughtDocument, bytes: Buffer) => Promise<void>,
): Promise<Brought> {
  const reading = new Reading(limits, take);
  // The reader of tar files says no more of such an error than that the archive is not whole.
  let failure: unknown;
  const bytes = unpacked(pieces, limits.bytes, (error) => {
    failure = error;
  });
  try {
    await unpackPieces('the file', bytes, (entry) => reading.file(entry));
  } catch (error) {
    throw asRefusal(failure ?? error);
  }
  return reading.end();
}

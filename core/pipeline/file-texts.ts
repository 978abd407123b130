/**
 * file-texts: reads the words of stored files in the background, one document after another, so that searches find them.
 * Pages that are pictures are read by a program (ocr) where the machine has it. Where a document says something of which
 * there is no fact, its own text is read, too.
 */
import type { Logger } from 'pino';
import { toTimestamp, type Clock } from '../base/clock';
import { untraced } from '../base/tracing';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import type { Contents } from '../sealing/contents-store';
import { documentsNamespace } from '../documents/document-types';
import { findContent } from '../documents/store';
import {
  dropDue,
  findDue,
  findLatest,
  keepTexts,
  leaveForMachine,
  OWN_TEXT,
  postponeDue,
  takeDue,
  type DueText,
  type PageText,
} from '../documents/texts-store';
import { unwrapFile, type UnwrappedFile } from '../files/envelope';
import { distinctWords } from '../files/folded-words';
import { mayHoldFiles } from '../files/held-file';
import { narrativeWords } from '../xml/narrative';
import { pictureKindOf } from '../files/picture-kind';
import { lockRecord } from '../records/store';
import { findOcr, readPictureWords, type Ocr } from './pictures/ocr';
import type { PictureMaker } from './pictures/picture-maker';
import { MOST_ON_PAGE } from './pictures/picture-messages';
import type { DocumentReader } from './readers/document-reader';

export type FileTexts = {
  readonly start: () => void;
  /** A document was stored that may wait. */ readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

type FileTextParts = {
  readonly config: Config;
  readonly database: Database;
  readonly contents: Contents;
  readonly clock: Clock;
  readonly log: Logger;
  readonly reader: DocumentReader;
  readonly pictures: PictureMaker;
};

/** How often it looks for documents that another process has stored, or that are tried again. */
const ROUND_MILLISECONDS = 20_000;
/** How long one document may be another process's. */
const LEASE_MILLISECONDS = 900_000;
const MOST_TRIES = 4;
/** When a document that could not be read is tried again; each time twice as late. */
const AGAIN_MILLISECONDS = 20_000;

/** The limits of one document: files, pages of pictures, the time for those, and different words in characters. */
const MOST_FILES = 20;
const MOST_PICTURES = 30;
const MACHINE_MILLISECONDS = 300_000;
const MOST_WORDS = 200_000;

/** The size of a page for the program, about 300 dots an inch. */
const BOX = { width: 2480, height: 3508 };
/** A page with fewer letters is a picture with a stamp or a number. */
const LEAST_LETTERS = 12;

const OWNER = 'svc file texts';

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

type Found = { readonly pages: readonly PageText[]; readonly needsMachine: boolean };

class Texts implements FileTexts {
  private ending = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private started = false;
  private again = false;

  constructor(private readonly parts: FileTextParts) {}

  start(): void {
    this.started = true;
    this.ending = new AbortController();
    this.timer = setInterval(() => this.wake(), ROUND_MILLISECONDS);
    this.timer.unref();
    this.wake();
  }

  wake(): void {
    this.again = true;
    if (this.started && !this.ending.signal.aborted) {
      this.looking ??= untraced(() => this.readAll());
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.ending.abort();
    await this.looking;
  }

  private async readAll(): Promise<void> {
    try {
      do {
        this.again = false;
        while (!this.ending.signal.aborted && (await this.readNext())) {
          // The next document.
        }
      } while (this.again && !this.ending.signal.aborted);
    } catch (error) {
      this.parts.log.warn({ reason: (error as Error).name }, 'the words of files could not be read');
    } finally {
      this.looking = undefined;
    }
  }

  private get ocr(): Ocr | undefined {
    return this.parts.config.ocr === false ? undefined : findOcr();
  }

  /** @returns false when nothing waits */
  private async readNext(): Promise<boolean> {
    const { database, clock } = this.parts;
    const now = toTimestamp(clock.now());
    for (const due of await findDue(database.reads, now, () => this.ocr !== undefined)) {
      const until = toTimestamp(clock.now() + LEASE_MILLISECONDS);
      if (await database.write((trx) => takeDue(trx, due, now, until))) {
        await this.read(due);
        return true;
      }
    }
    return false;
  }

  private async read(due: DueText): Promise<void> {
    const { database, clock, log } = this.parts;
    try {
      const { pages, needsMachine } = await this.wordsOf(due);
      await this.keep(due, pages, needsMachine);
    } catch (error) {
      if (this.ending.signal.aborted) {
        // The next start, or another process, goes on with it.
        await database.write((trx) => postponeDue(trx, due, toTimestamp(clock.now())));
        return;
      }
      // What a file says or is called is no matter of the log.
      log.warn({ document: due.documentId, reason: (error as Error).name }, 'the words of a file could not be read');
      const again = toTimestamp(clock.now() + AGAIN_MILLISECONDS * 2 ** due.tries);
      await database.write((trx) => (due.tries + 1 < MOST_TRIES ? postponeDue(trx, due, again) : dropDue(trx, due)));
    }
  }

  private async keep(due: DueText, pages: readonly PageText[], needsMachine: boolean): Promise<void> {
    const { database, contents, clock } = this.parts;
    const words = distinctWords(pages.map(({ text }) => text).join('\n'), MOST_WORDS);
    await database.transaction(async (trx) => {
      const record = await lockRecord(trx, due.recordId, false);
      if (record && (await findLatest(trx, due))) {
        await keepTexts(trx, contents, record.contentKey, due, words, pages, toTimestamp(clock.now()));
      }
      await (needsMachine ? leaveForMachine(trx, due) : dropDue(trx, due));
    });
  }

  /** The pages of all files of a document. @throws what the reader throws */
  private async wordsOf(due: DueText): Promise<Found> {
    const { database, contents } = this.parts;
    const scope = { recordId: due.recordId };
    const latest = await findLatest(database.reads, due);
    const stored = latest && (await findContent(database.reads, contents, scope, due.documentId));
    const pages: PageText[] = [];
    let needsMachine = false;
    for (const file of stored && mayHoldFiles(stored.content) ? await this.filesIn(stored.content) : []) {
      const found = await this.pagesOf(file, pages.length);
      pages.push(...found.pages);
      needsMachine ||= found.needsMachine;
    }
    if (stored && latest.hasLeftOut) {
      const { sections } = await this.parts.reader.narrative(stored.content, OWNER);
      pages.push({ page: OWN_TEXT, text: narrativeWords(sections), byMachine: false });
    }
    return { pages: pages.filter(({ text }) => lettersIn(text) > 0), needsMachine };
  }

  private async filesIn(content: Buffer): Promise<readonly UnwrappedFile[]> {
    const { reader, config } = this.parts;
    const listed = await reader.heldFiles(content, documentsNamespace(config.vocabBase), OWNER);
    const files: UnwrappedFile[] = [];
    for (const at of listed.slice(0, MOST_FILES).keys()) {
      const file = await unwrapFile(
        (bytes, namespace) => reader.heldFile(bytes, namespace, OWNER, at),
        content,
        config.vocabBase,
        true,
      );
      files.push(...(file ? [file] : []));
    }
    return files;
  }

  /** @param before how many pages the files before it have */
  private async pagesOf({ bytes, declaredType: declared }: UnwrappedFile, before: number): Promise<Found> {
    const read = await this.parts.pictures.read({ bytes, kind: 'words', declared }, OWNER);
    const words = 'words' in read ? read.words : [];
    const isPaged = pictureKindOf(bytes) !== undefined;
    const pages = words.map((text, index) => ({ page: before + index + 1, text, byMachine: false }));
    const blank = isPaged ? [...words.keys()].filter((at) => lettersIn(words[at]!) < LEAST_LETTERS) : [];
    const { ocr } = this;
    if (blank.length === 0 || !ocr) {
      return { pages, needsMachine: blank.length > 0 };
    }
    const until = performance.now() + MACHINE_MILLISECONDS;
    for (const at of blank.slice(0, MOST_PICTURES)) {
      const text = performance.now() < until ? await this.readPicture(ocr, bytes, at + 1) : '';
      if (lettersIn(text) > lettersIn(words[at]!)) {
        pages[at] = { page: before + at + 1, text, byMachine: true };
      }
    }
    return { pages, needsMachine: false };
  }

  private async readPicture(ocr: Ocr, bytes: Buffer, page: number): Promise<string> {
    const kind = pictureKindOf(bytes);
    const drawing = kind && (await this.parts.pictures.draw({ bytes, kind, page, box: BOX }, OWNER));
    if (!drawing || !('drawn' in drawing)) {
      return '';
    }
    const { signal } = this.ending;
    return (await readPictureWords(ocr, drawing.drawn.png, signal)).slice(0, MOST_ON_PAGE);
  }
}

export function makeFileTexts(parts: FileTextParts): FileTexts {
  return new Texts(parts);
}

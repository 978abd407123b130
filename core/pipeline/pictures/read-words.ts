/**
 * read-words: the words of a file, page by page: a PDF, a text of an office program (DOCX, ODT), or any text. It runs only
 * in a process of its own (picture-process).
 */
import { inflateRawSync } from 'node:zlib';
import { wordsOfFile } from '../../files/file-words';
import { pictureKindOf } from '../../files/picture-kind';
import { wordsOfMarkup } from '../../xml/markup-words';
import { openPdfium } from './draw';
import { MOST_ON_PAGE, MOST_PAGES, MOST_WORDS, type ToRead, type Words } from './picture-messages';

/** A member of an archive unpacks to at most this many bytes. */
const MOST_UNPACKED = 50_000_000;

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES, LONGEST_COMMENT] = [30, 46, 22, 65_535];

/** Where the words of a text stand in its archive. */
const TEXT_MEMBERS = ['word/document.xml', 'content.xml'];

async function wordsOfPdf(bytes: Buffer): Promise<readonly string[]> {
  const document = await (await openPdfium()).loadDocument(bytes);
  try {
    const pages: string[] = [];
    let room = MOST_WORDS;
    const count = Math.min(MOST_PAGES, document.getPageCount());
    for (let at = 0; at < count && room > 0; at += 1) {
      const text = document.getPage(at).getText().slice(0, Math.min(MOST_ON_PAGE, room));
      room -= text.length;
      pages.push(text);
    }
    return pages;
  } finally {
    document.destroy();
  }
}

/** Where the list of members begins, and how many there are; a comment may follow the end. */
function fileListAt(bytes: Buffer): { readonly at: number; readonly count: number } | undefined {
  const first = Math.max(0, bytes.length - END_BYTES - LONGEST_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === END) {
      return { at: bytes.readUInt32LE(at + 16), count: bytes.readUInt16LE(at + 10) };
    }
  }
  return undefined;
}

/** A member as it is packed: kept as it is, or deflated. */
function unpack(bytes: Buffer, entry: number): Buffer {
  const [way, size, local] = [
    bytes.readUInt16LE(entry + 10),
    bytes.readUInt32LE(entry + 20),
    bytes.readUInt32LE(entry + 42),
  ];
  if (bytes.readUInt32LE(local) !== LOCAL) {
    throw new Error('it is no whole archive');
  }
  const begin = local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const packed = bytes.subarray(begin, begin + size);
  return way === 0 ? packed : inflateRawSync(packed, { maxOutputLength: MOST_UNPACKED });
}

/** The text of an office program; undefined for any other archive. */
function officeText(bytes: Buffer): string | undefined {
  const list = bytes.length < END_BYTES || bytes.readUInt32LE(0) !== LOCAL ? undefined : fileListAt(bytes);
  let at = list?.at ?? 0;
  for (let left = list?.count ?? 0; left > 0 && at + CENTRAL_BYTES <= bytes.length; left -= 1) {
    if (bytes.readUInt32LE(at) !== CENTRAL) {
      return undefined;
    }
    const length = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('latin1', at + CENTRAL_BYTES, at + CENTRAL_BYTES + length);
    if (TEXT_MEMBERS.includes(name)) {
      return unpack(bytes, at).toString('utf8');
    }
    at += CENTRAL_BYTES + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return undefined;
}

/** The words of an office text, a line for each paragraph. */
function wordsOfOffice(markup: string): string {
  const lines = markup
    .replace(/<(?:w:tab|text:tab)\b[^>]*>/g, '\t')
    .replace(/<\/(?:w:p|text:p|text:h)>|<(?:w:br|text:line-break)\b[^>]*>/g, '<br>');
  return wordsOfMarkup(lines);
}

/** A long text in pieces as if they were pages. */
function piecesOf(text: string): readonly string[] {
  const whole = text.slice(0, MOST_WORDS);
  return Array.from({ length: Math.ceil(whole.length / MOST_ON_PAGE) }, (_, at) =>
    whole.slice(at * MOST_ON_PAGE, (at + 1) * MOST_ON_PAGE),
  );
}

/** The words of a file; none for a picture and for what is no text. @throws what the engines throw about the file */
export async function readWords({ bytes, declared }: ToRead): Promise<Words> {
  const kind = pictureKindOf(bytes);
  if (kind !== undefined) {
    return { words: kind === 'pdf' ? await wordsOfPdf(bytes) : [''] };
  }
  const office = officeText(bytes);
  return { words: piecesOf(office === undefined ? (wordsOfFile(bytes, declared)?.text ?? '') : wordsOfOffice(office)) };
}

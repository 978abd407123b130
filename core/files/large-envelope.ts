/**
 * large-envelope: a document `File` that is larger than what the readers of documents take. All that it says stands
 * before its base64, so a short document in its place is read instead, and the bytes are decoded here.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { documentsNamespace } from '../documents/document-types';
import { DECLARATION, openTag } from '../xml/write';

/** libxml2 reads no longer text (core/xml/gate). */
const LONGEST_TEXT = 10_000_000;
/** What stands before the base64 is much shorter: a title has at most 255 characters. */
const LONGEST_HEAD = 16_384;
/** So much becomes base64, or bytes, at once: a multiple of three bytes, or of four characters, for a few milliseconds. */
const [BYTES_AT_ONCE, CHARACTERS_AT_ONCE] = [1_572_864, 2_097_152];
/** Of a large file this much is looked at to tell what it is, and shown of a text. */
const LOOKED_AT_BYTES = 1_500_000;

const [BEGINS, ENDS] = ['<content>', '</content></File>'];

/** A text, the bytes of a file in base64, and a text. */
export function withBase64(before: string, bytes: Buffer, after: string): Buffer {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const whole = Buffer.allocUnsafe(head.length + 4 * Math.ceil(bytes.length / 3) + tail.length);
  let at = head.copy(whole);
  for (let from = 0; from < bytes.length; from += BYTES_AT_ONCE) {
    at += whole.write(bytes.subarray(from, from + BYTES_AT_ONCE).toString('base64'), at, 'latin1');
  }
  tail.copy(whole, at);
  return whole;
}

export type LargeEnvelope = {
  /** How many bytes the file has. */ readonly bytes: number;
  /** The document with another file of one byte. */ readonly short: Buffer;
  /** The document with the beginning of its file. */ readonly beginning: () => Buffer;
  /** Whether its text is base64, as the schema of the format asks. */ readonly isBase64: () => Promise<boolean>;
  readonly decode: () => Promise<Buffer>;
};

function withContent(head: Buffer, content: Buffer): Buffer {
  return Buffer.concat([head, Buffer.from(content.toString('base64')), Buffer.from(ENDS)]);
}

/** The bytes before the last one that may begin a character of UTF-8 which the cut has divided. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.subarray(0, bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length);
}

/** The text piece by piece, with a pause behind each. */
async function* base64Pieces(text: Buffer): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += CHARACTERS_AT_ONCE) {
    yield text.toString('latin1', from, from + CHARACTERS_AT_ONCE);
    await breathe();
  }
}

async function isBase64(text: Buffer): Promise<boolean> {
  let isOnly = true;
  for await (const piece of base64Pieces(text)) {
    isOnly &&= Buffer.from(piece, 'base64').toString('base64') === piece;
  }
  return isOnly && !text.subarray(0, -2).includes('=');
}

async function decode(text: Buffer, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let at = 0;
  for await (const piece of base64Pieces(text)) {
    at += bytes.write(piece, at, 'base64');
  }
  return bytes;
}

/**
 * What a large document `File` holds; undefined for every other document. Only the form in which this service writes
 * one is recognized.
 * @param maxBytes the most bytes of a document that is read as it is
 */
export function largeEnvelope(stored: Buffer, vocabBase: string, maxBytes: number): LargeEnvelope | undefined {
  if (stored.length <= Math.min(maxBytes, LONGEST_TEXT)) {
    return undefined;
  }
  const root = `${DECLARATION}${openTag('File', { xmlns: documentsNamespace(vocabBase) })}`;
  const start = stored.subarray(0, LONGEST_HEAD).indexOf(BEGINS) + BEGINS.length;
  const end = stored.length - ENDS.length;
  const isOurs =
    start >= BEGINS.length &&
    stored.toString('utf8', 0, Buffer.byteLength(root)) === root &&
    stored.toString('latin1', end) === ENDS &&
    stored.indexOf('<', start) === end;
  const text = stored.subarray(start, end);
  if (!isOurs || text.length === 0 || text.length % 4 !== 0) {
    return undefined;
  }
  const head = stored.subarray(0, start);
  const bytes = (text.length / 4) * 3 - (/={0,2}$/.exec(text.toString('latin1', text.length - 2))?.[0].length ?? 0);
  return {
    bytes,
    short: withContent(head, Buffer.from([0])),
    beginning: () => {
      const first = Buffer.from(text.toString('latin1', 0, (LOOKED_AT_BYTES / 3) * 4), 'base64');
      return withContent(head, wholeCharacters(first));
    },
    isBase64: () => isBase64(text),
    decode: () => decode(text, bytes),
  };
}

/** file-words: the words of a file that is a text: plain, a web page, or with its layout in RTF (pure). */
import { isUtf8 } from 'node:buffer';
import { wordsOfMarkup } from '../xml/markup-words';
import { wordsOfRichText } from './rich-text';
import { isRichText, sniffMediaType } from './sniff';

/** The most characters that a page shows. */
const MOST_CHARACTERS = 200_000;

export type FileWords = { readonly text: string; /** Whether the file has more. */ readonly cut: boolean };

function isTextFile(declared: string): boolean {
  return /^(?:text\/|application\/(?:rtf|xhtml))/.test(declared);
}

function decodeText(bytes: Uint8Array, declared: string): string {
  const said = /charset\s*=\s*"?([\w.:-]+)/i.exec(declared)?.[1];
  const isMarked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const marked = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  const guessed = isUtf8(bytes) ? 'utf-8' : (said ?? 'windows-1252');
  try {
    return new TextDecoder(isMarked ? marked : guessed).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Whether a file is a web page, by what its document declares or by its beginning. */
export function isMarkedUp(bytes: Uint8Array, declared: string): boolean {
  return (
    /^\s*(?:text\/html|application\/xhtml)/i.test(declared) ||
    /^(?:\u00ef\u00bb\u00bf)?\s*(?:<!doctype\s+html|<html[\s>])/i.test(
      Buffer.from(bytes.subarray(0, 100)).toString('latin1'),
    )
  );
}

/** Undefined for a file that is no text. @param declared the media type that its document gives */
export function wordsOfFile(bytes: Uint8Array, declared: string): FileWords | undefined {
  const type = declared.trim().toLowerCase();
  const sniffed = sniffMediaType(bytes);
  if (sniffed !== 'text/plain' && sniffed !== 'application/rtf' && (sniffed !== undefined || !isTextFile(type))) {
    return undefined;
  }
  const whole = isRichText(bytes) ? wordsOfRichText(bytes) : decodeText(bytes, type);
  const words = !isRichText(bytes) && isMarkedUp(bytes, type) ? wordsOfMarkup(whole) : whole;
  return { text: words.slice(0, MOST_CHARACTERS), cut: words.length > MOST_CHARACTERS };
}

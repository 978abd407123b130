/** files: documents that a command names: their bytes, or why they cannot be read; and a refusal in words. */
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { SetupError, type AppError } from '../core/base/errors';
import { fillVocabBase } from '../core/config/read-yaml';
import { wrapFile, type FileToWrap } from '../core/files/envelope';
import { sniffMediaType } from '../core/files/sniff';

const refusals: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'this is a folder' };

/**
 * The bytes of one file. Samples name the vocabulary by its placeholder; anything else is read as it is.
 * @throws SetupError when it cannot be read
 */
export const readDocumentFile = (file: string, vocabBase: string): Buffer => {
  try {
    const bytes = readFileSync(file);
    return bytes.includes('{vocab_base}') ? Buffer.from(fillVocabBase(bytes.toString('utf8'), vocabBase)) : bytes;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new SetupError([`${file}: ${refusals[code] ?? `the file cannot be read (${code})`}`]);
  }
};

/** XML and FHIR in JSON are plain text, too, so a text is told by its name. */
const TEXTS = ['.txt', '.md'];

const isToWrap = (file: string, bytes: Buffer): boolean => {
  const mediaType = sniffMediaType(bytes);
  return mediaType !== undefined && (mediaType !== 'text/plain' || TEXTS.includes(extname(file).toLowerCase()));
};

/** What a person says of a file that cannot say it itself. */
export type FileWords = Partial<Pick<FileToWrap, 'title' | 'date' | 'kind'>>;

/**
 * The document that a file is, or the one that holds it: PDF, pictures and texts are wrapped (pipeline-config/file), with their name as the title.
 * @throws SetupError when it cannot be read; AppError too_large for a file that no document can hold
 */
export const readAnyFile = (file: string, vocabBase: string, words: FileWords = {}): Buffer => {
  const bytes = readDocumentFile(file, vocabBase);
  return isToWrap(file, bytes) ? wrapFile({ title: basename(file), ...words, bytes }, vocabBase) : bytes;
};

/** A refusal in lines: its code and reason, then each problem with its place. */
export const refusalLines = ({ code, message, details }: AppError): readonly string[] => [
  `${code}: ${message}`,
  ...details.map(({ line, column, message: what }) => {
    const place = [line === undefined ? '' : `line ${line}`, column === undefined ? '' : `column ${column}`];
    const where = place.filter((part) => part !== '').join(', ');
    return `  ${where === '' ? '' : `${where}: `}${what}`;
  }),
];

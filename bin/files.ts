/** files: documents that a command names: their bytes, or why they cannot be read; and a refusal in words. */
import { readFileSync } from 'node:fs';
import { SetupError, type AppError } from '../core/base/errors';
import { fillVocabBase } from '../core/config/read-yaml';

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

/** A refusal in lines: its code and reason, then each problem with its place. */
export const refusalLines = ({ code, message, details }: AppError): readonly string[] => [
  `${code}: ${message}`,
  ...details.map(({ line, column, message: what }) => {
    const place = [line === undefined ? '' : `line ${line}`, column === undefined ? '' : `column ${column}`];
    const where = place.filter((part) => part !== '').join(', ');
    return `  ${where === '' ? '' : `${where}: `}${what}`;
  }),
];

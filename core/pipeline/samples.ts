/** samples: what lies beside a document.yaml: every sample must pass, every invalid one must be refused. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { AppError } from '../base/errors';
import { fillVocabBase } from '../config/read-yaml';
import { demographicsType } from '../records/document-types';
import type { Entry } from './entries';
import type { DocumentReader } from './reader-pool';
import { demographicsOf } from './stages/store';

const whatFailed = (error: AppError): string => {
  const first = error.details[0];
  return first ? `${error.message} ${first.message}` : error.message;
};

const lineOf = (error: AppError): number => error.details[0]?.line ?? 1;

/** Its bytes, as a caller would send them; only in UTF-8 is there a placeholder to fill in. */
const readSample = (file: string, vocabBase: string): Buffer => {
  const bytes = readFileSync(file);
  return isUtf8(bytes) ? Buffer.from(fillVocabBase(bytes.toString('utf8'), vocabBase)) : bytes;
};

const checkOne = async (reader: DocumentReader, vocabBase: string, entry: Entry, file: string, mustPass: boolean): Promise<string | undefined> => {
  let bytes: Buffer;
  try {
    bytes = readSample(file, vocabBase);
  } catch (error) {
    return `${file}:1: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`;
  }
  try {
    const read = await reader.read(bytes);
    if (read.entry !== entry.name) {
      return `${file}:1: its type is ${read.type}, which is not what ${entry.file} identifies`;
    }
    if (mustPass && read.type === demographicsType(vocabBase) && !demographicsOf(read)) {
      return `${file}:1: it yields no Demographics, so that no demographics call would take it`;
    }
    return mustPass ? undefined : `${file}:1: it should be refused and was accepted`;
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    return mustPass ? `${file}:${lineOf(error)}: ${whatFailed(error)}` : undefined;
  }
};

/**
 * Runs every sample of every entry.
 * @param step called once a sample
 * @returns one line per sample that did not do what its name says
 */
export const checkSamples = async (reader: DocumentReader, vocabBase: string, step: () => void): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const entry of reader.entries.all) {
    for (const [files, mustPass] of [[entry.samples, true], [entry.invalid, false]] as const) {
      for (const file of files) {
        const problem = await checkOne(reader, vocabBase, entry, file, mustPass);
        problems.push(...(problem === undefined ? [] : [problem]));
        step();
      }
    }
  }
  return problems;
};

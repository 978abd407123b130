/** samples: what lies beside a document.yaml: every sample must pass, every invalid one must be refused. */
import { AppError } from '../base/errors';
import { readSetupFile } from '../config/read-yaml';
import type { Entry } from './entries';
import type { DocumentReader } from './reader-pool';

const whatFailed = (error: AppError): string => {
  const first = error.details[0];
  return first ? `${error.message} ${first.message}` : error.message;
};

const lineOf = (error: AppError): number => error.details[0]?.line ?? 1;

const checkOne = async (reader: DocumentReader, vocabBase: string, entry: Entry, file: string, mustPass: boolean): Promise<string | undefined> => {
  const bytes = Buffer.from(readSetupFile(file, vocabBase));
  try {
    const read = await reader.read(bytes);
    if (read.entry !== entry.name) {
      return `${file}:1: its type is ${read.type}, which is not what ${entry.file} identifies`;
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

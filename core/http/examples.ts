/**
 * examples: replies for the API reference, as a test run last saw them (test/docs/replies.test.ts writes and checks
 * them).
 */
import { existsSync, readFileSync } from 'node:fs';
import { inProject } from '../base/paths';
import { fillVocabBase } from '../config/read-yaml';

export type Example = { readonly type: string; readonly body: string };
/** By `METHOD path`. */
export type Examples = Readonly<Record<string, Example>>;

export const examplesFile = inProject('core', 'http', 'examples.json');

/** Reads the examples. `vocabBase` replaces the placeholder by which they name the vocabulary. */
export const readExamples = (vocabBase = '{vocab_base}'): Examples =>
  existsSync(examplesFile)
    ? (JSON.parse(fillVocabBase(readFileSync(examplesFile, 'utf8'), vocabBase)) as Examples)
    : {};

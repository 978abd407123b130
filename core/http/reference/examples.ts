/**
 * examples: reads the replies that the API reference shows. They come from the last test run that updated them
 * (test/docs/replies.test.ts writes and checks them).
 */
import { existsSync, readFileSync } from 'node:fs';
import { inProject } from '../../base/paths';
import { fillVocabBase } from '../../config/read-yaml';

export type Example = { readonly type: string; readonly body: string };
/** The examples by `METHOD path`. */
export type Examples = Readonly<Record<string, Example>>;

export const examplesFile = inProject('core', 'http', 'reference', 'examples.json');

/** Reads the examples. `vocabBase` replaces the placeholder by which they name the vocabulary. */
export function readExamples(vocabBase = '{vocab_base}'): Examples {
  return existsSync(examplesFile)
    ? (JSON.parse(fillVocabBase(readFileSync(examplesFile, 'utf8'), vocabBase)) as Examples)
    : {};
}

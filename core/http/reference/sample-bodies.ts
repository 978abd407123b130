/** sample-bodies: reads the formats' own samples, as bodies for trying calls in the API reference. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { fillVocabBase } from '../../config/read-yaml';
import type { Entry } from '../../pipeline/entries';
import { demographicsType } from '../../documents/document-types';

type SampleBody = { readonly summary: string; readonly value: string };
/** Samples by the name of their format. */
export type SampleBodies = {
  readonly demographics: Readonly<Record<string, SampleBody>>;
  readonly documents: Readonly<Record<string, SampleBody>>;
};

type Format = Pick<Entry, 'name' | 'type' | 'root' | 'samples'>;

/** The longest sample that is shown: long documents do not belong on a page. */
const LONGEST_BYTES = 32_768;

/** @returns undefined where the file is gone, is too long, or is no text that a page can show */
function readSampleText(file: string, vocabBase: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    return bytes.length <= LONGEST_BYTES && isUtf8(bytes)
      ? fillVocabBase(bytes.toString('utf8'), vocabBase)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The first sample of each format that has one. */
export function readSampleBodies(formats: readonly Format[], vocabBase: string): SampleBodies {
  const bodies = { demographics: {} as Record<string, SampleBody>, documents: {} as Record<string, SampleBody> };
  for (const { name, type, root, samples } of formats) {
    const value = samples.map((file) => readSampleText(file, vocabBase)).find((text) => text !== undefined);
    if (value !== undefined) {
      const kind = type === demographicsType(vocabBase) ? 'demographics' : 'documents';
      bodies[kind][name.replace(/[^\w.-]/g, '_')] = { summary: `${name}: ${root}`, value };
    }
  }
  return bodies;
}

/**
 * without-entries: a Bundle without the resources of some of its entries, because they exist already. References to them
 * name what exists; all other entries keep their places (pure).
 */
import { stringify } from 'lossless-json';
import { errors } from '../../../core/base/errors';
import { parseExactJson } from '../../../core/base/json';
import { sliceEntries, withReplaced } from '../../../core/fhir/entry-slices';
import { looksLikeJson } from '../../../core/fhir/json-to-xml';
import { escaped } from '../../../core/fhir/write';

/** An entry that is left out. */
export type Existing = {
  readonly index: number;
  /** How other entries refer to it; empty: they do not. */
  readonly fullUrl: string;
  /** What they refer to instead, such as `Observation/1`. */
  readonly name: string;
};

/** A larger Bundle is not written anew in the event loop. */
const MOST_BYTES = 524_288;

type Bundle = { entry: Record<string, unknown>[] };

function withoutEntriesInJson(text: string, existing: readonly Existing[]): string {
  const bundle = parseExactJson(text) as Bundle;
  const indexes = new Set(existing.map(({ index }) => index));
  bundle.entry = bundle.entry.map((entry, index) => {
    const { resource: _, fullUrl: _url, ...rest } = entry;
    return indexes.has(index) ? rest : entry;
  });
  const written = stringify(bundle) ?? '';
  return existing
    .filter(({ fullUrl }) => fullUrl !== '')
    .reduce(
      (all, { fullUrl, name }) =>
        all.replaceAll(`"reference":${JSON.stringify(fullUrl)}`, () => `"reference":${JSON.stringify(name)}`),
      written,
    );
}

function inXml(text: string, existing: readonly Existing[]): string {
  const sliced = sliceEntries(text);
  const indexes = new Set(existing.map(({ index }) => index));
  const gone = sliced.slices.filter(({ index }) => indexes.has(index)).map((slice) => [slice, ''] as const);
  return existing
    .filter(({ fullUrl }) => fullUrl !== '')
    .reduce(
      (all, { fullUrl, name }) =>
        all
          .replaceAll(`<reference value="${escaped(fullUrl)}"`, () => `<reference value="${name}"`)
          .replaceAll(`<reference value='${escaped(fullUrl)}'`, () => `<reference value="${name}"`),
      withReplaced(sliced, new Map(gone)),
    );
}

/** @throws errors.unprocessable for a Bundle that is too large to be taken apart */
export function withoutEntries(bytes: Buffer, existing: readonly Existing[]): Buffer {
  if (existing.length === 0) {
    return bytes;
  }
  if (bytes.length > MOST_BYTES) {
    throw errors.unprocessable(
      `some of its entries exist already, and it has more than ${MOST_BYTES} bytes: send the others alone`,
    );
  }
  const text = bytes.toString('utf8');
  return Buffer.from(looksLikeJson(bytes) ? withoutEntriesInJson(text, existing) : inXml(text, existing));
}

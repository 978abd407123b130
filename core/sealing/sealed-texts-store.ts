/** sealed-texts-store: texts of one row, sealed together in a column of their own. */
import type { ContentPlace, Sealer } from './contents-store';

/** Texts of a row as they are stored: sealed together with their own columns empty, or in clear in their columns. */
export type StoredTexts<T extends string> = Readonly<Record<T, string>> & { readonly sealed_texts: Buffer | null };

export function sealTexts<T extends string>(
  { seal }: Sealer,
  place: ContentPlace,
  names: readonly T[],
  texts: Readonly<Record<T, string>>,
): StoredTexts<T> {
  const inClear = Object.fromEntries(names.map((name) => [name, texts[name]])) as Record<T, string>;
  const { content, sealed } = seal(place, Buffer.from(JSON.stringify(names.map((name) => texts[name])), 'utf8'));
  return sealed === null
    ? { ...inClear, sealed_texts: null }
    : { ...(Object.fromEntries(names.map((name) => [name, ''])) as Record<T, string>), sealed_texts: content };
}

/** @throws UnreadableContent */
export function openTexts<T extends string>(
  { open }: Sealer,
  place: ContentPlace,
  names: readonly T[],
  stored: StoredTexts<T>,
): Readonly<Record<T, string>> {
  const texts =
    stored.sealed_texts === null
      ? names.map((name) => stored[name])
      : (JSON.parse(open(place, { content: stored.sealed_texts, sealed: 1 }).toString('utf8')) as string[]);
  return Object.fromEntries(names.map((name, index) => [name, texts[index]!])) as Record<T, string>;
}

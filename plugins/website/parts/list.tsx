/** list: joins several things in a sentence, as the language does: "Anna, Ben and Cleo". */
import type { ComponentChildren } from 'preact';
import type { Words } from '../words/words';

const formats = new Map<string, Intl.ListFormat>();

function listFormat({ locale }: Words): Intl.ListFormat {
  const format = formats.get(locale) ?? new Intl.ListFormat(locale, { type: 'conjunction' });
  formats.set(locale, format);
  return format;
}

export function listText(texts: readonly string[], words: Words): string {
  return listFormat(words).format(texts);
}

/** The same with names that people wrote, each isolated from the direction of the text around it. */
export function listNames(names: readonly string[], words: Words): ComponentChildren {
  return listFormat(words)
    .formatToParts(names)
    .map(({ type, value }) => (type === 'element' ? <bdi>{value}</bdi> : value));
}

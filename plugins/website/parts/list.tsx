/** list: joins several things in a sentence, as the language does: "Anna, Ben and Cleo". */
import type { ComponentChildren } from 'preact';
import type { Words } from '../words/words';

const formats = new Map<string, Intl.ListFormat>();

function listFormat({ locale }: Words): Intl.ListFormat {
  const format = formats.get(locale) ?? new Intl.ListFormat(locale, { type: 'conjunction' });
  formats.set(locale, format);
  return format;
}

/** In Arabic each text keeps its own direction. */
export function listText(texts: readonly string[], words: Words): string {
  return listFormat(words).format(words.dir === 'ltr' ? texts : texts.map((one) => `\u2068${one}\u2069`));
}

/** The same with names that people wrote, each isolated from the direction of the text around it. */
export function listNames(names: readonly string[], words: Words): ComponentChildren {
  return listFormat(words)
    .formatToParts(names)
    .map(({ type, value }) => (type === 'element' ? <bdi>{value}</bdi> : value));
}

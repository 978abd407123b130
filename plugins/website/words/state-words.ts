/**
 * state-words: names states and other words of closed lists in the person's language. Formats give them English names:
 * those of `common/facts.xsl`, and usual ones of sources. In English, and for other words of a source, what is said is
 * shown as it is written.
 */
import { websiteTexts, type Words } from './words';

/** "Dose given" is the text states.dose-given. */
function textName(said: string): string {
  return said.toLowerCase().replace(/[ ,-]+/g, '-');
}

export function stateWords(said: string, { language, say }: Words): string {
  const name = textName(said);
  return language !== 'en' && Object.hasOwn(websiteTexts.read()[language]['states']!, name)
    ? say(`states.${name}`)
    : said;
}

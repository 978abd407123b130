/** markup-words: the words of markup that stands where text should stand (pure). Nothing of it is ever shown as markup. */

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi,
    (whole, hex?: string, digits?: string, name = '') => {
      const code = hex !== undefined ? parseInt(hex, 16) : Number(digits ?? NaN);
      if (code > 0 && code <= 0x10ffff) {
        return String.fromCodePoint(code);
      }
      return ENTITIES[name] ?? whole;
    },
  );
}

const NO_WORDS = /<!--[^]*?-->|<(script|style|head|title)\b[^]*?<\/\1\s*>/gi;
const ON_ITS_OWN_LINE =
  /<(?:\/?(?:p|div|h[1-6]|li|ul|ol|tr|table|section|article|header|footer|blockquote|pre|dt|dd|paragraph|item|caption)|br)\b[^>]*>/gi;

/** The words of markup as a browser would show them: no script and no layout. */
export function wordsOfMarkup(markup: string): string {
  const plain = markup
    .replace(NO_WORDS, ' ')
    .replace(/\s+/g, ' ')
    .replace(ON_ITS_OWN_LINE, '\n')
    .replace(/<\/(?:td|th)\s*>/gi, '\t')
    .replace(/<[a-z/!?][^>]*>/gi, '');
  return decodeEntities(plain)
    .replace(/ *\n[ \n]*/g, '\n')
    .trim();
}

const TAGS =
  'table|thead|tbody|tr|td|th|p|br|hr|div|span|b|i|u|em|strong|ul|ol|li|h[1-6]|font|a|pre|sup|sub|paragraph|list|item|content|caption';
const ENDED = new RegExp(`</(?:${TAGS})\\s*>|<(?:br|hr)\\s*/?>`, 'i');

/** Whether a text has tags of a web page or of a clinical text that were written as characters, such as in CDATA. */
export function hasTags(text: string): boolean {
  return text.includes('<') && ENDED.test(text);
}

/** as-it-came: compares what goes out with what came in, but for the elements that a server rewrites. */
import { isLosslessNumber, parse } from 'lossless-json';

type Value = unknown;

const isObject = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

const SUBJECTS = ['subject', 'patient', 'beneficiary', 'individual', 'for'];

/** A narrative as a browser reads it: entities, quotation marks and empty elements may be written in several ways. */
const plainMarkup = (text: string): string =>
  text
    .replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
    .replace(/<(\w+)([^<>]*?)\s*\/>/g, '<$1$2></$1>')
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&gt;/g, '>')
    .replace(/\s+/g, ' ')
    .replace(/\s*=\s*'([^']*)'/g, '="$1"')
    .replace(/ >/g, '>')
    .replace(/<(\w+)((?: [\w:-]+="[^"]*")+)>/g, (_, name: string, attributes: string) =>
      [`<${name}`, ...(attributes.match(/[\w:-]+="[^"]*"/g) ?? []).sort()].join(' ').concat('>'),
    );

const LEADS_INSIDE = /^(?:urn:uuid:.+|urn:oid:.+|https?:\/\/.+\/[A-Z]\w+\/[^/]+|[A-Z]\w+\/[^/]+(?:\/_history\/.+)?)$/;

/** What must be equal: without id and meta, references inside the record by their type alone. */
const comparable = (value: Value, name = '', depth = 0): Value => {
  if (Array.isArray(value)) {
    return value.map((one) => comparable(one, name, depth));
  }
  if (isLosslessNumber(value)) {
    return `number ${value.value}`;
  }
  if (!isObject(value)) {
    const text = name === 'div' && typeof value === 'string' ? plainMarkup(value) : value;
    return (name === 'reference' || name === 'url') && typeof text === 'string' && LEADS_INSIDE.test(text)
      ? 'a reference'
      : text;
  }
  const left = depth === 0 ? ['id', 'meta', ...SUBJECTS] : [];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => !left.includes(member))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([member, inside]) => [member, comparable(inside, member, depth + 1)]),
  );
};

/** A resource as text that is equal for equal resources. @param text JSON */
export const asItCame = (text: string): string => JSON.stringify(comparable(parse(text)), undefined, 1);

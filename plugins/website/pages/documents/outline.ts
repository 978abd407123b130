/** outline: turns a stored document without facts into names and texts to read, never into its own markup (pure). */

/** An element of XML or a member of JSON: its name, its text, and the items in it. */
export type Item = { readonly name: string; readonly text: string; readonly items: readonly Item[] };

type Outline = {
  readonly items: readonly Item[];
  /** Whether the document has more than is shown. */ readonly cut: boolean;
};

type Open = { readonly name: string; text: string; readonly items: (Open | Item)[] };

const MOST_BYTES = 65_536;
const MOST_ITEMS = 400;
const DEEPEST = 20;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) {
      return entities[name] ?? whole;
    }
    return characterOf(parseInt(hex ?? decimal!, hex === undefined ? 10 : 16));
  });
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Attributes with a meaning for people, without namespaces and schemas. */
function attributeItems(text: string): readonly Item[] {
  return [...text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
    .filter(([, name = '']) => !/^(xmlns|xsi|xml)(:|$)/.test(name))
    .map(([, name = '', double, single]) => ({
      name: localName(name),
      text: decoded(double ?? single ?? ''),
      items: [],
    }));
}

const TOKEN =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<\/[^>]*>|<([^\s/>!?]+)((?:\s+[^\s=<>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;

function readXml(text: string): Outline {
  const root: Open = { name: '', text: '', items: [] };
  const path: Open[] = [root];
  let count = 0;
  let cut = false;
  for (const [token, cdata, name, attributes = '', closed, words] of text.matchAll(TOKEN)) {
    const here = path.at(-1)!;
    if (name !== undefined) {
      const items = attributeItems(attributes);
      count += 1 + items.length;
      const opened: Open = { name: localName(name), text: '', items: [...items] };
      if (count <= MOST_ITEMS && path.length <= DEEPEST) {
        here.items.push(opened);
      } else {
        cut = true;
      }
      if (closed === '') {
        path.push(opened);
      }
    } else if (token.startsWith('</')) {
      if (path.length > 1) {
        path.pop();
      }
    } else if (cdata !== undefined || words !== undefined) {
      here.text += cdata ?? decoded(words!);
    }
  }
  return { items: root.items, cut };
}

function outlineOfJson(value: unknown): Outline {
  let count = 0;
  let cut = false;
  const itemsOf = (inner: unknown, depth: number): readonly Item[] => {
    if (typeof inner !== 'object' || inner === null) {
      return [];
    }
    if (depth > DEEPEST) {
      cut = true;
      return [];
    }
    return Object.entries(inner).flatMap(([key, member]: [string, unknown]): readonly Item[] => {
      count += 1;
      if (count > MOST_ITEMS) {
        cut = true;
        return [];
      }
      const isText = typeof member !== 'object' || member === null;
      // An index in a list is not a name.
      const name = Array.isArray(inner) ? '' : key;
      return [{ name, text: isText ? String(member ?? '') : '', items: itemsOf(member, depth + 1) }];
    });
  };
  const items = itemsOf(value, 1);
  return { items, cut };
}

/** Leaves out items without a text, and the white space of the file's layout. */
function tidy({ name, text, items }: Item): readonly Item[] {
  const words = text.replace(/\s+/g, ' ').trim();
  const inner = items.flatMap(tidy);
  return words === '' && inner.length === 0 ? [] : [{ name, text: words, items: inner }];
}

function decodeText(content: Buffer): string {
  const start = content.subarray(0, 200).toString('latin1');
  const encoding = /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)/.exec(start)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding).decode(content.subarray(0, MOST_BYTES));
  } catch {
    return '';
  }
}

/**
 * The items below the root element of XML, or the members of JSON; undefined for any other content, and for content
 * that cannot be read.
 */
export function outlineOf(content: Buffer, mediaType: string): Outline | undefined {
  const text = decodeText(content);
  const isLonger = content.length > MOST_BYTES;
  if (/[/+]json\b/.test(mediaType)) {
    try {
      const { items, cut } = outlineOfJson(isLonger ? null : JSON.parse(text));
      return items.length === 0 ? undefined : { items: items.flatMap(tidy), cut };
    } catch {
      return undefined;
    }
  }
  if (!/[/+]xml\b/.test(mediaType)) {
    return undefined;
  }
  const { items, cut } = readXml(text);
  const [root] = items.flatMap(tidy);
  if (!root) {
    return undefined;
  }
  // If the root element contains only text, its name is not shown.
  const inner = root.text === '' ? root.items : [{ name: '', text: root.text, items: [] }, ...root.items];
  return { items: inner, cut: cut || isLonger };
}

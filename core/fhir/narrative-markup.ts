/**
 * narrative-markup: finds the narratives in the XML text of a document, and leaves out of them what FHIR does not allow
 * there: scripts, forms, frames, event attributes, and whatever is fetched from elsewhere (pure). The text is
 * well-formed, because libxml2 wrote it.
 */

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s/>!?]+)((?:"[^"]*"|'[^']*'|[^>"'])*)>|[^<]+/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** The elements that R4 allows in a narrative, and a few that say no more than these. */
const ELEMENTS = words(
  'div p span br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption col colgroup thead tbody tfoot tr th td a img b i u s em strong dfn code samp kbd var cite abbr acronym blockquote q sub sup pre tt big small address ins del bdo',
);
/** Elements that go with everything inside. Of all others only the tags go. */
const DROPPED = words(
  'script style iframe frame frameset noframes object embed applet form input button select textarea option link base head meta title svg math template noscript audio video canvas source track param',
);
const ATTRIBUTES = words(
  'id class title lang dir style href hreflang name src alt width height border cellpadding cellspacing colspan rowspan span align valign char charoff abbr axis headers scope summary cite datetime start type compact frame rules rev rel',
);
const EMPTY = words('br hr img col');

function lowerLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** The text of an attribute as a browser would read it, without what a browser ignores in an address. */
function readAddress(raw: string): string {
  return raw
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&amp;/g, '&')
    .replace(/[\u0000-\u0020\u007F-\u00A0]/g, '') // eslint-disable-line no-control-regex
    .toLowerCase();
}

function isSafeLink(raw: string): boolean {
  const address = readAddress(raw);
  return !/^[^/?#]*:/.test(address) || /^(?:https?|mailto|tel):/.test(address);
}

function isSafeImage(raw: string): boolean {
  return /^(?:#|data:image\/(?:png|jpe?g|gif|webp|bmp);)/.test(readAddress(raw));
}

function isSafeStyle(raw: string): boolean {
  return !/url\s*\(|expression|@|behaviou?r|binding|\\|image-set/i.test(raw);
}

function isAllowed(element: string, name: string, value: string): boolean {
  if (name === 'xml:lang') {
    return true;
  }
  if (!ATTRIBUTES.has(name)) {
    return false;
  }
  switch (name) {
    case 'href':
    case 'cite':
      return isSafeLink(value);
    case 'src':
      return element === 'img' && isSafeImage(value);
    case 'style':
      return isSafeStyle(value);
    default:
      return true;
  }
}

function isNamespace(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:');
}

type Cleaning = {
  readonly parts: string[];
  /** True for each open element whose tags are kept. */
  readonly open: boolean[];
  /** How many elements are open inside one that goes as a whole; 0 outside of such. */
  dropping: number;
  isChanged: boolean;
};

function attributesText(cleaning: Cleaning, element: string, text: string): string {
  let kept = '';
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = (double ?? single ?? '').replace(/"/g, '&quot;');
    if (isNamespace(name)) {
      continue;
    }
    if (isAllowed(element, name.toLowerCase(), value)) {
      kept += ` ${name.toLowerCase()}="${value}"`;
    } else {
      cleaning.isChanged = true;
    }
  }
  return kept;
}

function openTag(cleaning: Cleaning, name: string, rest: string): void {
  const element = lowerLocalName(name);
  const isClosed = rest.endsWith('/');
  if (cleaning.dropping > 0 || DROPPED.has(element)) {
    cleaning.dropping += isClosed ? 0 : 1;
    cleaning.isChanged = true;
    return;
  }
  const isKept = ELEMENTS.has(element);
  cleaning.isChanged ||= !isKept;
  if (isKept) {
    const namespace = cleaning.open.length === 0 ? ' xmlns="http://www.w3.org/1999/xhtml"' : '';
    const tag = `<${element}${namespace}${attributesText(cleaning, element, isClosed ? rest.slice(0, -1) : rest)}`;
    const end = EMPTY.has(element) ? '/>' : `></${element}>`;
    cleaning.parts.push(isClosed ? `${tag}${end}` : `${tag}>`);
  }
  if (!isClosed) {
    cleaning.open.push(isKept);
  }
}

function closeTag(cleaning: Cleaning, name: string): void {
  if (cleaning.dropping > 0) {
    cleaning.dropping -= 1;
  } else if (cleaning.open.pop() === true) {
    cleaning.parts.push(`</${lowerLocalName(name)}>`);
  }
}

type Narrative = {
  /** Markup that begins with a `div` of XHTML. */
  readonly text: string;
  /** Whether something was left out. */ readonly isChanged: boolean;
};

function decodeEntities(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&gt;/g, '>');
}

/** Markup in the one form that all ways of writing the same have in common. */
function canonical(markup: string): string {
  return markup.replace(TOKEN, (token, _data, slash?: string, name?: string, rest = '') => {
    if (name === undefined) {
      return decodeEntities(token);
    }
    const attributes = [...String(rest).matchAll(ATTRIBUTE)]
      .map(([, one, double, single]) => `${one}=${decodeEntities(double ?? single ?? '')}`)
      .sort();
    const open = `<${slash ?? ''}${name} ${JSON.stringify(attributes)}>`;
    return String(rest).endsWith('/') ? `${open}</${name} []>` : open;
  });
}

/**
 * The narratives of a document in JSON as their sender wrote them, by their common form. Those of which something is
 * left out are not among them.
 */
export function writtenNarratives(divs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    divs.flatMap((div) => {
      const found = narrativesIn(div);
      return found.length === 1 && !found[0]!.isChanged ? [[canonical(found[0]!.text), div] as const] : [];
    }),
  );
}

/** A narrative as its sender wrote it, if that is known. */
export function asWritten(text: string, written: ReadonlyMap<string, string>): string {
  return written.size === 0 ? text : (written.get(canonical(text)) ?? text);
}

function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** The narratives of a document, in their order: each is an element of the name `div`. */
export function narrativesIn(text: string): readonly Narrative[] {
  const found: Narrative[] = [];
  let cleaning: Cleaning | undefined;
  let depth = 0;
  if (!/<(?:[^\s/>:]+:)?div[\s/>]/.test(text)) {
    return found;
  }
  const finish = ({ parts, isChanged }: Cleaning): void => {
    found.push({ text: parts.join(''), isChanged });
    cleaning = undefined;
  };
  for (const [token, data, slash, name, rest = ''] of text.matchAll(TOKEN)) {
    if (name === undefined) {
      if (cleaning && cleaning.dropping === 0 && !/^<[!?]/.test(token)) {
        cleaning.parts.push(token);
      } else if (cleaning && cleaning.dropping === 0 && data !== undefined) {
        cleaning.parts.push(escapeMarkup(data));
      }
    } else if (slash === '/') {
      if (cleaning) {
        closeTag(cleaning, name);
        depth -= 1;
        if (depth === 0) {
          finish(cleaning);
        }
      }
    } else if (cleaning || lowerLocalName(name) === 'div') {
      cleaning ??= { parts: [], open: [], dropping: 0, isChanged: false };
      openTag(cleaning, name, rest);
      depth += rest.endsWith('/') ? 0 : 1;
      if (depth === 0) {
        finish(cleaning);
      }
    }
  }
  return found;
}

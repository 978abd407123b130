/**
 * write: writes a tree of elements as XML text, for replies and for every other document that the service itself makes.
 */

type XmlValue = string | number | boolean | null | undefined;

export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, XmlValue>>;
  readonly children: readonly (XmlElement | string)[];
};

type Child = XmlElement | string | null | undefined | false;

const noChildren: readonly (XmlElement | string)[] = [];

function isChild(child: Child): child is XmlElement | string {
  return child !== null && child !== undefined && child !== false;
}

/** The children without the missing ones. Most lists have none missing and need no copy. */
function present(children: readonly Child[]): XmlElement['children'] {
  return children.every(isChild) ? children : children.filter(isChild);
}

/**
 * Makes one element. Attributes that are null or undefined are left out; empty text is written. Children that are null,
 * undefined or false are left out, so that an optional part is `condition && element(...)`.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, XmlValue>> = {},
  children: readonly Child[] | string = noChildren,
): XmlElement {
  return { name, attributes, children: typeof children === 'string' ? [children] : present(children) };
}

/** Characters that XML 1.0 forbids, even as references, and lone surrogates, which cannot be encoded at all. */
const ILLEGAL =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// eslint-disable-next-line no-control-regex
const TEXT_TO_ESCAPE = /[&<>\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;
// eslint-disable-next-line no-control-regex
const VALUE_TO_ESCAPE = /[&<>"\r\n\t\u0000-\u0008\u000B\u000C\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Escapes a text. Most texts need no escaping: one test saves them the replacements. */
function escapeText(text: string): string {
  return TEXT_TO_ESCAPE.test(text)
    ? text.replace(/[&<>\r]/g, (character) => REFERENCES[character] as string).replace(ILLEGAL, '\uFFFD')
    : text;
}

function escapeValue(text: string): string {
  return VALUE_TO_ESCAPE.test(text)
    ? text.replace(/[&<>"\r\n\t]/g, (character) => REFERENCES[character] as string).replace(ILLEGAL, '\uFFFD')
    : text;
}

function attributesText(attributes: XmlElement['attributes']): string {
  let text = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== null && value !== undefined) {
      text += ` ${name}="${escapeValue(String(value))}"`;
    }
  }
  return text;
}

/** Writes one element with its content, without a declaration, for documents that are written in pieces. */
export function writeElement(node: XmlElement): string {
  let text = `<${node.name}${attributesText(node.attributes)}`;
  if (node.children.length === 0) {
    return `${text}/>`;
  }
  text += '>';
  for (const child of node.children) {
    text += typeof child === 'string' ? escapeText(child) : writeElement(child);
  }
  return `${text}</${node.name}>`;
}

export function openTag(name: string, attributes: XmlElement['attributes'] = {}): string {
  return `<${name}${attributesText(attributes)}>`;
}

export function closeTag(name: string): string {
  return `</${name}>`;
}

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * Writes the tree as a document with the XML declaration. Characters that XML 1.0 cannot hold become U+FFFD. Names are
 * the caller's own constants and are not checked.
 */
export function writeXml(root: XmlElement): string {
  return `${DECLARATION}${writeElement(root)}`;
}

/**
 * write: writes a resource as the JSON text that is sent, with every digit of its numbers. `resourceXmlPieces` writes it
 * as XML.
 */
import { stringify } from 'lossless-json';

/** @param space the indentation of each level; without it, the text is one line */
export function resourceText(resource: object, space?: number): string {
  return stringify(resource, undefined, space)!;
}

const TEXT = Symbol('text');

type Unread = {
  readonly text: string;
  readonly head: Readonly<Record<string | symbol, unknown>>;
  readonly read: (text: string) => object;
  whole?: object;
};

function readWhole(unread: Unread): object {
  return (unread.whole ??= unread.read(unread.text));
}

/** The text is read when somebody asks for more than the head. */
const whenAsked: ProxyHandler<Unread> = {
  get: (unread, name) =>
    name === TEXT ? unread.text : (unread.head[name] ?? (Reflect.get(readWhole(unread), name) as unknown)),
  has: (unread, name) => Reflect.has(readWhole(unread), name),
  ownKeys: (unread) => Reflect.ownKeys(readWhole(unread)),
  getOwnPropertyDescriptor: (unread, name) => Reflect.getOwnPropertyDescriptor(readWhole(unread), name),
  set: () => false,
};

/**
 * A resource that is stored as the text that is sent. Most are only sent, so the text is not read before somebody asks
 * for more of it than its head.
 * @param text what `resourceText` would write
 */
export function unreadResource(text: string, head: Unread['head'], read: Unread['read']): object {
  return new Proxy<Unread>({ text, head, read }, whenAsked);
}

function unreadText(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? (value as { readonly [TEXT]?: string })[TEXT] : undefined;
}

/** A value with at most this many parts, and with a text of at most so many characters, is written at once. */
const PARTS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 65_536;

/** Whether a value is written at once. It counts no further than it must. */
function isSmall(value: unknown): boolean {
  const left: unknown[] = [value];
  let characters = 0;
  for (let count = 0; left.length > 0; count += 1) {
    const one = left.pop();
    if (typeof one === 'string') {
      characters += one.length;
    } else if (typeof one === 'object' && one !== null) {
      if (unreadText(one) !== undefined) {
        return false;
      }
      const inside: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
      if (count + left.length + inside.length > PARTS_AT_ONCE) {
        return false;
      }
      left.push(...inside);
    }
    if (characters > CHARACTERS_AT_ONCE) {
      return false;
    }
  }
  return true;
}

/** Whether a text is written in parts. */
export function isLong(text: string): boolean {
  return text.length > CHARACTERS_AT_ONCE;
}

/** The parts of a long text. The two halves of a character outside the basic plane stay together. */
export function* partsOfText(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + CHARACTERS_AT_ONCE, text.length);
    if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!)) {
      end += 1;
    }
    yield text.slice(at, end);
    at = end;
  }
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (const part of partsOfText(text)) {
    yield JSON.stringify(part).slice(1, -1);
  }
  yield '"';
}

/** The text of a value that is stored as it is sent. A long one goes out in parts, as all that is long does. */
function storedText(value: unknown, space: number | undefined): string | undefined {
  const text = space === undefined ? unreadText(value) : undefined;
  return text === undefined || isLong(text) ? undefined : text;
}

function* valuePieces(value: unknown, space: number | undefined, indent: string): Generator<string> {
  const stored = storedText(value, space);
  if (stored !== undefined) {
    yield stored;
  } else if (isSmall(value)) {
    // No text in JSON has a line break of its own.
    const text = stringify(value, undefined, space) ?? 'null';
    yield indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
  } else if (typeof value === 'string') {
    yield* textPieces(value);
  } else {
    yield* insidePieces(value as object, space, indent);
  }
}

function* insidePieces(value: object, space: number | undefined, indent: string): Generator<string> {
  const inner = space === undefined ? '' : indent + ' '.repeat(space);
  const [line, last, colon] = space === undefined ? ['', '', ':'] : [`\n${inner}`, `\n${indent}`, ': '];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item) => ['', item])
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => [`${JSON.stringify(name)}${colon}`, item]);
  let before = open;
  for (const [name, item] of members) {
    yield before + line + name;
    yield* valuePieces(item, space, inner);
    before = ',';
  }
  yield last + close;
}

/** As `resourceText`, in pieces that each take little time to write, however large the resource is. */
export function resourcePieces(resource: object, space?: number): Generator<string> {
  return valuePieces(resource, space, '');
}

/** Escapes a text for markup that is assembled as text, also between quotation marks. */
export function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

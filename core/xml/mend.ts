/**
 * mend: mends what keeps a person's file from being XML, where nothing has to be guessed (pure). It never touches a
 * file with a DOCTYPE, and nothing in markup, comments and CDATA sections. A mended document says so itself, in a
 * processing instruction at its beginning.
 */
import { isUtf8 } from 'node:buffer';
import { decodeHTMLStrict } from 'entities';
import { declarations, Prefixes } from './prefixes';

/** What was mended; the texts of the website have a sentence for each. */
const MENDS = [
  'start',
  'encoding',
  'western',
  'characters',
  'ampersands',
  'entities',
  'namespace',
  'prefixes',
  'strangers',
] as const;
type Mend = (typeof MENDS)[number];

/** How often something was mended, and the line of the first place. */
export type Mended = { readonly mend: Mend; readonly count: number; readonly line: number };

class Notes {
  private readonly found = new Map<Mend, { count: number; readonly at: number }>();

  constructor(private readonly text: string) {}

  add(mend: Mend, at: number, count = 1): void {
    const before = this.found.get(mend);
    this.found.set(mend, { count: (before?.count ?? 0) + count, at: Math.min(before?.at ?? at, at) });
  }

  all(): readonly Mended[] {
    return [...this.found].map(([mend, { count, at }]) => ({
      mend,
      count,
      line: this.text.slice(0, at).split('\n').length,
    }));
  }
}

const DECLARATION = /^<\?xml\s[^>]{0,300}?\?>/;
const DECLARED = /(\sencoding\s*=\s*)(["'])([^"'>]{0,40})\2/;

const ONE_BYTE = ['iso-8859-1', 'iso-8859-15', 'windows-1252'];
const OTHER = [...ONE_BYTE, 'utf-16', 'utf-16le', 'utf-16be'];

function declaredIn(text: string): string {
  return DECLARED.exec(DECLARATION.exec(text)?.[0] ?? '')?.[3]?.toLowerCase() ?? '';
}

/** The declaration, where the file begins with white space or marks that do not belong there. */
function textAtStart(bytes: Buffer): string {
  return bytes
    .subarray(0, 500)
    .toString('latin1')
    .replace(/^[\s\u00ef\u00bb\u00bf]+/, '');
}

function isAscii(bytes: Buffer): boolean {
  return !bytes.some((byte) => byte > 0x7f);
}

/** Whether a file declares an encoding of other programs, and is written in UTF-8 all the same. */
export function isMisdeclared(bytes: Buffer): boolean {
  return ONE_BYTE.includes(declaredIn(textAtStart(bytes))) && isUtf8(bytes) && !isAscii(bytes);
}

/** UTF-8 in part: what is no UTF-8 in such a file cannot be told. */
const MIXED = /[\u00c2-\u00df][\u0080-\u00bf]/;
/**
 * Bytes above 127 that texts of Western Europe have. Other alphabets in one byte have longer runs of letters, and signs
 * within words.
 */
const NOT_WESTERN =
  /[\u0081-\u0084\u0086-\u0090\u0098\u009a-\u009f\u00a1-\u00a6\u00a8-\u00aa\u00ac\u00ad\u00af\u00b4\u00b6\u00b8\u00b9\u00d0\u00de\u00f0\u00fe]|[\u00c0-\u00ff]{3}|(?<![mM])\u00b3|[A-Za-z][\u00bc-\u00be]|[\u00bc-\u00be][A-Za-z]|(?<![nN\d])\u00ba/;

/** The bytes 128 to 159 in Windows-1252. TextDecoder of some releases of Node.js reads them as control characters. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Whether bytes that are not UTF-8 can be letters of Western Europe, and of no other kind. */
export function mayBeWestern(bytes: Buffer): boolean {
  const raw = bytes.toString('latin1');
  return !MIXED.test(raw) && !NOT_WESTERN.test(raw);
}

export function decodeWindows(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (sign) => WINDOWS[sign.charCodeAt(0) - 0x80]!);
}

function decodeAs(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The first characters of a document: white space and the bracket. */
const STARTS = [0x09, 0x0a, 0x0d, 0x20, 0x3c];

function wideEncoding(bytes: Buffer): string | undefined {
  const [first = 0, second = 0] = bytes;
  if ((first === 0xff && second === 0xfe) || (STARTS.includes(first) && second === 0)) {
    return 'utf-16le';
  }
  return (first === 0xfe && second === 0xff) || (first === 0 && STARTS.includes(second)) ? 'utf-16be' : undefined;
}

type Decoded = { readonly text: string; readonly mend?: Mend };

function decodeBytes(bytes: Buffer): Decoded | undefined {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) {
    const text = decodeAs(wide, bytes);
    return text === undefined
      ? undefined
      : { text, ...(declaredIn(text).startsWith('utf-16') ? {} : { mend: 'encoding' }) };
  }
  const declared = declaredIn(textAtStart(bytes));
  if (isUtf8(bytes)) {
    const isWrong = OTHER.includes(declared) && (declared.startsWith('utf-16') || !isAscii(bytes));
    return { text: bytes.toString('utf8').replace(/^\uFEFF/, ''), ...(isWrong ? { mend: 'encoding' } : {}) };
  }
  if (ONE_BYTE.includes(declared)) {
    return { text: declared === 'iso-8859-15' ? new TextDecoder(declared).decode(bytes) : decodeWindows(bytes) };
  }
  return declared.startsWith('utf-16') || !mayBeWestern(bytes)
    ? undefined
    : { text: decodeWindows(bytes), mend: 'western' };
}

/**
 * Characters that XML does not allow, references to them, other references, and ampersands that begin none.
 */
const ODD =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|&#(?:x0*(?:[0-8bcef]|1[0-9a-f])|0*(?:[0-8]|1[124-9]|2[0-9]|3[01]));|&[A-Za-z][A-Za-z0-9]*;?|&#?/gi;
const OF_XML = /^&(?:amp|lt|gt|quot|apos);?$/;

function escapeAsNumbers(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A reference to a character by its HTML name; others stay, so that the gate refuses them. */
function mendEntity(reference: string): string | undefined {
  const meant = decodeHTMLStrict(reference);
  return meant === reference ? undefined : escapeAsNumbers(meant);
}

function mendOdd(odd: string, noted: (mend: Mend) => void): string {
  if (OF_XML.test(odd) || odd === '&#') {
    return odd;
  }
  if (!odd.startsWith('&') || odd.startsWith('&#')) {
    noted('characters');
    return ' ';
  }
  if (!odd.endsWith(';')) {
    noted('ampersands');
    return `&amp;${odd.slice(1)}`;
  }
  const mended = mendEntity(odd);
  if (mended !== undefined) {
    noted('entities');
  }
  return mended ?? odd;
}

function mendPart(part: string, from: number, notes: Notes): string {
  return part.replace(ODD, (odd: string, at: number) => mendOdd(odd, (mend) => notes.add(mend, from + at)));
}

/** In a tag, only the values of attributes are mended. */
function mendTag(tag: string, from: number, notes: Notes): string {
  return tag.replace(/"[^"]*"|'[^']*'/g, (value: string, at: number) => mendPart(value, from + at, notes));
}

const TO_BRACKET_OR_QUOTE = /[^>"']*/y;

/** The place behind a tag; -1 if it does not end. */
function endOfTag(text: string, from: number): number {
  for (let place = from + 1; place < text.length;) {
    TO_BRACKET_OR_QUOTE.lastIndex = place;
    place += TO_BRACKET_OR_QUOTE.exec(text)?.[0].length ?? 0;
    if (text[place] === '>') {
      return place + 1;
    }
    const closed = place < text.length ? text.indexOf(text[place]!, place + 1) : -1;
    if (closed < 0) {
      return -1;
    }
    place = closed + 1;
  }
  return -1;
}

const SPECIAL: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

type Markup = { readonly end: number; readonly isTag: boolean };

/** The markup that begins here; undefined for a declaration such as a DOCTYPE, and for what does not end. */
function markupAt(text: string, from: number): Markup | undefined {
  const special = SPECIAL.find(([begin]) => text.startsWith(begin, from));
  if (special) {
    const end = text.indexOf(special[1], from + special[0].length);
    return end < 0 ? undefined : { end: end + special[1].length, isTag: false };
  }
  const end = text.startsWith('<!', from) ? -1 : endOfTag(text, from);
  return end < 0 ? undefined : { end, isTag: true };
}

const ROOT_NAME = /^<[^\s/>]+/;

/**
 * Declares at the root what is not declared where it is used; a declaration further inside still counts more.
 * @param parts the document in pieces
 * @param root the place of the start tag of the root among them; -1 without one
 */
function declarePrefixes(parts: string[], root: number, prefixes: Prefixes, notes: Notes): void {
  const undeclared = prefixes.undeclared();
  if (root < 0 || !undeclared) {
    return;
  }
  const { root: own, usual, unknown } = undeclared;
  own.forEach(() => notes.add('namespace', 0));
  usual.forEach(({ at, count }) => notes.add('prefixes', at, count));
  unknown.forEach(({ at, count }) => notes.add('strangers', at, count));
  const added = declarations([...own, ...usual, ...unknown]);
  parts[root] = parts[root]!.replace(ROOT_NAME, (name) => name + added);
}

/** Each character is looked at a fixed number of times, whatever the text. */
function mendText(text: string, from: number, notes: Notes): string | undefined {
  const parts: string[] = [];
  const prefixes = new Prefixes();
  let root = -1;
  for (let place = from; place < text.length;) {
    const open = text.indexOf('<', place);
    parts.push(mendPart(text.slice(place, open < 0 ? text.length : open), place, notes));
    if (open < 0) {
      break;
    }
    const markup = markupAt(text, open);
    if (!markup) {
      return undefined;
    }
    const written = text.slice(open, markup.end);
    if (markup.isTag) {
      prefixes.see(written, open);
      root = root < 0 ? parts.length : root;
    }
    parts.push(markup.isTag ? mendTag(written, open, notes) : written);
    place = markup.end;
  }
  declarePrefixes(parts, root, prefixes, notes);
  return parts.join('');
}

function instruction(all: readonly Mended[]): string {
  return `<?mended${all.map(({ mend, count, line }) => ` ${mend}="${count} ${line}"`).join('')}?>`;
}

/** The text in UTF-8 with the note of what was mended, on the line of the declaration. */
function withNote(text: string, notes: Notes): Buffer {
  const declaration = DECLARATION.exec(text)?.[0] ?? '';
  const inUtf8 = declaration.replace(DECLARED, '$1$2UTF-8$2');
  return Buffer.from(`${inUtf8}${instruction(notes.all())}${text.slice(declaration.length)}`);
}

/**
 * The mended document in UTF-8; undefined if nothing is to be mended, or if it cannot be done without guessing. Whether
 * it is XML now, the gate finds out.
 */
export function mendXml(bytes: Buffer): Buffer | undefined {
  const decoded = decodeBytes(bytes);
  if (!decoded) {
    return undefined;
  }
  const notes = new Notes(decoded.text);
  if (decoded.mend !== undefined) {
    notes.add(decoded.mend, 0);
  }
  const before = /^[\uFEFF\s]+(?=<\?xml\s)|^\uFEFF+/.exec(decoded.text)?.[0].length ?? 0;
  if (before > 0) {
    notes.add('start', 0);
  }
  const mended = mendText(decoded.text, before, notes);
  return mended === undefined || notes.all().length === 0 ? undefined : withNote(mended, notes);
}

const NOTED = /^(?:<\?xml\s[^>]{0,300}?\?>)?<\?mended ([^?>]{0,300})\?>/;
const LONGEST_NOTE = 700;

/** What a document says that was mended in it. */
export function mendsIn(bytes: Buffer): readonly Mended[] {
  const [, noted = ''] = NOTED.exec(bytes.subarray(0, LONGEST_NOTE).toString('latin1')) ?? [];
  return [...noted.matchAll(/([a-z]+)="(\d{1,9}) (\d{1,9})"/g)].flatMap(([, name, count, line]) => {
    const mend = MENDS.find((known) => known === name);
    return mend ? [{ mend, count: Number(count), line: Number(line) }] : [];
  });
}

/**
 * json-to-xml: writes FHIR R4 JSON as FHIR XML, for the schema and the stylesheets. Nothing is lost: numbers keep their
 * digits, `_name` keeps its id and extensions, and names that FHIR does not know are refused with their path. The JSON
 * itself is what is stored.
 */
import { isUtf8 } from 'node:buffer';
import { isLosslessNumber } from 'lossless-json';
import { AppError, errors, type ProblemKind } from '../base/errors';
import { parseExactJson } from '../base/json';
import type { LeftOut } from '../base/left-out';
import { fhirType, type FhirElement, type FhirType, isPrimitive } from './elements';
import { versionOf, versionOfCode, versionOfList, versionOfNames } from './versions/other-versions';
import { fromNewer } from './versions/newer-resources';
import { fromOlder } from './versions/older-resources';
import {
  convertedEntry,
  elementOf,
  mayLeaveAlone,
  mayLeaveOut,
  mendedAlone,
  mendedEntry,
  mendedPart,
  narrativeLeft,
  saysSomething,
  unreadAlone,
  unreadEntry,
} from './readable-entries';
import { isLong, partsOfText } from './write';

export const FHIR = 'http://hl7.org/fhir';

/** The deepest nesting. The gate would refuse deeper XML; the parser would run out of stack only far beyond this. */
const DEEPEST = 200;

type Value = unknown;
type Members = Readonly<Record<string, Value>>;
type Writing = {
  readonly parts: string[];
  /** Whether a text is a well-formed XHTML `div`. */
  readonly isDiv: (text: string) => boolean;
  /** True for resources that are sent: a character that XML does not allow is replaced. */
  readonly outgoing?: boolean;
  /** Told where a narrative was left out that nobody can read. */
  readonly unread?: (path: string) => void;
  /** Told where a number or truth value that was written as a text is read as one; without it, that is refused. */
  readonly asText?: (path: string) => void;
};

function isMembers(value: Value): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Names are no health data, but only a text that can be a name is repeated. */
function showableName(name: string): string {
  return /^_?[A-Za-z]\w{0,63}$/.test(name) ? name : '(a name that is none)';
}

function refuse(path: string, reason: string, kind: ProblemKind = 'value'): AppError {
  return errors.invalidDocument('it is not FHIR R4', [{ message: `${path}: ${reason}`, kind, name: path }]);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};
// eslint-disable-next-line no-control-regex
const UNWRITABLE = /[\p{Cs}\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/u;

const EVERY_UNWRITABLE = new RegExp(UNWRITABLE, 'gu');

function escape(given: string, path: string, outgoing = false): string {
  if (!outgoing && UNWRITABLE.test(given)) {
    throw refuse(path, 'it holds a character that XML does not allow');
  }
  const text = outgoing ? given.replace(EVERY_UNWRITABLE, '\uFFFD') : given;
  return text.replace(/[&<>"\n\r\t]/g, (character) => ESCAPES[character]!);
}

const primitivesInWords: Readonly<Record<string, string>> = { number: 'a number', boolean: 'true or false' };

const WRITTEN_NUMBER = /^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/;

/** Whether a text is a number or a truth value, as the element wants it, without any doubt. */
function isWrittenOut(kind: FhirElement['kind'], value: Value): value is string {
  return (
    typeof value === 'string' &&
    ((kind === 'number' && WRITTEN_NUMBER.test(value)) || (kind === 'boolean' && /^(?:true|false)$/.test(value)))
  );
}

/** The text of a primitive value, as FHIR XML writes it. */
function primitiveText(
  { kind }: FhirElement,
  value: Value,
  path: string,
  { outgoing, asText }: Pick<Writing, 'outgoing' | 'asText'>,
): string {
  if (asText && isWrittenOut(kind, value)) {
    asText(path);
    return value;
  }
  if (kind === 'boolean' && typeof value === 'boolean') {
    return String(value);
  }
  if (kind === 'number' && isLosslessNumber(value)) {
    return value.value;
  }
  if (kind === 'number' && typeof value === 'number') {
    return String(value);
  }
  if ((kind === 'text' || kind === 'attribute') && typeof value === 'string') {
    return escape(value, path, outgoing);
  }
  throw refuse(path, `it must be ${primitivesInWords[kind] ?? 'a text'}`);
}

const PRIMITIVE: FhirType = fhirType('Element')!;

/** The start tag of a primitive without its last character. `_name` belongs to it: `<name value="..." id="..."`. */
function beginPrimitive(writing: Writing, element: FhirElement, value: Value, more: Value, path: string): void {
  if (more !== undefined && more !== null && !isMembers(more)) {
    throw refuse(path, 'what belongs to it must be an object');
  }
  if ((value === undefined || value === null) && !isMembers(more)) {
    throw refuse(path, 'it must not be null');
  }
  writing.parts.push(`<${element.name}`);
  if (value !== undefined && value !== null) {
    writing.parts.push(` value="${primitiveText(element, value, path, writing)}"`);
  }
}

function isLongText({ kind }: FhirElement, value: Value): boolean {
  return kind === 'text' && typeof value === 'string' && isLong(value);
}

/** As `beginPrimitive`, for the bytes of a document and other long texts. */
function* beginLong(writing: Writing, { name }: FhirElement, value: string, path: string): Generator<string> {
  writing.parts.push(`<${name} value="`);
  for (const part of partsOfText(value)) {
    writing.parts.push(escape(part, path, true));
    yield writing.parts.splice(0).join('');
  }
  writing.parts.push('"');
}

/** The parts are passed on when there are this many. */
const PARTS_IN_PIECE = 400;

function markupOf(value: string): string {
  return value.replace(/^\s*<\?xml[^>]*\?>/, '').trim();
}

/** Writes the markup of a narrative, which was found to be readable. */
function writeDiv({ parts }: Writing, value: Value, path: string): void {
  if (typeof value !== 'string') {
    throw refuse(path, 'it must be a text');
  }
  parts.push(markupOf(value));
}

/** Whether a value is a narrative whose markup nobody can read. It is left out whole. */
function isUnreadable({ isDiv }: Writing, { type }: FhirElement, value: Value): boolean {
  const div = type === 'Narrative' && isMembers(value) && Object.hasOwn(value, 'div') ? value['div'] : undefined;
  return typeof div === 'string' && !isDiv(markupOf(div));
}

function* writeOne(
  writing: Writing,
  element: FhirElement,
  value: Value,
  path: string,
  depth: number,
): Generator<string> {
  if (element.kind === 'xhtml') {
    writeDiv(writing, value, path);
    return;
  }
  if (!isMembers(value)) {
    throw (typeof value === 'string' ? versionOfCode(element.name) : undefined) ?? refuse(path, 'it must be an object');
  }
  writing.parts.push(`<${element.name}`);
  if (element.kind === 'resource') {
    writing.parts.push('>');
    yield* writeResource(writing, value, path, depth, '');
  } else {
    yield* writeInside(writing, fhirType(element.type)!, value, path, depth);
  }
  writing.parts.push(`</${element.name}>`);
}

function elementList(element: FhirElement, value: Value, path: string): readonly Value[] {
  if (value === undefined) {
    return [];
  }
  if (Array.isArray(value) !== element.many) {
    throw (
      (element.many ? undefined : versionOfList(path)) ??
      refuse(path, element.many ? 'it must be a list' : 'it must not be a list')
    );
  }
  return element.many ? (value as readonly Value[]) : [value];
}

function hasMember(members: Members, element: FhirElement): boolean {
  return Object.hasOwn(members, element.name) || (isPrimitive(element) && Object.hasOwn(members, `_${element.name}`));
}

function* writeXmlElement(
  writing: Writing,
  element: FhirElement,
  members: Members,
  path: string,
  depth: number,
): Generator<string> {
  const place = `${path}.${element.name}`;
  const own = (name: string): Value => (Object.hasOwn(members, name) ? members[name] : undefined);
  const values = elementList(element, own(element.name), place);
  const more = isPrimitive(element) ? elementList(element, own(`_${element.name}`), place) : [];
  if (isUnreadable(writing, element, values[0])) {
    writing.unread?.(place);
    return;
  }
  for (let index = 0; index < Math.max(values.length, more.length); index += 1) {
    const at = element.many ? `${place}[${index}]` : place;
    if (!isPrimitive(element)) {
      yield* writeOne(writing, element, values[index], at, depth);
    } else {
      const inside = more[index];
      if (writing.outgoing && isLongText(element, values[index])) {
        yield* beginLong(writing, element, values[index] as string, at);
      } else {
        beginPrimitive(writing, element, values[index], inside, at);
      }
      if (isMembers(inside)) {
        yield* writeInside(writing, PRIMITIVE, inside, at, depth);
      } else {
        writing.parts.push('>');
      }
      writing.parts.push(`</${element.name}>`);
    }
    if (writing.parts.length >= PARTS_IN_PIECE) {
      yield writing.parts.splice(0).join('');
    }
  }
}

function checkNames(type: FhirType, members: Members, path: string, typeName?: string): void {
  for (const name of Object.keys(members)) {
    const element = type.elements.get(name.replace(/^_/, ''));
    const known = element !== undefined && (!name.startsWith('_') || isPrimitive(element));
    if (!known && !(name === 'resourceType' && type.isResource)) {
      const version = typeName === undefined ? undefined : versionOfNames(typeName, Object.keys(members));
      throw version ?? refuse(`${path}.${showableName(name)}`, 'FHIR R4 has no such element here', 'misplaced');
    }
  }
}

/** The rest of a start tag, and everything inside the element. */
function* writeInside(
  writing: Writing,
  type: FhirType,
  members: Members,
  path: string,
  depth: number,
  typeName?: string,
): Generator<string> {
  if (depth > DEEPEST) {
    throw refuse(path, 'it is nested too deep');
  }
  checkNames(type, members, path, typeName);
  for (const element of type.elements.values()) {
    if (element.kind === 'attribute' && Object.hasOwn(members, element.name)) {
      writing.parts.push(
        ` ${element.name}="${primitiveText(element, members[element.name], `${path}.${element.name}`, writing)}"`,
      );
    }
  }
  writing.parts.push('>');
  for (const element of type.elements.values()) {
    if (element.kind !== 'attribute' && hasMember(members, element)) {
      yield* writeXmlElement(writing, element, members, path, depth + 1);
    }
  }
}

function* writeResource(
  writing: Writing,
  members: Members,
  path: string,
  depth: number,
  attributes: string,
): Generator<string> {
  const name = Object.hasOwn(members, 'resourceType') ? members['resourceType'] : undefined;
  const type = typeof name === 'string' ? fhirType(name) : undefined;
  if (typeof name !== 'string' || !type?.isResource) {
    const version = typeof name === 'string' ? versionOf(name) : undefined;
    throw version ?? refuse(`${path}.resourceType`, 'it must name a type of resource of FHIR R4');
  }
  writing.parts.push(`<${name}${attributes}`);
  yield* writeInside(writing, type, members, path === '' ? name : path, depth, name);
  writing.parts.push(`</${name}>`);
}

/** The whole resource in pieces. */
function* writtenPieces(writing: Writing, members: Members): Generator<string> {
  yield* writeResource(writing, members, '', 1, ` xmlns="${FHIR}"`);
  yield writing.parts.join('');
}

function parsedJson(text: string): Value {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RangeError) {
      throw errors.invalidDocument('it is nested too deep');
    }
    const place = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = place === undefined ? undefined : text.slice(0, Number(place)).split('\n').length;
    throw errors.invalidDocument('it is not well-formed JSON', [
      { ...(line === undefined ? {} : { line }), message: 'this is not well-formed JSON', kind: 'damaged' },
    ]);
  }
}

function isEmptyValue(value: Value): boolean {
  return (
    value === null ||
    value === '' ||
    (isMembers(value) && Object.keys(value).length === 0) ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** A value without the empty values inside, which say nothing; places in lists that have a second list are kept. */
function withoutEmpty(value: Value, depth: number, told: () => void): Value {
  if (depth > DEEPEST || !isMembers(value)) {
    return value;
  }
  const kept: [string, Value][] = [];
  for (const [name, given] of Object.entries(value)) {
    const isPaired = name.startsWith('_') || Object.hasOwn(value, `_${name}`);
    const inside = Array.isArray(given)
      ? given.map((one) => withoutEmpty(one, depth + 1, told)).filter((one) => isPaired || !isEmptyValue(one))
      : withoutEmpty(given, depth + 1, told);
    if (isEmptyValue(inside) || (Array.isArray(given) && given.length !== (inside as readonly Value[]).length)) {
      told();
    }
    if (!isEmptyValue(inside)) {
      kept.push([name, inside]);
    }
  }
  return Object.fromEntries(kept);
}

function resourceIn(entry: Value): Members | undefined {
  const resource = isMembers(entry) ? entry['resource'] : undefined;
  return isMembers(resource) ? resource : undefined;
}

function typeIn(resource: Members): string {
  return showableName(String(resource['resourceType']));
}

function withoutEmptyEntry(entry: Value, index: number, unread: LeftOut[]): Value {
  const members = isMembers(entry) || entry === null ? entry : undefined;
  if (members === undefined) {
    return entry;
  }
  let isMended = entry === null;
  const kept = withoutEmpty(members ?? {}, 0, () => (isMended = true)) as Members;
  if (isMended) {
    unread.push(mendedEntry(typeIn(resourceIn(kept) ?? { resourceType: 'Bundle' }), index));
  }
  return kept;
}

/** A Bundle whose own members, but for its entries, have no empty values. */
function withoutEmptyAround({ entry, ...around }: Members, unread: LeftOut[]): Members {
  let isMended = false;
  const kept = withoutEmpty(around, 0, () => (isMended = true)) as Members;
  if (isMended) {
    unread.push(mendedAlone('Bundle'));
  }
  return { ...kept, entry };
}

/** Writes a resource, and tells of narratives that nobody can read. */
function writeTelling(isDiv: Writing['isDiv'], resource: Members, unread: LeftOut[], strict = false): string {
  const places: string[] = [];
  const texts: string[] = [];
  const lenient = strict ? {} : { asText: (place: string) => texts.push(place) };
  const writing: Writing = { parts: [], isDiv, unread: (place) => places.push(place), ...lenient };
  const text = [...writtenPieces(writing, resource)].join('');
  const entries = Array.isArray(resource['entry']) ? (resource['entry'] as readonly Value[]) : [];
  for (const place of places) {
    const index = /^Bundle\.entry\[(\d+)\]/.exec(place)?.[1];
    const type = typeIn((index === undefined ? undefined : resourceIn(entries[Number(index)])) ?? resource);
    unread.push(narrativeLeft(type, index === undefined ? type : `entry ${Number(index) + 1}`));
  }
  for (const place of texts) {
    const index = /^Bundle\.entry\[(\d+)\]/.exec(place)?.[1];
    const type = typeIn((index === undefined ? undefined : resourceIn(entries[Number(index)])) ?? resource);
    unread.push(mendedPart(type, place, 'mended_value'));
  }
  return text;
}

function refusalOfResource(isDiv: Writing['isDiv'], resource: Members, index: number): AppError | undefined {
  const writing: Writing = { parts: [], isDiv, asText: () => undefined };
  try {
    for (const piece of writeResource(writing, resource, `Bundle.entry[${index}].resource`, 3, '')) {
      writing.parts.length = piece === '' ? writing.parts.length : 0;
    }
    return undefined;
  } catch (error) {
    if (error instanceof AppError) {
      return error;
    }
    throw error;
  }
}

/** A resource as XML; undefined where it is not FHIR R4. */
export function r4Xml(isDiv: Writing['isDiv'], resource: Members): string | undefined {
  return refusalOfResource(isDiv, resource, 0)
    ? undefined
    : [...writtenPieces({ parts: [], isDiv, asText: () => undefined }, resource)].join('');
}

/** A resource of another version as R4, and whether it is of a newer one; undefined where it cannot be read as R4. */
function convertedToR4(
  isDiv: Writing['isDiv'],
  resource: Members,
  index: number,
): { readonly resource: Members; readonly isNewer: boolean } | undefined {
  for (const [convert, isNewer] of [
    [fromOlder, false],
    [fromNewer, true],
  ] as const) {
    const converted = convert(resource) as Members | undefined;
    if (converted && !refusalOfResource(isDiv, converted, index)) {
      return { resource: converted, isNewer };
    }
  }
  return undefined;
}

/** An entry without its resource if that is not FHIR R4. Of a Patient only the wrong element goes. */
function readableEntry(isDiv: Writing['isDiv'], entry: Value, index: number, unread: LeftOut[]): Value {
  const resource = resourceIn(entry);
  const refusal = resource ? refusalOfResource(isDiv, resource, index) : undefined;
  if (!resource || !refusal) {
    return entry;
  }
  const { resource: _, ...rest } = entry as Members;
  const converted = convertedToR4(isDiv, resource, index);
  if (converted) {
    unread.push(convertedEntry(typeIn(converted.resource), `entry ${index + 1}`, converted.isNewer));
    return { ...rest, resource: converted.resource };
  }
  unread.push(unreadEntry(typeIn(resource), index, refusal));
  if (resource['resourceType'] !== 'Patient') {
    return rest;
  }
  const kept = Object.fromEntries(Object.entries(resource).filter(([name]) => name !== elementOf(refusal)));
  if (refusalOfResource(isDiv, kept, index)) {
    throw refusal;
  }
  return { ...rest, resource: kept };
}

/** A Bundle as XML, without the resources that are not FHIR R4. @throws AppError as without this, if none is left */
function writeReadable(isDiv: Writing['isDiv'], given: Members, unread: LeftOut[]): string {
  const bundle = withoutEmptyAround(given, unread);
  const write = (entry: readonly Value[]): string => writeTelling(isDiv, { ...bundle, entry }, unread);
  const filled = (bundle['entry'] as readonly Value[]).map((entry, index) => withoutEmptyEntry(entry, index, unread));
  try {
    return write(filled);
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    const entries = filled.map((entry, index) => readableEntry(isDiv, entry, index, unread));
    if (!entries.some((entry) => saysSomething(String(resourceIn(entry)?.['resourceType'] ?? 'Patient')))) {
      throw error;
    }
    return write(entries);
  }
}

/** Of a resource that is left out, its type and its text for people, if that can be read. */
function writeText(isDiv: Writing['isDiv'], type: string, { text }: Members): string {
  const div = isMembers(text) ? text['div'] : undefined;
  const given = typeof div === 'string' && isDiv(markupOf(div)) ? { text: { status: 'additional', div } } : {};
  return [...writtenPieces({ parts: [], isDiv }, { resourceType: type, ...given })].join('');
}

/** A resource that stands alone and is not FHIR R4 is left out, but for its text for people. */
function leaveAlone(isDiv: Writing['isDiv'], resource: Members, refusal: unknown, unread: LeftOut[]): string {
  const type = String(resource['resourceType']);
  if (!(refusal instanceof AppError) || fhirType(type)?.isResource !== true || !mayLeaveAlone(type, refusal)) {
    throw refusal;
  }
  unread.push(unreadAlone(type, refusal));
  return writeText(isDiv, type, resource);
}

/**
 * A resource that stands alone, without empty values, or as R4 if it is of an older version that is read. @throws
 * AppError as without this, if that is not enough
 */
function writeAlone(isDiv: Writing['isDiv'], resource: Members, unread: LeftOut[], strict: boolean): string {
  const write = (one: Members): string => writeTelling(isDiv, one, unread, strict);
  let isMended = false;
  const given = withoutEmpty(resource, 0, () => (isMended = true)) as Members;
  const type = typeIn(resource);
  const told = isMended ? [mendedAlone(type)] : [];
  try {
    const written = write(given);
    unread.push(...told);
    return written;
  } catch (error) {
    const converted = error instanceof AppError ? convertedToR4(isDiv, given, 0) : undefined;
    if (!converted) {
      if (strict) {
        throw error;
      }
      return leaveAlone(isDiv, given, error, unread);
    }
    const name = typeIn(converted.resource);
    unread.push(...told, convertedEntry(name, name, converted.isNewer));
    return write(converted.resource);
  }
}

/**
 * @param bytes FHIR R4 JSON in UTF-8
 * @param unread receives what was left out of a Bundle, because it is not FHIR R4; without it, one such resource
 * refuses all
 * @param strict refuse a resource that stands alone and is not FHIR R4, which is left out otherwise
 * @returns the same resource as FHIR XML
 * @throws AppError invalid_document with the path of the part that is not FHIR R4, and without a word of the document
 */
export function fhirJsonToXml(bytes: Buffer, isDiv: Writing['isDiv'], unread?: LeftOut[], strict = false): string {
  // No UTF-8 text has a zero byte, but UTF-16 without a byte order mark does.
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw errors.invalidDocument('its JSON is not UTF-8, in which FHIR is written', [
      { message: 'this is JSON, but not in UTF-8: save it in UTF-8', kind: 'encoding' },
    ]);
  }
  const value = parsedJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (!isMembers(value)) {
    throw errors.invalidDocument('it is not FHIR R4', [{ message: 'a resource is a JSON object' }]);
  }
  const isReadable = value['resourceType'] === 'Bundle' && Array.isArray(value['entry']) && mayLeaveOut(value['type']);
  if (unread && isReadable) {
    return writeReadable(isDiv, value, unread);
  }
  return unread && value['resourceType'] !== 'Bundle'
    ? writeAlone(isDiv, value, unread, strict)
    : writeTelling(isDiv, value, unread ?? [], true);
}

/**
 * Writes a resource of our own as FHIR XML, in pieces that each take little time to write. Its narratives are
 * well-formed, and undefined members are left out.
 */
export function resourceXmlPieces(resource: object): Generator<string> {
  return writtenPieces({ parts: [], isDiv: () => true, outgoing: true }, resource as Members);
}

/**
 * Whether bytes look like JSON, which begins with a brace where XML never does. This includes JSON in UTF-16, which is
 * then refused as JSON.
 */
export function looksLikeJson(bytes: Buffer): boolean {
  const start = bytes
    .subarray(0, 1024)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(\u00EF\u00BB\u00BF|\u00FE\u00FF|\u00FF\u00FE)/, '');
  return /^[ \t\r\n]*\{/.test(start);
}

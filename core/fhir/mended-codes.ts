/**
 * mended-codes: mends codes outside the value sets that R4 requires, in the text that libxml2 wrote of a document: a code
 * in capitals is read as it is meant, and one that says nothing of a person's health goes. Times that are not written as
 * R4 writes them are mended where nothing has to be guessed: one without a zone is of the sender's clock, so its day
 * stays, and its time beside it in an extension (pure).
 */
import type { LeftOut } from '../base/left-out';
import { wrongCodes, type WrongCode } from './bindings';
import { mendedPart } from './readable-entries';

const TAG = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([^\s/>!?]+)((?:[^>"]|"[^"]*")*)>/g;

/** Places of codes without which nothing false is said. */
const HARMLESS = [
  /\.(?:gender|priority|language)$/,
  /\.(?:telecom|address|name|identifier)(?:\[\d+\])?\.(?:use|type|system)$/,
];
function isHarmless(path: string): boolean {
  return HARMLESS.some((place) => place.test(path));
}

/** A narrative of an unknown kind may say more than the codes, which is what "additional" means. */
function insteadOf({ path, instead }: WrongCode): string | undefined {
  return /\.text\.status$/.test(path) ? (instead ?? 'additional') : instead;
}

/** The extension that keeps a time of the sender's clock beside its day. */
const CLOCK = 'urn:svc:clock-time';

const DAYS = new Set(['birthDate', 'expirationDate', 'manufactureDate', 'startDate', 'dueDate', 'boundsDate']);
const INSTANTS = new Set(['issued', 'lastUpdated', 'timestamp', 'recorded']);
const TIMES = new Set([
  ...DAYS,
  ...INSTANTS,
  ...['authoredOn', 'collectedDateTime', 'created', 'creation', 'date', 'dateAsserted', 'dateTime', 'deceasedDateTime'],
  ...['effectiveDateTime', 'end', 'event', 'lastOccurrence', 'occurrenceDateTime', 'onset', 'onsetDateTime'],
  ...['abatementDateTime', 'performedDateTime', 'receivedTime', 'recordedDate', 'start', 'timingDateTime'],
  ...['valueDateTime', 'whenHandedOver', 'whenPrepared'],
]);

const RIGHT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)?)?$/;
/** Day, time and zone, with or without the signs between their parts. */
const WRITTEN =
  /^(\d{4})(-?)(\d\d)\2(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(\.\d{1,9})?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/;

function mendedZone(zone: string): string {
  return zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
}

/**
 * @param name the name of an element that has a value and nothing inside
 * @param tag the element
 * @returns the element with its value as R4 writes it, nothing where R4 has no place for what it says, or undefined where
 * it is right, or cannot be read for certain
 */
function mendedTime(name: string, tag: string): string | undefined {
  const value = TIMES.has(name) ? /\svalue="([^"]*)"/.exec(tag)?.[1]?.trim() : undefined;
  if (value === undefined || (RIGHT.test(value) && !DAYS.has(name) && !INSTANTS.has(name))) {
    return undefined;
  }
  const [, year, , month, day, hour, minute, second = '00', fraction = '', zone] = WRITTEN.exec(value) ?? [];
  if (year === undefined) {
    return undefined;
  }
  const written = (text: string): string => tag.replace(/(\svalue=)"[^"]*"/, `$1"${text}"`);
  const date = `${year}-${month}-${day}`;
  const time = hour === undefined ? undefined : `${hour}:${minute}:${second}${fraction}`;
  const whole = time !== undefined && zone !== undefined ? `${date}T${time}${mendedZone(zone)}` : undefined;
  if (DAYS.has(name)) {
    return date === value ? undefined : written(date);
  }
  if (INSTANTS.has(name)) {
    const instead = whole === undefined ? '' : written(whole);
    return whole === value ? undefined : instead;
  }
  if (whole !== undefined || time === undefined) {
    return written(whole ?? date);
  }
  const inside = `<extension url="${CLOCK}"><valueString value="${time}"/></extension>`;
  const prefix = /^<(\w+:)?/.exec(tag)?.[1] ?? '';
  return `${written(date).replace(/\s*\/>$/, '>')}${inside.replace(/<(\/?)/g, `<$1${prefix}`)}</${prefix}${name}>`;
}

type Open = { readonly path: string; readonly type: string; readonly counts: Map<string, number> };

/** The path of an element in its parent, without the number of the first one. */
function pathIn(parent: Open | undefined, name: string): string {
  if (parent === undefined) {
    return name;
  }
  const count = parent.counts.get(name) ?? 0;
  parent.counts.set(name, count + 1);
  // A resource inside an element has no name of its own in a path.
  const isResource = /^[A-Z]/.test(name);
  return isResource ? parent.path : `${parent.path}.${name}${count === 0 ? '' : `[${count}]`}`;
}

function withoutZero(path: string): string {
  return path.replaceAll('[0]', '');
}

/** The tag with another value, or nothing where the code goes. */
function mendedTag(tag: string, instead: string | undefined): string {
  return instead === undefined ? '' : tag.replace(/(\svalue=)"[^"]*"/, `$1"${instead}"`);
}

/** @returns undefined where nothing can be mended */
export function mendCodes(
  text: string,
  tree: Parameters<typeof wrongCodes>[0],
): { readonly text: string; readonly told: readonly LeftOut[] } | undefined {
  const wrong = new Map(
    wrongCodes(tree)
      .map((code) => ({ ...code, instead: insteadOf(code) }))
      .filter(({ path, instead }) => instead !== undefined || isHarmless(path))
      .map((code) => [withoutZero(code.path), code]),
  );
  const open: Open[] = [];
  const told: LeftOut[] = [];
  const mended = text.replace(TAG, (tag: string, slash: string | undefined, given: string | undefined) => {
    if (given === undefined) {
      return tag;
    }
    if (slash === '/') {
      open.pop();
      return tag;
    }
    const name = given.slice(given.indexOf(':') + 1);
    const parent = open.at(-1);
    const path = pathIn(parent, name);
    const type = /^[A-Z]/.test(name) ? name : (parent?.type ?? name);
    const isEmpty = tag.endsWith('/>');
    if (!isEmpty) {
      open.push({ path, type, counts: new Map() });
    }
    const time = isEmpty ? mendedTime(name, tag) : undefined;
    if (time !== undefined) {
      told.push(mendedPart(type, path.replace(/^Bundle\.entry\./, 'Bundle.entry[0].'), 'mended_value'));
      return time;
    }
    const found = isEmpty ? wrong.get(path) : undefined;
    if (!found) {
      return tag;
    }
    told.push(mendedPart(type, found.path, found.instead === undefined ? 'code_left' : 'mended_code'));
    return mendedTag(tag, found.instead);
  });
  return told.length === 0 ? undefined : { text: mended, told };
}

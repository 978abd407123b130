/**
 * readings: joins documents of readings, so that a file that comes later, or was made earlier, only adds readings.
 * Such a document has one reading a line: an element with attributes only, or a `Model` whose fields hold text only.
 */
import { groupedBy } from '../base/grouped-by';

/** How a format writes its readings. */
export type ReadingsRule = {
  /** Attributes of the root that a reading has, too, unless it has its own. */
  readonly inherited?: readonly string[];
  /**
   * The attribute or field with a sum that grows, such as the steps of a day: of two readings that say the same besides,
   * the one with the larger sum is the more complete one.
   */
  readonly grows?: string;
  /**
   * Whether times are what the clocks of a person showed, and their offsets only what was known of that person's zone: the
   * same time of day is then the same moment.
   */
  readonly byClock?: boolean;
};

/** How many readings of a file are new, were there already, and say more than what was there. */
export type ReadingCounts = { readonly fresh: number; readonly same: number; readonly fuller: number };

export const NO_READINGS: ReadingCounts = { fresh: 0, same: 0, fuller: 0 };

export function addCounts(a: ReadingCounts, b: ReadingCounts): ReadingCounts {
  return { fresh: a.fresh + b.fresh, same: a.same + b.same, fuller: a.fuller + b.fuller };
}

/** What joining changes: new texts of known documents by their number, and documents that are to be added. */
type Joined = {
  readonly changed: ReadonlyMap<number, string>;
  readonly added: readonly string[];
  readonly counts: ReadingCounts;
};

/** What a reading says in a form that is compared, one entry for each field; `moment`: the dates in it. */
type Form = { readonly says: ReadonlySet<string>; readonly moment: string; readonly identity: string };
/** `says`: as it is written. Two readings are the same if they are the same in the first or in the second of their forms. */
type Reading = { readonly line: string; readonly says: ReadonlySet<string>; readonly forms: readonly Form[] };
type Part = { readonly head: string; readonly readings: Map<string, Reading>; readonly tail: string };

const ATTRIBUTE = /([\w:]+)="([^"]*)"/g;
const FIELD = /<Field name="([^"]*)">([^<]*)<\/Field>/g;
const MODEL = /^<Model name="[^"]*">(?:<Field name="[^"]*">[^<]*<\/Field>)*<\/Model>$/;
const EMPTY_ELEMENT = /^<\w+(?: [\w:]+="[^"<]*")*\/>$/;
const DATE = /^\d{4}-\d\d/;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?$/;

function pairsIn(text: string, pattern: RegExp): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value]));
}

function inheritedOf(head: string, { inherited = [] }: ReadingsRule): ReadonlyMap<string, string> {
  const own = pairsIn(head.slice(head.lastIndexOf('<')), ATTRIBUTE);
  return new Map(inherited.flatMap((name) => (own.has(name) ? [[name, own.get(name)!]] : [])));
}

/** The reading of a line; undefined for a line that is written in another way. */
function readReading(line: string, inherited: ReadonlyMap<string, string>, byClock = false): Reading | undefined {
  const isModel = MODEL.test(line);
  if (!isModel && !EMPTY_ELEMENT.test(line)) {
    return undefined;
  }
  const own = pairsIn(line, isModel ? FIELD : ATTRIBUTE);
  const said = isModel ? own : new Map([...own, ...[...inherited].filter(([name]) => !own.has(name))]);
  const [element = ''] = line.split(isModel ? '>' : ' ', 1);
  const says = new Set([element, ...[...said].map(([name, value]) => `${name}=${value}`)]);
  const forms = (byClock ? [momentOf, clockOf] : [momentOf]).map((time) => readingForm(element, said, time));
  return { line, says, forms };
}

/** A time as its moment, however it is written. One without a zone is compared as if it were UTC. */
function momentOf(text: string): string {
  const [, shown, zone = 'Z'] = TIME.exec(text) ?? [];
  const moment = shown === undefined ? NaN : Date.parse(`${shown}${zone}`);
  return Number.isNaN(moment) ? text : new Date(moment).toISOString();
}

/** A time as a clock showed it, whatever the zone of the clock. */
function clockOf(text: string): string {
  const [, shown, zone] = TIME.exec(text) ?? [];
  return shown === undefined || zone === 'Z' ? text : shown;
}

function readingForm(element: string, said: ReadonlyMap<string, string>, time: (text: string) => string): Form {
  const entries = [...said].map(([name, value]) => [name, DATE.test(value) ? time(value) : value] as const);
  const says = entries.map(([name, value]) => `${name}=${value}`);
  const dates = entries.flatMap(([name, value]) => (DATE.test(value) ? [`${name}=${value}`] : []));
  const all = [element, ...says];
  return { says: new Set(all), moment: dates.sort().join(' '), identity: all.sort().join('\n') };
}

/** What identifies a reading among those of all documents, however its document writes it. */
function identityOf({ forms }: Reading): string {
  return forms[0]!.identity;
}

function isSameReading(one: Reading, other: Reading): boolean {
  return one.forms.some(({ identity }, at) => identity === other.forms[at]?.identity);
}

/** Splits a document into its readings; undefined for one that has other contents. */
function readPart(text: string, rule: ReadingsRule): Part | undefined {
  const [head] = /^(?:<\?xml[^>]*\?>\s*)?<\w+(?: [\w:]+="[^"]*")*>/.exec(text) ?? [];
  const [tail] = /\s*<\/\w+>\s*$/.exec(text) ?? [];
  if (head === undefined || tail === undefined) {
    return undefined;
  }
  const inherited = inheritedOf(head, rule);
  const lines = text.slice(head.length, text.length - tail.length).replaceAll('</Model><Model ', '</Model>\n<Model ');
  const readings = new Map<string, Reading>();
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const reading = readReading(line, inherited, rule.byClock);
    if (!reading) {
      return undefined;
    }
    readings.set(identityOf(reading), reading);
  }
  return { head, readings, tail };
}

/** The line of a reading in a document whose readings inherit these attributes. */
function writeLine({ line, says }: Reading, inherited: ReadonlyMap<string, string>): string {
  if (inherited.size === 0) {
    return line;
  }
  const [element = '', ...said] = says;
  const needed = said
    .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
    .filter(([name, value]) => inherited.get(name) !== value);
  return `${element}${needed.map(([name, value]) => ` ${name}="${value}"`).join('')}/>`;
}

/** The text of a document, with its readings in an order that does not depend on when they came. */
function writePart({ head, readings, tail }: Part, rule: ReadingsRule): string {
  const inherited = inheritedOf(head, rule);
  const lines = [...readings.values()].map((reading) => writeLine(reading, inherited)).sort();
  return `${head}\n${lines.join('\n')}\n${tail.trim()}\n`;
}

/**
 * Whether the other reading is the same one and says more of it. Readings of which only the day is known may be two.
 */
function isWithinReading(some: Reading, other: Reading): boolean {
  return (
    some.says.size < other.says.size &&
    some.forms.some(({ moment, says }, at) => {
      const others = other.forms[at];
      return moment.includes('T') && moment === others?.moment && [...says].every((entry) => others.says.has(entry));
    })
  );
}

/** Whether both readings are the same sum, which was larger when the other one was made. */
function isOutgrown(some: Reading, other: Reading, { grows }: ReadingsRule): boolean {
  if (grows === undefined || some.says.size !== other.says.size) {
    return false;
  }
  return some.forms.some(({ moment, says }, at) => {
    const others = other.forms[at];
    const sumIn = (entries: ReadonlySet<string>) => [...entries].find((entry) => entry.startsWith(`${grows}=`));
    const [sum, larger] = [sumIn(says), sumIn(others?.says ?? new Set())];
    const isAlike = moment === others?.moment && [...says].every((entry) => entry === sum || others.says.has(entry));
    return isAlike && sum !== undefined && larger !== undefined && readingNumber(sum) < readingNumber(larger);
  });
}

function readingNumber(entry: string): number {
  return Number(entry.slice(entry.indexOf('=') + 1));
}

type Held = { readonly part: Part; readonly identity: string; readonly reading: Reading };

/** The readings of all parts, by their moments. */
function groupByMoment(parts: readonly Part[]): ReadonlyMap<string, readonly Held[]> {
  const held = parts.flatMap((part) =>
    [...part.readings].map(([identity, reading]): Held => ({ part, identity, reading })),
  );
  const placed = held.flatMap((one) => momentsOf(one.reading).map((moment) => ({ moment, one })));
  const groups = groupedBy(placed, ({ moment }) => moment);
  return new Map([...groups].map(([moment, all]) => [moment, all.map(({ one }) => one)]));
}

function momentsOf({ forms }: Reading): readonly string[] {
  return [...new Set(forms.map(({ moment }) => moment))];
}

/**
 * Replaces known readings by arriving ones that say more of them, and answers the new ones. What says less than another
 * reading is left out, in whatever order the two came.
 */
function compareReadings(arriving: Part, known: readonly Part[], rule: ReadingsRule) {
  const isLess = (some: Reading, other: Reading): boolean =>
    isWithinReading(some, other) || isOutgrown(some, other, rule);
  const [there, together] = [groupByMoment(known), groupByMoment([arriving])];
  const fresh = new Map<string, Reading>();
  const touched = new Set<Part>();
  const counts = { fresh: 0, same: 0, fuller: 0 };
  for (const [identity, reading] of arriving.readings) {
    const near = momentsOf(reading).flatMap((moment) => there.get(moment) ?? []);
    const beside = momentsOf(reading).flatMap((moment) => together.get(moment) ?? []);
    if (near.some((one) => isSameReading(one.reading, reading) || isLess(reading, one.reading))) {
      counts.same += 1;
    } else if (!beside.some((one) => isLess(reading, one.reading))) {
      const less = near.filter((one) => one.part.readings.has(one.identity) && isLess(one.reading, reading));
      less.forEach(({ part, identity: old }) => touched.add(part) && part.readings.delete(old));
      less.slice(0, 1).forEach(({ part }) => part.readings.set(identity, reading));
      if (less.length > 0) {
        counts.fuller += 1;
      } else {
        fresh.set(identity, reading);
      }
    }
  }
  return { fresh, touched, counts: { ...counts, fresh: fresh.size } };
}

/** The known documents of readings, by number. One that a person has written anew may be another: it stays as it is. */
function numberParts(known: readonly string[], rule: ReadingsRule): ReadonlyMap<Part, number> {
  return new Map(
    known.flatMap((text, number) => {
      const part = readPart(text, rule);
      return part ? [[part, number] as const] : [];
    }),
  );
}

/** Fills known documents up to `most` readings, and answers the readings that found no room. */
function fillParts(fresh: ReadonlyMap<string, Reading>, known: readonly Part[], touched: Set<Part>, most: number) {
  const rest = [...fresh];
  for (const part of known) {
    const some = rest.splice(0, Math.max(0, most - part.readings.size));
    some.forEach(([identity, reading]) => touched.add(part) && part.readings.set(identity, reading));
  }
  return rest;
}

/** A document of the arriving readings that known documents lack; undefined if there are none. */
export function readingsBeyond(known: readonly string[], arriving: string, rule: ReadingsRule): string | undefined {
  const part = readPart(arriving, rule);
  if (!part) {
    return arriving;
  }
  const { fresh } = compareReadings(part, [...numberParts(known, rule).keys()], rule);
  return fresh.size === 0 ? undefined : writePart({ ...part, readings: fresh }, rule);
}

/**
 * Adds the readings of an arriving document to known documents of the same source. No known reading is lost: one is
 * only replaced by a reading of the same moment that says all of it and more, or by a larger sum. The record has the same readings in
 * whatever order documents arrive.
 * @param known texts of the documents that hold readings of the same source and time
 * @param most the most readings of one document
 */
export function joinReadings(known: readonly string[], arriving: string, rule: ReadingsRule, most: number): Joined {
  const part = readPart(arriving, rule);
  if (!part) {
    throw new Error('an intake yields readings that are not one a line');
  }
  const parts = numberParts(known, rule);
  const { fresh, touched, counts } = compareReadings(part, [...parts.keys()], rule);
  const rest = fillParts(fresh, [...parts.keys()], touched, most);
  const added: string[] = [];
  for (let start = 0; start < rest.length; start += most) {
    added.push(writePart({ ...part, readings: new Map(rest.slice(start, start + most)) }, rule));
  }
  return {
    changed: new Map([...touched].map((one) => [parts.get(one)!, writePart(one, rule)])),
    added,
    counts,
  };
}

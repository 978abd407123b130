/**
 * about: reads what a document says of itself as a whole, checks it as facts are checked, and gives it the form in
 * which it is stored (pure).
 */
import { fromTimestamp, toTimestamp } from '../../base/clock';
import { fhirSystem } from '../../fhir/code-systems';
import type { Timestamp } from '../../base/types';
import type { About, AboutColumns } from '../about';
import { clockOf, parseDay, parsePartialDate, parseTimestamp } from './dates';

type Name = keyof About;
type Found = { readonly about: About } | { readonly problems: readonly string[] };

const LONGEST: Readonly<Record<Name, number>> = {
  title: 255,
  kind: 255,
  code: 100,
  system: 255,
  date: 35,
  start: 35,
  end: 35,
  author: 255,
  author_for: 255,
  from: 255,
  identifier: 255,
  identifier_system: 255,
  format: 100,
  visit: 255,
  visit_system: 255,
  subject: 255,
  born: 35,
};
const NAMES = Object.keys(LONGEST) as readonly Name[];
const DATES: readonly Name[] = ['date', 'start', 'end', 'born'];

function isName(name: string): name is Name {
  return Object.hasOwn(LONGEST, name);
}

function isWholeDay(text: string): boolean {
  return text.length === 10;
}

/** The first moment of a date or time that `asWritten` accepted. */
function startOf(written: string): Timestamp {
  return parseTimestamp(parsePartialDate(written)?.day ?? written)!;
}

/** A year, a month, a day or a time as it is written, also without a zone; undefined for other text. */
function asWritten(text: string): string | undefined {
  if (parsePartialDate(text)) {
    return text;
  }
  const stamp = parseTimestamp(text);
  if (stamp === undefined || !text.includes('T')) {
    return parseDay(text);
  }
  // FHIR does not know 24:00 as the end of a day.
  if (!text.includes('T24')) {
    return text;
  }
  const moment = new Date(fromTimestamp(stamp)).toISOString();
  return clockOf(text.replace('T24', 'T23')) === 'local' ? moment.slice(0, 19) : moment;
}

function problemOf(name: Name, text: string, all: About): string | undefined {
  if ([...text].length > LONGEST[name]) {
    return `it is longer than ${LONGEST[name]} characters`;
  }
  if (DATES.includes(name) && asWritten(text) === undefined) {
    return 'it is no date such as 2026, 2026-03 or 2026-03-31, and no time such as 2026-03-31T10:00:00Z';
  }
  return name === 'system' && all.code === undefined ? 'there is no code beside it' : undefined;
}

/** The parts that say something, with white space reduced to single spaces. */
function tidied(said: Readonly<Record<string, unknown>>): About {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value.replace(/[\s\p{Cc}]+/gu, ' ').trim() : '';
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** @param said the parts by their names, as a transform wrote them. Problems name parts and never values. */
export function readAbout(said: Readonly<Record<string, unknown>>): Found {
  const about = tidied(said);
  const problems = Object.entries(said).flatMap(([name, value]): readonly string[] => {
    if (!isName(name)) {
      const shown = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) ? name : 'with this name';
      return [`About: there is no part ${shown}; there are ${NAMES.join(', ')}`];
    }
    if (typeof value !== 'string' && value !== null) {
      return [`About, ${name}: it is no text`];
    }
    const text = about[name];
    const problem = text === undefined ? undefined : problemOf(name, text, about);
    return problem === undefined ? [] : [`About, ${name}: ${problem}`];
  });
  if (problems.length > 0) {
    return { problems };
  }
  const dated = DATES.flatMap((name) => (about[name] === undefined ? [] : [[name, asWritten(about[name])]]));
  return {
    about: {
      ...about,
      // Formats name code systems as the data models do, and by other names.
      ...(about.system === undefined ? {} : { system: fhirSystem(about.system) }),
      ...(Object.fromEntries(dated) as About),
    },
  };
}

const DAY = 24 * 60 * 60 * 1000;
const SECOND = 1000;

/** The first moment after a year, a month or a day, or after the second of a time. */
function endOfPartial(written: string): Timestamp {
  const start = fromTimestamp(startOf(written));
  const partial = parsePartialDate(written);
  const date = new Date(start);
  if (partial) {
    date.setUTCMonth(date.getUTCMonth() + (partial.precision === 'year' ? 12 : 1));
  }
  const milliseconds = partial ? date.getTime() : start + (isWholeDay(written) ? DAY : SECOND);
  return new Date(milliseconds).getUTCFullYear() > 9999 ? '9999-12-31T23:59:59.999999Z' : toTimestamp(milliseconds);
}

export function aboutColumns(about: About | undefined): AboutColumns {
  return {
    about: about === undefined ? null : JSON.stringify(about),
    about_system: about?.system ?? null,
    about_code: about?.code ?? null,
    about_start: about?.start === undefined ? null : startOf(about.start),
    about_end: about?.end === undefined ? null : endOfPartial(about.end),
  };
}

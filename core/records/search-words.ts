/** search-words: divides a search text into words: texts, numbers, dates, names of kinds (pure). */
import { daysInZone, type Days } from '../base/days-in-zone';
import { foldedForms, saysForm } from '../base/words/folded-text';
import { parseDay } from '../facts/model/dates';
import type { Model, Models } from '../facts/model/model';
import type { SearchWord } from '../documents/search-store';

/** The most words of a search; further words are ignored. */
const MOST_WORDS = 6;

/** Converts Arabic and Persian digits. */
function plainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

const months = new Map<string, ReadonlyMap<string, string>>();

/** Names of months in a language, long and short -> `01` to `12`. */
function monthsIn(language: string): ReadonlyMap<string, string> {
  const known = months.get(language);
  if (known) {
    return known;
  }
  const named = new Map<string, string>();
  for (const month of ['long', 'short'] as const) {
    const format = new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' });
    for (let index = 0; index < 12; index += 1) {
      const name = format.formatToParts(Date.UTC(2026, index, 1)).find(({ type }) => type === 'month')?.value ?? '';
      named.set(bareName(name), String(index + 1).padStart(2, '0'));
    }
  }
  months.set(language, named);
  return named;
}

type Token = { readonly text: string; readonly date?: string };

function isDayNumber(text: string | undefined): boolean {
  return /^\d{1,2}\.?$/.test(text ?? '') && parseInt(text!, 10) <= 31;
}
function isYear(text: string | undefined): boolean {
  return /^\d{4}$/.test(text ?? '');
}

/**
 * A day, a month or a year in the form that the service writes, or a day such as `3.10.2026`; undefined for anything
 * else.
 */
function germanDate(text: string): string | undefined {
  const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  if (day !== undefined) {
    return `${year!}-${month!.padStart(2, '0')}-${day.padStart(2, '0')}`;
  }
  return /^\d{4}(-\d\d){0,2}$/.test(text) ? text : undefined;
}

/** Joins the words of a date such as `3 March 2026`. */
function withDates(words: readonly string[], language: string): readonly Token[] {
  const named = monthsIn(language);
  const tokens: Token[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const text = words[index]!;
    const month = named.get(bareName(text));
    if (month === undefined) {
      const date = germanDate(text);
      tokens.push(date === undefined ? { text } : { text, date });
      continue;
    }
    const day = isDayNumber(tokens.at(-1)?.text) ? parseInt(tokens.pop()!.text, 10) : undefined;
    const year = isYear(words[index + 1]) ? words[(index += 1)] : undefined;
    const date = `${year ?? '____'}-${month}${day === undefined ? '' : `-${String(day).padStart(2, '0')}`}`;
    // The name of a month may also be an ordinary word.
    tokens.push({ text, date });
  }
  return tokens;
}

function isNamed({ name, words }: Model, language: string, forms: readonly string[]): boolean {
  const said = words?.languages[language] ?? words?.languages['en'];
  return [name, said?.one ?? '', said?.many ?? ''].some((one) => saysForm(one, forms));
}

/** Shorter words would match the names of almost all kinds. */
const SHORTEST_KIND = 3;

function numberTyped(text: string): number | undefined {
  const number = /^\d+([.,\u066b]\d+)?$/.test(text) ? Number(text.replace(/[,\u066b]/, '.')) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The words of a text; `132/84` and `132 / 84` are two numbers each, as in a blood pressure. */
function wordsIn(text: string): readonly string[] {
  return plainDigits(text)
    .toLowerCase()
    .split(/(?<=\d)\s*\/\s*(?=\d)|\s+/)
    .filter(Boolean);
}

/** The first and the last day of a day, a month or a year; undefined if the year is not named, or if it is no date. */
function daysOf(date: string): Required<Days> | undefined {
  const from = parseDay(`${date}-01-01`.slice(0, 10));
  if (from === undefined) {
    return undefined;
  }
  const last = new Date(from);
  if (date.length === 4) {
    last.setUTCMonth(12, 0);
  } else if (date.length === 7) {
    last.setUTCMonth(last.getUTCMonth() + 1, 0);
  }
  return { from, to: last.toISOString().slice(0, 10) };
}

/**
 * @param language the language in which kinds and months are named
 * @param zone days with a year are counted by the clocks of this zone; those without a year are in UTC
 */
export function searchWords(text: string, language: string, zone: string, models: Models): readonly SearchWord[] {
  return withDates(wordsIn(text), language)
    .slice(0, MOST_WORDS)
    .map((token): SearchWord => {
      const number = numberTyped(token.text);
      const kinds = models.all.filter(({ builtin }) => !builtin);
      const days = token.date === undefined ? undefined : daysOf(token.date);
      const [folded, ...others] = foldedForms(token.text);
      const forms = [folded || token.text, ...others];
      return {
        ...token,
        forms,
        ...(days === undefined ? {} : { days: { ...daysInZone(zone, days), days } }),
        ...(number === undefined ? {} : { number }),
        models:
          token.text.length < SHORTEST_KIND
            ? []
            : kinds.filter((model) => isNamed(model, language, forms)).map(({ name }) => name),
      };
    });
}

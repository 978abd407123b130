/** begun: the days on which medicines were begun, as marks in the chart of a series. */
import type { Model, Models } from '../../../../core/facts/model/model';
import { begunFields, wasBegun } from '../../../../core/lines/standing';
import type { Fields } from '../../../../core/http/operation';
import { factTitle, isPartialDate, knownDate, saidColumns, type Fact } from '../../words/facts';
import type { ChartEvent } from '../../parts/charts/events';
import type { Series } from './series';
import { commaSeparated, type Words } from '../../words/words';
import { dayIn, localTime } from '../../words/zoned';

const MODEL = 'Medication';
const DATE = 'startDate';
/** More days would hide the readings. */
const MOST_DAYS = 4;
const MOST_LETTERS = 18;

export function begunModel(models: Models): Model | undefined {
  return models.find(MODEL);
}

/**
 * The part of the query of a series that asks for medicines that were begun meanwhile. Only charts of measurements have
 * such marks.
 */
export function begunQuery(models: Models, { measured }: Series): Fields {
  const model = begunModel(models);
  return model && measured ? { _begun: [MODEL, DATE, ...saidColumns(model, begunFields)].join('*') } : {};
}

/** The dose after the name of a medicine: "10 MG Oral Tablet", "1.5 mg/ml". */
const DOSE = /[\s,(]+\d[\d.,/ -]*(?:mg|mcg|µg|μg|ug|g|ml|l|iu|i\.u\.|unt|units?|meq|mmol|%)(?![\p{L}\d])[^]*$/iu;

/** The name of a medicine without its dose, short enough for a mark. */
export function shortName(name: string): string {
  const letters = [...(name.replace(DOSE, '') || name)];
  return letters.length > MOST_LETTERS
    ? `${letters
        .slice(0, MOST_LETTERS - 1)
        .join('')
        .trimEnd()}…`
    : letters.join('');
}

/** Names in Latin letters keep their direction in an Arabic line. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

function eventOf(day: string, names: readonly string[], words: Words): ChartEvent {
  const [first = '', ...others] = names;
  const name = isolated(shortName(first));
  return {
    at: Date.parse(day),
    label:
      others.length === 0
        ? words.say('data.begun', { name })
        : words.say('data.begun-more', { name, count: others.length }),
    title: words.say('data.begun-on', { date: words.date(day), names: commaSeparated(names.map(isolated), words) }),
  };
}

type Time = { readonly first: string; readonly last: string; readonly now: number };

/** Whether the day is known, is in the time of the chart, and is not in the future. */
function isDrawn(fact: Fact, { first, last, now }: Time, { zone }: Words): boolean {
  const day = dayIn(zone, knownDate(fact, DATE));
  return !isPartialDate(fact, DATE) && day >= first && day <= last && day <= localTime(zone, now).day;
}

/**
 * The latest days on which medicines were begun, oldest first. Medicines that were planned or taken back are left out.
 */
export function begunMarks(
  model: Model | undefined,
  facts: readonly Fact[],
  time: Time,
  words: Words,
): readonly ChartEvent[] {
  const days = new Map<string, Map<string, string>>();
  for (const fact of model ? facts : []) {
    if (isDrawn(fact, time, words) && wasBegun(model!, fact, time.now)) {
      const day = dayIn(words.zone, knownDate(fact, DATE));
      const name = factTitle(model!, fact, words).replaceAll(/\s+/g, ' ').trim();
      const names = days.get(day) ?? new Map<string, string>();
      // Several documents may say the same medicine.
      days.set(day, names.set(name.toLowerCase(), names.get(name.toLowerCase()) ?? name));
    }
  }
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(-MOST_DAYS)
    .map(([day, names]) => eventOf(day, [...names.values()].sort(), words));
}

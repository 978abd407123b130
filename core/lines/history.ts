/** history: the times of a line and its standing: what was said when, and what contradicts what (pure). */
import type { SameRules } from '../facts/model/same';
import type { Standing } from './standing';
import type { OwnWord } from './own-words';
import { toldText, type Told } from './told';

/** A statement with what it says of its standing. */
export type Voice = { readonly told: Told; readonly standing: Standing | 'unclear' | undefined };

export type LineStanding = 'open' | 'over' | 'undone' | 'unclear';

export type Time = { readonly from: string; readonly until: string };

const DAY = 86_400_000;
function dayOf(text: string): string {
  return text.slice(0, 10);
}
function latest(texts: readonly string[]): string {
  return texts.reduce((last, text) => (text > last ? text : last), '');
}

/** The day of the statement itself; empty where it has none. */
export function ownDay({ values, care = '' }: Told, { times, when }: SameRules): string {
  const columns = [times?.from, times?.until, when?.date].filter((column) => column !== undefined);
  const own = columns.map((column) => toldText(values, column)).find((text) => text !== '') ?? care;
  return dayOf(own);
}

/** The day on which something was said: as its sender says, else its own; of an end the day of that. */
export function saidDay({ told, standing }: Voice, rules: SameRules): string {
  if (told.said !== '') {
    return dayOf(told.said);
  }
  const until = rules.times?.until === undefined ? '' : dayOf(toldText(told.values, rules.times.until));
  return standing === 'over' && until !== '' ? until : ownDay(told, rules);
}

type Span = { readonly voice: Voice; readonly from: string; readonly until: string; readonly last: string };

function spanOfVoice(voice: Voice, rules: SameRules): Span {
  const { values } = voice.told;
  const from = dayOf(toldText(values, rules.times?.from ?? ''));
  const until = rules.times?.until === undefined ? '' : dayOf(toldText(values, rules.times.until));
  // What is said to go on goes on until the day on which that was said.
  const said = voice.standing === 'open' && until === '' ? saidDay(voice, rules) : '';
  return { voice, from, until, last: latest([from, until, said]) };
}

/** What was said of each time of a thing, from the first time to the last. Without times there is one. */
export function byTimes(voices: readonly Voice[], rules: SameRules): readonly (readonly Voice[])[] {
  const { times } = rules;
  if (!times || voices.length < 2) {
    return [voices];
  }
  const spans = voices.map((voice) => spanOfVoice(voice, rules));
  const begun = spans
    .filter(({ from }) => from !== '')
    .sort((a, b) => Number(a.from > b.from) - Number(a.from < b.from));
  const found: { spans: Span[]; from: string; last: string }[] = [];
  for (const span of begun) {
    const current = found.at(-1);
    if (current && Date.parse(span.from) - Date.parse(current.last) <= times.apart * DAY) {
      current.spans.push(span);
      current.last = latest([current.last, span.last]);
    } else {
      found.push({ spans: [span], from: span.from, last: span.last });
    }
  }
  for (const span of spans.filter(({ from }) => from === '')) {
    const own = span.until === '' ? found.at(-1) : (found.findLast(({ from }) => from <= span.until) ?? found[0]);
    if (own) {
      own.spans.push(span);
    } else {
      found.push({ spans: [span], from: '', last: span.last });
    }
  }
  return found.map((time) => time.spans.map(({ voice }) => voice));
}

/** When a time began and ended, as far as it is said. */
export function timeOf(voices: readonly Voice[], rules: SameRules): Time {
  const spans = voices.map((voice) => spanOfVoice(voice, rules));
  const begins = spans
    .map(({ from }) => from)
    .filter(Boolean)
    .sort();
  const isOpen = spans.some(({ voice, until }) => until === '' && voice.standing === 'open');
  return { from: begins[0] ?? '', until: isOpen ? '' : latest(spans.map(({ until }) => until)) };
}

type Stands = {
  readonly standing: LineStanding;
  readonly isConflict: boolean;
  /** True when everybody who says something says that it is to come. */
  readonly isPlanned: boolean;
};

function stands(standing: LineStanding, isConflict = standing === 'unclear', isPlanned = false): Stands {
  return {
    standing,
    isConflict,
    isPlanned,
  };
}

/** What sources say of the newest time. An older "open" before a newer "over" is its end, and no conflict. */
function sourcesStand(voices: readonly Voice[], rules: SameRules): Stands {
  const of = (wanted: Voice['standing']): readonly Voice[] => voices.filter(({ standing }) => standing === wanted);
  const [open, over, undone, planned] = [of('open'), of('over'), of('undone'), of('planned')];
  if (undone.length > 0) {
    return stands(open.length + over.length > 0 ? 'unclear' : 'undone');
  }
  // What one source does not know, another may.
  if (over.length + open.length + planned.length === 0 && of('unclear').length > 0) {
    return stands('unclear', false);
  }
  if (over.length === 0) {
    return stands('open', false, planned.length > 0 && open.length === 0);
  }
  if (open.length === 0) {
    return stands('over');
  }
  const day = (some: readonly Voice[]): string => latest(some.map((voice) => saidDay(voice, rules)));
  const isUnknown = [...open, ...over].some((voice) => saidDay(voice, rules) === '');
  return stands(!isUnknown && day(over) > day(open) ? 'over' : 'unclear');
}

/** What the person says stands until a source says something else on a later day. */
function personStands(voices: readonly Voice[], { verdict, date }: OwnWord, rules: SameRules): Stands {
  const said = verdict === 'stopped' ? 'over' : 'open';
  const isDenied = voices.some(
    (voice) => voice.standing !== undefined && voice.standing !== said && saidDay(voice, rules) > dayOf(date),
  );
  return stands(isDenied ? 'unclear' : said);
}

/** @param word the newest word of the person that the medicine is taken, or is not */
export function standOf(voices: readonly Voice[], word: OwnWord | undefined, rules: SameRules): Stands {
  return word ? personStands(voices, word, rules) : sourcesStand(voices, rules);
}

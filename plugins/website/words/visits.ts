/** visits: puts a visit into words: what it was, when, where and with whom; and its address. */
import { codedWords, dateWords, knownDate, spanWords, text, type Fact } from './facts';
import type { Whose } from '../parts/whose';
import type { Words } from './words';

/** "Visit: Ambulatory encounter". */
export function visitTitle(fact: Fact, words: Words): string {
  const said = codedWords(fact, 'encounterType', words);
  return said === '' || said === 'Encounter'
    ? words.say('timeline.visit')
    : words.say('timeline.visit-for', { what: said });
}

/** What people see of a name that a source wrote in parts. */
export function personName(fact: Fact, field: string): string {
  return ['prefix', 'given', 'middle', 'family', 'suffix']
    .map((part) => text(fact[`${field}_${part}`]))
    .filter(Boolean)
    .join(' ');
}

/** Where and with whom: "Bayside Practice", "Dr Yusra Benali". */
export function visitPlace(fact: Fact): readonly string[] {
  return [text(fact['facility_name']), personName(fact, 'provider_name')].filter(Boolean);
}

/** When it was, by the clock of its source; a visit whose end nobody said is one of a day. */
export function visitDate(fact: Fact, words: Words, exact: 'time' | 'day' = 'day'): string {
  const [start, end] = [knownDate(fact, 'startDate'), knownDate(fact, 'endDate')];
  return start !== '' && end !== '' ? spanWords(start, end, words, exact) : dateWords(start || end, words, exact);
}

/** What makes two facts the same visit. */
export function visitKey(fact: Fact): string {
  return JSON.stringify([fact['startDate'], fact['encounterType_title'], ...visitPlace(fact)]);
}

/** The page of a visit; one that is seen by its kind has none. */
export function visitAddress(
  { base }: Pick<Whose, 'base'>,
  { __id__: id = '', __closed__: closed }: Fact,
): string | undefined {
  return closed ? undefined : `${base}visits/${encodeURIComponent(id)}`;
}

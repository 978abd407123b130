/**
 * unlikely: finds the values of a fact that no living person has, dates in the future and ends before their starts, by
 * the words of its model, and results in another unit than their number fits to. They are asked about when somebody
 * types them, and marked where they came by file.
 */
import type { LikelyNumbers, Model } from '../../core/facts/model/model';
import { isLikelyNumbers } from '../../core/facts/model/model-words';
import { datesToCome, dateWords, fieldLabel, fieldWords, knownDate, numberWords, withUnit } from './words/facts';
import type { Values } from './words/facts';
import { listText } from './parts/list';
import type { Form } from './http/page';
import type { Words } from './words/words';

/** One value outside of what is possible: its column, the name of its field, and the value in words. */
export type Unlikely = { readonly column: string; readonly label: string; readonly value: string };

function isOutside(value: unknown, { from, to, atMost = '' }: LikelyNumbers, fact: Values): boolean {
  const other = fact[atMost];
  const isAbove = typeof other === 'number' && Number(value) > other;
  return typeof value === 'number' && (value < from || value > to || isAbove);
}

/** The columns with a date before the one that it cannot precede, as far as both are known: 2013 is not before July 2013. */
function datesTooEarly(model: Model, fact: Values): readonly string[] {
  return Object.entries(model.words?.likely ?? {}).flatMap(([column, likely]) => {
    const other = typeof likely === 'object' && 'notBefore' in likely ? likely.notBefore : undefined;
    const [last, first] = [column, other ?? column].map((name) => knownDate(fact, name).slice(0, 'yyyy-mm-dd'.length));
    const length = Math.min(last!.length, first!.length);
    return last!.slice(0, length) < first!.slice(0, length) ? [column] : [];
  });
}

/** Units of a mass, such as mg/dL, and of a substance, such as mmol/L. */
const UNITS = [/^[kmuµμnpf]?g(?:\/|$)/i, /mol/i];

function unitKind(unit: unknown): number {
  return UNITS.findIndex((kind) => kind.test(String(unit ?? '').trim()));
}

/**
 * Whether the number of a result fits to the usual range beside it, and its unit does not: 185 mmol/L, where 70 to
 * 99 mg/dL is usual. The same amount has quite another number in mol than in g.
 */
function isInOtherUnit(fact: Values, name: string): boolean {
  const of = (part: string): unknown => fact[`${name}_${part}`];
  const own = unitKind(of('value_unit'));
  const usual = unitKind(of('normal_range_max_unit') ?? of('normal_range_min_unit'));
  if (own < 0 || usual < 0 || own === usual) {
    return false;
  }
  const value = Number(of('value_value') ?? NaN);
  const [low, high] = ['normal_range_min_value', 'normal_range_max_value'].map((part) => of(part));
  return value >= Number(low ?? 0) / 3 && value <= Number(high ?? low ?? 0) * 3;
}

function resultsInOtherUnit(model: Model, fact: Values, words: Words): readonly Unlikely[] {
  return model.fields
    .filter(({ name, type }) => type === 'QuantitativeResult' && isInOtherUnit(fact, name))
    .map(({ name }) => {
      const value = fieldWords(model, fact, name, words);
      return { column: `${name}_value_value`, label: fieldLabel(model, name, words), value };
    });
}

/** What is asked about: numbers in the order of the model's words, then dates. */
export function findUnlikely(model: Model, fact: Values, words: Words): readonly Unlikely[] {
  const outside = Object.entries(model.words?.likely ?? {}).flatMap(([column, likely]): readonly Unlikely[] => {
    if (!isLikelyNumbers(likely)) {
      return [];
    }
    const label = fieldLabel(model, column, words);
    const unit = fact[column.replace(/value$/, 'unit')];
    const value = withUnit(numberWords(fact[column], words), typeof unit === 'string' ? unit : '', words);
    return isOutside(fact[column], likely, fact) ? [{ column, label, value }] : [];
  });
  const early = [...datesToCome(model, fact, words), ...datesTooEarly(model, fact)].map((column) => {
    const value = dateWords(knownDate(fact, column), words);
    return { column, label: fieldLabel(model, column, words), value };
  });
  return [...outside, ...resultsInOtherUnit(model, fact, words), ...early];
}

/** "Please check: Upper blood pressure"; empty when every value is possible. */
export function checkWords(model: Model, fact: Values, words: Words): string {
  const labels = findUnlikely(model, fact, words).map(({ label }) => label);
  return labels.length === 0 ? '' : words.say('facts.check', { what: listText(labels, words) });
}

/**
 * What a form sends with "Yes, keep it": the values that were asked about. Other values are asked about anew.
 */
export function sureAbout(unlikely: readonly Unlikely[]): string {
  return unlikely.map(({ column, value }) => `${column}=${value}`).join('; ');
}

/** Whether nothing is to be asked, or the person has said that exactly these values are right. */
export function isSureAbout(unlikely: readonly Unlikely[], form: Form): boolean {
  return unlikely.length === 0 || form.text('sure') === sureAbout(unlikely);
}

/** apart: what keeps two statements apart, whatever they have in common (pure). */
import type { SameRule } from '../facts/model/same';
import { isEqualRounded, isRoundedTo } from './amount-keys';
import { codingKey, differInSide, type CodeReader, type Coding } from './codings';
import { minuteIn, toldText, type Told, type Traits } from './told';

/** `never`: two things. `not here`: no rule says that they are one, but the person may. */
type Apart = 'never' | 'not here' | false;

export type PersonSays = {
  /** Whether the person says of two statements that they are two things; the texts are their marks. */
  readonly areDifferent: (one: string, other: string) => boolean;
  /** A code under the name of all codes that the person says are one. */
  readonly codeOf: (key: string) => string;
};

function bothAndDifferent(one: readonly string[], other: readonly string[]): boolean {
  return one.some((text, at) => text !== '' && other[at] !== '' && other[at] !== text);
}

/** Whether both say something, and nothing of it is the same. */
function shareNone(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && other.length > 0 && !one.some((text) => other.includes(text));
}

/**
 * Whether codes of a system in which both have some disagree: none of one is one of the other, and no relation leads two
 * of them to one.
 */
function disagree(
  one: readonly Coding[],
  other: readonly Coding[],
  codes: CodeReader,
  says: PersonSays,
  through: readonly string[],
): boolean {
  const isOne = (mine: Coding, its: Coding): boolean =>
    codingKey(mine) === codingKey(its) ||
    says.codeOf(codingKey(mine)) === says.codeOf(codingKey(its)) ||
    through.some((relation) => {
      const target = codes.target(relation, mine);
      return target !== undefined && target === codes.target(relation, its);
    });
  return one.some((coding) => {
    const theirs = other.filter(({ system }) => system === coding.system);
    if (coding.isCoarse) {
      return theirs.some((their) => differInSide(coding, their));
    }
    const own = one.filter(({ system }) => system === coding.system);
    return theirs.length > 0 && !own.some((mine) => theirs.some((its) => isOne(mine, its)));
  });
}

export type Comparing = {
  readonly codes: CodeReader;
  readonly says: PersonSays;
  /** Relations by which a rule joins. */ readonly through: readonly string[];
};

/** Whether a level may join two statements of which only one says an amount: only by a code that is known as a product. */
function isByProduct(rule: SameRule): boolean {
  return rule.code?.through !== undefined;
}

/** @param rule the level that would join them; undefined for words of the person, which count more than codes */
export function apart(one: Traits, other: Traits, rule: SameRule | undefined, comparing: Comparing): Apart {
  const { codes, says, through } = comparing;
  const isNever =
    says.areDifferent(one.mark, other.mark) ||
    (one.amounts !== '' && other.amounts !== '' && one.amounts !== other.amounts) ||
    bothAndDifferent([one.sides], [other.sides]) ||
    one.differ.some((texts, at) => shareNone(texts, other.differ[at]!)) ||
    shareNone(one.units, other.units) ||
    bothAndDifferent(one.days, other.days);
  if (isNever) {
    return 'never';
  }
  if (rule === undefined) {
    return false;
  }
  const isOfKind = !bothAndDifferent(one.kinds, other.kinds);
  const isHere = isOfKind && (one.amounts === other.amounts || isByProduct(rule));
  return !isHere || disagree(one.codings, other.codings, codes, says, through) ? 'not here' : false;
}

const DAY = 86_400_000;
const TEN_MINUTES = 600_000;

function farApart(one: string, other: string, most: number): boolean {
  return Math.abs(Date.parse(one) - Date.parse(other)) > most;
}

/** Whether one of two values is the other after rounding, where their units differ after conversion. */
function areEqualRounded(one: Told, other: Told, column: string): boolean {
  const [mine, its] = [toldText(one.values, column), toldText(other.values, column)];
  const [a, b] = [one.measured, other.measured];
  if (!a || !b || a.unit === b.unit) {
    return isEqualRounded(mine, its);
  }
  return isRoundedTo(a.inUnit(b.unit), its) || isRoundedTo(b.inUnit(a.unit), mine);
}

/** Whether a rule joins by the day alone, which holds for a single result of the day only. */
export function isByDay({ amount, day, accession }: SameRule): boolean {
  return amount !== undefined && day !== undefined && accession === undefined;
}

/** What a rule says of two statements that share its keys. */
export function fitsRule(rule: SameRule, one: Told, other: Told): boolean {
  const { within, rounded } = rule;
  const text = (told: Told, column: string): string => toldText(told.values, column);
  if (within && farApart(text(one, within.column), text(other, within.column), within.days * DAY)) {
    return false;
  }
  if (rounded && !areEqualRounded(one, other, rounded.value)) {
    return false;
  }
  return !isByDay(rule) || areNear(text(one, rule.day!), text(other, rule.day!));
}

/** Whether two times of a day may be one: one of them is not known, or they are less than ten minutes apart. */
function areNear(one: string, other: string): boolean {
  return minuteIn(one) === '' || minuteIn(other) === '' || !farApart(one, other, TEN_MINUTES - 1);
}

/** What of a statement `fits` looks at; equal texts fit. */
export function fitting(rule: SameRule, { values }: Told): string {
  const columns = [rule.within?.column, rule.rounded?.value, rule.rounded?.unit, isByDay(rule) ? rule.day : undefined];
  return columns.map((column) => (column === undefined ? '' : toldText(values, column))).join('|');
}

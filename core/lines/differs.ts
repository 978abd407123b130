/** differs: the fields in which the statements of a line contradict each other (pure). */
import type { Id } from '../base/types';
import type { ConflictRule, SameRules } from '../facts/model/same';
import { amountKey, isRoundedTo } from './amount-keys';
import { codingKey } from './codings';
import type { Voice } from './history';
import type { Joining } from './join';
import { firstText, toldText, type Told } from './told';

export type Differs = { readonly field: string; readonly statements: readonly Id[] };

type Rule = Exclude<ConflictRule, { kind: 'standing' }>;

/** What a statement says in a field: texts of which two statements that say the same share one; none for nothing. */
export function wordsToldIn(rule: Rule, told: Told, { codes, wording }: Joining): readonly string[] {
  const { values } = told;
  switch (rule.kind) {
    case 'amount': {
      const [value, unit] = [toldText(values, rule.amount.value), toldText(values, rule.amount.unit ?? '')];
      return [amountKey(value, unit) ?? wording.plain(`${value} ${unit}`)].filter(Boolean);
    }
    case 'words':
      return [wording.plain(firstText(values, rule.columns))].filter(Boolean);
    case 'code':
      return [
        wording.plain(toldText(values, rule.words)),
        ...codes.codingsIn(told, rule.columns).map(codingKey),
      ].filter(Boolean);
    case 'day':
      return [toldText(values, rule.column).slice(0, 10)].filter(Boolean);
  }
}

type Said = { readonly told: Told; readonly texts: readonly string[] };

/** Whether two amounts of a test in two units are one, as exactly as one of the two is written. */
function isConverted({ amount }: Extract<Rule, { kind: 'amount' }>, one: Told, other: Told): boolean {
  const [mine, its] = [one, other].map(({ values }) => ({
    value: toldText(values, amount.value),
    unit: toldText(values, amount.unit ?? ''),
  })) as [Amount, Amount];
  const inUnit = (from: Amount, to: Amount): boolean =>
    isRoundedTo(one.measured?.amountIn(from.value, from.unit, to.unit), to.value);
  return mine.unit !== its.unit && (inUnit(mine, its) || inUnit(its, mine));
}
type Amount = { readonly value: string; readonly unit: string };

/** Whether all of these say the same, each with the first or through others. */
function areOne(rule: Rule, said: readonly Said[]): boolean {
  const known = new Set(said[0]!.texts);
  const seen = [said[0]!];
  let open = said.slice(1);
  for (let before = -1; before !== open.length;) {
    before = open.length;
    open = open.filter((one) => {
      const isKnown =
        one.texts.some((text) => known.has(text)) ||
        (rule.kind === 'amount' && one.told.measured && seen.some(({ told }) => isConverted(rule, one.told, told)));
      if (isKnown) {
        one.texts.forEach((text) => known.add(text));
        seen.push(one);
      }
      return !isKnown;
    });
  }
  return open.length === 0;
}

/** @param voices what was said of the newest time: what changed from one time to the next is no contradiction */
export function differsIn({ conflict }: SameRules, voices: readonly Voice[], joining: Joining): readonly Differs[] {
  return conflict.flatMap((rule): readonly Differs[] => {
    if (rule.kind === 'standing' || voices.length < 2) {
      return [];
    }
    const said = voices
      .map(({ told }) => ({ told, texts: wordsToldIn(rule, told, joining) }))
      .filter(({ texts }) => texts.length > 0);
    const isOne = said.length < 2 || areOne(rule, said);
    return isOne ? [] : [{ field: rule.field, statements: said.map(({ told }) => told.id) }];
  });
}

/** differs: the fields in which the statements of a line contradict each other (pure). */
import type { Id } from '../base/types';
import type { ConflictRule, SameRules } from '../facts/model/same';
import { amountKey } from './amount-keys';
import { codingKey } from './codings';
import type { Voice } from './history';
import type { Joining } from './join';
import { firstText, textIn, type Told } from './told';

export type Differs = { readonly field: string; readonly statements: readonly Id[] };

/** What a statement says in a field, as text that is equal for what is the same; empty where it says nothing. */
function saidIn(
  rule: Exclude<ConflictRule, { kind: 'standing' }>,
  { values }: Told,
  { codes, wording }: Joining,
): string {
  switch (rule.kind) {
    case 'amount': {
      const [value, unit] = [textIn(values, rule.amount.value), textIn(values, rule.amount.unit ?? '')];
      return amountKey(value, unit) ?? wording.plain(`${value} ${unit}`);
    }
    case 'words':
      return wording.plain(firstText(values, rule.columns));
    case 'code': {
      const words = wording.plain(textIn(values, rule.words));
      return words === '' ? codes.codingsIn(values, rule.columns).map(codingKey).join(' ') : words;
    }
    case 'day':
      return textIn(values, rule.column).slice(0, 10);
  }
}

/** Codes that are equal say the same in other words. */
function codeIn(rule: ConflictRule, { values }: Told, { codes }: Joining): string {
  return rule.kind === 'code' ? codes.codingsIn(values, rule.columns).map(codingKey).join(' ') : '';
}

/** @param voices what was said of the newest time: what changed from one time to the next is no contradiction */
export function differsIn({ conflict }: SameRules, voices: readonly Voice[], joining: Joining): readonly Differs[] {
  return conflict.flatMap((rule): readonly Differs[] => {
    if (rule.kind === 'standing' || voices.length < 2) {
      return [];
    }
    const said = voices
      .map(({ told }) => ({ id: told.id, text: saidIn(rule, told, joining), code: codeIn(rule, told, joining) }))
      .filter(({ text }) => text !== '');
    const codes = new Set(said.map(({ code }) => code));
    const isOneCode = codes.size === 1 && !codes.has('');
    const differs = !isOneCode && new Set(said.map(({ text }) => text)).size > 1;
    return differs ? [{ field: rule.field, statements: said.map(({ id }) => id) }] : [];
  });
}

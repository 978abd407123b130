/** former: which results of a line a corrected one takes the place of (pure). They stay in the line, as history. */
import type { SameRules } from '../facts/model/same';
import { wordsToldIn } from './differs';
import type { Joining } from './join';
import { firstText, toldText, type Told } from './told';

/** What a laboratory says of such a result, as senders spell it. */
export const CORRECTED: readonly string[] = ['corrected', 'amended', 'Corrected', 'Amended'];

/** Whether its laboratory says that the value is not its last word. C-CDA calls such a result active. */
function isPreliminary(values: Told['values']): boolean {
  const said = firstText(values, ['status_identifier', 'status_title']).toLowerCase();
  return ['preliminary', 'registered', 'partial', 'active'].includes(said);
}

/**
 * What counts where results are compared: preliminary ones only if there is no other. What goes on, such as a medicine,
 * is never preliminary: its "active" is a state.
 */
export function settledOf<V extends { readonly told: Told }>(
  { what, conflict }: SameRules,
  voices: readonly V[],
): readonly V[] {
  const isResult = what === 'event' && conflict.some(({ kind }) => kind === 'amount');
  const settled = isResult ? voices.filter(({ told }) => !isPreliminary(told.values)) : [];
  return settled.length > 0 ? settled : voices;
}

/** Whether its laboratory says that it takes the place of a former result. */
export function isCorrected(values: Told['values']): boolean {
  return CORRECTED.includes(firstText(values, ['status_identifier', 'status_title']).toLowerCase());
}

/** Of several corrections those that were said last count. One without a date is never older than another. */
function newestOf(corrected: readonly Told[]): readonly Told[] {
  const last = corrected.map(({ said }) => said).reduce((one, other) => (one > other ? one : other), '');
  return corrected.filter(({ said }) => said === '' || said === last);
}

/** What is measured: the first amount or words in which the statements of a line may differ. */
function valueTold({ conflict }: SameRules, told: Told, joining: Joining): string {
  const values = conflict.flatMap((rule) =>
    rule.kind === 'amount' || rule.kind === 'words' ? wordsToldIn(rule, told, joining) : [],
  );
  return values[0] ?? '';
}

/**
 * The statements that a corrected one takes the place of: those of its sample, and those that say another value. Another
 * source that says the same as the corrected one is no history.
 * @param counting statements of one line that count
 */
export function formerOf(counting: readonly Told[], rules: SameRules, joining: Joining): ReadonlySet<Told> {
  const corrected = rules.what === 'event' ? newestOf(counting.filter(({ values }) => isCorrected(values))) : [];
  if (corrected.length === 0) {
    return new Set();
  }
  const column = rules.equal.find(({ accession }) => accession !== undefined)?.accession;
  const sampleOf = ({ values }: Told): string =>
    column === undefined ? '' : joining.wording.plain(toldText(values, column));
  const samples = new Set(corrected.map(sampleOf).filter((sample) => sample !== ''));
  const values = new Set(corrected.map((told) => valueTold(rules, told, joining)));
  return new Set(
    counting.filter(
      (told) =>
        !corrected.includes(told) && (samples.has(sampleOf(told)) || !values.has(valueTold(rules, told, joining))),
    ),
  );
}

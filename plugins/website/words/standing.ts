/** standing: the state of a fact in words, as its source says it. */
import type { Model } from '../../../core/facts/model/model';
import { coded, isHandedOut, isPlan, statusFields } from '../../../core/lines/standing';
import { fieldWords, withoutEarlyDone, type Fact } from './facts';
import { commaSeparated, type Words } from './words';

/** Whether the fact says if a dose was given, which says more than that its entry is complete. */
function saysMore(fact: Fact): boolean {
  return (
    coded(fact, 'administration_status').some((text) => text !== '') && coded(fact, 'status').includes('completed')
  );
}

/** The fields that say the state of a fact, without those that other fields say better. */
function stateFields(fact: Fact): readonly string[] {
  return [
    ...statusFields.filter((field) => field !== 'status' || !(saysMore(fact) || isHandedOut(fact))),
    ...(isPlan(fact) ? ['intent'] : []),
  ];
}

/** The status as the source says it: "on hold", "active, plan"; empty when nobody gave one. */
export function statusWords(model: Model, said: Fact, words: Words): string {
  const fact = withoutEarlyDone(model, said, words);
  return commaSeparated(
    [
      ...stateFields(fact).map((field) => fieldWords(model, fact, field, words)),
      isHandedOut(fact) ? words.say('overview.handed-out') : '',
    ].map((text) => text.charAt(0).toLowerCase() + text.slice(1)),
    words,
  );
}

/** The fact without the fields that `statusWords` puts into words. */
export function withoutStatus(fact: Fact): Fact {
  return {
    ...fact,
    ...Object.fromEntries(
      statusFields.flatMap((field) => [`${field}_title`, `${field}_identifier`].map((name) => [name, null])),
    ),
  };
}

/**
 * said-once: joins what several documents say in the same words, so that a page shows it once with the number of
 * documents (pure).
 */
import { groupedBy } from '../../../core/base/grouped-by';
import type { Models } from '../../../core/facts/model/model';
import { dateWords, factDate, factLine, factTitle, text, type Fact } from './facts';
import type { Words } from './words';

export type Statement = {
  readonly fact: Fact;
  /** The documents that say it; at least one. */ readonly documents: readonly string[];
  /** How often they say it; a document may repeat itself. */ readonly times: number;
  /** Date of the newer list that does not have it any more; undefined as long as one source still says it. */
  readonly missingSince: string | undefined;
};

/** "Not in the newer list of 3 March 2026": the source does not list it any more, and does not say that it has ended. */
export function missingWords(since: string | undefined, words: Words): string {
  if (since === undefined) {
    return '';
  }
  const date = dateWords(since, words, 'day');
  return date === '' ? words.say('overview.not-in-newest') : words.say('overview.not-in-newer', { date });
}

/** The same of one fact; empty for a fact that its sender still lists. */
export function missingFromList(fact: Fact, words: Words): string {
  const since = fact['__missing_since__'];
  return typeof since === 'string' ? missingWords(since, words) : '';
}

/** Whether the person calls the fact wrong; then it counts for nothing. */
export function isCalledWrong(fact: Fact): boolean {
  return fact['__called_wrong__'] === true;
}

/** "You said that this is wrong"; empty for what nobody calls wrong. */
export function wrongWords(fact: Fact, words: Words): string {
  return isCalledWrong(fact) ? words.say('lines.called-wrong') : '';
}

/** The documents that say the fact: its own, and those in which its sender repeats it. */
function documentsOf({ __documentid__: own = '', __documents__: others }: Fact): readonly string[] {
  return [own, ...(Array.isArray(others) ? (others as readonly string[]) : [])];
}

function missingDate(facts: readonly Fact[]): string | undefined {
  const dates = facts.map((fact) => fact['__missing_since__']);
  return dates.every((date) => typeof date === 'string') ? dates.map(text).sort().at(-1) : undefined;
}

/**
 * The facts without those that have the same words as an earlier one, and of which the person says the same.
 * @param say everything that the page says about a fact
 */
export function saidOnce(facts: readonly Fact[], say: (fact: Fact) => readonly string[]): readonly Statement[] {
  return [
    ...groupedBy(facts, (fact) => JSON.stringify([isCalledWrong(fact), ...say(fact)]).toLowerCase()).values(),
  ].map((same) => ({
    fact: same[0]!,
    documents: [...new Set(same.flatMap(documentsOf))],
    times: same.length,
    missingSince: missingDate(same),
  }));
}

/** The same for facts of any models in one list, which shows the title, the words and the date of each. */
export function factsOnce(
  facts: readonly Fact[],
  { models, words }: { readonly models: Models; readonly words: Words },
): readonly Statement[] {
  return saidOnce(facts, (fact) => {
    const model = models.find(fact.__modelname__);
    return model
      ? [model.name, factTitle(model, fact, words), factLine(model, fact, words), factDate(model, fact, words)]
      : [];
  });
}

/** "From a document of 3 March 2026", of a fact whose document stays closed; empty for others. */
export function paperWords({ __paper__: date }: Fact, words: Words): string {
  return date === undefined ? '' : words.say('lines.paper-of', { date: dateWords(date, words, 'day') });
}

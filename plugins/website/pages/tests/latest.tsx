/** latest: the latest result of a test, as the list of tests and the page of a group show it. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { Finding } from '../../parts/finding';
import { Tag } from '../../parts/layout';
import { dateWords, knownDate, numberWords, text, unitWords, withUnit, type Fact } from '../../words/facts';
import type { Words } from '../../words/words';
import { inWantedUnit, isCounting, isInWords, unitsOf, type TestResult } from './results';

const FIELD = 'quantitative_result';

/** Only where none of them counts, it is one of these. @param results newest first, at least one */
export function latestOf(results: readonly TestResult[]): TestResult {
  return results.find(isCounting) ?? results[0]!;
}

/** "3 November 2025, 5 results" */
export function latestWords(results: readonly TestResult[], { words }: PersonVisit): string {
  return words.say('tests.of', {
    count: results.length,
    date: dateWords(knownDate(latestOf(results).fact, 'collected_at'), words, 'day'),
  });
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  corrected: 'tests.corrected',
  amended: 'tests.corrected',
  preliminary: 'tests.preliminary',
};

/** That a result is not the last word of its laboratory, or that it was corrected. */
export function StatusTag({ fact, words }: { readonly fact: Fact; readonly words: Words }): JSX.Element | null {
  const status = STATUS_TEXTS[text(fact['status_identifier'])];
  return status === undefined ? null : (
    <>
      {' '}
      <Tag tone="wait">{words.say(status)}</Tag>
    </>
  );
}

/** The value as the person wants it, as it is written below it where that differs, and what the laboratory said of it. */
export function LatestValue({
  visit,
  results,
}: {
  readonly visit: PersonVisit;
  readonly results: readonly TestResult[];
}): JSX.Element {
  const { words } = visit;
  const latest = latestOf(results);
  const shownIn = inWantedUnit(latest, unitsOf(latest.code.test, results), visit.person.units);
  return (
    <>
      <p class={isInWords(latest) ? 'name said' : 'val mid'}>
        {shownIn.byConvention && '≈ '}
        <bdi>{numberWords(shownIn.value, words)}</bdi> <bdi class="u">{unitWords(shownIn.unit, words)}</bdi>
        <StatusTag fact={latest.fact} words={words} />
      </p>
      {shownIn.converted && (
        <p class="by">
          <bdi>{withUnit(numberWords(latest.written.value, words), unitWords(latest.written.unit, words), words)}</bdi>
        </p>
      )}
      <Finding model={visit.models.find('LabResult')!} fact={latest.fact} field={FIELD} words={words} />
    </>
  );
}

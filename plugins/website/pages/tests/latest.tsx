/** latest: the latest result of a test, as the list of tests and the page of a group show it. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { Finding } from '../../parts/finding';
import { dateWords, knownDate, numberWords, unitWords, withUnit } from '../../words/facts';
import { inWantedUnit, isCounting, unitsOf, type TestResult } from './results';

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
      <p class="val mid">
        {shownIn.byConvention && '≈ '}
        <bdi>{numberWords(shownIn.value, words)}</bdi> <bdi class="u">{unitWords(shownIn.unit, words)}</bdi>
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

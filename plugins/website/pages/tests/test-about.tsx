/** test-about: what stands below the results of a test: the medicines in their time, and the names put together. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import { Tile } from '../../parts/icons';
import { listNames } from '../../parts/list';
import type { Whose } from '../../parts/whose';
import type { PersonVisit } from '../../http/page';
import { text } from '../../words/facts';
import type { MedicineBar } from './beside';
import type { TestResult } from './results';

type Props = {
  readonly visit: PersonVisit;
  readonly whose: Whose;
  /** The medicines that the chart shows. */ readonly bars: readonly MedicineBar[];
  readonly results: readonly TestResult[];
};

/** Of more times than this, the earlier ones are folded. */
const MOST_TIMES = 4;

/** What a bar says of its newest times, in their order, with the earlier ones folded below. */
function SaidTimes({ visit, times: drawn }: { readonly visit: PersonVisit; readonly times: MedicineBar['times'] }) {
  const rowsOf = (some: MedicineBar['times']): readonly JSX.Element[] =>
    some.map(({ says }) => <p class="by">{says}</p>);
  // A medicine may have several lines, each with times of its own.
  const times = [...drawn].sort((one, other) => one.from - other.from);
  const earlier = times.slice(0, -MOST_TIMES);
  return (
    <>
      {rowsOf(times.slice(-MOST_TIMES))}
      {earlier.length > 0 && (
        <details class="fold">
          <summary>{visit.words.say('tests.earlier-times', { count: earlier.length })}</summary>
          {rowsOf(earlier)}
        </details>
      )}
    </>
  );
}

/** What the bars below the chart say, in words. */
function MedicinesThen({ visit, whose, bars }: Omit<Props, 'results'>): JSX.Element | null {
  const { say } = visit.words;
  return bars.length === 0 ? null : (
    <section class="card s6 k-med">
      <header>
        <Tile name="pill" />
        <h2>{say('tests.medicines')}</h2>
      </header>
      <ul class="list">
        {bars.map(({ id, name, times }) => (
          <li>
            <div>
              <a class="name" href={`${whose.base}list/Medication/${encodeURIComponent(id)}`}>
                <bdi>{name}</bdi>
              </a>
              <SaidTimes visit={visit} times={times} />
            </div>
          </li>
        ))}
      </ul>
      <p class="by">{say('tests.medicines-hint')}</p>
    </section>
  );
}

/** The names under which laboratories sent the test, each with its laboratories; nothing where there is one. */
function PutTogether({ visit, results }: Pick<Props, 'visit' | 'results'>): JSX.Element | null {
  const { words } = visit;
  const byName = groupedBy(results, ({ fact }) => text(fact['test_name_title']));
  const labsOf = (own: readonly TestResult[]): readonly string[] => [
    ...new Set(own.map(({ fact }) => text(fact['collected_by_org_name'])).filter((one) => one !== '')),
  ];
  return byName.size < 2 ? null : (
    <section class="card s6 k-lab">
      <header>
        <Tile name="lab" />
        <h2>{words.say('tests.together')}</h2>
      </header>
      <p class="by">{words.say('tests.together-hint')}</p>
      <ul class="list">
        {[...byName].map(([name, own]) => (
          <li>
            <div>
              <span class="name">
                <bdi>{name || words.say('tests.unnamed')}</bdi>
              </span>
              <p class="by">{listNames(labsOf(own), words)}</p>
            </div>
            <span class="end">{words.say('tests.count', { count: own.length })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function AboutTest({ visit, whose, bars, results }: Props): JSX.Element {
  return (
    <div class="cards gap">
      <MedicinesThen visit={visit} whose={whose} bars={bars} />
      <PutTogether visit={visit} results={results} />
    </div>
  );
}

/** tests: the laboratory tests of a record by their groups, each with its latest result. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import { mapInSlices } from '../../../../core/base/turns/slices';
import type { LabTest } from '../../../../core/lab-tests/tests';
import { operations } from '../../http/operations';
import { Finding, isMarked } from '../../parts/finding';
import { Tile } from '../../parts/icons';
import { Head, Part } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { page, shown, type PersonVisit } from '../../http/page';
import { dateWords, factLine, factTitle, knownDate, numberWords, text, unitWords, type Fact } from '../../words/facts';
import { queryAddress } from '../data/query';
import { datedName, datedTests, OrderChoice, ResultsByDate, type DatedGroup, type DaysOfFacts } from './by-date';
import { isByDate } from './dates-asked';
import { groupAsked, lookAtGroup } from './group';
import { latestOf, LatestValue, latestWords, StatusTag } from './latest';
import { resultOf, testName, writtenIn, type TestResult } from './results';

const FIELD = 'quantitative_result';
/** On a telephone a result of more letters stands below its name, since there is no room beside it. */
const MOST_AT_END = 20;

type Of = { readonly visit: PersonVisit; readonly whose: Whose };

function TestRow({ visit, whose, results }: Of & { readonly results: readonly TestResult[] }): JSX.Element {
  const latest = latestOf(results);
  return (
    <li data-kind="LabResult" data-id={latest.fact.__id__}>
      <div>
        <a class="name" href={`${whose.base}tests/${latest.code.test.id}`}>
          <bdi>{testName(latest.code.test, visit.words.language)}</bdi>
        </a>
        <p class="by">{latestWords(results, visit)}</p>
      </div>
      <div class="end">
        <LatestValue visit={visit} results={results} />
      </div>
    </li>
  );
}

/** The page of all results of this name; of all results where a name cannot be asked for. */
function nameAddress({ base }: Whose, name: string): string {
  const isAsked = name !== '' && !name.includes('|');
  return isAsked ? queryAddress(`${base}data/LabResult`, { test_name_title: name }) : `${base}data/LabResult`;
}

type Named = { readonly name: string; readonly results: readonly Fact[] };

/** The latest result of a test that the service does not know, as its laboratory wrote it. */
function OtherRow({ visit, whose, name, results }: Of & Named): JSX.Element {
  const { words, models } = visit;
  const model = models.find('LabResult')!;
  const latest = results[0]!;
  const { value, unit } = writtenIn(latest);
  const isNumber = /^[<>]?=?\s*-?\d/.test(value);
  const said = value || factLine(model, latest, words);
  return (
    <li data-kind="LabResult" data-id={latest.__id__}>
      <div>
        <a class="name" href={nameAddress(whose, name)}>
          <bdi>{factTitle(model, latest, words)}</bdi>
        </a>
        <p class="by">
          {words.say('tests.of', {
            count: results.length,
            date: dateWords(knownDate(latest, 'collected_at'), words, 'day'),
          })}
        </p>
      </div>
      <div class={!isNumber && said.length > MOST_AT_END ? 'end below' : 'end'}>
        {isNumber ? (
          <p class="val mid">
            <bdi>{numberWords(value, words)}</bdi> <bdi class="u">{unitWords(unit, words)}</bdi>
          </p>
        ) : (
          <p class="said">
            <bdi>{said}</bdi>
          </p>
        )}
        <StatusTag fact={latest} words={words} />
        <Finding model={model} fact={latest} field={FIELD} words={words} />
      </div>
    </li>
  );
}

/**
 * Results whose code belongs to no known test, by their names.
 * @param wrong ids of those that the person calls wrong, or that were corrected since: none of them stands for its name,
 *   if there is another
 */
function Others({
  visit,
  whose,
  facts,
  wrong,
}: Of & { readonly facts: readonly Fact[]; readonly wrong: ReadonlySet<string> }): JSX.Element | null {
  const { say } = visit.words;
  const isWrong = ({ __id__: id = '' }: Fact): boolean => wrong.has(id);
  const counted = [...facts.filter((fact) => !isWrong(fact)), ...facts.filter(isWrong)];
  const byName = groupedBy(counted, (fact) => text(fact['test_name_title']));
  return byName.size === 0 ? null : (
    <Part title={say('tests.others')} hint={say('tests.others-hint')}>
      <ul class="list">
        {[...byName].map(([name, results]) => (
          <OtherRow visit={visit} whose={whose} name={name} results={results} />
        ))}
      </ul>
    </Part>
  );
}

type Found = {
  readonly byTest: ReadonlyMap<string, readonly TestResult[]>;
  /** Results whose code belongs to no known test. */ readonly unknown: readonly Fact[];
  /** Ids of those that the person calls wrong, or that were corrected since. */ readonly called: ReadonlySet<string>;
  /** Newest first; those without a date are the last. */ readonly dated: readonly Fact[];
  readonly count: number;
  /** Whether these are all results. */ readonly all: boolean;
  /** Empty where the page is not by date. */ readonly daysOf: DaysOfFacts;
};

async function readFound(visit: PersonVisit, whose: Whose): Promise<Found> {
  const operation = whose.kind === 'record' ? operations.reports.recordResults : operations.reports.carenetResults;
  const { facts, wrong, former, tests: named, all } = await visit.ask(operation, { params: whose.params });
  const known = { wrong: new Set(wrong), former: new Set(former), tests: named };
  const read = await mapInSlices(facts as unknown as readonly Fact[], (fact) => ({
    fact,
    result: resultOf(visit.models.labTests, fact, known),
    day: isByDate(visit) ? dateWords(knownDate(fact, 'collected_at'), visit.words, 'day') : '',
  }));
  return {
    byTest: groupedBy(
      read.flatMap(({ result }) => result ?? []),
      ({ code }) => code.test.id,
    ),
    unknown: read.flatMap(({ fact, result }) => (result ? [] : [fact])),
    called: new Set([...wrong, ...former]),
    dated: facts as unknown as readonly Fact[],
    count: read.length,
    all,
    daysOf: new Map(read.map(({ fact, day }) => [fact, day])),
  };
}

type Group = { readonly group: string; readonly tests: readonly LabTest[] };

/** The groups of which there are results, in the order of the tests. */
function groupsOf({ byTest }: Found, { models: { labTests } }: PersonVisit): readonly Group[] {
  return [...groupedBy(labTests.tests, ({ group }) => group)]
    .map(([group, all]) => ({ group, tests: all.filter(({ id }) => byTest.has(id)) }))
    .filter(({ tests: some }) => some.length > 0);
}

function Newest({ visit, whose, found }: Of & { readonly found: Found }): JSX.Element {
  const { say } = visit.words;
  return (
    <>
      {groupsOf(found, visit).map(({ group, tests: some }) => (
        <Part title={<a href={queryAddress(`${whose.base}tests`, { group })}>{say(`tests.group-${group}`)}</a>}>
          <ul class="list">
            {some.map((test) => (
              <TestRow visit={visit} whose={whose} results={found.byTest.get(test.id)!} />
            ))}
          </ul>
        </Part>
      ))}
      <Others visit={visit} whose={whose} facts={found.unknown} wrong={found.called} />
    </>
  );
}

function ByDate({ visit, whose, found }: Of & { readonly found: Found }): JSX.Element {
  const { say } = visit.words;
  const model = visit.models.find('LabResult')!;
  const others = groupedBy(
    found.unknown.filter(({ __id__: id = '' }) => !found.called.has(id)),
    (fact) => text(fact['test_name_title']),
  );
  const groups: readonly DatedGroup[] = [
    ...groupsOf(found, visit).map(({ group, tests: some }) => ({
      title: say(`tests.group-${group}`),
      tests: some.flatMap((test) => datedTests(test, found.byTest.get(test.id)!, { visit, whose })),
    })),
    {
      title: say('tests.others'),
      tests: [...others].map(([name, results]) =>
        datedName(factTitle(model, results[0]!, visit.words), nameAddress(whose, name), results, visit),
      ),
    },
  ];
  return <ResultsByDate visit={visit} whose={whose} groups={groups} daysOf={found.daysOf} />;
}

/** "The newest: 14 results of 20 November 2026. 3 are out of range or marked."; nothing without a date. */
function newestWords({ dated, called }: Found, { words }: PersonVisit): string {
  const counting = dated.filter(({ __id__: id = '' }) => !called.has(id));
  const dayOf = (fact: Fact): string => dateWords(knownDate(fact, 'collected_at'), words, 'day');
  const [first] = counting;
  const date = first ? dayOf(first) : '';
  if (date === '') {
    return '';
  }
  const end = counting.findIndex((fact) => dayOf(fact) !== date);
  const newest = end < 0 ? counting : counting.slice(0, end);
  return words.say('tests.newest', {
    count: newest.length,
    date,
    marked: newest.filter((fact) => isMarked(fact, FIELD)).length,
  });
}

/** The ways to add a result, and to the file of all of them. */
function Actions({ visit, whose }: Of): JSX.Element {
  return (
    <span class="buttons no-print">
      {whose.kind === 'record' && (
        <a class="button" href={`${whose.base}add/LabResult`}>
          {visit.words.say('overview.add-result')}
        </a>
      )}
      <a class="button" href={`${whose.base}data/LabResult.csv`}>
        CSV
      </a>
    </span>
  );
}

/** The groups of which there are results, each a link to its page. */
function Groups({ visit, whose, found }: Of & { readonly found: Found }): JSX.Element | null {
  const { say } = visit.words;
  const groups = groupsOf(found, visit);
  return groups.length < 2 ? null : (
    <nav class="chips roll no-print" aria-label={say('tests.groups')}>
      {groups.map(({ group, tests: some }) => (
        <a class="chip" href={queryAddress(`${whose.base}tests`, { group })}>
          {say(`tests.group-${group}`)} <span class="soft">{visit.words.number(some.length)}</span>
        </a>
      ))}
    </nav>
  );
}

async function lookAtTests(visit: PersonVisit) {
  const whose = await whoseOf(visit);
  if (groupAsked(visit) !== undefined) {
    return lookAtGroup(visit, whose);
  }
  const found = await readFound(visit, whose);
  const { say } = visit.words;
  const title = say('tests.title');
  const Shown = isByDate(visit) ? ByDate : Newest;
  return shown(
    title,
    <>
      <Head
        title={title}
        avatar={<Tile name="lab" kind="k-lab" />}
        action={found.count > 0 && <Actions visit={visit} whose={whose} />}
      >
        {found.count > 0 && say(found.all ? 'tests.what' : 'tests.what-some', { count: found.count })}{' '}
        {newestWords(found, visit)}
      </Head>
      {found.count === 0 ? (
        <Nothing visit={visit} whose={whose} title={say('tests.none')} why={say('tests.none-why')} all={undefined} />
      ) : (
        <>
          <Groups visit={visit} whose={whose} found={found} />
          <OrderChoice visit={visit} whose={whose} />
          <Shown visit={visit} whose={whose} found={found} />
        </>
      )}
    </>,
    { record: whose.frame },
  );
}

export const tests = forBoth((begin) => page({ path: `${begin}/tests`, show: lookAtTests }));

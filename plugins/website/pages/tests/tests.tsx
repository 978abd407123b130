/** tests: the laboratory tests of a record by their groups, each with its latest result. */
import type { JSX } from 'preact';
import { groupedBy } from '../../../../core/base/grouped-by';
import { mapInSlices } from '../../../../core/base/turns/slices';
import { operations } from '../../http/operations';
import { Finding } from '../../parts/finding';
import { Head, Part } from '../../parts/layout';
import { Nothing } from '../../parts/nothing';
import { forBoth, whoseOf, type Whose } from '../../parts/whose';
import { page, shown, type PersonVisit } from '../../http/page';
import { dateWords, factLine, factTitle, knownDate, numberWords, text, unitWords, type Fact } from '../../words/facts';
import { queryAddress } from '../data/query';
import { groupAsked, lookAtGroup } from './group';
import { latestOf, LatestValue, latestWords } from './latest';
import { resultOf, testName, writtenIn, type TestResult } from './results';

const FIELD = 'quantitative_result';

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

type Named = { readonly name: string; readonly results: readonly Fact[] };

/** The latest result of a test that the service does not know, as its laboratory wrote it. */
function OtherRow({ visit, whose, name, results }: Of & Named): JSX.Element {
  const { words, models } = visit;
  const model = models.find('LabResult')!;
  const latest = results[0]!;
  const { value, unit } = writtenIn(latest);
  const isNumber = /^[<>]?=?\s*\d/.test(value);
  const isAddress = name !== '' && !name.includes('|');
  return (
    <li data-kind="LabResult" data-id={latest.__id__}>
      <div>
        <a
          class="name"
          href={
            isAddress
              ? queryAddress(`${whose.base}data/LabResult`, { test_name_title: name })
              : `${whose.base}data/LabResult`
          }
        >
          <bdi>{factTitle(model, latest, words)}</bdi>
        </a>
        <p class="by">
          {words.say('tests.of', {
            count: results.length,
            date: dateWords(knownDate(latest, 'collected_at'), words, 'day'),
          })}
        </p>
      </div>
      <div class="end">
        {isNumber ? (
          <p class="val mid">
            <bdi>{numberWords(value, words)}</bdi> <bdi class="u">{unitWords(unit, words)}</bdi>
          </p>
        ) : (
          <p class="said">
            <bdi>{value || factLine(model, latest, words)}</bdi>
          </p>
        )}
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

async function lookAtTests(visit: PersonVisit) {
  const whose = await whoseOf(visit);
  if (groupAsked(visit) !== undefined) {
    return lookAtGroup(visit, whose);
  }
  const {
    facts,
    wrong,
    former,
    tests: named,
    all,
  } = await visit.ask(whose.kind === 'record' ? operations.reports.recordResults : operations.reports.carenetResults, {
    params: whose.params,
  });
  const { say } = visit.words;
  const { labTests } = visit.models;
  const called = new Set([...wrong, ...former]);
  const known = { wrong: new Set(wrong), former: new Set(former), tests: named };
  const read = await mapInSlices(facts as unknown as readonly Fact[], (fact) => ({
    fact,
    result: resultOf(labTests, fact, known),
  }));
  const byTest = groupedBy(
    read.flatMap(({ result }) => result ?? []),
    ({ code }) => code.test.id,
  );
  const unknown = read.flatMap(({ fact, result }) => (result ? [] : [fact]));
  const groups = [...new Set(labTests.tests.map(({ group }) => group))];
  const title = say('tests.title');
  return shown(
    title,
    <>
      <Head title={title}>
        {read.length > 0 && say(all ? 'tests.what' : 'tests.what-some', { count: read.length })}
      </Head>
      {read.length === 0 && (
        <Nothing visit={visit} whose={whose} title={say('tests.none')} why={say('tests.none-why')} all={undefined} />
      )}
      {groups.map((group) => {
        const some = labTests.tests.filter((test) => test.group === group && byTest.has(test.id));
        return some.length === 0 ? null : (
          <Part title={<a href={queryAddress(`${whose.base}tests`, { group })}>{say(`tests.group-${group}`)}</a>}>
            <ul class="list">
              {some.map((test) => (
                <TestRow visit={visit} whose={whose} results={byTest.get(test.id)!} />
              ))}
            </ul>
          </Part>
        );
      })}
      <Others visit={visit} whose={whose} facts={unknown} wrong={called} />
    </>,
    { record: whose.frame },
  );
}

export const tests = forBoth((begin) => page({ path: `${begin}/tests`, show: lookAtTests }));

/**
 * questions: what only the person can decide, in one place: whether two lines are about one thing, and which test a name
 * without a code means. Nothing waits for it.
 */
import type { JSX } from 'preact';
import { newToken } from '../../../../core/base/ids';
import { notTest } from '../../../../core/lab-tests/named';
import type { Verdict } from '../../../../core/lines/own-words';
import type { ValueOf } from '../../../../core/http/route';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Form } from '../../parts/form';
import { Head, Line as Small } from '../../parts/layout';
import { whoseNamed, type Whose } from '../../parts/whose';
import { dateWords, factDate, factLine, factTitle, modelTitle, type Fact } from '../../words/facts';
import { sourceName } from './line-words';
import { LINED } from '../record/overview-lines';
import { queryAddress } from '../data/query';
import { testName } from '../tests/results';
import { hearIt, Offered, offering, readOffer } from './offer';
import { saveWord } from './save-word';

type Read = ValueOf<typeof operations.reports.recordQuestions>;
type Question = Read['questions'][number];
type Side = Question['one'];

function readQuestions(visit: PersonVisit): Promise<Read> {
  return visit.ask(operations.reports.recordQuestions, {
    params: whoseNamed(visit, '').params,
    query: { lists: LINED.join('|') },
  });
}

type SideProps = { readonly visit: PersonVisit; readonly from: Whose; readonly model: string; readonly side: Side };

function SideRow({ visit, from, model: name, side }: SideProps): JSX.Element {
  const { words } = visit;
  const model = visit.models.find(name)!;
  const fact = side.fact as Fact;
  const said = side.last === '' ? '' : words.say('lines.last-said', { date: dateWords(side.last, words, 'day') });
  // The date of the paper in which an event stands is none of its own.
  const day = model.same?.what === 'event' ? factDate(model, fact, words, 'day') : said;
  return (
    <li data-kind={name} data-id={side.line}>
      <div>
        <a class="name" href={`${from.base}list/${name}/${side.line}`}>
          <bdi>{factTitle(model, fact, words)}</bdi>
        </a>
        <Small text={factLine(model, fact, words)} />
        <p class="by">
          <bdi>{sourceName(side.document, visit)}</bdi>
        </p>
      </div>
      <span class="end below">{day}</span>
    </li>
  );
}

const ANSWERS: readonly (readonly [Verdict, string])[] = [
  ['same', 'questions.yes'],
  ['different', 'questions.no'],
];

function Asked({
  visit,
  from,
  question: { model, one, other },
}: {
  readonly visit: PersonVisit;
  readonly from: Whose;
  readonly question: Question;
}): JSX.Element {
  const { words } = visit;
  const known = visit.models.find(model)!;
  const named = factTitle(known, one.fact as Fact, words);
  return (
    <section class="card gap">
      <header>
        <h2>{modelTitle(known, words)}</h2>
      </header>
      <ul class="list">
        {[one, other].map((side) => (
          <SideRow visit={visit} from={from} model={model} side={side} />
        ))}
      </ul>
      <p>{words.say('questions.same')}</p>
      <div class="buttons">
        {ANSWERS.map(([verdict, text]) => (
          <Form visit={visit} className="inline">
            <input type="hidden" name="form" value={newToken()} />
            <input type="hidden" name="verdict" value={verdict} />
            <input type="hidden" name="model" value={model} />
            {[one, other].map(({ statement }) => (
              <input type="hidden" name="about" value={statement} />
            ))}
            <button class="button" aria-label={`${words.say(text)}: ${named}`}>
              {words.say(text)}
            </button>
          </Form>
        ))}
      </div>
    </section>
  );
}

type NameAsked = Read['names'][number];
const RESULT = 'LabResult';

/** "Is this Creatinine (blood)?", once for a name and its source. */
function Named({
  visit,
  from,
  asked,
}: {
  readonly visit: PersonVisit;
  readonly from: Whose;
  readonly asked: NameAsked;
}): JSX.Element {
  const { words } = visit;
  const test = testName(visit.models.labTests.find(asked.test)!, words.language);
  const answers = [
    ['questions.yes', asked.test],
    ['questions.no', notTest(asked.test)],
  ] as const;
  return (
    <section class="card gap">
      <header>
        <h2>{modelTitle(visit.models.find(RESULT)!, words)}</h2>
      </header>
      <ul class="list">
        <li data-kind={RESULT} data-id={asked.statement}>
          <div>
            <a class="name" href={queryAddress(`${from.base}data/${RESULT}`, { test_name_title: asked.title })}>
              <bdi>{asked.title}</bdi>
            </a>
            <p class="by">
              <bdi>{sourceName(asked.document, visit)}</bdi>
            </p>
          </div>
        </li>
      </ul>
      <p>{words.say('questions.is-test', { test })}</p>
      <div class="buttons">
        {answers.map(([text, said]) => (
          <Form visit={visit} className="inline">
            <input type="hidden" name="form" value={newToken()} />
            <input type="hidden" name="verdict" value="is-test" />
            <input type="hidden" name="test" value={said} />
            <input type="hidden" name="about" value={asked.statement} />
            <button class="button" aria-label={`${words.say(text)}: ${asked.title}`}>
              {words.say(text)}
            </button>
          </Form>
        ))}
      </div>
    </section>
  );
}

async function showQuestions(visit: PersonVisit): Promise<Answer> {
  const { label, total, questions: asked, names } = await readQuestions(visit);
  const offer = await readOffer(visit);
  const left = total - asked.length - names.length;
  const from = whoseNamed(visit, label);
  const { say } = visit.words;
  const title = say('questions.title');
  return shown(
    title,
    <>
      <Head title={title} back={{ to: from.base, text: say('frame.overview') }}>
        {say(total === 0 ? 'questions.none' : 'questions.lead')}
      </Head>
      <Offered visit={visit} offer={offer} />
      {asked.map((question) => (
        <Asked visit={visit} from={from} question={question} />
      ))}
      {names.map((one) => (
        <Named visit={visit} from={from} asked={one} />
      ))}
      {left > 0 && <p>{say('questions.more', { count: left })}</p>}
    </>,
    { record: from.frame },
  );
}

/** Stores whether a name means the test that was asked about. */
async function answerName(visit: PersonVisit, names: readonly NameAsked[]): Promise<string | undefined> {
  const [about, said] = [visit.form.text('about'), visit.form.text('test')];
  const found = names.find(({ statement, test }) => statement === about && [test, notTest(test)].includes(said));
  return found && saveWord(visit, RESULT, { verdict: 'is-test', statements: [about], words: found.title, test: said });
}

/** An answer counts only to a question that is asked: what was answered meanwhile is not asked again. */
async function submitQuestions(visit: PersonVisit): Promise<Answer> {
  const heard = await hearIt(visit);
  if (heard) {
    return heard;
  }
  const [model, about] = [visit.form.text('model'), visit.form.all('about')];
  const [verdict] = ANSWERS.find(([name]) => name === visit.form.text('verdict')) ?? [];
  const { questions: asked, names } = await readQuestions(visit);
  if (visit.form.text('verdict') === 'is-test') {
    return go(offering(visit.path, await answerName(visit, names)));
  }
  const found = asked.find(
    (one) => one.model === model && [one.one, one.other].every(({ statement }) => about.includes(statement)),
  );
  if (verdict !== undefined && found) {
    const words = factTitle(visit.models.find(model)!, found.one.fact as Fact, visit.words);
    const statements = [found.one.statement, found.other.statement];
    return go(offering(visit.path, await saveWord(visit, model, { verdict, statements, words })));
  }
  return go(visit.path);
}

export const questions = page({ path: '/records/{RECORD_ID}/questions', show: showQuestions, submit: submitQuestions });

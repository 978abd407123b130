/**
 * smart: the page on which an app asks through SMART to be let in: who asks, for what and for which record, with a yes
 * and a no. Opening the page changes nothing.
 */
import { errors } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { AppReason, hostOf, MadeBy } from './app-parts';
import { AnswerButtons, answerIn, Which } from './choose';
import { Form, Summary, type Wrong } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { leave, leaveKeptOut } from './leave';
import { ScopeRights } from './scopes';

type Question = ValueOf<typeof operations.smart.smartQuestion>;
type Choice = Question['givable'][number];

function inQuestion({ params }: PersonVisit) {
  return { SMART_REQUEST: params['SMART_REQUEST']! };
}

/** @param counted whether the page says what each record contains */
function askedBySmart(visit: PersonVisit, counted: boolean): Promise<Question> {
  return visit.ask(operations.smart.smartQuestion, { params: inQuestion(visit), query: { counted: String(counted) } });
}

function ends({ words, now }: PersonVisit, { seconds }: Question): string {
  return seconds === null
    ? words.say('smart.while-signed-in')
    : words.say('authorize.until', { until: words.date(now + seconds * 1000, 'time') });
}

function smartView(visit: PersonVisit, question: Question, wrong?: Wrong): Answer {
  const { say, rich } = visit.words;
  const { app, givable, launched } = question;
  const title = say('authorize.title', { app: app.name });
  const possible = givable.length > 0;
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['what']} />
      <Head title={rich('authorize.title', { app: <bdi>{app.name}</bdi> })}>
        <MadeBy visit={visit} app={app} host={hostOf(question.redirectUri)} />
      </Head>
      <Form visit={visit}>
        <Part title={say('app.why')}>
          <AppReason visit={visit} app={{ ...app, autonomous: false }} />
        </Part>
        <Part title={say('authorize.which')} {...(launched ? { hint: say('smart.opened') } : {})}>
          <Which visit={visit} givable={givable} bound={launched} wrong={wrong} />
        </Part>
        {possible && (
          <>
            <ScopeRights visit={visit} scopes={question.scopes} />
            <Part title={say('authorize.how-long')}>
              <p>{ends(visit, question)}</p>
            </Part>
          </>
        )}
        <AnswerButtons visit={visit} app={app.name} possible={possible} />
      </Form>
    </>,
    wrong ? { status: 400 } : {},
  );
}

async function yes(visit: PersonVisit, { app }: Question, { carenet, recordId }: Choice): Promise<Answer> {
  const { say } = visit.words;
  const { location } = await visit.ask(operations.smart.smartQuestionApprove, {
    params: inQuestion(visit),
    body: carenet ? { carenet_id: carenet.id } : { record_id: recordId },
  });
  return leave(visit, {
    title: say('authorize.let-in-title', { app: app.name }),
    said: say('authorize.let-in', { app: app.name }),
    app: app.name,
    location,
  });
}

async function no(visit: PersonVisit, { app }: Question): Promise<Answer> {
  const { location } = await visit.ask(operations.smart.smartQuestionRefuse, { params: inQuestion(visit) });
  return leaveKeptOut(visit, app.name, location);
}

/** Leads to the page of sign-in, and from there back to the question. */
function signInAgain({ site, path }: PersonVisit): Answer {
  return go(`${site}/sign-in?${new URLSearchParams({ note: 'again', next: path }).toString()}`);
}

export const smart = page({
  path: '/smart/{SMART_REQUEST}',
  show: async (visit) => {
    const question = await askedBySmart(visit, true);
    if (question.answered) {
      throw errors.notFound('question of an app');
    }
    return question.signInAgain ? signInAgain(visit) : smartView(visit, question);
  },
  submit: async (visit) => {
    const question = await askedBySmart(visit, false);
    const answer = answerIn(visit, question.givable);
    if (answer === undefined) {
      return smartView(visit, await askedBySmart(visit, true), { what: visit.words.say('authorize.choose') });
    }
    if (answer === 'no') {
      return no(visit, question);
    }
    return question.signInAgain ? signInAgain(visit) : yes(visit, question, answer);
  },
});

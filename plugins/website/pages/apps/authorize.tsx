/**
 * authorize: the page on which an app asks to be let in: who asks, and for which record or which part of it, with a yes
 * and a no. Opening the page does not claim the request token.
 */
import { AppError, errors } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { page, shown, type Answer, type PersonVisit } from '../../http/page';
import { AppReason, AppRights, hostOf, MadeBy } from './app-parts';
import { AnswerButtons, answerIn, Which } from './choose';
import { Form, Summary, type Wrong } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { leave, leaveKeptOut } from './leave';
import { ShownBefore, wasShown } from '../../http/shown-before';

type Asking = ValueOf<typeof operations.oauth.requestTokenInfo>;
type Choices = ValueOf<typeof operations.oauth.requestTokenChoices>;
type Choice = Choices['givable'][number];

function requestTokenIn({ form, query }: PersonVisit): string {
  return form.text('oauth_token') || (query['oauth_token'] ?? '');
}

/** @param counted whether the page says what each record contains */
async function asked(visit: PersonVisit, counted: boolean): Promise<readonly [Asking, Choices]> {
  const token = requestTokenIn(visit);
  if (token === '') {
    throw errors.notFound('request token');
  }
  const params = { REQTOKEN_ID: token };
  return Promise.all([
    visit.ask(operations.oauth.requestTokenInfo, { params }),
    visit.ask(operations.oauth.requestTokenChoices, { params, query: { counted: String(counted) } }),
  ]);
}

/** The question as a text. With it, a second no is accepted after the first one has ended the question. */
function questionOf(token: string, app: string, refused: string): string {
  return JSON.stringify(['authorize', token, app, refused]);
}

function authorizeView(visit: PersonVisit, [asking, choices]: readonly [Asking, Choices], wrong?: Wrong): Answer {
  const { say, rich } = visit.words;
  const { app } = asking;
  const title = say('authorize.title', { app: app.name });
  const possible = choices.givable.length > 0;
  const ends = app.autonomous
    ? say('authorize.until-taken')
    : say('authorize.until', { until: visit.words.date(visit.now + choices.seconds * 1000, 'time') });
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['what']} />
      <Head title={rich('authorize.title', { app: <bdi>{app.name}</bdi> })}>
        <MadeBy visit={visit} app={app} host={hostOf(choices.callback)} />
      </Head>
      <Form visit={visit} action={`${visit.site}/authorize`}>
        <input type="hidden" name="oauth_token" value={requestTokenIn(visit)} />
        <input type="hidden" name="app" value={app.name} />
        <input type="hidden" name="refused" value={choices.refused} />
        <ShownBefore visit={visit} id={questionOf(requestTokenIn(visit), app.name, choices.refused)} />
        <Part title={say('app.why')}>
          <AppReason visit={visit} app={app} />
        </Part>
        <Part title={say('authorize.which')} {...(asking.kind === 'same' ? { hint: say('authorize.already') } : {})}>
          <Which
            visit={visit}
            givable={choices.givable}
            bound={asking.recordId !== null || asking.carenetId !== null}
            wrong={wrong}
          />
        </Part>
        {possible && (
          <>
            <AppRights visit={visit} app={app} parts={choices.givable.some(({ carenet }) => carenet)} />
            <Part title={say('authorize.how-long')}>
              <p>{ends}</p>
            </Part>
          </>
        )}
        <AnswerButtons visit={visit} app={app.name} possible={possible} />
      </Form>
    </>,
    wrong ? { status: 400 } : {},
  );
}

async function yes(visit: PersonVisit, [{ app }, choices]: readonly [Asking, Choices], choice: Choice) {
  const { say } = visit.words;
  const params = { REQTOKEN_ID: requestTokenIn(visit) };
  const { carenet, recordId, placed } = choice;
  const approved =
    carenet && !placed
      ? await visit.ask(operations.oauth.requestTokenApprovePart, { params, body: { carenet_id: carenet.id } })
      : await visit.ask(operations.oauth.requestTokenApprove, {
          params,
          body: carenet ? { carenet_id: carenet.id } : { record_id: recordId },
        });
  const location = approved['location']!;
  return leave(visit, {
    title: say('authorize.let-in-title', { app: app.name }),
    said: say('authorize.let-in', { app: app.name }),
    app: app.name,
    location,
    ...(choices.callbackGiven ? {} : { verifier: new URL(location).searchParams.get('oauth_verifier') ?? '' }),
  });
}

async function no(visit: PersonVisit, [{ app }]: readonly [Asking, Choices]): Promise<Answer> {
  const { location } = await visit.ask(operations.oauth.requestTokenRefuse, {
    params: { REQTOKEN_ID: requestTokenIn(visit) },
  });
  return leaveKeptOut(visit, app.name, location);
}

/**
 * The answer to a no that is pressed twice, when the question has ended: the same as to the first no. Undefined for
 * everything else.
 */
function secondNo(visit: PersonVisit): Answer | undefined {
  const { form } = visit;
  const [app, refused] = [form.text('app'), form.text('refused')];
  const shown = form.text('answer') === 'no' && wasShown(visit, questionOf(requestTokenIn(visit), app, refused));
  return shown ? leaveKeptOut(visit, app, refused) : undefined;
}

async function submitAuthorize(visit: PersonVisit): Promise<Answer> {
  const what = await asked(visit, false);
  const answer = answerIn(visit, what[1].givable);
  if (answer === undefined) {
    return authorizeView(visit, await asked(visit, true), { what: visit.words.say('authorize.choose') });
  }
  return answer === 'no' ? no(visit, what) : yes(visit, what, answer);
}

export const authorize = page({
  path: '/authorize',
  show: async (visit) => authorizeView(visit, await asked(visit, true)),
  submit: async (visit) => {
    try {
      return await submitAuthorize(visit);
    } catch (error) {
      const again = error instanceof AppError && error.code === 'not_found' ? secondNo(visit) : undefined;
      if (again) {
        return again;
      }
      throw error;
    }
  },
});

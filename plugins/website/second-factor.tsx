/** second-factor: a code beside the password: set up with an app, taken off again, and recovery codes, which are shown once. */
import { AppError } from '../../core/base/errors';
import type { ValueOfOperation } from './operations';
import { go, page, shown, type Answer, type PersonVisit } from './page';
import { Buttons, Field, Form, Summary, type Wrong } from './parts/form';
import { Head, Part, Say } from './parts/layout';
import { Qr } from './parts/qr';

type On = Extract<ValueOfOperation<'account_second_factor'>, { readonly on: true }>;
type Failure = { readonly wrong: Wrong; readonly status: number };

const own = ({ person }: PersonVisit) => ({ ACCOUNT_EMAIL: person.principal.accountId });

const What = ({ name }: { readonly name: string }) => <input type="hidden" name="what" value={name} />;

const CodeField = ({
  visit,
  id,
  wrong,
}: {
  readonly visit: PersonVisit;
  readonly id: string;
  readonly wrong?: Wrong;
}) => (
  <Field
    label={visit.words.say('form.code')}
    name="code"
    id={id}
    hint={visit.words.say(id === 'on-code' ? 'second-factor.code-hint' : 'sign-in-code.code-hint')}
    autocomplete="one-time-code"
    numeric={id === 'on-code'}
    dir="ltr"
    short={id === 'on-code'}
    exact
    required
    {...(wrong ? { wrong } : {})}
  />
);

/** In groups of four, which are easier to copy. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

const SetUp = async (visit: PersonVisit, wrong: Wrong | undefined) => {
  const { say } = visit.words;
  const query = { offer: visit.form.exact('offer') };
  const { secret, link, offer } = await visit.ask('account_second_factor_offer', { params: own(visit), query });
  return (
    <>
      <Part title={say('second-factor.scan')} hint={say('second-factor.scan-hint')}>
        <Qr text={link} label={say('second-factor.picture')} />
        <p class="more">
          <a href={link}>{say('second-factor.open-app')}</a>
        </p>
        <p class="more soft">{say('second-factor.type-secret')}</p>
        <p>
          <code dir="ltr">{inGroups(secret)}</code>
        </p>
      </Part>
      <Part title={say('second-factor.confirm')}>
        <Form visit={visit}>
          <What name="on" />
          <input type="hidden" name="offer" value={offer} />
          <CodeField visit={visit} id="on-code" {...(wrong ? { wrong } : {})} />
          <Buttons text={say('second-factor.turn-on')} first>
            <a href={`${visit.site}/account`}>{say('form.cancel')}</a>
          </Buttons>
        </Form>
      </Part>
    </>
  );
};

const Present = ({
  visit,
  factor,
  wrong,
}: {
  readonly visit: PersonVisit;
  readonly factor: On;
  readonly wrong?: Wrong;
}) => {
  const { say } = visit.words;
  return (
    <>
      <Part title={say('second-factor.recovery')} hint={say('second-factor.recovery-hint')}>
        <p>{say('second-factor.left', { count: factor.recoveryCodes })}</p>
        <p class="soft">{say('second-factor.renew-hint')}</p>
        <Form visit={visit} className="more">
          <What name="codes" />
          <CodeField visit={visit} id="codes-code" {...(wrong ? { wrong } : {})} />
          <Buttons text={say('second-factor.renew')} />
        </Form>
      </Part>
      <Part title={say('second-factor.turn-off')} hint={say('second-factor.turn-off-hint')}>
        <Form visit={visit}>
          <What name="off" />
          <Field
            label={say('sign-in.password')}
            name="password"
            type="password"
            autocomplete="current-password"
            required
            {...(wrong ? { wrong } : {})}
          />
          <CodeField visit={visit} id="off-code" {...(wrong ? { wrong } : {})} />
          <Buttons text={say('second-factor.turn-off')} end />
        </Form>
      </Part>
    </>
  );
};

const view = async (visit: PersonVisit, failure?: Failure): Promise<Answer> => {
  const { say, date } = visit.words;
  const factor = await visit.ask('account_second_factor', { params: own(visit) });
  const wrong = failure?.wrong;
  const title = say('second-factor.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={['on-code', 'codes-code', 'password', 'off-code']} />
      <Head title={title} back={{ to: `${visit.site}/account`, text: say('account.title') }}>
        {factor.on ? say('second-factor.is-on', { since: date(factor.since) }) : say('second-factor.is-off')}
      </Head>
      {factor.on ? <Present visit={visit} factor={factor} {...(wrong ? { wrong } : {})} /> : await SetUp(visit, wrong)}
      <Part title={say('second-factor.reach')}>
        <p>{say('second-factor.reach-apps')}</p>
        <p>{say('second-factor.reach-lost')}</p>
      </Part>
    </>,
    failure ? { status: failure.status } : {},
  );
};

/** Shown once: nobody can read them again. */
const codesShown = (visit: PersonVisit, codes: readonly string[]): Answer => {
  const { say } = visit.words;
  const title = say('second-factor.codes-title');
  return shown(
    title,
    <>
      <Head title={title}>{say('second-factor.codes-hint')}</Head>
      <Part title={say('second-factor.codes')} hint={say('second-factor.codes-once')}>
        <ol class="paper-codes" dir="ltr">
          {codes.map((code) => (
            <li>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div class="buttons">
          <a class="button first" href={`${visit.site}/account/second-factor`}>
            {say('second-factor.codes-kept')}
          </a>
        </div>
      </Part>
      <Say title={say('second-factor.codes-where-title')}>{say('second-factor.codes-where')}</Say>
    </>,
  );
};

/** Runs what a form asks for; what is wrong stands at the field. @param field where a wrong code is said */
const trying = async (
  visit: PersonVisit,
  field: string,
  work: () => Promise<Answer>,
  wrong = 'sign-in-code.wrong',
): Promise<Answer> => {
  const { say } = visit.words;
  if (visit.form.text('code') === '') {
    return view(visit, { wrong: { [field]: say('form.code-missing') }, status: 400 });
  }
  try {
    return await visit.counted(work);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') {
      // Done in another window.
      return go(`${visit.site}/account/second-factor`);
    }
    if (error instanceof AppError && [403, 429].includes(error.status)) {
      return view(visit, { wrong: { [field]: say(wrong) }, status: error.status });
    }
    throw error;
  }
};

const turnOn = (visit: PersonVisit): Promise<Answer> =>
  trying(visit, 'on-code', async () => {
    const body = { offer: visit.form.exact('offer') || '-', code: visit.form.text('code') };
    return codesShown(visit, await visit.ask('account_second_factor_start', { params: own(visit), body }));
  });

const renew = (visit: PersonVisit): Promise<Answer> =>
  trying(visit, 'codes-code', async () => {
    const body = { code: visit.form.text('code') };
    return codesShown(visit, await visit.ask('account_second_factor_codes', { params: own(visit), body }));
  });

const turnOff = (visit: PersonVisit): Promise<Answer> => {
  const password = visit.form.exact('password');
  return password === ''
    ? view(visit, { wrong: { password: visit.words.say('second-factor.password-missing') }, status: 400 })
    : trying(
        visit,
        'off-code',
        async () => {
          const body = { password, code: visit.form.text('code') };
          await visit.ask('account_second_factor_end', { params: own(visit), body });
          return go(`${visit.site}/account?note=factor-off`);
        },
        'second-factor.off-wrong',
      );
};

const actions: Readonly<Record<string, (visit: PersonVisit) => Promise<Answer>>> = {
  on: turnOn,
  codes: renew,
  off: turnOff,
};

export const secondFactor = page({
  path: '/account/second-factor',
  show: (visit) => view(visit),
  submit: (visit) => {
    const what = visit.form.text('what');
    return Object.hasOwn(actions, what) ? actions[what]!(visit) : view(visit);
  },
});

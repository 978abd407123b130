/** account: name and e-mail, language and time, password, and where the person is signed in. */
import type { ComponentChildren } from 'preact';
import { isAddress } from '../../../../core/auth/address';
import { LONGEST_NAME } from '../../../../core/auth/full-name';
import { AppError } from '../../../../core/base/errors';
import { isLanguage, languages } from '../../../../core/base/languages';
import type { ValueOf } from '../../../../core/http/route';
import { deviceOf } from './device';
import { lookNames, lookOf, looks, type LookName } from '../../http/manner';
import { operations } from '../../http/operations';
import { go, ownAccount, page, shown, type Answer, type PersonVisit, type Shown } from '../../http/page';
import {
  Buttons,
  CurrentPassword,
  Field,
  Form,
  isName,
  NewPassword,
  Select,
  Summary,
  What,
  type Option,
  type Wrong,
  wrongPassword,
} from '../../parts/form';
import { Head, Part, Rows, Say, Tag } from '../../parts/layout';
import { standing } from './second-factor-view';
import { Telephone } from './telephone';
import { isZone } from '../../words/words';
import { zoneName } from '../../words/zoned';

type Account = ValueOf<typeof operations.accounts.accountInfo>;
type Factor = ValueOf<typeof operations.accounts.accountSecondFactor>;
type Session = ValueOf<typeof operations.accounts.accountSessions>[number];
type Wrongs = { readonly form: string; readonly wrong: Wrong; readonly status?: number };

/** A part of the page with a form of its own. @param name tells `submit` which form was sent */
function PartForm({
  visit,
  name,
  title,
  children,
}: {
  readonly visit: PersonVisit;
  readonly name: string;
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <Part title={title}>
      <Form visit={visit}>
        <What name={name} />
        {children}
        <Buttons text={visit.words.say('form.save')} />
      </Form>
    </Part>
  );
}

function Person({
  visit,
  account,
  wrong,
}: {
  readonly visit: PersonVisit;
  readonly account: Account;
  readonly wrong: Wrong | undefined;
}) {
  const { say } = visit.words;
  return (
    <PartForm visit={visit} name="person" title={say('account.person')}>
      <Field
        label={say('form.name')}
        name="name"
        value={wrong ? visit.form.text('name') : account.fullName}
        autocomplete="name"
        wrong={wrong}
      />
      <Field
        label={say('form.email')}
        name="email"
        type="email"
        hint={say('account.email-hint')}
        value={wrong ? visit.form.text('email') : account.contactEmail}
        autocomplete="email"
        wrong={wrong}
      />
    </PartForm>
  );
}

/** The time zones: UTC first, then the others by place. */
const zones: readonly Option[] = [
  { value: 'UTC', text: 'UTC' },
  ...Intl.supportedValuesOf('timeZone')
    .filter((value) => value !== 'UTC')
    .map((value) => ({ value, text: zoneName(value) }))
    .sort((a, b) => a.text.localeCompare(b.text, 'en')),
];

function Manner({ visit }: { readonly visit: PersonVisit }) {
  const { say, language, date } = visit.words;
  const chosen = visit.person.zone;
  const { browserZone } = visit.person;
  const notChosen = isZone(browserZone)
    ? say('account.zone-browser', { zone: zoneName(browserZone) })
    : say('account.zone-not-chosen');
  return (
    <PartForm visit={visit} name="manner" title={say('account.manner')}>
      <Select
        label={say('account.language')}
        name="language"
        value={language}
        options={Object.entries(languages).map(([value, { name }]) => ({ value, text: name, lang: value }))}
      />
      <Select
        label={say('account.zone')}
        name="zone"
        hint={say('account.now', { now: date(visit.now, 'time') })}
        value={chosen}
        options={chosen === '' ? [{ value: '', text: notChosen }, ...zones] : zones}
      />
      {lookNames.map((name) => (
        <Select
          label={say(`account.${name}`)}
          name={name}
          value={visit.person[name]}
          options={['usual', ...looks[name]].map((value) => ({
            value: value === 'usual' ? '' : value,
            text: say(`account.${name}-${value}`),
          }))}
        />
      ))}
    </PartForm>
  );
}

function Password({ visit, wrong }: { readonly visit: PersonVisit; readonly wrong: Wrong | undefined }) {
  const { say } = visit.words;
  return (
    <PartForm visit={visit} name="password" title={say('sign-in.password')}>
      <CurrentPassword label={say('account.old-password')} name="old" wrong={wrong} />
      <NewPassword visit={visit} label={say('form.new-password')} name="new" wrong={wrong} />
      <p class="more soft">{say('account.password-ends')}</p>
    </PartForm>
  );
}

function SecondFactor({ visit, factor }: { readonly visit: PersonVisit; readonly factor: Factor }) {
  const { say } = visit.words;
  return (
    <Part title={say('account.factor')} hint={say('account.factor-hint')}>
      <p>{standing(visit, factor)}</p>
      <p class="more">
        <a href={`${visit.site}/account/second-factor`}>
          {say(factor.on ? 'account.factor-change' : 'account.factor-start')}
        </a>
      </p>
    </Part>
  );
}

function sessionName(visit: PersonVisit, { device, appName }: Session): string {
  const { browser, system } = deviceOf(device ?? '');
  if (device === null) {
    return appName;
  }
  return browser !== '' && system !== ''
    ? visit.words.say('account.device', { browser, system })
    : browser || system || visit.words.say('account.some-device');
}

function Sessions({ visit, sessions }: { readonly visit: PersonVisit; readonly sessions: readonly Session[] }) {
  const { say, date } = visit.words;
  return (
    <Part title={say('account.sessions')}>
      <Rows kind="do">
        {sessions.map((session) => {
          const name = sessionName(visit, session);
          return (
            <li>
              <div>
                <span class="name">
                  <bdi>{name}</bdi>
                </span>{' '}
                {session.here && <Tag tone="good">{say('account.here')}</Tag>}
                <p class="by">
                  {say(session.here ? 'account.since' : 'account.since-used', {
                    since: date(session.createdAt, 'time'),
                    used: date(session.lastUsedAt, 'time'),
                  })}
                  {session.keptUntil !== null && `. ${say('account.kept', { until: date(session.keptUntil) })}`}
                </p>
              </div>
              {!session.here && (
                <Form visit={visit}>
                  <What name="session" />
                  <input type="hidden" name="session" value={session.id} />
                  <button class="button little end">
                    {say('account.sign-out-there')}
                    <span class="unseen">: {name}</span>
                  </button>
                </Form>
              )}
            </li>
          );
        })}
      </Rows>
    </Part>
  );
}

const notes = ['saved', 'mailed', 'password', 'ended', 'email', 'factor-off', 'not-there'] as const;

function AccountNote({ visit, said }: { readonly visit: PersonVisit; readonly said: string | undefined }) {
  const note = notes.find((known) => known === said);
  return note ? <Say tone="good" role="status" title={visit.words.say(`account.note-${note}`)} /> : null;
}

async function accountView(visit: PersonVisit, failure?: Wrongs, note = visit.query['note']): Promise<Shown> {
  const { say, rich } = visit.words;
  const [account, sessions, factor] = await Promise.all([
    visit.ask(operations.accounts.accountInfo, { params: ownAccount(visit) }),
    visit.ask(operations.accounts.accountSessions, { params: ownAccount(visit) }),
    visit.ask(operations.accounts.accountSecondFactor, { params: ownAccount(visit) }),
  ]);
  const username = account.authSystems.find(({ name }) => name === 'password')?.username ?? account.id;
  const title = say('account.title');
  const wrongIn = (form: string) => (failure?.form === form ? failure.wrong : undefined);
  return shown(
    failure ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={failure?.wrong} order={['name', 'email', 'old', 'new']} />
      {!failure && <AccountNote visit={visit} said={note} />}
      <Head title={title}>
        {rich('account.who', {
          name: <bdi>{account.fullName}</bdi>,
          username: <bdi>{username}</bdi>,
          b: (chunks) => <b>{chunks}</b>,
        })}
      </Head>
      <Person visit={visit} account={account} wrong={wrongIn('person')} />
      <Manner visit={visit} />
      <Password visit={visit} wrong={wrongIn('password')} />
      <SecondFactor visit={visit} factor={factor} />
      <Sessions visit={visit} sessions={sessions} />
      <Telephone visit={visit} />
    </>,
    { script: 'telephone', ...(failure ? { status: failure.status ?? 400 } : {}) },
  );
}

function saved({ site }: PersonVisit, note: (typeof notes)[number]): Answer {
  return go(`${site}/account?note=${note}`);
}

/** What is wrong with the name and the address of the account. */
function wrongPerson({ words: { say }, form }: PersonVisit): Record<string, string> {
  return {
    ...(isName(form.text('name'), LONGEST_NAME) ? {} : { name: say('form.name-missing') }),
    ...(isAddress(form.text('email')) ? {} : { email: say('form.email-wrong') }),
  };
}

async function savePerson(visit: PersonVisit): Promise<Answer> {
  const { form } = visit;
  const [name, email] = [form.text('name'), form.text('email')];
  const wrong = wrongPerson(visit);
  if (Object.keys(wrong).length > 0) {
    return accountView(visit, { form: 'person', wrong });
  }
  const account = await visit.ask(operations.accounts.accountInfo, { params: ownAccount(visit) });
  if (name !== account.fullName) {
    await visit.ask(operations.accounts.accountInfoSet, { params: ownAccount(visit), body: { full_name: name } });
  }
  if (email === account.contactEmail) {
    return saved(visit, 'saved');
  }
  await visit.ask(operations.accounts.accountEmailAsk, { params: ownAccount(visit), body: { contact_email: email } });
  return saved(visit, 'mailed');
}

async function saveManner(visit: PersonVisit): Promise<Answer> {
  const language = visit.form.text('language');
  const zone = visit.form.text('zone');
  // A person without a zone need not choose one. The site then asks about times in files that have no zone.
  if (isLanguage(language) && (isZone(zone) || (zone === '' && visit.person.zone === ''))) {
    const look = (name: LookName) => lookOf(name, visit.form.text(name));
    await visit.speak({ language, zone, theme: look('theme'), size: look('size'), units: look('units') });
  }
  return saved(visit, 'saved');
}

async function savePassword(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const next = visit.form.exact('new');
  const old = visit.form.exact('old');
  const account = await visit.ask(operations.accounts.accountInfo, { params: ownAccount(visit) });
  const names = [account.id, account.fullName, account.contactEmail, ...account.authSystems.map((one) => one.username)];
  const weak = wrongPassword(visit, next, names);
  const wrong: Wrong = {
    ...(old === '' ? { old: say('account.old-wrong') } : {}),
    ...(weak === undefined ? {} : { new: weak }),
  };
  if (Object.keys(wrong).length > 0) {
    return accountView(visit, { form: 'password', wrong });
  }
  try {
    await visit.counted(() =>
      visit.ask(operations.accounts.accountPasswordChange, { params: ownAccount(visit), body: { old, new: next } }),
    );
  } catch (error) {
    if (error instanceof AppError && error.code === 'refused') {
      return accountView(visit, { form: 'password', wrong: { old: say('account.old-refused') }, status: 403 });
    }
    throw error;
  }
  return saved(visit, 'password');
}

async function endOneSession(visit: PersonVisit): Promise<Answer> {
  try {
    await visit.ask(operations.accounts.accountSessionEnd, {
      params: ownAccount(visit),
      body: { session: visit.form.text('session') || '-' },
    });
  } catch (error) {
    // The button was pressed twice, or the device was signed out meanwhile. The page says so, and shows the present
    // list.
    if (error instanceof AppError && error.code === 'not_found') {
      return { ...(await accountView(visit, undefined, 'not-there')), status: 404 };
    }
    throw error;
  }
  return saved(visit, 'ended');
}

const actions: Readonly<Record<string, (visit: PersonVisit) => Promise<Answer>>> = {
  person: savePerson,
  manner: saveManner,
  password: savePassword,
  session: endOneSession,
};

export const account = page({
  path: '/account',
  show: (visit) => accountView(visit),
  submit: (visit) => {
    const what = visit.form.text('what');
    return Object.hasOwn(actions, what) ? actions[what]!(visit) : accountView(visit);
  },
});

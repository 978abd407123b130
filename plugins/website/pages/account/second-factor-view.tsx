/** second-factor-view: passkeys, the app that shows codes and recovery codes, as the person sees and changes them. */
import type { ValueOf } from '../../../../core/http/route';
import type { ComponentChildren, JSX } from 'preact';
import { operations } from '../../http/operations';
import { ownAccount, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, CurrentPassword, Field, Form, Summary, What, type Wrong } from '../../parts/form';
import { Head, Part, Rows, Say } from '../../parts/layout';
import { Passkey } from '../../parts/passkey';
import { Qr } from '../../parts/qr';

type Factor = ValueOf<typeof operations.accounts.accountSecondFactor>;
type On = Extract<Factor, { readonly on: true }>;
type Ask = ValueOf<typeof operations.accounts.accountPasskeyAsk>;
type Offer = ValueOf<typeof operations.accounts.accountPasskeyOffer>;

type Failure = { readonly wrong: Wrong; readonly status: number };

type Seen = { readonly visit: PersonVisit; readonly wrong: Wrong | undefined };

function CodeField({ visit, id, hint, wrong }: Seen & { readonly id: string; readonly hint: string }) {
  return (
    <Field
      label={visit.words.say('form.code')}
      name="code"
      id={id}
      hint={hint}
      autocomplete="one-time-code"
      numeric={id === 'on-code'}
      dir="ltr"
      short={id === 'on-code'}
      exact
      required
      wrong={wrong}
    />
  );
}

type Proving = Seen & { readonly factor: On; readonly ask: Ask };

/** Fields for a code, or for a passkey instead. @param form the beginning of the names of the fields */
function Proof({
  form,
  factor,
  ask,
  text,
  children,
  ...seen
}: Proving & {
  readonly form: string;
  /** What the passkey does. */ readonly text: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { say } = seen.visit.words;
  const hint = say(factor.app ? 'sign-in-code.code-hint' : 'sign-in-code.paper-hint');
  return (
    <>
      <CodeField {...seen} id={`${form}-code`} hint={hint} />
      {children}
      {ask && <Passkey {...seen} id={`${form}-passkey`} kind="show" ask={ask} text={text} />}
    </>
  );
}

function OnePasskey({ visit, passkey }: { readonly visit: PersonVisit; readonly passkey: On['passkeys'][number] }) {
  const { say, date } = visit.words;
  const { id, name, createdAt, lastUsedAt } = passkey;
  const added = date(createdAt);
  return (
    <li>
      <div>
        <span class="name">
          <bdi>{name}</bdi>
        </span>
        <p class="by">
          {lastUsedAt === null
            ? say('passkey.added', { added })
            : say('passkey.used', { added, used: date(lastUsedAt, 'time') })}
        </p>
      </div>
      <a class="button little end" href={`${visit.site}/account/second-factor/passkeys/${encodeURIComponent(id)}`}>
        {say('passkey.delete')}
        <span class="unseen">: {name}</span>
      </a>
    </li>
  );
}

function Passkeys({ visit, wrong, factor, offer }: Seen & { readonly factor: Factor; readonly offer: Offer }) {
  const { say } = visit.words;
  const passkeys = factor.on ? factor.passkeys : [];
  return (
    <Part title={say('passkey.title')} hint={say('passkey.hint')}>
      {passkeys.length > 0 && (
        <Rows kind="do">
          {passkeys.map((passkey) => (
            <OnePasskey visit={visit} passkey={passkey} />
          ))}
        </Rows>
      )}
      {'none' in offer ? (
        <p>{say(`passkey.none-${offer.none}`)}</p>
      ) : (
        <Form visit={visit} {...(passkeys.length > 0 ? { className: 'more-below' } : {})}>
          <What name="passkey" />
          <Field
            label={say('form.name')}
            name="name"
            id="passkey-name"
            hint={say('passkey.name-hint')}
            value={visit.form.text('name')}
            autocomplete="off"
            most={80}
            required
            wrong={wrong}
          />
          <Passkey
            visit={visit}
            id="add-passkey"
            kind="make"
            ask={offer}
            text={say('passkey.add')}
            needs="name"
            wrong={wrong}
            first={!factor.on}
          />
        </Form>
      )}
    </Part>
  );
}

/** The secret in groups of four characters, which are easier to copy. */
function inFours(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

async function SetUp({ visit, wrong, beside }: Seen & { readonly beside: boolean }) {
  const { say } = visit.words;
  const query = { offer: visit.form.exact('offer') };
  const { secret, link, offer } = await visit.ask(operations.accounts.accountSecondFactorOffer, {
    params: ownAccount(visit),
    query,
  });
  return (
    <>
      <Part
        title={say(beside ? 'second-factor.scan-beside' : 'second-factor.scan')}
        hint={say('second-factor.scan-hint')}
      >
        <Qr text={link} label={say('second-factor.picture')} />
        <p class="more">
          <a href={link}>{say('second-factor.open-app')}</a>
        </p>
        <p class="more soft">{say('second-factor.type-secret')}</p>
        <p>
          <code dir="ltr">{inFours(secret)}</code>
        </p>
      </Part>
      <Part title={say('second-factor.confirm')}>
        <Form visit={visit}>
          <What name="on" />
          <input type="hidden" name="offer" value={offer} />
          <CodeField visit={visit} id="on-code" hint={say('second-factor.code-hint')} wrong={wrong} />
          <Buttons text={say('second-factor.turn-on')} first={!beside}>
            <a href={`${visit.site}/account`}>{say('form.cancel')}</a>
          </Buttons>
        </Form>
      </Part>
    </>
  );
}

/** For people who have only passkeys: an app is one more way to sign in. */
function AppToo({ visit }: { readonly visit: PersonVisit }) {
  const { say } = visit.words;
  return (
    <Part title={say('second-factor.app')}>
      <p>{say('second-factor.app-too')}</p>
      <p class="more">
        <a href={`${visit.site}/account/second-factor?app=1`}>{say('second-factor.app-start')}</a>
      </p>
    </Part>
  );
}

function Recovery(proving: Proving) {
  const { visit, factor } = proving;
  const { say } = visit.words;
  return (
    <Part title={say('second-factor.recovery')} hint={say('second-factor.recovery-hint')}>
      <p>{say('second-factor.left', { count: factor.recoveryCodes })}</p>
      <p class="soft">{say('second-factor.renew-hint')}</p>
      <Form visit={visit} className="more">
        <What name="codes" />
        <Proof {...proving} form="codes" text={say('second-factor.renew-passkey')}>
          <Buttons text={say('second-factor.renew')} />
        </Proof>
      </Form>
    </Part>
  );
}

function TurnOff(proving: Proving) {
  const { visit, factor, wrong } = proving;
  const { say } = visit.words;
  const alone = factor.passkeys.length === 0;
  const text = say(alone ? 'second-factor.turn-off' : 'second-factor.app-off');
  const hint = say(alone ? 'second-factor.turn-off-hint' : 'second-factor.app-off-hint');
  return (
    <Part title={alone ? text : say('second-factor.app')} hint={hint}>
      <Form visit={visit}>
        <What name="off" />
        <CurrentPassword label={say('sign-in.password')} name="password" required wrong={wrong} />
        <Proof {...proving} form="off" text={say('second-factor.app-off-passkey')}>
          <Buttons text={text} end />
        </Proof>
      </Form>
    </Part>
  );
}

const order = [
  'passkey-name',
  'add-passkey',
  'on-code',
  'codes-code',
  'codes-passkey',
  'password',
  'off-code',
  'off-passkey',
];

const notes = ['passkey', 'deleted', 'app', 'app-off', 'already'] as const;

function FactorNote({ visit }: { readonly visit: PersonVisit }) {
  const note = notes.find((known) => known === visit.query['note']);
  const tone = note === 'already' ? 'wait' : 'good';
  return note ? <Say tone={tone} role="status" title={visit.words.say(`second-factor.note-${note}`)} /> : null;
}

/** The state of the second factor in a sentence. */
export function standing({ words: { say, date } }: PersonVisit, factor: Factor): string {
  if (!factor.on) {
    return say('second-factor.is-off');
  }
  const since = date(factor.since);
  return say(factor.passkeys.length > 0 ? 'second-factor.is-on-passkey' : 'second-factor.is-on', { since });
}

export async function secondFactorView(visit: PersonVisit, failure?: Failure): Promise<Answer> {
  const { say } = visit.words;
  const [factor, offer] = await Promise.all([
    visit.ask(operations.accounts.accountSecondFactor, { params: ownAccount(visit) }),
    visit.ask(operations.accounts.accountPasskeyOffer, { params: ownAccount(visit) }),
  ]);
  const hasPasskeys = factor.on && factor.passkeys.length > 0;
  const ask = hasPasskeys
    ? await visit.ask(operations.accounts.accountPasskeyAsk, { params: ownAccount(visit) })
    : undefined;
  const wrong = failure?.wrong;
  const title = say('second-factor.title');
  const wantsApp = !factor.on || visit.query['app'] === '1' || wrong?.['on-code'] !== undefined;
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary title={say('form.wrong')} wrong={wrong} order={order} />
      {!failure && <FactorNote visit={visit} />}
      <Head title={title} back={{ to: `${visit.site}/account`, text: say('account.title') }}>
        {standing(visit, factor)}
      </Head>
      <Passkeys visit={visit} wrong={wrong} factor={factor} offer={offer} />
      {factor.on && factor.app && <TurnOff visit={visit} wrong={wrong} factor={factor} ask={ask} />}
      {!(factor.on && factor.app) &&
        wantsApp &&
        (await SetUp({ visit, wrong, beside: !factor.on && !('none' in offer) }))}
      {factor.on && !factor.app && !wantsApp && <AppToo visit={visit} />}
      {factor.on && <Recovery visit={visit} wrong={wrong} factor={factor} ask={ask} />}
      <Part title={say('second-factor.reach')}>
        <p>{say('second-factor.reach-apps')}</p>
        <p>{say('second-factor.reach-lost')}</p>
      </Part>
    </>,
    { ...(failure ? { status: failure.status } : {}), script: ask !== undefined || !('none' in offer) },
  );
}

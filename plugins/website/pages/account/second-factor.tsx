/**
 * second-factor: the page of what is asked for in addition to the password: passkeys, codes of an app, and recovery
 * codes, which are shown once.
 */
import { AppError } from '../../../../core/base/errors';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Head, Part, Say } from '../../parts/layout';
import { PrintedFor } from '../../parts/printed';
import { nothingShown, proofIn } from '../../parts/passkey';
import { secondFactorView } from './second-factor-view';

/** Shows the recovery codes. They are shown only once, because nobody can read them again. */
function codesShown(visit: PersonVisit, codes: readonly string[]): Answer {
  const { say } = visit.words;
  const title = say('second-factor.codes-title');
  return shown(
    title,
    <>
      <PrintedFor visit={visit} name={visit.person.principal.accountId} />
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
}

function here({ site }: PersonVisit, note = ''): Answer {
  return go(`${site}/account/second-factor${note && `?note=${note}`}`);
}

/** The page with new recovery codes where some were made, else the page of the second factor with a note. */
function codesOr(visit: PersonVisit, codes: readonly string[], note: string): Answer {
  return codes.length > 0 ? codesShown(visit, codes) : here(visit, note);
}

/** Runs what a form asks for. @param field the field at which a mistake is shown */
async function trying(visit: PersonVisit, field: string, text: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await visit.counted(work);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_state') {
      // It was done in another window, or the button was pressed twice and the first answer is lost.
      return here(visit, visit.form.text('what') === 'on' ? 'already' : '');
    }
    if (error instanceof AppError && [403, 429].includes(error.status)) {
      return secondFactorView(visit, { wrong: { [field]: text }, status: error.status });
    }
    throw error;
  }
}

/** The same for a form that asks for a code or a passkey. */
function proving(
  visit: PersonVisit,
  form: string,
  wrong: { readonly code: string; readonly passkey: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const way = 'passkey' in proofIn(visit) ? 'passkey' : 'code';
  return nothingShown(visit)
    ? secondFactorView(visit, { wrong: { [`${form}-code`]: visit.words.say('form.code-missing') }, status: 400 })
    : trying(visit, `${form}-${way}`, wrong[way], work);
}

function wrongSteps({ words }: PersonVisit) {
  return {
    code: words.say('sign-in-code.wrong'),
    passkey: words.say('sign-in-code.wrong-passkey'),
  };
}

async function addPasskey(visit: PersonVisit): Promise<Answer> {
  const { form } = visit;
  const { say } = visit.words;
  const body = { name: form.text('name'), passkey: form.exact('passkey'), ask: form.exact('ask') };
  if (body.name === '' || [...body.name].length > 80 || /\p{Cc}/u.test(body.name)) {
    return secondFactorView(visit, { wrong: { 'passkey-name': say('passkey.name-missing') }, status: 400 });
  }
  if (body.passkey === '' || body.ask === '') {
    return secondFactorView(visit, { wrong: { 'add-passkey': say('passkey.script-make') }, status: 400 });
  }
  return trying(visit, 'add-passkey', say('passkey.wrong'), async () =>
    codesOr(
      visit,
      await visit.ask(operations.accounts.accountPasskeyAdd, { params: ownAccount(visit), body }),
      'passkey',
    ),
  );
}

function turnOn(visit: PersonVisit): Promise<Answer> {
  return proving(visit, 'on', { ...wrongSteps(visit), code: visit.words.say('form.code-wrong') }, async () => {
    const body = { offer: visit.form.exact('offer') || '-', code: visit.form.text('code') };
    return codesOr(
      visit,
      await visit.ask(operations.accounts.accountSecondFactorStart, { params: ownAccount(visit), body }),
      'app',
    );
  });
}

function renew(visit: PersonVisit): Promise<Answer> {
  return proving(visit, 'codes', wrongSteps(visit), async () => {
    const body = proofIn(visit);
    return codesShown(
      visit,
      await visit.ask(operations.accounts.accountSecondFactorCodes, { params: ownAccount(visit), body }),
    );
  });
}

async function turnOff(visit: PersonVisit): Promise<Answer> {
  const { say } = visit.words;
  const password = visit.form.exact('password');
  if (password === '') {
    return secondFactorView(visit, { wrong: { password: say('second-factor.password-missing') }, status: 400 });
  }
  const wrong = { code: say('second-factor.off-wrong'), passkey: say('second-factor.off-wrong-passkey') };
  return proving(visit, 'off', wrong, async () => {
    const body = { password, ...proofIn(visit) };
    await visit.ask(operations.accounts.accountSecondFactorEnd, { params: ownAccount(visit), body });
    const { on } = await visit.ask(operations.accounts.accountSecondFactor, { params: ownAccount(visit) });
    return on ? here(visit, 'app-off') : go(`${visit.site}/account?note=factor-off`);
  });
}

const actions: Readonly<Record<string, (visit: PersonVisit) => Promise<Answer>>> = {
  passkey: addPasskey,
  on: turnOn,
  codes: renew,
  off: turnOff,
};

export const secondFactor = page({
  path: '/account/second-factor',
  show: (visit) => secondFactorView(visit),
  submit: (visit) => {
    const what = visit.form.text('what');
    return Object.hasOwn(actions, what) ? actions[what]!(visit) : secondFactorView(visit);
  },
});

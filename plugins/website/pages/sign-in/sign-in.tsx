/** sign-in: the page that asks for user name and password. It says the same for every mistake. */
import { AppError } from '../../../../core/base/errors';
import { afterSignIn, Kept, KEPT } from '../../http/kept-form';
import { go, openPage, shown, type Answer, type Visit } from '../../http/page';
import { Buttons, CurrentPassword, Field, Form } from '../../parts/form';
import { Only, Say } from '../../parts/layout';
import { codeAsked, isKept, KeptField, leaveOldSession } from './sign-in-code';
import { ownAddress } from '../../http/where';
import { operations } from '../../http/operations';

export function wrongTry(error: unknown): error is AppError {
  return error instanceof AppError && [403, 429].includes(error.status);
}

/**
 * Signs in with a user name and password; an account with a second factor is asked for it.
 * @param next the page of this site that is shown afterwards
 * @throws AppError 403 or 429
 */
export async function enter(visit: Visit, username: string, password: string, next: string): Promise<Answer> {
  const session = await visit.askAsItself(operations.oauth.sessionCreate, {
    body: { username, password, language: visit.words.language },
  });
  const step = await visit.signIn({
    token: session['oauth_token']!,
    accountId: session['account_id']!,
    kept: isKept(visit),
    browserZone: visit.form.text('zone'),
    language: visit.form.text('language'),
  });
  if (step !== undefined) {
    return codeAsked(visit, step, next);
  }
  await leaveOldSession(visit);
  return afterSignIn(visit, next);
}

type Ended = { readonly next: string; readonly kept: string };

const notes = ['active', 'late', 'again'] as const;

/**
 * @param ended for a form that came after its session had ended: the address of its page, and the sealed text of what
 * was typed
 */
function signInView(visit: Visit, refused?: AppError, ended?: Ended): Answer {
  const { say } = visit.words;
  const next = ended?.next ?? (visit.form.text('next') || (visit.query['next'] ?? ''));
  const kept = ended?.kept ?? visit.form.exact(KEPT);
  const title = say('sign-in.title');
  const note = notes.find((known) => known === visit.query['note']);
  return shown(
    title,
    <Only title={title} hint={say('sign-in.hint')}>
      {refused && (
        <Say tone="alert" role="alert" title={say('sign-in.wrong-title')}>
          {say('sign-in.wrong')}
        </Say>
      )}
      {ended && (
        <Say tone="wait" role="alert" title={say('kept-form.ended')}>
          {say('kept-form.ended-why')}
        </Say>
      )}
      {note && <Say tone={note === 'active' ? 'good' : 'wait'} role="status" title={say(`sign-in.${note}`)} />}
      <Form visit={visit} action={`${visit.site}/sign-in`}>
        <input type="hidden" name="next" value={ownAddress(visit.site, next)} />
        <Kept value={kept} />
        <Field
          label={say('sign-in.username')}
          name="username"
          value={(!ended && visit.form.text('username')) || undefined}
          autocomplete="username"
          exact
          required
        />
        <CurrentPassword label={say('sign-in.password')} name="password" required />
        {/* The script fills in the time zone of the browser. Without it, times are in UTC until a zone is chosen. */}
        <input type="hidden" name="zone" value="" />
        <KeptField visit={visit} />
        <Buttons text={say('sign-in.do')} first>
          <a href={`${visit.site}/forgot-password`}>{say('sign-in.forgot')}</a>
        </Buttons>
      </Form>
      <p class="soft small">
        {visit.settings.signUp ? (
          <a href={`${visit.site}/sign-up`}>{say('sign-in.sign-up')}</a>
        ) : (
          say('sign-in.no-account')
        )}
      </p>
    </Only>,
    {
      script: true,
      ...(refused ? { status: refused.status, headers: refused.headers } : {}),
      ...(ended ? { status: 403 } : {}),
    },
  );
}

/** Asks the person to sign in again, and keeps what was typed. */
export function signInAgain(visit: Visit, ended: Ended): Answer {
  return signInView(visit, undefined, ended);
}

export const signIn = openPage({
  path: '/sign-in',
  show: async (visit) => {
    // An app may want somebody who is signed in to sign in again.
    if (visit.person && visit.query['note'] !== 'again') {
      return go(ownAddress(visit.site, visit.query['next'] ?? ''));
    }
    return (await visit.ask(operations.accounts.installationIsNew)) ? go(`${visit.site}/welcome`) : signInView(visit);
  },
  submit: async (visit) => {
    const password = visit.form.exact('password');
    try {
      return await visit.counted(async () => {
        // Without a password, `session_create` would trust the app that another system knows the person. The website
        // never uses that.
        if (password === '' || visit.form.text('username') === '') {
          throw new AppError(403, 'refused', 'no password');
        }
        return enter(visit, visit.form.text('username'), password, ownAddress(visit.site, visit.form.text('next')));
      });
    } catch (error) {
      if (wrongTry(error)) {
        return signInView(visit, error);
      }
      throw error;
    }
  },
});

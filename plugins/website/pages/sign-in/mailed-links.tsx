/**
 * mailed-links: the pages to which mails about an account lead: activate it, choose a new password, see the code again.
 * Opening such a page is not counted as a try.
 */
import { AppError } from '../../../../core/base/errors';
import type { ValueOf } from '../../../../core/http/route';
import { operations } from '../../http/operations';
import { go, openPage, shown, type Answer, type PageSpec, type Visit } from '../../http/page';
import { Buttons, Field, Form, NewPassword, Summary, wrongPassword, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';
import { enter, wrongTry } from './sign-in';

type Link = NonNullable<ValueOf<typeof operations.accounts.accountMailedLink>>;
type Purpose = 'init' | 'reset_password';

function inLink({ params }: Visit) {
  return {
    ACCOUNT_EMAIL: params['ACCOUNT_EMAIL']!,
    PRIMARY_SECRET: params['PRIMARY_SECRET']!,
  };
}

function mailedLink(visit: Visit): Promise<Link | null> {
  return visit.ask(operations.accounts.accountMailedLink, { params: inLink(visit) });
}

function dead(visit: Visit): Answer {
  const { say } = visit.words;
  const title = say('mailed-links.dead-title');
  return shown(
    title,
    <Only title={title}>
      <p>{say('mailed-links.dead')}</p>
      <div class="buttons">
        <a class="button first" href={`${visit.site}/forgot-password`}>
          {say('mailed-links.again')}
        </a>
        <a href={`${visit.site}/sign-in`}>{say('sign-in.do')}</a>
      </div>
    </Only>,
    { status: 404 },
  );
}

/**
 * Whether the link lets the person choose a password: the first link of a new account does, and so does the link for a
 * forgotten password.
 */
function choosesPassword(purpose: Purpose, link: Link): boolean {
  return purpose === 'reset_password' || link.username === null;
}

function purposeTitle(purpose: Purpose, link: Link): string {
  if (purpose === 'reset_password') {
    return 'mailed-links.reset-title';
  }
  return link.username === null ? 'mailed-links.init-title' : 'mailed-links.old-title';
}

function mailedLinkView(visit: Visit, purpose: Purpose, link: Link, wrong?: Wrong): Answer {
  const { say } = visit.words;
  const title = say(purposeTitle(purpose, link));
  const choosing = choosesPassword(purpose, link);
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title} hint={visit.params['ACCOUNT_EMAIL']!}>
      <Summary title={say('form.wrong')} wrong={wrong} order={['code', 'username', 'password']} />
      <Form visit={visit}>
        {link.asksCode && (
          <Field
            label={say('form.code')}
            name="code"
            hint={say('mailed-links.code-hint')}
            autocomplete="one-time-code"
            numeric
            short
            required
            wrong={wrong}
          />
        )}
        {choosing && link.username === null && (
          <Field
            label={say('sign-in.username')}
            name="username"
            hint={say('mailed-links.username-hint')}
            value={visit.form.text('username') || visit.params['ACCOUNT_EMAIL']}
            autocomplete="username"
            exact
            required
            wrong={wrong}
          />
        )}
        {choosing && (
          <NewPassword visit={visit} label={say('form.new-password')} name="password" required wrong={wrong} />
        )}
        <Buttons text={say(choosing ? 'form.save' : 'mailed-links.activate')} first />
      </Form>
      {link.asksCode && (
        <p class="soft small">
          <a
            href={`${visit.site}/accounts/${encodeURIComponent(visit.params['ACCOUNT_EMAIL']!)}/send_secret/${encodeURIComponent(visit.params['PRIMARY_SECRET']!)}`}
          >
            {say('mailed-links.lost-code')}
          </a>
        </p>
      )}
    </Only>,
    { script: choosing, ...(wrong ? { status: 400 } : {}) },
  );
}

function missingField(visit: Visit, purpose: Purpose, link: Link): Wrong | undefined {
  const { say } = visit.words;
  const wrong: Record<string, string> = {};
  if (link.asksCode && visit.form.text('code') === '') {
    wrong['code'] = say('form.code-missing');
  }
  if (choosesPassword(purpose, link)) {
    if (link.username === null && visit.form.text('username') === '') {
      wrong['username'] = say('form.missing');
    }
    const names = [visit.params['ACCOUNT_EMAIL']!, link.fullName, link.username ?? visit.form.text('username')];
    const password = wrongPassword(visit, visit.form.exact('password'), names);
    if (password !== undefined) {
      wrong['password'] = password;
    }
  }
  return Object.keys(wrong).length > 0 ? wrong : undefined;
}

/**
 * Checks the code, and activates a new account.
 * @throws AppError 403, 429
 */
async function prove(visit: Visit, link: Link): Promise<void> {
  const code = visit.form.text('code');
  const params = inLink(visit);
  if (link.state === 'uninitialized') {
    await visit.askAsItself(operations.accounts.accountInitialize, {
      params,
      body: { secondary_secret: code, language: visit.words.language },
    });
  } else {
    await visit.askAsItself(operations.accounts.accountCheckSecrets, { params, query: { secondary_secret: code } });
  }
}

/** Codes of refusals of a user name, and the text that says each to the person. */
const refusedNames: Readonly<Record<string, string>> = {
  duplicate: 'form.username-taken',
  foreign_address: 'form.username-foreign',
};

/** @returns the user name, or the key of the text that says why the person cannot have it */
async function choosePassword(
  visit: Visit,
  link: Link,
): Promise<{ readonly username: string } | { readonly wrong: string }> {
  const params = { ACCOUNT_EMAIL: visit.params['ACCOUNT_EMAIL']! };
  const password = visit.form.exact('password');
  if (link.username !== null) {
    await visit.askAsItself(operations.accounts.accountPasswordSet, { params, body: { password } });
    return { username: link.username };
  }
  const username = visit.form.text('username');
  try {
    await visit.askAsItself(operations.accounts.accountAuthsystemAdd, {
      params,
      body: { system: 'password', username, password },
    });
    return { username };
  } catch (error) {
    if (error instanceof AppError && Object.hasOwn(refusedNames, error.code)) {
      return { wrong: refusedNames[error.code]! };
    }
    throw error;
  }
}

async function submit(visit: Visit, purpose: Purpose): Promise<Answer> {
  const { say } = visit.words;
  const link = await mailedLink(visit);
  if (!link) {
    return dead(visit);
  }
  const wrong = missingField(visit, purpose, link);
  if (wrong) {
    return mailedLinkView(visit, purpose, link, wrong);
  }
  try {
    await visit.counted(() => prove(visit, link));
  } catch (error) {
    if (!wrongTry(error)) {
      throw error;
    }
    const now = await mailedLink(visit);
    return now ? mailedLinkView(visit, purpose, now, { code: say('mailed-links.code-wrong') }) : dead(visit);
  }
  if (!choosesPassword(purpose, link)) {
    return go(`${visit.site}/sign-in?note=active`);
  }
  const chosen = await choosePassword(visit, link);
  if ('wrong' in chosen) {
    const now = await mailedLink(visit);
    return now ? mailedLinkView(visit, purpose, now, { username: say(chosen.wrong) }) : dead(visit);
  }
  return enter(visit, chosen.username, visit.form.exact('password'), `${visit.site}/`);
}

function passwordPage(purpose: Purpose): PageSpec {
  return openPage({
    path: `/accounts/{ACCOUNT_EMAIL}/${purpose}/{PRIMARY_SECRET}`,
    show: async (visit) => {
      const link = await mailedLink(visit);
      return link ? mailedLinkView(visit, purpose, link) : dead(visit);
    },
    submit: (visit) => submit(visit, purpose),
  });
}

/**
 * Says how to see the code again. It is never shown here: whoever has only the mail must not have the code as well.
 */
const code = openPage({
  path: '/accounts/{ACCOUNT_EMAIL}/send_secret/{PRIMARY_SECRET}',
  show: async (visit) => {
    const { say } = visit.words;
    const link = await mailedLink(visit);
    if (!link) {
      return dead(visit);
    }
    const title = say('code.title');
    return shown(
      title,
      <Only title={title}>
        <p>{say(link.asksCode ? 'code.again' : 'code.none')}</p>
        {link.asksCode && (
          <div class="buttons">
            <a class="button first" href={`${visit.site}/forgot-password`}>
              {say('mailed-links.again')}
            </a>
          </div>
        )}
      </Only>,
    );
  },
});

export const mailedLinks: readonly PageSpec[] = [passwordPage('init'), passwordPage('reset_password'), code];

/**
 * welcome: the page that makes the first account and its record while nobody has an account. It needs the code that the
 * start printed.
 */
import { AppError, errors } from '../../../../core/base/errors';
import { openPage, shown, type Answer, type Visit } from '../../http/page';
import { operations } from '../../http/operations';
import { Buttons, Field, Form, NewPassword, Summary, requiredField, wrongPassword, type Wrong } from '../../parts/form';
import { Head, Part } from '../../parts/layout';
import { enter, wrongTry } from './sign-in';
import { asksLanguage, LanguageChoice, NewcomerFields, newcomerName, wrongNewcomer } from './newcomer';
import { BirthFields, createOwnRecord, wrongBirth } from '../record/start-record';

function You({ visit, wrong }: { readonly visit: Visit; readonly wrong: Wrong | undefined }) {
  const { say } = visit.words;
  return (
    <Part title={say('welcome.you')}>
      <NewcomerFields visit={visit} wrong={wrong} hint={say('welcome.email-hint')} />
      <NewPassword visit={visit} label={say('sign-in.password')} name="password" required wrong={wrong} />
    </Part>
  );
}

function welcomeView(visit: Visit, wrong?: Wrong, status = 400): Answer {
  const { say, rich } = visit.words;
  const title = say('welcome.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <>
      <Summary
        title={say('form.wrong')}
        wrong={wrong}
        order={['code', 'given', 'family', 'email', 'password', 'born', 'sex']}
      />
      <Head title={title}>{say('welcome.hint')}</Head>
      <Form visit={visit}>
        <LanguageChoice visit={visit} />
        <Part title={say('welcome.code')} hint={say('welcome.code-where')}>
          <Field
            label={say('form.code')}
            {...requiredField(visit, 'code', wrong)}
            autocomplete="off"
            exact
            short
            dir="ltr"
          />
        </Part>
        <You visit={visit} wrong={wrong} />
        <Part title={say('welcome.record')} hint={say('welcome.record-hint')}>
          <BirthFields visit={visit} wrong={wrong} />
          <Buttons text={say('welcome.do')} first />
        </Part>
      </Form>
      <Part title={say('welcome.look')}>
        <p>{rich('welcome.demo', { code: (chunks) => <code dir="ltr">{chunks}</code> })}</p>
      </Part>
    </>,
    { script: true, ...(wrong ? { status } : {}) },
  );
}

async function requireNew(visit: Visit): Promise<void> {
  if (!(await visit.ask(operations.accounts.installationIsNew))) {
    throw errors.notFound('page');
  }
}

function wrongWelcome(visit: Visit): Record<string, string> {
  const { form, words } = visit;
  const password = wrongPassword(visit, form.exact('password'), [newcomerName(visit), form.text('email')]);
  return {
    ...(form.text('code') === '' ? { code: words.say('form.code-missing') } : {}),
    ...wrongNewcomer(visit),
    ...(password === undefined ? {} : { password }),
    ...wrongBirth(visit),
  };
}

export const welcome = openPage({
  path: '/welcome',
  show: async (visit) => {
    await requireNew(visit);
    return welcomeView(visit);
  },
  submit: async (visit) => {
    await requireNew(visit);
    if (asksLanguage(visit)) {
      return welcomeView(visit);
    }
    const wrong = wrongWelcome(visit);
    if (Object.keys(wrong).length > 0) {
      return welcomeView(visit, wrong);
    }
    try {
      await visit.counted(() =>
        visit.ask(operations.accounts.installationWelcome, { body: { code: visit.form.text('code') } }),
      );
    } catch (error) {
      if (wrongTry(error)) {
        return welcomeView(visit, { code: visit.words.say('form.code-wrong') }, error.status);
      }
      throw error;
    }
    const email = visit.form.text('email').toLowerCase();
    try {
      await visit.askAsItself(operations.accounts.accountCreate, {
        body: { account_id: email, full_name: newcomerName(visit), primary_secret_p: '0' },
      });
    } catch (error) {
      if (error instanceof AppError && error.code === 'duplicate') {
        return welcomeView(visit, { email: visit.words.say('form.email-taken') });
      }
      throw error;
    }
    const password = visit.form.exact('password');
    await visit.askAsItself(operations.accounts.accountAuthsystemAdd, {
      params: { ACCOUNT_EMAIL: email },
      body: { system: 'password', username: email, password },
    });
    const recordId = await createOwnRecord(visit, email);
    return enter(visit, email, password, `${visit.site}/records/${recordId}/`);
  },
});

/**
 * forgot-password: the page that sends a mail with a link to choose a new password, and shows the code that is needed
 * there. It does not tell whether an account with the name exists.
 */
import { AppError } from '../../core/base/errors';
import { newDigits } from '../../core/base/ids';
import { openPage, shown, type Answer, type Visit } from './page';
import { Buttons, Field, Form, Summary, type Wrong } from './parts/form';
import { Only } from './parts/layout';

/**
 * The answer is sent no earlier than after this time. Otherwise the time that a mail takes would tell whether the
 * account exists.
 */
const ANSWER_MILLISECONDS = 400;

const asked = (visit: Visit, wrong?: Wrong): Answer => {
  const { say } = visit.words;
  const title = say('forgot-password.title');
  return shown(
    title,
    <Only title={title} hint={say('forgot-password.hint')}>
      <Summary title={say('form.wrong')} wrong={wrong} order={['name']} />
      <Form visit={visit}>
        <Field label={say('forgot-password.name')} name="name" autocomplete="username" exact required wrong={wrong} />
        <Buttons text={say('forgot-password.do')} first>
          <a href={`${visit.site}/sign-in`}>{say('sign-in.do')}</a>
        </Buttons>
      </Form>
    </Only>,
    wrong ? { status: 400 } : {},
  );
};

/** Shows the code, for a password or for a new account. */
export const codeShown = (visit: Visit, title: string, code: string, mailed = 'code.mailed'): Answer => {
  const { say } = visit.words;
  return shown(
    title,
    <Only title={title}>
      <p>{say(mailed)}</p>
      <div class="say good" role="status">
        <h2 class="title">{say('code.title')}</h2>
        <p class="code" dir="ltr">
          <b>{code}</b>
        </p>
      </div>
      <p class="soft small">{say('code.keep')}</p>
    </Only>,
  );
};

/** Answers a code that works for nobody when there is no such account, or its mail cannot be sent now. */
const codeFor = async (visit: Visit, name: string): Promise<string> => {
  const accountId = await visit.ask('account_named', { query: { name } });
  if (accountId === null) {
    return newDigits();
  }
  try {
    return (
      (await visit.askAsItself('account_forgot_password', { params: { ACCOUNT_EMAIL: accountId } })) ?? newDigits()
    );
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      return newDigits();
    }
    throw error;
  }
};

export const forgotPassword = openPage({
  path: '/forgot-password',
  show: async (visit) => asked(visit),
  submit: async (visit) => {
    const name = visit.form.text('name');
    if (name === '') {
      return asked(visit, { name: visit.words.say('form.missing') });
    }
    const earliest = performance.now() + ANSWER_MILLISECONDS;
    const code = await codeFor(visit, name.slice(0, 300));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, earliest - performance.now())));
    return codeShown(visit, visit.words.say('forgot-password.title'), code);
  },
});

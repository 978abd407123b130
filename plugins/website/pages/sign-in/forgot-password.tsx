/**
 * forgot-password: the page that sends a mail with a link to choose a new password, and shows the code that is needed
 * there. It does not tell whether an account with the name exists.
 */
import { operations } from '../../http/operations';
import { openPage, shown, type Answer, type Visit } from '../../http/page';
import { Buttons, Field, Form, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';

function asked(visit: Visit, wrong?: Wrong): Answer {
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
}

/** Shows the code, for a password or for a new account. */
export function codeShown(visit: Visit, title: string, code: string, mailed = 'code.mailed'): Answer {
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
}

export const forgotPassword = openPage({
  path: '/forgot-password',
  show: async (visit) => asked(visit),
  submit: async (visit) => {
    const name = visit.form.text('name');
    if (name === '') {
      return asked(visit, { name: visit.words.say('form.missing') });
    }
    const code = await visit.askAsItself(operations.accounts.accountForgotten, { body: { name: name.slice(0, 300) } });
    return codeShown(visit, visit.words.say('forgot-password.title'), code);
  },
});

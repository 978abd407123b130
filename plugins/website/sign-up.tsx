/** sign-up: an account for whoever asks, where the operator wants that; else whom to ask. */
import { AppError } from '../../core/base/errors';
import { isAddress } from '../../core/auth/address';
import { isFullName } from '../../core/auth/full-name';
import { newDigits } from '../../core/base/ids';
import { errors } from '../../core/base/errors';
import { codeShown } from './forgot-password';
import { openPage, shown, type Answer, type Visit } from './page';
import { Buttons, Field, Form, Summary, type Wrong } from './parts/form';
import { Only } from './parts/layout';

const explained = (visit: Visit): Answer => {
  const { say } = visit.words;
  const title = say('sign-up.title');
  return shown(
    title,
    <Only title={title}>
      <p>{say('sign-up.off')}</p>
      <p>
        <a href={`${visit.site}/sign-in`}>{say('sign-up.have-one')}</a>
      </p>
    </Only>,
  );
};

const view = (visit: Visit, wrong?: Wrong): Answer => {
  const { say } = visit.words;
  const title = say('sign-up.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title} hint={say('sign-up.hint')}>
      <Summary title={say('form.wrong')} wrong={wrong} order={['name', 'email']} />
      <Form visit={visit}>
        <Field
          label={say('form.full-name')}
          name="name"
          value={visit.form.text('name')}
          autocomplete="name"
          required
          wrong={wrong}
        />
        <Field
          label={say('form.email')}
          name="email"
          type="email"
          value={visit.form.text('email')}
          hint={say('sign-up.email-hint')}
          autocomplete="email"
          required
          wrong={wrong}
        />
        <Buttons text={say('sign-up.do')} first>
          <a href={`${visit.site}/sign-in`}>{say('sign-up.have-one')}</a>
        </Buttons>
      </Form>
    </Only>,
    wrong ? { status: 400 } : {},
  );
};

export const wrongPerson = ({ words: { say }, form }: Visit): Record<string, string> => ({
  ...(form.text('name') === '' || !isFullName(form.text('name')) ? { name: say('form.name-missing') } : {}),
  ...(isAddress(form.text('email')) ? {} : { email: say('form.email-wrong') }),
});

/** The code, or one that works for nobody when there is such an account: the page says the same. */
const codeFor = async (visit: Visit, email: string): Promise<string> => {
  try {
    const account = await visit.askAsItself('account_create', {
      body: {
        account_id: email,
        full_name: visit.form.text('name'),
        primary_secret_p: '1',
        language: visit.words.language,
        secondary_secret_p: '1',
      },
    });
    return (await visit.askAsItself('account_secret', { params: { ACCOUNT_EMAIL: account.id } })) ?? newDigits();
  } catch (error) {
    if (error instanceof AppError && error.code === 'duplicate') {
      return newDigits();
    }
    throw error;
  }
};

export const signUp = openPage({
  path: '/sign-up',
  show: async (visit) => (visit.settings.signUp ? view(visit) : explained(visit)),
  submit: async (visit) => {
    if (!visit.settings.signUp) {
      throw errors.notFound('page');
    }
    const wrong = wrongPerson(visit);
    return Object.keys(wrong).length > 0
      ? view(visit, wrong)
      : codeShown(
          visit,
          visit.words.say('sign-up.title'),
          await codeFor(visit, visit.form.text('email')),
          'code.mailed-new',
        );
  },
});

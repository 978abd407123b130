/**
 * sign-up: the page on which everybody can make an account if the operator allows it; otherwise it says whom to ask.
 */
import { errors } from '../../../../core/base/errors';
import { isAddress } from '../../../../core/auth/address';
import { LONGEST_NAME } from '../../../../core/auth/full-name';
import { codeShown } from './forgot-password';
import { openPage, shown, type Answer, type Visit } from '../../http/page';
import { Buttons, Field, Form, isName, requiredField, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';

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
        <Field label={say('form.full-name')} {...requiredField(visit, 'name', wrong)} autocomplete="name" />
        <Field
          label={say('form.email')}
          {...requiredField(visit, 'email', wrong)}
          type="email"
          hint={say('sign-up.email-hint')}
          autocomplete="email"
        />
        <Buttons text={say('sign-up.do')} first>
          <a href={`${visit.site}/sign-in`}>{say('sign-up.have-one')}</a>
        </Buttons>
      </Form>
    </Only>,
    wrong ? { status: 400 } : {},
  );
};

/** What is wrong with the name and the address of an account. */
export const wrongPerson = ({ words: { say }, form }: Visit): Record<string, string> => ({
  ...(isName(form.text('name'), LONGEST_NAME) ? {} : { name: say('form.name-missing') }),
  ...(isAddress(form.text('email')) ? {} : { email: say('form.email-wrong') }),
});

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
          await visit.askAsItself('account_sign_up', {
            body: {
              email: visit.form.text('email'),
              full_name: visit.form.text('name'),
              language: visit.words.language,
            },
          }),
          'code.mailed-new',
        );
  },
});

/**
 * sign-up: the page on which everybody can make an account if the operator allows it; otherwise it says whom to ask.
 */
import { errors } from '../../../../core/base/errors';
import { operations } from '../../http/operations';
import { codeShown } from './forgot-password';
import { openPage, shown, type Answer, type Visit } from '../../http/page';
import { Buttons, Form, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';
import { asksLanguage, LanguageChoice, NewcomerFields, newcomerName, wrongNewcomer } from './newcomer';

function explained(visit: Visit): Answer {
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
}

function signUpView(visit: Visit, wrong?: Wrong): Answer {
  const { say } = visit.words;
  const title = say('sign-up.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title} hint={say('sign-up.hint')}>
      <Summary title={say('form.wrong')} wrong={wrong} order={['given', 'family', 'email']} />
      <Form visit={visit}>
        <LanguageChoice visit={visit} />
        <NewcomerFields visit={visit} wrong={wrong} hint={say('sign-up.email-hint')} />
        <Buttons text={say('sign-up.do')} first>
          <a href={`${visit.site}/sign-in`}>{say('sign-up.have-one')}</a>
        </Buttons>
      </Form>
    </Only>,
    wrong ? { status: 400 } : {},
  );
}

export const signUp = openPage({
  path: '/sign-up',
  show: async (visit) => (visit.settings.signUp ? signUpView(visit) : explained(visit)),
  submit: async (visit) => {
    if (!visit.settings.signUp) {
      throw errors.notFound('page');
    }
    if (asksLanguage(visit)) {
      return signUpView(visit);
    }
    const wrong = wrongNewcomer(visit);
    return Object.keys(wrong).length > 0
      ? signUpView(visit, wrong)
      : codeShown(
          visit,
          visit.words.say('sign-up.title'),
          await visit.askAsItself(operations.accounts.accountSignUp, {
            body: {
              email: visit.form.text('email'),
              full_name: newcomerName(visit),
              language: visit.words.language,
            },
          }),
          'code.mailed-new',
        );
  },
});

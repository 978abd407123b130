/** sign-in-code: the second step of a sign-in: a code of the app, or one on paper. The password was right. */
import { AppError } from '../../core/base/errors';
import { go, openPage, shown, type Answer, type Visit } from './page';
import { Buttons, Field, Form, Summary, type Wrong } from './parts/form';
import { Only } from './parts/layout';
import { ownAddress } from './where';

/** One browser holds one session: the one that it had would live on without a cookie. */
export const leaveOldSession = async (visit: Visit): Promise<void> => {
  if (visit.person) {
    await visit.ask('account_session_end', { params: { ACCOUNT_EMAIL: visit.person.principal.accountId } });
  }
};

/** @param waiting names the sign-in; it opens nothing without a code */
export const codeAsked = (visit: Visit, waiting: string, next: string, wrong?: Wrong, status = 403): Answer => {
  const { say } = visit.words;
  const title = say('sign-in-code.title');
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title} hint={say('sign-in-code.hint')}>
      <Summary title={say('form.wrong')} wrong={wrong} order={['code']} />
      <Form visit={visit} action={`${visit.site}/sign-in/code`}>
        <input type="hidden" name="waiting" value={waiting} />
        <input type="hidden" name="next" value={ownAddress(visit.site, next)} />
        <Field
          label={say('form.code')}
          name="code"
          hint={say('sign-in-code.code-hint')}
          autocomplete="one-time-code"
          dir="ltr"
          exact
          required
          wrong={wrong}
        />
        <Buttons text={say('sign-in.do')} first>
          <a href={`${visit.site}/sign-in`}>{say('form.cancel')}</a>
        </Buttons>
      </Form>
      <p class="soft small">{say('sign-in-code.lost')}</p>
    </Only>,
    wrong ? { status } : {},
  );
};

export const signInCode = openPage({
  path: '/sign-in/code',
  show: (visit) => Promise.resolve(go(`${visit.site}/sign-in`)),
  submit: async (visit) => {
    const { form, words } = visit;
    const [waiting, next, code] = [form.text('waiting'), form.text('next'), form.text('code')];
    if (code === '') {
      return codeAsked(visit, waiting, next, { code: words.say('form.code-missing') }, 400);
    }
    try {
      if (!(await visit.counted(() => visit.giveCode(waiting, code)))) {
        return go(`${visit.site}/sign-in?note=late`);
      }
    } catch (error) {
      if (error instanceof AppError && [400, 403, 429].includes(error.status)) {
        return codeAsked(visit, waiting, next, { code: words.say('sign-in-code.wrong') }, error.status);
      }
      throw error;
    }
    await leaveOldSession(visit);
    return go(ownAddress(visit.site, next));
  },
});

/**
 * sign-in-code: the page of the second step of a sign-in, after the password was right: a passkey, a code of the app,
 * or one on paper.
 */
import { AppError } from '../../../../core/base/errors';
import { afterSignIn, Kept, KEPT } from '../../http/kept-form';
import { go, openPage, shown, type Answer, type SecondStep, type Visit } from '../../http/page';
import { Buttons, Field, Form, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';
import { nothingShown, Passkey, proofIn } from '../../parts/passkey';
import { ownAddress } from '../../http/where';
import { operations } from '../../http/operations';

/**
 * Ends the session that the browser had, which would otherwise stay valid without a cookie. A browser has only one
 * session.
 */
export async function leaveOldSession(visit: Visit): Promise<void> {
  if (visit.person) {
    await visit.ask(operations.accounts.accountSessionEnd, {
      params: { ACCOUNT_EMAIL: visit.person.principal.accountId },
    });
  }
}

/** Whether the person ticked the box of `KeptField`. */
export function isKept({ form }: Visit): boolean {
  return form.text('keep') === 'on';
}

/** The box with which a person stays signed in on their own device. */
export function KeptField({ visit }: { readonly visit: Visit }) {
  return (
    <label class="choice">
      <input type="checkbox" name="keep" checked={isKept(visit)} />
      <span>{visit.words.say('sign-in.keep')}</span>
    </label>
  );
}

type Asked = { readonly visit: Visit; readonly step: SecondStep; readonly next: string };

function Waiting({ visit, step, next }: Asked) {
  return (
    <>
      <input type="hidden" name="waiting" value={step.waiting} />
      <input type="hidden" name="next" value={ownAddress(visit.site, next)} />
      {isKept(visit) && <input type="hidden" name="keep" value="on" />}
      <Kept value={visit.form.exact(KEPT)} />
    </>
  );
}

function CodeForm({ wrong, ...asked }: Asked & { readonly wrong: Wrong | undefined }) {
  const { visit, step } = asked;
  const { say } = visit.words;
  return (
    <Form visit={visit} action={`${visit.site}/sign-in/code`}>
      <Waiting {...asked} />
      <Field
        label={say('form.code')}
        name="code"
        hint={say(step.app ? 'sign-in-code.code-hint' : 'sign-in-code.paper-hint')}
        autocomplete="one-time-code"
        dir="ltr"
        exact
        required
        wrong={wrong}
      />
      <Buttons text={say('sign-in.do')} first={step.ask === undefined}>
        <a href={`${visit.site}/sign-in`}>{say('form.cancel')}</a>
      </Buttons>
    </Form>
  );
}

export function codeAsked(visit: Visit, step: SecondStep, next: string, wrong?: Wrong, status = 403): Answer {
  const { say } = visit.words;
  const title = say(step.ask ? 'sign-in-code.title-passkey' : 'sign-in-code.title');
  const asked = { visit, step, next };
  return shown(
    wrong ? say('form.error-title', { title }) : title,
    <Only title={title} hint={say('sign-in-code.hint')}>
      <Summary title={say('form.wrong')} wrong={wrong} order={['passkey', 'code']} />
      {step.ask && (
        <Form visit={visit} action={`${visit.site}/sign-in/code`}>
          <Waiting {...asked} />
          <Passkey visit={visit} kind="show" ask={step.ask} text={say('passkey.use')} wrong={wrong} first />
        </Form>
      )}
      {step.ask && <hr />}
      <CodeForm {...asked} wrong={wrong} />
      <p class="soft small">{say(step.app ? 'sign-in-code.lost' : 'sign-in-code.lost-passkey')}</p>
    </Only>,
    { ...(wrong ? { status } : {}), script: step.ask !== undefined },
  );
}

function tooLate(visit: Visit): Answer {
  return go(`${visit.site}/sign-in?note=late`);
}

/** Asks again, because nothing was sent or it was not accepted. The words are the same for every mistake. */
async function askAgain(visit: Visit, status: number): Promise<Answer> {
  const { form, words } = visit;
  const step = await visit.secondStep(form.text('waiting'));
  if (!step) {
    return tooLate(visit);
  }
  const wrong = words.say(step.ask ? 'sign-in-code.wrong-passkey' : 'sign-in-code.wrong');
  const field = step.ask && form.exact('passkey') !== '' ? 'passkey' : 'code';
  const text = nothingShown(visit) ? words.say('form.code-missing') : wrong;
  return codeAsked(visit, step, form.text('next'), { [field]: text }, status);
}

export const signInCode = openPage({
  path: '/sign-in/code',
  show: (visit) => Promise.resolve(go(`${visit.site}/sign-in`)),
  submit: async (visit) => {
    const { form } = visit;
    if (nothingShown(visit)) {
      return askAgain(visit, 400);
    }
    try {
      if (!(await visit.counted(() => visit.takeSecondStep(form.text('waiting'), proofIn(visit), isKept(visit))))) {
        return tooLate(visit);
      }
    } catch (error) {
      if (error instanceof AppError && [400, 403, 429].includes(error.status)) {
        return askAgain(visit, error.status);
      }
      throw error;
    }
    await leaveOldSession(visit);
    return afterSignIn(visit, ownAddress(visit.site, form.text('next')));
  },
});

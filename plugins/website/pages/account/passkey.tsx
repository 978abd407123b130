/** passkey: the page on which a person deletes a passkey after typing the password. */
import { AppError, errors } from '../../../../core/base/errors';
import { go, ownAccount, page, shown, type Answer, type PersonVisit } from '../../http/page';
import { Buttons, CurrentPassword, Form, Summary, type Wrong } from '../../parts/form';
import { Only } from '../../parts/layout';
import { ShownBefore, wasShown } from '../../http/shown-before';
import { operations } from '../../http/operations';

async function passkeyView(visit: PersonVisit, failure?: { wrong: Wrong; status: number }): Promise<Answer> {
  const { say, rich } = visit.words;
  const factor = await visit.ask(operations.accounts.accountSecondFactor, { params: ownAccount(visit) });
  const passkeys = factor.on ? factor.passkeys : [];
  const passkey = passkeys.find(({ id }) => id === visit.params['PASSKEY_ID']);
  if (!factor.on || !passkey) {
    throw errors.notFound('passkey');
  }
  const title = say('passkey.delete-title');
  const last = passkeys.length === 1 && !factor.app;
  return shown(
    failure ? say('form.error-title', { title }) : title,
    <Only title={title} hint={say(last ? 'passkey.delete-last' : 'passkey.delete-hint')}>
      <Summary title={say('form.wrong')} wrong={failure?.wrong} order={['password']} />
      <p>{rich('passkey.delete-about', { name: <bdi>{passkey.name}</bdi>, b: (chunks) => <b>{chunks}</b> })}</p>
      <Form visit={visit}>
        <ShownBefore visit={visit} id={passkey.id} />
        <CurrentPassword label={say('sign-in.password')} name="password" required wrong={failure?.wrong} />
        <Buttons text={say('passkey.delete')} end>
          <a href={`${visit.site}/account/second-factor`}>{say('form.cancel')}</a>
        </Buttons>
      </Form>
    </Only>,
    failure ? { status: failure.status } : {},
  );
}

function deleted({ site }: PersonVisit, stays: boolean): Answer {
  return go(stays ? `${site}/account/second-factor?note=deleted` : `${site}/account?note=factor-off`);
}

export const passkey = page({
  path: '/account/second-factor/passkeys/{PASSKEY_ID}',
  show: (visit) => passkeyView(visit),
  submit: async (visit) => {
    const { say } = visit.words;
    const password = visit.form.exact('password');
    if (password === '') {
      return passkeyView(visit, { wrong: { password: say('second-factor.password-missing') }, status: 400 });
    }
    const params = { ...ownAccount(visit), PASSKEY_ID: visit.params['PASSKEY_ID']! };
    try {
      return deleted(
        visit,
        await visit.counted(() => visit.ask(operations.accounts.accountPasskeyRemove, { params, body: { password } })),
      );
    } catch (error) {
      // The password was right, but the passkey does not exist any more, because the button was pressed twice.
      if (error instanceof AppError && error.code === 'not_found' && wasShown(visit, params.PASSKEY_ID)) {
        return deleted(
          visit,
          (await visit.ask(operations.accounts.accountSecondFactor, { params: ownAccount(visit) })).on,
        );
      }
      if (error instanceof AppError && [403, 429].includes(error.status)) {
        return passkeyView(visit, { wrong: { password: say('passkey.password-wrong') }, status: error.status });
      }
      throw error;
    }
  },
});

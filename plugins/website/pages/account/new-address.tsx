/** new-address: the page to which the mail about a new e-mail address leads. Its button puts the address in use. */
import { AppError } from '../../../../core/base/errors';
import { go, ownAccount, page, shown, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { Buttons, Form } from '../../parts/form';
import { Only } from '../../parts/layout';

async function addressNow(visit: PersonVisit): Promise<string> {
  return (await visit.ask(operations.accounts.accountInfo, { params: ownAccount(visit) })).contactEmail;
}

export const newAddress = page({
  path: '/account/email/{EMAIL_SECRET}',
  show: async (visit) => {
    const { say } = visit.words;
    const title = say('account.new-address');
    return shown(
      title,
      <Only title={title}>
        <p>{say('account.new-address-hint')}</p>
        <Form visit={visit}>
          <input type="hidden" name="before" value={await addressNow(visit)} />
          <Buttons text={say('account.new-address-do')} first />
        </Form>
      </Only>,
    );
  },
  submit: async (visit) => {
    const { say } = visit.words;
    try {
      await visit.ask(operations.accounts.accountEmailConfirm, {
        params: ownAccount(visit),
        body: { secret: visit.params['EMAIL_SECRET']! },
      });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'refused')) {
        throw error;
      }
      // The button was pressed twice. The address is in use since the first press.
      const before = visit.form.text('before');
      if (before !== '' && before !== (await addressNow(visit))) {
        return go(`${visit.site}/account?note=email`);
      }
      const title = say('mailed-links.dead-title');
      return shown(
        title,
        <Only title={title}>
          <p>{say('account.new-address-dead')}</p>
          <p>
            <a href={`${visit.site}/account`}>{say('account.title')}</a>
          </p>
        </Only>,
        { status: 403 },
      );
    }
    return go(`${visit.site}/account?note=email`);
  },
});

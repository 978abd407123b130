/** new-address: where the mail about a new e-mail address leads; the button makes it count. */
import { AppError } from '../../core/base/errors';
import { go, page, shown } from './page';
import { Buttons, Form } from './parts/form';
import { Only } from './parts/layout';

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
          <Buttons text={say('account.new-address-do')} first />
        </Form>
      </Only>,
    );
  },
  submit: async (visit) => {
    const { say } = visit.words;
    try {
      await visit.ask('account_email_confirm', {
        params: { ACCOUNT_EMAIL: visit.person.principal.accountId },
        body: { secret: visit.params['EMAIL_SECRET']! },
      });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'refused')) {
        throw error;
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

/** sign-out: ends the session, and makes the browser forget its cookie. */
import { go, ownAccount, page } from '../../http/page';
import { operations } from '../../http/operations';

export const signOut = page({
  path: '/sign-out',
  submit: async (visit) => {
    await visit.ask(operations.accounts.accountSessionEnd, { params: ownAccount(visit) });
    visit.forgetCookie();
    return go(`${visit.site}/sign-in`);
  },
});

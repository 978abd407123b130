/** sign-out: ends the session, and makes the browser forget its cookie. */
import { go, ownAccount, page } from '../../http/page';

export const signOut = page({
  path: '/sign-out',
  submit: async (visit) => {
    await visit.ask('account_session_end', { params: ownAccount(visit) });
    visit.forgetCookie();
    return go(`${visit.site}/sign-in`);
  },
});

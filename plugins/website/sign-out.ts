/** sign-out: the session ends, and the browser forgets its cookie. */
import { go, page } from './page';

export const signOut = page({
  path: '/sign-out',
  submit: async (visit) => {
    await visit.ask('account_session_end', { params: { ACCOUNT_EMAIL: visit.person.principal.accountId } });
    visit.forgetCookie();
    return go(`${visit.site}/sign-in`);
  },
});

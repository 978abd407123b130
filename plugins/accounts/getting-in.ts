/** getting-in: for people who are not signed in: mails that they ask for, and what a mailed link is for. */
import { askForMail, type AskedMail } from '../../core/accounts/asked-mails';
import { openSecrets } from '../../core/accounts/new-secrets';
import { shownCode } from '../../core/accounts/shown-codes';
import { isAddress } from '../../core/auth/address';
import { countToday, mailsBucket } from '../../core/auth/attempts';
import { effectiveId } from '../../core/auth/principal';
import { sameText } from '../../core/auth/signature';
import { errors } from '../../core/base/errors';
import type { AccountState } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { WithSecret } from './secrets';
import * as accountStore from '../../core/accounts/store';

/** The wish of a person who is not signed in for a mail. @returns the code that the page behind its link asks for */
async function ask({ request, services }: Call, name: string, asked: AskedMail): Promise<string> {
  const { database, clock, config, outbox } = services;
  await database.transaction(async (trx) => {
    // Beyond the limit the answer is the same, and no mail is sent.
    if (await countToday(trx, clock, mailsBucket(config.rateAddressPerMinute, request.ipAddress))) {
      await askForMail(outbox, trx, asked);
    }
  });
  return shownCode(services, name);
}

/** Asks for the mail with which a person who forgot the password chooses a new one. Nothing is looked up meanwhile. */
export function askForPassword(call: Call<unknown, unknown, { name: string }>): Promise<string> {
  return ask(call, call.body.name, { forgotten: call.body.name });
}

export type SignUp = { email: string; full_name: string; language: string };

/** Asks for an account. Nothing is looked up meanwhile. 400 for what is no address, 404 if nobody may sign up. */
export async function signUp(call: Call<unknown, unknown, SignUp>): Promise<string> {
  const { body, principal, services } = call;
  if (!services.config.signUp) {
    throw errors.notFound('page');
  }
  if (!isAddress(body.email)) {
    throw errors.invalidParameter('email', 'it must be an e-mail address');
  }
  const person = { email: body.email, fullName: body.full_name };
  return ask(call, body.email, { signUp: person, language: body.language, appId: effectiveId(principal) ?? '' });
}

export type MailedLink = {
  readonly state: AccountState;
  /** True: the page must ask for the code as well. */
  readonly asksCode: boolean;
  /** User name at the password system; null before a password was chosen. */
  readonly username: string | null;
  readonly fullName: string;
};

/** Null for a link that is wrong, used up or too old, and for an account that does not exist. */
export async function readMailedLink({ params, services }: Call<WithSecret>): Promise<MailedLink | null> {
  const { database } = services;
  const account = await accountStore.findWithUsername(database.reads, params.ACCOUNT_EMAIL);
  const { primary, secondary } = account ? openSecrets(services, account) : { primary: null, secondary: null };
  if (!account || primary === null || !sameText(primary, params.PRIMARY_SECRET)) {
    return null;
  }
  return {
    state: account.state,
    asksCode: secondary !== null,
    username: account.username,
    fullName: account.fullName,
  };
}

/**
 * asked-mails: mails that anybody may ask for at the website: to choose a new password, or to activate an account. The
 * page answers before anything is looked up, so neither its words nor its time tell who has an account. What it asks
 * for waits in the outbox.
 */
import { toTimestamp } from '../base/clock';
import { AppError } from '../base/errors';
import { isLanguage, type Language } from '../base/languages';
import type { Json, PrincipalId } from '../base/types';
import type { Outbox } from '../outbox/kind';
import type { Kind } from '../outbox/kind';
import type { Services } from '../services';
import type { Transaction } from '../db/database';
import { isDuplicate } from '../db/db-errors';
import {
  findNamed,
  findPasswordLogin,
  insertAccount,
  lockAccount,
  newAccount,
  updateAccount,
  type AccountRow,
} from './store';
import { mayMailToday, sendActivation, sendPasswordReset } from './letters';
import { freshSecrets, newSecrets, openSecrets } from './new-secrets';

type Parts = Pick<Services, 'config' | 'database' | 'clock' | 'sealing' | 'outbox' | 'baseUrl'>;

export type AskedMail =
  | { readonly forgotten: string }
  | {
      readonly signUp: { readonly email: string; readonly fullName: string };
      readonly language: string;
      readonly appId: PrincipalId;
    };

export const ASKED = 'asked mail';

/** Adds the wish of a person for a mail. */
export function askForMail(outbox: Outbox, trx: Transaction, asked: AskedMail): Promise<void> {
  return outbox.add(trx, { kind: ASKED, payload: asked });
}

function mayMail(parts: Parts, trx: Transaction, { contactEmail }: AccountRow): Promise<boolean> {
  return mayMailToday(parts, trx, contactEmail);
}

/** Sends the activation again, with the same link. An account whose link has expired needs a new one from an app. */
async function activateAgain(parts: Parts, trx: Transaction, account: AccountRow): Promise<void> {
  const { primary, secondary } = openSecrets(parts, account);
  if (primary !== null && (await mayMail(parts, trx, account))) {
    const send = (await findPasswordLogin(trx, account.id)) === undefined ? sendActivation : sendPasswordReset;
    await send(parts, trx, account, { primary, secondary });
  }
}

async function forgotten(parts: Parts, trx: Transaction, name: string): Promise<void> {
  const found = await findNamed(trx, name);
  const account = found && (await lockAccount(trx, found.id));
  if (account?.state === 'uninitialized') {
    await activateAgain(parts, trx, account);
  } else if (account && account.state !== 'retired' && (await mayMail(parts, trx, account))) {
    const { plain, stored } = freshSecrets(parts, account);
    await updateAccount(trx, account.id, stored);
    await sendPasswordReset(parts, trx, account, plain);
  }
}

type SignUp = Extract<AskedMail, { readonly signUp: unknown }>;

async function signUp(parts: Parts, trx: Transaction, { signUp: person, language, appId }: SignUp): Promise<void> {
  const there = await lockAccount(trx, person.email);
  if (there) {
    // Who has an account already asks for a new password instead. A page that said so would tell who has one.
    await (there.state === 'uninitialized' ? activateAgain(parts, trx, there) : undefined);
    return;
  }
  const { plain, stored } = newSecrets(parts, { secondary: true });
  const account = newAccount({
    id: person.email,
    contactEmail: person.email,
    fullName: person.fullName,
    ...stored,
    createdAt: toTimestamp(parts.clock.now()),
    createdBy: appId,
    spokenLanguage: (isLanguage(language) ? language : null) satisfies Language | null,
  });
  if (await mayMail(parts, trx, account)) {
    await insertAccount(trx, account);
    await sendActivation(parts, trx, account, plain);
  }
}

async function deliverMail(parts: Parts, asked: AskedMail): Promise<void> {
  try {
    await parts.database.transaction((trx) =>
      'forgotten' in asked ? forgotten(parts, trx, asked.forgotten) : signUp(parts, trx, asked),
    );
  } catch (error) {
    // An app has the id, or another account has it as its user name.
    if (!isDuplicate(error) && !(error instanceof AppError)) {
      throw error;
    }
  }
}

const HOUR = 3_600;

/** @param parts its outbox, which takes the mails, is made after its kinds */
export function askedMailKind(parts: () => Parts): Kind {
  return {
    deliver: (payload: Json) => deliverMail(parts(), payload as AskedMail),
    retryAfterSeconds: (attempts) => Math.min(HOUR, 5 * 2 ** (attempts - 1)),
    giveUpAfterSeconds: 24 * HOUR,
    leavesNothing: true,
  };
}

/** service: creates, finds, reads and changes accounts, and sets their state when an app asks for it. */
import { newSecrets } from '../../core/accounts/new-secrets';
import { isAddress } from '../../core/auth/address';
import { effectiveId } from '../../core/auth/principal';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Language } from '../../core/base/languages';
import { pageOf } from '../../core/http/page';
import type { Call } from '../../core/http/route';
import { isDuplicate } from '../../core/db/db-errors';
import { newAccount, type Account } from '../../core/accounts/store';
import { lockedAccount, requireAccount, type InAccount } from './find';
import { sendActivation } from '../../core/accounts/letters';
import { changeAddress } from './new-address';
import * as accountStore from '../../core/accounts/store';
import * as tokenStore from '../../core/tokens/store';

export type Info = { contact_email?: string; full_name?: string };
export type NewAccount = Info & {
  account_id: string;
  primary_secret_p: string;
  secondary_secret_p: string;
  /** The language of the mails to the person. */ language?: Language;
};
export type AccountQuery = { fullname: string; contact_email: string; limit: number; offset: number };

function checkAddress(name: string, value: string): string {
  if (!isAddress(value)) {
    throw errors.invalidParameter(name, 'it must be an e-mail address');
  }
  return value;
}

/**
 * Creates an account and mails its activation link when it has a primary secret. 400 when any account or app has the
 * id.
 */
export async function createAccount({
  body,
  principal,
  services,
}: Call<unknown, unknown, NewAccount>): Promise<Account> {
  const { database, clock } = services;
  const id = checkAddress('account_id', body.account_id);
  const contactEmail = body.contact_email === undefined ? id : checkAddress('contact_email', body.contact_email);
  const made =
    body.primary_secret_p === '1' ? newSecrets(services, { secondary: body.secondary_secret_p === '1' }) : null;
  const account = newAccount({
    id,
    contactEmail,
    fullName: body.full_name ?? '',
    ...made?.stored,
    createdAt: toTimestamp(clock.now()),
    createdBy: effectiveId(principal),
    spokenLanguage: body.language ?? null,
  });
  try {
    await database.transaction(async (trx) => {
      await accountStore.insertAccount(trx, account);
      if (made) {
        await sendActivation(services, trx, account, made.plain);
      }
    });
  } catch (error) {
    throw isDuplicate(error) ? errors.duplicate('The account_id') : error;
  }
  return { ...account, authSystems: [] };
}

/** A page of the accounts, by id, whose name or contact address contains the given text; 400 when neither is given. */
export function searchAccounts({ query, services }: Call<unknown, AccountQuery>): Promise<readonly Account[]> {
  if (query.fullname === '' && query.contact_email === '') {
    throw errors.missingParameter('fullname or contact_email');
  }
  return accountStore.searchAccounts(services.database.reads, {
    ...pageOf(services, query),
    fullName: query.fullname,
    contactEmail: query.contact_email,
  });
}

/** 404 for an unknown account. */
export function readAccount({ params, services }: Call<InAccount>): Promise<Account> {
  return requireAccount(services, params.ACCOUNT_EMAIL);
}

/**
 * Empty fields change nothing; 400 when both are empty, 404 for an unknown account (specification 4.1). An address that
 * the account itself gives is not confirmed; one that an admin app gives is.
 */
export async function setInfo({ params, body, principal, services }: Call<InAccount, unknown, Info>): Promise<void> {
  const { id } = await requireAccount(services, params.ACCOUNT_EMAIL);
  const address = body.contact_email ? checkAddress('contact_email', body.contact_email) : undefined;
  if (address === undefined && !body.full_name) {
    throw errors.missingParameter('contact_email or full_name');
  }
  await services.database.transaction(async (trx) => {
    if (body.full_name) {
      await accountStore.updateAccount(trx, id, { fullName: body.full_name });
    }
    if (address !== undefined) {
      const account = await lockedAccount(trx, id);
      await changeAddress(services, trx, account, { address, confirmed: principal.kind === 'app' });
    }
  });
}

/**
 * Sets the state of an account (specification 3.1). If it becomes active, the count of failed log-ins is set to 0;
 * otherwise its sessions and tokens end. 403 for a retired account, 404 for an unknown one.
 */
export async function setState({
  params,
  body,
  services,
}: Call<InAccount, unknown, { state: 'active' | 'disabled' | 'retired' }>): Promise<void> {
  const { database, clock } = services;
  await database.transaction(async (trx) => {
    const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    if (account.state === 'retired') {
      throw errors.refused('the account is retired');
    }
    await accountStore.updateAccount(trx, account.id, {
      state: body.state,
      lastStateChange: toTimestamp(clock.now()),
      lastFailedLoginAt: null,
      ...(body.state === 'active' ? { failedLoginCount: 0 } : {}),
    });
    if (body.state !== 'active') {
      await tokenStore.endAccess(trx, account.id);
    }
  });
}

/**
 * second-factor: what the website asks for in addition to the password. An app that shows codes is turned on and off
 * here, and codes on paper are made for a lost telephone.
 */
import {
  asTimeCode,
  newRecoveryCodes,
  newTimeSecret,
  recoveryHash,
  stepOfCode,
  timeSecretLink,
} from '../../core/auth/one-time-codes';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import type { Id, Timestamp } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import { lockedAccount, requireAccount, type InAccount } from './find';
import { sendFactorNews } from '../../core/accounts/letters';
import { provePassword } from './logins';
import { withProof, wrongProof, type SentProof } from './proof';
import * as passkeyStore from '../../core/tokens/passkeys-store';
import * as secondFactorStore from '../../core/tokens/second-factors-store';

type PasskeyView = {
  readonly id: Id;
  readonly name: string;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
};

export type FactorView =
  | { readonly on: false }
  | {
      readonly on: true;
      readonly since: Timestamp;
      /** An app shows codes. */ readonly app: boolean;
      readonly passkeys: readonly PasskeyView[];
      /** How many are not used yet. */ readonly recoveryCodes: number;
    };

/** What the website asks an account for in addition to the password. */
export async function readSecondFactor({ params, services }: Call<InAccount>): Promise<FactorView> {
  const { database } = services;
  const id = params.ACCOUNT_EMAIL;
  const factor = await secondFactorStore.findSecondFactor(database.reads, id);
  if (factor === undefined) {
    return { on: false };
  }
  const [recoveryCodes, passkeys] = await Promise.all([
    secondFactorStore.countRecoveryCodes(database.reads, id),
    passkeyStore.listPasskeys(database.reads, id),
  ]);
  return {
    on: true,
    since: factor.since,
    app: factor.app,
    passkeys: passkeys.map((one) => ({
      id: one.id,
      name: one.name,
      createdAt: one.createdAt,
      lastUsedAt: one.lastUsedAt,
    })),
    recoveryCodes,
  };
}

/** A secret that has no effect until a code made with it has arrived. Nothing is stored before that. */
export type FactorOffer = {
  readonly secret: string;
  readonly link: string;
  /** The secret, sealed for this account, to be sent back with a code. */
  readonly offer: string;
};

type Sealed = { readonly factorOf: string; readonly secret: string; readonly expires: Timestamp };

const HOUR = 3_600_000;

function offerOf(services: Services, account: { readonly id: string }, secret: string): FactorOffer {
  const { sealing, clock } = services;
  const sealed: Sealed = { factorOf: account.id, secret, expires: toTimestamp(clock.now() + HOUR) };
  return { secret, link: timeSecretLink(secret, account.id), offer: sealing.seal(JSON.stringify(sealed)) };
}

function openOffer({ sealing, clock }: Services, accountId: string, offer: string): string | undefined {
  try {
    const { factorOf, secret, expires } = JSON.parse(sealing.open(offer)) as Sealed;
    return factorOf === accountId && expires > toTimestamp(clock.now()) ? secret : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Answers the offer in the query if it has not expired, so that the app need not be set up again after a mistyped code.
 * Otherwise answers a new offer.
 */
export async function offerSecondFactor({
  params,
  query,
  services,
}: Call<InAccount, { offer?: string }>): Promise<FactorOffer> {
  const account = await requireAccount(services, params.ACCOUNT_EMAIL);
  return offerOf(services, account, openOffer(services, account.id, query.offer ?? '') ?? newTimeSecret());
}

/** @returns the recovery codes, which nobody can read again */
export async function renewRecoveryCodes(trx: Transaction, accountId: string): Promise<readonly string[]> {
  const codes = newRecoveryCodes();
  await secondFactorStore.replaceRecoveryCodes(
    trx,
    accountId,
    codes.map((code) => recoveryHash(accountId, code)),
  );
  return codes;
}

/**
 * From now on the website asks for codes of the app with the offered secret. The code that proves it cannot be used
 * again.
 * @returns the recovery codes if this is the first second factor, else none
 * @throws errors.refused for a wrong code or an expired offer, errors.invalidState when there is an app already
 */
export async function startSecondFactor({
  params,
  body,
  services,
}: Call<InAccount, unknown, { offer: string; code: string }>): Promise<readonly string[]> {
  const { database, sealing, clock } = services;
  const secret = openOffer(services, params.ACCOUNT_EMAIL, body.offer);
  const code = asTimeCode(body.code);
  const step = secret === undefined || code === undefined ? undefined : stepOfCode(secret, code, clock.now());
  if (secret === undefined || step === undefined) {
    throw wrongProof();
  }
  return database.transaction(async (trx) => {
    const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    const app = { secret: sealing.seal(secret), step };
    const before = await secondFactorStore.findSecondFactor(trx, account.id);
    if (before !== undefined && !(await secondFactorStore.addApp(trx, account.id, app))) {
      throw errors.invalidState('an app shows codes already');
    }
    await sendFactorNews(services, trx, account, 'on');
    if (before !== undefined) {
      return [];
    }
    await secondFactorStore.insertSecondFactor(trx, account.id, { ...app, since: toTimestamp(clock.now()) });
    return renewRecoveryCodes(trx, account.id);
  });
}

/**
 * 403 for a proof that is wrong or was used before, 429 while codes of the app are not accepted after too many wrong
 * ones.
 */
export function checkSecondFactor(call: Call<InAccount, unknown, SentProof>): Promise<void> {
  return withProof(call, () => Promise.resolve());
}

/** Replaces the recovery codes. Fails as `checkSecondFactor` does. */
export function newCodes(call: Call<InAccount, unknown, SentProof>): Promise<readonly string[]> {
  return withProof(call, async (trx, account) => {
    await sendFactorNews(call.services, trx, account, 'codes');
    return renewRecoveryCodes(trx, account.id);
  });
}

/**
 * Turns the app off. The website then asks for no codes of the app any more, and without passkeys only for the
 * password. The caller must prove both the password and a second factor. Fails as `provePassword` and
 * `checkSecondFactor` do.
 */
export async function endSecondFactor(call: Call<InAccount, unknown, SentProof & { password: string }>): Promise<void> {
  const { params, body, services } = call;
  const { sealing } = services;
  await provePassword(services, params.ACCOUNT_EMAIL, body.password);
  await withProof(call, async (trx, account) => {
    const stays = (await passkeyStore.listPasskeys(trx, account.id)).length > 0;
    if (!stays) {
      await secondFactorStore.deleteSecondFactor(trx, account.id);
    } else if (!(await secondFactorStore.dropApp(trx, account.id, sealing.seal(newTimeSecret())))) {
      throw errors.invalidState('no app shows codes');
    }
    await sendFactorNews(services, trx, account, stays ? 'app-off' : 'off');
  });
}

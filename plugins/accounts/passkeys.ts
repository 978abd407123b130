/** passkeys: makes the passkeys that a person has in addition to the password, asks for one, and deletes them. */
import { newTimeSecret } from '../../core/auth/one-time-codes';
import { askToMake, askToShow, credentialHash, readNewPasskey, type NoPasskeys } from '../../core/auth/passkeys';
import { toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId } from '../../core/base/ids';
import type { Id } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import { isDuplicate } from '../../core/db/db-errors';
import { lockedAccount, requireAccount, type InAccount } from './find';
import { sendFactorNews } from '../../core/accounts/letters';
import { provePassword } from './logins';
import { openChallenge, passkeyPlaceOf, sealChallenge, takeChallenge, type SentPasskey } from './passkey-challenges';
import { wrongProof } from './proof';
import { renewRecoveryCodes } from './second-factor';
import * as passkeyStore from '../../core/tokens/passkeys-store';
import * as secondFactorStore from '../../core/tokens/second-factors-store';

/** Nobody has so many devices. There is a limit because every sign-in sends the list of passkeys to the browser. */
const MOST_PASSKEYS = 20;

/** The options for the browser, as `navigator.credentials` accepts them once their base64url values are decoded. */
export type PasskeyAsk = {
  readonly options: object;
  /** The sealed challenge, to be sent back with the answer. */ readonly ask: string;
};

export type PasskeyOffer = PasskeyAsk | { readonly none: NoPasskeys | 'enough' };

/** What a browser is asked when it makes a passkey, or why it cannot make one. 404 for an unknown account. */
export async function offerPasskey(call: Call<InAccount>): Promise<PasskeyOffer> {
  const { params, services } = call;
  const { database } = services;
  const place = passkeyPlaceOf(services);
  if (typeof place === 'string') {
    return { none: place };
  }
  const [account, passkeys] = await Promise.all([
    requireAccount(services, params.ACCOUNT_EMAIL),
    passkeyStore.listPasskeys(database.reads, params.ACCOUNT_EMAIL),
  ]);
  if (passkeys.length >= MOST_PASSKEYS) {
    return { none: 'enough' };
  }
  const options = await askToMake(place, account, passkeys);
  return { options, ask: sealChallenge(call, 'make', options.challenge) };
}

export type NewPasskey = SentPasskey & { readonly name: string };

/**
 * Stores a passkey once it has signed the challenge.
 * @returns the recovery codes if this is the first second factor, else none
 * @throws errors.refused for a wrong answer, errors.invalidState for one that was used already and when there are
 * enough passkeys
 */
export async function addPasskey(call: Call<InAccount, unknown, NewPasskey>): Promise<readonly string[]> {
  const { params, body, services } = call;
  const { database, sealing, clock } = services;
  const [place, challenge] = [passkeyPlaceOf(services), openChallenge(call, 'make', body.ask)];
  const made =
    typeof place === 'string' || challenge === undefined
      ? undefined
      : await readNewPasskey(place, challenge.text, body.passkey);
  if (challenge === undefined || made === undefined) {
    throw wrongProof();
  }
  const now = toTimestamp(clock.now());
  try {
    return await database.transaction(async (trx) => {
      const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
      if (!(await takeChallenge(trx, challenge))) {
        throw errors.invalidState('this passkey was added already');
      }
      if ((await passkeyStore.listPasskeys(trx, account.id)).length >= MOST_PASSKEYS) {
        throw errors.invalidState('the account has enough passkeys');
      }
      await passkeyStore.insertPasskey(trx, account.id, credentialHash(made.credentialId), {
        ...made,
        id: newId(),
        name: body.name,
        createdAt: now,
      });
      await sendFactorNews(services, trx, account, 'passkey');
      if (await secondFactorStore.findSecondFactor(trx, account.id)) {
        return [];
      }
      const secret = sealing.seal(newTimeSecret());
      await secondFactorStore.insertSecondFactor(trx, account.id, { secret, step: 0, since: now, app: false });
      return renewRecoveryCodes(trx, account.id);
    });
  } catch (error) {
    // Somebody has this passkey already. The error does not tell who.
    throw isDuplicate(error) ? wrongProof() : error;
  }
}

/** Undefined when the account has no passkeys, or none can sign at this address. */
export async function askPasskey(call: Call<InAccount>): Promise<PasskeyAsk | undefined> {
  const { database } = call.services;
  const place = passkeyPlaceOf(call.services);
  if (typeof place === 'string') {
    return undefined;
  }
  const passkeys = await passkeyStore.listPasskeys(database.reads, call.params.ACCOUNT_EMAIL);
  if (passkeys.length === 0) {
    return undefined;
  }
  const options = await askToShow(place, passkeys);
  return { options, ask: sealChallenge(call, 'show', options.challenge) };
}

type InPasskey = InAccount & { PASSKEY_ID: Id };

/**
 * Deletes a passkey. The caller proves the password and not the passkey, which may be lost. If it was the last one and
 * no app shows codes, the recovery codes are deleted as well.
 * @returns false when the website asks only for the password from now on
 * @throws errors.refused for a wrong password, errors.notFound for a passkey of somebody else
 */
export async function removePasskey({
  params,
  body,
  services,
}: Call<InPasskey, unknown, { password: string }>): Promise<boolean> {
  const { database } = services;
  await provePassword(services, params.ACCOUNT_EMAIL, body.password);
  return database.transaction(async (trx) => {
    const account = await lockedAccount(trx, params.ACCOUNT_EMAIL);
    if (!(await passkeyStore.deletePasskey(trx, account.id, params.PASSKEY_ID))) {
      throw errors.notFound('passkey');
    }
    const left = await passkeyStore.listPasskeys(trx, account.id);
    const stays = left.length > 0 || (await secondFactorStore.findSecondFactor(trx, account.id))?.app === true;
    if (!stays) {
      await secondFactorStore.deleteSecondFactor(trx, account.id);
    }
    await sendFactorNews(services, trx, account, stays ? 'passkey-off' : 'off');
    return stays;
  });
}

/**
 * requests: keeps requests of SMART apps that wait for a person's answer. They are sealed, since they name people
 * and records.
 */
import { toTimestamp, type Clock } from '../../core/base/clock';
import { newToken, sha256 } from '../../core/base/ids';
import type { Transaction } from '../../core/db/database';
import type { Reads } from '../../core/db/connection';
import { answerRequest, findRequest, insertRequest, lockRequest } from './store';
import type { Sealing } from '../../core/auth/sealing';
import { scopeWords } from '../../core/tokens/smart-scopes';

/** A request as the authorization server writes it. It has further properties that are not used here. */
export type SmartAsking = {
  readonly returnTo: string;
  readonly params: {
    readonly client_id: string;
    readonly redirect_uri: string;
    /** The scopes that the app gets if the person agrees: those that it asked for and its manifest allows. */
    readonly scope: string;
    readonly launch?: string;
    /** How the app wants the person to be asked (OpenID Connect), for example `login`. */ readonly prompt?: string;
    /** How many seconds may have gone by since the person signed in. */ readonly max_age?: string | number;
  };
  readonly result?: SmartAnswer;
};

type SmartAnswer =
  | {
      readonly login: {
        readonly accountId: string;
        readonly remember: false;
        /** When the person signed in, in seconds. */ readonly ts: number;
      };
      readonly consent: { readonly grantId: string };
    }
  | { readonly error: 'access_denied'; readonly error_description: string };

/** A request as it is kept. */
export type KeptAsking = {
  readonly asking: SmartAsking;
  /** When the app asked, in milliseconds; absent for a request of a release that did not keep it. */
  readonly askedAt?: number;
  /** The hash of the word that only the browser of the answer knows. */ readonly answerHash?: string;
};

type Parts = { readonly sealing: Sealing; readonly clock: Clock };

function now({ clock }: Parts): string {
  return toTimestamp(clock.now());
}

export function keepAsking(parts: Parts, trx: Transaction, id: string, asking: SmartAsking, seconds: number) {
  return insertRequest(trx, {
    requestHash: sha256(id),
    content: parts.sealing.seal(JSON.stringify({ asking, askedAt: parts.clock.now() } satisfies KeptAsking)),
    expiresAt: toTimestamp(parts.clock.now() + seconds * 1000),
  });
}

/**
 * From when on the person must have signed in, in milliseconds; undefined when any sign-in is good enough for the app.
 */
export function signInWanted({ asking: { params }, askedAt = 0 }: KeptAsking): number | undefined {
  if (scopeWords(params.prompt ?? '').includes('login')) {
    return askedAt;
  }
  return params.max_age === undefined ? undefined : askedAt - Number(params.max_age) * 1000;
}

function opened({ sealing }: Parts, row: { readonly content: string } | undefined): KeptAsking | undefined {
  return row && (JSON.parse(sealing.open(row.content)) as KeptAsking);
}

/** Reads a request; undefined when it is unknown or has expired. */
export async function readAsking(parts: Parts, on: Reads, id: string): Promise<KeptAsking | undefined> {
  return opened(parts, await findRequest(on, sha256(id), now(parts)));
}

/** As `readAsking`, and locks the request for the rest of the transaction. */
export async function lockAsking(parts: Parts, trx: Transaction, id: string): Promise<KeptAsking | undefined> {
  return opened(parts, await lockRequest(trx, sha256(id), now(parts)));
}

/**
 * Stores a person's answer.
 * @returns the address to which their browser is sent; the word in it proves that this browser gave the answer
 */
export async function answerAsking(
  parts: Parts,
  trx: Transaction,
  id: string,
  { asking, ...kept }: KeptAsking,
  result: SmartAnswer,
): Promise<string> {
  const word = newToken();
  const content: KeptAsking = { ...kept, asking: { ...asking, result }, answerHash: sha256(word) };
  await answerRequest(trx, sha256(id), parts.sealing.seal(JSON.stringify(content)));
  return `${asking.returnTo}?answer=${word}`;
}

/**
 * rotation: exchanges a refresh token in one transaction. The old token is used up, the new ones are stored, and the
 * answer is kept for an app that did not receive it, or that asked twice at the same time.
 */
import { makeSealing } from '../../core/auth/sealing';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import type { Services } from '../../core/services';
import type { Transaction } from '../../core/db/database';
import type { SmartCodeRow } from './store';
import * as smartStore from './store';

/** How long an app that sends a refresh token again gets the same answer, in milliseconds. */
const AGAIN = 10_000;

/** What the exchange of a refresh token writes, once the whole answer is known. */
export type Rotation = {
  readonly codeHash: string;
  readonly writes: ((trx: Transaction) => Promise<void>)[];
};

/** What a refresh token is good for, and the answer that was given for it once it was used. */
type Content = Readonly<Record<string, unknown>> & { readonly answer?: string };

export function codeContent({ sealing }: Services, { content }: SmartCodeRow): Content {
  return JSON.parse(sealing.open(content)) as Content;
}

/** Whether a used refresh token still leads to the answer that was given for it. */
export function leadsToAnswer({ clock }: Services, { usedAt }: SmartCodeRow, { answer }: Content): boolean {
  return answer !== undefined && usedAt !== null && clock.now() - fromTimestamp(usedAt) < AGAIN;
}

export type Answer = Readonly<Record<string, unknown>>;

/**
 * The answer is sealed under the refresh token itself, which is not stored. So whoever reads the database and knows the
 * installation's key learns no token from it.
 */
function sealUnder(token: string, answer: Answer): string {
  return makeSealing([token]).seal(JSON.stringify(answer));
}
function openUnder(token: string, sealed: string): Answer {
  return JSON.parse(makeSealing([token]).open(sealed)) as Answer;
}

type Exchange = { readonly token: string; readonly rotation: Rotation; readonly answer: Answer };

/** Writes the exchange. @returns the row of the refresh token when it was used before; undefined otherwise */
async function writeExchange(
  services: Services,
  trx: Transaction,
  { token, rotation, answer }: Exchange,
  refuse: (why: string) => Error,
): Promise<SmartCodeRow | undefined> {
  const { sealing, clock } = services;
  const found = await smartStore.findCode(trx, 'refresh', rotation.codeHash);
  // Whatever ends a grant locks it first, and so does this.
  if (!found || !(await smartStore.holdGrant(trx, found.grantHash))) {
    throw refuse('what was given has ended');
  }
  const row = await smartStore.lockCode(trx, rotation.codeHash);
  if (!row || row.usedAt !== null) {
    return row ?? found;
  }
  const content = sealing.seal(JSON.stringify({ ...codeContent(services, row), answer: sealUnder(token, answer) }));
  await smartStore.useCode(trx, rotation.codeHash, toTimestamp(clock.now()), content);
  for (const write of rotation.writes) {
    await write(trx);
  }
  return undefined;
}

/**
 * Completes the exchange of a refresh token. When another request with the same token was quicker, nothing of this one
 * is stored, and the answer is that of the other.
 * @param refuse makes the error for the app
 * @returns the answer for the app
 * @throws what `refuse` makes, when the token was used longer ago; everything of the same consent has ended then
 */
export async function exchangeRefreshToken(
  services: Services,
  exchange: Exchange,
  refuse: (why: string) => Error,
): Promise<Answer> {
  const { database } = services;
  const used = await database.transaction((trx) => writeExchange(services, trx, exchange, refuse));
  if (used === undefined) {
    return exchange.answer;
  }
  const content = codeContent(services, used);
  if (leadsToAnswer(services, used, content)) {
    return openUnder(exchange.token, content.answer!);
  }
  await database.transaction((trx) => smartStore.endGrant(trx, used.grantHash));
  throw refuse('it was used already');
}

/**
 * invitations: a person invites somebody by mail to see a record or circles of it. Whoever follows the link says who they
 * are, and sees nothing before the inviter has let them in.
 */
import { askForMail } from '../../core/accounts/asked-mails';
import { shownCode } from '../../core/accounts/shown-codes';
import { WEBSITE_APP } from '../../core/apps/website-app';
import { isAddress } from '../../core/auth/address';
import { countToday, mailsBucket, secondsOfDay } from '../../core/auth/attempts';
import { fromTimestamp, toTimestamp } from '../../core/base/clock';
import { errors } from '../../core/base/errors';
import { newId, newToken, sha256 } from '../../core/base/ids';
import type { Id, PrincipalId, Timestamp } from '../../core/base/types';
import type { Transaction } from '../../core/db/database';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { uiBaseUrl } from '../../core/http/ui-links';
import { addInvitation } from '../../core/outbox/invitations';
import { languageOf, letterTexts } from '../../core/outbox/letters';
import { addMail } from '../../core/outbox/mail';
import { openOwnCircle, requireKinds } from '../../core/records/own-circle';
import { changeRecord, requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import type { Invited } from '../../core/sharing/invitations-store';
import * as accountStore from '../../core/accounts/store';
import * as invitationStore from '../../core/sharing/invitations-store';
import * as sharingStore from '../../core/sharing/store';

const DAYS = 14;
const DAY = 86_400_000;
const MOST_OPEN = 20;
const MOST_MAILS = 10;
const MOST_CIRCLES = 50;
const LONGEST_INVITER = 60;
/** What is given at first: everything; any other text is ids of circles, and kinds of facts for this person alone. */
const WHOLE = 'whole';
/** Before the name of a kind. */
const KIND = 'kind:';

function kindsGiven(gives: string): readonly string[] {
  return gives.split(' ').flatMap((one) => (one.startsWith(KIND) ? [one.slice(KIND.length)] : []));
}

export type Wish = { name: string; email: string; gives: string };

export type ShownInvitation = {
  readonly id: Id;
  readonly name: string;
  readonly email: string;
  readonly gives: readonly string[];
  readonly expiresAt: Timestamp;
  /** Whether whoever asks has sent it, and so may send it again. */ readonly isOwn: boolean;
  /** Who came by the link, with the confirmed address of their account. */
  readonly guest: { readonly name: string; readonly email: string } | null;
};

function callerOf({ principal }: Pick<Call, 'principal'>): string {
  return principal.kind === 'account' ? principal.accountId : '';
}

function now({ clock }: Pick<Services, 'clock'>): Timestamp {
  return toTimestamp(clock.now());
}

type Typed = { readonly name: string; readonly email: string };

function typedIn({ sealing }: Services, { sealed }: Pick<Invited, 'sealed'>): Typed {
  return JSON.parse(sealing.open(sealed)) as Typed;
}

function shownInvitation(services: Services, row: Invited, asker: PrincipalId): ShownInvitation {
  return {
    id: row.id,
    ...typedIn(services, row),
    gives: row.gives.split(' '),
    expiresAt: row.expiresAt,
    isOwn: row.accountId === asker,
    guest:
      row.guestId === null
        ? null
        : { name: row.guestName ?? '', email: Number(row.guestUnconfirmed) === 1 ? '' : (row.guestEmail ?? '') },
  };
}

export async function listInvitations(call: Call<InRecord>): Promise<readonly ShownInvitation[]> {
  const { params, services } = call;
  const { id } = await requireRecord(services, params.RECORD_ID);
  const rows = await invitationStore.listInvitations(services.database.reads, id, now(services));
  return rows.map((row) => shownInvitation(services, row, callerOf(call)));
}

/** The name of the inviter as a mail to a stranger says it: in one line, not long, and without any address. */
export function nameInMail(fullName: string): string {
  const words = fullName
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .split(' ')
    .filter((word) => !/[@/\\:]|www|[\p{L}\p{N}][.．。][\p{L}\p{N}]{2}/iu.test(word));
  return [...words.join(' ').trim()].slice(0, LONGEST_INVITER).join('').trim();
}

/** The mail tells of no health data, and of nobody but the inviter. */
async function mailInvitation(
  services: Services,
  trx: Transaction,
  { to, secret, until, accountId }: { to: string; secret: string; until: Timestamp; accountId: string },
): Promise<void> {
  const { config, outbox } = services;
  const inviter = await accountStore.findAccount(trx, accountId);
  const language = languageOf(config, inviter ?? { chosenLanguage: null, spokenLanguage: null });
  const say = (key: string, values: Readonly<Record<string, string | Date>> = {}): string =>
    String(letterTexts.formatOf(language, key).format({ sender: config.mailFrom, ...values }));
  const name = nameInMail(inviter?.fullName ?? '') || say('invited.somebody');
  const link = `${uiBaseUrl(services)}/invitations/${secret}`;
  const text = [say('invited.text', { name, link, until: new Date(fromTimestamp(until)) }), say('invited.unknown')];
  await addMail(outbox, trx, {
    to: { name: '', address: to },
    subject: say('invited.subject'),
    text: `${text.join('\n\n')}\n`,
  });
}

/** What is given, checked: only the owner gives everything, and circles must be of the record. */
async function givesOf({ services }: Pick<Call, 'services'>, recordId: Id, gives: string): Promise<string> {
  if (gives === WHOLE) {
    return WHOLE;
  }
  const ids = [...new Set(gives.split(' ').filter(Boolean))];
  const page = { limit: 1000, offset: 0 };
  const own = new Set((await sharingStore.listCarenets(services.database.reads, recordId, page)).map(({ id }) => id));
  const circles = ids.filter((id) => !id.startsWith(KIND));
  requireKinds(services, kindsGiven(gives));
  if (ids.length === 0 || circles.length > MOST_CIRCLES || !circles.every((id) => own.has(id))) {
    throw errors.invalidParameter('gives', 'it must name circles of the record, kinds of facts, or the whole record');
  }
  return ids.join(' ');
}

function newLink({ clock }: Services): { secret: string; secretHash: string; until: Timestamp } {
  const secret = newToken();
  return { secret, secretHash: sha256(secret), until: toTimestamp(clock.now() + DAYS * DAY) };
}

/** Counts a mail to a stranger. 429 for more than a person may send on one day. */
async function countInvitationMail({ clock }: Services, trx: Transaction, accountId: PrincipalId): Promise<void> {
  if (!(await countToday(trx, clock, { name: `invitations ${accountId}`.slice(0, 300), limit: MOST_MAILS }))) {
    throw errors.tooManyRequests(secondsOfDay(clock));
  }
}

/**
 * Invites somebody by mail. 400 for what is no address, 403 where the person may not give that, 429 with too many open invitations or mails of a day. A second invitation of the same address is the first one.
 */
export async function invite(call: Call<InRecord, unknown, Wish>): Promise<void> {
  const { params, body, services } = call;
  const { clock, sealing } = services;
  const [accountId, email] = [callerOf(call), body.email];
  if (!isAddress(email)) {
    throw errors.invalidParameter('email', 'it must be an e-mail address');
  }
  const record = await requireRecord(services, params.RECORD_ID);
  if (body.gives === WHOLE && record.ownerId !== accountId) {
    throw errors.permissionDenied();
  }
  const gives = await givesOf(call, record.id, body.gives);
  const { secret, secretHash, until } = newLink(services);
  await changeRecord(services, record.id, async (trx) => {
    const open = await invitationStore.listInvitations(trx, record.id, now(services));
    if (open.some((row) => row.accountId === accountId && typedIn(services, row).email === email)) {
      return;
    }
    if ((await invitationStore.countOpen(trx, accountId, now(services))) >= MOST_OPEN) {
      throw errors.tooManyRequests(secondsOfDay(clock));
    }
    await countInvitationMail(services, trx, accountId);
    await invitationStore.insertInvitation(trx, {
      id: newId(),
      recordId: record.id,
      accountId,
      secretHash,
      sealed: sealing.seal(JSON.stringify({ name: body.name, email } satisfies Typed)),
      gives,
      guestId: null,
      createdAt: now(services),
      expiresAt: until,
    });
    await mailInvitation(services, trx, { to: email, secret, until, accountId });
  });
}

type InInvitation = { RECORD_ID: string; INVITATION_ID: string };

/**
 * Mails an invitation again, with a new link: only a hash of the first one is kept, so that one is good no more. Only
 * who sent it can, because the mail says their name. 404 once somebody came or it has ended, 429 with too many mails of
 * a day.
 */
export async function sendInvitationAgain(call: Call<InInvitation>): Promise<void> {
  const { params, services } = call;
  const accountId = callerOf(call);
  const { id } = await requireRecord(services, params.RECORD_ID);
  const { secret, secretHash, until } = newLink(services);
  await changeRecord(services, id, async (trx) => {
    const all = await invitationStore.listInvitations(trx, id, now(services));
    const row = all.find((one) => one.id === params.INVITATION_ID && one.accountId === accountId);
    if (!row || !(await invitationStore.renewInvitation(trx, row.id, { secretHash, expiresAt: until }))) {
      throw errors.notFound('invitation');
    }
    await countInvitationMail(services, trx, accountId);
    await mailInvitation(services, trx, { to: typedIn(services, row).email, secret, until, accountId });
  });
}

/** Ends an invitation; it is no error when it has ended already. */
export async function takeBack({ params, services }: Call<InInvitation>): Promise<void> {
  const { id } = await requireRecord(services, params.RECORD_ID);
  await changeRecord(services, id, (trx) => invitationStore.deleteInvitation(trx, id, params.INVITATION_ID), {
    ends: true,
  });
}

/** Gives what the invitation says to whoever came. */
async function give(services: Services, trx: Transaction, row: Invited & { guestId: string }): Promise<void> {
  const { outbox } = services;
  const [at, base, from, to] = [now(services), uiBaseUrl(services), row.accountId, row.guestId];
  if (row.gives === WHOLE) {
    await sharingStore.putShare(trx, row.recordId, to, undefined, at);
    const link = `${base}/records/${row.recordId}/`;
    return addInvitation(outbox, trx, { from, to, given: { recordId: row.recordId }, at, link });
  }
  const kinds = kindsGiven(row.gives).filter((name) => services.models().kinds.find(name) !== undefined);
  if (kinds.length > 0) {
    const { id } = await openOwnCircle(services, trx, { recordId: row.recordId, accountId: to, kinds, at });
    await addInvitation(outbox, trx, { from, to, given: { carenetId: id }, at, link: `${base}/carenets/${id}/` });
  }
  const own = await sharingStore.listCarenets(trx, row.recordId, { limit: 1000, offset: 0 });
  for (const { id } of own.filter((one) => row.gives.split(' ').includes(one.id))) {
    await sharingStore.putMember(trx, id, to, false, at);
    await addInvitation(outbox, trx, { from, to, given: { carenetId: id }, at, link: `${base}/carenets/${id}/` });
  }
}

/**
 * Lets the person in who came by the link, or sends them away. 403 where the caller may not give that, 404 where nobody
 * has come, or no more.
 */
export async function answerInvitation(call: Call<InInvitation, unknown, { yes: boolean }>): Promise<void> {
  const { params, body, services } = call;
  const record = await requireRecord(services, params.RECORD_ID);
  await changeRecord(services, record.id, async (trx) => {
    const all = await invitationStore.listInvitations(trx, record.id, now(services));
    const row = all.find(({ id }) => id === params.INVITATION_ID);
    if (!row || row.guestId === null) {
      throw errors.notFound('invitation');
    }
    if (body.yes && row.gives === WHOLE && record.ownerId !== callerOf(call)) {
      throw errors.permissionDenied();
    }
    await invitationStore.deleteInvitation(trx, record.id, row.id);
    if (body.yes && row.guestId !== record.ownerId) {
      await give(services, trx, { ...row, guestId: row.guestId });
    }
  });
}

type WithSecret = { INVITATION_SECRET: string };

export type SeenInvitation = {
  readonly inviter: string;
  /** `open`: nobody has come yet; `waits`: this person has, and the inviter answers next. */
  readonly state: 'open' | 'waits';
  /** Whether an account can be made by this invitation. */ readonly makesAccounts: boolean;
};

async function bySecret(services: Services, { INVITATION_SECRET: secret }: WithSecret): Promise<Invited | undefined> {
  return invitationStore.findBySecret(services.database.reads, sha256(secret), now(services));
}

/** Null for a link that is wrong, used by somebody else, taken back or too old: the page says the same of all of them. */
export async function lookAtInvitation(call: Call<WithSecret>): Promise<SeenInvitation | null> {
  const { params, services } = call;
  const row = await bySecret(services, params);
  const caller = callerOf(call);
  if (!row || (row.guestId !== null && row.guestId !== caller) || row.accountId === caller) {
    return null;
  }
  return {
    inviter: nameInMail(row.inviterName ?? ''),
    state: row.guestId === null ? 'open' : 'waits',
    makesAccounts: services.config.signUp || services.config.invitations,
  };
}

/** Says who has come. The link is good for the first account that does. 404 for a link that is not good any more. */
export async function come(call: Call<WithSecret>): Promise<void> {
  const { params, services } = call;
  const [row, caller] = [await bySecret(services, params), callerOf(call)];
  if (!row || row.accountId === caller) {
    throw errors.notFound('invitation');
  }
  if (row.guestId === caller) {
    return;
  }
  const taken = await services.database.transaction((trx) => invitationStore.takeInvitation(trx, row.id, caller));
  if (!taken) {
    throw errors.notFound('invitation');
  }
}

/**
 * Asks for an account at the invited address. The answer is the same whether there is one already or not.
 * @returns the code that the page behind the mailed link asks for
 */
export async function joinByInvitation(
  call: Call<WithSecret, unknown, { full_name: string; language: string }>,
): Promise<string> {
  const { params, body, request, services } = call;
  const { database, clock, config, outbox } = services;
  const row = await bySecret(services, params);
  if (!row || row.guestId !== null || !(config.signUp || config.invitations)) {
    throw errors.notFound('invitation');
  }
  const { email } = typedIn(services, row);
  await database.transaction(async (trx) => {
    // Beyond the limit the answer is the same, and no mail is sent.
    if (await countToday(trx, clock, mailsBucket(config.rateAddressPerMinute, request.ipAddress))) {
      const person = { email, fullName: body.full_name };
      await askForMail(outbox, trx, { signUp: person, language: body.language, appId: WEBSITE_APP });
    }
  });
  return shownCode(services, email);
}

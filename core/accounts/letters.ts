/** letters: the mails about an account (specification 6.2). A mail has at most one secret, as a part of a link. */
import { MAILS_A_DAY, countAction, countDone, countToday, secondsOfDay } from '../auth/attempts';
import { errors } from '../base/errors';
import type { PlainSecrets } from './new-secrets';
import type { Services } from '../services';
import { uiBaseUrl } from '../http/ui-links';
import { languageOf, unexpected, writeLetter, type Paragraph } from '../outbox/letters';
import { addMail } from '../outbox/mail';
import type { Transaction } from '../db/database';
import type { AccountRow } from './store';

/** What a letter needs of the services. */
type Writing = Pick<Services, 'config' | 'outbox' | 'baseUrl'>;

function link(services: Writing, { id }: AccountRow, page: string, primary: string): string {
  return `${uiBaseUrl(services)}/accounts/${encodeURIComponent(id)}/${page}/${encodeURIComponent(primary)}`;
}

function sendLetter(
  services: Writing,
  trx: Transaction,
  account: AccountRow,
  subject: string,
  paragraphs: readonly Paragraph[],
): Promise<void> {
  return addMail(services.outbox, trx, writeLetter(services.config, account, subject, [...paragraphs, unexpected]));
}

type Counting = Pick<Services, 'config' | 'clock'>;
type Telling = Writing & Counting;

/**
 * Counts a mail that somebody asked for, so that nobody can have many of them sent, to one person or to one address.
 * @param to the address, if it is not the account's
 * @throws errors.tooManyRequests after SVC_RATE_ACCOUNT_PER_MINUTE of them for one account in a minute, and after
 * `MAILS_A_DAY` for one address in a day
 */
export async function countMail(
  { config, clock }: Counting,
  trx: Transaction,
  { id, contactEmail }: Pick<AccountRow, 'id' | 'contactEmail'>,
  to = contactEmail,
): Promise<void> {
  await countDone(trx, clock, { name: `mail ${id}`.slice(0, 300), limit: config.rateAccountPerMinute });
  if (!(await mayMailToday({ config, clock }, trx, to))) {
    throw errors.tooManyRequests(secondsOfDay(clock));
  }
}

/** Counts a mail to an address. @returns false when it has had enough of them today */
export function mayMailToday({ config, clock }: Counting, trx: Transaction, to: string): Promise<boolean> {
  return countToday(trx, clock, {
    name: `mails ${to.toLowerCase()}`.slice(0, 300),
    limit: config.rateAccountPerMinute === 0 ? 0 : Math.max(MAILS_A_DAY, config.rateAccountPerMinute),
  });
}

/**
 * Tells a person that a way into the account was changed, which somebody else may have done. After
 * SVC_RATE_ACCOUNT_PER_MINUTE of these mails in a minute no more of them are sent, because the person has been warned
 * by then.
 */
async function tell(
  services: Telling,
  trx: Transaction,
  account: AccountRow,
  subject: string,
  text: Paragraph,
): Promise<void> {
  const { clock, config, outbox } = services;
  if (await countAction(trx, clock, { name: `told ${account.id}`, limit: config.rateAccountPerMinute })) {
    await addMail(outbox, trx, writeLetter(config, account, subject, [text]));
  }
}

function codeNote(services: Writing, account: AccountRow, { primary, secondary }: PlainSecrets): readonly Paragraph[] {
  return secondary === null ? [] : [['activation.code', { link: link(services, account, 'send_secret', primary) }]];
}

/**
 * The account without its name. Whoever asks for an account, or for another address, chooses the name and whose mailbox
 * gets the mail, so these letters contain no word of theirs.
 */
function nameless(account: AccountRow): AccountRow {
  return { ...account, fullName: '' };
}

export function sendActivation(
  services: Writing,
  trx: Transaction,
  account: AccountRow,
  secrets: PlainSecrets,
): Promise<void> {
  return sendLetter(services, trx, nameless(account), 'activation.subject', [
    ['activation.text', { link: link(services, account, 'init', secrets.primary) }],
    ...codeNote(services, account, secrets),
  ]);
}

/** An account that was reset cannot be used without one of the links; for all others nothing has changed yet. */
function whatHappened(services: Writing, account: AccountRow, { primary }: PlainSecrets): readonly Paragraph[] {
  return account.state === 'uninitialized'
    ? [['password.was-reset'], ['password.old', { link: link(services, account, 'init', primary) }]]
    : [['password.asked']];
}

export function sendPasswordReset(
  services: Writing,
  trx: Transaction,
  account: AccountRow,
  secrets: PlainSecrets,
): Promise<void> {
  return sendLetter(services, trx, account, 'password.subject', [
    ...whatHappened(services, account, secrets),
    ['password.new', { link: link(services, account, 'reset_password', secrets.primary) }],
    ...codeNote(services, account, secrets),
  ]);
}

export function sendWelcome(services: Writing, trx: Transaction, account: AccountRow): Promise<void> {
  return sendLetter(services, trx, account, 'welcome.subject', [['welcome.text', { link: uiBaseUrl(services) }]]);
}

/** This mail goes to the new address only: whoever follows its link has shown that the address is theirs. */
export function sendNewAddress(
  services: Writing,
  trx: Transaction,
  account: AccountRow,
  address: string,
  secret: string,
): Promise<void> {
  return sendLetter(services, trx, nameless({ ...account, contactEmail: address }), 'address.subject', [
    ['address.text', { link: `${uiBaseUrl(services)}/account/email/${encodeURIComponent(secret)}` }],
  ]);
}

/** This mail goes to the old address, so that nobody can take over an account unnoticed. */
export function sendAddressChanged(
  services: Telling,
  trx: Transaction,
  before: AccountRow,
  address: string,
): Promise<void> {
  return tell(services, trx, before, 'address.changed-subject', ['address.changed', { address }]);
}

export function sendPasswordChanged(services: Telling, trx: Transaction, account: AccountRow): Promise<void> {
  return tell(services, trx, account, 'password.changed-subject', ['password.changed', { link: uiBaseUrl(services) }]);
}

export function sendUsernameChanged(
  services: Telling,
  trx: Transaction,
  account: AccountRow,
  username: string,
): Promise<void> {
  return tell(services, trx, account, 'username.subject', ['username.text', { username }]);
}

/** Tells who made a link for a clinic that it was fetched for the first time: when, and nothing of what or by whom. */
export function sendLinkFetched(services: Telling, trx: Transaction, account: AccountRow, at: Date): Promise<void> {
  const style = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  const words = new Intl.DateTimeFormat(languageOf(services.config, account), style).format(at);
  return tell(services, trx, account, 'clinic.subject', ['clinic.fetched', { at: words }]);
}

/** What happened to the second factor of an account. */
type FactorNews = 'on' | 'off' | 'app-off' | 'passkey' | 'passkey-off' | 'codes' | 'paper' | 'guessed';

export function sendFactorNews(
  services: Writing,
  trx: Transaction,
  account: AccountRow,
  news: FactorNews,
): Promise<void> {
  return sendLetter(services, trx, account, `factor.${news}-subject`, [
    [`factor.${news}`],
    ['factor.account', { link: `${uiBaseUrl(services)}/account` }],
  ]);
}

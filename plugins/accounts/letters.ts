/** letters: the mails about an account (specification 6.2). A mail has at most one secret, as a part of a link. */
import { countDone, countAction } from '../../core/auth/attempts';
import type { PlainSecrets } from '../../core/accounts/new-secrets';
import type { Services } from '../../core/services';
import { uiBaseUrl } from '../../core/http/ui-links';
import { unexpected, writeLetter, type Paragraph } from '../../core/outbox/letters';
import { addMail } from '../../core/outbox/mail';
import type { Transaction } from '../../core/storage/database';
import type { AccountRow } from '../../core/storage/stores/accounts';

const link = (services: Services, { id }: AccountRow, page: string, primary: string): string =>
  `${uiBaseUrl(services)}/accounts/${encodeURIComponent(id)}/${page}/${encodeURIComponent(primary)}`;

const send = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  subject: string,
  paragraphs: readonly Paragraph[],
): Promise<void> =>
  addMail(services.outbox, trx, writeLetter(services.config, account, subject, [...paragraphs, unexpected]));

/**
 * Counts a mail that somebody asked for, so that nobody can have many of them sent.
 * @throws errors.tooManyRequests after SVC_RATE_ACCOUNT_PER_MINUTE of them for one account in a minute
 */
export const countMail = (
  { config, clock }: Services,
  trx: Transaction,
  { id }: Pick<AccountRow, 'id'>,
): Promise<void> => countDone(trx, clock, { name: `mail ${id}`, limit: config.rateAccountPerMinute });

/**
 * Tells a person that a way into the account was changed, which somebody else may have done. After
 * SVC_RATE_ACCOUNT_PER_MINUTE of these mails in a minute no more of them are sent, because the person has been warned
 * by then.
 */
const tell = async (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  subject: string,
  text: Paragraph,
): Promise<void> => {
  const { clock, config, outbox } = services;
  if (await countAction(trx, clock, { name: `told ${account.id}`, limit: config.rateAccountPerMinute })) {
    await addMail(outbox, trx, writeLetter(config, account, subject, [text]));
  }
};

const codeNote = (
  services: Services,
  account: AccountRow,
  { primary, secondary }: PlainSecrets,
): readonly Paragraph[] =>
  secondary === null ? [] : [['activation.code', { link: link(services, account, 'send_secret', primary) }]];

export const sendActivation = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  secrets: PlainSecrets,
): Promise<void> =>
  send(services, trx, account, 'activation.subject', [
    ['activation.text', { link: link(services, account, 'init', secrets.primary) }],
    ...codeNote(services, account, secrets),
  ]);

/** An account that was reset cannot be used without one of the links; for all others nothing has changed yet. */
const whatHappened = (services: Services, account: AccountRow, { primary }: PlainSecrets): readonly Paragraph[] =>
  account.state === 'uninitialized'
    ? [['password.was-reset'], ['password.old', { link: link(services, account, 'init', primary) }]]
    : [['password.asked']];

export const sendPasswordReset = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  secrets: PlainSecrets,
): Promise<void> =>
  send(services, trx, account, 'password.subject', [
    ...whatHappened(services, account, secrets),
    ['password.new', { link: link(services, account, 'reset_password', secrets.primary) }],
    ...codeNote(services, account, secrets),
  ]);

export const sendWelcome = (services: Services, trx: Transaction, account: AccountRow): Promise<void> =>
  send(services, trx, account, 'welcome.subject', [['welcome.text', { link: uiBaseUrl(services) }]]);

/** This mail goes to the new address only: whoever follows its link has shown that the address is theirs. */
export const sendNewAddress = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  address: string,
  secret: string,
): Promise<void> =>
  send(services, trx, { ...account, contactEmail: address }, 'address.subject', [
    ['address.text', { link: `${uiBaseUrl(services)}/account/email/${encodeURIComponent(secret)}` }],
  ]);

/** This mail goes to the old address, so that nobody can take over an account unnoticed. */
export const sendAddressChanged = (
  services: Services,
  trx: Transaction,
  before: AccountRow,
  address: string,
): Promise<void> => tell(services, trx, before, 'address.changed-subject', ['address.changed', { address }]);

export const sendPasswordChanged = (services: Services, trx: Transaction, account: AccountRow): Promise<void> =>
  tell(services, trx, account, 'password.changed-subject', ['password.changed', { link: uiBaseUrl(services) }]);

export const sendUsernameChanged = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  username: string,
): Promise<void> => tell(services, trx, account, 'username.subject', ['username.text', { username }]);

/** What happened to the second factor of an account. */
export type FactorNews = 'on' | 'off' | 'app-off' | 'passkey' | 'passkey-off' | 'codes' | 'paper' | 'guessed';

export const sendFactorNews = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  news: FactorNews,
): Promise<void> =>
  send(services, trx, account, `factor.${news}-subject`, [
    [`factor.${news}`],
    ['factor.account', { link: `${uiBaseUrl(services)}/account` }],
  ]);

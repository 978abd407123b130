/** letters: the mails about an account (specification 6.2). A mail has at most one secret, as a part of a link. */
import { countDone } from '../../core/auth/attempts';
import type { PlainSecrets } from '../../core/accounts/new-secrets';
import type { Services } from '../../core/services';
import { uiBaseUrl } from '../../core/http/ui-links';
import { addMail } from '../../core/outbox/mail';
import type { Transaction } from '../../core/storage/database';
import type { AccountRow } from '../../core/storage/stores/accounts';

const link = (services: Services, { id }: AccountRow, page: string, primary: string): string =>
  `${uiBaseUrl(services)}/accounts/${encodeURIComponent(id)}/${page}/${encodeURIComponent(primary)}`;

const send = (
  services: Services,
  trx: Transaction,
  { fullName, contactEmail }: AccountRow,
  subject: string,
  paragraphs: readonly string[],
): Promise<void> =>
  addMail(services.outbox, trx, {
    to: { name: fullName, address: contactEmail },
    subject,
    text: [
      `Dear ${fullName || contactEmail},`,
      ...paragraphs,
      `If you did not expect this mail, please tell ${services.config.mailFrom}.`,
      '',
    ].join('\n\n'),
  });

/**
 * Counts a mail that somebody asked for, so that nobody can send many by it.
 * @throws errors.tooManyRequests after SVC_RATE_ACCOUNT_PER_MINUTE of them for one account in a minute
 */
export const countMail = (
  { config, clock }: Services,
  trx: Transaction,
  { id }: Pick<AccountRow, 'id'>,
): Promise<void> => countDone(trx, clock, { name: `mail ${id}`, limit: config.rateAccountPerMinute });

const codeNote = (services: Services, account: AccountRow, { primary, secondary }: PlainSecrets): readonly string[] =>
  secondary === null
    ? []
    : [
        'You will be asked for the code that the website showed you. If you do not have it any more, you find it ' +
          `again here:\n${link(services, account, 'send_secret', primary)}`,
      ];

export const sendActivation = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  secrets: PlainSecrets,
): Promise<void> =>
  send(services, trx, account, 'Activate your account', [
    'an account for your health records was made for you. Please open this link to activate ' +
      `it:\n${link(services, account, 'init', secrets.primary)}`,
    ...codeNote(services, account, secrets),
  ]);

/** An account that was reset cannot be used without one of the links; for all others nothing has changed yet. */
const whatHappened = (services: Services, account: AccountRow, { primary }: PlainSecrets): readonly string[] =>
  account.state === 'uninitialized'
    ? [
        'your account was reset. Until you follow one of these links, nobody can sign in.',
        `To use your old password again:\n${link(services, account, 'init', primary)}`,
      ]
    : [
        'somebody, probably you, told us that the password of your account is forgotten. Nothing has changed so ' +
          'far: the password is still good.',
      ];

export const sendPasswordReset = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  secrets: PlainSecrets,
): Promise<void> =>
  send(services, trx, account, 'Your password', [
    ...whatHappened(services, account, secrets),
    `To choose a new password, which signs out all devices and apps:\n${link(services, account, 'reset_password', secrets.primary)}`,
    ...codeNote(services, account, secrets),
  ]);

export const sendWelcome = (services: Services, trx: Transaction, account: AccountRow): Promise<void> =>
  send(services, trx, account, 'Welcome', [`your account is active. You can sign in here:\n${uiBaseUrl(services)}`]);

/** To the new address only: whoever reads it has shown that it is theirs. */
export const sendNewAddress = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  address: string,
  secret: string,
): Promise<void> =>
  send(services, trx, { ...account, contactEmail: address }, 'Your new e-mail address', [
    'somebody, probably you, gave this address for your account. It counts once you have opened this link, where ' +
      `you are signed in:\n${uiBaseUrl(services)}/account/email/${encodeURIComponent(secret)}`,
  ]);

/** What happened to the second factor of an account. */
export type FactorNews = 'on' | 'off' | 'app-off' | 'passkey' | 'passkey-off' | 'codes' | 'paper' | 'guessed';

const factorNews: Readonly<Record<FactorNews, readonly [subject: string, text: string]>> = {
  on: [
    'Codes at sign-in are on',
    'from now on the website asks for a code of your app after your password. Keep the recovery codes that it showed you in a safe place.',
  ],
  off: ['Codes at sign-in are off', 'from now on the website asks for your password only.'],
  'app-off': [
    'Codes of your app are off',
    'codes of your app do not count any more. After your password the website asks for a passkey or a recovery code.',
  ],
  passkey: [
    'A passkey was added',
    'a passkey was added to your account. After your password the website asks for a passkey or a code. Keep the ' +
      'recovery codes that it showed you in a safe place.',
  ],
  'passkey-off': ['A passkey was deleted', 'one of your passkeys was deleted and does not count any more.'],
  codes: ['New recovery codes', 'you have new recovery codes for signing in. The earlier ones do not count any more.'],
  paper: [
    'A recovery code was used',
    'somebody, probably you, gave one of your recovery codes. It does not count again.',
  ],
  guessed: [
    'Wrong codes at sign-in',
    'somebody typed your right password at the website, and showed several wrong codes or passkeys after it. No code ' +
      'of your app counts for a while; a recovery code and a passkey do. If it was not you, choose a new password ' +
      'now: whoever tried it knows the present one.',
  ],
};

export const sendFactorNews = (
  services: Services,
  trx: Transaction,
  account: AccountRow,
  news: FactorNews,
): Promise<void> => {
  const [subject, text] = factorNews[news];
  return send(services, trx, account, subject, [text, `Your account: ${uiBaseUrl(services)}/account`]);
};

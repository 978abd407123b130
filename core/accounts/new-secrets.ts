/** new-secrets: the primary secret of a mailed link and the secondary one that is shown on the website. */
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { newDigits, newToken } from '../base/ids';
import type { AccountRow } from './store';

export type PlainSecrets = {
  readonly primary: string;
  /** Shown on the website, never mailed. */ readonly secondary: string | null;
};

export type StoredSecrets = Pick<
  AccountRow,
  'primarySecret' | 'secondarySecret' | 'secretsExpireAt' | 'secretFailures'
>;

const WEEK = 604_800_000;

/** New secrets: in plain text for the mail, and sealed for the row. */
export function newSecrets(
  { sealing, clock }: { readonly sealing: Sealing; readonly clock: Clock },
  { secondary }: { readonly secondary: boolean },
): { readonly plain: PlainSecrets; readonly stored: StoredSecrets } {
  const plain = { primary: newToken(), secondary: secondary ? newDigits() : null };
  return {
    plain,
    stored: {
      primarySecret: sealing.seal(plain.primary),
      secondarySecret: plain.secondary === null ? null : sealing.seal(plain.secondary),
      secretsExpireAt: toTimestamp(clock.now() + WEEK),
      secretFailures: 0,
    },
  };
}

type Parts = { readonly sealing: Sealing; readonly clock: Clock };

export type OpenSecrets = { readonly primary: string | null; readonly secondary: string | null };

/** The secrets of an account; expired ones are treated as missing. */
export function openSecrets({ sealing, clock }: Parts, account: AccountRow): OpenSecrets {
  const live = account.secretsExpireAt !== null && account.secretsExpireAt > toTimestamp(clock.now());
  const open = (sealed: string | null): string | null => (live && sealed !== null ? sealing.open(sealed) : null);
  return { primary: open(account.primarySecret), secondary: open(account.secondarySecret) };
}

const DAY = 86_400_000;

function secretsOf({ primarySecret, secondarySecret, secretsExpireAt, secretFailures }: AccountRow): StoredSecrets {
  return {
    primarySecret,
    secondarySecret,
    secretsExpireAt,
    secretFailures,
  };
}

/**
 * Secrets for a mail that anybody may ask for. While the account's own are good for another day, they stay, and so does
 * their count of wrong guesses: otherwise a stranger who asks for mails would make each link void before its person
 * can follow it.
 */
export function freshSecrets(
  parts: Parts,
  account: AccountRow,
): { readonly plain: PlainSecrets; readonly stored: StoredSecrets } {
  const { primary, secondary } = openSecrets(parts, account);
  const tomorrow = toTimestamp(parts.clock.now() + DAY);
  return primary !== null && secondary !== null && account.secretsExpireAt! > tomorrow
    ? { plain: { primary, secondary }, stored: secretsOf(account) }
    : newSecrets(parts, { secondary: true });
}

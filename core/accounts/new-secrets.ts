/** new-secrets: the primary secret of a mailed link and the secondary one that is shown on the website. */
import type { Sealing } from '../auth/sealing';
import { toTimestamp, type Clock } from '../base/clock';
import { newDigits, newToken } from '../base/ids';
import type { AccountRow } from '../storage/stores/accounts';

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
export const newSecrets = (
  { sealing, clock }: { readonly sealing: Sealing; readonly clock: Clock },
  { secondary }: { readonly secondary: boolean },
): { readonly plain: PlainSecrets; readonly stored: StoredSecrets } => {
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
};

/**
 * shown-codes: the code that the website shows to whoever asks for a mail. It follows from the name that was typed, so
 * that a page shows one, and always the same one, whether there is such an account or not.
 */
import type { Prove } from '../auth/page-key';
import { sameText } from '../auth/signature';
import type { Clock } from '../base/clock';

type Parts = { readonly prove: Prove; readonly clock: Clock };

const WEEK = 604_800_000;
const DIGITS = 6;

function inWeek(prove: Prove, name: string, week: number): string {
  const [number] = new Uint32Array(Uint8Array.from(Buffer.from(prove('code', `${week} ${name}`), 'base64url')).buffer);
  return String(number! % 10 ** DIGITS).padStart(DIGITS, '0');
}

function weekOf(clock: Clock): number {
  return Math.floor(clock.now() / WEEK);
}

/** The code for a user name or an address. It changes for all of them at the same moment, once a week. */
export function shownCode({ prove, clock }: Parts, name: string): string {
  return inWeek(prove, name.trim().toLowerCase(), weekOf(clock));
}

/** Whether the website has shown this code for one of the names, within the time for which a mailed link is good. */
export function wasShown({ prove, clock }: Parts, names: readonly string[], code: string): boolean {
  const week = weekOf(clock);
  return names.some((name) => [week, week - 1].some((one) => sameText(inWeek(prove, name.toLowerCase(), one), code)));
}

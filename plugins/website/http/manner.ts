/** manner: reads and stores a person's language, time zone and look as user preferences of the website. */
import { notChosen, type Manner } from '../../../core/tokens/browser-sessions-store';
import { WEBSITE } from './as-itself';
import type { Ask } from './operations';
import { operations } from './operations';

function mannerPlace(accountId: string) {
  return { ACCOUNT_EMAIL: accountId, PHA_EMAIL: WEBSITE };
}

export type { Manner };

/** What can be chosen besides the usual, which is empty. */
export const looks = { theme: ['light', 'dark'], size: ['larger', 'largest'], units: ['moles', 'mass'] } as const;
export type LookName = keyof typeof looks;
export const lookNames = Object.keys(looks) as readonly LookName[];

/** The choice, or the usual one for a text that is none. */
export function lookOf(name: LookName, given: unknown): string {
  return (looks[name] as readonly unknown[]).includes(given) ? String(given) : '';
}

/** Nothing is chosen if nothing was stored, or if an app stored something else there. */
export async function mannerOf(ask: Ask, accountId: string): Promise<Manner> {
  const stored = await ask(operations.apps.getUserPreferences, { params: mannerPlace(accountId) });
  try {
    const said = JSON.parse(stored?.content.toString('utf8') ?? '{}') as Partial<Record<string, unknown>>;
    const { language, zone } = said;
    return {
      language: typeof language === 'string' ? language.slice(0, 20) : '',
      zone: typeof zone === 'string' ? zone.slice(0, 60) : '',
      theme: lookOf('theme', said['theme']),
      size: lookOf('size', said['size']),
      units: lookOf('units', said['units']),
    };
  } catch {
    return notChosen;
  }
}

export async function saveManner(ask: Ask, accountId: string, manner: Manner): Promise<void> {
  const chosen = Object.entries(manner).filter(
    ([name, value]) => value !== '' || name === 'language' || name === 'zone',
  );
  await ask(operations.apps.setUserPreferences, {
    params: mannerPlace(accountId),
    body: Buffer.from(JSON.stringify(Object.fromEntries(chosen))),
    mediaType: 'application/json',
  });
}

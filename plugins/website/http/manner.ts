/** manner: reads and stores a person's language and time zone as user preferences of the website. */
import type { Manner } from '../../../core/tokens/browser-sessions-store';
import { WEBSITE } from './as-itself';
import type { Ask } from './operations';

const at = (accountId: string) => ({ ACCOUNT_EMAIL: accountId, PHA_EMAIL: WEBSITE });

const notChosen: Manner = { language: '', zone: '' };

/** Nothing is chosen if nothing was stored, or if an app stored something else there. */
export const mannerOf = async (ask: Ask, accountId: string): Promise<Manner> => {
  const stored = await ask('get_user_preferences', { params: at(accountId) });
  try {
    const { language, zone } = JSON.parse(stored?.content.toString('utf8') ?? '{}') as Partial<Record<string, unknown>>;
    return {
      language: typeof language === 'string' ? language.slice(0, 20) : '',
      zone: typeof zone === 'string' ? zone.slice(0, 60) : '',
    };
  } catch {
    return notChosen;
  }
};

export const saveManner = async (ask: Ask, accountId: string, { language, zone }: Manner): Promise<void> => {
  await ask('set_user_preferences', {
    params: at(accountId),
    body: Buffer.from(JSON.stringify({ language, zone })),
    mediaType: 'application/json',
  });
};

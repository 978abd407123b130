/** freed-names: tells people that a user name was somebody's e-mail address, and that it was taken away. */
import type { Services } from '../services';
import { uiBaseUrl } from '../http/ui-links';
import { writeLetter } from '../outbox/letters';
import { addMail } from '../outbox/mail';
import type { Transaction } from '../db/database';
import { dropFreedName, findAccount, findFreedNames, findNamed, type FreedName } from './store';

type Parts = Pick<Services, 'config' | 'database' | 'outbox' | 'baseUrl'>;

/** How many names one round tells of. */
const MOST = 100;

async function tellBoth(parts: Parts, trx: Transaction, { accountId, username }: FreedName): Promise<void> {
  const { config, outbox } = parts;
  const link = uiBaseUrl(parts);
  const before = await findAccount(trx, accountId);
  const other = (await findNamed(trx, username))?.id;
  const meant = other === undefined || other === accountId ? undefined : await findAccount(trx, other);
  const now = before?.authSystems.find(({ name }) => name === 'password')?.username ?? accountId;
  const mails = [
    before && writeLetter(config, before, 'username.subject', [['username.freed', { taken: username, username: now }]]),
    meant && writeLetter(config, meant, 'username.yours-subject', [['username.yours', { address: username, link }]]),
  ];
  await addMail(outbox, trx, ...mails.filter((mail) => mail !== undefined));
}

/** Tells of each freed name once, whatever process comes first. */
export async function tellFreedNames(parts: Parts): Promise<void> {
  for (const freed of await findFreedNames(parts.database.reads, MOST)) {
    await parts.database.transaction(async (trx) => {
      if (await dropFreedName(trx, freed.accountId)) {
        await tellBoth(parts, trx, freed);
      }
    });
  }
}

/** own-zone: the time zone that a person has chosen, which is kept among the preferences of the website's app. */
import { isTimeZone } from '../base/time-zones';
import type { Id, PrincipalId } from '../base/types';
import type { Services } from '../services';
import { WEBSITE_APP } from './website-app';
import * as preferenceStore from './preferences-store';
import * as recordStore from '../records/store';

function zoneIn(content: string): unknown {
  try {
    return (JSON.parse(content) as { zone?: unknown } | null)?.zone;
  } catch {
    return undefined;
  }
}

/** Undefined where none was chosen. */
export async function ownZone(
  { database, contents }: Pick<Services, 'database' | 'contents'>,
  accountId: PrincipalId,
): Promise<string | undefined> {
  const stored = await preferenceStore.findPreferences(database.reads, contents, accountId, WEBSITE_APP);
  const zone = zoneIn(stored?.content.toString('utf8') ?? '{}');
  return typeof zone === 'string' && isTimeZone(zone) ? zone : undefined;
}

/** The time zone that the owner of the record has chosen; undefined where none was chosen. */
export async function zoneOfOwner(
  services: Pick<Services, 'database' | 'contents'>,
  recordId: Id,
): Promise<string | undefined> {
  const record = await recordStore.findRecord(services.database.reads, recordId);
  return record?.ownerId ? ownZone(services, record.ownerId) : undefined;
}

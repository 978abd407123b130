/** door-routes: operations of apps that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { toTimestamp } from '../../core/base/clock';
import { inRecord, type InRecord } from '../../core/http/inputs';
import { openPlace, seekingKeys, type Pages } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route, type Call } from '../../core/http/route';
import { requireRecord } from '../../core/records/require';
import type { AppAccess } from '../../core/apps/access-store';
import type { AppRow } from '../../core/apps/store';
import * as appAccessStore from '../../core/apps/access-store';
import * as appStore from '../../core/apps/store';

const MOST = 100;
const { limit, place } = seekingKeys(MOST);

/**
 * The places where the two lists begin: the apps enabled on the record (`inside`), and all others; `limit`: how many
 * entries of each are shown.
 */
type AppsQuery = { readonly limit: number; readonly inside?: string; readonly outside?: string };

type AppList = { readonly total: number; readonly apps: readonly AppRow[]; readonly pages: Pages };

type AppsOfRecord = {
  readonly inside: AppList;
  readonly outside: AppList;
  /** What every app that is enabled on the record may do. */ readonly access: readonly AppAccess[];
};

async function readApps({ params, query, services }: Call<InRecord, AppsQuery>): Promise<AppsOfRecord> {
  const { database, clock } = services;
  const { id } = await requireRecord(services, params.RECORD_ID);
  const list = async (name: 'inside' | 'outside'): Promise<AppList> => {
    const { seek, pagesOf } = openPlace(services, `apps ${name} ${id}`, { limit: query.limit, place: query[name] });
    const { part, total } = await appStore.seekApps(database.reads, id, name === 'inside', seek);
    return { total, apps: part.rows, pages: pagesOf(part) };
  };
  const [inside, outside, access] = await Promise.all([
    list('inside'),
    list('outside'),
    appAccessStore.listAppAccess(database.reads, id, toTimestamp(clock.now())),
  ]);
  return { inside, outside, access };
}

export const operations = {
  recordAppAccess: route({
    name: 'record_app_access',
    method: 'GET',
    path: '/records/{RECORD_ID}/apps/access',
    summary:
      'The apps of a record, since when they are in and what each can see now, and the apps that could be let in',
    access: fullControl,
    params: inRecord,
    query: Joi.object<AppsQuery>({ limit, inside: place, outside: place }).unknown(true),
    reply: behindDoors<AppsOfRecord>(),
    handle: readApps,
  }),
};

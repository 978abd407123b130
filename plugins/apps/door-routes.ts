/** door-routes: operations of apps that only doors call: they have no address in the interface. */
import { fullControl } from '../../core/access/rules';
import { toTimestamp } from '../../core/base/clock';
import { inRecord, type InRecord } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route, type Call } from '../../core/http/route';
import { requireRecord } from '../../core/records/require';
import type { AppAccess } from '../../core/storage/stores/app-access';

const listAccess = async ({ params, services }: Call<InRecord>): Promise<readonly AppAccess[]> => {
  const { stores, database, clock } = services;
  const { id } = await requireRecord(services, params.RECORD_ID);
  return stores.appAccess.listAppAccess(database.reads, id, toTimestamp(clock.now()));
};

export const routes = [
  route({
    name: 'record_app_access',
    method: 'GET',
    path: '/records/{RECORD_ID}/apps/access',
    summary: 'Since when the apps of a record are in, and what each can see now',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<readonly AppAccess[]>(),
    handle: listAccess,
  }),
];

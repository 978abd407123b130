/** door-routes: operations of records that only doors call: they have no address in the interface. */
import { recordOwner } from '../../core/access/rules';
import type { OpenArchive } from '../../core/archive/export';
import { inRecord } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { takeArchive } from './take-archive';

export const routes = [
  route({
    name: 'record_export',
    method: 'GET',
    path: '/records/{RECORD_ID}/export',
    summary:
      'Take everything that belongs to a record as one archive; for its owner, since it says with whom the record is shared',
    access: recordOwner,
    params: inRecord,
    reply: behindDoors<OpenArchive>(),
    handle: takeArchive,
  }),
];

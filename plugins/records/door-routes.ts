/** door-routes: operations of records that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { recordOwner, sameAccount } from '../../core/access/rules';
import type { OpenArchive } from '../../core/archive/export';
import { inAccount, inRecord } from '../../core/http/inputs';
import { seekingKeys, type Seeking } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { seekRecords, type ReachedRecords } from './service';
import { takeArchive } from './take-archive';

const MOST = 100;

export const routes = [
  route({
    name: 'account_records',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/records/page',
    summary: 'The records that a person may see, part by part',
    access: sameAccount,
    params: inAccount,
    query: Joi.object<Seeking>(seekingKeys(MOST)).unknown(true),
    reply: behindDoors<ReachedRecords>(),
    handle: seekRecords,
  }),
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

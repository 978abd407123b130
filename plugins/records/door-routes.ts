/** door-routes: operations of records that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl, recordOwner, sameAccount } from '../../core/access/rules';
import type { OpenArchive } from '../../core/archive/export';
import { characters, inAccount, inRecord } from '../../core/http/inputs';
import { seekingKeys, type Seeking } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { findNamedPerson, type NamedPerson } from './named-person';
import { seekRecords, type ReachedRecords } from './service';
import { readZone, type RecordZone } from './own-zone';
import { takeArchive } from './take-archive';

const MOST = 100;

export const operations = {
  accountRecords: route({
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
  recordPersonNamed: route({
    name: 'record_person_named',
    method: 'GET',
    path: '/records/{RECORD_ID}/person-named',
    summary: 'Whose account a user name or an e-mail address is, before the record is shared with it',
    // Only those who share a record may find out who has an account.
    access: fullControl,
    params: inRecord,
    query: Joi.object<{ name: string }>({ name: characters(300).trim().lowercase().required() }).unknown(true),
    reply: behindDoors<NamedPerson | null>(),
    handle: findNamedPerson,
  }),
  recordZone: route({
    name: 'record_zone',
    method: 'GET',
    path: '/records/{RECORD_ID}/zone',
    summary: 'The name of a record, and the time zone of its owner, in which its days are written down',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<RecordZone>(),
    handle: readZone,
  }),
  recordExport: route({
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
};

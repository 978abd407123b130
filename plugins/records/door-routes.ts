/** door-routes: operations of records that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl, recordOwner, sameAccount } from '../../core/access/rules';
import type { OpenArchive } from '../../core/archive/export';
import { characters, form, inAccount, inRecord } from '../../core/http/inputs';
import { seekingKeys, type Seeking } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  addNextBroughtIn,
  readBringIn,
  readBringInFile,
  type BringIn,
  type BringInSeen,
  type OfBringIn,
  type ToBringIn,
  type ToFinish,
} from './bring-in';
import { readChanges, seeChanges, type Changes, type SeenUntil } from './changes';
import { findNamedPerson, type NamedPerson } from './named-person';
import { seekRecords, type ReachedRecords } from './service';
import { readZone, type RecordZone } from './own-zone';
import { takeArchive } from './take-archive';

const MOST = 100;

const formKey = { form: characters(100).required() };

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
  recordChanges: route({
    name: 'record_changes',
    method: 'GET',
    path: '/records/{RECORD_ID}/changes',
    summary: 'What others added to a record, and who looked at it, since the person last said that they have seen it',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<Changes>(),
    handle: readChanges,
  }),
  recordChangesSeen: route({
    name: 'record_changes_seen',
    method: 'POST',
    path: '/records/{RECORD_ID}/changes',
    summary: 'Say that one has seen what changed in a record until a time; each person for themselves',
    access: fullControl,
    params: inRecord,
    body: form<SeenUntil>({
      until: Joi.string()
        .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
        .required(),
    }),
    reply: behindDoors<void>(),
    handle: seeChanges,
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
  accountBringIn: route({
    name: 'account_bring_in',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/bring-in',
    summary: 'How far an archive is that this session has sent, to make a record of it; and what was begun before',
    access: sameAccount,
    params: inAccount,
    query: Joi.object<OfBringIn>({ form: characters(100).allow('').default('') }).unknown(true),
    reply: behindDoors<BringInSeen>(),
    handle: readBringIn,
  }),
  accountBringInRead: route({
    name: 'account_bring_in_read',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/bring-in/read',
    summary: 'Read an archive that a door has received to its end; no record is made',
    access: sameAccount,
    params: inAccount,
    body: form<ToBringIn>({
      ...formKey,
      name: characters(255).required(),
      size: Joi.number().integer().min(0).required(),
    }),
    reply: behindDoors<void>(),
    handle: readBringInFile,
  }),
  accountBringInAdd: route({
    name: 'account_bring_in_add',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/bring-in/add',
    summary:
      'Do the next step of making a record of an archive: begin it, store one document as if it were added now, or give it to the person',
    access: sameAccount,
    params: inAccount,
    body: form<ToFinish>({ ...formKey, again: Joi.boolean().default(false) }),
    reply: behindDoors<BringIn>(),
    handle: addNextBroughtIn,
  }),
};

/** routes: what a caller may do with records as a whole. */
import Joi from 'joi';
import {
  adminApp,
  anyOf,
  appWithAccess,
  creatingAdminOfPath,
  fullControl,
  recordOwner,
  sameAccount,
} from '../../core/access/rules';
import {
  characters,
  demographicsQuery,
  demographicsBytes,
  form,
  inAccount,
  inPath,
  inRecord,
  paging,
  partKeys,
  textBytes,
} from '../../core/http/inputs';
import { ok, okOf } from '../../core/http/replies';
import { route } from '../../core/http/route';
import type { Told } from '../../core/outbox/invitations';
import { demographicsReply } from '../../core/records/demographics-reply';
import { documentReply } from '../../core/documents/document-element';
import { recordList, recordReply } from '../../core/records/record-element';
import { readDemographics, saveDemographics } from './demographics';
import { newOwnerReply, ownerReply, sharesReply } from './serialize';
import {
  createRecord,
  createRecordWithExternalId,
  listAccountRecords,
  readOwner,
  readRecord,
  searchRecords,
  setOwner,
  type RecordSearch,
} from './service';
import { addShare, listShares, removeShare } from './shares';

const mayRead = anyOf(fullControl, adminApp, appWithAccess);
const mayAdminister = anyOf(fullControl, adminApp);
const mayShare = anyOf(recordOwner, adminApp);

const setsOwner = {
  name: 'record_set_owner' as const,
  path: '/records/{RECORD_ID}/owner',
  summary: 'Name the owner of a record',
  access: adminApp,
  params: inRecord,
  body: textBytes,
  reply: newOwnerReply,
  handle: setOwner,
};

const removesShare = {
  name: 'record_share_delete' as const,
  summary: 'Take back a full share of a record',
  access: mayShare,
  params: inPath('RECORD_ID', 'OTHER_ACCOUNT_ID'),
  reply: ok,
  handle: removeShare,
};

export const operations = {
  recordCreate: route({
    name: 'record_create',
    method: 'POST',
    path: '/records/',
    summary: 'Create a record from a demographics document',
    access: adminApp,
    body: demographicsBytes,
    reply: recordReply,
    handle: createRecord,
  }),
  recordCreateExt: route({
    name: 'record_create_ext',
    method: 'PUT',
    path: '/records/external/{PRINCIPAL_EMAIL}/{EXTERNAL_ID}',
    summary: 'Create a record with an external id, or find the one that has it',
    access: creatingAdminOfPath,
    params: inPath('PRINCIPAL_EMAIL', 'EXTERNAL_ID'),
    body: demographicsBytes,
    reply: recordReply,
    handle: createRecordWithExternalId,
  }),
  recordSearch: route({
    name: 'record_search',
    method: 'GET',
    path: '/records/search',
    summary: 'Find records by a part of their label',
    access: adminApp,
    query: Joi.object<RecordSearch>({ label: characters(255).required(), ...partKeys }).unknown(true),
    reply: recordList,
    handle: searchRecords,
  }),
  record: route({
    name: 'record',
    method: 'GET',
    path: '/records/{RECORD_ID}',
    summary: 'Read a record',
    access: mayRead,
    params: inRecord,
    reply: recordReply,
    handle: readRecord,
  }),
  recordList: route({
    name: 'record_list',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/records/',
    summary: 'List the records that an account owns or that are shared with it',
    access: anyOf(sameAccount, adminApp),
    params: inAccount,
    query: paging,
    reply: recordList,
    handle: listAccountRecords,
  }),
  recordGetOwner: route({
    name: 'record_get_owner',
    method: 'GET',
    path: '/records/{RECORD_ID}/owner',
    summary: 'Read who owns a record',
    access: mayAdminister,
    params: inRecord,
    reply: ownerReply,
    handle: readOwner,
  }),
  recordSetOwner: route({ ...setsOwner, method: 'PUT' }),
  recordSetOwnerByPost: route({ ...setsOwner, method: 'POST' }),
  readDemographics: route({
    name: 'read_demographics',
    method: 'GET',
    path: '/records/{RECORD_ID}/demographics',
    summary: 'Read the demographics of a record',
    access: mayRead,
    params: inRecord,
    query: demographicsQuery,
    reply: demographicsReply,
    handle: readDemographics,
  }),
  setDemographics: route({
    name: 'set_demographics',
    method: 'PUT',
    path: '/records/{RECORD_ID}/demographics',
    summary: 'Create or update the demographics of a record',
    access: mayRead,
    params: inRecord,
    body: demographicsBytes,
    reply: documentReply,
    handle: saveDemographics,
  }),
  recordShares: route({
    name: 'record_shares',
    method: 'GET',
    path: '/records/{RECORD_ID}/shares/',
    summary: 'List with whom a record is shared',
    access: mayShare,
    params: inRecord,
    query: paging,
    reply: sharesReply,
    handle: listShares,
  }),
  recordShareAdd: route({
    name: 'record_share_add',
    method: 'POST',
    path: '/records/{RECORD_ID}/shares/',
    summary: 'Share a whole record with an account',
    access: mayShare,
    params: inRecord,
    reply: okOf<Told>(),
    body: form<{ account_id: string; role_label?: string }>({
      account_id: Joi.string().trim().lowercase().required(),
      role_label: characters(50).allow(''),
    }),
    handle: addShare,
  }),
  recordShareDelete: route({
    ...removesShare,
    method: 'DELETE',
    path: '/records/{RECORD_ID}/shares/{OTHER_ACCOUNT_ID}',
  }),
  recordShareDeleteByPost: route({
    ...removesShare,
    method: 'POST',
    path: '/records/{RECORD_ID}/shares/{OTHER_ACCOUNT_ID}/delete',
    deprecated: true,
  }),
};

export const routes = Object.values(operations);

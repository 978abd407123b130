/** routes: carenets themselves: made, named, filled with people and apps. */
import Joi from 'joi';
import {
  adminApp,
  anyOf,
  appInCarenet,
  carenetFullControl,
  carenetMember,
  fullControl,
  nobody,
  sameAccount,
} from '../../core/access/rules';
import { appList } from '../../core/apps/app-element';
import { characters, form, inAccount, inCarenet, inPath, inRecord, paging } from '../../core/http/inputs';
import { ok, okOf } from '../../core/http/replies';
import { route, type Serializer } from '../../core/http/route';
import type { Told } from '../../core/outbox/invitations';
import { carenetList } from '../../core/sharing/carenet-element';
import { recordReply } from '../../core/records/record-element';
import { addApp, listApps, removeApp } from './apps';
import { addMember, listMembers, readPermissions, removeMember } from './members';
import { readCarenetRecord, type CarenetRecord } from './content';
import { memberList, permissionsReply } from './serialize';
import { createCarenet, deleteCarenet, listAccountCarenets, listCarenets, renameCarenet } from './service';
import { ownPermissionsOfApp, ownPermissionsOfMember } from './rules';

const mayAdminister = anyOf(fullControl, adminApp);
const mayLookInside = anyOf(carenetMember, appInCarenet, carenetFullControl, adminApp);
const inCarenetAccount = inPath('CARENET_ID', 'ACCOUNT_ID');
const inCarenetApp = inPath('CARENET_ID', 'APP_ID');
const naming = form<{ name: string }>({ name: characters(40).trim().required() });

/** The name of the carenet is for doors: the interface's element has no place for it. */
const carenetRecordReply: Serializer<CarenetRecord> = recordReply;

export const operations = {
  carenetList: route({
    name: 'carenet_list',
    method: 'GET',
    path: '/records/{RECORD_ID}/carenets/',
    summary: 'List the carenets of a record',
    access: mayAdminister,
    params: inRecord,
    query: paging,
    reply: carenetList,
    handle: listCarenets,
  }),
  carenetCreate: route({
    name: 'carenet_create',
    method: 'POST',
    path: '/records/{RECORD_ID}/carenets/',
    summary: 'Create a carenet',
    access: mayAdminister,
    params: inRecord,
    body: naming,
    reply: carenetList,
    handle: createCarenet,
  }),
  accountPermissions: route({
    name: 'account_permissions',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/permissions/',
    summary: 'List the carenets that an account can look into',
    access: sameAccount,
    params: inAccount,
    query: paging,
    reply: carenetList,
    handle: listAccountCarenets,
  }),
  carenetRename: route({
    name: 'carenet_rename',
    method: 'POST',
    path: '/carenets/{CARENET_ID}/rename',
    summary: 'Rename a carenet',
    access: carenetFullControl,
    params: inCarenet,
    body: naming,
    reply: carenetList,
    handle: renameCarenet,
  }),
  carenetDelete: route({
    name: 'carenet_delete',
    method: 'DELETE',
    path: '/carenets/{CARENET_ID}',
    summary: 'Delete a carenet; the documents in it stay in the record',
    access: carenetFullControl,
    params: inCarenet,
    reply: ok,
    handle: deleteCarenet,
  }),
  carenetRecord: route({
    name: 'carenet_record',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/record',
    summary: 'Read the record that a carenet belongs to',
    access: mayLookInside,
    params: inCarenet,
    reply: carenetRecordReply,
    handle: readCarenetRecord,
  }),
  carenetAccountList: route({
    name: 'carenet_account_list',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/accounts/',
    summary: 'List the accounts in a carenet',
    access: mayLookInside,
    params: inCarenet,
    query: paging,
    reply: memberList,
    handle: listMembers,
  }),
  carenetAccountCreate: route({
    name: 'carenet_account_create',
    method: 'POST',
    path: '/carenets/{CARENET_ID}/accounts/',
    summary: 'Add an account to a carenet',
    access: carenetFullControl,
    params: inCarenet,
    reply: okOf<Told>(),
    body: form<{ account_id: string; write: string }>({
      account_id: Joi.string().trim().lowercase().required(),
      write: Joi.string().required(),
    }),
    handle: addMember,
  }),
  carenetAccountDelete: route({
    name: 'carenet_account_delete',
    method: 'DELETE',
    path: '/carenets/{CARENET_ID}/accounts/{ACCOUNT_ID}',
    summary: 'Remove an account from a carenet',
    access: carenetFullControl,
    params: inCarenetAccount,
    reply: ok,
    handle: removeMember,
  }),
  carenetAccountPermissions: route({
    name: 'carenet_account_permissions',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/accounts/{ACCOUNT_ID}/permissions',
    summary: 'Read what an account may do in a carenet',
    access: anyOf(ownPermissionsOfApp, ownPermissionsOfMember, carenetFullControl, adminApp),
    params: inCarenetAccount,
    reply: permissionsReply,
    handle: readPermissions,
  }),
  carenetAppsList: route({
    name: 'carenet_apps_list',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/apps/',
    summary: 'List the apps in a carenet',
    access: mayLookInside,
    params: inCarenet,
    query: paging,
    reply: appList,
    handle: listApps,
  }),
  carenetAppsCreate: route({
    name: 'carenet_apps_create',
    method: 'PUT',
    path: '/carenets/{CARENET_ID}/apps/{APP_ID}',
    summary: 'Place an app in a carenet',
    access: carenetFullControl,
    params: inCarenetApp,
    reply: ok,
    handle: addApp,
  }),
  carenetAppsDelete: route({
    name: 'carenet_apps_delete',
    method: 'DELETE',
    path: '/carenets/{CARENET_ID}/apps/{APP_ID}',
    summary: 'Take an app out of a carenet',
    access: carenetFullControl,
    params: inCarenetApp,
    reply: ok,
    handle: removeApp,
  }),
  carenetAppPermissions: route({
    name: 'carenet_app_permissions',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/apps/{APP_ID}/permissions',
    summary: 'Not implemented: the rights of an app follow from its account',
    access: nobody,
    params: inCarenetApp,
    reply: ok,
    handle: () => Promise.resolve(),
  }),
};

export const routes = Object.values(operations);

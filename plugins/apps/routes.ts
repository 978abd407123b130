/** routes: the apps of this installation, and what an app remembers of an account. */
import {
  anyOf,
  anyPrincipal,
  autonomousEnabledApp,
  autonomousSameApp,
  ownAppForAccount,
  sameAccount,
  sameApp,
} from '../../core/access/rules';
import { appList, appReply } from '../../core/apps/app-element';
import { inPath, paging, textBytes } from '../../core/http/inputs';
import { formPairs, json, ok } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { recordList } from '../../core/records/record-element';
import { deletePreferences, readPreferences, savePreferences } from './preferences';
import { preferencesReply } from './serialize';
import {
  deleteApp,
  issueAutonomousToken,
  listApps,
  listManifests,
  listRecords,
  readApp,
  readManifest,
} from './service';

const inApp = inPath('PHA_EMAIL');
const inAccountApp = inPath('ACCOUNT_EMAIL', 'PHA_EMAIL');
const mayPrefer = anyOf(sameAccount, ownAppForAccount);

export const operations = {
  allPhas: route({
    name: 'all_phas',
    method: 'GET',
    path: '/apps/',
    summary: 'List the user apps',
    access: anyPrincipal,
    query: paging,
    reply: appList,
    handle: listApps,
  }),
  allManifests: route({
    name: 'all_manifests',
    method: 'GET',
    path: '/apps/manifests/',
    summary: 'List the manifests of the user apps',
    access: anyPrincipal,
    query: paging,
    reply: json,
    handle: listManifests,
  }),
  pha: route({
    name: 'pha',
    method: 'GET',
    path: '/apps/{PHA_EMAIL}',
    summary: 'Read a user app',
    access: anyPrincipal,
    params: inApp,
    reply: appReply,
    handle: readApp,
  }),
  appManifest: route({
    name: 'app_manifest',
    method: 'GET',
    path: '/apps/{PHA_EMAIL}/manifest',
    summary: 'Read the manifest of a user app',
    access: anyPrincipal,
    params: inApp,
    reply: json,
    handle: readManifest,
  }),
  phaDelete: route({
    name: 'pha_delete',
    method: 'DELETE',
    path: '/apps/{PHA_EMAIL}',
    summary: 'Retire the calling app; what it contributed to records stays',
    access: sameApp,
    params: inApp,
    reply: ok,
    handle: deleteApp,
  }),
  appRecordList: route({
    name: 'app_record_list',
    method: 'GET',
    path: '/apps/{PHA_EMAIL}/records/',
    summary: 'List the records on which an autonomous app is enabled',
    access: autonomousSameApp,
    params: inApp,
    query: paging,
    reply: recordList,
    handle: listRecords,
  }),
  autonomousAccessToken: route({
    name: 'autonomous_access_token',
    method: 'POST',
    path: '/apps/{PHA_EMAIL}/records/{RECORD_ID}/access_token',
    summary: 'A new access token of an autonomous app for one of its records',
    access: autonomousEnabledApp,
    params: inPath('PHA_EMAIL', 'RECORD_ID'),
    reply: formPairs,
    handle: issueAutonomousToken,
  }),
  getUserPreferences: route({
    name: 'get_user_preferences',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/preferences',
    summary: 'Read what an app remembers of an account',
    access: mayPrefer,
    params: inAccountApp,
    reply: preferencesReply,
    handle: readPreferences,
  }),
  setUserPreferences: route({
    name: 'set_user_preferences',
    method: 'PUT',
    path: '/accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/preferences',
    summary: 'Replace what an app remembers of an account',
    access: mayPrefer,
    params: inAccountApp,
    body: textBytes,
    reply: ok,
    handle: savePreferences,
  }),
  deleteUserPreferences: route({
    name: 'delete_user_preferences',
    method: 'DELETE',
    path: '/accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/preferences',
    summary: 'Delete all that an app remembers of an account',
    access: mayPrefer,
    params: inAccountApp,
    reply: ok,
    handle: deletePreferences,
  }),
};

export const routes = Object.values(operations);

/** binding-routes: apps on records. */
import { adminApp, anyOf, fullControl } from '../../core/access/rules';
import { appList, appReply } from '../../core/apps/app-element';
import { appDocumentBytes, inPath, inRecord, typedPaging } from '../../core/http/inputs';
import { formPairs, ok } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { disableApp, enableApp, listRecordApps, readRecordApp, setUpApp } from './bindings';

const mayBind = anyOf(fullControl, adminApp);
const inRecordApp = inPath('RECORD_ID', 'PHA_EMAIL');

export const operations = {
  recordPhas: route({
    name: 'record_phas',
    method: 'GET',
    path: '/records/{RECORD_ID}/apps/',
    summary: 'List the apps enabled on a record, all or those that ask for a document type',
    access: mayBind,
    params: inRecord,
    query: typedPaging,
    reply: appList,
    handle: listRecordApps,
  }),
  recordPha: route({
    name: 'record_pha',
    method: 'GET',
    path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}',
    summary: 'Read an app that is enabled on a record',
    access: mayBind,
    params: inRecordApp,
    reply: appReply,
    handle: readRecordApp,
  }),
  recordPhaEnable: route({
    name: 'record_pha_enable',
    method: 'PUT',
    path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}',
    summary: 'Enable an app on a record',
    access: mayBind,
    params: inRecordApp,
    reply: ok,
    handle: enableApp,
  }),
  phaRecordDelete: route({
    name: 'pha_record_delete',
    method: 'DELETE',
    path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}',
    summary: 'Take an app off a record and its carenets; its tokens there end',
    access: mayBind,
    params: inRecordApp,
    reply: ok,
    handle: disableApp,
  }),
  recordPhaSetup: route({
    name: 'record_pha_setup',
    method: 'POST',
    path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}/setup',
    summary: 'Enable an app on a record, give it a first document and answer a token for it',
    access: adminApp,
    params: inRecordApp,
    body: appDocumentBytes,
    reply: formPairs,
    handle: setUpApp,
  }),
};

export const bindingRoutes = Object.values(operations);

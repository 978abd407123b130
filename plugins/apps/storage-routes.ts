/** storage-routes: the storage of an app, both for the app alone and on records, which have the same calls. */
import type Joi from 'joi';
import { recordAppStorage, sameApp, type AccessRule } from '../../core/access/rules';
import { appDocumentBytes, inPath, textBytes, typedPaging } from '../../core/http/inputs';
import { ok, storedContent } from '../../core/http/replies';
import { route, type RouteSpec } from '../../core/http/route';
import { appDocumentList, appDocumentReply } from './serialize';
import {
  createDocument,
  deleteDocument,
  labelDocument,
  listShelf,
  putExternal,
  readAppContent,
  readExternalMeta,
  readAppDocumentMeta,
  replaceDocument,
  type OnShelf,
} from './storage';

type Place = {
  readonly prefix: string;
  /** Name of the call that reads one document. */ readonly read: string;
  readonly path: string;
  readonly parameters: readonly ('RECORD_ID' | 'PHA_EMAIL')[];
  readonly access: AccessRule;
  readonly whose: string;
};

function pathParameters<K extends string>({ parameters }: Place, ...more: readonly K[]) {
  return inPath<string>(...parameters, ...more) as unknown as Joi.ObjectSchema<OnShelf & Record<K, string>>;
}

// eslint-disable-next-line max-lines-per-function -- a list of routes is read as one table
function shelfRoutes(place: Place): readonly RouteSpec[] {
  const { prefix, read, path, access, whose } = place;
  const inDocument = pathParameters(place, 'DOCUMENT_ID');
  const inExternal = pathParameters(place, 'EXTERNAL_ID');
  return [
    route({
      name: `${prefix}_list`,
      method: 'GET',
      path,
      summary: `List the documents of ${whose}`,
      access,
      params: pathParameters(place),
      query: typedPaging,
      reply: appDocumentList,
      handle: listShelf,
    }),
    route({
      name: `${prefix}_create`,
      method: 'POST',
      path,
      summary: `Store a document of any media type in ${whose}`,
      access,
      params: pathParameters(place),
      body: appDocumentBytes,
      reply: appDocumentReply,
      handle: createDocument,
    }),
    route({
      name: read,
      method: 'GET',
      path: `${path}{DOCUMENT_ID}`,
      summary: `Read the content of a document of ${whose}`,
      access,
      params: inDocument,
      reply: storedContent,
      handle: readAppContent,
    }),
    route({
      name: `${prefix}_meta`,
      method: 'GET',
      path: `${path}{DOCUMENT_ID}/meta`,
      summary: `Read the metadata of a document of ${whose}`,
      access,
      params: inDocument,
      reply: appDocumentReply,
      handle: readAppDocumentMeta,
    }),
    route({
      name: `${prefix}_label`,
      method: 'PUT',
      path: `${path}{DOCUMENT_ID}/label`,
      summary: `Label a document of ${whose}`,
      access,
      params: inDocument,
      body: textBytes,
      reply: appDocumentReply,
      handle: labelDocument,
    }),
    route({
      name: `${prefix}_delete`,
      method: 'DELETE',
      path: `${path}{DOCUMENT_ID}`,
      summary: `Delete a document of ${whose}`,
      access,
      params: inDocument,
      reply: ok,
      handle: deleteDocument,
    }),
    route({
      name: `${prefix}_meta_ext`,
      method: 'GET',
      path: `${path}external/{EXTERNAL_ID}/meta`,
      summary: `Read the metadata of the document of ${whose} that has an external id`,
      access,
      params: inExternal,
      reply: appDocumentReply,
      handle: readExternalMeta,
    }),
    route({
      name: `${prefix}_create_or_update_ext`,
      method: 'PUT',
      path: `${path}external/{EXTERNAL_ID}`,
      summary: `Store a document under an external id in ${whose}, over what is there`,
      access,
      params: inExternal,
      body: appDocumentBytes,
      reply: appDocumentReply,
      handle: putExternal,
    }),
  ];
}

const own: Place = {
  prefix: 'app_document',
  read: 'app_document',
  path: '/apps/{PHA_EMAIL}/documents/',
  parameters: ['PHA_EMAIL'],
  access: sameApp,
  whose: "an app's own storage",
};
const onRecord: Place = {
  prefix: 'record_app_document',
  read: 'record_app_specific_document',
  path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}/documents/',
  parameters: ['RECORD_ID', 'PHA_EMAIL'],
  access: recordAppStorage,
  whose: "an app's storage on a record",
};

export const storageRoutes: readonly RouteSpec[] = [
  ...shelfRoutes(own),
  route({
    name: 'app_document_create_or_update',
    method: 'PUT',
    path: `${own.path}{DOCUMENT_ID}`,
    summary: "Put other content in place of a document of an app's own storage",
    access: own.access,
    params: pathParameters(own, 'DOCUMENT_ID'),
    body: appDocumentBytes,
    reply: appDocumentReply,
    handle: replaceDocument,
  }),
  ...shelfRoutes(onRecord),
  route({
    name: 'record_app_document_create_or_update_ext',
    method: 'POST',
    path: `${onRecord.path}external/{EXTERNAL_ID}`,
    summary: "Store a document under an external id in an app's storage on a record, over what is there",
    access: onRecord.access,
    params: pathParameters(onRecord, 'EXTERNAL_ID'),
    body: appDocumentBytes,
    reply: appDocumentReply,
    handle: putExternal,
  }),
];

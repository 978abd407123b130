/** autoshare-routes: which documents a carenet contains: placed one by one, or shared by their type. */
import Joi from 'joi';
import { anyOf, appWithAccess, carenetFullControl, fullControl } from '../../core/access/rules';
import { form, inPath, inRecord, inRecordDocument, paging, pagingKeys, rawQuery } from '../../core/http/inputs';
import { ok } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { carenetList } from '../../core/sharing/carenet-element';
import {
  listAutoshares,
  listCarenetsOfType,
  setAutoshare,
  unsetAutoshare,
  type TypeInput,
  type TypeQuery,
} from './autoshares';
import { excludeDocument, listPlacements, placeDocument, revertToType } from './placements';
import { autoshareList } from './serialize';

const inPlacement = inPath('RECORD_ID', 'DOCUMENT_ID', 'CARENET_ID');
const inAutoshare = inPath('RECORD_ID', 'CARENET_ID');
const type = Joi.string().max(255).required();

export const operations = {
  autoshareList: route({
    name: 'autoshare_list',
    method: 'GET',
    path: '/records/{RECORD_ID}/autoshare/bytype/',
    summary: 'List the carenets that get every document of a type',
    access: fullControl,
    params: inRecord,
    query: Joi.object<TypeQuery>({ ...pagingKeys, type }).unknown(true),
    reply: carenetList,
    handle: listCarenetsOfType,
  }),
  autoshareListBytypeAll: route({
    name: 'autoshare_list_bytype_all',
    method: 'GET',
    path: '/records/{RECORD_ID}/autoshare/bytype/all',
    summary: 'List all types that are shared by type, with their carenets',
    access: fullControl,
    params: inRecord,
    query: rawQuery,
    reply: autoshareList,
    handle: listAutoshares,
  }),
  autoshareCreate: route({
    name: 'autoshare_create',
    method: 'POST',
    path: '/records/{RECORD_ID}/autoshare/carenets/{CARENET_ID}/bytype/set',
    summary: 'Share every document of a type into a carenet, present and future',
    access: fullControl,
    params: inAutoshare,
    body: form<TypeInput>({ type }),
    reply: ok,
    handle: setAutoshare,
  }),
  autoshareDelete: route({
    name: 'autoshare_delete',
    method: 'POST',
    path: '/records/{RECORD_ID}/autoshare/carenets/{CARENET_ID}/bytype/unset',
    summary: 'End the sharing of a type into a carenet; documents placed one by one stay',
    access: fullControl,
    params: inAutoshare,
    body: form<TypeInput>({ type }),
    reply: ok,
    handle: unsetAutoshare,
  }),
  documentCarenets: route({
    name: 'document_carenets',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/',
    summary: 'List the carenets that contain a document',
    access: anyOf(appWithAccess, fullControl),
    params: inRecordDocument,
    query: paging,
    reply: carenetList,
    handle: listPlacements,
  }),
  carenetDocumentPlacement: route({
    name: 'carenet_document_placement',
    method: 'PUT',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/{CARENET_ID}',
    summary: 'Place a document in a carenet',
    access: carenetFullControl,
    params: inPlacement,
    reply: ok,
    handle: placeDocument,
  }),
  carenetDocumentDelete: route({
    name: 'carenet_document_delete',
    method: 'DELETE',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/{CARENET_ID}',
    summary: 'Keep a document out of a carenet, whatever its type is shared with',
    access: carenetFullControl,
    params: inPlacement,
    reply: ok,
    handle: excludeDocument,
  }),
  autoshareRevert: route({
    name: 'autoshare_revert',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/{CARENET_ID}/autoshare-revert',
    summary: 'Let the type of a document decide again whether a carenet contains it',
    access: fullControl,
    params: inPlacement,
    reply: ok,
    handle: revertToType,
  }),
};

export const autoshareRoutes = Object.values(operations);

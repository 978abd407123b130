/** content-routes: what a carenet shows of its record. */
import { adminApp, anyOf, mayReadCarenet } from '../../core/access/rules';
import { demographicsQuery, inCarenet, inPath, typedPaging } from '../../core/http/inputs';
import { storedContent } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { demographicsReply } from '../../core/records/demographics-reply';
import { documentPage, documentReply } from '../../core/documents/document-element';
import {
  listCarenetDocuments,
  readCarenetContent,
  readDemographics,
  readCarenetDocumentMeta,
  readSpecial,
} from './content';

const maySeeDemographics = anyOf(mayReadCarenet, adminApp);
const inCarenetDocument = inPath('CARENET_ID', 'DOCUMENT_ID');

export const operations = {
  carenetDocumentList: route({
    name: 'carenet_document_list',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/',
    summary: 'List the documents in a carenet',
    access: mayReadCarenet,
    params: inCarenet,
    query: typedPaging,
    reply: documentPage,
    handle: listCarenetDocuments,
  }),
  readSpecialDocumentCarenet: route({
    name: 'read_special_document_carenet',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/special/{NAME}',
    summary: 'Read the demographics document as it was stored, if the carenet contains it',
    access: maySeeDemographics,
    params: inPath('CARENET_ID', 'NAME'),
    reply: storedContent,
    handle: readSpecial,
  }),
  carenetDocument: route({
    name: 'carenet_document',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}',
    summary: 'Read a document in a carenet as it was stored',
    access: mayReadCarenet,
    params: inCarenetDocument,
    reply: storedContent,
    handle: readCarenetContent,
  }),
  carenetDocumentMeta: route({
    name: 'carenet_document_meta',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}/meta',
    summary: 'Read the metadata of a document in a carenet',
    access: mayReadCarenet,
    params: inCarenetDocument,
    reply: documentReply,
    handle: readCarenetDocumentMeta,
  }),
  readDemographicsCarenet: route({
    name: 'read_demographics_carenet',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/demographics',
    summary: 'Read the demographics, if the carenet contains them',
    access: maySeeDemographics,
    params: inCarenet,
    query: demographicsQuery,
    reply: demographicsReply,
    handle: readDemographics,
  }),
};

export const contentRoutes = Object.values(operations);

/** routes: what a caller may do with the documents of one record. */
import Joi from 'joi';
import { adminApp, anyOf, appWithAccess, creatingAdmin, fullControl, nobody, sameAppWithAccess } from '../../core/access/rules';
import { documentBytes, form, inPath, inRecord, inRecordDocument, paging, textBytes, typedPaging, unpaged } from '../../core/http/inputs';
import { ok, storedContent } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { documentPage, documentReply } from '../../core/records/document-element';
import { setLabel, setLabelByExternalId, setNevershare, unsetNevershare } from './lineage';
import { createRelated, createRelatedWithExternalId, listRelated, relate } from './relations';
import { statusHistoryReply } from './serialize';
import {
  createDocument, createWithExternalId, listDocuments, listVersions, readContent, readMeta, readMetaByExternalId, replaceDocument, replaceWithExternalId,
} from './service';
import { readSpecial, saveSpecial } from './special';
import { readStatusHistory, setStatus, type StatusForm } from './status';

const mayRead = anyOf(appWithAccess, fullControl);
const mayCreate = anyOf(appWithAccess, fullControl, creatingAdmin);
const maySeeDemographics = anyOf(appWithAccess, fullControl, adminApp);

const inExternal = inPath('RECORD_ID', 'PHA_EMAIL', 'EXTERNAL_ID');
const inDocumentExternal = inPath('RECORD_ID', 'DOCUMENT_ID', 'PHA_EMAIL', 'EXTERNAL_ID');
const inRelatedExternal = inPath('RECORD_ID', 'DOCUMENT_ID', 'REL', 'PHA_EMAIL', 'EXTERNAL_ID');

const changedMeanwhile = { 412: 'The document is not the version that If-Match names' };

const createsRelated = {
  name: 'document_create_by_rel_with_ext_id', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/rels/{REL}/external/{PHA_EMAIL}/{EXTERNAL_ID}',
  summary: 'Store a document that relates to another one, with an external id',
  access: sameAppWithAccess,
  params: inRelatedExternal, body: documentBytes, reply: documentReply,
  handle: createRelatedWithExternalId,
};

const savesSpecial = {
  name: 'save_special_document', path: '/records/{RECORD_ID}/documents/special/{NAME}',
  summary: 'Create or update the demographics document',
  access: maySeeDemographics,
  params: inPath('RECORD_ID', 'NAME'), body: documentBytes, reply: documentReply,
  handle: saveSpecial,
};

export const routes = [
  route({
    name: 'record_document_list', method: 'GET', path: '/records/{RECORD_ID}/documents/',
    summary: 'List the documents of a record',
    access: mayRead,
    params: inRecord, query: typedPaging, reply: documentPage,
    handle: listDocuments,
  }),
  route({
    name: 'document_create', method: 'POST', path: '/records/{RECORD_ID}/documents/',
    summary: 'Store a document in a record',
    access: mayCreate,
    params: inRecord, body: documentBytes, reply: documentReply,
    handle: createDocument,
  }),
  route({
    name: 'documents_delete', method: 'DELETE', path: '/records/{RECORD_ID}/documents/',
    summary: 'Not implemented: medical data is never deleted through the interface',
    access: nobody,
    params: inRecord, reply: ok,
    handle: () => Promise.resolve(),
  }),
  route({
    name: 'document_create_by_ext_id', method: 'PUT', path: '/records/{RECORD_ID}/documents/external/{PHA_EMAIL}/{EXTERNAL_ID}',
    summary: 'Store a document with an external id',
    access: sameAppWithAccess,
    params: inExternal, body: documentBytes, reply: documentReply,
    handle: createWithExternalId,
  }),
  route({
    name: 'record_document_label_ext', method: 'PUT', path: '/records/{RECORD_ID}/documents/external/{PHA_EMAIL}/{EXTERNAL_ID}/label',
    summary: 'Label the document with an external id',
    access: sameAppWithAccess,
    params: inExternal, body: textBytes, reply: documentReply,
    handle: setLabelByExternalId,
  }),
  route({
    name: 'record_document_meta_ext', method: 'GET', path: '/records/{RECORD_ID}/documents/external/{PHA_EMAIL}/{EXTERNAL_ID}/meta',
    summary: 'Read the metadata of the document with an external id',
    access: sameAppWithAccess,
    params: inExternal, reply: documentReply,
    handle: readMetaByExternalId,
  }),
  route({
    name: 'read_special_document', method: 'GET', path: '/records/{RECORD_ID}/documents/special/{NAME}',
    summary: 'Read the demographics document as it was stored',
    access: maySeeDemographics,
    params: inPath('RECORD_ID', 'NAME'), reply: storedContent,
    handle: readSpecial,
  }),
  route({ ...savesSpecial, method: 'PUT' }),
  route({ ...savesSpecial, method: 'POST' }),
  route({
    name: 'record_document', method: 'GET', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}',
    summary: 'Read a document as it was stored',
    access: mayRead,
    params: inRecordDocument, reply: storedContent,
    handle: readContent,
  }),
  route({
    name: 'record_document_meta', method: 'GET', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/meta',
    summary: 'Read the metadata of one document',
    access: mayRead,
    params: inRecordDocument, reply: documentReply,
    handle: readMeta,
  }),
  route({
    name: 'update_document_meta', method: 'PUT', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/meta',
    summary: 'Not implemented: metadata changes by the calls made for it',
    access: nobody,
    params: inRecordDocument, reply: ok,
    handle: () => Promise.resolve(),
  }),
  route({
    name: 'record_document_label', method: 'PUT', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/label',
    summary: 'Label a document; an empty label removes it',
    access: mayRead,
    params: inRecordDocument, body: textBytes, reply: documentReply,
    handle: setLabel,
  }),
  route({
    name: 'document_versions', method: 'GET', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/versions/',
    summary: 'List all versions of a document',
    access: mayRead,
    params: inRecordDocument, query: paging, reply: documentPage,
    handle: listVersions,
  }),
  route({
    name: 'document_version', method: 'POST', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/replace',
    summary: 'Replace a document by a new version',
    access: mayCreate,
    params: inRecordDocument, body: documentBytes, reply: documentReply,
    fails: changedMeanwhile,
    handle: replaceDocument,
  }),
  route({
    name: 'document_version_by_ext_id', method: 'PUT', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/replace/external/{PHA_EMAIL}/{EXTERNAL_ID}',
    summary: 'Replace a document by a new version with an external id',
    access: sameAppWithAccess,
    params: inDocumentExternal, body: documentBytes, reply: documentReply,
    fails: changedMeanwhile,
    handle: replaceWithExternalId,
  }),
  route({
    name: 'document_set_status', method: 'POST', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/set-status',
    summary: 'Change the status of a document and all its versions',
    access: mayRead,
    params: inRecordDocument, reply: ok,
    body: form<StatusForm>({ status: Joi.string().valid('active', 'void', 'archived').required(), reason: Joi.string().required() }),
    handle: setStatus,
  }),
  route({
    name: 'document_status_history', method: 'GET', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/status-history',
    summary: 'List the status changes of a document, the newest first',
    access: mayRead,
    params: inRecordDocument, reply: statusHistoryReply,
    handle: readStatusHistory,
  }),
  route({
    name: 'document_set_nevershare', method: 'PUT', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/nevershare',
    summary: 'Keep a document out of every carenet',
    access: fullControl,
    params: inRecordDocument, reply: ok,
    handle: setNevershare,
  }),
  route({
    name: 'document_remove_nevershare', method: 'DELETE', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/nevershare',
    summary: 'Let a document be shared again as it was before',
    access: fullControl,
    params: inRecordDocument, reply: ok,
    handle: unsetNevershare,
  }),
  route({
    name: 'document_rels', method: 'PUT', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID_0}/rels/{REL}/{DOCUMENT_ID_1}',
    summary: 'Relate the second document, for example an annotation, to the first',
    access: mayRead,
    params: inPath('RECORD_ID', 'DOCUMENT_ID_0', 'REL', 'DOCUMENT_ID_1'), reply: ok,
    handle: relate,
  }),
  route({
    name: 'get_documents_by_rel', method: 'GET', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/rels/{REL}/',
    summary: 'List the documents that relate to a document',
    access: mayRead,
    params: inPath('RECORD_ID', 'DOCUMENT_ID', 'REL'), query: unpaged, reply: documentPage,
    handle: listRelated,
  }),
  route({
    name: 'document_create_by_rel', method: 'POST', path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/rels/{REL}/',
    summary: 'Store a document that relates to another one',
    access: mayRead,
    params: inPath('RECORD_ID', 'DOCUMENT_ID', 'REL'), body: documentBytes, reply: documentReply,
    handle: createRelated,
  }),
  route({ ...createsRelated, method: 'POST' }),
  route({ ...createsRelated, method: 'PUT' }),
];

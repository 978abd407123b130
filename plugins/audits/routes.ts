/** routes: the calls that touched a record, for accounts with full control of it and for their apps. */
import { anyOf, appWithAccess, fullControl } from '../../core/access/rules';
import { auditQuery, inPath, inRecord, inRecordDocument, paging } from '../../core/http/inputs';
import { route } from '../../core/http/route';
import { auditReply } from './serialize';
import { fields, listDocumentAudits, listFunctionAudits, listRecordAudits, queryAudits } from './service';

const mayRead = anyOf(fullControl, appWithAccess);

export const operations = {
  auditRecordView: route({
    name: 'audit_record_view',
    method: 'GET',
    path: '/records/{RECORD_ID}/audits/',
    summary: 'List the calls that touched a record, the newest first',
    access: mayRead,
    params: inRecord,
    query: paging,
    reply: auditReply,
    deprecated: true,
    handle: listRecordAudits,
  }),
  auditDocumentView: route({
    name: 'audit_document_view',
    method: 'GET',
    path: '/records/{RECORD_ID}/audits/documents/{DOCUMENT_ID}/',
    summary: 'List the calls that touched a document',
    access: mayRead,
    params: inRecordDocument,
    query: paging,
    reply: auditReply,
    deprecated: true,
    handle: listDocumentAudits,
  }),
  auditFunctionView: route({
    name: 'audit_function_view',
    method: 'GET',
    path: '/records/{RECORD_ID}/audits/documents/{DOCUMENT_ID}/functions/{FUNCTION_NAME}/',
    summary: 'List the calls of one function on a document',
    access: mayRead,
    params: inPath('RECORD_ID', 'DOCUMENT_ID', 'FUNCTION_NAME'),
    query: paging,
    reply: auditReply,
    deprecated: true,
    handle: listFunctionAudits,
  }),
  auditQuery: route({
    name: 'audit_query',
    method: 'GET',
    path: '/records/{RECORD_ID}/audits/query/',
    summary: 'Query the calls that touched a record with filters, ranges, groups and aggregates',
    access: mayRead,
    params: inRecord,
    query: auditQuery(fields),
    reply: auditReply,
    handle: queryAudits,
  }),
};

export const routes = Object.values(operations);

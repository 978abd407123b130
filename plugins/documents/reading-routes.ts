/**
 * reading-routes: operations by which doors search documents and read them with their facts and their history. They
 * have no address in the interface.
 */
import Joi from 'joi';
import { fullControl, mayReadCarenet, mayReadRecord } from '../../core/access/rules';
import {
  characters,
  inCarenet,
  inPath,
  inRecord,
  inRecordDocument,
  pagingKeys,
  timeZone,
} from '../../core/http/inputs';
import { seekingKeys } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  findDocuments,
  listFoundDocuments,
  readDocument,
  readHistory,
  readNarrative,
  type DocumentHistory,
  type FindQuery,
  type FoundDocument,
  type FoundDocuments,
  type HistoryQuery,
  type ListedQuery,
  type NarratedDocument,
  type ReadDocument,
  type ReadQuery,
} from './find';
import { readPicture, type OnePage } from './pictures';
import { takeFiles, type TakenDocument } from './take-files';
import {
  listHeldFiles,
  readHeldFile,
  type FileOfDocument,
  type FilesOfDocument,
  type ListQuery,
  type OneFile,
} from './held-files';

/** How many documents make a page. */
const MOST = 100;
/** How many documents are listed at once. The query has an id and a comma for each. */
const MOST_LISTED = 50;
/** Those of a page whose lines may stand for several. */
const MOST_NAMED = 250;
const ID_CHARACTERS = 37;
const { limit, place } = seekingKeys(MOST);

const findQuery = Joi.object<FindQuery>({
  ...seekingKeys(MOST),
  q: characters(200).empty(''),
  language: Joi.string().max(10).default('en'),
  zone: timeZone,
  status: pagingKeys.status,
  tag: characters(100).empty(''),
  texts: Joi.boolean().default(false),
  all: Joi.boolean().default(false),
  keys: Joi.boolean().default(false),
  ids: characters(MOST_NAMED * ID_CHARACTERS).empty(''),
}).unknown(true);

const readQuery = Joi.object<ReadQuery>({
  limit,
  notes: place,
  about: place,
  fact: characters(ID_CHARACTERS).empty(''),
}).unknown(true);

const oneFile = Joi.object<OneFile>({ file: Joi.number().integer().min(0).required() }).unknown(true);

const filesQuery = Joi.object<ListQuery>({ pictures: Joi.boolean().default(false) }).unknown(true);

const onePage = Joi.object<OnePage>({ page: Joi.number().integer().min(0).max(9999).required() }).unknown(true);

export const operations = {
  recordFiles: route({
    name: 'record_files',
    method: 'GET',
    path: '/records/{RECORD_ID}/files',
    summary:
      'Take all active, or the chosen, documents of a record along as files; for those who have the whole record',
    access: fullControl,
    params: inRecord,
    query: Joi.object<ListedQuery>({
      ids: characters(MOST_LISTED * ID_CHARACTERS)
        .allow('')
        .default(''),
    }).unknown(true),
    reply: behindDoors<AsyncGenerator<TakenDocument>>(),
    handle: takeFiles,
  }),
  recordDocumentSearch: route({
    name: 'record_document_search',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/search',
    summary:
      'Find documents of a record by their labels, kinds, dates and facts, and if asked by the words of their files',
    access: mayReadRecord,
    params: inRecord,
    query: findQuery,
    reply: behindDoors<FoundDocuments>(),
    handle: findDocuments,
  }),
  carenetDocumentSearch: route({
    name: 'carenet_document_search',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/search',
    summary:
      'Find documents in a carenet by their labels, kinds, dates and facts, and if asked by the words of their files',
    access: mayReadCarenet,
    params: inCarenet,
    query: findQuery,
    reply: behindDoors<FoundDocuments>(),
    handle: findDocuments,
  }),
  recordDocumentsListed: route({
    name: 'record_documents_listed',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/listed',
    summary: 'Documents of a record by their ids, with what they contain',
    access: mayReadRecord,
    params: inRecord,
    query: Joi.object<ListedQuery>({
      ids: characters(MOST_LISTED * ID_CHARACTERS)
        .allow('')
        .required(),
    }).unknown(true),
    reply: behindDoors<readonly FoundDocument[]>(),
    handle: listFoundDocuments,
  }),
  recordDocumentRead: route({
    name: 'record_document_read',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/read',
    summary: 'What a document of a record says, by kind',
    access: mayReadRecord,
    params: inRecordDocument,
    query: readQuery,
    reply: behindDoors<ReadDocument>(),
    handle: readDocument,
  }),
  carenetDocumentRead: route({
    name: 'carenet_document_read',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}/read',
    summary: 'What a document in a carenet says, by kind',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DOCUMENT_ID'),
    query: readQuery,
    reply: behindDoors<ReadDocument>(),
    handle: readDocument,
  }),
  recordDocumentNarrative: route({
    name: 'record_document_narrative',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/narrative',
    summary: 'The text that a document of a record has for people',
    access: mayReadRecord,
    params: inRecordDocument,
    reply: behindDoors<NarratedDocument>(),
    handle: readNarrative,
  }),
  carenetDocumentNarrative: route({
    name: 'carenet_document_narrative',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}/narrative',
    summary: 'The text that a document in a carenet has for people',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DOCUMENT_ID'),
    reply: behindDoors<NarratedDocument>(),
    handle: readNarrative,
  }),
  recordDocumentFiles: route({
    name: 'record_document_files',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/files',
    summary: 'The files that a document of a record holds',
    access: mayReadRecord,
    params: inRecordDocument,
    query: filesQuery,
    reply: behindDoors<FilesOfDocument>(),
    handle: listHeldFiles,
  }),
  recordDocumentFile: route({
    name: 'record_document_file',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/file',
    summary: 'One of the files that a document of a record holds, with its words',
    access: mayReadRecord,
    params: inRecordDocument,
    query: oneFile,
    reply: behindDoors<FileOfDocument>(),
    handle: readHeldFile,
  }),
  carenetDocumentFiles: route({
    name: 'carenet_document_files',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}/files',
    summary: 'The files that a document in a carenet holds',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DOCUMENT_ID'),
    query: filesQuery,
    reply: behindDoors<FilesOfDocument>(),
    handle: listHeldFiles,
  }),
  carenetDocumentFile: route({
    name: 'carenet_document_file',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}/file',
    summary: 'One of the files that a document in a carenet holds, with its words',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DOCUMENT_ID'),
    query: oneFile,
    reply: behindDoors<FileOfDocument>(),
    handle: readHeldFile,
  }),
  recordDocumentPicture: route({
    name: 'record_document_picture',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/picture',
    summary: 'A page of the file in a document of a record as a picture',
    access: mayReadRecord,
    params: inRecordDocument,
    query: onePage,
    reply: behindDoors<Buffer>(),
    handle: readPicture,
  }),
  carenetDocumentPicture: route({
    name: 'carenet_document_picture',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/documents/{DOCUMENT_ID}/picture',
    summary: 'A page of the file in a document in a carenet as a picture',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DOCUMENT_ID'),
    query: onePage,
    reply: behindDoors<Buffer>(),
    handle: readPicture,
  }),
  recordDocumentHistory: route({
    name: 'record_document_history',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/history',
    summary: 'Versions of a document, changes of its status, and the carenets that hold it',
    access: fullControl,
    params: inRecordDocument,
    query: Joi.object<HistoryQuery>({
      limit,
      versions: place,
      carenets: place,
      changes: place,
    }).unknown(true),
    reply: behindDoors<DocumentHistory>(),
    handle: readHistory,
  }),
};

/** door-routes: operations of documents that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { characters, documentBytes, form, inRecord, inRecordDocument, timeZone } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  findForm,
  previewDocument,
  readKept,
  readKeptPicture,
  readTyped,
  type FormState,
  type KeptDocument,
  type Preview,
  type ToPreview,
  type Typed,
} from './preview';
import { setDetails, type Details } from './details';
import { takeInFact, type ToTakeIn } from './left-out/left-out';
import { undoDocument } from './undo';
import { describeTable, readTable, type Describing, type TableSeen } from './described-tables';
import {
  addNextOfIncoming,
  beginIncoming,
  keepIncoming,
  readIncoming,
  readIncomingFile,
  type IncomingSeen,
  type NewIncoming,
  type OfIncoming,
  type ToAdd,
  type ToRead,
} from './incoming';
import { receiveLink, type LinkToFetch, type Received } from './received-links';

const ofForm = Joi.object<{ form: string }>({ form: characters(100).required() }).unknown(true);

/** The token of a form, which may be one of a device. */
const anyForm = ofForm.append<{ form: string; device: boolean }>({ device: Joi.boolean().default(false) });

/** The most characters of a link, or of the codes of a card. */
const MOST_OF_LINK = 200_000;

const formKey = { form: characters(100).required() };

/** What a person says about a file that a document will contain. */
const ofFile = Joi.object<{ form: string; title?: string; date?: string; kind?: string }>({
  form: characters(100).required(),
  title: characters(300).empty(''),
  date: Joi.string()
    .pattern(/^\d{4}-\d{2}-\d{2}$/)
    .empty(''),
  kind: characters(100).empty(''),
}).unknown(true);

export const operations = {
  documentPreview: route({
    name: 'document_preview',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/preview',
    summary:
      'What a file would become as a document, and keep it for a while for the form that adds it; nothing is stored in the record',
    access: fullControl,
    onlyLooks: true,
    params: inRecord,
    query: Joi.object<ToPreview>({
      name: characters(255).allow('').default(''),
      mediaType: characters(255).allow('').lowercase().default(''),
      asFile: Joi.boolean().default(false),
      from: characters(300).empty(''),
      signature: Joi.string().valid('checked', 'unchecked', 'wrong').empty(''),
    }).unknown(true),
    body: documentBytes,
    reply: behindDoors<Preview>(),
    handle: previewDocument,
  }),
  documentLinkReceive: route({
    name: 'document_link_receive',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/link',
    summary:
      'Fetch what is behind a health link or card of somebody else, to look at it; nothing is stored in the record',
    access: fullControl,
    onlyLooks: true,
    params: inRecord,
    body: form<LinkToFetch>({
      link: Joi.string().max(MOST_OF_LINK).required(),
      passcode: characters(100).allow('').default(''),
    }),
    reply: behindDoors<Received>(),
    handle: receiveLink,
  }),
  documentKeptFile: route({
    name: 'document_kept_file',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/kept-file',
    summary: 'The document that a form of this session would add, while its file is kept',
    access: fullControl,
    params: inRecord,
    query: ofFile,
    reply: behindDoors<KeptDocument>(),
    handle: readKept,
  }),
  documentKeptPicture: route({
    name: 'document_kept_picture',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/kept-picture',
    summary: 'A page of a file as a picture that a form of this session would add, while the file is kept',
    access: fullControl,
    params: inRecord,
    query: Joi.object<{ form: string; page: number }>({
      ...formKey,
      page: Joi.number().integer().min(1).max(9999).required(),
    }).unknown(true),
    reply: behindDoors<Buffer>(),
    handle: readKeptPicture,
  }),
  documentIncoming: route({
    name: 'document_incoming',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/incoming',
    summary: 'How far a file of many documents is that this session has sent: read, added, refused, and what is in it',
    access: fullControl,
    params: inRecord,
    query: Joi.object<OfIncoming>(formKey).unknown(true),
    reply: behindDoors<IncomingSeen>(),
    handle: readIncoming,
  }),
  documentIncomingBegin: route({
    name: 'document_incoming_begin',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/incoming/',
    summary:
      'A file of many documents was received at a door: it lies sealed on this machine, for this session and half an hour',
    access: fullControl,
    onlyLooks: true,
    params: inRecord,
    body: form<NewIncoming>({
      ...formKey,
      name: characters(255).required(),
      several: Joi.number().integer().min(1),
      size: Joi.number().integer().min(0).required(),
      beginning: Joi.string().base64().allow('').max(8192).required(),
    }),
    reply: behindDoors<void>(),
    handle: beginIncoming,
  }),
  documentIncomingRead: route({
    name: 'document_incoming_read',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/incoming/read',
    summary: 'Read a file of many documents to its end, as its format takes it in; nothing is stored in the record',
    access: fullControl,
    onlyLooks: true,
    params: inRecord,
    body: form<ToRead>({ ...formKey, time_zone: timeZone.required() }),
    reply: behindDoors<void>(),
    handle: readIncomingFile,
  }),
  documentTable: route({
    name: 'document_table',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/table',
    summary: 'The first rows of a table that this session has sent, what its columns may be, and what has to be asked',
    access: fullControl,
    params: inRecord,
    query: Joi.object<OfIncoming>(formKey).unknown(true),
    reply: behindDoors<TableSeen>(),
    handle: readTable,
  }),
  documentTableDescribe: route({
    name: 'document_table_describe',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/table',
    summary:
      'Say what the columns of a table are, how its dates and numbers are written and which units it has; kept for the next table with the same heads',
    access: fullControl,
    onlyLooks: true,
    params: inRecord,
    body: form<Describing>({ ...formKey, answers: Joi.string().max(4000).required() }),
    reply: behindDoors<TableSeen>(),
    handle: describeTable,
  }),
  documentIncomingAdd: route({
    name: 'document_incoming_add',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/incoming/add',
    summary: 'Store the next document of a file that was read; one that the record has is not stored again',
    access: fullControl,
    params: inRecord,
    body: form<ToAdd>({ ...formKey, as_files: Joi.boolean() }),
    reply: behindDoors<IncomingSeen>(),
    handle: addNextOfIncoming,
  }),
  documentIncomingKeep: route({
    name: 'document_incoming_keep',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/incoming/keep',
    summary:
      'Keep a file that was refused as a whole for the form that adds it as a file; nothing is stored in the record',
    access: fullControl,
    params: inRecord,
    body: form<OfIncoming>(formKey),
    reply: behindDoors<{ readonly form: string }>(),
    handle: keepIncoming,
  }),
  documentForm: route({
    name: 'document_form',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/form',
    summary: 'Which document a form of this session has added',
    access: fullControl,
    params: inRecord,
    query: anyForm,
    reply: behindDoors<FormState>(),
    handle: findForm,
  }),
  documentTyped: route({
    name: 'document_typed',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/typed',
    summary: 'What a document says that was typed into a form, so that it can be corrected',
    access: fullControl,
    params: inRecordDocument,
    reply: behindDoors<Typed>(),
    handle: readTyped,
  }),
  documentDetails: route({
    name: 'document_details',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/details',
    summary: 'Say the day of care, the kind and the tags of a document; the document itself stays as it is',
    access: fullControl,
    params: inRecordDocument,
    body: form<Details>({
      date: characters(10).allow('').default(''),
      kind: characters(100).allow('').default(''),
      tags: characters(1000).allow('').default(''),
    }),
    reply: behindDoors<void>(),
    handle: setDetails,
  }),
  documentTakeIn: route({
    name: 'document_take_in',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/take-in',
    summary: 'Take in a fact of a document that was left out when the document was added',
    access: fullControl,
    params: inRecordDocument,
    body: form<ToTakeIn>({ fact: characters(100).required() }),
    reply: behindDoors<void>(),
    handle: takeInFact,
  }),
  documentUndo: route({
    name: 'document_undo',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/undo',
    summary: 'Take back a document that the same account added within the last ten minutes: it is void',
    access: fullControl,
    params: inRecordDocument,
    reply: behindDoors<void>(),
    handle: undoDocument,
  }),
};

/** door-routes: operations of documents that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { characters, documentBytes, inRecord, inRecordDocument } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { findForm, previewDocument, readKept, readTyped, type FormState, type Preview, type Typed } from './preview';
import type { FileInfo, KeptFile } from './kept-files';

const ofForm = Joi.object<{ form: string }>({ form: characters(100).required() }).unknown(true);

export const routes = [
  route({
    name: 'document_preview',
    method: 'POST',
    path: '/records/{RECORD_ID}/documents/preview',
    summary:
      'What a file would become as a document, and keep it for a while for the form that adds it; nothing is stored in the record',
    access: fullControl,
    params: inRecord,
    query: Joi.object<FileInfo>({
      name: characters(255).allow('').default(''),
      mediaType: characters(255).allow('').lowercase().default(''),
    }).unknown(true),
    body: documentBytes,
    reply: behindDoors<Preview>(),
    handle: previewDocument,
  }),
  route({
    name: 'document_kept_file',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/kept-file',
    summary: 'The file that a form of this session would add, while it is kept',
    access: fullControl,
    params: inRecord,
    query: ofForm,
    reply: behindDoors<KeptFile>(),
    handle: readKept,
  }),
  route({
    name: 'document_form',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/form',
    summary: 'Which document a form of this session has added',
    access: fullControl,
    params: inRecord,
    query: ofForm,
    reply: behindDoors<FormState>(),
    handle: findForm,
  }),
  route({
    name: 'document_typed',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/typed',
    summary: 'What a document says that was typed into a form, so that it can be corrected',
    access: fullControl,
    params: inRecordDocument,
    reply: behindDoors<Typed>(),
    handle: readTyped,
  }),
];

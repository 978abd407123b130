/** routes: the operations on resources that the FHIR door calls. Their addresses are those below `/fhir`. */
import Joi from 'joi';
import { anybody, smartCreate, smartRead, smartSearch } from '../../core/access/rules';
import { documentBytes, inPath } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import type { Resource, Versioned } from '../../core/fhir/resource';
import { createResources, type Created, type CreateQuery } from './write/creating';
import { describeDoor } from './read/describe';
import {
  beginExport,
  endExport,
  readExport,
  readExportFile,
  type ExportContent,
  type ExportQuery,
  type ExportState,
} from './bulk/exporting';
import { readBinary, readHistory, readResource, readVersion, type BinaryContent, type History } from './read/reading';
import { findDocumentReferences, summarize, readEverything, type DocrefQuery, type Everything } from './read/summaries';
import type { PagedQuery } from './names';
import { searchResources } from './search/search';
import type { Found, Searched } from './search/searcher';

const inResource = inPath('TYPE', 'ID');

const searched = Joi.object<Searched>({
  search: Joi.string().allow('').default(''),
  strict: Joi.boolean().default(false),
});

const paged = Joi.object<PagedQuery>({
  used: Joi.string().allow('').max(8000).default(''),
  _page: Joi.string().allow('').max(16_000).default(''),
});

const created = Joi.object<CreateQuery>({ unless: Joi.string().allow('').max(2000).default('') });

export const operations = {
  fhirMetadata: route({
    name: 'fhir_metadata',
    method: 'GET',
    path: '/fhir/metadata',
    summary: 'What the FHIR door can do',
    access: anybody,
    page: true,
    reply: behindDoors<Resource>(),
    handle: describeDoor,
  }),
  fhirRead: route({
    name: 'fhir_read',
    method: 'GET',
    path: '/fhir/{TYPE}/{ID}',
    summary: 'Read a resource',
    access: smartRead,
    params: inResource,
    reply: behindDoors<Versioned>(),
    handle: readResource,
  }),
  fhirContent: route({
    name: 'fhir_content',
    method: 'GET',
    path: '/fhir/Binary/{ID}',
    summary: 'Read the bytes of a Binary as they were stored',
    access: smartRead,
    params: inResource,
    reply: behindDoors<BinaryContent>(),
    handle: readBinary,
  }),
  fhirVread: route({
    name: 'fhir_vread',
    method: 'GET',
    path: '/fhir/{TYPE}/{ID}/_history/{VERSION}',
    summary: 'Read a resource as it was',
    access: smartRead,
    params: inPath('TYPE', 'ID', 'VERSION'),
    reply: behindDoors<Versioned>(),
    handle: readVersion,
  }),
  fhirHistory: route({
    name: 'fhir_history',
    method: 'GET',
    path: '/fhir/{TYPE}/{ID}/_history',
    summary: 'Read the states of a resource, the newest first',
    access: smartRead,
    params: inResource,
    query: paged,
    reply: behindDoors<History>(),
    handle: readHistory,
  }),
  fhirSearch: route({
    name: 'fhir_search',
    method: 'GET',
    path: '/fhir/{TYPE}',
    summary: 'Search the resources of a type',
    access: smartSearch,
    params: inPath('TYPE'),
    query: searched,
    reply: behindDoors<Found>(),
    handle: searchResources,
  }),
  fhirCreate: route({
    name: 'fhir_create',
    method: 'POST',
    path: '/fhir/{TYPE}',
    summary: 'Store a resource as a document of the record',
    access: smartCreate,
    params: inPath('TYPE'),
    query: created,
    body: documentBytes,
    reply: behindDoors<Created>(),
    handle: createResources,
  }),
  fhirCreateBundle: route({
    name: 'fhir_create_bundle',
    method: 'POST',
    path: '/fhir',
    summary: 'Store a Bundle of new resources as a document of the record',
    access: smartCreate,
    params: inPath('TYPE'),
    query: created,
    body: documentBytes,
    reply: behindDoors<Created>(),
    handle: createResources,
  }),
  fhirEverything: route({
    name: 'fhir_everything',
    method: 'GET',
    path: '/fhir/Patient/{ID}/$everything',
    summary: 'Read all of a record that the token opens',
    access: smartRead,
    params: inResource,
    query: paged,
    reply: behindDoors<Everything>(),
    handle: readEverything,
  }),
  fhirExport: route({
    name: 'fhir_export',
    method: 'GET',
    path: '/fhir/Patient/{ID}/$export',
    summary: 'Ask for files with all of a record that the token opens',
    access: smartRead,
    params: inResource,
    query: Joi.object<ExportQuery>({
      _type: Joi.string().allow('').max(2000).default(''),
      _since: Joi.string().allow('').max(60).default(''),
      _outputFormat: Joi.string().allow('').max(60).default(''),
      _elements: Joi.string().allow('').max(2000).default(''),
      filters: Joi.string().allow('').max(8000).default(''),
      asked: Joi.string().max(20_000).required(),
    }),
    reply: behindDoors<string>(),
    handle: beginExport,
  }),
  fhirExportStatus: route({
    name: 'fhir_export_status',
    method: 'GET',
    path: '/fhir/export/{JOB}',
    summary: 'Ask how far an export is, and which files it has',
    access: smartRead,
    params: inPath('TYPE', 'JOB'),
    reply: behindDoors<ExportState>(),
    handle: readExport,
  }),
  fhirExportEnd: route({
    name: 'fhir_export_end',
    method: 'DELETE',
    path: '/fhir/export/{JOB}',
    summary: 'Give up an export with its files',
    access: smartRead,
    params: inPath('TYPE', 'JOB'),
    reply: behindDoors<void>(),
    handle: endExport,
  }),
  fhirExportFile: route({
    name: 'fhir_export_file',
    method: 'GET',
    path: '/fhir/export/{JOB}/{FILE}',
    summary: 'Fetch a file of an export',
    access: smartRead,
    params: inPath('TYPE', 'JOB', 'FILE'),
    reply: behindDoors<ExportContent>(),
    handle: readExportFile,
  }),
  fhirSummary: route({
    name: 'fhir_summary',
    method: 'GET',
    path: '/fhir/Patient/{ID}/$summary',
    summary: 'Read what is known of the person as a patient summary',
    access: smartRead,
    params: inResource,
    reply: behindDoors<Resource>(),
    handle: summarize,
  }),
  fhirDocref: route({
    name: 'fhir_docref',
    method: 'GET',
    path: '/fhir/DocumentReference/$docref',
    summary: 'Find documents of a record, the latest one where no time is named',
    access: smartSearch,
    params: inPath('TYPE'),
    query: Joi.object<DocrefQuery>({
      patient: Joi.string().max(300).required(),
      start: Joi.string().allow('').max(60).default(''),
      end: Joi.string().allow('').max(60).default(''),
      type: Joi.string().allow('').max(2000).default(''),
      onDemand: Joi.boolean().default(false),
      profile: Joi.string().allow('').max(2000).default(''),
    }),
    reply: behindDoors<Found>(),
    handle: findDocumentReferences,
  }),
};

/** system: version, health, metrics and the API reference. */
import Joi from 'joi';
import { anybody } from '../../core/access/rules';
import { json, plainText } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { referenceFile, metricsText } from './serialize';
import { readCapabilities, readFile, readMetrics, readOpenApi, readReadiness, readVersion, readReference, reportLive } from './service';

export const routes = [
  route({
    name: 'version', method: 'GET', path: '/version',
    summary: 'The version of this service',
    access: anybody,
    reply: plainText,
    handle: readVersion,
  }),
  route({
    name: 'capabilities', method: 'GET', path: '/capabilities/',
    summary: 'Which kinds of the platform vocabulary this service serves, and how',
    access: anybody,
    reply: json,
    handle: readCapabilities,
  }),
  route({
    name: 'health_live', method: 'GET', path: '/health/live',
    summary: 'Is the process alive',
    access: anybody, page: true,
    reply: json,
    handle: reportLive,
  }),
  route({
    name: 'health_ready', method: 'GET', path: '/health/ready',
    summary: 'May requests be sent here: the database answers and the service is not stopping',
    access: anybody, page: true,
    reply: json,
    handle: readReadiness,
  }),
  route({
    name: 'metrics', method: 'GET', path: '/metrics',
    summary: 'Counts and times of this process as Prometheus text',
    access: anybody, page: true,
    reply: metricsText,
    handle: readMetrics,
  }),
  route({
    name: 'openapi', method: 'GET', path: '/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    access: anybody, page: true,
    reply: json,
    handle: readOpenApi,
  }),
  route({
    name: 'start_page', method: 'GET', path: '/',
    summary: 'The API reference, for who opens the address of the service in a browser',
    access: anybody, page: true,
    reply: referenceFile,
    handle: readReference,
  }),
  route({
    name: 'api_reference', method: 'GET', path: '/docs',
    summary: 'The API reference as a page to read and try',
    access: anybody, page: true,
    reply: referenceFile,
    handle: readReference,
  }),
  route({
    name: 'api_reference_file', method: 'GET', path: '/docs/{FILE}',
    summary: 'The files of the API reference',
    access: anybody, page: true,
    params: Joi.object<{ FILE: string }>({ FILE: Joi.string().required() }),
    reply: referenceFile,
    handle: readFile,
  }),
];

/** routes: coding systems, open to everybody. */
import Joi from 'joi';
import { anybodyUnchecked } from '../../core/access/rules';
import { inPath } from '../../core/http/inputs';
import { json, notImplemented } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { listSystems, querySystem } from './service';

export const operations = {
  codingSystemsList: route({
    name: 'coding_systems_list',
    method: 'GET',
    path: '/codes/systems/',
    summary: 'Not implemented: always answers 500',
    access: anybodyUnchecked,
    reply: notImplemented,
    handle: listSystems,
  }),
  codingSystemQuery: route({
    name: 'coding_system_query',
    method: 'GET',
    path: '/codes/systems/{SYSTEM_SHORT_NAME}/query',
    summary: 'Find codes by a part of their name',
    access: anybodyUnchecked,
    params: inPath('SYSTEM_SHORT_NAME'),
    query: Joi.object<{ q: string }>({ q: Joi.string().allow('').max(250).default('') }).unknown(true),
    reply: json,
    fails: { 429: 'too many searches from one network', 503: 'too many search at once' },
    handle: querySystem,
  }),
};

export const routes = Object.values(operations);

/** visit-routes: operations for the visits that documents tell of, which only doors call. */
import Joi from 'joi';
import { mayReadCarenet, mayReadRecord } from '../../core/access/rules';
import { inCarenet, inPath, inRecord, timeZone } from '../../core/http/inputs';
import { seekingKeys, type Seeking } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { readVisit, readVisits, type Visits, type VisitView } from './visits';

const MOST = 100;

const list = {
  method: 'GET' as const,
  query: Joi.object<Seeking>(seekingKeys(MOST)).unknown(true),
  reply: behindDoors<Visits>(),
  handle: readVisits,
};
const one = {
  method: 'GET' as const,
  query: Joi.object<{ zone?: string }>({ zone: timeZone }).unknown(true),
  reply: behindDoors<VisitView>(),
  handle: readVisit,
};

export const operations = {
  recordVisits: route({
    ...list,
    name: 'record_visits',
    path: '/records/{RECORD_ID}/visits',
    summary: 'Visits that documents of a record tell of, newest first',
    access: mayReadRecord,
    params: inRecord,
  }),
  carenetVisits: route({
    ...list,
    name: 'carenet_visits',
    path: '/carenets/{CARENET_ID}/visits',
    summary: 'Visits that documents in a carenet tell of, newest first',
    access: mayReadCarenet,
    params: inCarenet,
  }),
  recordVisit: route({
    ...one,
    name: 'record_visit',
    path: '/records/{RECORD_ID}/visits/{VISIT_ID}',
    summary: 'A visit in a record, and what belongs to it',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'VISIT_ID'),
  }),
  carenetVisit: route({
    ...one,
    name: 'carenet_visit',
    path: '/carenets/{CARENET_ID}/visits/{VISIT_ID}',
    summary: 'A visit that a carenet contains, and what belongs to it',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'VISIT_ID'),
  }),
};

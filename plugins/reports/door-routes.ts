/** door-routes: operations of reports that only doors call: they have no address in the interface. */
import Joi from 'joi';
import {
  anyOf,
  appInCarenet,
  appWithAccess,
  appWithAccessToCarenetRecord,
  carenetFullControl,
  carenetMember,
  fullControl,
} from '../../core/access/rules';
import { inCarenet, inRecord, wholeNumber } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { readRecordTimeline, type Timeline, type TimelineQuery } from './timeline';

const mayReadRecord = anyOf(appWithAccess, fullControl);
const mayReadCarenet = anyOf(carenetMember, appInCarenet, appWithAccessToCarenetRecord, carenetFullControl);

const MOST = 100;

/** A day as YYYY-MM-DD. */
const day = Joi.string()
  .empty('')
  .pattern(/^\d{4}-\d\d-\d\d$/)
  .custom((value: string, helpers) => (Number.isNaN(Date.parse(value)) ? helpers.error('date.base') : value));

const timelineQuery = Joi.object<TimelineQuery>({
  kind: Joi.string().empty('').max(255),
  from: day,
  to: day,
  limit: wholeNumber.max(MOST).default(MOST),
  offset: wholeNumber.default(0),
}).unknown(true);

export const routes = [
  route({
    name: 'record_timeline',
    method: 'GET',
    path: '/records/{RECORD_ID}/timeline',
    summary: 'Facts of every model of a record by their own dates',
    access: mayReadRecord,
    params: inRecord,
    query: timelineQuery,
    reply: behindDoors<Timeline>(),
    handle: readRecordTimeline,
  }),
  route({
    name: 'carenet_timeline',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/timeline',
    summary: 'Facts of every model in a carenet by their own dates',
    access: mayReadCarenet,
    params: inCarenet,
    query: timelineQuery,
    reply: behindDoors<Timeline>(),
    handle: readRecordTimeline,
  }),
];

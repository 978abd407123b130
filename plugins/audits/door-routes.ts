/** door-routes: operations of audits that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { inRecord, timeZone } from '../../core/http/inputs';
import { seekingKeys } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { readAuditHistory, type History, type HistoryQuery } from './history';

const MOST = 1000;

const time = Joi.string().pattern(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

export const operations = {
  recordHistory: route({
    name: 'record_history',
    method: 'GET',
    path: '/records/{RECORD_ID}/history',
    summary: 'Who saw and did what with a record, refused attempts too, and whether the log is unbroken',
    access: fullControl,
    params: inRecord,
    query: Joi.object<HistoryQuery>({
      ...seekingKeys(MOST),
      who: Joi.string().max(255),
      not: Joi.string().max(255),
      folded: Joi.string().max(255),
      looks: Joi.string().default(''),
      zone: timeZone.default('UTC'),
      functions: Joi.string(),
      refused: Joi.boolean(),
      from: time,
      to: time,
      check: Joi.boolean().default(true),
    }).unknown(true),
    reply: behindDoors<History>(),
    handle: readAuditHistory,
  }),
};

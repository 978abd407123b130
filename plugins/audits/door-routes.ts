/** door-routes: operations of audits that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { inRecord, pagingKeys } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { readHistory, type History, type HistoryQuery } from './history';

const time = Joi.string().pattern(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

export const routes = [
  route({
    name: 'record_history',
    method: 'GET',
    path: '/records/{RECORD_ID}/history',
    summary: 'Who saw and did what with a record, refused attempts too, and whether the log is unbroken',
    access: fullControl,
    params: inRecord,
    query: Joi.object<HistoryQuery>({
      limit: pagingKeys.limit,
      offset: pagingKeys.offset,
      who: Joi.string().max(255),
      functions: Joi.string(),
      refused: Joi.boolean(),
      from: time,
      to: time,
      check: Joi.boolean().default(true),
    }).unknown(true),
    reply: behindDoors<History>(),
    handle: readHistory,
  }),
];

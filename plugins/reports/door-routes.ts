/** door-routes: operations of reports that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { mayReadCarenet, mayReadRecord } from '../../core/access/rules';
import { characters, inCarenet, inPath, inRecord, rawQuery, timeZone } from '../../core/http/inputs';
import { seekingKeys } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { readMeasured } from './measured';
import { readOverview, type Overview } from './overview';
import { operations as people } from './people-routes';
import { readQuestions, type Questions } from './questions';
import { readResults, resultsQuery, type ResultsView } from './results';
import { readFacts, readSeries, type FactsView, type SeriesView } from './series';
import { searchFacts, type FoundFacts, type SearchQuery } from './search';
import { readRecordTimeline, type Timeline, type TimelineQuery } from './timeline';
import { operations as visits } from './visit-routes';

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
  year: Joi.string()
    .pattern(/^\d{4}$/)
    .empty(''),
  zone: timeZone,
  ...seekingKeys(MOST),
}).unknown(true);

const facts = { method: 'GET' as const, query: rawQuery, reply: behindDoors<FactsView>(), handle: readFacts };
const series = { method: 'GET' as const, query: rawQuery, reply: behindDoors<SeriesView>(), handle: readSeries };
const measured = {
  method: 'GET' as const,
  query: rawQuery,
  reply: behindDoors<Awaited<ReturnType<typeof readMeasured>>>(),
  handle: readMeasured,
};
const overview = { method: 'GET' as const, query: rawQuery, reply: behindDoors<Overview>(), handle: readOverview };

const results = { method: 'GET' as const, query: resultsQuery, reply: behindDoors<ResultsView>(), handle: readResults };
const searchQuery = Joi.object<SearchQuery>({
  q: characters(200).required(),
  means: Joi.string().max(4000).empty(''),
  language: Joi.string().max(10).default('en'),
  zone: timeZone,
  limit: Joi.number().integer().min(1).max(MOST).default(40),
}).unknown(true);

export const operations = {
  recordFind: route({
    name: 'record_find',
    method: 'GET',
    path: '/records/{RECORD_ID}/find',
    summary: 'Facts of every model of a record that contain all words',
    access: mayReadRecord,
    params: inRecord,
    query: searchQuery,
    reply: behindDoors<FoundFacts>(),
    handle: searchFacts,
  }),
  carenetFind: route({
    name: 'carenet_find',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/find',
    summary: 'Facts of every model in a carenet that contain all words',
    access: mayReadCarenet,
    params: inCarenet,
    query: searchQuery,
    reply: behindDoors<FoundFacts>(),
    handle: searchFacts,
  }),
  recordTimeline: route({
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
  carenetTimeline: route({
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
  recordFacts: route({
    ...facts,
    name: 'record_facts',
    path: '/records/{RECORD_ID}/facts/{DATA_MODEL}/',
    summary: 'A page of facts of a record, as the report answers it in SDMJ',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'DATA_MODEL'),
  }),
  carenetFacts: route({
    ...facts,
    name: 'carenet_facts',
    path: '/carenets/{CARENET_ID}/facts/{DATA_MODEL}/',
    summary: 'A page of facts that a carenet contains, as the report answers it in SDMJ',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DATA_MODEL'),
  }),
  recordSeries: route({
    ...series,
    name: 'record_series',
    path: '/records/{RECORD_ID}/series/{DATA_MODEL}/',
    summary: 'Readings of a record by year or month, and the points of a chart',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'DATA_MODEL'),
  }),
  carenetSeries: route({
    ...series,
    name: 'carenet_series',
    path: '/carenets/{CARENET_ID}/series/{DATA_MODEL}/',
    summary: 'Readings that a carenet contains by year or month, and the points of a chart',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'DATA_MODEL'),
  }),
  recordMeasured: route({
    ...measured,
    name: 'record_measured',
    path: '/records/{RECORD_ID}/measured',
    summary: 'Which measures have readings in a record, with the first and the last date of each',
    access: mayReadRecord,
    params: inRecord,
  }),
  carenetMeasured: route({
    ...measured,
    name: 'carenet_measured',
    path: '/carenets/{CARENET_ID}/measured',
    summary: 'Which measures have readings in a carenet, with the first and the last date of each',
    access: mayReadCarenet,
    params: inCarenet,
  }),
  recordOverview: route({
    ...overview,
    name: 'record_overview',
    path: '/records/{RECORD_ID}/overview',
    summary: 'What the first page of a record says of its facts',
    access: mayReadRecord,
    params: inRecord,
  }),
  carenetOverview: route({
    ...overview,
    name: 'carenet_overview',
    path: '/carenets/{CARENET_ID}/overview',
    summary: 'What the first page of a carenet says of the facts that it contains',
    access: mayReadCarenet,
    params: inCarenet,
  }),
  recordQuestions: route({
    name: 'record_questions',
    method: 'GET',
    path: '/records/{RECORD_ID}/questions',
    summary: 'Pairs of lines of a record that are perhaps the same',
    access: mayReadRecord,
    params: inRecord,
    query: rawQuery,
    reply: behindDoors<Questions>(),
    handle: readQuestions,
  }),
  recordResults: route({
    ...results,
    name: 'record_results',
    path: '/records/{RECORD_ID}/results',
    summary: 'Results of laboratory tests of a record, newest first',
    access: mayReadRecord,
    params: inRecord,
  }),
  carenetResults: route({
    ...results,
    name: 'carenet_results',
    path: '/carenets/{CARENET_ID}/results',
    summary: 'Results of laboratory tests that a carenet contains, newest first',
    access: mayReadCarenet,
    params: inCarenet,
  }),
  ...visits,
  ...people,
};

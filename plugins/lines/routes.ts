/** routes: what a caller may read of the lines of a record, or of those of what a carenet contains. */
import { mayReadCarenet, mayReadRecord } from '../../core/access/rules';
import { inPath } from '../../core/http/inputs';
import { route } from '../../core/http/route';
import { lineQuery, linesQuery } from './inputs';
import { lineReply, linesReply } from './serialize';
import { listLines, readLine } from './service';

export const operations = {
  recordLines: route({
    name: 'record_lines',
    method: 'GET',
    path: '/records/{RECORD_ID}/lines/{MODEL}/',
    summary: 'List what was said in a record of one data model, with a line for what is the same',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'MODEL'),
    query: linesQuery,
    reply: linesReply,
    handle: listLines,
  }),
  recordLine: route({
    name: 'record_line',
    method: 'GET',
    path: '/records/{RECORD_ID}/lines/{MODEL}/{LINE_ID}',
    summary: 'Read one line of a record; the id of any of its statements leads to it',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'MODEL', 'LINE_ID'),
    query: lineQuery,
    reply: lineReply,
    handle: readLine,
  }),
  carenetLines: route({
    name: 'carenet_lines',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/lines/{MODEL}/',
    summary: 'List what was said in a carenet of one data model, with a line for what is the same',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'MODEL'),
    query: linesQuery,
    reply: linesReply,
    handle: listLines,
  }),
  carenetLine: route({
    name: 'carenet_line',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/lines/{MODEL}/{LINE_ID}',
    summary: 'Read one line of a carenet; the id of any of its statements leads to it',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'MODEL', 'LINE_ID'),
    query: lineQuery,
    reply: lineReply,
    handle: readLine,
  }),
};

export const routes = Object.values(operations);

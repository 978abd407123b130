/** routes: the operations of pages for doctors, which only the website calls. */
import Joi from 'joi';
import { mayReadCarenet, mayReadRecord } from '../../../core/access/rules';
import { languages } from '../../../core/base/languages';
import { isTimeZone } from '../../../core/base/time-zones';
import { characters, inPath } from '../../../core/http/inputs';
import { behindDoors } from '../../../core/http/replies';
import { route } from '../../../core/http/route';
import { printPaper, readPaper, type PaperQuery, type PaperView } from './papers';

const MONTHS_PRESET = 12;
const MOST_MONTHS = 1200;

const query = Joi.object<PaperQuery>({
  kinds: Joi.string().max(400).allow('').default(''),
  months: Joi.number().integer().min(1).max(MOST_MONTHS).default(MONTHS_PRESET),
  charts: Joi.boolean().default(true),
  words: Joi.boolean().default(true),
  language: Joi.string()
    .valid(...Object.keys(languages))
    .default('en'),
  zone: characters(64)
    .custom((value: string, helpers) => (value === 'UTC' || isTimeZone(value) ? value : helpers.error('any.invalid')))
    .default('UTC'),
});

const inRecord = inPath('RECORD_ID');
const inCarenet = inPath('CARENET_ID');

export const routes = [
  route({
    name: 'record_paper',
    method: 'GET',
    path: '/records/{RECORD_ID}/paper',
    summary: 'What stands on the page of a record for a doctor',
    access: mayReadRecord,
    params: inRecord,
    query,
    reply: behindDoors<PaperView>(),
    handle: readPaper,
  }),
  route({
    name: 'record_paper_print',
    method: 'GET',
    path: '/records/{RECORD_ID}/paper.pdf',
    summary: 'Print the page of a record for a doctor as a PDF',
    access: mayReadRecord,
    params: inRecord,
    query,
    reply: behindDoors<Buffer>(),
    handle: printPaper,
  }),
  route({
    name: 'carenet_paper',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/paper',
    summary: 'What stands on the page of a carenet for a doctor',
    access: mayReadCarenet,
    params: inCarenet,
    query,
    reply: behindDoors<PaperView>(),
    handle: readPaper,
  }),
  route({
    name: 'carenet_paper_print',
    method: 'GET',
    path: '/carenets/{CARENET_ID}/paper.pdf',
    summary: 'Print the page of a carenet for a doctor as a PDF',
    access: mayReadCarenet,
    params: inCarenet,
    query,
    reply: behindDoors<Buffer>(),
    handle: printPaper,
  }),
];

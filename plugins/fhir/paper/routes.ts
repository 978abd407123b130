/** routes: the operations of pages for doctors, which only the website calls. */
import Joi from 'joi';
import { fullControl, mayReadCarenet, mayReadRecord } from '../../../core/access/rules';
import { languages } from '../../../core/base/languages';
import { isTimeZone } from '../../../core/base/time-zones';
import { characters, form, inPath } from '../../../core/http/inputs';
import { behindDoors } from '../../../core/http/replies';
import { route } from '../../../core/http/route';
import { printCard, readCard, saveCard, type CardQuery, type CardView, type CardWish } from './cards';
import { printPaper, readPaper, type PaperQuery, type PaperView } from './papers';

const MONTHS_PRESET = 12;
const MOST_MONTHS = 1200;

const spoken = {
  language: Joi.string()
    .valid(...Object.keys(languages))
    .default('en'),
  zone: characters(64)
    .custom((value: string, helpers) => (value === 'UTC' || isTimeZone(value) ? value : helpers.error('any.invalid')))
    .default('UTC'),
};

const query = Joi.object<PaperQuery>({
  kinds: Joi.string().max(400).allow('').default(''),
  months: Joi.number().integer().min(1).max(MOST_MONTHS).default(MONTHS_PRESET),
  charts: Joi.boolean().default(true),
  words: Joi.boolean().default(true),
  ...spoken,
});
const cardQuery = Joi.object<CardQuery>(spoken);

/** Lines of people to call, each of them as long as in the details of a record. */
const MOST_PEOPLE = 10;
const LONGEST_PERSON = 200;
const people = Joi.string()
  .max(MOST_PEOPLE * (LONGEST_PERSON + 2))
  .allow('')
  .default('');
const LONGEST_NOTE = 120;
const note = characters(LONGEST_NOTE).trim().allow('').default('');

const inRecord = inPath('RECORD_ID');
const inCarenet = inPath('CARENET_ID');

export const operations = {
  recordPaper: route({
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
  recordPaperPrint: route({
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
  carenetPaper: route({
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
  carenetPaperPrint: route({
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
  recordCard: route({
    name: 'record_card',
    method: 'GET',
    path: '/records/{RECORD_ID}/card',
    summary: 'The emergency card of a record, and what a person can have on it',
    access: fullControl,
    params: inRecord,
    query: cardQuery,
    reply: behindDoors<CardView>(),
    handle: readCard,
  }),
  recordCardPrint: route({
    name: 'record_card_print',
    method: 'GET',
    path: '/records/{RECORD_ID}/card.pdf',
    summary: 'Print the emergency card of a record as a PDF',
    access: fullControl,
    params: inRecord,
    query: cardQuery,
    reply: behindDoors<Buffer>(),
    handle: printCard,
  }),
  recordCardSave: route({
    name: 'record_card_save',
    method: 'POST',
    path: '/records/{RECORD_ID}/card',
    summary: 'Say what is on the emergency card of a record',
    access: fullControl,
    params: inRecord,
    body: form<CardWish>({
      kinds: Joi.string().max(100).allow('').default(''),
      blood: Joi.boolean().default(false),
      contacts: people,
      own: people,
      organ: note,
      hasOrgan: Joi.boolean().default(false),
      directive: note,
      hasDirective: Joi.boolean().default(false),
    }),
    reply: behindDoors<void>(),
    handle: saveCard,
  }),
};

/** people-routes: operations for the doctors and places that documents name, which only doors call. */
import Joi from 'joi';
import { mayReadCarenet, mayReadRecord } from '../../core/access/rules';
import { characters, inCarenet, inPath, inRecord } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { readPeople, readPerson, type PeopleQuery, type Person, type PersonView } from './people';

const list = {
  method: 'GET' as const,
  query: Joi.object<PeopleQuery>({
    q: characters(200).empty(''),
    document: Joi.string().empty('').max(40),
  }).unknown(true),
  reply: behindDoors<readonly Person[]>(),
  handle: readPeople,
};
const one = { method: 'GET' as const, reply: behindDoors<PersonView>(), handle: readPerson };

export const operations = {
  recordPeople: route({
    ...list,
    name: 'record_people',
    path: '/records/{RECORD_ID}/people',
    summary: 'Doctors and places that documents of a record name',
    access: mayReadRecord,
    params: inRecord,
  }),
  carenetPeople: route({
    ...list,
    name: 'carenet_people',
    path: '/carenets/{CARENET_ID}/people',
    summary: 'Doctors and places that documents in a carenet name',
    access: mayReadCarenet,
    params: inCarenet,
  }),
  recordPerson: route({
    ...one,
    name: 'record_person',
    path: '/records/{RECORD_ID}/people/{PERSON_KEY}',
    summary: 'A doctor or place, and what they wrote and did',
    access: mayReadRecord,
    params: inPath('RECORD_ID', 'PERSON_KEY'),
  }),
  carenetPerson: route({
    ...one,
    name: 'carenet_person',
    path: '/carenets/{CARENET_ID}/people/{PERSON_KEY}',
    summary: 'A doctor or place that documents in a carenet name, and what they wrote and did there',
    access: mayReadCarenet,
    params: inPath('CARENET_ID', 'PERSON_KEY'),
  }),
};

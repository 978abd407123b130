/** door-routes: operations of carenets that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { form, inPath, inRecord, inRecordDocument } from '../../core/http/inputs';
import { seekingKeys } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import type { Told } from '../../core/outbox/invitations';
import type { TypeChange } from '../../core/sharing/store';
import { changeAutoshares, type TypeChanges } from './autoshares';
import { endPerson, listPeople, sharePerson, type PersonShare, type SeeingPeople } from './people';
import { readFactKinds, type FactKinds } from './kinds';
import { readKinds, readSharing, type SharedKinds, type SharingOverview, type SharingQuery } from './overview';
import { readWordCircles, type WordCircles } from './word-circles';

const MOST_CHANGES = 5000;
/** The most entries of each list on the page. */
const MOST = 100;
const { limit, place } = seekingKeys(MOST);

const list = Joi.array<readonly TypeChange[]>()
  .items(Joi.object<TypeChange>({ carenet: Joi.string().required(), type: Joi.string().max(255).required() }))
  .max(MOST_CHANGES);

/** A JSON list of carenets and types. */
const changes = Joi.string()
  .required()
  .custom((text: string): readonly TypeChange[] => {
    const { value, error } = list.validate(JSON.parse(text));
    if (error) {
      throw error;
    }
    return value;
  });

const inPerson = inPath('RECORD_ID', 'ACCOUNT_ID');

/** Names of kinds, separated by spaces. */
const kindNames = Joi.string()
  .allow('')
  .max(4000)
  .default('')
  .custom((text: string): readonly string[] => text.split(' ').filter(Boolean));

export const operations = {
  recordWhoSees: route({
    name: 'record_who_sees',
    method: 'GET',
    path: '/records/{RECORD_ID}/who-sees/',
    summary: 'Who sees a record, person by person: full shares for its owner, and carenets',
    access: fullControl,
    params: inRecord,
    query: Joi.object<{ account?: string }>({ account: Joi.string().empty('').max(255).lowercase() }).unknown(true),
    reply: behindDoors<SeeingPeople>(),
    handle: listPeople,
  }),
  recordPersonShare: route({
    name: 'record_person_share',
    method: 'POST',
    path: '/records/{RECORD_ID}/who-sees/{ACCOUNT_ID}',
    summary: 'Say which kinds of facts and which documents a person sees, and until which day',
    access: fullControl,
    params: inPerson,
    body: form<PersonShare>({
      kinds: kindNames,
      documents: Joi.string().valid('none', 'these', 'all', 'kept').default('none'),
      last_day: Joi.string().allow('').max(10).default(''),
      seeing: Joi.boolean().default(false),
    }),
    reply: behindDoors<Told>(),
    handle: sharePerson,
  }),
  recordPersonEnd: route({
    name: 'record_person_end',
    method: 'POST',
    path: '/records/{RECORD_ID}/who-sees/{ACCOUNT_ID}/end',
    summary: 'End every way by which a person sees the record; a full share, if its owner asks',
    access: fullControl,
    params: inPerson,
    reply: behindDoors<void>(),
    handle: endPerson,
  }),
  recordSharing: route({
    name: 'record_sharing',
    method: 'GET',
    path: '/records/{RECORD_ID}/sharing',
    summary: 'Who can see what of a record: how many people, and its carenets with their people, types and documents',
    access: fullControl,
    params: inRecord,
    query: Joi.object<SharingQuery>({
      limit,
      carenet: Joi.string().empty('').max(36),
      members: place,
      decided: place,
    }).unknown(true),
    reply: behindDoors<SharingOverview>(),
    handle: readSharing,
  }),
  recordSharedKinds: route({
    name: 'record_shared_kinds',
    method: 'GET',
    path: '/records/{RECORD_ID}/shared-kinds',
    summary: 'Which types of documents a record can share, and into which carenets it does',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<SharedKinds>(),
    handle: readKinds,
  }),
  recordFactKinds: route({
    name: 'record_fact_kinds',
    method: 'GET',
    path: '/records/{RECORD_ID}/fact-kinds',
    summary: 'Which kinds of facts carenets were given, and how many facts of how many documents each opens today',
    access: fullControl,
    params: inRecord,
    query: Joi.object<{ carenet?: string }>({ carenet: Joi.string().empty('').max(36) }).unknown(true),
    reply: behindDoors<FactKinds>(),
    handle: readFactKinds,
  }),
  recordWordCircles: route({
    name: 'record_word_circles',
    method: 'GET',
    path: '/records/{RECORD_ID}/documents/{DOCUMENT_ID}/word-circles',
    summary: 'Which carenets see everything that a word of the person is about, and do not contain the word',
    access: fullControl,
    params: inRecordDocument,
    reply: behindDoors<WordCircles>(),
    handle: readWordCircles,
  }),
  recordAutosharesChange: route({
    name: 'record_autoshares_change',
    method: 'POST',
    path: '/records/{RECORD_ID}/autoshare/changes',
    summary: 'Share types into carenets and end the sharing of others, all at once',
    access: fullControl,
    params: inRecord,
    body: form<TypeChanges>({ set: changes, unset: changes }),
    reply: behindDoors<void>(),
    handle: changeAutoshares,
  }),
};

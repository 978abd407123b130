/** door-routes: operations of carenets that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { fullControl } from '../../core/access/rules';
import { form, inRecord } from '../../core/http/inputs';
import { seekingKeys } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import type { TypeChange } from '../../core/sharing/store';
import { changeAutoshares, type TypeChanges } from './autoshares';
import { readFactKinds, type FactKinds } from './kinds';
import { readKinds, readSharing, type SharedKinds, type SharingOverview, type SharingQuery } from './overview';

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

export const routes = [
  route({
    name: 'record_sharing',
    method: 'GET',
    path: '/records/{RECORD_ID}/sharing',
    summary: 'Who can see what of a record: full shares for its owner, carenets with their people, types and documents',
    access: fullControl,
    params: inRecord,
    query: Joi.object<SharingQuery>({
      limit,
      shares: place,
      carenet: Joi.string().empty('').max(36),
      members: place,
      decided: place,
    }).unknown(true),
    reply: behindDoors<SharingOverview>(),
    handle: readSharing,
  }),
  route({
    name: 'record_shared_kinds',
    method: 'GET',
    path: '/records/{RECORD_ID}/shared-kinds',
    summary: 'Which types of documents a record can share, and into which carenets it does',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<SharedKinds>(),
    handle: readKinds,
  }),
  route({
    name: 'record_fact_kinds',
    method: 'GET',
    path: '/records/{RECORD_ID}/fact-kinds',
    summary: 'Which kinds of facts carenets were given, and how many facts of how many documents each opens today',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<FactKinds>(),
    handle: readFactKinds,
  }),
  route({
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
];

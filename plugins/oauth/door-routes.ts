/** door-routes: operations of the dance that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { anyAccount } from '../../core/access/rules';
import { form, inPath } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { approvePlacing } from './dance';
import type { Chosen } from '../../core/access/giving';
import { givingQuery } from '../../core/records/givable';
import { readChoices, refuse, type Choices } from './asking';

const inToken = inPath('REQTOKEN_ID');

export const operations = {
  requestTokenChoices: route({
    name: 'request_token_choices',
    method: 'GET',
    path: '/oauth/internal/request_tokens/{REQTOKEN_ID}/choices',
    summary: 'What the person who is asked may give the app: records, carenets; nothing is claimed',
    access: anyAccount,
    params: inToken,
    query: givingQuery,
    reply: behindDoors<Choices>(),
    handle: readChoices,
  }),
  requestTokenApprovePart: route({
    name: 'request_token_approve_part',
    method: 'POST',
    path: '/oauth/internal/request_tokens/{REQTOKEN_ID}/approve-part',
    summary: 'Approve a request token for a carenet and place the app there; answers where to send the browser',
    access: anyAccount,
    params: inToken,
    body: form<Chosen>({ carenet_id: Joi.string().required() }),
    reply: behindDoors<Readonly<Record<string, string>>>(),
    handle: approvePlacing,
  }),
  requestTokenRefuse: route({
    name: 'request_token_refuse',
    method: 'POST',
    path: '/oauth/internal/request_tokens/{REQTOKEN_ID}/refuse',
    summary: 'Say no to a request token, which ends it; answers where to send the browser',
    access: anyAccount,
    params: inToken,
    reply: behindDoors<{ readonly location: string }>(),
    handle: refuse,
  }),
};

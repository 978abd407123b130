/**
 * routes: an app subscribes to reports of a record, and is pinged when what it may read of them changes.
 */
import Joi from 'joi';
import { subscribingApp } from '../../core/access/rules';
import { form, inPath, paging } from '../../core/http/inputs';
import { ok } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { subscriptionList, subscriptionReply } from './serialize';
import { createSubscription, deleteSubscription, listSubscriptions, type NewSubscription } from './service';

const holder = inPath('record_id', 'pha_email');
const path = '/experimental/records/{record_id}/apps/{pha_email}/subscriptions/';

export const routes = [
  route({
    name: 'subscription_create',
    method: 'POST',
    path,
    summary: 'Be told when a report changes; the same report and callback again renew',
    access: subscribingApp,
    params: holder,
    reply: subscriptionReply,
    body: form<NewSubscription>({ url: Joi.string().max(500).required(), callback: Joi.string().max(500).required() }),
    handle: createSubscription,
  }),
  route({
    name: 'subscription_list',
    method: 'GET',
    path,
    summary: 'List the subscriptions of an app on a record',
    access: subscribingApp,
    params: holder,
    query: paging,
    reply: subscriptionList,
    handle: listSubscriptions,
  }),
  route({
    name: 'subscription_delete',
    method: 'DELETE',
    path: `${path}{subscription_id}`,
    summary: 'End a subscription; pings that have not left are dropped',
    access: subscribingApp,
    params: inPath('record_id', 'pha_email', 'subscription_id'),
    reply: ok,
    handle: deleteSubscription,
  }),
];

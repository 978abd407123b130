/** handover-routes: offering a record to another owner, and answering. Only doors call these operations. */
import Joi from 'joi';
import { recordOwner, sameAccount } from '../../core/access/rules';
import { form, inAccount, inPath, inRecord } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import type { Handover } from '../../core/records/handovers-store';
import { accept, decline, listOffers, offer, readOffer, withdraw, type Acceptance, type Offer } from './handovers';

const inOffer = inPath('ACCOUNT_EMAIL', 'RECORD_ID');
const keep = Joi.boolean().empty('').default(false);

export const operations = {
  recordHandover: route({
    name: 'record_handover',
    method: 'GET',
    path: '/records/{RECORD_ID}/handover',
    summary: 'To whom the owner has offered the record',
    access: recordOwner,
    params: inRecord,
    reply: behindDoors<Handover | null>(),
    handle: readOffer,
  }),
  recordHandoverOffer: route({
    name: 'record_handover_offer',
    method: 'POST',
    path: '/records/{RECORD_ID}/handover',
    summary: 'Offer the record to its next owner; nothing changes before they accept',
    access: recordOwner,
    params: inRecord,
    body: form<Offer>({ account_id: Joi.string().trim().lowercase().required(), keep }),
    reply: behindDoors<void>(),
    handle: offer,
  }),
  recordHandoverWithdraw: route({
    name: 'record_handover_withdraw',
    method: 'POST',
    path: '/records/{RECORD_ID}/handover/withdraw',
    summary: 'Take back the offer of a record',
    access: recordOwner,
    params: inRecord,
    reply: behindDoors<void>(),
    handle: withdraw,
  }),
  accountHandovers: route({
    name: 'account_handovers',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/handovers/',
    summary: 'Records that are offered to a person',
    access: sameAccount,
    params: inAccount,
    reply: behindDoors<readonly Handover[]>(),
    handle: listOffers,
  }),
  recordHandoverAccept: route({
    name: 'record_handover_accept',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/handovers/{RECORD_ID}/accept',
    summary: 'Become the owner of a record that its owner has offered',
    access: sameAccount,
    params: inOffer,
    body: form<Acceptance>({ keep }),
    reply: behindDoors<void>(),
    handle: accept,
  }),
  recordHandoverDecline: route({
    name: 'record_handover_decline',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/handovers/{RECORD_ID}/decline',
    summary: 'Say no to a record that is offered',
    access: sameAccount,
    params: inOffer,
    reply: behindDoors<void>(),
    handle: decline,
  }),
};

/** invitation-routes: inviting somebody by mail to see a record. Only doors call these operations. */
import Joi from 'joi';
import { anyAccount, anybody, fullControl } from '../../core/access/rules';
import { LONGEST_NAME, ONE_LINE } from '../../core/auth/full-name';
import { characters, form, inPath, inRecord } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  answerInvitation,
  come,
  invite,
  joinByInvitation,
  listInvitations,
  lookAtInvitation,
  sendInvitationAgain,
  takeBack,
  type SeenInvitation,
  type ShownInvitation,
  type Wish,
} from './invitations';

const inInvitation = inPath('RECORD_ID', 'INVITATION_ID');
const withSecret = inPath('INVITATION_SECRET');

export const operations = {
  recordInvitations: route({
    name: 'record_invitations',
    method: 'GET',
    path: '/records/{RECORD_ID}/invitations/',
    summary: 'Who is invited to see the record, and who came',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<readonly ShownInvitation[]>(),
    handle: listInvitations,
  }),
  recordInvite: route({
    name: 'record_invite',
    method: 'POST',
    path: '/records/{RECORD_ID}/invitations/',
    summary: 'Invite somebody by mail; they see nothing before they are let in',
    access: fullControl,
    params: inRecord,
    body: form<Wish>({
      name: characters(LONGEST_NAME).pattern(ONE_LINE).required(),
      email: characters(255).trim().lowercase().required(),
      gives: Joi.string().max(1900).required(),
    }),
    reply: behindDoors<void>(),
    handle: invite,
  }),
  recordInvitationAgain: route({
    name: 'record_invitation_again',
    method: 'POST',
    path: '/records/{RECORD_ID}/invitations/{INVITATION_ID}/again',
    summary: 'Mail an invitation again, with a new link',
    access: fullControl,
    params: inInvitation,
    reply: behindDoors<void>(),
    handle: sendInvitationAgain,
  }),
  recordInvitationTakeBack: route({
    name: 'record_invitation_take_back',
    method: 'POST',
    path: '/records/{RECORD_ID}/invitations/{INVITATION_ID}/end',
    summary: 'Take an invitation back',
    access: fullControl,
    params: inInvitation,
    reply: behindDoors<void>(),
    handle: takeBack,
  }),
  recordInvitationAnswer: route({
    name: 'record_invitation_answer',
    method: 'POST',
    path: '/records/{RECORD_ID}/invitations/{INVITATION_ID}/answer',
    summary: 'Let the person in who came by an invitation, or not',
    access: fullControl,
    params: inInvitation,
    body: form<{ yes: boolean }>({ yes: Joi.boolean().required() }),
    reply: behindDoors<void>(),
    handle: answerInvitation,
  }),
  invitationLook: route({
    name: 'invitation_look',
    method: 'GET',
    path: '/invitations/{INVITATION_SECRET}',
    summary: 'Who invites, if the link is good; looking changes nothing',
    access: anybody,
    params: withSecret,
    reply: behindDoors<SeenInvitation | null>(),
    handle: lookAtInvitation,
  }),
  invitationCome: route({
    name: 'invitation_come',
    method: 'POST',
    path: '/invitations/{INVITATION_SECRET}/come',
    summary: 'Say who came by an invitation',
    access: anyAccount,
    params: withSecret,
    reply: behindDoors<void>(),
    handle: come,
  }),
  invitationJoin: route({
    name: 'invitation_join',
    method: 'POST',
    path: '/invitations/{INVITATION_SECRET}/join',
    summary: 'Ask for an account at the invited address',
    access: anybody,
    params: withSecret,
    body: form<{ full_name: string; language: string }>({
      full_name: characters(LONGEST_NAME).pattern(ONE_LINE).required(),
      language: Joi.string().allow('').default(''),
    }),
    reply: behindDoors<string>(),
    handle: joinByInvitation,
  }),
};

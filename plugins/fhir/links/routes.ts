/**
 * routes: the operations of SMART Health Links, which only doors call. The website makes and ends links; whoever
 * has a link opens it.
 */
import Joi from 'joi';
import { anybody, fullControl } from '../../../core/access/rules';
import type { Id } from '../../../core/base/types';
import { languages } from '../../../core/base/languages';
import { characters, form, inPath, inRecord } from '../../../core/http/inputs';
import { behindDoors } from '../../../core/http/replies';
import { route } from '../../../core/http/route';
import {
  askHealthLink,
  openHealthLink,
  readLinkDocument,
  readLinkSummary,
  type LinkDocument,
  type LinkSummary,
  type OpenedLink,
  type Opener,
} from './link-opening';
import { fetchClinicLink, type Fetched, type FetchQuery } from './clinic-fetch';
import { makeClinicLink, readClinicDesk, type ClinicDesk, type ClinicWish } from './clinic-links';
import { endHealthLink, listHealthLinks, makeHealthLink, type LinkWish, type ShownLink } from './links';

function shortText(most: number): Joi.StringSchema {
  return characters(most).trim().allow('').default('');
}
/** The passcode as a person typed it. */
const passcode = characters(100).allow('').default('');
/** Shorter ones could be found within the guesses that a link allows. Spaces around it do not make it longer. */
const FEWEST_OF_PASSCODE = 6;
const newPasscode = passcode.custom((value: string, helpers) =>
  [...value.trim()].length < FEWEST_OF_PASSCODE ? helpers.error('string.min', { limit: FEWEST_OF_PASSCODE }) : value,
);

/** How long a link for clinics may be good, and what is preset. */
const MINUTES = [5, 15, 60, 1440, 2880];
const MINUTES_PRESET = 60;
const OPENINGS_PRESET = 5;

export const operations = {
  recordLinks: route({
    name: 'record_links',
    method: 'GET',
    path: '/records/{RECORD_ID}/links',
    summary: 'The health links of a record, with their openings',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<readonly ShownLink[]>(),
    handle: listHealthLinks,
  }),
  recordLinkCreate: route({
    name: 'record_link_create',
    method: 'POST',
    path: '/records/{RECORD_ID}/links',
    summary: 'Make a health link to a record or to one carenet of it',
    access: fullControl,
    params: inRecord,
    body: form<LinkWish>({
      label: shortText(80),
      passcode: newPasscode,
      expires: Joi.string().isoDate().allow('').default(''),
      carenet: shortText(36),
      documents: Joi.string().max(4000).allow('').default(''),
      openings: Joi.number().integer().min(1).max(1000).empty('').allow(null).default(null),
    }),
    reply: behindDoors<Id>(),
    handle: makeHealthLink,
  }),
  recordLinkEnd: route({
    name: 'record_link_end',
    method: 'POST',
    path: '/records/{RECORD_ID}/links/{LINK_ID}/end',
    summary: 'End a health link at once',
    access: fullControl,
    params: inPath('RECORD_ID', 'LINK_ID'),
    reply: behindDoors<void>(),
    handle: endHealthLink,
  }),
  recordClinic: route({
    name: 'record_clinic',
    method: 'GET',
    path: '/records/{RECORD_ID}/clinic',
    summary: 'What a person may show at a clinic, and the links for clinics that are open',
    access: fullControl,
    params: inRecord,
    reply: behindDoors<ClinicDesk>(),
    handle: readClinicDesk,
  }),
  recordClinicCreate: route({
    name: 'record_clinic_create',
    method: 'POST',
    path: '/records/{RECORD_ID}/clinic',
    summary: 'Make a link that a clinic scans, to a record or to one carenet of it',
    access: fullControl,
    params: inRecord,
    body: form<ClinicWish>({
      carenet: shortText(36),
      kinds: Joi.string().max(400).required(),
      minutes: Joi.number()
        .valid(...MINUTES)
        .default(MINUTES_PRESET),
      openings: Joi.number().integer().min(1).max(100).default(OPENINGS_PRESET),
      tells: Joi.boolean().default(false),
      words: Joi.boolean().default(true),
      language: Joi.string()
        .valid(...Object.keys(languages))
        .default('en'),
    }),
    reply: behindDoors<Id>(),
    handle: makeClinicLink,
  }),
  linkFetch: route({
    name: 'link_fetch',
    method: 'GET',
    path: '/c/{CLINIC_SECRET}',
    summary: 'Fetch what a link for clinics shows, encrypted with the key of the link',
    access: anybody,
    params: inPath('CLINIC_SECRET'),
    query: Joi.object<FetchQuery>({ recipient: Joi.string().allow('').default('') }),
    reply: behindDoors<Fetched | undefined>(),
    handle: fetchClinicLink,
  }),
  healthLink: route({
    name: 'health_link',
    method: 'GET',
    path: '/fhir/links/{HEALTH_LINK}',
    summary: 'Whether a health link asks for a passcode; it shows nothing of the record',
    access: anybody,
    params: inPath('HEALTH_LINK'),
    page: true,
    reply: behindDoors<{ readonly hasPasscode: boolean }>(),
    handle: askHealthLink,
  }),
  healthLinkOpen: route({
    name: 'health_link_open',
    method: 'POST',
    path: '/fhir/links/{HEALTH_LINK}',
    summary: 'Open a health link',
    access: anybody,
    params: inPath('HEALTH_LINK'),
    body: form<Opener>({ recipient: characters(200).trim().required(), passcode }),
    reply: behindDoors<OpenedLink>(),
    handle: openHealthLink,
  }),
  healthLinkSummary: route({
    name: 'health_link_summary',
    method: 'GET',
    path: '/fhir/links/{HEALTH_LINK}/{LINK_TICKET}/summary',
    summary: 'Read the summary of a health link that was opened',
    access: anybody,
    params: inPath('HEALTH_LINK', 'LINK_TICKET'),
    reply: behindDoors<LinkSummary>(),
    handle: readLinkSummary,
  }),
  healthLinkDocument: route({
    name: 'health_link_document',
    method: 'GET',
    path: '/fhir/links/{HEALTH_LINK}/{LINK_TICKET}/documents/{DOCUMENT_ID}',
    summary: 'Read a document of a health link that was opened',
    access: anybody,
    params: inPath('HEALTH_LINK', 'LINK_TICKET', 'DOCUMENT_ID'),
    reply: behindDoors<LinkDocument>(),
    handle: readLinkDocument,
  }),
};

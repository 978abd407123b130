/** routes: what a person does when an app asks through SMART. Only doors call these operations. */
import Joi from 'joi';
import type { Chosen } from '../../core/access/giving';
import { anyAccount, fullControl } from '../../core/access/rules';
import { form, inPath } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { givingQuery } from '../../core/records/givable';
import { approveQuestion, launchApp, readQuestion, refuseQuestion, type SmartQuestion } from './asking';

const inQuestion = inPath('SMART_REQUEST');

export const operations = {
  smartQuestion: route({
    name: 'smart_question',
    method: 'GET',
    path: '/oauth/internal/smart_requests/{SMART_REQUEST}',
    summary: 'What an app asks through SMART, and what the person who is asked may give it; nothing is changed',
    access: anyAccount,
    params: inQuestion,
    query: givingQuery,
    reply: behindDoors<SmartQuestion>(),
    handle: readQuestion,
  }),
  smartQuestionApprove: route({
    name: 'smart_question_approve',
    method: 'POST',
    path: '/oauth/internal/smart_requests/{SMART_REQUEST}/approve',
    summary: 'Say yes to an app for a record or a carenet, and put the app there; answers where to send the browser',
    access: anyAccount,
    params: inQuestion,
    body: form<Chosen>({ record_id: Joi.string().allow(''), carenet_id: Joi.string().allow('') }),
    reply: behindDoors<{ readonly location: string }>(),
    handle: approveQuestion,
  }),
  smartQuestionRefuse: route({
    name: 'smart_question_refuse',
    method: 'POST',
    path: '/oauth/internal/smart_requests/{SMART_REQUEST}/refuse',
    summary: 'Say no to an app; answers where to send the browser',
    access: anyAccount,
    params: inQuestion,
    reply: behindDoors<{ readonly location: string }>(),
    handle: refuseQuestion,
  }),
  smartLaunch: route({
    name: 'smart_launch',
    method: 'POST',
    path: '/records/{RECORD_ID}/apps/{PHA_EMAIL}/launch',
    summary: 'Open a SMART app for a record in which it is: answers its start address with iss and launch',
    access: fullControl,
    params: inPath('RECORD_ID', 'PHA_EMAIL'),
    reply: behindDoors<{ readonly location: string } | undefined>(),
    handle: launchApp,
  }),
};

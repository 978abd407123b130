/** factor-routes: operations for the code beside the password, which only the website asks for. */
import Joi from 'joi';
import { sameAccount } from '../../core/access/rules';
import { characters, form, inAccount } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  checkSecondFactor,
  endSecondFactor,
  newCodes,
  offerSecondFactor,
  readSecondFactor,
  startSecondFactor,
  type FactorOffer,
  type FactorView,
} from './second-factor';

const code = characters(100).trim().required();

export const routes = [
  route({
    name: 'account_second_factor',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor',
    summary: 'Whether the website asks for a code beside the password',
    access: sameAccount,
    params: inAccount,
    reply: behindDoors<FactorView>(),
    handle: readSecondFactor,
  }),
  route({
    name: 'account_second_factor_offer',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/offer',
    summary: 'A secret for an app that shows codes; it counts once a code of it was sent',
    access: sameAccount,
    params: inAccount,
    query: Joi.object<{ offer?: string }>({ offer: Joi.string().max(2000).empty('') }).unknown(true),
    reply: behindDoors<FactorOffer>(),
    handle: offerSecondFactor,
  }),
  route({
    name: 'account_second_factor_start',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/start',
    summary: 'Ask for a code beside the password from now on; answers the recovery codes',
    access: sameAccount,
    params: inAccount,
    body: form<{ offer: string; code: string }>({ offer: Joi.string().max(2000).required(), code }),
    reply: behindDoors<readonly string[]>(),
    handle: startSecondFactor,
  }),
  route({
    name: 'account_second_factor_check',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/check',
    summary: 'Check a code; each counts once',
    access: sameAccount,
    params: inAccount,
    body: form<{ code: string }>({ code }),
    reply: behindDoors<void>(),
    handle: checkSecondFactor,
  }),
  route({
    name: 'account_second_factor_codes',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/codes',
    summary: 'New recovery codes in place of the old ones',
    access: sameAccount,
    params: inAccount,
    body: form<{ code: string }>({ code }),
    reply: behindDoors<readonly string[]>(),
    handle: newCodes,
  }),
  route({
    name: 'account_second_factor_end',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/end',
    summary: 'Ask for the password only from now on',
    access: sameAccount,
    params: inAccount,
    body: form<{ password: string; code: string }>({ password: Joi.string().required(), code }),
    reply: behindDoors<void>(),
    handle: endSecondFactor,
  }),
];

/** factor-routes: operations for codes and passkeys, for which only the website asks in addition to the password. */
import Joi from 'joi';
import { sameAccount } from '../../core/access/rules';
import { characters, form, inAccount, inPath } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { neededPasskeyFields, type SentPasskey } from './passkey-challenges';
import {
  addPasskey,
  askPasskey,
  offerPasskey,
  removePasskey,
  type NewPasskey,
  type PasskeyAsk,
  type PasskeyOffer,
} from './passkeys';
import { proofSchema, type SentProof } from './proof';
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

const inPasskey = inPath('ACCOUNT_EMAIL', 'PASSKEY_ID');

export const operations = {
  accountSecondFactor: route({
    name: 'account_second_factor',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor',
    summary: 'What the website asks for beside the password',
    access: sameAccount,
    params: inAccount,
    reply: behindDoors<FactorView>(),
    handle: readSecondFactor,
  }),
  accountSecondFactorOffer: route({
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
  accountSecondFactorStart: route({
    name: 'account_second_factor_start',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/start',
    summary: 'Ask for codes of an app from now on; answers the recovery codes, if these are the first',
    access: sameAccount,
    params: inAccount,
    body: form<{ offer: string; code: string }>({
      offer: Joi.string().max(2000).required(),
      code: characters(100).trim().required(),
    }),
    reply: behindDoors<readonly string[]>(),
    handle: startSecondFactor,
  }),
  accountSecondFactorCheck: route({
    name: 'account_second_factor_check',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/check',
    summary: 'Check a code of the app, or one on paper; each counts once',
    access: sameAccount,
    params: inAccount,
    body: form<SentProof>(proofSchema),
    reply: behindDoors<void>(),
    handle: checkSecondFactor,
  }),
  accountSecondFactorCodes: route({
    name: 'account_second_factor_codes',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/codes',
    summary: 'New recovery codes in place of the old ones',
    access: sameAccount,
    params: inAccount,
    body: form<SentProof>(proofSchema),
    reply: behindDoors<readonly string[]>(),
    handle: newCodes,
  }),
  accountSecondFactorEnd: route({
    name: 'account_second_factor_end',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/second-factor/end',
    summary: 'Ask for no codes of the app any more; without passkeys for the password only',
    access: sameAccount,
    params: inAccount,
    body: form<SentProof & { password: string }>({ password: Joi.string().required(), ...proofSchema }),
    reply: behindDoors<void>(),
    handle: endSecondFactor,
  }),
  accountPasskeyOffer: route({
    name: 'account_passkey_offer',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/passkeys/offer',
    summary: 'What a browser is asked when it makes a passkey, or why it cannot here',
    access: sameAccount,
    params: inAccount,
    reply: behindDoors<PasskeyOffer>(),
    handle: offerPasskey,
  }),
  accountPasskeyAdd: route({
    name: 'account_passkey_add',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/passkeys',
    summary: 'A passkey beside the password; answers the recovery codes, if these are the first',
    access: sameAccount,
    params: inAccount,
    body: form<NewPasskey>({ name: characters(80).trim().required(), ...neededPasskeyFields }),
    reply: behindDoors<readonly string[]>(),
    handle: addPasskey,
  }),
  accountPasskeyAsk: route({
    name: 'account_passkey_ask',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/passkeys/ask',
    summary: 'What a browser is asked to sign with a passkey, or nothing where none can sign',
    access: sameAccount,
    params: inAccount,
    reply: behindDoors<PasskeyAsk | undefined>(),
    handle: askPasskey,
  }),
  accountPasskeyCheck: route({
    name: 'account_passkey_check',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/passkeys/check',
    summary: 'Check what a passkey signed; each challenge counts once',
    access: sameAccount,
    params: inAccount,
    body: form<SentPasskey>(neededPasskeyFields),
    reply: behindDoors<void>(),
    handle: checkSecondFactor,
  }),
  accountPasskeyRemove: route({
    name: 'account_passkey_remove',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/passkeys/{PASSKEY_ID}/remove',
    summary: 'Take a passkey away; answers whether the website asks for something beside the password still',
    access: sameAccount,
    params: inPasskey,
    body: form<{ password: string }>({ password: Joi.string().required() }),
    reply: behindDoors<boolean>(),
    handle: removePasskey,
  }),
};

export const routes = Object.values(operations);

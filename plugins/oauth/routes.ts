/** routes: the app dance, sessions, connect credentials and signed URLs. */
import Joi from 'joi';
import { anyAccount, requestToken, sameAccount, uiApp, userApp } from '../../core/access/rules';
import { form, inPath, type Described } from '../../core/http/inputs';
import { formPairs, plainText } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { connectCredentials } from './connect';
import { approve, claim, exchange, issueRequestToken, readRequestToken, type Asked } from './dance';
import type { Chosen } from '../../core/access/giving';
import { connectReply, requestTokenReply, resultReply } from './serialize';
import { createSession, type Login } from './sessions';
import { verifySignedUrl, type SignedUrl } from './signed-urls';

const inToken = inPath('REQTOKEN_ID');
const optional = Joi.string().allow('');
const signedUrl = Joi.object<SignedUrl>({ url: Joi.string() })
  .unknown(true)
  .meta({
    described: {
      surl_timestamp: 'Without url, this call itself is the signed address: when it was signed, in UTC',
      surl_token: 'Without url: the access token that signed it',
      surl_sig: 'Without url: the signature',
    },
  } satisfies Described);
const scope = { record_id: optional, carenet_id: optional };

export const operations = {
  requestToken: route({
    name: 'request_token',
    method: 'POST',
    path: '/oauth/request_token',
    summary: 'Begin the app dance: a request token, bound to a record or carenet if one is named',
    access: userApp,
    body: form<Asked>({ svc_record_id: optional, svc_carenet_id: optional, oauth_callback: optional }),
    reply: formPairs,
    fails: { 404: 'There is no such record or carenet' },
    handle: issueRequestToken,
  }),
  exchangeToken: route({
    name: 'exchange_token',
    method: 'POST',
    path: '/oauth/access_token',
    summary: 'End the app dance: exchange an approved request token for an access token',
    access: requestToken,
    body: form<{ oauth_verifier?: string }>({ oauth_verifier: optional }),
    reply: formPairs,
    handle: exchange,
  }),
  requestTokenClaim: route({
    name: 'request_token_claim',
    method: 'POST',
    path: '/oauth/internal/request_tokens/{REQTOKEN_ID}/claim',
    summary: 'Claim a request token for the signed-in account',
    access: anyAccount,
    params: inToken,
    reply: plainText,
    handle: claim,
  }),
  requestTokenInfo: route({
    name: 'request_token_info',
    method: 'GET',
    path: '/oauth/internal/request_tokens/{REQTOKEN_ID}/info',
    summary: 'Read what a request token asks for',
    access: anyAccount,
    params: inToken,
    reply: requestTokenReply,
    handle: readRequestToken,
  }),
  requestTokenApprove: route({
    name: 'request_token_approve',
    method: 'POST',
    path: '/oauth/internal/request_tokens/{REQTOKEN_ID}/approve',
    summary: 'Approve a request token; answers where to send the browser',
    access: anyAccount,
    params: inToken,
    body: form<Chosen>(scope),
    reply: formPairs,
    handle: approve,
  }),
  sessionCreate: route({
    name: 'session_create',
    method: 'POST',
    path: '/oauth/internal/session_create',
    summary: 'Sign a person in by password, or by the name that an external auth system vouches for',
    access: uiApp,
    body: form<Login>({
      username: Joi.string().trim().lowercase().required(),
      password: optional.default(''),
      system: optional.default(''),
      language: optional,
    }),
    reply: formPairs,
    fails: { 429: 'Too many failed attempts at this name, or of this app, in this minute' },
    handle: createSession,
  }),
  surlVerify: route({
    name: 'surl_verify',
    method: 'GET',
    path: '/oauth/internal/surl-verify',
    summary: 'Check a URL that an app signed with an access token',
    access: anyAccount,
    query: signedUrl,
    reply: resultReply,
    handle: verifySignedUrl,
  }),
  getConnectCredentials: route({
    name: 'get_connect_credentials',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/connect_credentials',
    summary: 'Tokens with which an app works inside the website, for a record or carenet',
    access: sameAccount,
    params: inPath('ACCOUNT_EMAIL', 'PHA_EMAIL'),
    body: form<Chosen>(scope),
    reply: connectReply,
    handle: connectCredentials,
  }),
};

export const routes = Object.values(operations);

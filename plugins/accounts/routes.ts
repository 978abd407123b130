/** routes: what apps and people may do with accounts. */
import Joi from 'joi';
import { adminApp, anyOf, sameAccount, uiApp } from '../../core/access/rules';
import { LONGEST_NAME, ONE_LINE } from '../../core/auth/full-name';
import { languages } from '../../core/base/languages';
import { characters, form, inAccount, inPath, pagingKeys } from '../../core/http/inputs';
import { ok, secret } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  checkSecrets,
  forgotPassword,
  initialize,
  readPrimarySecret,
  readSecondarySecret,
  resendSecret,
  reset,
  type Activation,
} from './secrets';
import { addAuthSystem, changePassword, setPassword, setUsername, type NewLogin } from './logins';
import { accountReply, accountsReply } from './serialize';
import {
  createAccount,
  readAccount,
  searchAccounts,
  setInfo,
  setState,
  type AccountQuery,
  type Info,
  type NewAccount,
} from './service';

const manyAttempts = 'Too many failed attempts at this account, or of this app, in this minute';
const ownerOrAdmin = anyOf(adminApp, sameAccount);
const withSecret = inPath('ACCOUNT_EMAIL', 'PRIMARY_SECRET');
const optional = Joi.string().allow('');
const language = Joi.string()
  .valid(...Object.keys(languages))
  .empty('');

const personal = {
  contact_email: characters(300).allow(''),
  full_name: characters(LONGEST_NAME)
    .pattern(ONE_LINE)
    .message('{{#label}} must be one line without control characters')
    .allow(''),
};
const search = Joi.object<AccountQuery>({
  limit: pagingKeys.limit,
  offset: pagingKeys.offset,
  fullname: characters(300).allow('').default(''),
  contact_email: characters(300).allow('').default(''),
}).unknown(true);

export const operations = {
  accountCreate: route({
    name: 'account_create',
    method: 'POST',
    path: '/accounts/',
    summary: 'Create an account; with a primary secret, the activation link is mailed',
    access: adminApp,
    body: form<NewAccount>({
      ...personal,
      account_id: characters(255).trim().lowercase().required(),
      primary_secret_p: optional.default('1'),
      secondary_secret_p: optional.default('0'),
      language,
    }),
    reply: accountReply,
    handle: createAccount,
  }),
  accountSearch: route({
    name: 'account_search',
    method: 'GET',
    path: '/accounts/search',
    summary: 'Find accounts by a part of their name or contact address',
    access: adminApp,
    query: search,
    reply: accountsReply,
    handle: searchAccounts,
  }),
  accountInfo: route({
    name: 'account_info',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}',
    summary: 'Read an account',
    access: ownerOrAdmin,
    params: inAccount,
    reply: accountReply,
    handle: readAccount,
  }),
  accountAuthsystemAdd: route({
    name: 'account_authsystem_add',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/authsystems/',
    summary: 'Let an account sign in through an auth system; with a password it becomes active',
    access: adminApp,
    params: inAccount,
    reply: ok,
    body: form<NewLogin>({
      username: characters(250).trim().lowercase().required(),
      system: Joi.string().required(),
      password: optional.default(''),
    }),
    handle: addAuthSystem,
  }),
  accountPasswordChange: route({
    name: 'account_password_change',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/authsystems/password/change',
    summary: 'Change the password, knowing the old one',
    access: sameAccount,
    params: inAccount,
    body: form<{ old: string; new: string }>({ old: Joi.string().required(), new: Joi.string().required() }),
    reply: ok,
    handle: changePassword,
  }),
  accountPasswordSet: route({
    name: 'account_password_set',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/authsystems/password/set',
    summary: 'Set the password without the old one; activates an uninitialized account',
    access: adminApp,
    params: inAccount,
    body: form<{ password: string }>({ password: Joi.string().required() }),
    reply: ok,
    handle: setPassword,
  }),
  accountUsernameSet: route({
    name: 'account_username_set',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/authsystems/password/set-username',
    summary: 'Set the user name of the password system',
    access: ownerOrAdmin,
    params: inAccount,
    body: form<{ username: string }>({ username: characters(250).trim().lowercase().required() }),
    reply: ok,
    handle: setUsername,
  }),
  accountCheckSecrets: route({
    name: 'account_check_secrets',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/check-secrets/{PRIMARY_SECRET}',
    summary: 'Check the primary secret and, if given, the secondary one',
    access: adminApp,
    params: withSecret,
    query: Joi.object<{ secondary_secret?: string }>({ secondary_secret: optional }).unknown(true),
    reply: ok,
    fails: { 429: manyAttempts },
    handle: checkSecrets,
  }),
  accountForgotPassword: route({
    name: 'account_forgot_password',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/forgot-password',
    summary: 'Block sign-in and mail links to reactivate or to set a new password; answers the new secondary secret',
    access: adminApp,
    params: inAccount,
    reply: secret,
    fails: { 400: 'The account has not been initialized yet', 429: manyAttempts },
    handle: forgotPassword,
  }),
  accountInfoSet: route({
    name: 'account_info_set',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/info-set',
    summary: 'Change the name or the contact address',
    access: ownerOrAdmin,
    params: inAccount,
    body: form<Info>(personal),
    reply: ok,
    handle: setInfo,
  }),
  accountInitialize: route({
    name: 'account_initialize',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/initialize/{PRIMARY_SECRET}',
    summary: 'Activate an uninitialized account by its secrets',
    access: uiApp,
    params: withSecret,
    body: form<Activation>({ secondary_secret: optional, language }),
    reply: ok,
    fails: { 429: manyAttempts },
    handle: initialize,
  }),
  accountPrimarySecret: route({
    name: 'account_primary_secret',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/primary-secret',
    summary: 'Read the primary secret; use check-secrets instead',
    access: adminApp,
    deprecated: true,
    params: inAccount,
    reply: secret,
    handle: readPrimarySecret,
  }),
  accountReset: route({
    name: 'account_reset',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/reset',
    summary: 'Put an account back to uninitialized, with new secrets',
    access: adminApp,
    params: inAccount,
    reply: ok,
    handle: reset,
  }),
  accountSecret: route({
    name: 'account_secret',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/secret',
    summary: 'Read the secondary secret',
    access: adminApp,
    params: inAccount,
    reply: secret,
    handle: readSecondarySecret,
  }),
  accountResendSecret: route({
    name: 'account_resend_secret',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/secret-resend',
    summary: 'Mail a new activation link',
    access: adminApp,
    params: inAccount,
    reply: ok,
    handle: resendSecret,
  }),
  accountSetState: route({
    name: 'account_set_state',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/set-state',
    summary: 'Make an account active, disabled or retired; retired ones stay so',
    access: adminApp,
    params: inAccount,
    body: form<{ state: 'active' | 'disabled' | 'retired' }>({
      state: Joi.string().empty('').valid('active', 'disabled', 'retired').required(),
    }),
    reply: ok,
    handle: setState,
  }),
};

export const routes = Object.values(operations);

/** door-routes: operations of accounts that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { anybody, sameAccount, uiApp } from '../../core/access/rules';
import { LONGEST_NAME, ONE_LINE } from '../../core/auth/full-name';
import { characters, form, inAccount, inPath } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { endOneSession, listSessions, type SessionView } from './devices';
import { askForPassword, readMailedLink, signUp, type MailedLink, type SignUp } from './getting-in';
import { askForAddress, confirmAddress } from './new-address';
import { checkWelcome, isNew } from './welcome';

export const operations = {
  installationIsNew: route({
    name: 'installation_is_new',
    method: 'GET',
    path: '/installation',
    summary: 'Whether nobody has an account yet',
    access: anybody,
    // The first pages that a visitor sees ask this. The answer tells nothing about anybody, so it leaves no audit row.
    page: true,
    reply: behindDoors<boolean>(),
    handle: isNew,
  }),
  installationWelcome: route({
    name: 'installation_welcome',
    method: 'POST',
    path: '/installation/welcome',
    summary: 'Check the code that the start printed, while nobody has an account yet',
    access: anybody,
    body: form<{ code: string }>({ code: Joi.string().trim().required() }),
    reply: behindDoors<void>(),
    handle: checkWelcome,
  }),
  accountForgotten: route({
    name: 'account_forgotten',
    method: 'POST',
    path: '/accounts/forgotten',
    summary: 'Ask for a mail to choose a new password; the answer is the same whether there is such an account or not',
    access: uiApp,
    body: form<{ name: string }>({ name: characters(300).trim().lowercase().required() }),
    reply: behindDoors<string>(),
    handle: askForPassword,
  }),
  accountSignUp: route({
    name: 'account_sign_up',
    method: 'POST',
    path: '/accounts/sign-up',
    summary: 'Ask for an account; the answer is the same whether there is one already or not',
    access: uiApp,
    body: form<SignUp>({
      email: characters(255).trim().lowercase().required(),
      full_name: characters(LONGEST_NAME).pattern(ONE_LINE).required(),
      language: Joi.string().allow('').default(''),
    }),
    reply: behindDoors<string>(),
    handle: signUp,
  }),
  accountMailedLink: route({
    name: 'account_mailed_link',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/mailed-link/{PRIMARY_SECRET}',
    summary: 'What a mailed link is for, if it is good; looking at it counts as no try',
    access: anybody,
    params: inPath('ACCOUNT_EMAIL', 'PRIMARY_SECRET'),
    reply: behindDoors<MailedLink | null>(),
    handle: readMailedLink,
  }),
  accountSessions: route({
    name: 'account_sessions',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/sessions/',
    summary: 'Where a person is signed in',
    access: sameAccount,
    params: inAccount,
    reply: behindDoors<readonly SessionView[]>(),
    handle: listSessions,
  }),
  accountSessionEnd: route({
    name: 'account_session_end',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/sessions/end',
    summary: 'Sign out: here when no session is named, or elsewhere',
    access: sameAccount,
    params: inAccount,
    body: form<{ session?: string }>({ session: Joi.string().empty('') }),
    reply: behindDoors<void>(),
    handle: endOneSession,
  }),
  accountEmailAsk: route({
    name: 'account_email_ask',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/email',
    summary: 'Mail a link to a new contact address, which counts once the link was followed',
    access: sameAccount,
    params: inAccount,
    body: form<{ contact_email: string }>({ contact_email: characters(300).trim().required() }),
    reply: behindDoors<void>(),
    handle: askForAddress,
  }),
  accountEmailConfirm: route({
    name: 'account_email_confirm',
    method: 'POST',
    path: '/accounts/{ACCOUNT_EMAIL}/email/confirm',
    summary: 'Take the new contact address whose mail was followed',
    access: sameAccount,
    params: inAccount,
    body: form<{ secret: string }>({ secret: Joi.string().required() }),
    reply: behindDoors<void>(),
    handle: confirmAddress,
  }),
};

/** door-routes: operations of messages that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { sameAccount } from '../../core/access/rules';
import { inAccount, inPath, pagingKeys } from '../../core/http/inputs';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import { listLetters, readLetterFacts, type LetterFacts, type Letters, type LettersQuery } from './letters';

export const routes = [
  route({
    name: 'account_letters',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/letters/',
    summary: 'Messages and notifications of a person with the names of those who wrote',
    access: sameAccount,
    params: inAccount,
    query: Joi.object<LettersQuery>({ ...pagingKeys, archived: Joi.boolean().default(false) }).unknown(true),
    reply: behindDoors<Letters>(),
    handle: listLetters,
  }),
  route({
    name: 'account_letter_facts',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/letters/{MESSAGE_ID}',
    summary: 'Who wrote a message, and about which record',
    access: sameAccount,
    params: inPath('ACCOUNT_EMAIL', 'MESSAGE_ID'),
    reply: behindDoors<LetterFacts>(),
    handle: readLetterFacts,
  }),
];

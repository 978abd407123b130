/** door-routes: operations of messages that only doors call: they have no address in the interface. */
import Joi from 'joi';
import { sameAccount } from '../../core/access/rules';
import { inAccount, inPath } from '../../core/http/inputs';
import { seekingKeys } from '../../core/http/places';
import { behindDoors } from '../../core/http/replies';
import { route } from '../../core/http/route';
import {
  listLetters,
  listWaiting,
  readLetterFacts,
  type Letter,
  type LetterFacts,
  type Letters,
  type LettersQuery,
  type WaitingQuery,
} from './letters';

const MOST = 100;
const { limit, place } = seekingKeys(MOST);

export const operations = {
  accountLetters: route({
    name: 'account_letters',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/letters/',
    summary: 'Messages and notifications of a person with the names of those who wrote',
    access: sameAccount,
    params: inAccount,
    query: Joi.object<LettersQuery>({
      limit,
      letters: place,
      notices: place,
      archived: Joi.boolean().default(false),
    }).unknown(true),
    reply: behindDoors<Letters>(),
    handle: listLetters,
  }),
  accountLettersWaiting: route({
    name: 'account_letters_waiting',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/letters/waiting',
    summary: 'Messages about a record that a person has not read, with the names of those who wrote',
    access: sameAccount,
    params: inAccount,
    query: Joi.object<WaitingQuery>({ limit, record: Joi.string().required() }).unknown(true),
    reply: behindDoors<readonly Omit<Letter, 'about'>[]>(),
    handle: listWaiting,
  }),
  accountLetterFacts: route({
    name: 'account_letter_facts',
    method: 'GET',
    path: '/accounts/{ACCOUNT_EMAIL}/letters/{MESSAGE_ID}',
    summary: 'Who wrote a message, and about which record',
    access: sameAccount,
    params: inPath('ACCOUNT_EMAIL', 'MESSAGE_ID'),
    reply: behindDoors<LetterFacts>(),
    handle: readLetterFacts,
  }),
};

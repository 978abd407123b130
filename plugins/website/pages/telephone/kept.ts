/**
 * kept: tells the worker of a telephone who is signed in, which pages it may keep for them, and the words that it says
 * without a network. Every contact of the worker begins here.
 */
import { sha256 } from '../../../../core/base/ids';
import type { ValueOf } from '../../../../core/http/route';
import { ownAccount, page, type PersonVisit } from '../../http/page';
import { operations } from '../../http/operations';
import { STYLE } from '../../http/style';

type Reached = ValueOf<typeof operations.records.accountRecords>['records'][number];

/** How many records and circles one telephone keeps. */
const MOST_RECORDS = 5;

/** What is kept of a record, and of a circle, with the name of each page's text. */
const OF_RECORD = [
  ['', 'overview'],
  ['card', 'card'],
  ['list/Medication', 'medicines'],
  ['quick/weight', 'weight'],
  ['quick/blood-pressure', 'blood-pressure'],
] as const;
const OF_CIRCLE = [
  ['', 'overview'],
  ['list/Medication', 'medicines'],
] as const;

const TEXTS = [
  'open',
  'waiting',
  'refused',
  'waits',
  'waits-why',
  'another',
  'no-network',
  'these',
  'sign-out-why',
  'sign-out-anyway',
  'stay',
  'removed',
  'removed-why',
] as const;

function inCamel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function keptPages({ site, words: { say } }: PersonVisit, { id, label, carenet }: Reached) {
  const base = carenet ? `${site}/carenets/${carenet.id}/` : `${site}/records/${id}/`;
  const links = (carenet ? OF_CIRCLE : OF_RECORD).map(([path, name]) => ({
    path: `${base}${path}`,
    text: say(`telephone.page-${name}`),
  }));
  return { name: label, links, paths: links.map(({ path }) => path) };
}

/** The person as the worker knows them: no name of theirs lies unsealed on the device. */
function personDigest({ person }: PersonVisit): string {
  return sha256(JSON.stringify(['telephone', person.principal.accountId]));
}

export const kept = page({
  path: '/kept',
  show: async (visit) => {
    const { say, language, dir, locale, zone } = visit.words;
    const { records } = await visit.ask(operations.records.accountRecords, {
      params: ownAccount(visit),
      query: { limit: String(MOST_RECORDS) },
    });
    const texts = {
      ...Object.fromEntries(TEXTS.map((name) => [inCamel(name), say(`telephone.${name}`)])),
      asOf: say('telephone.as-of', { date: '{date}' }),
      signOut: say('telephone.sign-out', { count: '{n}' }),
    };
    const told = {
      person: personDigest(visit),
      crumb: visit.crumb,
      ...{ language, dir, locale, zone },
      style: `${visit.site}/${STYLE}`,
      records: records.slice(0, MOST_RECORDS).map((one) => keptPages(visit, one)),
      texts,
    };
    return { kind: 'file', body: JSON.stringify(told), type: 'application/json', name: 'kept.json' };
  },
});

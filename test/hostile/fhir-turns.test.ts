/**
 * fhir-turns: heavy calls of the FHIR door over a large record. They work in slices, so that everybody else has a turn
 * of the event loop; long statements do not run in it; and nothing goes on for a caller who has gone. What is counted
 * is work for each turn of the event loop, and no time.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { get as httpGet } from 'node:http';
import { ITEMS_IN_SLICE } from '../../core/base/turns/slices';
import { Sqlite } from '../../core/db/sqlite/better-sqlite';
import { operations } from '../../plugins/website/http/operations';
import type { Answer } from '../support/client';
import { sqliteFile } from '../support/databases';
import { startFhir, type FhirGround } from '../support/fhir';
import { askingAs, locationsIn, openLink, payloadOf, readFile, type Payload } from '../support/links';
import { until } from '../support/receiver';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NAMESPACE = 'https://svc.example/vocab/xml/documents#';
const READINGS = 3000;
const PROBLEMS = 1500;
/** Of 1,000 resources. */
const ALMOST = 900;

const field = (name: string, value: string | number): string => `<Field name="${name}">${value}</Field>`;
const day = (number: number): string => new Date(Date.UTC(2015, 0, 1) + number * 3_600_000).toISOString();

const reading = (number: number): string =>
  `<Model name="VitalSigns">${field('date', day(number))}<Field name="encounter"><Model name="Encounter">` +
  `${field('startDate', day(number))}${field('encounterType_title', 'Visit')}</Model></Field>` +
  `${field('heart_rate_value', 60 + (number % 40))}${field('heart_rate_unit', '{beats}/min')}</Model>`;
const problem = (number: number): string =>
  `<Model name="Problem">${field('name_title', `Problem ${number}`)}${field('startDate', day(number))}</Model>`;

const listOf = (count: number, fact: (number: number) => string): string =>
  `<Models xmlns="${NAMESPACE}">${Array.from({ length: count }, (_, number) => fact(number)).join('')}</Models>`;

/** Several loops share a slice, and some resources are read when it is full already. */
const MOST_LOOKS = ITEMS_IN_SLICE * 2;
/** A slice writes some resources, and each has some hundred names and texts. */
const MOST_TEXTS = ITEMS_IN_SLICE * 200;

type Counted = { readonly all: number; readonly mostInTurn: number };

/** Counts in each turn of the event loop, while the work runs. */
const counting = async (counter: () => number, work: () => Promise<unknown>): Promise<Counted> => {
  const begin = counter();
  let [most, last, done] = [0, begin, false];
  const turn = (): void => {
    most = Math.max(most, counter() - last);
    last = counter();
    if (!done) {
      setImmediate(turn);
    }
  };
  turn();
  await work();
  done = true;
  turn();
  return { all: counter() - begin, mostInTurn: most };
};

describe('the FHIR door over a large record', () => {
  let ground: FhirGround;
  let link: Payload;
  let looks = 0;
  let texts = 0;
  const { stringify } = JSON;

  /** Counts how many stored resources are taken up: each is a proxy of its text. */
  const countLooks = (): void => {
    const { Proxy: Original } = globalThis;
    globalThis.Proxy = new Original(Original, {
      construct: (target, given, newTarget) => {
        looks += 1;
        return Reflect.construct(target, given, newTarget) as object;
      },
    });
    after(() => {
      globalThis.Proxy = Original;
    });
  };

  before(async () => {
    ground = await startFhir(sqliteFile, { SVC_RATE_ADDRESS_PER_MINUTE: '0' });
    await ground.put(listOf(READINGS, reading));
    await ground.put(listOf(PROBLEMS, problem));
    const ask = askingAs(ground.service, 'alice@example.org', ground.alice);
    const params = { RECORD_ID: ground.recordId };
    const id = await ask(operations.links.recordLinkCreate, { params, body: {} });
    link = payloadOf((await ask(operations.links.recordLinks, { params })).find((one) => one.id === id)!.text);
    countLooks();
    JSON.stringify = ((...given: Parameters<typeof stringify>) => {
      texts += 1;
      return stringify(...given);
    }) as typeof stringify;
  });
  after(async () => {
    JSON.stringify = stringify;
    await ground.service.stop();
  });

  const patient = (): string => `/Patient/${ground.recordId}`;
  const heavy = (): readonly (readonly [path: string, least: number])[] => [
    [`${patient()}/$summary`, PROBLEMS],
    [`${patient()}/$everything`, READINGS],
    [`${patient()}/$everything?_count=1000`, ALMOST],
    ['/Observation?_count=1000', ALMOST],
    ['/Observation?_count=1000&_include=*&_revinclude=*', ALMOST],
    ['/Condition?_count=1000&_sort=-onset-date', ALMOST],
  ];

  it('reads a bounded number of resources in each turn of the event loop', async () => {
    for (const [path, least] of heavy()) {
      const { all, mostInTurn } = await counting(
        () => looks,
        () => ground.get(path),
      );
      expect(all, path).to.be.above(least);
      expect(mostInTurn, path).to.be.at.most(MOST_LOOKS);
    }
  });

  it('makes lines and writes a bounded part of the answer in each turn of the event loop', async () => {
    // Lines are kept until something changes.
    await ground.put(listOf(1, problem));
    const { all, mostInTurn } = await counting(
      () => texts,
      () => ground.call(`${patient()}/$summary?_pretty=true`),
    );
    expect(all).to.be.above(PROBLEMS * 35);
    expect(mostInTurn).to.be.at.most(MOST_TEXTS);
  });

  it('runs no statement over many facts in the event loop', async () => {
    const prototype = Sqlite.prototype as { prepare: (sql: string) => unknown };
    const { prepare } = prototype;
    const here: string[] = [];
    prototype.prepare = function (sql) {
      here.push(sql);
      return prepare.call(this, sql);
    };
    try {
      // No earlier call has prepared these statements.
      await ground.get('/Observation?date=ne1999-01-01&_total=accurate&_sort=-date&_count=3');
      await ground.get(`${patient()}/$everything?_type=Observation&start=1999-01-01&_count=7`);
      await ground.get('/Encounter?_sort=-_lastUpdated&_count=11');
    } finally {
      prototype.prepare = prepare;
    }
    const overMany = here.filter((sql) => /sort_key|group by fact\._statement|count\(\*\) as n from `fact_/.test(sql));
    expect(overMany.filter((sql) => !sql.includes('as counted_'))).to.equal([]);
  });

  it('still reads a small record at once', async () => {
    const small = await startFhir(sqliteFile);
    try {
      await small.put(listOf(3, problem));
      const found = await small.get('/Condition?_sort=-onset-date&_total=accurate');
      expect([found['total'], found['entry'].length]).to.equal([3, 3]);
    } finally {
      await small.service.stop();
    }
  });

  it('stops working for a caller who has gone', async () => {
    const whole = await counting(
      () => looks,
      () => ground.get(`${patient()}/$summary`),
    );
    const begin = looks;
    const { uri } = ground.service.running.server.info;
    const headers = { authorization: `Bearer ${ground.token}` };
    const request = httpGet(`${uri}/fhir${patient()}/$summary`, { headers, agent: false });
    request.on('error', () => undefined);
    await until(() => looks > begin + 100, 'the work');
    request.destroy();
    let last = -1;
    await until(async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      const still = looks === last;
      last = looks;
      return still;
    }, 'the end of the work');
    expect(looks - begin).to.be.below(whole.all * 0.8);
  });

  const summaryOf = async (): Promise<string> => {
    const answer = await openLink(ground.service, link);
    expect(answer.status, answer.text).to.equal(200);
    return locationsIn(answer)[0]!;
  };

  it('goes on with a summary for those who wait when the first one has gone', async () => {
    const place = await summaryOf();
    const begin = looks;
    const { pathname } = new URL(place);
    const request = httpGet(`${ground.service.running.server.info.uri}${pathname}`, { agent: false });
    request.on('error', () => undefined);
    await until(() => looks > begin + 100, 'the work');
    const second = readFile(ground.service, place);
    await new Promise((resolve) => setImmediate(resolve));
    request.destroy();
    const answer = await second;
    expect(answer.status, answer.text.slice(0, 300)).to.equal(200);
  });

  it('makes one summary for all who read one link at the same time, without an account', async () => {
    const places = await Promise.all(Array.from({ length: 8 }, summaryOf));
    const alone = await counting(
      () => looks,
      () => readFile(ground.service, places[0]!),
    );
    let answers: readonly Answer[] = [];
    const together = await counting(
      () => looks,
      async () => {
        answers = await Promise.all(places.map((place) => readFile(ground.service, place)));
      },
    );
    expect(together.all).to.be.below(alone.all * 2);
    expect([alone.mostInTurn, together.mostInTurn].every((most) => most <= MOST_LOOKS)).to.be.true();
    expect(answers.map(({ status }) => status)).to.equal(places.map(() => 200));
    // Each was encrypted once for all, too, and each encryption is another text.
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
  });
});

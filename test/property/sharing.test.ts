/**
 * sharing: random people do random things to a record. After each round everybody tries every door, and the responses
 * are compared with an independent model. DECISIONS sets the number of comparisons, SEED repeats a run. A failure
 * prints its seed and shrinks to the shortest list of operations that shows it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { amount } from '../support/amount';
import { addApp, addPerson, addToken, enable, inTurn, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';
import { tryDoors, type Foreign } from './doors';
import { Model, type Asker, type Carenet } from './model';
import {
  ACCOUNTS,
  accountId,
  appId,
  APPS,
  opening,
  operation,
  perform,
  ROBOT,
  type Operation,
  type Stage,
} from './operations';
import { direct } from '../support/direct';
import { tryRounds } from './rounds';
import * as sharingStore from '../../core/sharing/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const DECISIONS = Number(process.env['DECISIONS'] ?? amount(1500, 12_000));
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** Eve owns another record and has no part in this one. */
const EVE = accountId('eve');
/** Number of documents in a round whose every version is opened one by one. */
const OPENED = 3;
/** Time limit for a run that hangs; on an idle machine 50,000 decisions take a minute. */
const MINUTES = Math.max(20, DECISIONS / 2000);

for (const leg of databases) {
  describe(`sharing on ${leg.name}, as a model has it`, () => {
    let service: TestService;
    let people: ReadonlyMap<string, Signs>;
    let apps: ReadonlyMap<string, Signs>;
    let decisions = 0;
    let foreign: Foreign;
    let evesToken: Signs;

    before(async () => {
      service = await startService(leg, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
      const { services } = service;
      people = new Map(
        await inTurn([...ACCOUNTS.map(accountId), EVE], async (id) => [id, await addPerson(services, id)] as const),
      );
      apps = new Map(
        await inTurn(APPS.map(appId), async (id) => [id, await addApp(services, id, 'user', id === ROBOT)] as const),
      );
      const recordId = await createRecord(service.call, EVE);
      const eve = people.get(EVE)!;
      const documentId = attribute(
        succeeded(await service.call(eve, 'GET', `/records/${recordId}`)).text,
        'demographics',
        'document_id',
      );
      const carenetId = attribute(
        succeeded(await service.call(eve, 'GET', `/records/${recordId}/carenets/`)).text,
        'Carenet',
        'id',
      );
      foreign = { recordId, documentId, carenetId };
      await inTurn(APPS.map(appId), (id) => enable(services, recordId, id));
      evesToken = await addToken(services, { app: apps.get(appId('reader'))!, accountId: EVE, recordId });
    });
    after(() => service.stop());

    /** Makes a record of Ann's with two carenets, and the same in the model. */
    const raise = async (): Promise<Stage> => {
      const { call, services } = service;
      const model = new Model(new Set([ROBOT]), accountId('ann'));
      const recordId = await createRecord(call, accountId('ann'));
      const ann = people.get(accountId('ann'))!;
      const listed = succeeded(await call(ann, 'GET', `/records/${recordId}/carenets/`)).text;
      const ids = [...listed.matchAll(/<Carenet id="([^"]*)"/g)].map((match) => match[1]!);
      await sharingStore.deleteCarenet(direct(services.database), ids.pop()!);
      model.carenets.push(
        ...ids.map((id): Carenet => ({ id, members: new Set(), apps: new Set(), types: new Set(), kinds: new Set() })),
      );
      const demographics = attribute(
        succeeded(await call(ann, 'GET', `/records/${recordId}`)).text,
        'demographics',
        'document_id',
      );
      model.docs.push({
        versions: [demographics],
        type: 'Demographics',
        status: 'active',
        nevershare: false,
        wishes: new Map(),
      });
      const stage = { service, recordId, model, people, apps, tokens: new Map() };
      for (const one of opening) {
        await perform(stage, one);
      }
      return stage;
    };

    const compare = async (stage: Stage, gone: readonly Carenet[]): Promise<void> => {
      const some =
        stage.model.docs.length <= OPENED
          ? stage.model.docs
          : [stage.model.docs[0]!, ...stage.model.docs.slice(1 - OPENED)];
      for (const [id, credentials] of people) {
        decisions += await tryDoors(
          stage,
          { asker: { kind: 'account', account: id }, credentials },
          { some, gone, foreign: id === EVE ? null : foreign },
        );
      }
      for (const [token, credentials] of stage.tokens) {
        decisions += await tryDoors(stage, { asker: { kind: 'token', token }, credentials }, { some, gone, foreign });
      }
      // A token for Eve's record gives no access here.
      const asker: Asker = { kind: 'token', token: { app: appId('reader'), account: EVE, carenet: null, ended: true } };
      decisions += await tryDoors(stage, { asker, credentials: evesToken }, { some, gone, foreign: null });
    };

    const round = async (todo: readonly (readonly Operation[])[]): Promise<void> => {
      const stage = await raise();
      const seen = new Set<Carenet>();
      for (const part of todo) {
        for (const one of part) {
          await perform(stage, one);
          stage.model.carenets.forEach((carenet) => seen.add(carenet));
        }
        await compare(
          stage,
          [...seen].filter((carenet) => !stage.model.carenets.includes(carenet)),
        );
      }
    };

    it(`agrees in ${DECISIONS} decisions (SEED=${SEED})`, { timeout: MINUTES * 60_000 }, async () => {
      await tryRounds({
        step: operation,
        steps: { most: 25 },
        parts: { most: 3 },
        seed: SEED,
        minutes: MINUTES,
        isEnough: () => decisions >= DECISIONS,
        round,
      });
      process.stdout.write(`\n${leg.name}: ${decisions} decisions compared, none disagreed (SEED=${SEED})\n`);
      expect(decisions).to.be.at.least(DECISIONS);
    });
  });
}

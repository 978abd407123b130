/**
 * fhir: random people do random things to a record and give random apps random SMART scopes. After each round every
 * token tries every way through the FHIR door, and the responses are compared with an independent model. DECISIONS sets
 * the number of comparisons, SEED repeats a run. A failure prints its seed and shrinks to the shortest list of
 * operations that shows it.
 */
import fc from 'fast-check';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { amount } from '../support/amount';
import { addApp, addPerson, enable, inTurn, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import type { Read } from '../support/fhir';
import { startService, type TestService } from '../support/server';
import { mintSmartToken } from '../support/smart';
import { attribute, createRecord, succeeded } from '../support/world';
import { conditionFor, mayStore, tryFhirDoors, type FhirAsk, type FhirRound } from './fhir-doors';
import { CLINICAL, FHIR_CONDITION, SCOPES, type SmartToken } from './fhir-model';
import { Model, type Carenet, type Doc } from './model';
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
import { tryRounds } from './rounds';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** A run with DECISIONS=100000 takes about ten minutes for each database. */
const DECISIONS = Number(process.env['DECISIONS'] ?? amount(800, 6000));
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const EVE = accountId('eve');
/** An app that sees all of the record, to find the ids of resources. Its responses are not compared. */
const WATCHER = 'watcher@apps.example';
/** Number of documents in a round that are opened one by one. */
const OPENED = 3;
/** Time limit for a run that hangs. */
const MINUTES = Math.max(20, DECISIONS / 2000);

type Grant = {
  readonly op: 'grant';
  readonly app: (typeof APPS)[number];
  readonly account: (typeof ACCOUNTS)[number];
  readonly carenet: number | null;
  readonly scopes: readonly string[];
};
type Act = { readonly call: Operation } | { readonly smart: Grant | { readonly op: 'create'; readonly token: number } };

/** A letter of one scope must not work for another scope, so tokens with several scopes are the most frequent. */
const scope = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...SCOPES.given) },
  { weight: 2, arbitrary: fc.constantFrom('patient/Patient.r', 'patient/*.s', 'patient/Condition.c') },
  { weight: 1, arbitrary: fc.constantFrom(...SCOPES.nothing) },
);

const smart: fc.Arbitrary<Act> = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constant('grant' as const),
        app: fc.constantFrom(...APPS),
        account: fc.constantFrom(...ACCOUNTS),
        carenet: fc.option(fc.nat({ max: 30 })),
        scopes: fc.uniqueArray(scope, { minLength: 1, maxLength: 7, size: 'max' }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('create' as const), token: fc.nat({ max: 30 }) }) },
  )
  .map((one) => ({ smart: one }));

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 1, arbitrary: smart },
  { weight: 3, arbitrary: operation.filter(({ op }) => op !== 'authorize').map((one) => ({ call: one })) },
);

const grant = (account: Grant['account'], carenet: number | null, ...scopes: readonly string[]): Act => ({
  smart: { op: 'grant', app: 'reader', account, carenet, scopes },
});

/** Access is given at the beginning, so that later steps can take it back. */
const givenAtFirst: readonly Act[] = [
  ...opening.filter(({ op }) => op !== 'authorize').map((one): Act => ({ call: one })),
  grant('ann', null, 'patient/*.cruds'),
  grant('cat', 0, 'patient/*.rs'),
  { smart: { op: 'create', token: 0 } },
];

type FhirStage = Stage & {
  readonly bearers: Map<SmartToken, string>;
  /** Resources that documents have stated so far, by `Type/id`. */
  readonly learnt: Map<string, Doc>;
};

const one = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

for (const leg of databases) {
  describe(`sharing through the FHIR door on ${leg.name}, as a model has it`, () => {
    let service: TestService;
    let people: ReadonlyMap<string, Signs>;
    let apps: ReadonlyMap<string, Signs>;
    let decisions = 0;
    let serial = 0;
    let foreign: FhirRound['foreign'];

    before(async () => {
      service = await startService(leg, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
      const { services } = service;
      people = new Map(
        await inTurn([...ACCOUNTS.map(accountId), EVE], async (id) => [id, await addPerson(services, id)] as const),
      );
      apps = new Map(
        await inTurn([...APPS.map(appId), WATCHER], async (id) => {
          return [id, await addApp(services, id, 'user', id === ROBOT)] as const;
        }),
      );
      const recordId = await createRecord(service.call, EVE);
      const read = succeeded(await service.call(people.get(EVE)!, 'GET', `/records/${recordId}`)).text;
      foreign = { recordId, documentId: attribute(read, 'demographics', 'document_id') };
      await inTurn(APPS.map(appId), (id) => enable(services, recordId, id));
    });
    after(() => service.stop());

    const asking =
      (bearer: string): FhirAsk =>
      async (path, { method = 'GET', headers = {}, body } = {}) => {
        const response = await service.running.server.inject({
          method,
          url: `/fhir${path}`,
          headers: { authorization: `Bearer ${bearer}`, ...headers },
          ...(body === undefined ? {} : { payload: body }),
        });
        return {
          status: response.statusCode,
          text: response.payload,
          bytes: response.rawPayload,
          headers: response.headers,
        };
      };

    const give = async ({ bearers, model, recordId }: FhirStage, todo: Grant): Promise<void> => {
      const carenet = todo.carenet === null ? undefined : one(model.carenets, todo.carenet);
      const token: SmartToken = {
        app: appId(todo.app),
        account: accountId(todo.account),
        carenet: carenet ?? null,
        ended: false,
        scopes: todo.scopes,
      };
      model.tokens.push(token);
      const given = { account: token.account, app: token.app, scopes: todo.scopes.join(' '), letIn: false };
      bearers.set(
        token,
        await mintSmartToken(service, { ...given, ...(carenet ? { carenet: carenet.id } : { record: recordId }) }),
      );
    };

    const create = async ({ bearers, model, recordId }: FhirStage, index: number): Promise<void> => {
      const [token, bearer] = one([...bearers], index) ?? [];
      if (!token || bearer === undefined) {
        return;
      }
      serial += 1;
      const { status, text } = await asking(bearer)('/Condition', conditionFor(recordId, `condition ${serial}`));
      const refused = model.works(token) ? 403 : 401;
      expect(status, text).to.equal(mayStore(model, token, 'Condition') ? 201 : refused);
      if (status === 201) {
        const id = (JSON.parse(text) as Read)['meta'].versionId as string;
        const plain = { status: 'active', nevershare: false, wishes: new Map() } as const;
        model.docs.push({ ...plain, versions: [id], type: FHIR_CONDITION });
      }
    };

    const doIt = async (stage: FhirStage, todo: Act): Promise<void> => {
      if ('call' in todo) {
        await perform(stage, todo.call);
      } else if (todo.smart.op === 'grant') {
        await give(stage, todo.smart);
      } else {
        await create(stage, todo.smart.token);
      }
    };

    /** Makes a record of Ann's with two carenets, and the same in the model. */
    const raise = async (): Promise<FhirStage> => {
      const ann = people.get(accountId('ann'))!;
      const model = new Model(new Set([ROBOT]), accountId('ann'));
      const recordId = await createRecord(service.call, accountId('ann'));
      const read = async (path: string): Promise<string> =>
        succeeded(await service.call(ann, 'GET', `/records/${recordId}${path}`)).text;
      const ids = [...(await read('/carenets/')).matchAll(/<Carenet id="([^"]*)"/g)].map((match) => match[1]!);
      model.carenets.push(
        ...ids.map((id): Carenet => ({ id, members: new Set(), apps: new Set(), types: new Set(), kinds: new Set() })),
      );
      model.docs.push({
        versions: [attribute(await read(''), 'demographics', 'document_id')],
        type: 'Demographics',
        status: 'active',
        nevershare: false,
        wishes: new Map(),
      });
      await enable(service.services, recordId, WATCHER);
      const maps = { tokens: new Map(), bearers: new Map(), learnt: new Map() };
      const stage: FhirStage = { service, recordId, model, people, apps, ...maps };
      for (const todo of givenAtFirst) {
        await doIt(stage, todo);
      }
      return stage;
    };

    /** Finds the ids of all resources that exist now, as the owner of the record. */
    const learn = async ({ model, recordId, learnt }: FhirStage): Promise<FhirRound['known']> => {
      const owner = { account: model.owner!, app: WATCHER, scopes: 'patient/*.rs', record: recordId };
      const ask = asking(await mintSmartToken(service, owner));
      const now = new Set<string>();
      for (const type of CLINICAL) {
        const { entry = [] } = JSON.parse((await ask(`/${type}?_count=1000`)).text) as Read;
        for (const { resource } of entry as readonly { readonly resource: Read }[]) {
          const doc = model.docs.find(({ versions }) => versions.includes(resource['meta'].versionId as string));
          const name = `${type}/${resource['id'] as string}`;
          now.add(name);
          learnt.set(name, doc!);
        }
      }
      return new Map([...learnt].map(([name, doc]) => [name, { doc, now: now.has(name) }]));
    };

    /** A SMART token gives no access by the API, and signed calls give none by this door. */
    const otherKeys = async ({ bearers, recordId }: FhirStage, { versions }: Doc): Promise<void> => {
      const document = `/documents/${versions[versions.length - 1]!}`;
      for (const bearer of bearers.values()) {
        const headers = { authorization: `Bearer ${bearer}` };
        for (const path of [`/records/${recordId}`, `/records/${recordId}${document}`]) {
          const { status } = await service.call(null, 'GET', path, { headers });
          expect([401, 403], path).to.include(status);
          decisions += 1;
        }
      }
      for (const person of people.values()) {
        const { status } = await service.call(person, 'GET', `/fhir/Patient/${recordId}`);
        expect(status).to.equal(401);
        decisions += 1;
      }
    };

    const compare = async (stage: FhirStage): Promise<void> => {
      const { model, recordId, bearers } = stage;
      const some = model.docs.length <= OPENED ? model.docs : [model.docs[0]!, ...model.docs.slice(1 - OPENED)];
      const round: FhirRound = { model, recordId, some, known: await learn(stage), foreign };
      for (const [token, bearer] of bearers) {
        decisions += await tryFhirDoors(asking(bearer), round, token);
      }
      await otherKeys(stage, some[0]!);
      expect((await asking('nothing')(`/Patient/${recordId}`)).status).to.equal(401);
      expect((await asking('nothing')('/metadata')).status).to.equal(200);
    };

    const round = async (todo: readonly (readonly Act[])[]): Promise<void> => {
      const stage = await raise();
      for (const part of todo) {
        for (const step of part) {
          await doIt(stage, step);
        }
        await compare(stage);
      }
    };

    it(`agrees in ${DECISIONS} decisions (SEED=${SEED})`, { timeout: MINUTES * 60_000 }, async () => {
      await tryRounds({
        step: act,
        steps: { most: 30 },
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

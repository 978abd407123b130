/**
 * site-trial: random people do random things to a record, by the forms of the website and by the API. After each round
 * everybody opens every page, and the pages are compared with an independent model. DECISIONS sets the number of
 * comparisons, SEED repeats a run.
 */
import fc from 'fast-check';
import type * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openBrowserSession } from '../../core/auth/browser-sessions';
import { addApp, addPerson, enable, inTurn, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import { startService, type TestService } from '../support/server';
import { makeSite, type Site } from '../support/site';
import { attribute, createRecord, succeeded } from '../support/world';
import { byForm, performByForm, VISITORS, type ByForm, type SiteStage } from './by-form';
import type { Foreign } from './doors';
import { Model, type Carenet } from './model';
import { accountId, appId, APPS, opening, operation, perform, ROBOT, type Operation } from './operations';
import { tryNobody, trySite } from './site-doors';
import { tryRounds } from './rounds';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const EVE = accountId('eve');
/** Number of documents in a round whose every version is opened one by one. */
const OPENED = 3;

type Act = { readonly form: ByForm } | { readonly call: Operation };

/** Most steps are forms; between them come operations that only apps or the API can do. */
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ form: byForm }) },
  { weight: 1, arbitrary: fc.record({ call: operation }) },
) as fc.Arbitrary<Act>;

/**
 * A browser of a person who is signed in. The session is put into the database, because signing in is slow on purpose.
 */
const enter = async ({ services, running }: TestService, person: Signs): Promise<Site> => {
  const site = makeSite(running.server);
  const manner = { language: 'en', zone: 'UTC', device: 'a test' } as const;
  site.cookies.set('svc_session', await openBrowserSession(services, person.token!.key, manner));
  return site;
};

/** The tests of one file: `decisions` comparisons on each database. */
// eslint-disable-next-line max-lines-per-function -- one service, and what is done with it
export const siteTrial = (lab: ReturnType<typeof Lab.script>, standard: number): void => {
  const { describe, it, before, after } = lab;
  const wanted = Number(process.env['DECISIONS'] ?? standard);
  const minutes = Math.max(20, wanted / 500);
  for (const leg of databases) {
    // eslint-disable-next-line max-lines-per-function -- as any test file
    describe(`the pages of the website on ${leg.name}, as a model has them`, () => {
      let service: TestService;
      let people: ReadonlyMap<string, Signs>;
      let apps: ReadonlyMap<string, Signs>;
      let sites: ReadonlyMap<string, Site>;
      let foreign: Foreign;
      const done = { decisions: 0, pages: 0, forms: 0 };

      before(async () => {
        service = await startService(leg, {
          SVC_RATE_CONSUMER_PER_MINUTE: '0',
          SVC_RATE_ACCOUNT_PER_MINUTE: '0',
        });
        const { services, call } = service;
        people = new Map(
          await inTurn(VISITORS.map(accountId), async (id) => [id, await addPerson(services, id)] as const),
        );
        apps = new Map(
          await inTurn(APPS.map(appId), async (id) => [id, await addApp(services, id, 'user', id === ROBOT)] as const),
        );
        sites = new Map(await inTurn([...people], async ([id, person]) => [id, await enter(service, person)] as const));
        const recordId = await createRecord(call, EVE, 'Eve', 'Other');
        await inTurn(APPS.map(appId), (id) => enable(services, recordId, id));
        const eve = people.get(EVE)!;
        const read = async (path: string) => succeeded(await call(eve, 'GET', `/records/${recordId}${path}`)).text;
        foreign = {
          recordId,
          documentId: attribute(await read(''), 'demographics', 'document_id'),
          carenetId: attribute(await read('/carenets/'), 'Carenet', 'id'),
        };
      });
      after(() => service.stop());

      /** Makes a record of Ann's, and the same in the model. */
      const raise = async (): Promise<SiteStage> => {
        const ann = accountId('ann');
        const recordId = await createRecord(service.call, ann);
        const read = async (path: string) =>
          succeeded(await service.call(people.get(ann)!, 'GET', `/records/${recordId}${path}`)).text;
        const model = new Model(new Set([ROBOT]), ann);
        model.carenets.push(
          ...[...(await read('/carenets/')).matchAll(/<Carenet id="([^"]*)"/g)].map((match): Carenet => ({
            id: match[1]!,
            members: new Set(),
            apps: new Set(),
            types: new Set(),
            kinds: new Set(),
          })),
        );
        const versions = [attribute(await read(''), 'demographics', 'document_id')];
        model.docs.push({ versions, type: 'Demographics', status: 'active', nevershare: false, wishes: new Map() });
        const stage = {
          service,
          recordId,
          model,
          people,
          apps,
          sites,
          tokens: new Map(),
          marks: new Map(),
          labels: new Map(),
        };
        for (const one of opening) {
          await perform(stage, one);
        }
        return stage;
      };

      const compare = async (stage: SiteStage, gone: readonly Carenet[]): Promise<void> => {
        const { docs } = stage.model;
        const some = docs.length <= OPENED ? docs : [docs[0]!, ...docs.slice(1 - OPENED)];
        for (const name of VISITORS.map(accountId)) {
          const tried = await trySite(stage, name, { some, gone, foreign: name === EVE ? null : foreign });
          done.decisions += tried.decisions;
          done.pages += tried.pages;
        }
        done.decisions += await tryNobody(stage, makeSite(service.running.server));
      };

      const round = async (todo: readonly (readonly Act[])[]): Promise<void> => {
        const stage = await raise();
        const seen = new Set<Carenet>();
        for (const part of todo) {
          for (const one of part) {
            if ('form' in one) {
              const compared = await performByForm(stage, one.form);
              done.decisions += compared;
              done.forms += compared;
            } else {
              await perform(stage, one.call);
            }
            stage.model.carenets.forEach((carenet) => seen.add(carenet));
          }
          await compare(
            stage,
            [...seen].filter((carenet) => !stage.model.carenets.includes(carenet)),
          );
        }
      };

      it(`agree in ${wanted} decisions (SEED=${SEED})`, { timeout: minutes * 60_000 }, async () => {
        await tryRounds({
          step: act,
          steps: { least: 12, most: 40 },
          parts: { most: 3 },
          seed: SEED,
          minutes: minutes,
          isEnough: () => done.decisions >= wanted,
          round,
        });
        const { decisions, pages, forms } = done;
        process.stdout.write(
          `\n${leg.name}: ${decisions} decisions on ${pages} pages and by ${forms} forms compared, none disagreed (SEED=${SEED})\n`,
        );
        expect(decisions).to.be.at.least(wanted);
      });
    });
  }
};

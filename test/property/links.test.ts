/**
 * links: random people make, open, guess at and end health links of a record, while its sharing and its documents
 * change at random. What every link and every opening shows is compared with an independent model. STEPS sets the
 * number of steps, SEED repeats a run. A failure prints its seed and shrinks to the shortest list of steps that shows
 * it.
 */
import fc from 'fast-check';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { operations } from '../../plugins/website/http/operations';
import { amount } from '../support/amount';
import { addPerson, addSession, inTurn, type Signs } from '../support/cast';
import { databases } from '../support/databases';
import type { Read } from '../support/fhir';
import { askingAs, decrypt, locationsIn, openLink, payloadOf, readFile } from '../support/links';
import { admin, startService, type TestService } from '../support/server';
import { attribute, createRecord, succeeded } from '../support/world';
import { statedIn, type SmartToken } from './fhir-model';
import {
  endLinks,
  mayChoose,
  MOST_WRONG,
  opens,
  over,
  shows,
  taken,
  type Link,
  type Opening as Opened,
} from './links-model';
import { Model, type Carenet, type Doc } from './model';
import { accountId, ACCOUNTS, opening, operation, type Operation, perform, type Stage } from './operations';
import { tryRounds } from './rounds';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const STEPS = Number(process.env['STEPS'] ?? amount(50, 600));
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
/** Time limit for a run that hangs. */
const MINUTES = Math.max(20, STEPS / 100);
/** Number of openings in a round that are tried, and of openings that the list shows for one link. */
const OPENINGS = 8;
const TOLD = 20;

type Account = (typeof ACCOUNTS)[number];
type Act =
  | { readonly do: 'sharing'; readonly steps: readonly Operation[] }
  | {
      readonly do: 'make';
      readonly by: Account;
      readonly carenet: number | null;
      readonly docs: readonly number[];
      readonly passcode: string;
      readonly minutes: number | null;
    }
  | { readonly do: 'open'; readonly link: number; readonly passcode: 'right' | 'wrong' | 'none' }
  | { readonly do: 'guess'; readonly link: number; readonly times: number }
  | { readonly do: 'end'; readonly link: number; readonly by: Account }
  | { readonly do: 'disable'; readonly account: Account }
  | { readonly do: 'wait'; readonly minutes: number };

const account = fc.constantFrom(...ACCOUNTS);
const pick = fc.nat({ max: 30 });
const named = <T extends string>(name: T) => fc.constant(name);
const about = ['post', 'replace', 'status', 'nevershare', 'place', 'exclude', 'revert', 'autoshare', 'end autoshare'];
const sharing = [...about, 'share', 'unshare', 'give away', 'new carenet', 'delete carenet', 'update demographics'];

/** A right that is taken back and given again at once must not restore a link. */
const thereAndBack: fc.Arbitrary<readonly Operation[]> = fc.oneof(
  account.map((who): readonly Operation[] => [
    { op: 'unshare', account: who },
    { op: 'share', account: who },
  ]),
  account.map((who): readonly Operation[] => [
    { op: 'give away', to: who },
    { op: 'give away', to: 'ann' },
  ]),
);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: operation.filter(({ op }) => sharing.includes(op)).map((one): Act => ({ do: 'sharing', steps: [one] })),
  },
  { weight: 1, arbitrary: thereAndBack.map((steps): Act => ({ do: 'sharing', steps })) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: named('make'),
      by: account,
      carenet: fc.option(pick),
      docs: fc.array(pick, { maxLength: 3 }),
      passcode: fc.constantFrom('', 'as it was typed ', '081512'),
      minutes: fc.option(fc.constantFrom(1, 30, 600, 100_000)),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: named('open'),
      link: pick,
      passcode: fc.constantFrom('right', 'right', 'wrong', 'none'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: named('guess'), link: pick, times: fc.constantFrom(2, 60, 99, 100, 130) }) },
  { weight: 2, arbitrary: fc.record({ do: named('end'), link: pick, by: account }) },
  { weight: 1, arbitrary: fc.record({ do: named('disable'), account }) },
  { weight: 2, arbitrary: fc.record({ do: named('wait'), minutes: fc.constantFrom(1, 29, 31, 59, 61, 700) }) },
);

/** The first steps make links that can be opened at once. */
const firstActs: readonly Act[] = [
  { do: 'sharing', steps: opening.filter(({ op }) => sharing.includes(op)) },
  { do: 'sharing', steps: [{ op: 'share', account: 'ben' }] },
  { do: 'make', by: 'ann', carenet: null, docs: [1, 2], passcode: '', minutes: null },
  { do: 'make', by: 'ben', carenet: 0, docs: [1], passcode: '081512', minutes: null },
  { do: 'open', link: 0, passcode: 'right' },
  { do: 'open', link: 1, passcode: 'right' },
];

type LinkStage = Stage & { readonly people: Map<string, Signs>; readonly links: Link[]; readonly openings: Opened[] };

const one = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

for (const leg of databases) {
  describe(`health links on ${leg.name}, as a model has them`, () => {
    let service: TestService;
    let steps = 0;
    let compared = 0;
    /** Minutes by which the clock of links and openings is ahead; signatures and tokens use the usual clock. */
    let waited = 0;
    const now = (): number => Date.now() + waited * 60_000;

    before(async () => {
      service = await startService(leg, { SVC_RATE_ADDRESS_PER_MINUTE: '0', SVC_RATE_CONSUMER_PER_MINUTE: '0' });
      Object.assign(service.services, { clock: { now } });
      await inTurn(ACCOUNTS.map(accountId), (id) => addPerson(service.services, id));
    });
    after(() => service.stop());

    const asking = ({ people }: LinkStage, id: string) => askingAs(service, id, people.get(id)!);
    const listed = async (stage: LinkStage) =>
      asking(stage, stage.model.owner!)(operations.links.recordLinks, { params: { RECORD_ID: stage.recordId } });

    const make = async (stage: LinkStage, todo: Extract<Act, { do: 'make' }>): Promise<void> => {
      const { model, recordId, links } = stage;
      const maker = accountId(todo.by);
      const carenet = (todo.carenet === null ? null : one(model.carenets, todo.carenet)) ?? null;
      const chosen = todo.docs.flatMap((index) => {
        const doc = one(model.docs, index);
        return doc ? [{ doc, version: one(doc.versions, index)! }] : [];
      });
      const until = todo.minutes === null ? null : now() + todo.minutes * 60_000;
      const body = {
        label: `Link ${steps}`,
        passcode: todo.passcode,
        expires: until === null ? '' : new Date(until).toISOString(),
        carenet: carenet?.id ?? '',
        documents: chosen.map(({ version }) => version).join(','),
      };
      const asked = asking(stage, maker)(operations.links.recordLinkCreate, { params: { RECORD_ID: recordId }, body });
      if (!model.controls(maker)) {
        await expect(asked).to.reject(/do not permit/);
        return;
      }
      if (!chosen.every(({ doc, version }) => mayChoose(model, carenet, doc, version))) {
        await expect(asked).to.reject(/choose documents/);
        return;
      }
      const id = await asked;
      const { url, key, flag } = payloadOf((await listed(stage)).find((link) => link.id === id)!.text);
      expect(flag).to.equal(todo.passcode === '' ? 'L' : 'LP');
      const docs = [...new Set(chosen.map(({ doc }) => doc))];
      const fresh = { owner: model.owner, openers: [], wrong: 0, gone: false };
      links.push({ id, url, key, maker, carenet, passcode: todo.passcode, docs, until, ...fresh });
    };

    /** Opens a link. Void documents, and those that have left the carenet, are not in it. */
    const open = async (stage: LinkStage, link: Link, passcode: string | undefined): Promise<void> => {
      const by = `step ${steps}`;
      const answer = await openLink(service, link, { recipient: by, ...(passcode === undefined ? {} : { passcode }) });
      if (!opens(link, now())) {
        expect(answer.status, answer.text).to.equal(404);
        return;
      }
      if (link.passcode !== '' && link.passcode !== passcode) {
        link.wrong += 1;
        expect([answer.status, JSON.parse(answer.text)]).to.equal([
          401,
          { remainingAttempts: MOST_WRONG - link.wrong },
        ]);
        return;
      }
      expect(answer.status, answer.text).to.equal(200);
      link.openers.unshift(by);
      const [summary = '', ...documents] = locationsIn(answer);
      stage.openings.unshift({ link, at: now(), ticket: summary.replace(/\/summary$/, '') });
      expect(documents.map((location) => location.split('/').at(-1)!).sort()).to.equal(
        [...taken(stage.model, link)].sort(),
      );
    };

    /** Makes wrong guesses at the same time: no more are answered than are left. */
    const guess = async (link: Link, times: number): Promise<void> => {
      if (link.passcode === '') {
        return;
      }
      const left = opens(link, now()) ? Math.min(times, MOST_WRONG - link.wrong) : 0;
      const body = { recipient: 'nobody', passcode: 'wrong' };
      const answers = await Promise.all(Array.from({ length: times }, () => openLink(service, link, body)));
      expect(answers.filter(({ status }) => status === 401).length).to.equal(left);
      expect(answers.filter(({ status }) => status === 404).length).to.equal(times - left);
      link.wrong += left;
    };

    const end = async (stage: LinkStage, link: Link, by: string): Promise<void> => {
      const params = { RECORD_ID: stage.recordId, LINK_ID: link.id };
      const asked = asking(stage, by)(operations.links.recordLinkEnd, { params });
      if (!stage.model.controls(by)) {
        await expect(asked).to.reject(/do not permit/);
      } else if (link.gone) {
        await expect(asked).to.reject('There is no such link.');
      } else {
        await asked;
        link.gone = true;
      }
    };

    /** Disables an account: its links end at once, and stay ended when it is active again. */
    const disable = async (stage: LinkStage, id: string): Promise<void> => {
      const set = async (state: string): Promise<void> => {
        const path = `/accounts/${encodeURIComponent(id)}/set-state`;
        succeeded(await service.call(admin, 'POST', path, { form: { state } }));
      };
      const before = stage.links.filter(({ maker, gone }) => maker === id && !gone);
      await set('disabled');
      for (const link of before) {
        link.gone = true;
        expect((await openLink(service, link)).status).to.equal(404);
      }
      await set('active');
      stage.people.set(id, await addSession(service.services, id));
    };

    const doIt = async (stage: LinkStage, todo: Act): Promise<void> => {
      steps += 1;
      const link = 'link' in todo ? one(stage.links, todo.link) : undefined;
      if (todo.do === 'sharing') {
        for (const step of todo.steps) {
          await perform(stage, step);
          endLinks(stage.model, stage.links);
        }
      } else if (todo.do === 'make') {
        await make(stage, todo);
      } else if (todo.do === 'disable') {
        await disable(stage, accountId(todo.account));
      } else if (todo.do === 'wait') {
        waited += todo.minutes;
      } else if (link && todo.do === 'open') {
        const words = { right: link.passcode, wrong: `${link.passcode}x`, none: undefined };
        await open(stage, link, words[todo.passcode]);
      } else if (link && todo.do === 'guess') {
        await guess(link, todo.times);
      } else if (link && todo.do === 'end') {
        await end(stage, link, accountId(todo.by));
      }
    };

    /** Makes a record of Ann's with two carenets, and the same in the model. */
    const raise = async (): Promise<LinkStage> => {
      const ann = accountId('ann');
      const people = new Map(
        await inTurn(ACCOUNTS.map(accountId), async (id) => [id, await addSession(service.services, id)] as const),
      );
      const model = new Model(new Set(), ann);
      const recordId = await createRecord(service.call, ann);
      const read = async (path: string): Promise<string> =>
        succeeded(await service.call(people.get(ann)!, 'GET', `/records/${recordId}${path}`)).text;
      const ids = [...(await read('/carenets/')).matchAll(/<Carenet id="([^"]*)"/g)].map((match) => match[1]!);
      model.carenets.push(
        ...ids.map((id): Carenet => ({ id, members: new Set(), apps: new Set(), types: new Set(), kinds: new Set() })),
      );
      const about: Omit<Doc, 'versions'> = {
        type: 'Demographics',
        status: 'active',
        nevershare: false,
        wishes: new Map(),
      };
      model.docs.push({ ...about, versions: [attribute(await read(''), 'demographics', 'document_id')] });
      const maps = { people, apps: new Map(), tokens: new Map() };
      const stage: LinkStage = { service, recordId, model, links: [], openings: [], ...maps };
      for (const todo of firstActs) {
        await doIt(stage, todo);
      }
      return stage;
    };

    /** Compares the list of links that those in control see. */
    const compareList = async (stage: LinkStage): Promise<void> => {
      const told = (await listed(stage)).map((link) => ({
        id: link.id,
        makerId: link.makerId,
        hasPasscode: link.hasPasscode,
        documents: link.documents,
        openings: link.openings,
        opened: link.opened.map(({ by }) => by),
        over: link.over,
      }));
      const expected = stage.links
        .filter(({ gone }) => !gone)
        .map((link) => ({
          id: link.id,
          makerId: link.maker,
          hasPasscode: link.passcode !== '',
          documents: link.docs.length,
          openings: link.openers.length,
          opened: link.openers.slice(0, TOLD),
          over: over(link, now()),
        }));
      const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
      expect(told.sort(byId)).to.equal(expected.sort(byId));
      compared += expected.length;
    };

    const compareSummary = async ({ model, recordId }: LinkStage, { link, ticket }: Opened): Promise<void> => {
      const { resource } = await decrypt(await readFile(service, `${ticket}/summary`), { ...link, v: 1, flag: '' });
      const entries = (resource['entry'] as readonly { readonly resource: Read }[]).map((entry) => entry.resource);
      const versions = entries
        .filter(({ resourceType }) => resourceType === 'Procedure')
        .map(({ meta }) => meta.versionId as string);
      const token = { carenet: link.carenet } as SmartToken;
      expect(versions.sort()).to.equal([...statedIn(model, token, 'Procedure')].sort());
      const patient = entries.find(({ resourceType }) => resourceType === 'Patient')!;
      expect(patient['id']).to.equal(recordId);
      expect(patient['birthDate'] !== undefined).to.equal(
        link.carenet === null || model.holds(link.carenet, model.docs[0]!),
      );
    };

    /** Requests every version of every document of the record, chosen or not. */
    const compareOpening = async (stage: LinkStage, opened: Opened): Promise<void> => {
      const stands = shows(opened, now());
      const summary = await readFile(service, `${opened.ticket}/summary`);
      expect(summary.status).to.equal(stands ? 200 : 404);
      if (stands) {
        await compareSummary(stage, opened);
      }
      const shown = stands ? taken(stage.model, opened.link) : [];
      const versions = stage.model.docs.flatMap((doc) => doc.versions);
      const answers = await Promise.all(versions.map((id) => readFile(service, `${opened.ticket}/documents/${id}`)));
      const read = versions.filter((_, index) => answers[index]!.status === 200);
      expect([...read].sort()).to.equal([...shown].sort());
      expect(answers.every(({ status }) => status === 200 || status === 404)).to.be.true();
      compared += versions.length + 1;
    };

    const round = async (todo: readonly (readonly Act[])[]): Promise<void> => {
      const stage = await raise();
      for (const part of todo) {
        for (const step of part) {
          await doIt(stage, step);
        }
        await compareList(stage);
        for (const opened of stage.openings.slice(0, OPENINGS)) {
          await compareOpening(stage, opened);
        }
      }
    };

    it(`agree in ${STEPS} steps (SEED=${SEED})`, { timeout: MINUTES * 60_000 }, async () => {
      await tryRounds({
        step: act,
        steps: { least: 1, most: 20 },
        parts: { most: 5 },
        seed: SEED,
        minutes: MINUTES,
        isEnough: () => steps >= STEPS,
        round,
      });
      process.stdout.write(
        `\n${leg.name}: ${steps} steps, ${compared} answers compared, none disagreed (SEED=${SEED})\n`,
      );
      expect(steps).to.be.at.least(STEPS);
    });
  });
}

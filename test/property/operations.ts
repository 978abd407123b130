/**
 * operations: what people do to a record: done to the service through signed calls, and to the model; both must agree
 * on the answer.
 */
import fc from 'fast-check';
import { expect } from '@hapi/code';
import { addToken, enable, type Signs } from '../support/cast';
import type { Answer, Credentials } from '../support/client';
import { admin, type TestService } from '../support/server';
import { attribute, demographics } from '../support/world';
import type { Carenet, Doc, Model, Status, Token } from './model';

const NS = 'https://svc.example/vocab/xml/documents#';
export const TYPES = ['Procedure', 'Survey'] as const;
const RELATIONS = ['annotation', 'interpretation', 'followup'] as const;
export const ACCOUNTS = ['ann', 'ben', 'cat'] as const;
export const APPS = ['reader', 'robot'] as const;
export const ROBOT = 'robot@apps.example';

/** What no fact that is seen by its kind may say. */
export const REMARK = 'a remark for who opens the document';

export const accountId = (name: string): string => `${name}@example.org`;
export const appId = (name: string): string => `${name}@apps.example`;

/** One operation. Its numbers choose one of the existing things, however many there are. */
export type Operation =
  | { readonly op: 'post'; readonly type: (typeof TYPES)[number] }
  | { readonly op: 'replace'; readonly doc: number; readonly version: number; readonly type: (typeof TYPES)[number] }
  | { readonly op: 'update demographics' }
  | { readonly op: 'status'; readonly doc: number; readonly to: Status }
  | { readonly op: 'nevershare'; readonly doc: number; readonly on: boolean }
  | { readonly op: 'place' | 'exclude' | 'revert'; readonly doc: number; readonly carenet: number }
  | {
      readonly op: 'autoshare' | 'end autoshare';
      readonly type: (typeof TYPES)[number] | 'Demographics';
      readonly carenet: number;
    }
  | { readonly op: 'give kind' | 'end kind'; readonly carenet: number }
  | { readonly op: 'admit' | 'remove'; readonly account: (typeof ACCOUNTS)[number]; readonly carenet: number }
  | { readonly op: 'share' | 'unshare'; readonly account: (typeof ACCOUNTS)[number] }
  | { readonly op: 'give away'; readonly to: (typeof ACCOUNTS)[number] }
  | { readonly op: 'enable' | 'disable'; readonly app: (typeof APPS)[number] }
  | { readonly op: 'place app' | 'remove app'; readonly app: (typeof APPS)[number]; readonly carenet: number }
  | {
      readonly op: 'authorize';
      readonly app: (typeof APPS)[number];
      readonly account: (typeof ACCOUNTS)[number] | null;
      readonly carenet: number | null;
    }
  | {
      readonly op: 'relate';
      readonly subject: number;
      readonly object: number;
      readonly type: (typeof RELATIONS)[number];
    }
  | {
      readonly op: 'take back and give again';
      readonly what: 'membership' | 'share' | 'ownership' | 'app' | 'app in carenet';
      readonly account: (typeof ACCOUNTS)[number];
      readonly app: (typeof APPS)[number];
      readonly carenet: number;
    }
  | { readonly op: 'new carenet' | 'delete carenet'; readonly carenet: number };

const pick = fc.nat({ max: 30 });
const account = fc.constantFrom(...ACCOUNTS);
const app = fc.constantFrom(...APPS);
const type = fc.constantFrom(...TYPES);
const of = <T extends string>(...names: T[]) => fc.constantFrom(...names);

/** Sharing and its undoing are the most frequent, because they are what is tested. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: of('post'), type }) },
  { weight: 3, arbitrary: fc.record({ op: of('replace'), doc: pick, version: fc.nat({ max: 2 }), type }) },
  { weight: 1, arbitrary: fc.record({ op: of('update demographics') }) },
  { weight: 2, arbitrary: fc.record({ op: of('status'), doc: pick, to: of<Status>('active', 'void', 'archived') }) },
  { weight: 2, arbitrary: fc.record({ op: of('nevershare'), doc: pick, on: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ op: of('place', 'exclude', 'revert'), doc: pick, carenet: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: of('autoshare', 'autoshare', 'end autoshare'),
      type: of(...TYPES, 'Demographics'),
      carenet: pick,
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: of('give kind', 'give kind', 'end kind'), carenet: pick }) },
  { weight: 4, arbitrary: fc.record({ op: of('admit', 'admit', 'remove'), account, carenet: pick }) },
  { weight: 3, arbitrary: fc.record({ op: of('share', 'share', 'unshare'), account }) },
  { weight: 1, arbitrary: fc.record({ op: of('give away'), to: account }) },
  { weight: 3, arbitrary: fc.record({ op: of('enable', 'enable', 'disable'), app }) },
  { weight: 3, arbitrary: fc.record({ op: of('place app', 'place app', 'remove app'), app, carenet: pick }) },
  {
    weight: 4,
    arbitrary: fc.record({ op: of('authorize'), app, account: fc.option(account), carenet: fc.option(pick) }),
  },
  { weight: 3, arbitrary: fc.record({ op: of('relate'), subject: pick, object: pick, type: of(...RELATIONS) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: of('take back and give again'),
      what: of('membership', 'share', 'ownership', 'app', 'app in carenet'),
      account,
      app,
      carenet: pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: of('new carenet', 'delete carenet'), carenet: pick }) },
);

/** The first operations on every record: they share something, so that undoing it happens early. */
export const opening: readonly Operation[] = [
  { op: 'post', type: 'Procedure' },
  { op: 'post', type: 'Survey' },
  { op: 'autoshare', type: 'Procedure', carenet: 0 },
  { op: 'admit', account: 'cat', carenet: 0 },
  { op: 'give kind', carenet: 1 },
  { op: 'enable', app: 'reader' },
  { op: 'place app', app: 'reader', carenet: 0 },
  { op: 'authorize', app: 'reader', account: 'cat', carenet: 0 },
  { op: 'authorize', app: 'reader', account: 'ann', carenet: null },
  { op: 'enable', app: 'robot' },
  { op: 'authorize', app: 'robot', account: null, carenet: null },
];

export type Stage = {
  readonly service: TestService;
  readonly recordId: string;
  readonly model: Model;
  /** The credentials of each account. */
  readonly people: ReadonlyMap<string, Signs>;
  readonly apps: ReadonlyMap<string, Signs>;
  readonly tokens: Map<Token, Signs>;
};

const DAY = 86_400_000;
let procedures = 0;

/** A procedure on a day of its own: what is said twice of one day is one entry of a summary. */
export function procedure(name: string, comments = ''): string {
  procedures += 1;
  const date = new Date(Date.UTC(1980, 0, 1, 13) + procedures * DAY).toISOString();
  return (
    `<Procedure xmlns="${NS}"><datePerformed>${date}</datePerformed><name ` +
    `type="http://snomed.info/sct" value="80146002">${name}</name>${comments}</Procedure>`
  );
}

const bodyOf = (kind: string, text: string): string =>
  kind === 'Procedure' ? procedure(text, `<comments>${REMARK}</comments>`) : `<${kind} xmlns="${NS}">${text}</${kind}>`;

const one = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];

/** The credentials of an account that controls the record. */
const controller = ({ model, people }: Stage): Credentials => {
  const name = ACCOUNTS.map(accountId).find((id) => model.controls(id));
  return name === undefined ? null : (people.get(name) ?? null);
};

const latest = (doc: Doc): string => doc.versions[doc.versions.length - 1]!;
const idOf = (answer: Answer): string => attribute(answer.text, 'Document', 'id');

let serial = 0;

/** Access that was lost in between must not come back, above all not by tokens. */
const thereAndBack = ({
  what,
  account: person,
  app: program,
  carenet,
}: Extract<Operation, { op: 'take back and give again' }>): readonly Operation[] => {
  switch (what) {
    case 'membership':
      return [
        { op: 'admit', account: person, carenet },
        { op: 'remove', account: person, carenet },
        { op: 'admit', account: person, carenet },
      ];
    case 'share':
      return [
        { op: 'unshare', account: person },
        { op: 'share', account: person },
      ];
    case 'ownership':
      return [
        { op: 'give away', to: person },
        { op: 'give away', to: 'ann' },
      ];
    case 'app':
      return [
        { op: 'disable', app: program },
        { op: 'enable', app: program },
      ];
    case 'app in carenet':
      return [
        { op: 'remove app', app: program, carenet },
        { op: 'place app', app: program, carenet },
      ];
  }
};

/** Does one operation; nothing happens when the thing that it names does not exist. */
// eslint-disable-next-line max-lines-per-function -- one case an operation, read as one table
export const perform = async (stage: Stage, todo: Operation): Promise<void> => {
  const {
    service: { call, services },
    recordId,
    model,
    apps,
    tokens,
  } = stage;
  const who = controller(stage);
  const record = `/records/${recordId}`;
  const agree = (answer: Answer, status: number): boolean => {
    expect(answer.status, `${JSON.stringify(todo)}: ${answer.text}`).to.equal(status);
    return status === 200;
  };
  if (!who && !['give away', 'enable', 'disable', 'authorize', 'take back and give again'].includes(todo.op)) {
    return;
  }
  serial += 1;
  switch (todo.op) {
    case 'post': {
      const answer = await call(who, 'POST', `${record}/documents/`, { body: bodyOf(todo.type, `text ${serial}`) });
      agree(answer, 200);
      model.docs.push({
        versions: [idOf(answer)],
        type: todo.type,
        status: 'active',
        nevershare: false,
        wishes: new Map(),
      });
      return;
    }
    case 'replace': {
      // The first document is the record's demographics, which only other demographics may replace.
      const doc = one(model.docs.slice(1), todo.doc);
      const version = doc && one(doc.versions, doc.versions.length - 1 - (todo.version % doc.versions.length));
      if (doc && version !== undefined) {
        const answer = await call(who, 'POST', `${record}/documents/${version}/replace`, {
          body: bodyOf(todo.type, `text ${serial}`),
        });
        if (agree(answer, version === latest(doc) ? 200 : 400)) {
          doc.versions.push(idOf(answer));
          doc.type = todo.type;
        }
      }
      return;
    }
    case 'update demographics': {
      const answer = await call(who, 'PUT', `${record}/demographics`, {
        body: demographics(`Given${serial}`, 'Family'),
      });
      agree(answer, 200);
      model.docs[0]!.versions.push(idOf(answer));
      return;
    }
    case 'status': {
      const doc = one(model.docs, todo.doc);
      if (doc) {
        const answer = await call(who, 'POST', `${record}/documents/${doc.versions[0]!}/set-status`, {
          form: { status: todo.to, reason: 'because' },
        });
        if (agree(answer, doc.status === 'archived' && todo.to === 'void' ? 400 : 200)) {
          doc.status = todo.to;
        }
      }
      return;
    }
    case 'nevershare': {
      const doc = one(model.docs, todo.doc);
      if (doc) {
        agree(await call(who, todo.on ? 'PUT' : 'DELETE', `${record}/documents/${latest(doc)}/nevershare`), 200);
        doc.nevershare = todo.on;
      }
      return;
    }
    case 'place':
    case 'exclude':
    case 'revert': {
      const [doc, carenet] = [one(model.docs, todo.doc), one(model.carenets, todo.carenet)];
      if (doc && carenet) {
        const path = `${record}/documents/${doc.versions[todo.doc % doc.versions.length]!}/carenets/${carenet.id}`;
        const answer =
          todo.op === 'revert'
            ? await call(who, 'POST', `${path}/autoshare-revert`)
            : await call(who, todo.op === 'place' ? 'PUT' : 'DELETE', path);
        if (agree(answer, todo.op === 'place' && doc.nevershare ? 404 : 200)) {
          if (todo.op === 'revert') {
            doc.wishes.delete(carenet);
          } else {
            doc.wishes.set(carenet, todo.op === 'place');
          }
        }
      }
      return;
    }
    case 'autoshare':
    case 'end autoshare': {
      const carenet = one(model.carenets, todo.carenet);
      if (carenet) {
        agree(
          await call(
            who,
            'POST',
            `${record}/autoshare/carenets/${carenet.id}/bytype/${todo.op === 'autoshare' ? 'set' : 'unset'}`,
            { form: { type: todo.type } },
          ),
          200,
        );
        carenet.types[todo.op === 'autoshare' ? 'add' : 'delete'](todo.type);
      }
      return;
    }
    case 'give kind':
    case 'end kind': {
      const carenet = one(model.carenets, todo.carenet);
      if (carenet) {
        const method = todo.op === 'give kind' ? 'PUT' : 'DELETE';
        agree(await call(who, method, `/carenets/${carenet.id}/kinds/procedures`), 200);
        carenet.kinds[todo.op === 'give kind' ? 'add' : 'delete']('Procedure');
      }
      return;
    }
    case 'admit':
    case 'remove': {
      const [id, carenet] = [accountId(todo.account), one(model.carenets, todo.carenet)];
      if (carenet && todo.op === 'admit') {
        agree(
          await call(who, 'POST', `/carenets/${carenet.id}/accounts/`, { form: { account_id: id, write: 'false' } }),
          200,
        );
        carenet.members.add(id);
      } else if (carenet) {
        agree(
          await call(who, 'DELETE', `/carenets/${carenet.id}/accounts/${encodeURIComponent(id)}`),
          carenet.members.has(id) ? 200 : 404,
        );
        carenet.members.delete(id);
        model.endTokens((token) => token.account === id && !model.mayGive(token));
      }
      return;
    }
    case 'share':
    case 'unshare': {
      const id = accountId(todo.account);
      if (todo.op === 'share') {
        agree(await call(admin, 'POST', `${record}/shares/`, { form: { account_id: id } }), 200);
        if (model.owner !== id) {
          model.shares.add(id);
        }
      } else {
        agree(await call(admin, 'DELETE', `${record}/shares/${encodeURIComponent(id)}`), 200);
        model.shares.delete(id);
        model.endTokens((token) => token.account === id && !model.mayGive(token));
      }
      return;
    }
    case 'give away': {
      const [before, id] = [model.owner, accountId(todo.to)];
      agree(await call(admin, 'PUT', `${record}/owner`, { body: id, type: 'text/plain' }), 200);
      model.owner = id;
      model.endTokens((token) => token.account !== null && token.account === before && !model.mayGive(token));
      return;
    }
    case 'enable':
    case 'disable': {
      const id = appId(todo.app);
      if (todo.op === 'enable') {
        await enable(services, recordId, id);
        model.enabled.add(id);
      } else {
        agree(await call(admin, 'DELETE', `${record}/apps/${encodeURIComponent(id)}`), 200);
        model.enabled.delete(id);
        model.carenets.forEach((carenet) => carenet.apps.delete(id));
        model.endTokens((token) => token.app === id);
      }
      return;
    }
    case 'place app':
    case 'remove app': {
      const [id, carenet] = [appId(todo.app), one(model.carenets, todo.carenet)];
      if (carenet && todo.op === 'place app') {
        const answer = await call(who, 'PUT', `/carenets/${carenet.id}/apps/${encodeURIComponent(id)}`);
        const toEnabled = id === ROBOT ? 400 : 200;
        if (agree(answer, model.enabled.has(id) ? toEnabled : 404)) {
          carenet.apps.add(id);
        }
      } else if (carenet) {
        agree(await call(who, 'DELETE', `/carenets/${carenet.id}/apps/${encodeURIComponent(id)}`), 200);
        carenet.apps.delete(id);
        model.endTokens((token) => token.app === id && token.carenet === carenet);
      }
      return;
    }
    case 'authorize': {
      // Tokens are written straight into the database, also where the dance would have been refused: such tokens must
      // give no access.
      const [id, carenet] = [appId(todo.app), todo.carenet === null ? undefined : one(model.carenets, todo.carenet)];
      const who2 = todo.account === null ? null : accountId(todo.account);
      const token: Token = { app: id, account: who2, carenet: carenet ?? null, ended: false };
      model.tokens.push(token);
      tokens.set(
        token,
        await addToken(services, {
          app: apps.get(id)!,
          accountId: who2,
          recordId,
          ...(carenet ? { carenetId: carenet.id } : {}),
        }),
      );
      return;
    }
    case 'relate': {
      const [subject, object] = [one(model.docs, todo.subject), one(model.docs, todo.object)];
      if (subject && object) {
        agree(
          await call(who, 'PUT', `${record}/documents/${latest(object)}/rels/${todo.type}/${subject.versions[0]!}`),
          200,
        );
        if (
          !model.relations.some(
            (known) => known.type === todo.type && known.subject === subject && known.object === object,
          )
        ) {
          model.relations.push({ type: todo.type, subject, object });
        }
      }
      return;
    }
    case 'take back and give again': {
      for (const step of thereAndBack(todo)) {
        await perform(stage, step);
      }
      return;
    }
    case 'new carenet': {
      const answer = await call(who, 'POST', `${record}/carenets/`, { form: { name: `Carenet ${serial}` } });
      agree(answer, 200);
      model.carenets.push({
        id: attribute(answer.text, 'Carenet', 'id'),
        members: new Set(),
        apps: new Set(),
        types: new Set(),
        kinds: new Set(),
      });
      return;
    }
    case 'delete carenet': {
      const carenet: Carenet | undefined = one(model.carenets, todo.carenet);
      if (carenet) {
        agree(await call(who, 'DELETE', `/carenets/${carenet.id}`), 200);
        model.carenets.splice(model.carenets.indexOf(carenet), 1);
        model.docs.forEach((doc) => doc.wishes.delete(carenet));
        model.endTokens((token) => token.carenet === carenet);
      }
    }
  }
};

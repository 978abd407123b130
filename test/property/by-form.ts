/** by-form: sends forms of the website as any person, and does the same to the model when the model allows it. */
import fc from 'fast-check';
import { expect } from '@hapi/code';
import { formsOf, type Fields, type Site, type SitePage } from '../support/site';
import type { Carenet, Doc, Model, Status } from './model';
import { ACCOUNTS, accountId, APPS, appId, procedure, type Stage } from './operations';

const NS = 'https://svc.example/vocab/xml/documents#';
const UPLOADED = ['Procedure', 'Survey'] as const;
/** Kinds of documents that the sharing page has boxes for; `Models` are documents that were typed into a form. */
export const KINDS = ['Procedure', 'Survey', 'Demographics', 'Models'] as const;
/** Everybody who has a browser; Eve has no part in the record. */
export const VISITORS = [...ACCOUNTS, 'eve'] as const;

export type SiteStage = Stage & {
  readonly sites: ReadonlyMap<string, Site>;
  /** Version of a document that came from a form -> a word that occurs only in it. */
  readonly marks: Map<string, string>;
  /** Document -> the same for its label, which stays when the document is replaced. */
  readonly labels: Map<Doc, string>;
};

type Todo =
  | { readonly op: 'upload'; readonly type: (typeof UPLOADED)[number] }
  | { readonly op: 'write down' }
  | { readonly op: 'correct'; readonly doc: number; readonly version: number }
  | { readonly op: 'status'; readonly doc: number; readonly to: Status }
  | { readonly op: 'never share'; readonly doc: number; readonly on: boolean }
  | { readonly op: 'place' | 'take'; readonly doc: number; readonly carenet: number }
  | { readonly op: 'kind'; readonly type: (typeof KINDS)[number]; readonly carenet: number; readonly on: boolean }
  | { readonly op: 'add' | 'take out'; readonly account: (typeof ACCOUNTS)[number]; readonly carenet: number }
  | { readonly op: 'share' | 'stop'; readonly account: (typeof ACCOUNTS)[number] }
  | { readonly op: 'create' | 'delete'; readonly carenet: number }
  | { readonly op: 'app in' | 'app out'; readonly app: (typeof APPS)[number] }
  | { readonly op: 'hand over'; readonly to: (typeof ACCOUNTS)[number]; readonly keep: boolean };

export type ByForm = { readonly who: (typeof VISITORS)[number]; readonly todo: Todo };

const pick = fc.nat({ max: 30 });
const account = fc.constantFrom(...ACCOUNTS);
const of = <T extends string>(...names: T[]) => fc.constantFrom(...names);

const todo: fc.Arbitrary<Todo> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ op: of('upload'), type: of(...UPLOADED) }) },
  { weight: 3, arbitrary: fc.record({ op: of('write down') }) },
  { weight: 3, arbitrary: fc.record({ op: of('correct'), doc: pick, version: fc.nat({ max: 2 }) }) },
  { weight: 4, arbitrary: fc.record({ op: of('status'), doc: pick, to: of<Status>('active', 'void', 'archived') }) },
  { weight: 2, arbitrary: fc.record({ op: of('never share'), doc: pick, on: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ op: of('place', 'take'), doc: pick, carenet: pick }) },
  { weight: 4, arbitrary: fc.record({ op: of('kind'), type: of(...KINDS), carenet: pick, on: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ op: of('add', 'add', 'take out'), account, carenet: pick }) },
  { weight: 3, arbitrary: fc.record({ op: of('share', 'share', 'stop'), account }) },
  { weight: 1, arbitrary: fc.record({ op: of('create', 'delete'), carenet: pick }) },
  { weight: 2, arbitrary: fc.record({ op: of('app in', 'app out'), app: fc.constantFrom(...APPS) }) },
  { weight: 3, arbitrary: fc.record({ op: of('hand over'), to: account, keep: fc.boolean() }) },
);

/** Mostly people who may do it; the forms of all others must change nothing. */
export const byForm: fc.Arbitrary<ByForm> = fc.record({
  who: fc.oneof(
    { weight: 3, arbitrary: fc.constant('ann' as const) },
    { weight: 3, arbitrary: fc.constantFrom(...VISITORS) },
  ),
  todo,
});

const one = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(1, list.length)];
const latest = (doc: Doc): string => doc.versions.at(-1)!;

let serial = 0;
const newMark = (): string => `mark${(serial += 1)}x`;

const fileOf = (type: string, mark: string): string =>
  type === 'Procedure' ? procedure(mark) : `<${type} xmlns="${NS}">${mark}</${type}>`;

/** Sends a form as its page would, with the crumb of the person's own session. */
export const postForm = async (site: Site, path: string, fields: Record<string, string>): Promise<SitePage> => {
  if (!site.cookies.has('crumb')) {
    await site.get('/my/account');
  }
  return site.post(path, { crumb: site.cookies.get('crumb')!, ...fields } as Fields);
};

const idIn = (page: SitePage): string => /\/documents\/([^/?]+)$/.exec(String(page.headers['location']))?.[1] ?? '';

const endTokensOf = (model: Model, account: string | null): void =>
  model.endTokens((token) => token.account !== null && token.account === account && !model.mayGive(token));

/** The box of a kind in a carenet, with the name on the sharing page; undefined where the page has none. */
const boxOf = (page: SitePage, carenet: Carenet, type: string): string | undefined =>
  [...page.text.matchAll(/name="share" value="([^"]*)"/g)]
    .map((match) => match[1]!)
    .find((box) => box.startsWith(`${carenet.id} `) && box.endsWith(`#${type}`));

/**
 * Sends one form as one person, and does the same to the model if the model allows it.
 * @returns how many answers were compared
 */
// eslint-disable-next-line max-lines-per-function -- one case a form, read as one table
export const performByForm = async (stage: SiteStage, { who, todo: what }: ByForm): Promise<number> => {
  const { model, recordId, sites, marks, labels } = stage;
  const id = accountId(who);
  const site = sites.get(id)!;
  const record = `/my/records/${recordId}`;
  const may = model.controls(id);
  const owns = model.owner === id;
  let compared = 0;
  /** Compares the status; true when the form succeeded. */
  const agree = (page: SitePage, status: number): boolean => {
    compared += 1;
    expect(page.status, `${who} ${JSON.stringify(what)}: ${page.text.slice(0, 2000)}`).to.equal(status);
    return status === 303;
  };
  const sent = (path: string, fields: Record<string, string>, status: number): Promise<boolean> =>
    postForm(site, `${record}${path}`, fields).then((page) => agree(page, status));
  const added = (page: SitePage, type: string, mark: string): Doc => {
    const doc: Doc = { versions: [idIn(page)], type, status: 'active', nevershare: false, wishes: new Map() };
    model.docs.push(doc);
    marks.set(latest(doc), mark);
    return doc;
  };
  switch (what.op) {
    case 'upload': {
      const mark = newMark();
      await postForm(site, '/my/account', {});
      const looked = await site.upload(`${record}/add`, { crumb: site.cookies.get('crumb')! }, [
        { field: 'file', name: 'a.xml', bytes: fileOf(what.type, mark), type: 'application/xml' },
      ]);
      agree(looked, may ? 200 : 404);
      const token = formsOf(looked).find(({ fields }) => 'form' in fields)?.fields['form'] ?? 'guessed';
      const page = await postForm(site, `${record}/add`, { form: token, label: '' });
      if (agree(page, may ? 303 : 404)) {
        added(page, what.type, mark);
      }
      return compared;
    }
    case 'write down': {
      const mark = newMark();
      const page = await postForm(site, `${record}/add/Procedure`, { form: newMark(), name: mark });
      if (agree(page, may ? 303 : 404)) {
        labels.set(added(page, 'Models', mark), mark);
      }
      return compared;
    }
    case 'correct': {
      const doc = one(model.docs.slice(1), what.doc);
      const version = doc && one(doc.versions, doc.versions.length - 1 - (what.version % doc.versions.length));
      if (doc && version !== undefined) {
        const mark = newMark();
        const address = `${record}/add/Procedure?correct=${version}`;
        const shown = await site.get(address);
        const isTyped = may && marks.has(version) && labels.has(doc) && typedVersion(stage, doc, version);
        agree(shown, isTyped ? 200 : 404);
        const form = formsOf(shown).find(({ fields }) => 'correct' in fields)?.fields ?? {};
        const page = await postForm(site, `${record}/add/Procedure`, {
          form: newMark(),
          correct: version,
          version: form['version'] ?? 'guessed',
          name: mark,
        });
        const refused = isTyped ? 409 : 404;
        if (agree(page, isTyped && version === latest(doc) ? 303 : refused)) {
          doc.versions.push(idIn(page));
          marks.set(latest(doc), mark);
          labels.set(doc, mark);
        }
      }
      return compared;
    }
    case 'status': {
      const doc = one(model.docs, what.doc);
      if (doc) {
        const done = doc.status === 'archived' && what.to === 'void' ? 400 : 303;
        const fields = { what: 'status', status: what.to, reason: 'because' };
        if (await sent(`/documents/${doc.versions[0]!}`, fields, may ? done : 404)) {
          doc.status = what.to;
        }
      }
      return compared;
    }
    case 'never share': {
      const doc = one(model.docs, what.doc);
      if (doc && (await sent(`/documents/${latest(doc)}`, { what: what.on ? 'never' : 'again' }, may ? 303 : 404))) {
        doc.nevershare = what.on;
      }
      return compared;
    }
    case 'place':
    case 'take': {
      const [doc, carenet] = [one(model.docs, what.doc), one(model.carenets, what.carenet)];
      if (doc && carenet) {
        const done = what.op === 'place' && doc.nevershare ? 404 : 303;
        const path = `/documents/${doc.versions[what.doc % doc.versions.length]!}`;
        if (await sent(path, { what: what.op, carenet: carenet.id }, may ? done : 404)) {
          doc.wishes.set(carenet, what.op === 'place');
        }
      }
      return compared;
    }
    case 'kind': {
      const carenet = one(model.carenets, what.carenet);
      if (carenet) {
        const box = boxOf(await site.get(`${record}/sharing`), carenet, what.type);
        if (may && box === undefined) {
          // The last document of this kind was replaced by one of another kind, so there is no box.
          return compared;
        }
        const fields = { what: 'kinds', [what.on ? 'share' : 'was']: box ?? `${carenet.id} ${NS}${what.type}` };
        if (await sent('/sharing', fields, may ? 303 : 404)) {
          carenet.types[what.on ? 'add' : 'delete'](what.type);
        }
      }
      return compared;
    }
    case 'add':
    case 'take out': {
      const [person, carenet] = [accountId(what.account), one(model.carenets, what.carenet)];
      if (carenet && what.op === 'add') {
        // The page does not add an owner to a circle of their own record.
        const done = person === model.owner ? 400 : 303;
        if (await sent('/sharing', { what: 'add', carenet: carenet.id, who: person, sure: person }, may ? done : 404)) {
          carenet.members.add(person);
        }
      } else if (carenet) {
        const done = may && carenet.members.has(person) ? 303 : 404;
        if (await sent('/sharing', { what: 'take-out', carenet: carenet.id, account: person }, done)) {
          carenet.members.delete(person);
        }
        if (may) {
          model.endTokens((token) => token.account === person && !model.mayGive(token));
        }
      }
      return compared;
    }
    case 'share':
    case 'stop': {
      const person = accountId(what.account);
      if (what.op === 'share') {
        const done = person === id ? 400 : 303;
        if (await sent('/sharing', { what: 'whole', who: person, sure: person }, owns ? done : 404)) {
          model.shares.add(person);
        }
        return compared;
      }
      // The button ends every way by which the person sees the record; a full share, if the owner presses it.
      const isIn = model.carenets.some(({ members }) => members.has(person));
      const done = person !== model.owner && (owns || (may && isIn)) ? 303 : 404;
      if (await sent('/sharing', { what: 'stop', account: person }, done)) {
        if (owns) {
          model.shares.delete(person);
        }
        model.carenets.forEach(({ members }) => members.delete(person));
        model.endTokens((token) => token.account === person && !model.mayGive(token));
      }
      return compared;
    }
    case 'create': {
      const name = `Circle ${newMark()}`;
      if (await sent('/sharing', { what: 'create', name }, may ? 303 : 404)) {
        const { text } = await site.get(`${record}/sharing`);
        const known = new Set(model.carenets.map((carenet) => carenet.id));
        const made = [...text.matchAll(/ id="carenet-([^"]*)"/g)]
          .map((match) => match[1]!)
          .filter((c) => !known.has(c));
        expect(made.length, name).to.equal(1);
        model.carenets.push({ id: made[0]!, members: new Set(), apps: new Set(), types: new Set(), kinds: new Set() });
      }
      return compared;
    }
    case 'delete': {
      const carenet = one(model.carenets, what.carenet);
      if (carenet && (await sent('/sharing', { what: 'delete', carenet: carenet.id }, may ? 303 : 404))) {
        model.carenets.splice(model.carenets.indexOf(carenet), 1);
        model.docs.forEach((doc) => doc.wishes.delete(carenet));
        model.endTokens((token) => token.carenet === carenet);
      }
      return compared;
    }
    case 'app in': {
      const app = appId(what.app);
      if (await sent(`/apps/${encodeURIComponent(app)}`, { answer: 'yes' }, may ? 303 : 404)) {
        model.enabled.add(app);
      }
      return compared;
    }
    case 'app out': {
      const app = appId(what.app);
      if (await sent('/apps', { app }, may ? 303 : 404)) {
        model.enabled.delete(app);
        model.carenets.forEach((carenet) => carenet.apps.delete(app));
        model.endTokens((token) => token.app === app);
      }
      return compared;
    }
    case 'hand over': {
      const to = accountId(what.to);
      const fields: Record<string, string> = {
        what: 'offer',
        name: to,
        sure: to,
        ...(what.keep ? { keep: 'true' } : {}),
      };
      const done = to === id ? 400 : 303;
      if (!(await sent('/hand-over', fields, owns ? done : 404))) {
        return compared;
      }
      const answer: Record<string, string> = { answer: 'yes', ...(what.keep ? { keep: 'true' } : {}) };
      for (const other of VISITORS.map(accountId).filter((name) => name !== to)) {
        // The owner is led to the record, because a yes may be sent twice.
        agree(await postForm(sites.get(other)!, `/my/handovers/${recordId}`, answer), other === id ? 303 : 404);
      }
      agree(await postForm(sites.get(to)!, `/my/handovers/${recordId}`, answer), 303);
      model.owner = to;
      model.shares.delete(to);
      model.shares[what.keep ? 'add' : 'delete'](id);
      endTokensOf(model, id);
      return compared;
    }
  }
};

/** Whether this version came from the form for procedures. */
const typedVersion = ({ labels, marks }: SiteStage, doc: Doc, version: string): boolean =>
  labels.has(doc) && marks.has(version);

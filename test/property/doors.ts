/**
 * doors: every way to see a document, a fact, a count or an audit row, tried by one caller and compared with the model.
 */
import { expect } from '@hapi/code';
import type { Answer, Credentials } from '../support/client';
import type { Asker, Carenet, Doc, Model, Status } from './model';
import { REMARK, type Stage } from './operations';

/** One request, and the check of its response by the model; `decisions` is the number of yes-or-no decisions in it. */
type Door = { readonly path: string; readonly decisions: number; readonly check: (answer: Answer) => void };

const STATUSES: readonly Status[] = ['active', 'void', 'archived'];
const RELS = 'https://svc.example/vocab/documentrels#';

const refused = (path: string, status = 403): Door => ({
  path,
  decisions: 1,
  check: (answer) => {
    expect(answer.status, path).to.equal(status);
  },
});

const latest = (doc: Doc): string => doc.versions[doc.versions.length - 1]!;
const sorted = (ids: Iterable<string>): string[] => [...ids].sort();

const related = (model: Model, doc: Doc, sees: (doc: Doc) => boolean): string => {
  const side = (name: string, counts: Map<string, number>): string =>
    counts.size === 0
      ? ''
      : `<${name}>${sorted(counts.keys())
          .map((type) => `<relation type="${RELS}${type}" count="${counts.get(type)!}"/>`)
          .join('')}</${name}>`;
  return (
    side('relatesTo', model.related(doc, 'subject', sees)) + side('isRelatedFrom', model.related(doc, 'object', sees))
  );
};

const relationsIn = (text: string): string =>
  /<nevershare>.*?<\/nevershare>(.*?)(<facts [^>]*(\/>|>.*?<\/facts>))?<\/Document>/s.exec(text)?.[1] ?? 'none';

/** A list that must show exactly these documents, each with the relations that the caller may know. */
const listDoor = (path: string, model: Model, shown: readonly Doc[], sees: (doc: Doc) => boolean): Door => ({
  path,
  decisions: model.docs.length + shown.length,
  check: (answer) => {
    expect(answer.status, path).to.equal(200);
    const found = new Map(
      [...answer.text.matchAll(/<Document id="([^"]*)".*?<\/Document>/gs)].map((match) => [match[1]!, match[0]]),
    );
    expect(sorted(found.keys()), path).to.equal(sorted(shown.map(latest)));
    expect(/total_document_count="(\d+)"/.exec(answer.text)?.[1], path).to.equal(String(shown.length));
    shown.forEach((doc) => {
      expect(relationsIn(found.get(latest(doc))!), path).to.equal(related(model, doc, sees));
    });
  },
});

/** The facts that a caller sees: of documents that are open to it, and by their kind. */
type Seen = { readonly opened: readonly Doc[]; readonly byKind: readonly Doc[] };

/** Exactly the names of the open documents, and for the others a name each that is none of any document. */
const expectNames = (path: string, model: Model, found: readonly string[], { opened, byKind }: Seen): void => {
  const all = new Set(model.docs.flatMap(({ versions }) => versions));
  expect(sorted(found.filter((id) => all.has(id))), path).to.equal(sorted(opened.map(latest)));
  expect(new Set(found.filter((id) => !all.has(id))).size, path).to.equal(byKind.length);
  expect(found.length, path).to.equal(opened.length + byKind.length);
};

const factsDoor = (path: string, status: Status, model: Model, seen: Seen): Door => ({
  path: `${path}?response_format=application%2Fjson&limit=1000&status=${status}`,
  decisions: model.docs.length,
  check: (answer) => {
    expect(answer.status, path).to.equal(200);
    const facts = JSON.parse(answer.text) as { __documentid__: string; comments: string | null }[];
    expectNames(
      path,
      model,
      facts.map((fact) => fact.__documentid__),
      seen,
    );
    expect(facts.filter(({ comments }) => comments === REMARK).length, path).to.equal(seen.opened.length);
  },
});

/** A minimal report, whose entries name their documents. */
const minimalDoor = (path: string, status: Status, model: Model, seen: Seen): Door => ({
  path: `${path}?limit=1000&status=${status}`,
  decisions: model.docs.length + 1,
  check: (answer) => {
    expect(answer.status, path).to.equal(200);
    const found = [...answer.text.matchAll(/<Meta>\s*<Document id="([^"]*)"/g)].map((match) => match[1]!);
    expectNames(path, model, found, seen);
    const total = seen.opened.length + seen.byKind.length;
    expect(/total_document_count="(\d+)"/.exec(answer.text)?.[1], path).to.equal(String(total));
  },
});

const reportDoors = (path: string, model: Model, shown: readonly Doc[], byKind: readonly Doc[] = []): readonly Door[] =>
  STATUSES.flatMap((status) => {
    const facts: Seen = {
      opened: ofStatus(shown, status).filter(({ type }) => type === 'Procedure'),
      byKind: status === 'active' ? byKind : [],
    };
    return [
      factsDoor(`${path}/reports/Procedure/`, status, model, facts),
      minimalDoor(`${path}/reports/minimal/procedures/`, status, model, facts),
    ];
  });

const versionsDoor = (path: string, doc: Doc): Door => ({
  path: `${path}?status=${doc.status}`,
  decisions: doc.versions.length,
  check: (answer) => {
    expect(answer.status, path).to.equal(200);
    expect(sorted([...answer.text.matchAll(/<Document id="([^"]*)"/g)].map((match) => match[1]!)), path).to.equal(
      sorted(doc.versions),
    );
  },
});

/** Hidden columns are empty, so no filter finds anything by them. */
const remarkDoor = (path: string, shown: readonly Doc[]): Door => ({
  path: `${path}?response_format=application%2Fjson&limit=1000&comments=${encodeURIComponent(REMARK)}`,
  decisions: 1,
  check: (answer) => {
    expect((JSON.parse(answer.text) as unknown[]).length, path).to.equal(shown.length);
  },
});

const countDoor = (path: string, shown: readonly Doc[]): Door => ({
  path: `${path}?response_format=application%2Fjson&aggregate_by=count*`,
  decisions: 1,
  check: (answer) => {
    expect((JSON.parse(answer.text) as { value: number }[])[0]?.value, path).to.equal(shown.length);
  },
});

/** A carenet must name no version but the latest. */
const namesNoOther = (path: string, text: string, doc: Doc): void => {
  for (const id of doc.versions.filter((version) => version !== latest(doc))) {
    expect(text.includes(id), `${path} names ${id}`).to.be.false();
  }
  expect(/<(?:original|replaces)/.test(text), path).to.be.false();
};

const latestOnly = (door: Door, docs: readonly Doc[]): Door => ({
  ...door,
  check: (answer) => {
    door.check(answer);
    docs.forEach((doc) => namesNoOther(door.path, answer.text, doc));
  },
});

const metaDoor = (path: string, model: Model, doc: Doc, sees: (doc: Doc) => boolean): Door => ({
  path,
  decisions: 1,
  check: (answer) => {
    expect(answer.status, path).to.equal(200);
    expect(relationsIn(answer.text), path).to.equal(related(model, doc, sees));
  },
});

const ofStatus = (docs: readonly Doc[], status: Status): readonly Doc[] => docs.filter((doc) => doc.status === status);
const procedures = (docs: readonly Doc[]): readonly Doc[] =>
  ofStatus(docs, 'active').filter(({ type }) => type === 'Procedure');

/** Everything in the record, for callers who may see all of it. */
const recordDoors = (model: Model, recordId: string, open: boolean, some: readonly Doc[]): readonly Door[] => {
  const record = `/records/${recordId}`;
  const everything = (): boolean => true;
  const lists = STATUSES.map((status) => `${record}/documents/?status=${status}&limit=1000`);
  const versions = some.flatMap((doc) => doc.versions.map((id) => ({ doc, path: `${record}/documents/${id}` })));
  const reports = `${record}/reports/Procedure/`;
  if (!open) {
    const ofDocuments = versions.flatMap(({ path }) =>
      ['', '/meta', '/versions/', '/carenets/', '/status-history'].map((part) => `${path}${part}`),
    );
    return [
      ...lists,
      reports,
      `${record}/reports/minimal/procedures/`,
      `${record}/reports/experimental/ccr`,
      `${record}/audits/`,
      `${record}/audits/query/?limit=1`,
      ...ofDocuments,
    ].map((path) => refused(path));
  }
  return [
    ...lists.map((path, index) => listDoor(path, model, ofStatus(model.docs, STATUSES[index]!), everything)),
    listDoor(`${record}/documents/?type=Procedure&limit=1000`, model, procedures(model.docs), everything),
    ...reportDoors(record, model, model.docs),
    countDoor(reports, procedures(model.docs)),
    refused(`${record}/audits/`, 200),
    refused(`${record}/audits/query/?limit=1`, 200),
    ...versions.flatMap(({ doc, path }) => [refused(path, 200), metaDoor(`${path}/meta`, model, doc, everything)]),
    ...some.flatMap((doc) => [
      placementsDoor(`${record}/documents/${latest(doc)}/carenets/`, model, doc),
      versionsDoor(`${record}/documents/${latest(doc)}/versions/`, doc),
      refused(`${record}/documents/${latest(doc)}/status-history`, 200),
    ]),
  ];
};

const placementsDoor = (path: string, model: Model, doc: Doc): Door => ({
  path,
  decisions: model.carenets.length,
  check: (answer) => {
    const found = [...answer.text.matchAll(/<Carenet id="([^"]*)"[^>]* mode="(\w+)"/g)].map(
      (match) => `${match[1]!} ${match[2]!}`,
    );
    const expected = model.carenets
      .filter((carenet) => model.holds(carenet, doc))
      .map((carenet) => `${carenet.id} ${doc.wishes.has(carenet) ? 'explicit' : 'bytype'}`);
    expect(sorted(found), path).to.equal(sorted(expected));
  },
});

/** What one carenet shows of the record. */
const carenetDoors = (model: Model, carenet: Carenet, asker: Asker, some: readonly Doc[]): readonly Door[] => {
  const path = `/carenets/${carenet.id}`;
  const holds = (doc: Doc): boolean => model.holds(carenet, doc);
  const shown = model.docs.filter(holds);
  const byKind = model.docs.filter((doc) => doc.type === 'Procedure' && !holds(doc) && model.sees(carenet, doc));
  const lists = STATUSES.map((status) => `${path}/documents/?status=${status}&limit=1000`);
  const versions = some.flatMap((doc) => doc.versions.map((id) => ({ doc, id, path: `${path}/documents/${id}` })));
  const demographics = `${path}/demographics?response_format=application%2Fxml`;
  const reports = `${path}/reports/Procedure/`;
  const about = [`${path}/record`, `${path}/accounts/`, `${path}/apps/`].map((door) =>
    refused(door, model.carenets.includes(carenet) && model.looksInto(asker, carenet) ? 200 : 403),
  );
  if (!model.opensCarenet(asker, carenet)) {
    return [
      ...about,
      ...[
        ...lists,
        demographics,
        reports,
        `${path}/reports/minimal/procedures/`,
        ...versions.map((version) => version.path),
        ...versions.map((version) => `${version.path}/meta`),
      ].map((door) => refused(door)),
    ];
  }
  return [
    ...about,
    ...[
      ...lists.map((door, index) => listDoor(door, model, ofStatus(shown, STATUSES[index]!), holds)),
      listDoor(`${path}/documents/?type=Procedure&limit=1000`, model, procedures(shown), holds),
      ...reportDoors(path, model, shown, byKind),
    ].map((door) => latestOnly(door, model.docs)),
    countDoor(reports, [...procedures(shown), ...byKind]),
    remarkDoor(reports, procedures(shown)),
    refused(demographics, holds(model.docs[0]!) ? 200 : 404),
    refused(`${path}/documents/special/demographics`, holds(model.docs[0]!) ? 200 : 404),
    ...versions.flatMap(({ doc, id, path: door }) =>
      model.shows(carenet, doc, id)
        ? [refused(door, 200), latestOnly(metaDoor(`${door}/meta`, model, doc, holds), [doc])]
        : [refused(door, 404), refused(`${door}/meta`, 404)],
    ),
  ];
};

/** Another person's record, with a document in it. */
export type Foreign = { readonly recordId: string; readonly documentId: string; readonly carenetId: string };

/** No caller gets into the other record, or reads its document by a path through this one. */
const foreignDoors = (
  model: Model,
  recordId: string,
  asker: Asker,
  { recordId: other, documentId, carenetId }: Foreign,
): readonly Door[] => [
  ...[
    `/records/${other}`,
    `/records/${other}/documents/`,
    `/records/${other}/documents/${documentId}`,
    `/records/${other}/documents/${documentId}/meta`,
    `/records/${other}/reports/Procedure/`,
    `/records/${other}/audits/`,
    `/carenets/${carenetId}/record`,
    `/carenets/${carenetId}/documents/`,
    `/carenets/${carenetId}/documents/${documentId}`,
    `/carenets/${carenetId}/demographics`,
  ].map((path) => refused(path)),
  ...['', '/meta', '/versions/', '/carenets/'].map((part) =>
    refused(`/records/${recordId}/documents/${documentId}${part}`, model.opensRecord(asker) ? 404 : 403),
  ),
  ...model.carenets.flatMap((carenet) =>
    ['', '/meta'].map((part) =>
      refused(`/carenets/${carenet.id}/documents/${documentId}${part}`, model.opensCarenet(asker, carenet) ? 404 : 403),
    ),
  ),
];

const AT_ONCE = 40;

/**
 * Tries every door as one caller.
 * @param some documents whose versions are opened one by one; `gone` are carenets that were deleted
 * @returns how many decisions were compared
 */
export const tryDoors = async (
  { service, recordId, model }: Stage,
  { asker, credentials }: { readonly asker: Asker; readonly credentials: Credentials },
  {
    some,
    gone,
    foreign,
  }: { readonly some: readonly Doc[]; readonly gone: readonly Carenet[]; readonly foreign: Foreign | null },
): Promise<number> => {
  const doors = [
    ...(foreign ? foreignDoors(model, recordId, asker, foreign) : []),
    ...recordDoors(model, recordId, model.opensRecord(asker), some),
    ...model.carenets.flatMap((carenet) => carenetDoors(model, carenet, asker, some)),
    ...gone.map(({ id }) => refused(`/carenets/${id}/documents/`)),
  ];
  for (let start = 0; start < doors.length; start += AT_ONCE) {
    const part = doors.slice(start, start + AT_ONCE);
    const answers = await Promise.all(part.map(({ path }) => service.call(credentials, 'GET', path)));
    part.forEach((door, index) => door.check(answers[index]!));
  }
  return doors.reduce((sum, { decisions }) => sum + decisions, 0);
};

/** site-doors: every page of a record and of its carenets, opened by one person and compared with the model. */
import { expect } from '@hapi/code';
import { formsOf, readable, type Site, type SitePage } from '../support/site';
import { KINDS, postForm, type SiteStage } from './by-form';
import type { Foreign } from './doors';
import type { Carenet, Doc, Status } from './model';

/** One page, and its check by the model; `decisions` is the number of yes-or-no decisions in it. */
type Door = {
  readonly path: string;
  readonly form?: Record<string, string>;
  readonly decisions: number;
  readonly check: (page: SitePage) => void;
};

const STATUSES: readonly Status[] = ['active', 'void', 'archived'];
/** Rows on a page of documents, and of the timeline. */
const PAGE = 50;

const latest = (doc: Doc): string => doc.versions.at(-1)!;
const sorted = (texts: Iterable<string>): string[] => [...texts].sort();
const missing = (wanted: readonly string[], from: readonly string[]): readonly string[] =>
  wanted.filter((one) => !from.includes(one));
const ofStatus = (docs: readonly Doc[], status: Status): readonly Doc[] => docs.filter((doc) => doc.status === status);
/** Documents with a fact: procedures that were uploaded or typed in. */
const withFact = (docs: readonly Doc[]): readonly Doc[] =>
  docs.filter(({ type }) => type === 'Procedure' || type === 'Models');

const main = ({ text }: SitePage): string => /<main[^>]*>([^]*)<\/main>/.exec(text)?.[1] ?? '';
const documentsIn = (page: SitePage): string[] =>
  sorted(new Set([...main(page).matchAll(/\/documents\/([0-9a-f-]{36})["?]/g)].map((match) => match[1]!)));

const answers = (path: string, status: number, form?: Record<string, string>): Door => ({
  path,
  ...(form ? { form } : {}),
  decisions: 1,
  check: (page) => {
    expect(page.status, path).to.equal(status);
  },
});

const shows = (path: string, decisions: number, check: (page: SitePage) => void): Door => ({
  path,
  decisions: decisions + 1,
  check: (page) => {
    expect(page.status, path).to.equal(200);
    check(page);
  },
});

const inWords = (count: number, [none, one, many]: readonly [string, string, string]): string => {
  if (count === 0) {
    return none;
  }
  return count === 1 ? one : `${count} ${many}`;
};

/** The count of entries in the words of each page, for none, one and many. */
const sentences = {
  timeline: ['', 'One entry', 'entries'],
  data: ['No entry matches the filters.', '1 entry.', 'entries.'],
  active: ['There are no documents yet.', 'One document', 'documents'],
  archived: ['No document is archived.', 'One document is archived.', 'documents are archived.'],
  void: ['No document is said to be wrong.', 'One document is said to be wrong.', 'documents are said to be wrong.'],
  found: ['No document was found.', 'One document was found.', 'documents were found.'],
} as const;

/**
 * A page that must list exactly these documents, as far as they fit on it, and their number. Facts that are seen by their
 * kind count, and lead to no document.
 */
const listDoor = (
  path: string,
  stage: SiteStage,
  said: keyof typeof sentences,
  listed: readonly Doc[],
  byKind: readonly Doc[] = [],
): Door =>
  shows(path, stage.model.docs.length + 1, (page) => {
    // The space keeps 5 from being found in 15.
    expect(` ${readable(page)}`, path).to.contain(` ${inWords(listed.length + byKind.length, sentences[said])}`);
    const found = documentsIn(page);
    const expected = sorted(listed.map(latest));
    if (expected.length + byKind.length <= PAGE) {
      expect(found, path).to.equal(expected);
    } else {
      expect(missing(found, expected), path).to.equal([]);
    }
  });

const tableDoor = (path: string, stage: SiteStage, listed: readonly Doc[], byKind: readonly Doc[]): Door =>
  shows(path, listed.length + 1, (page) => {
    const rows = page.text.trimEnd().split('\r\n').slice(1);
    expect(rows.length, path).to.equal(listed.length + byKind.length);
    [...listed, ...byKind].forEach((doc) => {
      const mark = stage.marks.get(latest(doc));
      expect(mark === undefined || page.text.includes(mark), `${path} ${mark}`).to.be.true();
    });
  });

/**
 * The overview shows only the newest three documents, and the kinds of facts that exist. What changed may lead to others.
 */
const overviewDoor = (path: string, stage: SiteStage, listed: readonly Doc[], byKind: readonly Doc[]): Door =>
  shows(path, stage.model.docs.length + 1, (page) => {
    const found = documentsIn(page);
    const active = ofStatus(listed, 'active');
    const [, ownCard = ''] = main(page).split(/<h2><a href="[^"]*\/documents\/">/);
    const newest = [...ownCard.replace(/<h2>[^]*/, '').matchAll(/data-kind="Document"/g)];
    expect(newest.length, path).to.equal(Math.min(3, active.length));
    expect(missing(found, active.map(latest)), path).to.equal([]);
    expect(main(page).includes('/data/Procedure"'), path).to.equal(withFact(active).length + byKind.length > 0);
    expect(/All (\d+) documents/.exec(readable(page))?.[1], path).to.equal(
      active.length > 3 ? String(active.length) : undefined,
    );
  });

/** The pages that both a record and a carenet have. */
const lookDoors = (
  base: string,
  stage: SiteStage,
  listed: readonly Doc[],
  words: readonly string[],
  byKind: readonly Doc[] = [],
): readonly Door[] => {
  const facts = withFact(ofStatus(listed, 'active'));
  return [
    overviewDoor(`${base}/`, stage, listed, byKind),
    listDoor(`${base}/timeline`, stage, 'timeline', facts, byKind),
    ...STATUSES.flatMap((status) => {
      const own = withFact(ofStatus(listed, status));
      const seen = status === 'active' ? byKind : [];
      return [
        listDoor(`${base}/documents/?status=${status}`, stage, status, ofStatus(listed, status)),
        listDoor(`${base}/data/Procedure?status=${status}&limit=200`, stage, 'data', own, seen),
        tableDoor(`${base}/data/Procedure.csv?status=${status}`, stage, own, seen),
      ];
    }),
    ...words.map((word) =>
      listDoor(
        `${base}/documents/?q=${word}`,
        stage,
        'found',
        ofStatus(listed, 'active').filter(
          (doc) =>
            stage.labels.get(doc) === word || (withFact([doc]).length > 0 && stage.marks.get(latest(doc)) === word),
        ),
      ),
    ),
  ];
};

const deniedLooks = (base: string): readonly Door[] =>
  [
    '/',
    '/timeline',
    '/visits/',
    '/documents/',
    '/documents/?status=void',
    '/documents/?q=mark',
    '/data/Procedure',
    '/data/Procedure.csv',
  ].map((part) => answers(`${base}${part}`, 404));

/** One version as those in control see it: the document's versions, and the carenets that contain its latest one. */
const documentDoor = (path: string, { model, marks }: SiteStage, doc: Doc, version: string): Door =>
  shows(path, model.carenets.length + doc.versions.length, (page) => {
    const others = doc.versions.filter((id) => id !== version);
    expect(missing(others, documentsIn(page)), path).to.equal([]);
    const mark = marks.get(version);
    expect(mark === undefined || main(page).includes(mark), `${path} ${mark}`).to.be.true();
    const forms = formsOf(page).map(({ fields }) => fields);
    const offered = (what: string): string[] =>
      sorted(forms.filter((fields) => fields['what'] === what).map((fields) => fields['carenet'] ?? ''));
    const open = version === latest(doc) && !doc.nevershare;
    const lying = (held: boolean): string[] =>
      open ? sorted(model.carenets.filter((c) => model.holds(c, doc) === held).map(({ id }) => id)) : [];
    expect(offered('take'), path).to.equal(lying(true));
    expect(offered('place'), path).to.equal(lying(false));
    expect(offered('again').length > 0, path).to.equal(version === latest(doc) && doc.nevershare);
  });

/** The page, the file and the text of a document that the person may not see. */
const deniedDocument = (path: string): readonly Door[] =>
  ['', '/download', '/text'].map((rest) => answers(`${path}${rest}`, 404));

const downloadDoor = (path: string, { marks }: SiteStage, version: string): Door =>
  shows(`${path}/download`, 0, (page) => {
    expect(page.text.includes(marks.get(version) ?? ''), path).to.be.true();
    expect(String(page.headers['content-disposition']), path).to.startWith('attachment');
  });

const HOLDS = ['No document lies in it now.', 'One document lies in it now.', 'documents lie in it now.'] as const;

const sharingDoor = (path: string, { model }: SiteStage, owns: boolean): Door =>
  shows(path, model.carenets.length * (3 + KINDS.length) + 3, (page) => {
    const forms = formsOf(page).map(({ fields }) => fields);
    const named = (what: string, field: string, prefix = ''): string[] =>
      sorted(
        forms
          .filter((fields) => fields['what'] === what)
          .map((fields) => `${prefix && `${fields[prefix]} `}${fields[field]}`),
      );
    const members = model.carenets.flatMap((carenet) => [...carenet.members].map((id) => `${carenet.id} ${id}`));
    expect(named('take-out', 'account', 'carenet'), path).to.equal(sorted(members));
    const people = new Set([...(owns ? model.shares : []), ...model.carenets.flatMap((one) => [...one.members])]);
    people.delete(model.owner ?? '');
    expect(named('stop', 'account'), path).to.equal(sorted(people));
    expect(named('delete', 'carenet'), path).to.equal(sorted(model.carenets.map(({ id }) => id)));
    const boxes = [...page.text.matchAll(/name="share" value="([^"]*)"( checked)?/g)]
      .filter(([, box]) => KINDS.some((kind) => box!.endsWith(`#${kind}`)))
      .filter(([, , checked]) => checked !== undefined)
      .map(([, box]) => box!.replace(/ .*#/, ' '));
    const types = model.carenets.flatMap((carenet) => [...carenet.types].map((type) => `${carenet.id} ${type}`));
    expect(sorted(boxes), path).to.equal(sorted(types));
    model.carenets.forEach((carenet) => {
      const count = model.docs.filter((doc) => model.holds(carenet, doc)).length;
      const own = main(page)
        .split('<h3 class="name">')
        .slice(1)
        .find((part) => part.includes(`/sharing/circles/${carenet.id}"`));
      const saysNothing = count === 0 && own!.includes('nothing yet');
      expect(own, `${path} ${carenet.id}`).to.contain(saysNothing ? 'nothing yet' : inWords(count, HOLDS));
    });
  });

const appsDoor = (path: string, { model }: SiteStage): Door =>
  shows(path, 2, (page) => {
    const apps = formsOf(page).flatMap(({ fields }) => fields['app'] ?? []);
    expect(sorted(apps), path).to.equal(sorted(model.enabled));
  });

const exportDoors = (record: string, owns: boolean): readonly Door[] => [
  shows(`${record}/export`, 1, (page) => {
    expect(page.text.includes('archive.tar.gz'), record).to.equal(owns);
  }),
  answers(`${record}/export/archive.tar.gz`, owns ? 200 : 404, {}),
  answers(`${record}/export/files.zip`, 200, {}),
  answers(`${record}/hand-over`, owns ? 200 : 404),
];

const FOR_THOSE_IN_CONTROL = [
  'sharing',
  'history',
  'history.csv',
  'apps',
  'details',
  'export',
  'hand-over',
  'add',
  'add/Procedure',
];

const recordDoors = (stage: SiteStage, asker: string, some: readonly Doc[], words: readonly string[]) => {
  const { model, recordId } = stage;
  const record = `/my/records/${recordId}`;
  const versions = some.flatMap((doc) =>
    doc.versions.map((version) => ({ doc, version, path: `${record}/documents/${version}` })),
  );
  if (!model.controls(asker)) {
    return [
      ...deniedLooks(record),
      ...FOR_THOSE_IN_CONTROL.map((part) => answers(`${record}/${part}`, 404)),
      answers(`${record}/export/archive.tar.gz`, 404, {}),
      answers(`${record}/export/files.zip`, 404, {}),
      ...versions.flatMap(({ path }) => deniedDocument(path)),
    ];
  }
  const owns = model.owner === asker;
  return [
    ...lookDoors(record, stage, model.docs, words),
    ...versions.flatMap(({ doc, version, path }) => [
      documentDoor(path, stage, doc, version),
      downloadDoor(path, stage, version),
      answers(`${path}/text`, 200),
    ]),
    sharingDoor(`${record}/sharing`, stage, owns),
    appsDoor(`${record}/apps`, stage),
    ...exportDoors(record, owns),
    ...['history', 'history.csv', 'add', 'add/Procedure', 'details'].map((part) => answers(`${record}/${part}`, 200)),
  ];
};

/** The page must show nothing of a document, or of a version, that the carenet does not show. */
const without = (door: Door, hidden: readonly string[]): Door => ({
  ...door,
  check: (page) => {
    door.check(page);
    const text = main(page) || page.text;
    hidden
      .filter((secret) => !door.path.includes(secret))
      .forEach((secret) => {
        expect(text.includes(secret), `${door.path} tells ${secret}`).to.be.false();
      });
  },
});

const wordsOf = ({ marks, labels }: SiteStage, docs: readonly Doc[]): readonly string[] =>
  docs.flatMap((doc) => [marks.get(latest(doc)), labels.get(doc)].flatMap((word) => word ?? []));

const carenetDoors = (
  stage: SiteStage,
  carenet: Carenet,
  asker: string,
  some: readonly Doc[],
  words: readonly string[],
) => {
  const { model, marks, labels } = stage;
  const base = `/my/carenets/${carenet.id}`;
  const opens = model.opensCarenet({ kind: 'account', account: asker }, carenet);
  const listed = opens ? model.docs.filter((doc) => model.holds(carenet, doc)) : [];
  const byKind = withFact(opens ? model.docs : []).filter(
    (doc) => !model.holds(carenet, doc) && model.sees(carenet, doc),
  );
  const named = byKind.flatMap((doc) => marks.get(latest(doc)) ?? []);
  const told = new Set([...listed.map(latest), ...wordsOf(stage, listed), ...named]);
  const hidden = [...model.docs.flatMap(({ versions }) => versions), ...marks.values(), ...labels.values()].filter(
    (secret) => !told.has(secret),
  );
  const versions = some.flatMap((doc) =>
    doc.versions.map((version) => ({ doc, version, path: `${base}/documents/${version}` })),
  );
  const noForms = [`${base}/`, ...versions.map(({ path }) => path)].map((path) =>
    answers(path, 404, { what: 'status', status: 'void', reason: 'because' }),
  );
  const doors = opens
    ? [
        ...lookDoors(base, stage, listed, words, byKind),
        ...versions.flatMap(({ doc, version, path }) =>
          model.shows(carenet, doc, version)
            ? [answers(path, 200), downloadDoor(path, stage, version), answers(`${path}/text`, 200)]
            : deniedDocument(path),
        ),
      ]
    : [...deniedLooks(base), ...versions.flatMap(({ path }) => deniedDocument(path))];
  // The search field shows the searched words, so a door is not checked for words in its own address.
  return [...doors, ...noForms].map((door) => without(door, hidden));
};

/** Pages of another record, of its document by a path through this one, and the other way round. */
const foreignDoors = (stage: SiteStage, { recordId: other, documentId, carenetId }: Foreign): readonly Door[] => {
  const { recordId, model } = stage;
  const own = latest(model.docs[0]!);
  return [
    `/my/records/${other}/`,
    `/my/records/${other}/sharing`,
    `/my/records/${other}/documents/${documentId}`,
    `/my/records/${other}/documents/${own}`,
    `/my/records/${other}/data/Procedure`,
    `/my/records/${recordId}/documents/${documentId}`,
    `/my/records/${recordId}/documents/${documentId}/download`,
    `/my/records/${recordId}/add/Procedure?correct=${documentId}`,
    `/my/carenets/${carenetId}/`,
    `/my/carenets/${carenetId}/documents/${own}`,
    ...model.carenets.map(({ id }) => `/my/carenets/${id}/documents/${documentId}`),
  ].map((path) => answers(path, 404));
};

/** Checks the list of the person's records: it has this record, or its carenets, if they may see them. */
const checkList = async (stage: SiteStage, site: Site, asker: string): Promise<number> => {
  const { model, recordId } = stage;
  const found = new Set<string>();
  for (let path: string | undefined = '/my/?all=1'; path !== undefined;) {
    const page: SitePage = await site.get(path);
    expect(page.status, path).to.equal(200);
    [...main(page).matchAll(/href="\/my\/(records|carenets)\/([^/"]+)\/"/g)].forEach((match) => found.add(match[2]!));
    path = /href="([^"#]*)[^"]*" rel="next"/.exec(main(page))?.[1]?.replaceAll('&amp;', '&');
  }
  expect(found.has(recordId), `${asker} lists the record`).to.equal(model.controls(asker));
  model.carenets.forEach((carenet) => {
    expect(found.has(carenet.id), `${asker} lists ${carenet.id}`).to.equal(carenet.members.has(asker));
  });
  return 1 + model.carenets.length;
};

/** Without a session a page leads to the sign-in, and a form does nothing. */
export const tryNobody = async ({ recordId, model }: SiteStage, site: Site): Promise<number> => {
  const paths = [`/my/records/${recordId}/`, `/my/records/${recordId}/documents/${latest(model.docs[0]!)}`].concat(
    model.carenets.map(({ id }) => `/my/carenets/${id}/documents/`),
  );
  for (const path of paths) {
    const page = await site.get(path);
    expect([page.status, String(page.headers['location'])], path).to.equal([
      303,
      `/my/sign-in?next=${encodeURIComponent(path)}`,
    ]);
    expect((await site.post(path, { what: 'never', crumb: 'x' })).status, path).to.equal(403);
  }
  return paths.length * 2;
};

export type Tried = { readonly decisions: number; readonly pages: number };

/**
 * Opens every page as one person.
 * @param some documents whose versions are opened one by one; `gone` are carenets that were deleted
 */
export const trySite = async (
  stage: SiteStage,
  asker: string,
  {
    some,
    gone,
    foreign,
  }: { readonly some: readonly Doc[]; readonly gone: readonly Carenet[]; readonly foreign: Foreign | null },
): Promise<Tried> => {
  const site = stage.sites.get(asker)!;
  const words = wordsOf(stage, stage.model.docs).slice(-2);
  const doors: readonly Door[] = [
    ...(foreign ? foreignDoors(stage, foreign) : []),
    ...recordDoors(stage, asker, some, words),
    ...stage.model.carenets.flatMap((carenet) => carenetDoors(stage, carenet, asker, some, words)),
    ...gone.map(({ id }) => answers(`/my/carenets/${id}/documents/`, 404)),
  ];
  let decisions = await checkList(stage, site, asker);
  for (const { path, form, check, decisions: held } of doors) {
    check(form ? await postForm(site, path, form) : await site.get(path));
    decisions += held;
  }
  return { decisions, pages: doors.length + 1 };
};

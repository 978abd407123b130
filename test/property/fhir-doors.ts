/** fhir-doors: every way to see a resource through the FHIR door, tried with one token and compared with the model. */
import { expect } from '@hapi/code';
import { relatedPersonId } from '../../core/auth/fhir-user';
import type { Answer } from '../support/client';
import type { FhirCall, Read } from '../support/fhir';
import {
  CLINICAL,
  countByKind,
  may,
  referencesSeen,
  seesDemographics,
  statedIn,
  versionsSeen,
  type Letter,
  type SmartToken,
} from './fhir-model';
import type { Doc, Model } from './model';
import { REMARK } from './operations';

export type FhirAsk = (path: string, options?: FhirCall) => Promise<Answer>;

/** One request, and the check of its response by the model; `decisions` is the number of yes-or-no decisions in it. */
type Door = {
  readonly path: string;
  readonly options?: FhirCall;
  readonly decisions: number;
  readonly check: (answer: Answer) => void;
};

const answers = (path: string, status: number, options?: FhirCall): Door => ({
  path,
  ...(options ? { options } : {}),
  decisions: 1,
  check: (answer) => {
    expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).to.equal(status);
  },
});

const reads = (path: string, decisions: number, check: (resource: Read, text: string) => void): Door => ({
  path,
  decisions,
  check: (answer) => {
    expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).to.equal(200);
    check(JSON.parse(answer.text) as Read, answer.text);
  },
});

const entriesOf = (bundle: Read): readonly Read[] =>
  ((bundle['entry'] ?? []) as readonly Read[]).filter((entry) => entry['search']?.mode !== 'outcome');
const ofType = (bundle: Read, type: string): readonly Read[] =>
  entriesOf(bundle)
    .map((entry) => entry['resource'] as Read)
    .filter((resource) => resource['resourceType'] === type);
const sorted = (texts: Iterable<string>): readonly string[] => [...texts].sort();
const same = (path: string, found: readonly string[], expected: readonly string[]): void => {
  expect(sorted(found), path).to.equal(sorted(expected));
};
const versionsOf = (resources: readonly Read[]): readonly string[] =>
  resources.map((resource) => resource['meta'].versionId as string);
const idsOf = (resources: readonly Read[]): readonly string[] => resources.map((resource) => resource['id'] as string);
/** Statements of open documents by their versions, and those that are seen by their kind, which name no version. */
const sameStatements = (path: string, resources: readonly Read[], opened: readonly string[], byKind: number): void => {
  const isOpened = ({ meta }: Read): boolean => meta.versionId !== undefined;
  same(path, versionsOf(resources.filter(isOpened)), opened);
  const others = resources.filter((one) => !isOpened(one));
  expect(new Set(idsOf(others)).size, path).to.equal(byKind);
  expect(others.length, path).to.equal(byKind);
  for (const other of others) {
    expect(JSON.stringify(other), path).to.contain('SUBSETTED').and.to.not.contain(REMARK);
  }
};
const referencesOf = (resources: readonly Read[]): readonly string[] =>
  resources.map((resource) => `${resource['id'] as string} ${resource['status'] as string}`);

/** The data for the doors of a round. */
export type FhirRound = {
  readonly model: Model;
  readonly recordId: string;
  /** Documents that are opened one by one. */
  readonly some: readonly Doc[];
  /**
   * Resources, by `Type/id`, that documents have stated at some time, with their documents, and whether they still
   * state them.
   */
  readonly known: ReadonlyMap<string, { readonly doc: Doc; readonly now: boolean }>;
  /** A document and the record of another person. */
  readonly foreign: { readonly recordId: string; readonly documentId: string };
};

const COUNT = '_count=1000';

/** A carenet must name no version but the latest, and no document that is not in it. */
const namesNothingHidden = ({ model }: FhirRound, token: SmartToken, path: string, text: string): void => {
  if (token.carenet === null) {
    return;
  }
  for (const doc of model.docs) {
    const seen = versionsSeen(model, token, doc);
    for (const id of doc.versions.filter((version) => !seen.includes(version))) {
      expect(text.includes(id), `${path} names ${id}`).to.be.false();
    }
  }
};

const anonymous = ({ model }: FhirRound, token: SmartToken, path: string, patient: Read | undefined): void => {
  if (patient) {
    expect(
      ['name', 'birthDate', 'gender', 'address'].some((name) => patient[name] !== undefined),
      path,
    ).to.equal(seesDemographics(model, token));
  }
};

type Search = (path: string, decisions: number, check: (bundle: Read) => void) => Door;

const provenancesIn = (bundle: Read): readonly string[] => idsOf(ofType(bundle, 'Provenance'));

const ofStatements = (round: FhirRound, token: SmartToken, type: string, search: Search): readonly Door[] => {
  const { model, recordId } = round;
  const found = statedIn(model, token, type);
  const byKind = countByKind(model, token, type);
  const plain = `/${type}?patient=${recordId}&_total=accurate&${COUNT}`;
  const along = `/${type}?_include=${type}:patient&_revinclude=Provenance:target&${COUNT}`;
  return [
    search(plain, model.docs.length + 1, (bundle) => {
      sameStatements(plain, ofType(bundle, type), found, byKind);
      expect(bundle['total'], plain).to.equal(found.length + byKind);
    }),
    search(along, model.docs.length + 2, (bundle) => {
      sameStatements(along, ofType(bundle, type), found, byKind);
      same(along, provenancesIn(bundle), may(token, 'Provenance', 'r') ? found : []);
      const [patient] = ofType(bundle, 'Patient');
      expect(patient !== undefined, along).to.equal(found.length + byKind > 0 && may(token, 'Patient', 'r'));
      anonymous(round, token, along, patient);
    }),
    search(`/${type}?_summary=count`, 1, (bundle) => {
      expect(bundle['total'], type).to.equal(found.length + byKind);
      expect(entriesOf(bundle), type).to.equal([]);
    }),
  ];
};

const searches = (round: FhirRound, token: SmartToken): readonly Door[] => {
  const { model, recordId } = round;
  const guarded = (type: string, door: Door): Door =>
    may(token, type, 's') ? door : answers(door.path, 403, door.options);
  const search: Search = (path, decisions, check) =>
    reads(path, decisions, (bundle, text) => {
      check(bundle);
      namesNothingHidden(round, token, path, text);
    });
  const references = referencesSeen(model, token);
  const versions = references.map((one) => one.split(' ')[0]!);
  const all = model.docs.reduce((sum, doc) => sum + doc.versions.length, 0);
  const isOther = model.owner !== token.account;
  return [
    ...CLINICAL.flatMap((type) => ofStatements(round, token, type, search).map((door) => guarded(type, door))),
    guarded(
      'DocumentReference',
      search(`/DocumentReference?_revinclude=Provenance:target&${COUNT}`, all + 1, (bundle) => {
        same('DocumentReference', referencesOf(ofType(bundle, 'DocumentReference')), references);
        same('with it', provenancesIn(bundle), may(token, 'Provenance', 'r') ? versions : []);
      }),
    ),
    guarded(
      'DocumentReference',
      search(`/DocumentReference/$docref?patient=${recordId}&start=2000-01-01`, model.docs.length, (bundle) => {
        const current = references.filter((one) => one.endsWith(' current'));
        same('$docref', referencesOf(ofType(bundle, 'DocumentReference')), current);
      }),
    ),
    guarded(
      'Provenance',
      search(`/Provenance?${COUNT}`, all, (bundle) => same('Provenance', provenancesIn(bundle), versions)),
    ),
    guarded(
      'Patient',
      search('/Patient', 2, (bundle) => {
        same('Patient', idsOf(ofType(bundle, 'Patient')), [recordId]);
        anonymous(round, token, '/Patient', ofType(bundle, 'Patient')[0]);
      }),
    ),
    guarded(
      'RelatedPerson',
      search('/RelatedPerson', 1, (bundle) =>
        same(
          'RelatedPerson',
          idsOf(ofType(bundle, 'RelatedPerson')),
          isOther ? [relatedPersonId(recordId, token.account)] : [],
        ),
      ),
    ),
  ];
};

const operations = (round: FhirRound, token: SmartToken): readonly Door[] => {
  const { model, recordId } = round;
  const everything = `/Patient/${recordId}/$everything`;
  const summary = `/Patient/${recordId}/$summary`;
  if (!may(token, 'Patient', 'r')) {
    return [everything, summary].map((path) => answers(path, 403));
  }
  const references = referencesSeen(model, token);
  const told = <T>(type: string, found: readonly T[]): readonly T[] => (may(token, type, 'r') ? found : []);
  return [
    reads(everything, 3 * model.docs.length + 2, (bundle, text) => {
      namesNothingHidden(round, token, everything, text);
      anonymous(round, token, everything, ofType(bundle, 'Patient')[0]);
      same(everything, referencesOf(ofType(bundle, 'DocumentReference')), told('DocumentReference', references));
      same(
        everything,
        idsOf(ofType(bundle, 'Provenance')),
        told('Provenance', references).map((one) => one.split(' ')[0]!),
      );
      CLINICAL.forEach((type) =>
        sameStatements(
          `${everything} ${type}`,
          ofType(bundle, type),
          told(type, statedIn(model, token, type)),
          may(token, type, 'r') ? countByKind(model, token, type) : 0,
        ),
      );
      same(
        everything,
        idsOf(ofType(bundle, 'RelatedPerson')),
        model.owner === token.account ? [] : told('RelatedPerson', [relatedPersonId(recordId, token.account)]),
      );
    }),
    reads(summary, model.docs.length + 1, (bundle, text) => {
      namesNothingHidden(round, token, summary, text);
      anonymous(round, token, summary, ofType(bundle, 'Patient')[0]);
      CLINICAL.forEach((type) =>
        sameStatements(
          `${summary} ${type}`,
          ofType(bundle, type),
          told(type, statedIn(model, token, type)),
          may(token, type, 'r') ? countByKind(model, token, type) : 0,
        ),
      );
    }),
    answers(`/Patient/${round.foreign.recordId}/$everything`, 404),
    answers(`/Patient/${round.foreign.recordId}/$summary`, 404),
  ];
};

/**
 * The expected status is 403 outside the scope, and 404 both for other people's data and for data that do not exist.
 */
const oneByOne = (round: FhirRound, token: SmartToken): readonly Door[] => {
  const { model, recordId, some, known, foreign } = round;
  const status = (type: string, isTheirs: boolean, letter: Letter = 'r'): number => {
    if (!may(token, type, letter)) {
      return 403;
    }
    return isTheirs ? 200 : 404;
  };
  const documents = some.flatMap((doc) => {
    const seen = versionsSeen(model, token, doc);
    return doc.versions.flatMap((id) => [
      ...['DocumentReference', 'Binary', 'Provenance'].map((type) =>
        answers(`/${type}/${id}`, status(type, seen.includes(id))),
      ),
      answers(`/DocumentReference/${id}/_history`, status('DocumentReference', seen.includes(id))),
      answers(`/Binary/${id}?_format=json`, status('Binary', seen.includes(id))),
    ]);
  });
  const clinical = [...known]
    .filter(([, { doc }]) => some.includes(doc))
    .flatMap(([name, { doc, now }]) => {
      const [type = ''] = name.split('/');
      const latest = doc.versions[doc.versions.length - 1]!;
      const isTheirs = now && statedIn(model, token, type).includes(latest);
      const [older] = doc.versions.slice(-2, -1);
      return [
        answers(`/${name}`, status(type, isTheirs)),
        answers(`/${name}/_history/${latest}`, status(type, isTheirs)),
        ...(older !== undefined && (!isTheirs || token.carenet !== null)
          ? [answers(`/${name}/_history/${older}`, status(type, false))]
          : []),
      ];
    });
  const person = `/RelatedPerson/${relatedPersonId(recordId, token.account)}`;
  const patient = `/Patient/${recordId}`;
  return [
    ...documents,
    ...clinical,
    answers(person, status('RelatedPerson', model.owner !== token.account)),
    may(token, 'Patient', 'r')
      ? reads(patient, 2, (resource) => anonymous(round, token, patient, resource))
      : answers(patient, 403),
    answers(`/Patient/${foreign.recordId}`, status('Patient', false)),
    ...['DocumentReference', 'Binary', 'Provenance'].map((type) =>
      answers(`/${type}/${foreign.documentId}`, status(type, false)),
    ),
  ];
};

const JSON_TYPE = 'application/fhir+json';

/** A request that creates a Condition about the record. */
export const conditionFor = (recordId: string, text: string): FhirCall => ({
  method: 'POST',
  headers: { 'content-type': JSON_TYPE },
  body: JSON.stringify({
    resourceType: 'Condition',
    code: { text },
    subject: { reference: `Patient/${recordId}` },
  }),
});

/** Whether the token may store a resource of the type. */
export const mayStore = (model: Model, token: SmartToken, type: string): boolean =>
  model.works(token) && token.carenet === null && may(token, type, 'c');

/** A request with a Bundle, which needs the right for each of its types. */
const bundleOf = (recordId: string): FhirCall => ({
  method: 'POST',
  headers: { 'content-type': JSON_TYPE },
  body: JSON.stringify({
    resourceType: 'Bundle',
    type: 'transaction',
    entry: ['Condition', 'Procedure'].map((resourceType) => ({
      resource: {
        resourceType,
        ...(resourceType === 'Procedure' ? { status: 'completed' } : {}),
        code: { text: 'refused' },
        subject: { reference: `Patient/${recordId}` },
      },
      request: { method: 'POST', url: resourceType },
    })),
  }),
});

/** Creates that must be refused. If one stored something, the lists of the next comparison would show it. */
const writes = ({ model, recordId }: FhirRound, token: SmartToken): readonly Door[] => [
  ...(mayStore(model, token, 'Condition') ? [] : [answers('/Condition', 403, conditionFor(recordId, 'refused'))]),
  ...(mayStore(model, token, 'Condition') && mayStore(model, token, 'Procedure')
    ? []
    : [answers('', 403, bundleOf(recordId))]),
];

/** A token whose access has ended is refused everywhere. */
const closed = ({ recordId, some, known }: FhirRound): readonly Door[] => [
  ...[
    `/Patient/${recordId}`,
    `/Patient/${recordId}/$everything`,
    `/Patient/${recordId}/$summary`,
    '/Procedure',
    ...some.slice(-1).map((doc) => `/Binary/${doc.versions[doc.versions.length - 1]!}`),
    ...[...known.keys()].slice(-1).map((name) => `/${name}`),
  ].map((path) => answers(path, 401)),
  answers('/Condition', 401, conditionFor(recordId, 'refused')),
];

const AT_ONCE = 40;

/** Tries every door with one token; resolves to the number of decisions that were compared. */
export const tryFhirDoors = async (ask: FhirAsk, round: FhirRound, token: SmartToken): Promise<number> => {
  const doors = round.model.works(token)
    ? [...searches(round, token), ...operations(round, token), ...oneByOne(round, token), ...writes(round, token)]
    : closed(round);
  for (let start = 0; start < doors.length; start += AT_ONCE) {
    const part = doors.slice(start, start + AT_ONCE);
    const given = await Promise.all(part.map(({ path, options }) => ask(path, options)));
    part.forEach((door, index) => door.check(given[index]!));
  }
  return doors.reduce((sum, { decisions }) => sum + decisions, 0);
};

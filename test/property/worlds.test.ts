/**
 * worlds: pairs of worlds that differ only in what a circle may not see. Every door answers its member byte for byte
 * alike in both: status, headers, counts, ids and page sizes. A pair is a record before and after changes at random; as
 * each world is like the one before, all worlds of a run are alike. PAIRS sets the number of changed worlds, CHANGES how
 * many changes lead from one to the next, SEED repeats a run.
 */
import { setTimeout } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { operations } from '../../plugins/website/http/operations';
import { amount } from '../support/amount';
import type { Signs } from '../support/cast';
import type { Answer, Credentials } from '../support/client';
import { databases } from '../support/databases';
import { FHIR_APP } from '../support/fhir';
import {
  factOf,
  factsDocument,
  makeSiteRecord,
  MEMBER,
  OWNER,
  STRANGER,
  type SiteRecord,
} from '../support/site-record';
import { askingAs, decrypt, locationsIn, openLink, payloadOf, readFile, type Payload } from '../support/links';
import { missingReaders, pagesOf } from '../support/pdf';
import { randomFrom, type Random } from '../support/random';
import { startService, type TestService } from '../support/server';
import { mintSmartToken } from '../support/smart';
import { lookAtExports, makeClinicCode, subscribeInCircle } from './circle-doors';
import { attribute, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const PAIRS = Number(process.env['PAIRS'] ?? amount(5, 16));
const CHANGES = Number(process.env['CHANGES'] ?? 1);
const SEED = Number(process.env['SEED'] ?? process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000_000);

const GIVEN = ['labs', 'medicines', 'allergies', 'visits'];
const GIVEN_MODELS = ['LabResult', 'Medication', 'Allergy', 'Encounter'];
const MODELS = [
  'LabResult',
  'Medication',
  'Allergy',
  'Problem',
  'Immunization',
  'Encounter',
  'VitalSigns',
  'Measurement',
];
const result = (name: string, code: string, value: string, notes: string, date: string): string =>
  factOf('LabResult', {
    collected_at: `${date}T08:00:00Z`,
    test_name_title: name,
    test_name_identifier: code,
    test_name_system: 'http://loinc.org',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: 'mg/dL',
    notes,
  });
/** A paper that stays closed, of which the circle sees single facts. `says` changes what it does not see of it. */
const closedPaper = (says: { notes?: string; problem?: string; infection?: string } = {}): readonly string[] => [
  ...(says.infection === undefined ? [] : [infection(says.infection)]),
  result('Cholesterol', '2093-3', '231', says.notes ?? 'Said at the desk', '2025-11-03'),
  result('Cholesterol', '2093-3', '210', 'Said again', '2024-11-03'),
  // Twice the same, as far as the circle sees.
  result('Creatinine', '2160-0', '1.1', says.notes ?? 'One', '2023-11-03'),
  result('Creatinine', '2160-0', '1.1', 'Two', '2023-11-03'),
  factOf('Medication', { drugName_title: 'Ramipril 5 mg', reasonStopped_title: `secret ${says.notes ?? ''}` }),
  factOf('Allergy', { allergen_title: 'Penicillin' }),
  factOf('Encounter', { startDate: '2025-05-05T10:00:00Z', encounterType_title: 'Check-up' }),
  factOf('Problem', { name_title: `secret problem ${says.problem ?? ''}` }),
];

/** What the circle may open. */
const OPEN = [
  result('Glucose', '2345-7', '90', 'Open', '2025-01-01'),
  factOf('Medication', { drugName_title: 'Ibuprofen 400 mg', startDate: '2025-01-01' }),
];

const ownWord = (base: string, verdict: string, model: string, about: readonly string[]): string =>
  `<OwnWord xmlns="${base}/xml/documents#"><verdict>${verdict}</verdict><date>2026-05-02</date>` +
  `<words>secret words</words>${about.map((id) => `<about model="${model}" statement="${id}">secret</about>`).join('')}</OwnWord>`;

/** Of infections, which are given only by their own name. */
const infection = (value: string): string => result('HIV 1 RNA', '20447-9', value, 'secret', '2025-03-01');

const API = (circle: string): readonly string[] => {
  const base = `/carenets/${circle}`;
  const reports = MODELS.flatMap((model) => {
    const path = `${base}/reports/${model}/`;
    const always = [path, `${base}/lines/${model}/`];
    if (!GIVEN_MODELS.includes(model)) {
      return always;
    }
    return [
      ...always,
      `${path}?response_format=application%2Fjson`,
      `${path}?response_format=application%2Frdf%2Bxml`,
      `${path}?limit=1&offset=1`,
      `${path}?order_by=-created_at`,
      `${path}?order_by=created_at&limit=2`,
      `${path}?aggregate_by=count*id`,
      `${base}/lines/${model}/?response_format=application%2Fjson&limit=1`,
    ];
  });
  return [
    ...reports,
    ...['secret', 'Said', 'nothing'].flatMap((word) => [
      `${base}/reports/LabResult/?notes=${word}`,
      `${base}/reports/LabResult/?order_by=notes`,
      `${base}/reports/LabResult/?group_by=notes&aggregate_by=count*id`,
    ]),
    `${base}/reports/LabResult/?group_by=test_name_title&aggregate_by=count*test_name_title`,
    `${base}/reports/experimental/ccr`,
    `${base}/reports/minimal/labs/`,
    `${base}/reports/minimal/medications/`,
    `${base}/reports/minimal/problems/`,
    `${base}/record`,
    `${base}/documents/`,
    `${base}/documents/?limit=1`,
    `${base}/documents/?status=void`,
    `${base}/documents/?status=archived`,
    `${base}/demographics`,
    `${base}/apps/`,
    `/accounts/${MEMBER}/inbox/`,
    `/accounts/${MEMBER}/records/`,
  ];
};

const SITE = (circle: string): readonly string[] =>
  [
    ...['', 'timeline', 'timeline?devices=0', 'documents/', 'documents/?view=grid', 'tests', 'tests/cholesterol'],
    ...[
      'visits/',
      'people',
      'paper',
      'paper.pdf',
      'search?q=secret',
      'search?q=cholesterol',
      'search?q=asthma',
      'search?q=2025',
    ],
    ...MODELS.flatMap((model) => [`data/${model}`, `data/${model}.csv`, `list/${model}`]),
    'data/LabResult?order_by=notes',
  ]
    .map((path) => `/my/carenets/${circle}/${path}`)
    .concat('/my/inbox', '/my/');

const FHIR = (record: string): readonly string[] => [
  ...[
    'Observation',
    'Condition',
    'MedicationStatement',
    'MedicationRequest',
    'AllergyIntolerance',
    'Encounter',
  ].flatMap((type) => [`/${type}?patient=${record}&_total=accurate`, `/${type}?_count=1&_sort=-_lastUpdated`]),
  ...['DocumentReference', 'Provenance', 'Immunization', 'Procedure', 'DiagnosticReport', 'Binary'].map(
    (type) => `/${type}?_total=accurate`,
  ),
  '/Observation?_revinclude=*&_include=*&_include:iterate=*',
  '/Observation?_sort=-date&_count=2&_total=accurate',
  '/Observation?_sort=_id&code:not=2345-7',
  '/Observation?_lastUpdated=gt2000&_total=accurate',
  ...['code:text=chol', 'value-quantity=gt200', 'date=2025', 'encounter:missing=false', 'performer:missing=true'].map(
    (filter) => `/Observation?${filter}&_total=accurate`,
  ),
  `/Patient?_revinclude=Observation:subject&_has:MedicationStatement:patient:status:missing=true`,
  '/Practitioner',
  '/Organization',
  '/Specimen',
  `/Patient/${record}/$everything?_count=3`,
  `/Patient/${record}/$everything?_since=2020-01-01&_type=Observation`,
  `/Patient/${record}/$everything?start=2025-01-01`,
  `/Patient/${record}`,
  `/Patient/${record}/$everything`,
  `/Patient/${record}/$summary`,
];

type Looked = Pick<Answer, 'status' | 'text' | 'headers'> & { readonly bytes?: Buffer };
type Seen = { readonly path: string; readonly status: number; readonly text: string; readonly headers: string };

/** Headers that say when an answer was made, or name the request. */
const OF_REQUEST = ['date', 'set-cookie', 'x-request-id', 'server-timing', 'keep-alive', 'connection'];

/** What answering itself adds: the crumb of the session, and times at which it happened. */
function plain(text: string, since: number): string {
  return (
    text
      .replace(/(name="crumb" value=")[^"]*/g, '$1')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, (time) =>
        Date.parse(time) >= since ? 'now' : time,
      )
      // The place of a next page is sealed anew each time, and as long as what is sealed.
      .replace(/(\?_page=)([\w.%-]+)/g, (_, name: string, sealed: string) => `${name}${sealed.length}`)
      // A summary is a document of its own each time; the time of an id (UUIDv7) says that it was made for this answer.
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) >= since ? 'own' : id,
      )
      .replace(/("id":"|urn:uuid:)[0-9a-f-]{36}(?=","type":"(?:searchset|document))/g, '$1')
  );
}

for (const leg of databases) {
  describe(`worlds that differ in what a circle may not see, on ${leg.name}`, () => {
    let service: TestService;
    let record: SiteRecord;
    let member: Exclude<Credentials, null>;
    let token: string;
    let closed: string;
    let otherCircle: string;
    let link: Payload;
    let scan: Awaited<ReturnType<typeof makeClinicCode>>;
    let pings: Awaited<ReturnType<typeof subscribeInCircle>>;
    let known: readonly Seen[];

    const act = async (method: 'POST' | 'PUT' | 'DELETE', path: string, more: object = {}): Promise<Answer> =>
      succeeded(await service.call(record.credentials, method, path, more));
    const at = (id: string): string => `/records/${record.recordId}/documents/${id}`;
    const store = (...facts: readonly string[]): Promise<string> => record.store(factsDocument(service, ...facts));

    /** Another version of the closed paper, which differs in what the circle does not see. */
    const correct = async (says: Parameters<typeof closedPaper>[0]): Promise<void> => {
      const body = factsDocument(service, ...closedPaper(says));
      closed = attribute((await act('POST', `${at(closed)}/replace`, { body })).text, 'Document', 'id');
    };

    /** The person's own word about the newest statements of a model, in a paper that the circle does not see. */
    const say = async (verdict: string, model: string, count: number): Promise<string> => {
      const { text } = succeeded(
        await service.call(record.credentials, 'GET', `/records/${record.recordId}/lines/${model}/`),
      );
      const about = [...text.matchAll(/<Says id="([^"]*)"/g)].slice(0, count).map(([, id]) => id!);
      expect(about.length).to.equal(count);
      return record.store(ownWord(service.services.config.vocabBase, verdict, model, about));
    };

    /** A page to print differs in the time at which it was made; what can be read on it does not. */
    const textOf = ({ headers, text, bytes }: Looked): string => {
      if (!String(headers['content-type']).startsWith('application/pdf')) {
        return text;
      }
      return bytes && missingReaders().length === 0 ? pagesOf(bytes).join(' ') : '';
    };

    const seenOf = (path: string, answer: Looked, since: number): Seen => {
      const known = path.endsWith('.pdf') ? [...OF_REQUEST, 'content-length', 'etag'] : OF_REQUEST;
      const headers = Object.entries(answer.headers).filter(([name]) => !known.includes(name));
      return {
        path,
        status: answer.status,
        text: plain(textOf(answer), since),
        headers: plain(JSON.stringify(headers), since),
      };
    };

    const inject = async (path: string, method: 'GET' | 'DELETE' = 'GET'): Promise<Looked> => {
      const { statusCode, payload, headers } = await service.running.server.inject({
        method,
        url: `/fhir${path}`,
        headers: { authorization: `Bearer ${token}`, ...(path.includes('$export') ? { prefer: 'respond-async' } : {}) },
      });
      return { status: statusCode, text: payload, headers };
    };

    /** An answer, and its next pages. */
    const lookAtPages = async (path: string, since: number): Promise<readonly Seen[]> => {
      const pages: Seen[] = [];
      let next: string | undefined = path;
      while (next !== undefined) {
        const answer: Looked = await inject(next);
        pages.push(seenOf(`/fhir${path}${'+'.repeat(pages.length)}`, answer, since));
        next = /"relation":"next","url":"[^"]*\/fhir(\/[^"]*)"/.exec(answer.text)?.[1];
      }
      return pages;
    };

    /** What the app reads of each resource that it has found, by its id. */
    const lookAtEach = async (seen: readonly Seen[], since: number): Promise<readonly Seen[]> => {
      const found = seen.filter(({ path }) => path.startsWith('/fhir/')).map(({ text }) => text);
      const named = found.flatMap((text) =>
        [...text.matchAll(/"resourceType":"(Observation|MedicationStatement|Encounter)","id":"([\w-]{36,})"/g)].map(
          ([, type, id]) => `/${type}/${id}`,
        ),
      );
      const looked: Seen[] = [];
      for (const path of [...new Set(named)].flatMap((one) => [one, `${one}/_history`])) {
        looked.push(seenOf(`/fhir${path}`, await inject(path), since));
      }
      return looked;
    };

    /** Everything that the member sees, door by door. */
    const look = async (): Promise<readonly Seen[]> => {
      // What was stored before is older than what answering adds, also where times are written without their fraction.
      const since = (Math.floor(Date.now() / 1000) + 1) * 1000;
      await setTimeout(since - Date.now() + 1);
      const seen: Seen[] = [];
      for (const path of API(record.carenetId)) {
        seen.push(seenOf(path, await service.call(member, 'GET', path), since));
      }
      for (const path of SITE(record.carenetId)) {
        seen.push(seenOf(path, await record.member.get(path), since));
      }
      for (const path of FHIR(record.recordId)) {
        seen.push(...(await lookAtPages(path, since)));
      }
      seen.push(...(await lookAtEach(seen, since)));
      const steps = [await scan(), await pings(), ...(await lookAtExports(inject, record.recordId))];
      seen.push(...steps.map((one) => ({ ...one, text: plain(one.text, since), headers: '' })));
      const opened = await openLink(service, link, { recipient: 'Dr. Weber' });
      const [location] = locationsIn(opened);
      const { resource } = await decrypt(await readFile(service, location!), link);
      seen.push({
        path: 'the link of the circle',
        status: opened.status,
        text: plain(JSON.stringify(resource), since),
        headers: '',
      });
      return seen;
    };

    /** Changes of what the circle may not see, each of which leaves everything else as it is. */
    const changes: readonly (readonly [string, (word: string) => Promise<unknown>])[] = [
      ['a closed paper of another kind', (word) => store(factOf('Problem', { name_title: `secret asthma ${word}` }))],
      ['results of infections', (word) => store(infection(word))],
      [
        'a paper that is taken out',
        async (word) => {
          const id = await store(result('Cholesterol', '2093-3', '999', `secret ${word}`, '2025-11-03'));
          return act('DELETE', `${at(id)}/carenets/${record.carenetId}`);
        },
      ],
      [
        'a paper that is never shared',
        async (word) => {
          const id = await store(factOf('Medication', { drugName_title: `secret pills ${word}` }));
          return act('PUT', `${at(id)}/nevershare`);
        },
      ],
      [
        'a paper that is void',
        async (word) => {
          const id = await store(factOf('Allergy', { allergen_title: `secret allergy ${word}` }));
          return act('POST', `${at(id)}/set-status`, { form: { status: 'void', reason: 'secret' } });
        },
      ],
      [
        'a paper that is archived',
        async (word) => {
          const id = await store(result('Glucose', '2345-7', '88', word, '2024-01-01'));
          return act('POST', `${at(id)}/set-status`, { form: { status: 'archived', reason: 'secret' } });
        },
      ],
      [
        'the title of a closed paper',
        (word) => act('PUT', `${at(closed)}/label`, { body: `secret ${word}`, type: 'text/plain' }),
      ],
      [
        'a paper in another circle',
        async (word) => {
          const id = await store(factOf('Problem', { name_title: `secret ${word}` }));
          return act('PUT', `${at(id)}/carenets/${otherCircle}`);
        },
      ],
      ['columns of a closed paper that never go along', (notes) => correct({ notes })],
      ['what else a closed paper says', (problem) => correct({ problem })],
      ['a result of infections in a closed paper', (word) => correct({ infection: String(word.length) })],
      [
        'a copy of an open paper that is never shared',
        async () => act('PUT', `${at(await store(...OPEN))}/nevershare`),
      ],
      [
        'a copy of a closed paper that is taken out',
        async () => act('DELETE', `${at(await store(...closedPaper()))}/carenets/${record.carenetId}`),
      ],
      ['a word that something is wrong', () => say('wrong', 'LabResult', 1)],
      ['a word that a medicine is stopped', () => say('stopped', 'Medication', 1)],
      ['a word that two are the same', () => say('same', 'LabResult', 2)],
      [
        'a paper that was shared and is no longer',
        async (word) => {
          const id = await store(factOf('Problem', { name_title: `secret ${word}` }));
          await act('PUT', `${at(id)}/carenets/${record.carenetId}`);
          return act('DELETE', `${at(id)}/carenets/${record.carenetId}`);
        },
      ],
      ['kinds of another circle', () => act('PUT', `/carenets/${otherCircle}/kinds/problems`)],
      [
        'people of another circle',
        () => act('POST', `/carenets/${otherCircle}/accounts/`, { form: { account_id: STRANGER, write: 'false' } }),
      ],
      [
        'another circle',
        (word) => act('POST', `/records/${record.recordId}/carenets/`, { form: { name: `Secret ${word}` } }),
      ],
      [
        'somebody who sees all',
        () => act('POST', `/records/${record.recordId}/shares/`, { form: { account_id: STRANGER } }),
      ],
      [
        'vital signs and vaccinations',
        (word) =>
          store(
            factOf('Immunization', { product_name_title: `secret vaccine ${word}` }),
            factOf('Measurement', { type: `secret ${word}`, value: '7', unit: 'kg' }),
          ),
      ],
    ];

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      record = await makeSiteRecord(service);
      member = await signIn(service.call, MEMBER);
      for (const kind of GIVEN) {
        await act('PUT', `/carenets/${record.carenetId}/kinds/${kind}`);
      }
      const circles = succeeded(
        await service.call(record.credentials, 'GET', `/records/${record.recordId}/carenets/`),
      ).text;
      otherCircle = /id="([^"]*)" name="Physicians"/.exec(circles)![1]!;
      closed = await store(...closedPaper());
      const open = await store(...OPEN);
      await act('PUT', `${at(open)}/carenets/${record.carenetId}`);
      const ask = askingAs(service, OWNER, record.credentials as Signs);
      const inRecord = { params: { RECORD_ID: record.recordId } };
      const wish = { label: 'A', passcode: '', expires: '', carenet: record.carenetId, documents: '' };
      const id = await ask(operations.links.recordLinkCreate, { ...inRecord, body: wish });
      link = payloadOf((await ask(operations.links.recordLinks, inRecord)).find((one) => one.id === id)!.text);
      const place = { record: record.recordId, carenet: record.carenetId };
      scan = await makeClinicCode(service, ask, place);
      token = await mintSmartToken(service, {
        account: MEMBER,
        app: FHIR_APP,
        scopes: 'patient/*.rs',
        carenet: record.carenetId,
      });
      pings = await subscribeInCircle(service, { ...place, account: MEMBER });
    });
    after(() => service.stop());

    it('tells an app in the circle of what it may read', async () => {
      const [before, glucose] = [await pings(), result('Glucose', '2345-7', '91', 'Open', '2025-02-01')];
      const id = await store(glucose);
      await act('PUT', `${at(id)}/carenets/${record.carenetId}`);
      await act('POST', `${at(id)}/set-status`, { form: { status: 'archived', reason: 'A test' } });
      expect((await pings()).text).to.not.equal(before.text);
    });

    it('shows the member what is given, and nothing else', async () => {
      known = await look();
      expect(known.filter(({ status }) => status >= 500).map(({ path }) => path)).to.equal([]);
      const showing = known.filter(({ text }) => text.includes('231')).map(({ path }) => path);
      expect(showing.length, 'doors that show the result').to.be.above(5);
      for (const door of ['$summary', '$export', 'Observation.ndjson', 'for a clinic']) {
        expect(
          showing.some((path) => path.includes(door)),
          door,
        ).to.be.true();
      }
      const told = known.filter(({ text, path }) => /asthma|secret problem/.test(text) && !path.includes('q='));
      expect(told.map(({ path }) => path)).to.equal([]);
    });

    const random = randomFrom(SEED);
    const turn: (typeof changes)[number][] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // Each change comes once before any comes again.
      if (turn.length === 0) {
        turn.push(...shuffled(random, changes));
      }
      const own = turn.splice(-CHANGES).map((change) => ({ change, word: random().toString(36).slice(2, 8) }));
      it(`pair ${pair} of SEED=${SEED}: ${own.map(({ change: [name] }) => name).join('; ')}`, async () => {
        for (const { change, word } of own) {
          await change[1](word);
        }
        const now = await look();
        const differ = now.filter(({ status, text, headers }, place) => {
          const one = known[place]!;
          return one.status !== status || one.text !== text || one.headers !== headers;
        });
        const [first] = differ;
        const told = first && known.find(({ path }) => path === first.path);
        const where = told ? difference(told, first) : '';
        known = now;
        expect(
          differ.map(({ path }) => path),
          where,
        ).to.equal([]);
      });
    }
  });
}

function shuffled<T>(random: Random, list: readonly T[]): readonly T[] {
  return list
    .map((one) => [random(), one] as const)
    .sort(([one], [other]) => one - other)
    .map(([, one]) => one);
}

/** Where two answers begin to differ. */
function difference(one: Seen, other: Seen): string {
  const [before, after] = [one, other].map(({ status, headers, text }) => `${status} ${headers} ${text}`) as [
    string,
    string,
  ];
  const at = [...before].findIndex((sign, place) => after[place] !== sign);
  const from = Math.max(0, at - 80);
  return `\n${before.slice(from, at + 120)}\n${after.slice(from, at + 120)}\n`;
}

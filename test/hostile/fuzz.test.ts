/**
 * fuzz: every parameter of every route of the route table, with random values, by every kind of caller. No response is
 * a 5xx, and none takes long (where the machine has nothing else to do). FUZZ_RUNS sets the number of tries for each
 * route.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import fc from 'fast-check';
import type Joi from 'joi';
import { routeTable, type TableRow } from '../../core/http/table';
import { areas } from '../../core/server/plugins';
import { amount } from '../support/amount';
import type { Credentials } from '../support/client';
import { databases } from '../support/databases';
import { expectQuick } from '../support/quick';
import { admin, connector, medications, startService, ui, type TestService } from '../support/server';
import { attribute, authorizeApp, makeWorld, succeeded, type World } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const RUNS = Number(process.env['FUZZ_RUNS'] ?? amount(3, 9));
/** Longer than any column except those of texts. */
const LONG = 'x'.repeat(3000);
/** Calls for which the interface itself prescribes a 500. */
const fixed500 = new Set(['coding_systems_list']);

/** Addresses of the service's own page, which has another content policy (`test/plugins/system.test.ts`). */
const pages = ['/', '/docs'];
/** Headers of every response, whoever calls; `target` is the path that was really called: `/apps/..` is `/`. */
const said = (target: string, status: number): Readonly<Record<string, string>> => ({
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(pages.includes(new URL(target, 'http://svc.test').pathname) && status === 200
    ? {}
    : { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox" }),
});
/** Headers of no response: browsers must store nothing, and give nothing to pages of other sites. */
const unsaid = ['set-cookie', 'access-control-allow-origin'];

const NS = 'https://svc.example/vocab/xml/documents#';
const hostile = [
  '',
  ' ',
  "'",
  '"',
  '\\',
  '`',
  "' or 1=1 --",
  '%',
  '_',
  '\u0000',
  '\u0001',
  '\ud800',
  '\ufeff',
  '\uffff',
  '\u{1f600}',
  'e\u0301',
  '<a>',
  '&amp;',
  '${1}',
  '{record_id}',
  '__proto__',
  'constructor',
  'toString',
  '-1',
  '0',
  '1',
  '1.5',
  '1e309',
  '9007199254740993',
  '99999999999999999999',
  'NaN',
  'Infinity',
  'null',
  'true',
  'a*b',
  '*',
  '|',
  '||',
  'sum*',
  '*sum',
  'created_at**',
  'created_at*2020-01-01T00:00:00Z*',
  'date*month',
  '2024-02-30',
  '0000-00-00',
  '+275760-09-13T00:00:00Z',
  'x'.repeat(40),
  'x'.repeat(256),
  'x'.repeat(3000),
  '\u00e4'.repeat(200),
  'a@b',
  '@',
  'http://[',
  'javascript:1',
  'oob',
  '..',
  'a/b',
  'a\nb',
  'text/xml',
  'application/json',
  'active',
  'void',
  'archived',
  'password',
  '-created_at',
  'count*',
  'avg*value',
];
const bodies = [
  '',
  '<',
  '<a/>',
  `<Procedure xmlns="${NS}"><name>x</name></Procedure>`,
  `<Procedure xmlns="${NS}"/>`,
  '<Models/>',
  `<Models xmlns="${NS}"><Model name="Fill"><Field name="date">x</Field></Model></Models>`,
  '{"a":1}',
  'plain',
  '<?xml version="1.0" encoding="UTF-16"?><a/>',
  '\u0000',
  '<a>&b;</a>',
  '<!DOCTYPE a><a/>',
  'alice@example.org',
  'x'.repeat(5000),
];

type Ids = { readonly [name: string]: readonly string[] };

const idsOf = (world: World, documentId: string, carenetId: string): Ids => ({
  record: [world.recordId],
  carenet: [carenetId],
  document: [documentId],
  account: ['alice@example.org', 'bob@example.org', 'ALICE@example.org'],
  app: [medications!.consumer.key, connector!.consumer.key, admin!.consumer.key],
  rel: ['annotation', 'followup'],
  model: ['Procedure', 'VitalSigns', 'medications', 'allergies'],
});

/** Ids that fit a parameter by its name, so that some calls pass the first checks. */
const fitting = (name: string, ids: Ids): readonly string[] => {
  const lower = name.toLowerCase();
  const kind = ['record', 'carenet', 'document', 'account', 'rel', 'model'].find(
    (word) => lower.startsWith(word) || lower.includes(`${word}_`),
  );
  return ids[kind ?? (/email|pha|app/.test(lower) ? 'app' : '')] ?? ids['document']!;
};

const text = (good: readonly string[]): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 4, arbitrary: fc.constantFrom(...good) },
      { weight: 3, arbitrary: fc.constantFrom(...hostile) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    )
    .map((value) => Buffer.from(value, 'utf8').toString('utf8'));

const keysOf = (schema: Joi.ObjectSchema | undefined): readonly string[] =>
  schema === undefined ? [] : Object.keys((schema.describe() as { keys?: object }).keys ?? {});

const queryNames = [
  'limit',
  'offset',
  'order_by',
  'status',
  'type',
  'date_range',
  'group_by',
  'date_group',
  'aggregate_by',
  'response_format',
  'created_at',
  'name',
  'q',
  'fullname',
  'label',
  'surl_sig',
  '__proto__',
];

const pairs = (names: readonly string[], ids: Ids): fc.Arbitrary<Record<string, string>> =>
  fc
    .record(
      Object.fromEntries(
        names.map((name) => [
          name,
          fc.option(text([...fitting(name, ids), '1', 'active', 'plaintext']), { freq: 4, nil: undefined }),
        ]),
      ),
    )
    .map((given) =>
      Object.fromEntries(Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined)),
    );

type Input = {
  readonly caller: string;
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly form: Record<string, string>;
  readonly body: string;
  readonly type: string;
};

const inputOf = ({ spec }: TableRow, callers: readonly string[], ids: Ids): fc.Arbitrary<Input> =>
  fc.record({
    caller: fc.constantFrom(...callers),
    params: fc.record(
      Object.fromEntries([...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, text(fitting(name!, ids))])),
    ) as fc.Arbitrary<Record<string, string>>,
    query: pairs([...new Set([...keysOf(spec.query), ...queryNames])], ids),
    form: pairs(spec.body?.kind === 'form' ? keysOf(spec.body.schema) : [], ids),
    body: fc.oneof(fc.constantFrom(...bodies), fc.string({ unit: 'binary', maxLength: 200 })),
    type: fc.constantFrom(
      'application/xml',
      'text/plain',
      'application/json',
      'application/x-www-form-urlencoded',
      'a/b',
      '',
    ),
  });

const targetOf = (path: string, { params, query }: Input): string => {
  const search = new URLSearchParams(query).toString();
  return `${path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))}${search === '' ? '' : `?${search}`}`;
};

for (const leg of databases) {
  describe(`any input on ${leg.name}`, () => {
    let service: TestService;
    let world: World;
    let ids: Ids;
    let round = 0;
    const callers = new Map<string, Credentials>();

    /**
     * Makes people, a record and a document; makes them again when an earlier call has removed what the next calls
     * need.
     */
    const prepare = async (): Promise<void> => {
      const standing =
        callers.size > 0 &&
        (
          await Promise.all(
            ['owner', 'app'].map((who) => service.call(callers.get(who)!, 'GET', `/records/${world.recordId}`)),
          )
        ).every(({ status }) => status === 200);
      if (standing) {
        return;
      }
      await service?.stop();
      service = await startService(leg, { SVC_LOG_LEVEL: 'fatal', SVC_MAX_DOCUMENT_BYTES: '100000' });
      world = await makeWorld(service);
      const app = await authorizeApp(service.call, medications!, world.alice, { record_id: world.recordId });
      const document = succeeded(
        await service.call(app, 'POST', `/records/${world.recordId}/documents/`, { body: bodies[3]! }),
      );
      const carenets = succeeded(await service.call(world.alice, 'GET', `/records/${world.recordId}/carenets/`));
      ids = idsOf(world, attribute(document.text, 'Document', 'id'), attribute(carenets.text, 'Carenet', 'id'));
      for (const [who, credentials] of Object.entries({
        nobody: null,
        admin,
        ui,
        consumer: medications,
        background: connector,
        owner: world.alice,
        stranger: world.bob,
        app,
      })) {
        callers.set(who, credentials);
      }
      round += 1;
    };
    before(prepare);
    after(() => service.stop());

    for (const row of routeTable(areas)) {
      const { spec } = row;
      it(`${spec.method} ${spec.path}`, async () => {
        await prepare();
        await fc.assert(
          fc.asyncProperty(inputOf(row, [...callers.keys()], ids), async (input) => {
            const began = performance.now();
            const target = targetOf(spec.path, input);
            const raw = spec.body ? { body: input.body, type: input.type } : {};
            const sent = spec.body?.kind === 'form' ? { form: input.form } : raw;
            const answer = await service.call(callers.get(input.caller)!, spec.method, target, sent);
            if (!fixed500.has(spec.name)) {
              expect(answer.status, `${answer.status} ${answer.text.slice(0, 200)}`).to.be.below(500);
            }
            expectQuick(performance.now() - began, 5000);
            expect(answer.headers).to.include(said(target, answer.status));
            expect(unsaid.filter((name) => name in answer.headers)).to.equal([]);
          }),
          { numRuns: RUNS },
        );
      });

      it(`${spec.method} ${spec.path} with one value too long at a time`, async () => {
        await prepare();
        const params = Object.fromEntries(
          [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, fitting(name!, ids)[0]!]),
        );
        const form = Object.fromEntries(
          keysOf(spec.body?.kind === 'form' ? spec.body.schema : undefined).map((name) => [
            name,
            fitting(name, ids)[0]!,
          ]),
        );
        for (const name of Object.keys(form)) {
          for (const who of ['owner', 'app', 'admin', 'ui']) {
            const answer = await service.call(
              callers.get(who)!,
              spec.method,
              spec.path.replace(/\{(\w+)\}/g, (_all, part: string) => encodeURIComponent(params[part]!)),
              { form: { ...form, [name]: LONG } },
            );
            expect(answer.status, `${name} by ${who}: ${answer.text.slice(0, 200)}`).to.be.below(500);
          }
        }
      });
    }

    it('leaves a service that works', async () => {
      await prepare();
      expect(round).to.be.above(0);
      succeeded(await service.call(world.alice, 'GET', `/records/${world.recordId}/documents/`));
    });
  });
}

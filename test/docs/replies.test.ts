/**
 * replies: the example replies of the API reference are what the service answers. The test fails when a reply differs
 * from the reference; `SVC_TEST_WRITE_EXAMPLES=1 npx lab dist/test/docs/replies.test.js` writes core/http/reference/examples.json
 * anew.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { examplesFile, readExamples, type Example } from '../../core/http/reference/examples';
import { routeTable } from '../../core/http/table';
import { areas } from '../../core/server/plugins';
import { inProject } from '../../core/base/paths';
import type { CallOptions, Credentials } from '../support/client';
import { databases } from '../support/databases';
import { admin, connector, medications, startService, ui, type TestService } from '../support/server';
import {
  attribute,
  authorizeApp,
  child,
  createAccount,
  demographics,
  PASSWORD,
  signIn,
  succeeded,
} from '../support/world';

export const lab = Lab.script();
const { describe, it } = lab;

const MEDICATIONS = 'medications@apps.svc.example';
const CONNECTOR = 'connector@apps.svc.example';
const NS = 'https://svc.example/vocab/xml/documents#';

const DAYS = 86_400_000;

/**
 * Whether a time comes from this run. Times of the samples have no fraction of a second, but so has one in thousand of
 * this run's; these are near the present.
 */
const isOfNow = (time: string): boolean => time.includes('.') || Math.abs(Date.parse(time) - Date.now()) < 100 * DAYS;

/** Replaces what differs from run to run with constant values. */
const makeSteady = (base: string): ((text: string) => string) => {
  const ids = new Map<string, string>();
  const idFor = (id: string): string => {
    const known = ids.get(id) ?? `01900000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  return (text) =>
    text
      .replaceAll(base, 'https://records.example')
      .replaceAll('https://svc.example/vocab', '{vocab_base}')
      .replace(/<OAuthHeader>[^<]*/g, '<OAuthHeader>OAuth realm=&quot;&quot;, oauth_consumer_key=&quot;...&quot;, ...')
      .replace(/(oauth_token|oauth_token_secret|oauth_verifier)(=|%3D)[A-Za-z0-9_-]+/g, '$1$2...')
      .replace(/(<(?:Connect|REST)(?:Token|Secret)>)[^<]*/g, '$1...')
      .replace(/(<RequestToken token=")[^"]*/g, '$1...')
      .replace(/(<secret>)[^<]*/g, '$1...')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, idFor)
      .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) =>
        isOfNow(time) ? '2026-01-05T08:00:00.123Z' : time,
      );
};

type Story = { readonly seen: Record<string, Example>; readonly refused: readonly string[] };

/** Tells the story of one person's record, from the first account to the last report. */
const tell = async ({ call, services }: TestService): Promise<Story> => {
  const steady = makeSteady(services.baseUrl());
  const seen: Record<string, Example> = {};
  const refused: string[] = [];
  const names: Record<string, string> = {
    ACCOUNT_EMAIL: 'ann@people.example',
    ACCOUNT_ID: 'bob@people.example',
    OTHER_ACCOUNT_ID: 'carol@people.example',
    PHA_EMAIL: MEDICATIONS,
    APP_ID: MEDICATIONS,
    REL: 'annotation',
    PRINCIPAL_EMAIL: 'admin@apps.svc.example',
    pha_email: MEDICATIONS,
  };
  const see = async (
    who: Credentials,
    route: string,
    options: CallOptions & { readonly query?: string; readonly as?: Record<string, string> } = {},
  ): Promise<string> => {
    const [method = '', path = ''] = route.split(' ');
    const { query = '', as = {}, ...sent } = options;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(as[name] ?? names[name] ?? name));
    const answer = await call(who, method, `${filled}${query}`, sent);
    if (answer.status !== 200) {
      refused.push(`${route}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    seen[route] ??= { type: String(answer.headers['content-type'] ?? '').split(';')[0]!, body: steady(answer.text) };
    return answer.text;
  };
  const sample = (folder: string, name: string): string =>
    readFileSync(inProject('pipeline-config', folder, name), 'utf8').replaceAll(
      '{vocab_base}',
      'https://svc.example/vocab',
    );

  await see(null, 'GET /version');
  await see(null, 'GET /capabilities/');
  await see(null, 'GET /health/live');
  await see(null, 'GET /health/ready');
  await see(admin, 'POST /accounts/', {
    form: { account_id: names['ACCOUNT_EMAIL']!, full_name: 'Ann Lee', primary_secret_p: '1', secondary_secret_p: '1' },
  });
  const primary = child(await see(admin, 'GET /accounts/{ACCOUNT_EMAIL}/primary-secret'), 'secret')!;
  const secondary = child(await see(admin, 'GET /accounts/{ACCOUNT_EMAIL}/secret'), 'secret')!;
  await see(admin, 'GET /accounts/{ACCOUNT_EMAIL}/check-secrets/{PRIMARY_SECRET}', { as: { PRIMARY_SECRET: primary } });
  await see(ui, 'POST /accounts/{ACCOUNT_EMAIL}/initialize/{PRIMARY_SECRET}', {
    as: { PRIMARY_SECRET: primary },
    form: { secondary_secret: secondary },
  });
  await see(admin, 'POST /accounts/{ACCOUNT_EMAIL}/authsystems/', {
    form: { system: 'password', username: 'ann@people.example', password: PASSWORD },
  });
  await see(ui, 'POST /oauth/internal/session_create', {
    form: { username: 'ann@people.example', password: PASSWORD },
  });
  await createAccount(call, 'bob@people.example', 'Bob Friend');
  await createAccount(call, 'carol@people.example', 'Carol Lee');
  const ann = await signIn(call, 'ann@people.example');
  await see(admin, 'GET /accounts/{ACCOUNT_EMAIL}');
  await see(admin, 'GET /accounts/search', { query: '?fullname=lee' });
  await see(ann, 'POST /accounts/{ACCOUNT_EMAIL}/info-set', { form: { full_name: 'Ann Lee' } });
  await see(admin, 'POST /accounts/{ACCOUNT_EMAIL}/authsystems/password/set-username', {
    form: { username: 'ann@people.example' },
  });
  await see(admin, 'POST /accounts/{ACCOUNT_EMAIL}/set-state', { form: { state: 'active' } });

  const record =
    (names['RECORD_ID'] =
    names['record_id'] =
      attribute(await see(admin, 'POST /records/', { body: demographics('Ann', 'Lee') }), 'Record', 'id'));
  await see(admin, 'PUT /records/{RECORD_ID}/owner', { body: 'ann@people.example', type: 'text/plain' });
  await see(admin, 'PUT /records/external/{PRINCIPAL_EMAIL}/{EXTERNAL_ID}', {
    as: { EXTERNAL_ID: 'patient-7' },
    body: demographics('Otto', 'Berg'),
  });
  for (const route of ['GET /records/{RECORD_ID}', 'GET /records/{RECORD_ID}/owner']) {
    await see(admin, route);
  }
  await see(admin, 'GET /records/search', { query: '?label=lee' });
  await see(ann, 'GET /accounts/{ACCOUNT_EMAIL}/records/');
  await see(ann, 'GET /records/{RECORD_ID}/demographics', { query: '?response_format=application/json' });
  await see(ann, 'GET /records/{RECORD_ID}/documents/special/{NAME}', { as: { NAME: 'demographics' } });

  await see(medications, 'POST /oauth/request_token', {
    form: { svc_record_id: record },
    oauth: { oauth_callback: 'oob' },
  });
  const asked = new URLSearchParams(
    succeeded(
      await call(medications, 'POST', '/oauth/request_token', {
        form: { svc_record_id: record },
        oauth: { oauth_callback: 'oob' },
      }),
    ).text,
  );
  const token = { key: asked.get('oauth_token')!, secret: asked.get('oauth_token_secret')! };
  names['REQTOKEN_ID'] = token.key;
  await see(ann, 'POST /oauth/internal/request_tokens/{REQTOKEN_ID}/claim');
  await see(ann, 'GET /oauth/internal/request_tokens/{REQTOKEN_ID}/info');
  const location = new URLSearchParams(
    await see(ann, 'POST /oauth/internal/request_tokens/{REQTOKEN_ID}/approve', { form: { record_id: record } }),
  ).get('location')!;
  await see({ consumer: medications!.consumer, token }, 'POST /oauth/access_token', {
    oauth: { oauth_verifier: new URL(location).searchParams.get('oauth_verifier')! },
  });
  const app = await authorizeApp(call, medications!, ann, { record_id: record });

  const post = async (body: string): Promise<string> =>
    attribute(await see(app, 'POST /records/{RECORD_ID}/documents/', { body }), 'Document', 'id');
  const operation =
    (names['DOCUMENT_ID'] =
    names['DOCUMENT_ID_0'] =
      await post(sample('procedure', 'sample-appendectomy.xml')));
  for (const [folder, name] of [
    ['allergy', ''],
    ['equipment', ''],
    ['immunization', ''],
    ['lab', ''],
    ['hba1c', ''],
    ['medication', ''],
    ['problem', ''],
    ['simple-clinical-note', ''],
    ['vital-sign', 'sample-systolic.xml'],
  ] as const) {
    const file =
      name ||
      readdirSync(inProject('pipeline-config', folder))
        .filter((one) => one.startsWith('sample'))
        .sort()[0]!;
    await post(sample(folder, file));
  }
  const note = (names['DOCUMENT_ID_1'] = await post(
    sample(
      'problem',
      readdirSync(inProject('pipeline-config', 'problem'))
        .filter((one) => one.startsWith('sample'))
        .sort()[0]!,
    ),
  ));
  await see(app, 'PUT /records/{RECORD_ID}/documents/{DOCUMENT_ID_0}/rels/{REL}/{DOCUMENT_ID_1}');
  await see(app, 'POST /records/{RECORD_ID}/documents/{DOCUMENT_ID}/rels/{REL}/', {
    body: sample('procedure', 'sample-appendectomy.xml'),
  });
  await see(app, 'PUT /records/{RECORD_ID}/documents/external/{PHA_EMAIL}/{EXTERNAL_ID}', {
    as: { EXTERNAL_ID: 'visit-1' },
    body: sample('procedure', 'sample-appendectomy.xml'),
  });
  await see(app, 'GET /records/{RECORD_ID}/documents/external/{PHA_EMAIL}/{EXTERNAL_ID}/meta', {
    as: { EXTERNAL_ID: 'visit-1' },
  });
  await see(app, 'PUT /records/{RECORD_ID}/documents/external/{PHA_EMAIL}/{EXTERNAL_ID}/label', {
    as: { EXTERNAL_ID: 'visit-1' },
    body: 'First visit',
    type: 'text/plain',
  });
  await see(app, 'PUT /records/{RECORD_ID}/documents/{DOCUMENT_ID}/label', {
    body: 'From the hospital',
    type: 'text/plain',
  });
  await see(app, 'POST /records/{RECORD_ID}/documents/{DOCUMENT_ID}/set-status', {
    as: { DOCUMENT_ID: note },
    form: { status: 'archived', reason: 'over since March' },
  });
  await see(app, 'GET /records/{RECORD_ID}/documents/{DOCUMENT_ID}/status-history', { as: { DOCUMENT_ID: note } });
  const latest = attribute(
    await see(app, 'POST /records/{RECORD_ID}/documents/{DOCUMENT_ID}/replace', {
      body: sample('procedure', 'sample-appendectomy.xml'),
    }),
    'Document',
    'id',
  );
  for (const rest of ['', '/meta', '/rels/{REL}/', '/versions/']) {
    await see(app, `GET /records/{RECORD_ID}/documents/{DOCUMENT_ID}${rest}`);
  }
  await see(app, 'GET /records/{RECORD_ID}/documents/', { query: '?limit=2' });

  const carenet = (names['CARENET_ID'] = attribute(
    await see(ann, 'POST /records/{RECORD_ID}/carenets/', { form: { name: 'Ward 4' } }),
    'Carenet',
    'id',
  ));
  await see(ann, 'GET /records/{RECORD_ID}/carenets/');
  await see(ann, 'POST /carenets/{CARENET_ID}/rename', { form: { name: 'Ward 5' } });
  await see(ann, 'POST /carenets/{CARENET_ID}/accounts/', {
    form: { account_id: 'bob@people.example', write: 'false' },
  });
  await see(ann, 'GET /carenets/{CARENET_ID}/accounts/');
  await see(ann, 'GET /carenets/{CARENET_ID}/accounts/{ACCOUNT_ID}/permissions');
  await see(ann, 'PUT /carenets/{CARENET_ID}/apps/{APP_ID}');
  await see(ann, 'GET /carenets/{CARENET_ID}/apps/');
  await see(ann, 'PUT /records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/{CARENET_ID}');
  await see(ann, 'GET /records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/');
  await see(ann, 'POST /records/{RECORD_ID}/documents/{DOCUMENT_ID}/carenets/{CARENET_ID}/autoshare-revert');
  await see(ann, 'POST /records/{RECORD_ID}/autoshare/carenets/{CARENET_ID}/bytype/set', {
    form: { type: `${NS}Procedure` },
  });
  await see(ann, 'GET /records/{RECORD_ID}/autoshare/bytype/', {
    query: `?type=${encodeURIComponent(`${NS}Procedure`)}`,
  });
  await see(ann, 'GET /records/{RECORD_ID}/autoshare/bytype/all');
  const bob = await signIn(call, 'bob@people.example');
  for (const rest of [
    'record',
    'documents/',
    'documents/{DOCUMENT_ID}',
    'documents/{DOCUMENT_ID}/meta',
    'reports/minimal/procedures/',
  ]) {
    // A carenet shows the latest version only.
    await see(bob, `GET /carenets/{CARENET_ID}/${rest}`, { as: { DOCUMENT_ID: latest } });
  }
  await see(bob, 'GET /carenets/{CARENET_ID}/reports/{DATA_MODEL}/', { as: { DATA_MODEL: 'Procedure' } });
  await see(bob, 'GET /accounts/{ACCOUNT_EMAIL}/permissions/', { as: { ACCOUNT_EMAIL: 'bob@people.example' } });
  await see(ann, 'PUT /records/{RECORD_ID}/documents/{DOCUMENT_ID}/nevershare');
  await see(ann, 'DELETE /records/{RECORD_ID}/documents/{DOCUMENT_ID}/nevershare');
  await see(ann, 'POST /records/{RECORD_ID}/autoshare/carenets/{CARENET_ID}/bytype/unset', {
    form: { type: `${NS}Procedure` },
  });
  await see(ann, 'POST /records/{RECORD_ID}/shares/', {
    form: { account_id: 'carol@people.example', role_label: 'Sister' },
  });
  await see(ann, 'GET /records/{RECORD_ID}/shares/');

  for (const name of [
    'allergies',
    'equipment',
    'immunizations',
    'labs',
    'medications',
    'problems',
    'procedures',
    'simple-clinical-notes',
    'vitals',
  ]) {
    await see(app, `GET /records/{RECORD_ID}/reports/minimal/${name}/`);
  }
  await see(app, 'GET /records/{RECORD_ID}/reports/minimal/vitals/{CATEGORY}/', {
    as: { CATEGORY: 'Systolic blood pressure' },
  });
  await see(app, 'GET /records/{RECORD_ID}/reports/minimal/measurements/{LAB_CODE}/', { as: { LAB_CODE: 'HBA1C' } });
  await see(app, 'GET /records/{RECORD_ID}/reports/{DATA_MODEL}/', {
    as: { DATA_MODEL: 'Procedure' },
    query: '?response_format=application/json',
  });
  await see(app, 'GET /records/{RECORD_ID}/allergies/');

  await see(app, 'POST /records/{RECORD_ID}/inbox/{MESSAGE_ID}', {
    as: { MESSAGE_ID: 'results-1' },
    form: { subject: 'Your results', body: 'They are attached.', num_attachments: '1' },
  });
  await see(app, 'POST /records/{RECORD_ID}/inbox/{MESSAGE_ID}/attachments/{ATTACHMENT_NUM}', {
    as: { MESSAGE_ID: 'results-1', ATTACHMENT_NUM: '1' },
    body: sample('procedure', 'sample-appendectomy.xml'),
  });
  await see(app, 'POST /records/{RECORD_ID}/notifications/', {
    form: { content: 'Your results are here', document_id: operation },
  });
  await see(ann, 'GET /accounts/{ACCOUNT_EMAIL}/notifications/');
  names['MESSAGE_ID'] = attribute(await see(ann, 'GET /accounts/{ACCOUNT_EMAIL}/inbox/'), 'Message', 'id');
  await see(ann, 'GET /accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}');
  await see(ann, 'POST /accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}/attachments/{ATTACHMENT_NUM}/accept', {
    as: { ATTACHMENT_NUM: '1' },
  });
  await see(ann, 'POST /accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}/archive');
  await see(admin, 'POST /accounts/{ACCOUNT_EMAIL}/inbox/', {
    form: { subject: 'Maintenance', body: 'Tonight at ten.' },
  });

  await see(ann, 'GET /apps/');
  for (const rest of ['', '/manifest']) {
    await see(ann, `GET /apps/{PHA_EMAIL}${rest}`);
  }
  await see(ann, 'GET /apps/manifests/');
  await see(ann, 'PUT /accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/preferences', {
    body: '{"units":"metric"}',
    type: 'application/json',
  });
  await see(ann, 'GET /accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/preferences');
  await see(ann, 'POST /accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/connect_credentials', {
    form: { record_id: record },
  });
  await see(ann, 'GET /records/{RECORD_ID}/apps/');
  await see(ann, 'GET /records/{RECORD_ID}/apps/{PHA_EMAIL}');
  await see(ann, 'PUT /records/{RECORD_ID}/apps/{PHA_EMAIL}', { as: { PHA_EMAIL: CONNECTOR } });
  await see(connector, 'GET /apps/{PHA_EMAIL}/records/', { as: { PHA_EMAIL: CONNECTOR } });
  await see(connector, 'POST /apps/{PHA_EMAIL}/records/{RECORD_ID}/access_token', { as: { PHA_EMAIL: CONNECTOR } });
  const storage: readonly (readonly [Credentials, string])[] = [
    [medications, '/apps/{PHA_EMAIL}/documents/'],
    [app, '/records/{RECORD_ID}/apps/{PHA_EMAIL}/documents/'],
  ];
  for (const [who, path] of storage) {
    const id = attribute(
      await see(who, `POST ${path}`, { body: '{"seen":41}', type: 'application/json' }),
      'Document',
      'id',
    );
    await see(who, `GET ${path}`);
    for (const rest of ['', '/meta']) {
      await see(who, `GET ${path}{DOCUMENT_ID}${rest}`, { as: { DOCUMENT_ID: id } });
    }
    await see(who, `PUT ${path}{DOCUMENT_ID}/label`, { as: { DOCUMENT_ID: id }, body: 'Settings', type: 'text/plain' });
    await see(who, `PUT ${path}external/{EXTERNAL_ID}`, {
      as: { EXTERNAL_ID: 'settings' },
      body: '{"seen":42}',
      type: 'application/json',
    });
    await see(who, `GET ${path}external/{EXTERNAL_ID}/meta`, { as: { EXTERNAL_ID: 'settings' } });
    await see(who, `DELETE ${path}{DOCUMENT_ID}`, { as: { DOCUMENT_ID: id } });
  }
  await see(ann, 'GET /records/{RECORD_ID}/audits/documents/{DOCUMENT_ID}/functions/{FUNCTION_NAME}/', {
    as: { FUNCTION_NAME: 'document_version' },
  });
  await see(ann, 'GET /records/{RECORD_ID}/audits/', { query: '?limit=1' });
  await see(ann, 'GET /records/{RECORD_ID}/audits/query/', {
    query: '?aggregate_by=count*request_date&group_by=function_name&limit=2',
  });
  await see(ann, 'DELETE /carenets/{CARENET_ID}/accounts/{ACCOUNT_ID}');
  await see(ann, 'DELETE /records/{RECORD_ID}/shares/{OTHER_ACCOUNT_ID}');
  await see(ann, 'DELETE /carenets/{CARENET_ID}', { as: { CARENET_ID: carenet } });
  await see(admin, 'POST /accounts/{ACCOUNT_EMAIL}/forgot-password');
  return { seen, refused };
};

describe('the example replies of the API reference', () => {
  for (const leg of databases) {
    it(`are what the service answers on ${leg.name}`, async () => {
      const service = await startService(leg);
      const { seen, refused } = await tell(service);
      await service.stop();
      expect(refused).to.equal([]);
      if (process.env['SVC_TEST_WRITE_EXAMPLES'] === '1') {
        writeFileSync(examplesFile, `${JSON.stringify(seen, null, 1)}\n`);
      }
      const shown = readExamples();
      expect(Object.keys(shown).sort()).to.equal(Object.keys(seen).sort());
      for (const [route, example] of Object.entries(seen)) {
        expect({ route, ...shown[route] }).to.equal({ route, ...example });
      }
    });
  }

  it('belong to routes, and most routes have one', () => {
    const routes = routeTable(areas).map(({ spec }) => `${spec.method} ${spec.path}`);
    const shown = Object.keys(readExamples());
    expect(shown.filter((route) => !routes.includes(route))).to.equal([]);
    expect(shown.length).to.be.above(120);
  });
});

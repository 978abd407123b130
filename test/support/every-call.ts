/** every-call: calls every route with inputs that it can work with, as a caller that it permits. */
import type { CallerKind } from '../../core/access/rules';
import { readFileSync } from 'node:fs';
import { newId } from '../../core/base/ids';
import { inProject } from '../../core/base/paths';
import { routeTable } from '../../core/http/table';
import type { RouteSpec } from '../../core/http/route';
import { areas } from '../../core/server/plugins';
import { callerNames, makeCallers, people, APP, BACKGROUND, type CallerName, type Callers } from './callers';
import { addSession } from './cast';
import type { TestService } from './server';
import { admin } from './server';
import { attribute, demographics, PASSWORD, succeeded } from './world';
import { direct } from './direct';

const NS = 'https://svc.example/vocab/xml/documents#';
const procedure =
  `<Procedure xmlns="${NS}"><datePerformed>2024-03-05T13:00:00Z</datePerformed><name type="http://snomed.info/sct" ` +
  'value="80146002">Appendectomy</name></Procedure>';

/** Ids of existing things, by the name of the path parameter. */
type Ids = Readonly<Record<string, string>>;

/** Fields for any form: each call uses those that it knows. */
const formOf = ({ RECORD_ID }: Ids, caller: CallerName, name: string): Record<string, string> => ({
  account_id: name === 'account_create' ? 'new@example.org' : people.stranger,
  contact_email: people.stranger,
  full_name: 'Somebody Else',
  primary_secret_p: '1',
  secondary_secret_p: '1',
  system: name === 'account_authsystem_add' ? 'directory' : 'password',
  username: name === 'account_authsystem_add' ? 'another-name' : 'a-user-name',
  password: PASSWORD,
  old: PASSWORD,
  new: PASSWORD,
  state: 'active',
  subject: 'A subject',
  body: 'A body',
  content: 'A notice',
  num_attachments: '1',
  status: 'active',
  reason: 'because',
  name: `Net ${caller} ${newId()}`.slice(0, 40),
  write: 'true',
  type: 'Procedure',
  role_label: 'Guardian',
  url: 'reports/minimal/procedures/',
  callback: 'https://own.example/ping',
  svc_record_id: RECORD_ID!,
  record_id: RECORD_ID!,
  oauth_callback: 'oob',
  oauth_verifier: 'verifier',
});

/** Queries that reach the different statements of a list. */
const queriesOf = ({ path, name, method }: RouteSpec): readonly string[] => {
  if (method !== 'GET') {
    return [''];
  }
  if (path.includes('/reports/')) {
    return [
      '',
      '?order_by=created_at&limit=5&offset=1',
      '?aggregate_by=count*created_at&date_group=created_at*month',
      '?date_range=created_at*2020-01-01*',
      '?aggregate_by=count*created_at&date_group=created_at*day&time_zone=Europe/Berlin',
      '?response_format=application/json&name=Appendectomy',
      '?status=void',
    ];
  }
  if (path.includes('/audits/')) {
    return [
      '',
      '?limit=5&offset=1',
      '?function_name=record_document&order_by=request_date',
      '?date_range=request_date*2020-01-01*',
      '?aggregate_by=count*request_date&date_group=request_date*day',
      '?aggregate_by=count*request_date&date_group=request_date*hour&time_zone=Asia/Kolkata',
    ];
  }
  const asked: Readonly<Record<string, string>> = {
    account_search: '?fullname=lee&contact_email=example',
    record_search: '?label=lee',
    coding_system_query: '?q=aspirin',
    account_check_secrets: '?secondary_secret=123456',
    surl_verify: '?surl_sig=x&surl_timestamp=x&surl_token=x&url=x',
    autoshare_list: '?type=Procedure',
    account_inbox: '?include_archive=1',
  };
  return path.endsWith('/') && asked[name] === undefined
    ? ['', '?type=Procedure&limit=5&offset=0&order_by=-label', '?status=void&order_by=size']
    : [asked[name] ?? ''];
};

const bodyOf = (
  spec: RouteSpec,
  ids: Ids,
  caller: CallerName,
): { readonly body?: string; readonly type?: string; readonly form?: Record<string, string> } => {
  if (spec.body?.kind === 'form') {
    return { form: formOf(ids, caller, spec.name) };
  }
  if (!spec.body) {
    return {};
  }
  if (spec.name === 'record_set_owner') {
    return { body: people.owner, type: 'text/plain' };
  }
  if (/label/.test(spec.name)) {
    return { body: 'A label', type: 'text/plain' };
  }
  return { body: /demographics|special|record_create/.test(spec.name) ? demographics('Ann', 'Lee') : procedure };
};

/** Makes the things that paths name, as the routes make them. */
// eslint-disable-next-line max-lines-per-function -- each thing is made from those before
const makeThings = async ({ call, services }: TestService, callers: Callers): Promise<Ids> => {
  const { recordId, carenetId, credentials } = callers;
  const app = credentials['user app two-legged'];
  await direct(services.database)('app')
    .whereIn('id', [APP, BACKGROUND])
    .update({ callback_url: 'https://own.example/callback' });
  const owner = credentials['owner'];
  const post = async (body = procedure): Promise<string> =>
    attribute(succeeded(await call(owner, 'POST', `/records/${recordId}/documents/`, { body })).text, 'Document', 'id');
  const factOf = async (format: string, file: string, table: string): Promise<string> => {
    await post(
      readFileSync(inProject('pipeline-config', format, file), 'utf8').replaceAll(
        '{vocab_base}',
        'https://svc.example/vocab',
      ),
    );
    return ((await direct(services.database)(table).where({ _record_id: recordId }).first('_id')) as { _id: string })
      ._id;
  };
  const [one, two, three] = [await post(), await post(), await post()];
  succeeded(await call(owner, 'PUT', `/records/${recordId}/documents/${one}/rels/annotation/${two}`));
  succeeded(
    await call(owner, 'POST', `/records/${recordId}/autoshare/carenets/${carenetId}/bytype/set`, {
      form: { type: 'Procedure' },
    }),
  );
  succeeded(
    await call(owner, 'POST', `/records/${recordId}/autoshare/carenets/${carenetId}/bytype/set`, {
      form: { type: 'Demographics' },
    }),
  );
  const request = new URLSearchParams(
    succeeded(
      await call(app, 'POST', '/oauth/request_token', { form: { svc_record_id: recordId, oauth_callback: 'oob' } }),
    ).text,
  ).get('oauth_token')!;
  succeeded(
    await call(admin, 'POST', `/accounts/${encodeURIComponent(people.owner)}/inbox/`, { form: { subject: 'Hello' } }),
  );
  const message = attribute(
    (await call(owner, 'GET', `/accounts/${encodeURIComponent(people.owner)}/inbox/`)).text,
    'Message',
    'id',
  );
  const stored = attribute(
    succeeded(await call(app, 'POST', `/apps/${encodeURIComponent(APP)}/documents/`, { body: procedure })).text,
    'Document',
    'id',
  );
  const recordStored = attribute(
    succeeded(
      await call(app, 'POST', `/records/${recordId}/apps/${encodeURIComponent(APP)}/documents/`, { body: procedure }),
    ).text,
    'Document',
    'id',
  );
  return {
    RECORD_ID: recordId,
    record_id: recordId,
    CARENET_ID: carenetId,
    DOCUMENT_ID: one,
    DOCUMENT_ID_0: one,
    DOCUMENT_ID_1: two,
    REL: 'annotation',
    NAME: 'demographics',
    MESSAGE_ID: message,
    ATTACHMENT_NUM: '1',
    ACCOUNT_EMAIL: people.owner,
    ACCOUNT_ID: people.member,
    OTHER_ACCOUNT_ID: people.share,
    PRINCIPAL_EMAIL: admin!.consumer.key,
    FUNCTION_NAME: 'record_document',
    DATA_MODEL: 'Procedure',
    KIND: 'procedures',
    MODEL: 'Procedure',
    LINE_ID: (
      (await direct(services.database)('fact_procedure').where({ _document_id: two }).first('_statement')) as {
        _statement: string;
      }
    )._statement,
    MODEL_NAME: 'problems',
    MODEL_ID: await factOf('problem', 'sample-hypertension.xml', 'fact_problem'),
    allergy: await factOf('allergy', 'sample-peanut.xml', 'fact_allergy'),
    LAB_CODE: '2345-7',
    CATEGORY: 'heart_rate',
    SYSTEM_SHORT_NAME: 'none',
    FILE: 'index.html',
    PRIMARY_SECRET: 'x',
    REQTOKEN_ID: request,
    subscription_id: 'x',
    three,
    stored,
    recordStored,
  };
};

const documentFor = (name: string, ids: Ids): string | undefined => {
  if (name === 'document_version_by_ext_id') {
    return ids['three'];
  }
  // The other document has been replaced, and a carenet shows the latest versions only.
  if (name.startsWith('carenet_document')) {
    return ids['DOCUMENT_ID_1'];
  }
  if (name.startsWith('app_document')) {
    return ids['stored'];
  }
  return name.startsWith('record_app_') ? ids['recordStored'] : ids['DOCUMENT_ID'];
};

const pathOf = ({ path, name, method }: RouteSpec, ids: Ids, caller: CallerName): string => {
  const app = caller.startsWith('autonomous') ? BACKGROUND : APP;
  const valueOf = (parameter: string): string => {
    if (parameter === 'DOCUMENT_ID') {
      return documentFor(name, ids)!;
    }
    if (/PHA_EMAIL|APP_ID|pha_email/.test(parameter)) {
      return app;
    }
    if (parameter === 'EXTERNAL_ID') {
      const isThere = /_(?:meta|label)_ext$|document_create_(?:or_update_|by_)ext/.test(name);
      return isThere ? 'external' : `external ${name} ${method}`;
    }
    const isAllergy = parameter === 'MODEL_ID' && name.startsWith('smart_allergies');
    return isAllergy ? ids['allergy']! : (ids[parameter] ?? 'x');
  };
  return path.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(valueOf(parameter)));
};

/**
 * Routes that add come first, then those that read, then those that remove, and last those that end somebody's access.
 */
const ENDS_SIGN_IN =
  /^(?:pha_delete|account_(?:authsystem_add|check_secrets|reset|set_state|forgot_password|password_\w+|username_set))$/;

const turnOf = ({ method, path, name }: RouteSpec): number => {
  if (ENDS_SIGN_IN.test(name)) {
    return 4;
  }
  if (/^(?:pha_record_delete|carenet_delete|record_set_owner)$/.test(name)) {
    return 3;
  }
  if (method === 'DELETE' || /(?:delete|unset|nevershare)$/.test(path)) {
    return 2;
  }
  return method === 'GET' ? 1 : 0;
};

/** Kinds of principals that the rule of a route can permit, by the callers of that kind. */
const kinds: Readonly<Partial<Record<CallerName, CallerKind>>> = {
  owner: 'account',
  'full share': 'account',
  member: 'account',
  'UI app': 'admin_app',
  'admin app': 'admin_app',
  'creating admin app': 'admin_app',
  'user app two-legged': 'user_app',
  'autonomous app two-legged': 'user_app',
  'app with a record token': 'account_token',
  'app with a carenet token': 'account_token',
  'autonomous app with a token': 'app_token',
  'request token': 'request_token',
};

const callersOf = ({ access }: RouteSpec): readonly CallerName[] =>
  callerNames.filter((name) => kinds[name] !== undefined && access.callers.includes(kinds[name]));

/**
 * Calls every route. For each it looks for a caller that succeeds, and sends all queries as that one. Resolves to the
 * statuses by short name.
 */
export const callEverything = async (service: TestService): Promise<ReadonlyMap<string, ReadonlySet<number>>> => {
  const made = await makeCallers(service);
  // A first password ends the existing sessions of an account.
  succeeded(
    await service.call(admin, 'POST', `/accounts/${encodeURIComponent(people.owner)}/authsystems/`, {
      form: { system: 'password', username: 'a-user-name', password: PASSWORD },
    }),
  );
  const callers = {
    ...made,
    credentials: { ...made.credentials, owner: await addSession(service.services, people.owner) },
  };
  const ids = await makeThings(service, callers);
  const statuses = new Map<string, Set<number>>();
  const specs = routeTable(areas)
    .map(({ spec }) => spec)
    .filter(({ page }) => !page)
    .sort((a, b) => turnOf(a) - turnOf(b));
  const callAs = async (spec: RouteSpec, caller: CallerName, query: string): Promise<boolean> => {
    const { status } = await service.call(
      callers.credentials[caller],
      spec.method,
      `${pathOf(spec, ids, caller)}${query}`,
      bodyOf(spec, ids, caller),
    );
    statuses.set(spec.name, (statuses.get(spec.name) ?? new Set()).add(status));
    return status < 300;
  };
  for (const spec of specs) {
    const [first = '', ...others] = queriesOf(spec);
    for (const caller of callersOf(spec)) {
      if (await callAs(spec, caller, first)) {
        for (const query of others) {
          await callAs(spec, caller, query);
        }
        break;
      }
    }
  }
  return statuses;
};

/** routes: the whole route table: unique, complete, described. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type Joi from 'joi';
import { Validator } from '@seriousme/openapi-schema-validator';
import { takenPaths } from '../../core/facts/model/rdf-mapping';
import { inProject } from '../../core/base/paths';
import { openApi } from '../../core/http/reference/openapi';
import { routeTable } from '../../core/http/table';
import { reportTarget } from '../../core/outbox/report-target';
import { areas } from '../../core/server/plugins';
import { loadConfig } from '../../core/config/load';
import { readModels } from '../../core/server/migrate-all';

export const lab = Lab.script();
const { describe, it } = lab;

const rows = routeTable(areas);

/** Short names that the interface itself gives to two routes (a deprecated twin, POST and PUT of one call). */
const twins = [
  'record_notify',
  'record_set_owner',
  'document_create_by_rel_with_ext_id',
  'record_share_delete',
  'save_special_document',
  'vitals_category_list',
  'carenet_vitals_category_list',
  'record_app_document_create_or_update_ext',
  'api_reference',
];

const models = readModels(loadConfig({}));
const keysOf = (schema: Joi.ObjectSchema | undefined): string[] =>
  Object.keys((schema?.describe() as { keys?: object } | undefined)?.keys ?? {});

describe('the route table', () => {
  it('uses each short name once, and those of the twins twice', () => {
    const counts = new Map<string, number>();
    rows.forEach(({ spec: { name } }) => counts.set(name, (counts.get(name) ?? 0) + 1));
    expect([...counts].filter(([, count]) => count !== 1).sort()).to.equal(
      twins.map((name) => [name, 2] as [string, number]).sort(),
    );
  });

  it('checks every path parameter', () => {
    const unchecked = rows.filter(({ spec }) => {
      const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort();
      return inPath.join() !== keysOf(spec.params).sort().join();
    });
    expect(unchecked.map(({ spec }) => `${spec.method} ${spec.path}`)).to.equal([]);
  });

  it('gives GET no body', () => {
    expect(rows.filter(({ spec }) => spec.method === 'GET' && spec.body).map(({ spec }) => spec.path)).to.equal([]);
  });

  it('ends lists in a slash', () => {
    const paged = rows.filter(({ spec }) => keysOf(spec.query).includes('limit'));
    expect(paged.length).to.be.above(20);
    // A search does not list what is below a path.
    expect(paged.filter(({ spec }) => !spec.path.endsWith('/')).map(({ spec }) => spec.name)).to.equal([
      'account_search',
      'record_search',
    ]);
  });

  it('says what each route is for', () => {
    for (const { spec } of rows) {
      expect(spec.summary.length, spec.path).to.be.above(9);
      expect(spec.access.says.length, spec.path).to.be.above(9);
    }
  });

  it('knows every first part of an address below a record, which no model may take as its name', () => {
    // The allergies have an address of their own, because two models share it.
    const below = rows
      .filter(({ spec }) => !spec.name.startsWith('smart_'))
      .flatMap(({ spec }) => /^\/records\/\{RECORD_ID\}\/([^/{]+)/.exec(spec.path)?.[1] ?? []);
    expect([...new Set(below)].sort()).to.equal([...takenPaths].sort());
  });

  it('lets apps watch every minimal report of a record', () => {
    const minimal = rows.flatMap(
      ({ spec }) => /^\/records\/\{RECORD_ID\}(\/reports\/minimal\/.*)/.exec(spec.path)?.[1] ?? [],
    );
    expect(minimal.length).to.be.above(8);
    expect(minimal.filter((path) => reportTarget(models, path.replace(/\{\w+\}/g, 'x')) === undefined)).to.equal([]);
  });

  const text = JSON.stringify(
    openApi(rows, {
      version: '1',
      baseUrl: 'http://localhost:8000',
      vocabBase: 'https://other.example/v',
      models,
      formats: [
        {
          name: 'peak-flow',
          type: 'urn:lung#PeakFlow',
          root: 'PeakFlow',
          roots: ['PeakFlow'],
          namespace: 'urn:lung',
          schema: null,
          models: ['PeakFlow'],
          samples: [inProject('pipeline-config', 'procedure', 'sample-appendectomy.xml')],
        },
        {
          name: 'person',
          type: 'https://other.example/v/xml/documents#Demographics',
          root: 'Demographics',
          roots: ['Demographics'],
          namespace: 'https://other.example/v/xml/documents#',
          schema: null,
          models: ['Demographics'],
          samples: [inProject('pipeline-config', 'demographics', 'sample-least.xml')],
        },
      ],
    }),
  );
  const validate = (document: string) => new Validator().validate(JSON.parse(document) as Record<string, unknown>);

  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await validate(text);
    expect(result.errors ?? []).to.equal([]);
    expect(result.valid).to.be.true();
    expect(text).to.not.contain('svc.example/vocab').and.to.not.contain('{vocab_base}');
  });

  it('names the operators, filters and formats of reports', () => {
    type Operation = {
      readonly parameters: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
      readonly responses: Readonly<Record<string, { readonly content: object }>>;
    };
    const { paths, components } = JSON.parse(text) as {
      paths: Readonly<Record<string, { readonly get: Operation }>>;
      components: { schemas: Readonly<Record<string, { description: string; anyOf?: readonly object[] }>> };
    };
    const queryOf = (path: string): readonly string[] =>
      paths[path]!.get.parameters.filter((one) => one.in === 'query').map(({ name, description = '' }) => {
        expect(description.length, name).to.be.above(20);
        return name;
      });
    const operators = [
      'limit',
      'offset',
      'order_by',
      'date_range',
      'value_range',
      'group_by',
      'date_group',
      'time_zone',
      'aggregate_by',
    ];
    for (const scope of ['/records/{RECORD_ID}', '/carenets/{CARENET_ID}']) {
      expect(queryOf(`${scope}/reports/{DATA_MODEL}/`)).to.equal([...operators, 'status', 'response_format']);
      expect(queryOf(`${scope}/reports/minimal/vitals/{CATEGORY}/`)).to.equal([
        ...operators,
        'status',
        'category',
        'value',
        'date_measured',
      ]);
      expect(queryOf(`${scope}/reports/minimal/problems/`)).to.equal([
        ...operators,
        'status',
        'problem_name',
        'date_onset',
        'date_resolution',
      ]);
      expect(queryOf(`${scope}/demographics`)).to.equal(['response_format']);
      expect(Object.keys(paths[`${scope}/reports/{DATA_MODEL}/`]!.get.responses['200']!.content)).to.equal([
        'application/json',
        'application/xml',
        'text/xml',
        'application/rdf+xml',
      ]);
    }
    expect(queryOf('/records/{RECORD_ID}/audits/query/')).to.equal([
      ...operators,
      'status',
      'document_id',
      'external_id',
      'request_date',
      'created_at',
      'function_name',
      'principal_email',
      'proxied_by_email',
      'record_id',
    ]);
    expect(components.schemas['Medication']!.description).to.endWith(
      'aggregated by created_at and these fields, but not by fulfillments.',
    );
    expect(components.schemas['Problem']!.description).to.endWith('aggregated by created_at and these fields.');
    expect(components.schemas['Fill']!.description).to.endWith(
      'It is nested in Medication.fulfillments: its report can be asked by the fields of Medication as well, such ' +
        'as `medication.drugName_identifier`.',
    );
    expect(components.schemas['VitalSigns']!.description).to.contain(
      'One of these is filled at least: bp_systolic_value,',
    );
    expect(JSON.stringify(components.schemas['VitalSigns']!.anyOf)).to.contain('{"required":["weight_value"]}');
  });

  it('explains every parameter and every field of a form, lists what may be chosen, and shows a body that can be sent', () => {
    type Parameter = {
      readonly name: string;
      readonly in: string;
      readonly description?: string;
      readonly schema: { readonly enum?: readonly string[] };
    };
    type Content = {
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
      readonly schema: { readonly properties?: Readonly<Record<string, { readonly description?: string }>> };
    };
    const { paths, components } = JSON.parse(text) as {
      paths: Readonly<
        Record<
          string,
          Readonly<
            Record<
              string,
              {
                readonly parameters: readonly Parameter[];
                readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
              }
            >
          >
        >
      >;
      components: { readonly examples: Readonly<Record<string, { readonly value: string }>> };
    };
    const silent: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { parameters, requestBody }] of Object.entries(methods)) {
        const call = `${method} ${path}`;
        parameters
          .filter(({ description = '' }) => description === '')
          .forEach(({ name }) => silent.push(`${call} ${name}`));
        for (const [name, values] of [
          ['status', 'active,void,archived'],
          [
            'DATA_MODEL',
            models.all
              .filter(({ builtin }) => !builtin)
              .map((model) => model.name)
              .join(),
          ],
          ['REL', 'annotation,followup,interpretation'],
        ] as const) {
          parameters
            .filter((one) => one.name === name)
            .forEach(({ schema }) => {
              expect(schema.enum?.join(), call).to.equal(values);
            });
        }
        parameters
          .filter(({ name }) => name === 'response_format')
          .forEach(({ schema }) => {
            expect(schema.enum, call).to.include('application/json');
          });
        for (const [type, content] of Object.entries(requestBody?.content ?? {})) {
          Object.entries(content.schema.properties ?? {})
            .filter(([, { description = '' }]) => description === '')
            .forEach(([name]) => silent.push(`${call} form ${name}`));
          if (type === 'application/xml') {
            expect(content.example !== undefined || content.examples !== undefined, call).to.be.true();
          }
        }
      }
    }
    expect(silent).to.equal([]);
    const bodyOf = (method: string, path: string): object =>
      paths[path]![method]!.requestBody!.content['application/xml']!.examples!;
    expect(Object.keys(bodyOf('post', '/records/'))).to.equal(['person']);
    expect(Object.keys(bodyOf('put', '/records/{RECORD_ID}/demographics'))).to.equal(['person']);
    expect(Object.keys(bodyOf('post', '/records/{RECORD_ID}/documents/'))).to.equal(['peak-flow']);
    expect(components.examples['peak-flow']!.value).to.contain('xmlns="https://other.example/v/xml/documents#"');
  });

  type Reply = { readonly $ref?: string; readonly content?: object; readonly headers?: object };
  type Call = {
    readonly parameters: readonly { readonly name: string }[];
    readonly responses: Readonly<Record<string, Reply>>;
  };
  const described = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
    readonly components: { readonly responses: Readonly<Record<string, Reply>> };
  };
  const found = (call: string): Call => {
    const [method = '', path = ''] = call.split(' ');
    return described.paths[path]![method.toLowerCase()]!;
  };
  const statusesOf = (call: string): string => Object.keys(found(call).responses).join(' ');

  it('says with which statuses a call answers', () => {
    for (const [call, statuses] of [
      ['POST /oauth/internal/session_create', '200 400 403 413 429'],
      ['GET /accounts/{ACCOUNT_EMAIL}/check-secrets/{PRIMARY_SECRET}', '200 400 403 404 429'],
      ['POST /accounts/{ACCOUNT_EMAIL}/initialize/{PRIMARY_SECRET}', '200 400 403 404 413 429'],
      ['POST /accounts/{ACCOUNT_EMAIL}/forgot-password', '200 400 403 404 429'],
      [
        'POST /accounts/{ACCOUNT_EMAIL}/inbox/{MESSAGE_ID}/attachments/{ATTACHMENT_NUM}/accept',
        '200 400 403 404 410 429',
      ],
      ['POST /records/{RECORD_ID}/documents/{DOCUMENT_ID}/replace', '200 400 403 404 412 413 429'],
      ['POST /oauth/request_token', '200 400 403 404 413 429'],
      ['GET /records/{RECORD_ID}/documents/{DOCUMENT_ID}', '200 304 400 403 404 429'],
      ['GET /codes/systems/', '500'],
      ['GET /version', '200 403 429'],
    ] as const) {
      expect(statusesOf(call), call).to.equal(statuses);
    }
    const closed = rows
      .filter(({ spec }) => spec.access.callers.length === 0)
      .map(({ spec: { method, path } }) => statusesOf(`${method} ${path}`));
    expect(closed).to.equal(['403 429', '403 429', '403 429']);
  });

  it('says of which types and with which headers it answers', () => {
    const typesOf = (path: string): string[] => Object.keys(found(`GET ${path}`).responses['200']!.content!);
    const headersOf = (path: string): string[] => Object.keys(found(`GET ${path}`).responses['200']!.headers ?? {});
    // Types that tests have seen come first, so the order is not compared here.
    expect(typesOf('/records/{RECORD_ID}/demographics').sort()).to.equal([
      'application/json',
      'application/rdf+xml',
      'application/xml',
      'text/xml',
    ]);
    for (const path of ['/apps/', '/records/{RECORD_ID}/apps/', '/records/{RECORD_ID}/apps/{PHA_EMAIL}']) {
      expect(typesOf(path), path).to.equal(['application/xml', 'application/json']);
    }
    for (const path of [
      '/apps/{PHA_EMAIL}/documents/{DOCUMENT_ID}',
      '/accounts/{ACCOUNT_EMAIL}/apps/{PHA_EMAIL}/preferences',
    ]) {
      expect(typesOf(path), path).to.include('*/*');
      expect(headersOf(path), path).to.equal(['ETag']);
    }
    expect(headersOf('/records/{RECORD_ID}/reports/{DATA_MODEL}/')).to.equal(['X-Total-Count', 'X-Limit', 'X-Offset']);
    expect(headersOf('/records/{RECORD_ID}/documents/')).to.equal(['X-Limit', 'X-Offset']);
    expect(headersOf('/records/{RECORD_ID}/reports/minimal/problems/')).to.equal([]);
    for (const [status, { content = {}, headers = {} }] of Object.entries(described.components.responses)) {
      expect(Object.keys(content), status).to.equal(['application/xml', 'application/json']);
      expect(Object.keys(headers), status).to.equal(status === '429' ? ['Retry-After'] : []);
    }
    const namesOf = (call: string): string[] => found(call).parameters.map(({ name }) => name);
    expect(namesOf('GET /records/{RECORD_ID}/documents/{DOCUMENT_ID}')).to.include('If-None-Match');
    expect(
      namesOf('PUT /records/{RECORD_ID}/documents/{DOCUMENT_ID}/replace/external/{PHA_EMAIL}/{EXTERNAL_ID}'),
    ).to.include('If-Match');
  });

  for (const [what, from, to] of [
    ['a parameter in no place', '"in":"path"', '"in":"nowhere"'],
    ['a reply without a description', '"description":"The answer"', '"describes":"The answer"'],
    ['a path without its slash', '"/version"', '"version"'],
    ['a reference to nothing', '#/components/schemas/Error', '#/components/schemas/None'],
    ['no title', '"title":', '"name":'],
  ] as const) {
    it(`would not be a valid OpenAPI document with ${what}`, async () => {
      expect(text).to.contain(from);
      const refused = await validate(text.replaceAll(from, to)).then(
        ({ valid }) => !valid,
        () => true,
      );
      expect(refused).to.be.true();
    });
  }
});

/** openapi: the route table -> an OpenAPI 3.1 document (pure). */
import type Joi from 'joi';
import { errors } from '../base/errors';
import type { Models } from '../datamodel/model';
import type { Entry } from '../pipeline/entries';
import { readExamples, type Examples } from './examples';
import type { Described } from './inputs';
import { modelSchemas } from './model-schemas';
import type { RouteSpec } from './route';

type Schema = Readonly<Record<string, unknown>>;
type Format = Pick<Entry, 'name' | 'root' | 'namespace' | 'schema' | 'models'>;
type Context = {
  readonly version: string;
  readonly baseUrl: string;
  readonly vocabBase: string;
  readonly models: Models;
  readonly formats: readonly Format[];
};

/** Joi speaks the standard schema protocol and writes its own JSON Schema. */
const jsonSchema = (
  schema: Joi.ObjectSchema | undefined,
): { properties: Readonly<Record<string, Schema>>; required: readonly string[] } => {
  if (!schema) {
    return { properties: {}, required: [] };
  }
  const made = (
    schema as unknown as { '~standard': { jsonSchema: { input: (options: { target: string }) => Schema } } }
  )['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return {
    properties: (made['properties'] ?? {}) as Record<string, Schema>,
    required: (made['required'] ?? []) as string[],
  };
};

/** What a handler reads by itself. */
const describedIn = (schema: Joi.ObjectSchema | undefined): readonly (readonly [string, string])[] => {
  const { metas = [] } = (schema?.describe() ?? {}) as { readonly metas?: readonly Partial<Described>[] };
  return metas.flatMap(({ described = {} }) => Object.entries(described));
};

const pathNames = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** True when the caller may have the content already. */
const knownBefore = ({ method, reply }: RouteSpec): boolean =>
  method === 'GET' && reply.describes.headers?.['ETag'] !== undefined;

const parametersOf = (spec: RouteSpec): readonly Schema[] => {
  const query = jsonSchema(spec.query);
  const header = (name: string, description: string): Schema => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  const inPath = jsonSchema(spec.params).properties;
  return [
    ...pathNames(spec.path).map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: inPath[name] ?? { type: 'string' },
    })),
    ...Object.entries(query.properties).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required.includes(name),
      schema,
    })),
    ...describedIn(spec.query).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
    ...(knownBefore(spec)
      ? [header('If-None-Match', 'An ETag that the caller has: 304 while it is still the one')]
      : []),
    ...(spec.fails?.[412] === undefined
      ? []
      : [header('If-Match', 'The ETag, or digest, of the version that the caller knows')]),
  ];
};

const MEDIA_TYPES: Readonly<Record<string, string>> = { text: 'text/plain', document: 'application/xml' };

const bodyOf = (spec: RouteSpec): Schema | undefined => {
  if (!spec.body) {
    return undefined;
  }
  if (spec.body.kind === 'form') {
    const { properties, required } = jsonSchema(spec.body.schema);
    return {
      required: required.length > 0,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
        },
      },
    };
  }
  const type = MEDIA_TYPES[spec.body.limit] ?? '*/*';
  return { required: spec.body.optional !== true, content: { [type]: { schema: { type: 'string' } } } };
};

type Words = Readonly<Record<string, string>>;

const headersOf = (headers: Words): Schema =>
  Object.keys(headers).length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
        ),
      };

const errorContent = Object.fromEntries(
  ['application/xml', 'application/json'].map((type) => [type, { schema: { $ref: '#/components/schemas/Error' } }]),
);

const failure = (status: string, description: string): Schema => ({
  description,
  ...headersOf(status === '429' ? { 'Retry-After': 'Seconds until the next attempt' } : {}),
  content: errorContent,
});

/** Failures that the shape of a call tells. */
const usualFailures: Words = {
  400: 'A parameter or the body is missing or not valid',
  403: 'The credentials are missing, wrong, or do not permit the call',
  404: 'There is no such thing, or not for this caller',
  413: 'The body is larger than the limit',
  429: 'Bad credentials, too often in this minute',
};

const usualOf = ({ access, path, params, query, body, reply }: RouteSpec): readonly string[] => {
  const judged = access.ignoresCredentials ? [] : ['403', '429'];
  if (access.callers.length === 0 || reply.describes.never) {
    return judged;
  }
  return [
    ...(params || query || body ? ['400'] : []),
    ...judged,
    ...(path.includes('{') ? ['404'] : []),
    ...(body ? ['413'] : []),
  ];
};

/** The usual ones stand among the components. */
const failuresOf = (spec: RouteSpec): Schema => {
  const usual = usualOf(spec);
  const more: Words = spec.reply.describes.never ? { 500: 'Always: this call is not implemented' } : (spec.fails ?? {});
  return {
    ...Object.fromEntries(usual.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    ...Object.fromEntries(
      Object.entries(more).map(([status, words]) => [
        status,
        failure(status, usual.includes(status) ? `${usualFailures[status]}. ${words}` : words),
      ]),
    ),
  };
};

/** A list says its limit, which the installation may have lowered. */
const pageHeaders = (spec: RouteSpec): Words =>
  jsonSchema(spec.query).properties['limit']
    ? { 'X-Limit': 'The limit in force, if there is one', 'X-Offset': 'The offset in force' }
    : {};

/** What a test saw; its own type says more than the one that the serializer may give. */
const successOf = (spec: RouteSpec, examples: Examples): Schema => {
  const seen = examples[`${spec.method} ${spec.path}`];
  const { type: usual, element, also = [], headers = {} } = spec.reply.describes;
  const type = seen?.type ?? usual;
  return {
    description: element ? `${element} element` : 'The answer',
    ...headersOf({ ...pageHeaders(spec), ...headers }),
    content: {
      [type]: {
        schema: { type: 'string' },
        ...(seen ? { examples: { seen: { summary: 'as a test saw it', value: seen.body } } } : {}),
      },
      ...Object.fromEntries(
        [usual, ...also].filter((other) => other !== type).map((other) => [other, { schema: { type: 'string' } }]),
      ),
    },
  };
};

const responsesOf = (spec: RouteSpec, examples: Examples): Schema => ({
  ...(spec.access.callers.length === 0 || spec.reply.describes.never ? {} : { 200: successOf(spec, examples) }),
  ...(knownBefore(spec) ? { 304: { description: 'The content is the one that If-None-Match names' } } : {}),
  ...failuresOf(spec),
});

const operation = (area: string, spec: RouteSpec, twin: boolean, examples: Examples): Schema => ({
  tags: [area],
  // Two routes can share a short name; operation ids cannot.
  operationId: twin
    ? `${spec.name}_${spec.method.toLowerCase()}_${pathNames(spec.path).length}_${spec.path.split('/').length}`
    : spec.name,
  summary: spec.summary,
  description: `Who may call it: ${spec.access.says}.\n\nAudit name: \`${spec.name}\`.`,
  ...(spec.deprecated ? { deprecated: true } : {}),
  parameters: parametersOf(spec),
  ...(bodyOf(spec) ? { requestBody: bodyOf(spec) } : {}),
  responses: responsesOf(spec, examples),
  ...(spec.access.callers.includes('anonymous') ? { security: [] } : {}),
});

/** The catalogue as a table; a blank stands where a reason would, and as a list it fits the ones that name several things. */
const errorTable = (): string => {
  const shown = Object.values(errors).map((make) =>
    (make as (one: readonly string[], other: readonly string[]) => { status: number; code: string; message: string })(
      ['\u2026'],
      ['\u2026'],
    ),
  );
  const rows = [
    ...new Map(
      shown.map(({ status, code, message }) => [
        `${status} ${code}`,
        `| ${status} | \`${code}\` | ${message.replace(/\u2026\.$/, '\u2026')} |`,
      ]),
    ).entries(),
  ].sort(([one], [other]) => one.localeCompare(other));
  return ['| Status | Code | Message |', '|---|---|---|', ...rows.map(([, row]) => row)].join('\n');
};

const formatTable = (formats: readonly Format[]): string => {
  const factsOf = ({ models }: Format): string =>
    models === 'all' ? 'of any model' : models.map((model) => `\`${model}\``).join(', ') || 'none';
  const rows = formats.map(
    (entry) =>
      `| ${entry.name} | \`${entry.root}\` | ${entry.namespace === '' ? 'none' : `\`${entry.namespace}\``} | ${entry.schema ? 'yes' : 'no'} | ${factsOf(entry)} |`,
  );
  return ['| Format | Root element | Namespace | Validated | Facts |', '|---|---|---|---|---|', ...rows].join('\n');
};

const introduction = (
  formats: readonly Format[],
): string => `Calls are signed with OAuth 1.0a (HMAC-SHA1); answers are XML unless stated. Who may make a call stands with each of them; the data
models and the fields by which their reports are filtered and grouped are the schemas at the end. A filter is a parameter with the name of a
field: \`field=value\`, or \`field=value|value\` for any of several. A minimal report, and the query of audits, also has the fields that stand with it.

Every failure has a code that never changes its meaning. Its body is \`<error status="" code=""><message>...</message></error>\`, or the same in JSON
when Accept prefers that. What is wrong inside a document stands in it too, each as \`<detail line="" column="">\`, in JSON in the list \`details\`.

<details><summary>Error codes</summary>

${errorTable()}

</details>

A document of a format below is validated and its facts are kept; any other well-formed document is stored as it is.

<details><summary>Document formats</summary>

${formatTable(formats)}

</details>`;

const errorSchema: Schema = {
  type: 'object',
  xml: { name: 'error' },
  properties: {
    status: { type: 'integer', xml: { attribute: true } },
    code: { type: 'string', xml: { attribute: true } },
    message: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        xml: { name: 'detail' },
        properties: {
          line: { type: 'integer', xml: { attribute: true } },
          column: { type: 'integer', xml: { attribute: true } },
          message: { type: 'string' },
        },
      },
    },
  },
  required: ['status', 'code', 'message'],
};

/** The whole interface. Routes are those of the table, so that what is served and what is described cannot differ. */
export const openApi = (
  rows: readonly { readonly area: string; readonly spec: RouteSpec }[],
  context: Context,
): object => {
  const names = new Map<string, number>();
  rows.forEach(({ spec }) => names.set(spec.name, (names.get(spec.name) ?? 0) + 1));
  const examples = readExamples(context.vocabBase);
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { area, spec } of rows) {
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(
      area,
      spec,
      (names.get(spec.name) ?? 0) > 1,
      examples,
    );
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Personal Health Records Service',
      version: context.version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction(context.formats),
    },
    servers: [{ url: context.baseUrl }],
    tags: [...new Set(rows.map(({ area }) => area))].sort().map((name) => ({ name })),
    security: [{ oauth1: [] }],
    paths,
    components: {
      securitySchemes: {
        oauth1: { type: 'http', scheme: 'oauth', description: 'OAuth 1.0a, HMAC-SHA1, in the Authorization header' },
      },
      responses: Object.fromEntries(
        Object.entries(usualFailures).map(([status, words]) => [status, failure(status, words)]),
      ),
      schemas: { ...modelSchemas(context.models), Error: errorSchema },
    },
  };
};

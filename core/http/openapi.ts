/** openapi: the route table -> an OpenAPI 3.1 document (pure). */
import type Joi from 'joi';
import type { Models } from '../datamodel/model';
import type { RouteSpec } from './route';

type Schema = Readonly<Record<string, unknown>>;
type Context = { readonly version: string; readonly baseUrl: string; readonly models: Models };

/** Joi speaks the standard schema protocol and writes its own JSON Schema. */
const jsonSchema = (schema: Joi.ObjectSchema | undefined): { properties: Readonly<Record<string, Schema>>; required: readonly string[] } => {
  if (!schema) {
    return { properties: {}, required: [] };
  }
  const made = (schema as unknown as { '~standard': { jsonSchema: { input: (options: { target: string }) => Schema } } })['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  return { properties: (made['properties'] ?? {}) as Record<string, Schema>, required: (made['required'] ?? []) as string[] };
};

const pathNames = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

const parametersOf = (spec: RouteSpec): readonly Schema[] => {
  const query = jsonSchema(spec.query);
  const inPath = jsonSchema(spec.params).properties;
  return [
    ...pathNames(spec.path).map((name) => ({ name, in: 'path', required: true, schema: inPath[name] ?? { type: 'string' } })),
    ...Object.entries(query.properties).map(([name, schema]) => ({ name, in: 'query', required: query.required.includes(name), schema })),
  ];
};

const bodyOf = (spec: RouteSpec): Schema | undefined => {
  if (!spec.body) {
    return undefined;
  }
  if (spec.body.kind === 'form') {
    const { properties, required } = jsonSchema(spec.body.schema);
    return { required: required.length > 0, content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) } } } };
  }
  const type = spec.body.limit === 'text' ? 'text/plain' : spec.body.limit === 'document' ? 'application/xml' : '*/*';
  return { required: spec.body.optional !== true, content: { [type]: { schema: { type: 'string' } } } };
};

const failure = (description: string): Schema => ({ description, content: { 'application/xml': { schema: { $ref: '#/components/schemas/Error' } } } });

const responsesOf = (spec: RouteSpec): Schema => ({
  200: {
    description: spec.reply.describes.element ? `${spec.reply.describes.element} element` : 'The answer',
    content: { [spec.reply.describes.type]: { schema: { type: 'string' }, ...(spec.reply.describes.example ? { example: spec.reply.describes.example } : {}) } },
  },
  ...(spec.query || spec.body ? { 400: failure('A parameter or the body is missing or not valid') } : {}),
  ...(spec.access.ignoresCredentials ? {} : { 403: failure('The credentials are missing, wrong, or do not permit the call') }),
  ...(spec.path.includes('{') ? { 404: failure('There is no such thing, or not for this caller') } : {}),
  ...(spec.body?.kind === 'raw' ? { 413: failure('The body is larger than the limit') } : {}),
});

const operation = (area: string, spec: RouteSpec, twin: boolean): Schema => ({
  tags: [area],
  // Two routes can share a short name (decisions 37); operation ids cannot.
  operationId: twin ? `${spec.name}_${spec.method.toLowerCase()}_${pathNames(spec.path).length}_${spec.path.split('/').length}` : spec.name,
  summary: spec.summary,
  description: `Who may call it: ${spec.access.says}.\n\nAudit name: \`${spec.name}\`.`,
  ...(spec.deprecated ? { deprecated: true } : {}),
  parameters: parametersOf(spec),
  ...(bodyOf(spec) ? { requestBody: bodyOf(spec) } : {}),
  responses: responsesOf(spec),
  ...(spec.access.callers.includes('anonymous') ? { security: [] } : {}),
});

const modelText = (models: Models): string =>
  models.all.filter((model) => !model.builtin)
    .map((model) => `- \`${model.name}\`: ${model.columns.map((column) => `\`${column.name}\` (${column.kind})`).join(', ')}`)
    .join('\n');

const errorSchema: Schema = {
  type: 'object',
  xml: { name: 'error' },
  properties: {
    status: { type: 'integer', xml: { attribute: true } },
    code: { type: 'string', xml: { attribute: true } },
    message: { type: 'string' },
  },
  required: ['status', 'code', 'message'],
};

/** The whole interface. Routes are those of the table, so that what is served and what is described cannot differ. */
export const openApi = (rows: readonly { readonly area: string; readonly spec: RouteSpec }[], context: Context): object => {
  const names = new Map<string, number>();
  rows.forEach(({ spec }) => names.set(spec.name, (names.get(spec.name) ?? 0) + 1));
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { area, spec } of rows) {
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(area, spec, (names.get(spec.name) ?? 0) > 1);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Personal Health Records Service',
      version: context.version,
      description: `Calls are signed with OAuth 1.0a (HMAC-SHA1). Answers are XML unless stated.\n\nData models and their query fields, for \`/records/{RECORD_ID}/reports/{DATA_MODEL}/\`:\n\n${modelText(context.models)}`,
    },
    servers: [{ url: context.baseUrl }],
    tags: [...new Set(rows.map(({ area }) => area))].sort().map((name) => ({ name })),
    security: [{ oauth1: [] }],
    paths,
    components: {
      securitySchemes: { oauth1: { type: 'http', scheme: 'oauth', description: 'OAuth 1.0a, HMAC-SHA1, in the Authorization header' } },
      schemas: { Error: errorSchema },
    },
  };
};

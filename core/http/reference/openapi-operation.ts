/** openapi-operation: turns one route into its operation in the OpenAPI document: parameters, body, answers (pure). */
import type Joi from 'joi';
import type { Models } from '../../facts/model/model';
import type { Examples } from './examples';
import type { Described } from '../inputs';
import { formWords, pathValues, pathWords, queryWords, wordsFor } from './reference-words';
import type { RouteSpec } from '../route';
import type { SampleBodies } from './sample-bodies';
import type { TableRow } from '../table';

export type Schema = Readonly<Record<string, unknown>>;
type Context = { readonly models: Models };

/** Joi supports the standard schema protocol and writes its own JSON Schema. */
function jsonSchema(schema: Joi.ObjectSchema | undefined): {
  properties: Readonly<Record<string, Schema>>;
  required: readonly string[];
} {
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
}

/** The parameters that a handler parses itself. */
function describedIn(
  schema: Joi.ObjectSchema | undefined,
): readonly (readonly [string, Described['described'][string]])[] {
  const { metas = [] } = (schema?.describe() ?? {}) as { readonly metas?: readonly Partial<Described>[] };
  return metas.flatMap(({ described = {} }) => Object.entries(described));
}

function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}

/** True when the caller may already have the content, and can ask with If-None-Match. */
function knownBefore({ method, reply }: RouteSpec): boolean {
  return method === 'GET' && reply.describes.headers?.['ETag'] !== undefined;
}

/** The description of a parameter that its schema alone does not explain. */
function explained(words: string | undefined): Schema {
  return words === undefined ? {} : { description: words };
}

/** Names of the models that have reports. */
function reportedModels(models: Models): readonly string[] {
  return models.all.filter(({ builtin }) => !builtin).map(({ name }) => name);
}

function pathParameter(name: string, schema: Schema, { models }: Context): Schema {
  const values = name === 'DATA_MODEL' ? reportedModels(models) : pathValues[name];
  return {
    name,
    in: 'path',
    required: true,
    ...explained(pathWords[name]),
    schema: values && values.length > 0 ? { ...schema, enum: [...values] } : schema,
  };
}

function parametersOf(spec: RouteSpec, context: Context): readonly Schema[] {
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
    ...pathNames(spec.path).map((name) => pathParameter(name, inPath[name] ?? { type: 'string' }, context)),
    ...Object.entries(query.properties).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required.includes(name),
      ...explained(queryWords[name]),
      schema,
    })),
    ...describedIn(spec.query).map(([name, words]) => ({
      name,
      in: 'query',
      required: false,
      description: typeof words === 'string' ? words : words.says,
      schema: { type: 'string', ...(typeof words === 'string' ? {} : { enum: [...words.values] }) },
    })),
    ...(knownBefore(spec)
      ? [header('If-None-Match', 'An ETag that the caller has: 304 while it is still the one')]
      : []),
    ...(spec.fails?.[412] === undefined
      ? []
      : [header('If-Match', 'The ETag, or digest, of the version that the caller knows')]),
  ];
}

const text: Schema = { schema: { type: 'string' } };

function formContent(schema: Joi.ObjectSchema): Schema {
  const { properties, required } = jsonSchema(schema);
  const fields = Object.entries(properties).map(([name, field]) => [name, { ...field, ...explained(formWords[name]) }]);
  return {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(fields) as Schema,
        ...(required.length > 0 ? { required } : {}),
      },
    },
  };
}

/** The content of an app's own document, which may be anything. */
const anyContent: Schema = {
  'application/xml': { ...text, example: '<settings>\n  <unit>kg</unit>\n</settings>' },
  'application/json': { schema: {}, example: { unit: 'kg' } },
  '*/*': text,
};

/** Refers to the samples, which are listed once each among the components. */
function documentContent(demographics: boolean, samples: SampleBodies): Schema {
  const kinds = demographics ? samples.demographics : samples.documents;
  const examples = Object.fromEntries(
    Object.keys(kinds).map((name) => [name, { $ref: `#/components/examples/${name}` }]),
  );
  return {
    'application/xml': {
      ...text,
      ...(Object.keys(examples).length > 0
        ? { examples }
        : { example: '<note xmlns="urn:example">any document</note>' }),
    },
    ...(demographics
      ? {}
      : {
          'application/fhir+json': {
            schema: { type: 'object' },
            example: {
              resourceType: 'AllergyIntolerance',
              code: { text: 'Bee venom' },
              patient: { reference: 'Patient/1' },
            },
          },
        }),
  };
}

function bodySchema({ body }: RouteSpec, samples: SampleBodies): Schema | undefined {
  if (!body) {
    return undefined;
  }
  if (body.kind === 'form') {
    return { required: jsonSchema(body.schema).required.length > 0, content: formContent(body.schema) };
  }
  const contents: Readonly<Record<typeof body.limit, () => Schema>> = {
    text: () => ({ 'text/plain': text }),
    appDocument: () => anyContent,
    document: () => documentContent(body.demographics ?? false, samples),
  };
  return { required: body.optional !== true, content: contents[body.limit]() };
}

type Words = Readonly<Record<string, string>>;

function headersOf(headers: Words): Schema {
  return Object.keys(headers).length === 0
    ? {}
    : {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
        ),
      };
}

const errorContent = Object.fromEntries(
  ['application/xml', 'application/json'].map((type) => [type, { schema: { $ref: '#/components/schemas/Error' } }]),
);

export function failure(status: string, description: string): Schema {
  return {
    description,
    ...headersOf(status === '429' ? { 'Retry-After': 'Seconds until the next attempt' } : {}),
    content: errorContent,
  };
}

/** Failures that follow from the shape of a call. */
export const usualFailures: Words = {
  400: 'A parameter or the body is missing or not valid',
  403: 'The credentials are missing, wrong, or do not permit the call',
  404: 'There is no such thing, or not for this caller',
  413: 'The body is larger than the limit',
  429: 'Bad credentials, too often in this minute',
};

function usualOf({ access, path, params, query, body, reply }: RouteSpec): readonly string[] {
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
}

/** The failures of a call. The usual ones refer to the components. */
function failuresOf(spec: RouteSpec): Schema {
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
}

/** A list reports its limit, which the installation may have lowered. */
function pageHeaders(spec: RouteSpec): Words {
  return jsonSchema(spec.query).properties['limit']
    ? { 'X-Limit': 'The limit in force, if there is one', 'X-Offset': 'The offset in force' }
    : {};
}

/**
 * XML is described as text. Where no test saw an example, an empty root element is given as one; otherwise the
 * reference page would say that it cannot make an example.
 */
function shownAs(type: string, element: string | undefined, bare: boolean): Schema {
  if (!bare || !/\bxml\b/.test(type)) {
    return text;
  }
  const name = element ?? (type.includes('rdf') ? 'rdf:RDF' : 'Models');
  return { ...text, example: `<${name}/>` };
}

/** The reply as a test saw it. Its actual type is more exact than the one that the serializer may give. */
function successOf(spec: RouteSpec, examples: Examples): Schema {
  const seen = examples[`${spec.method} ${spec.path}`];
  const { type: usual, element, also = [], headers = {} } = spec.reply.describes;
  const type = seen?.type ?? usual;
  return {
    description: element ? `${element} element` : 'The answer',
    ...headersOf({ ...pageHeaders(spec), ...headers }),
    content: {
      [type]: {
        ...shownAs(type, element, seen === undefined),
        ...(seen ? { examples: { seen: { summary: 'as a test saw it', value: seen.body } } } : {}),
      },
      ...Object.fromEntries(
        [usual, ...also].filter((other) => other !== type).map((other) => [other, shownAs(other, element, true)]),
      ),
    },
  };
}

function responsesOf(spec: RouteSpec, examples: Examples): Schema {
  return {
    ...(spec.access.callers.length === 0 || spec.reply.describes.never ? {} : { 200: successOf(spec, examples) }),
    ...(knownBefore(spec) ? { 304: { description: 'The content is the one that If-None-Match names' } } : {}),
    ...failuresOf(spec),
  };
}

/** Names of all models and their fields, for a call that accepts any model. */
function modelNames(path: string, { models }: Context): string {
  return path.includes('{DATA_MODEL}')
    ? models.all
        .filter(({ builtin }) => !builtin)
        .flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)])
        .join(' ')
    : '';
}

/** Words by which people may search for the call; the page of the reference reads them. */
function searchWords(spec: RouteSpec, context: Context): Schema {
  const aggregates = describedIn(spec.query).some(([name]) => name === 'aggregate_by');
  const words = wordsFor(`${spec.path} ${spec.name}`, aggregates, modelNames(spec.path, context));
  return words === '' ? {} : { 'x-words': words };
}

type Bodies = { readonly examples: Examples; readonly samples: SampleBodies };

/** @param twin whether another route has the same short name */
export function operation(
  { area, spec }: TableRow,
  twin: boolean,
  { examples, samples }: Bodies,
  context: Context,
): Schema {
  return {
    tags: [area],
    // Two routes can share a short name; operation ids cannot.
    operationId: twin
      ? `${spec.name}_${spec.method.toLowerCase()}_${pathNames(spec.path).length}_${spec.path.split('/').length}`
      : spec.name,
    summary: spec.summary,
    description: `Who may call it: ${spec.access.says}.\n\nAudit name: \`${spec.name}\`.`,
    ...(spec.deprecated ? { deprecated: true } : {}),
    ...searchWords(spec, context),
    parameters: parametersOf(spec, context),
    ...(spec.body ? { requestBody: bodySchema(spec, samples) } : {}),
    responses: responsesOf(spec, examples),
    ...(spec.access.callers.includes('anonymous') ? { security: [] } : {}),
  };
}

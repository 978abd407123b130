/** openapi: turns the route table into an OpenAPI 3.1 document (pure). */
import { errors } from '../../base/errors';
import type { Models } from '../../facts/model/model';
import type { Entry } from '../../pipeline/entries';
import { readExamples } from './examples';
import { modelSchemas } from './model-schemas';
import { failure, operation, usualFailures, type Schema } from './openapi-operation';
import { readSampleBodies } from './sample-bodies';
import type { TableRow } from '../table';

type Format = Pick<Entry, 'name' | 'type' | 'root' | 'roots' | 'namespace' | 'schema' | 'models' | 'samples'>;
type Context = {
  readonly version: string;
  readonly baseUrl: string;
  readonly vocabBase: string;
  readonly models: Models;
  readonly formats: readonly Format[];
};

/**
 * The error catalogue as a table. A placeholder stands where a message would name its reason; it is a list, which also
 * fits the messages that name several things.
 */
function errorTable(): string {
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
}

function formatTable(formats: readonly Format[]): string {
  const factsOf = ({ models }: Format): string =>
    models === 'all' ? 'of any model' : models.map((model) => `\`${model}\``).join(', ') || 'none';
  const rows = formats.map(
    (entry) =>
      `| ${entry.name} | ${entry.roots.map((root) => `\`${root}\``).join(', ')} | ${entry.namespace === '' ? 'none' : `\`${entry.namespace}\``} | ${entry.schema ? 'yes' : 'no'} | ${factsOf(entry)} |`,
  );
  return ['| Format | Root element | Namespace | Validated | Facts |', '|---|---|---|---|---|', ...rows].join('\n');
}

function introduction(baseUrl: string, formats: readonly Format[]): string {
  return `Apps that speak FHIR R4 and SMART use [${baseUrl}/fhir](${baseUrl}/fhir/metadata), which describes itself. What follows is the service's own interface.

Calls are signed with OAuth 1.0a (HMAC-SHA1); answers are XML unless stated. Each call says who may make it; the data
models and the fields by which their reports are filtered and grouped are the schemas at the end. A filter is a parameter with the name of a
field: \`field=value\`, or \`field=value|value\` for any of several. Of a nested fact the fields of the
fact around it have its name in front, in lower case: \`medication.drugName_title\` in the report of Fill. A minimal report, and the query of audits, also has the fields that stand with it.

Every failure has a code that never changes its meaning. Its body is \`<error status="" code=""><message>...</message></error>\`, or the same in JSON
when Accept prefers that. What is wrong inside a document stands in it too, each as \`<detail line="" column="">\`, in JSON in the list \`details\`.

<details><summary>Error codes</summary>

${errorTable()}

</details>

A document of a format below is validated and its facts are kept; any other well-formed document is stored as it is.

<details><summary>Document formats</summary>

${formatTable(formats)}

</details>`;
}

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

/** The whole interface. Routes are those of the table, so the description cannot differ from what is served. */
export function openApi(rows: readonly TableRow[], context: Context): object {
  const names = new Map<string, number>();
  rows.forEach(({ spec }) => names.set(spec.name, (names.get(spec.name) ?? 0) + 1));
  const examples = readExamples(context.vocabBase);
  const samples = readSampleBodies(context.formats, context.vocabBase);
  const paths: Record<string, Record<string, Schema>> = {};
  for (const row of rows) {
    const { spec } = row;
    const twin = (names.get(spec.name) ?? 0) > 1;
    (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(row, twin, { examples, samples }, context);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Personal Health Records Service',
      version: context.version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: introduction(context.baseUrl, context.formats),
    },
    servers: [{ url: context.baseUrl }],
    tags: [...new Map(rows.map(({ area, about }) => [area, about]))]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, description]) => ({ name, description })),
    security: [{ oauth1: [] }],
    paths,
    components: {
      securitySchemes: {
        oauth1: { type: 'http', scheme: 'oauth', description: 'OAuth 1.0a, HMAC-SHA1, in the Authorization header' },
      },
      responses: Object.fromEntries(
        Object.entries(usualFailures).map(([status, words]) => [status, failure(status, words)]),
      ),
      examples: { ...samples.demographics, ...samples.documents },
      schemas: { ...modelSchemas(context.models), Error: errorSchema },
    },
  };
}

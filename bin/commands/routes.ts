/** routes: `svc routes`: prints the route table for reviewers, scripts and the API reference. */
import { Option, type Command } from 'commander';
import { loadConfig } from '../../core/config/load';
import { SetupError } from '../../core/base/errors';
import { loadModels } from '../../core/facts/model/models';
import { openApi } from '../../core/http/reference/openapi';
import { routeTable, type TableRow } from '../../core/http/table';
import { loadEntries } from '../../core/pipeline/entries';
import { areas } from '../../core/server/plugins';
import { publicAddress } from '../../core/server/start';
import { projectVersion } from '../../core/base/paths';
import { openXmlEngine } from '../../core/xml/engine';

function asText(rows: readonly TableRow[]): string {
  const width = Math.max(...rows.map(({ spec }) => spec.path.length));
  return rows
    .map(({ spec }) => `${spec.method.padEnd(6)} ${spec.path.padEnd(width)}  ${spec.name}  [${spec.access.name}]`)
    .join('\n');
}

function routesAsJson(rows: readonly TableRow[]): string {
  return JSON.stringify(
    rows.map(({ spec }) => ({ method: spec.method, path: spec.path, name: spec.name, access: spec.access.name })),
    null,
    1,
  );
}

async function asOpenApi(rows: readonly TableRow[]): Promise<string> {
  const config = loadConfig();
  const { models, problems } = loadModels(config.datamodelsDirs, config.vocabBase);
  const formats = loadEntries(await openXmlEngine(), config.pipelineConfigDirs, config.vocabBase, models);
  if (problems.length + formats.problems.length > 0) {
    throw new SetupError([...problems, ...formats.problems]);
  }
  const baseUrl = publicAddress(config);
  return JSON.stringify(
    openApi(rows, { version: projectVersion, baseUrl, vocabBase: config.vocabBase, models, formats: formats.entries }),
    null,
    1,
  );
}

export function addRoutes(program: Command): void {
  program
    .command('routes')
    .description('print the route table: method, path, short name, access')
    .option('--json', 'as JSON: [{"method","path","name","access"}]')
    .addOption(new Option('--openapi', 'as an OpenAPI 3.1 document').conflicts('json'))
    .action(async ({ json, openapi }: { json?: boolean; openapi?: boolean }) => {
      const rows = routeTable(areas);
      const inText = (): string => (json ? routesAsJson(rows) : asText(rows));
      process.stdout.write(`${openapi ? await asOpenApi(rows) : inText()}\n`);
    });
}

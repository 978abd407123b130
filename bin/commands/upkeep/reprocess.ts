/** reprocess: `svc reprocess`: runs stored documents through the pipeline again, while the service answers. */
import type { Command } from 'commander';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { withProgress } from '../../../core/base/progress';
import { SetupError } from '../../../core/base/errors';
import { loadConfig } from '../../../core/config/load';
import { factTables } from '../../../core/facts/model/fact-tables';
import type { DocumentReader } from '../../../core/pipeline/readers/document-reader';
import { countReprocess, findGone, reprocess } from '../../../core/pipeline/reprocess';
import { typeUri } from '../../../core/documents/document-types';
import { withDatabase } from '../../../core/server/migrate-all';
import { openFormats } from '../../../core/server/open-formats';
import type { Database } from '../../../core/db/database';
import { makeContents } from '../../../core/sealing/contents-store';
import { findRecord } from '../../../core/records/store';
import { isTypeStored } from '../../../core/documents/reprocessing-store';

/**
 * The types that a name may mean, the likeliest first: one in the namespace of this service, or one without a
 * namespace.
 */
function meanings(type: string, vocabBase: string): readonly string[] {
  return [typeUri(type, vocabBase), type];
}

type Options = { readonly type?: string; readonly record?: string };
type Tools = { readonly database: Database; readonly reader: DocumentReader };

/**
 * The type that is meant.
 * @throws SetupError when neither a format nor a stored document has it: a misspelt type would look as if the work were
 * done
 */
async function requireType(given: string, vocabBase: string, { database, reader }: Tools): Promise<string> {
  for (const type of meanings(given, vocabBase)) {
    if (reader.entries.find(type) || (await isTypeStored(database.reads, type))) {
      return type;
    }
  }
  const [type, ...more] = reader.entries.all.flatMap(({ roots, types }) =>
    types.filter((_type, index) => roots[index] === given),
  );
  if (type !== undefined && more.length === 0) {
    return type;
  }
  throw new SetupError(
    type !== undefined
      ? [`${given} is the root of several types: name one of ${[type, ...more].join(', ')}`]
      : [`there is no document type ${typeUri(given, vocabBase)}: neither a format nor a stored document has it`],
  );
}

export function addReprocess(program: Command): void {
  program
    .command('reprocess')
    .description(
      'run stored documents through the pipeline again, after schemas, transforms or models changed; online, and ' +
        'a second run goes on where the first stopped',
    )
    .option('--type <type>', 'only documents of this type: a type URI or a bare root name')
    .option('--record <id>', 'only documents of this record')
    .action(async (options: Options) => {
      const config = loadConfig();
      const { models, reader } = await openFormats(config);
      try {
        await withDatabase(config, async (database) => {
          const contents = makeContents(makeSealing(secretKeysOf(config)));
          const tools = { database, contents, reader, tables: factTables(models), models: () => models };
          if (options.record !== undefined && !(await findRecord(database.reads, options.record))) {
            throw new SetupError([`there is no record ${options.record}: svc records list ACCOUNT shows the ids`]);
          }
          const scope = {
            ...(options.type === undefined ? {} : { type: await requireType(options.type, config.vocabBase, tools) }),
            ...(options.record === undefined ? {} : { recordId: options.record }),
          };
          for (const { type, documents } of await findGone(tools, scope)) {
            process.stderr.write(
              `svc: warning: no format here has the type ${type}: the facts of ${documents} of its documents go. ` +
                'If that is not meant, stop, name the folder of its format in SVC_PIPELINE_CONFIG_DIR, and run this ' +
                'again\n',
            );
          }
          const { done, refused } = await withProgress('documents', async ({ begin, step }) => {
            begin(await countReprocess(tools, scope));
            return reprocess(tools, scope, step);
          });
          process.stdout.write(`${done} documents brought up to date, ${refused.length} refused\n`);
          if (refused.length > 0) {
            throw new SetupError([
              ...refused.slice(0, 20).map(({ documentId, reason }) => `document ${documentId}: ${reason}`),
              'the facts of refused documents stay as they were',
            ]);
          }
        });
      } finally {
        await reader.close();
      }
    });
}

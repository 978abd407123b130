/** reprocess: `svc reprocess`: stored documents through the pipeline again, while the service answers. */
import type { Command } from 'commander';
import { showProgress } from '../../core/base/progress';
import { SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { factTables } from '../../core/datamodel/fact-tables';
import { countReprocess, reprocess } from '../../core/pipeline/reprocess';
import { withDatabase } from '../../core/server/migrate-all';
import { openFormats } from '../../core/server/open-formats';
import { findRecord } from '../../core/storage/stores/records';

/** A bare root name means the service's own namespace. */
const fullType = (type: string, vocabBase: string): string => (/[:/]/.test(type) ? type : `${vocabBase}/xml/documents#${type}`);

type Options = { readonly type?: string; readonly record?: string };

export const addReprocess = (program: Command): void => {
  program.command('reprocess')
    .description('run stored documents through the pipeline again, after schemas, transforms or models changed; online, and a second run goes on where the first stopped')
    .option('--type <type>', 'only documents of this type: a type URI or a bare root name')
    .option('--record <id>', 'only documents of this record')
    .action(async (options: Options) => {
      const config = loadConfig();
      const { models, reader } = await openFormats(config);
      try {
        await withDatabase(config, async (database) => {
          const tools = { database, reader, tables: factTables(models) };
          const scope = {
            ...(options.type === undefined ? {} : { type: fullType(options.type, config.vocabBase) }),
            ...(options.record === undefined ? {} : { recordId: options.record }),
          };
          if (options.record !== undefined && !(await findRecord(database.knex, options.record))) {
            throw new SetupError([`there is no record ${options.record}`]);
          }
          const progress = showProgress('documents', await countReprocess(tools, scope));
          const { done, refused } = await reprocess(tools, scope, progress.step);
          progress.end();
          process.stdout.write(`${done} documents brought up to date, ${refused.length} refused\n`);
          if (refused.length > 0) {
            throw new SetupError([...refused.slice(0, 20).map(({ documentId, reason }) => `document ${documentId}: ${reason}`), 'the facts of refused documents stay as they were']);
          }
        });
      } finally {
        await reader.close();
      }
    });
};

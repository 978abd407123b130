/** records: `svc records`: makes a record for an account, and lists the records that an account can reach. */
import { systemClock } from '../../core/base/clock';
import type { Command } from 'commander';
import { AppError, SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { createRecordFor, recordsOf } from '../../core/records/operate';
import { withDatabase } from '../../core/server/migrate-all';
import { withServices } from '../../core/server/with-services';
import type { ListedRecord } from '../../core/records/store';
import { readDocumentFile, refusalLines } from '../files';
import { print } from '../print';

type Json = { readonly json?: boolean };

/** Reports a refused document with the places of its problems. */
export function sayRefusal(file: string) {
  return (error: unknown) => {
    throw error instanceof AppError ? new SetupError(refusalLines(error).map((line) => `${file}: ${line}`)) : error;
  };
}

function addCreate(records: Command): void {
  records
    .command('create')
    .description('make a record with the demographics of a file, owned by an account')
    .requiredOption('--owner <account>', 'id of the account that owns it')
    .argument('<file>', 'a demographics document (pipeline-config/demographics has samples)')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, { owner, json }: Json & { readonly owner: string }) => {
      const config = loadConfig();
      const bytes = readDocumentFile(file, config.vocabBase);
      const record = await withServices(config, (services) =>
        createRecordFor(services, owner.trim().toLowerCase(), bytes).catch(sayRefusal(file)),
      );
      print(
        json
          ? JSON.stringify({ id: record.id, label: record.label, owner: record.ownerId })
          : `record ${record.id}  ${record.label}  owned by ${record.ownerId ?? ''}`,
      );
    });
}

const reaches = { owned: 'owned', full_share: 'full share', carenet: 'carenet' } as const;

function recordLine({ id, label, kind, carenet }: ListedRecord): string {
  return [id, reaches[kind].padEnd(10), label, ...(carenet ? [`(${carenet.name})`] : [])].join('  ');
}

function addList(records: Command): void {
  records
    .command('list')
    .description(
      'list the records that an account reaches: its own, those that are shared with it, those of its carenets',
    )
    .argument('<account>', 'id of the account')
    .option('--json', 'one JSON object a line')
    .action((account: string, { json }: Json) =>
      withDatabase(loadConfig(), async (database) => {
        for await (const record of recordsOf({ database, clock: systemClock }, account.trim().toLowerCase())) {
          print(json ? JSON.stringify(record) : recordLine(record));
        }
      }),
    );
}

export function addRecords(program: Command): void {
  const records = program.command('records').description('make records for accounts, and list them');
  [addCreate, addList].forEach((add) => add(records));
}

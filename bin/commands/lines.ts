/** lines: `svc lines`: prints the lines of a record, with the statements of each and the rules that join them. */
import type { Command } from 'commander';
import { AppError, SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import type { Line } from '../../core/lines/lines';
import { linesForOperator } from '../../core/records/operate-lines';
import { withServices } from '../../core/server/with-services';
import { print } from '../print';

function printLine({ id, standing, words, says, perhaps }: Line): void {
  print(`${id}  ${standing.padEnd(7)}  ${words}`);
  for (const { told, rules, isWrong } of says) {
    const joined = rules.length === 0 ? 'alone' : rules.join('; ');
    print(`  ${told.id}  ${told.documentId}  ${isWrong ? 'called wrong; ' : ''}${joined}`);
  }
  perhaps.forEach((other) => print(`  perhaps ${other}`));
}

export function addLines(program: Command): void {
  program
    .command('lines')
    .description('print what a record has of a data model in lines: who says the same, and which rules join it')
    .argument('<record>', 'id of the record')
    .argument('<model>', 'name of the data model, such as Medication')
    .action(async (recordId: string, model: string) => {
      const lines = await withServices(loadConfig(), (services) =>
        linesForOperator(services, recordId, model).catch((error: unknown) => {
          throw error instanceof AppError ? new SetupError([error.message]) : error;
        }),
      );
      lines.forEach(printLine);
    });
}

/** codes: `svc codes load`: loads a coding system from its publisher's file. */
import type { Command } from 'commander';
import { systemClock } from '../../core/base/clock';
import { withProgress } from '../../core/base/progress';
import { fileSize, loadCodes } from '../../core/codes/load';
import { loadConfig } from '../../core/config/load';
import { withDatabase } from '../../core/server/migrate-all';

export function addCodes(program: Command): void {
  const codes = program.command('codes').description('coding systems for searches by name');
  codes
    .command('load')
    .argument('<system>', 'short name, as in /codes/systems/<system>/query')
    .argument('<file>', "the publisher's file")
    .description(
      'load or update a coding system: LOINC table, RxTerms, RxNorm, CVX, HL7 vaccines, SNOMED CT core subset, ' +
        'ICD-10-CM order file, or a CSV table with the columns code and full_value',
    )
    .action(async (system: string, file: string) => {
      const config = loadConfig();
      const report = await withProgress('bytes', ({ begin, step }) => {
        begin(fileSize(file));
        return withDatabase(config, (database) =>
          loadCodes(system, file, { database, clock: systemClock, progress: step }),
        );
      });
      process.stdout.write(
        `${report.format}: ${report.added} added, ${report.changed} changed, ${report.unchanged} unchanged, ` +
          `${report.skipped} lines skipped\n`,
      );
    });
}

/** export: `svc export RECORD FILE`: writes everything that belongs to one record into one archive. */
import type { Command } from 'commander';
import { exportRecord, type Exported } from '../../core/archive/export';
import { openAuditSigner } from '../../core/audit/signer';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { systemClock } from '../../core/base/clock';
import { withProgress } from '../../core/base/progress';
import { loadConfig } from '../../core/config/load';
import { factTables } from '../../core/facts/model/fact-tables';
import { readModels, withDatabase } from '../../core/server/migrate-all';
import { makeContents } from '../../core/sealing/contents-store';
import { exitOnSignals } from '../signals';

function exportedAsText({ recordId, documents, files, bytes, manifest, leftOut }: Exported, file: string): string {
  return [
    `record ${recordId}: ${documents} documents, ${files} files, ${bytes} bytes in ${file}`,
    `sha256 of its manifest: ${manifest}`,
    ...leftOut.map((line) => `left out: ${line}`),
  ].join('\n');
}

export function addExport(program: Command): void {
  program
    .command('export')
    .description(
      'write one record as an archive: documents, metadata, histories, sharing, messages, audits and facts, with digests; online',
    )
    .argument('<record>', 'id of the record')
    .argument('<file>', 'the archive to write, such as record.tar.gz; never overwritten')
    .option('--json', 'print what was written as JSON')
    .action(async (recordId: string, file: string, options: { json?: boolean }) => {
      const config = loadConfig();
      const tables = factTables(readModels(config));
      exitOnSignals();
      const exported = await withProgress('documents', (steps) =>
        withDatabase(config, async (database) => {
          const sealing = makeSealing(secretKeysOf(config));
          const signer = await openAuditSigner(database, sealing, systemClock, { config });
          const tools = { config, database, contents: makeContents(sealing), tables, signer, clock: systemClock };
          return exportRecord(tools, recordId, file, steps);
        }),
      );
      process.stdout.write(
        `${options.json ? JSON.stringify({ ...exported, file }) : exportedAsText(exported, file)}\n`,
      );
    });
}

/** import: `svc import FILE`: imports a record from an archive into this installation. */
import type { Command } from 'commander';
import { importRecord, requireArchive, type Imported, type Report } from '../../core/archive/import';
import { openAuditSigner } from '../../core/audit/signer';
import { makeSealing } from '../../core/auth/sealing';
import { secretKeysOf } from '../../core/auth/secret-key';
import { systemClock } from '../../core/base/clock';
import { withProgress, type Steps } from '../../core/base/progress';
import { loadConfig } from '../../core/config/load';
import { factTables } from '../../core/facts/model/fact-tables';
import { readModels, withDatabase } from '../../core/server/migrate-all';
import { prepareDatabase } from '../../core/server/prepare';
import { makeContents } from '../../core/sealing/contents-store';
import { exitOnSignals } from '../signals';

type Options = { readonly json?: boolean; readonly quiet?: boolean };

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function reportTo({ json, quiet }: Options, { begin, step }: Steps): Report {
  const told = (what: 'archive' | 'stored', name: string, digest: string, ok: boolean): void => {
    if (!ok || !quiet) {
      say(
        json
          ? JSON.stringify({ [what]: name, sha256: digest, ok })
          : `${ok ? 'ok    ' : 'FAILED'} ${what.padEnd(7)} ${digest}  ${name}`,
      );
    }
  };
  return {
    checked: ({ name, digest, ok }) => told('archive', name, digest, ok),
    begin,
    stored: ({ id, digest }) => {
      told('stored', id, digest, true);
      step();
    },
  };
}

function importedAsText({ recordId, newIds, documents, files, newAccounts, leftOut }: Imported): string {
  return [
    `record ${recordId}: ${documents} documents, ${files} files, every digest is right`,
    ...(newIds
      ? [
          'ids of the archive are in use here, or were by a record that was removed: all rows of this record got new ones',
        ]
      : []),
    ...newAccounts.map((id) => `the account ${id} was not known here: it was made without a way to sign in`),
    ...leftOut.map((line) => `left out: ${line}`),
  ].join('\n');
}

export function addImport(program: Command): void {
  program
    .command('import')
    .description(
      'bring a record in from an archive of svc export; every digest is checked and reported, nothing here is overwritten; online',
    )
    .argument('<file>', 'the archive')
    .option('--quiet', 'report digests that are wrong only')
    .option('--json', 'one JSON object a line: each digest, then what was imported')
    .action(async (file: string, options: Options) => {
      exitOnSignals();
      const config = loadConfig();
      const models = readModels(config);
      const tables = factTables(models);
      await requireArchive(file);
      const imported = await withProgress('documents', (steps) =>
        withDatabase(
          config,
          async (database) => {
            const sealing = makeSealing(secretKeysOf(config));
            (await prepareDatabase(config, database, models, sealing)).problems.forEach((problem) =>
              process.stderr.write(`svc: ${problem}\n`),
            );
            const signer = await openAuditSigner(database, sealing, systemClock, { config });
            const contents = makeContents(sealing);
            return importRecord(
              { config, database, tables, sealing, contents, signer, clock: systemClock },
              file,
              reportTo(options, steps),
            );
          },
          { make: true },
        ),
      );
      say(options.json ? JSON.stringify({ imported }) : importedAsText(imported));
    });
}

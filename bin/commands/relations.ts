/** relations: `svc relations import`: makes, from NLM's files, the tables that lead codes of medicines to one another. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { readRelation } from '../../core/facts/code-tables';
import { missingFiles, readRxnorm, type MadeRelation } from '../../core/facts/rxnorm-files';
import { print } from '../print';

/** Writes a relation that is checked as it will be read; a reader never sees half of it. */
function writeRelation(folder: string, name: string, { text, rows, double }: MadeRelation): void {
  const file = join(folder, `${name}.tsv`);
  const problems: string[] = [];
  readRelation(text, (line, reason) => problems.push(`${name}.tsv:${line}: ${reason}`));
  if (problems.length > 0) {
    throw new SetupError(problems);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  print(`${file}: ${rows} codes`);
  if (double.length > 0) {
    const some = double.slice(0, 5).join(', ');
    print(`  warning: ${double.length} codes lead to several others, so they have no relation: ${some}`);
  }
}

export function addRelations(program: Command): void {
  const relations = program
    .command('relations')
    .description('tables that lead codes to others, such as brands to drugs');
  relations
    .command('import')
    .description("make rxnorm-products and rxnorm-ingredients from NLM's RxNorm files (Current Prescribable Content)")
    .argument('<dir>', 'folder with RXNCONSO.RRF and RXNREL.RRF')
    .option('--to <folder>', 'folder of models to write to; otherwise the last of SVC_DATAMODELS_DIR')
    .action(async (dir: string, { to }: { readonly to?: string }) => {
      const missing = missingFiles(dir);
      if (missing.length > 0) {
        throw new SetupError(missing.map((name) => `${join(dir, name)} is not there`));
      }
      const folder = join(to ?? loadConfig().datamodelsDirs.at(-1)!, 'relations');
      const made = await readRxnorm(dir);
      const empty = Object.entries(made).filter(([, { rows }]) => rows === 0);
      if (empty.length > 0) {
        throw new SetupError(empty.map(([name]) => `${name}: no relation of RxNorm is in these files`));
      }
      Object.entries(made).forEach(([name, one]) => writeRelation(folder, name, one));
      print('svc reload makes a running service read them.');
    });
}

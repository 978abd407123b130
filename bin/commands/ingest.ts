/** ingest: `svc ingest FILE...`: what the pipeline makes of files, stage by stage, without storing anything. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { AppError, SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { fillVocabBase } from '../../core/config/read-yaml';
import type { Fact } from '../../core/datamodel/fact';
import { openReader, type DocumentReader } from '../../core/pipeline/reader-pool';
import type { ReadDocument } from '../../core/pipeline/steps';
import { readModels } from '../../core/server/migrate-all';

const factText = (fact: Fact, indent: string): string => {
  const values = Object.entries(fact.values).filter(([, value]) => value !== null).map(([name, value]) => `${indent}  ${name}: ${String(value)}`);
  const nested = Object.entries(fact.children).flatMap(([field, children]) =>
    [children ?? []].flat().map((one) => `${indent}  ${field}:\n${factText(one as Fact, `${indent}    `)}`));
  return [`${indent}${fact.model}`, ...values, ...nested].join('\n');
};

/** A nested fact is a fact like any other. */
const countFacts = (facts: readonly Fact[]): number =>
  facts.reduce((sum, fact) => sum + 1 + countFacts(Object.values(fact.children).flatMap((children) => [children ?? []].flat() as readonly Fact[])), 0);

const asText = (file: string, read: ReadDocument): string => [
  file,
  `  type        ${read.type}`,
  `  format      ${read.entry ?? 'none is registered for this type: it would be stored as it is, without facts'}`,
  `  validation  ${read.validated ? 'passed' : 'no schema'}`,
  `  facts       ${countFacts(read.facts)}`,
  ...read.facts.map((fact) => factText(fact, '    ')),
  ...read.leftOut.map(({ model, reason, count }) => `  left out    ${count} ${model}: ${reason}`),
].join('\n');

const refusalText = (file: string, error: AppError): string => [
  file,
  `  refused     ${error.code}: ${error.message}`,
  ...error.details.map(({ line, column, message }) => `    ${line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}: `}${message}`),
].join('\n');

type Outcome = { readonly ok: boolean; readonly text: string; readonly json: object };

const readFile = (file: string, vocabBase: string): Buffer => {
  try {
    const bytes = readFileSync(file);
    // Samples name the vocabulary by its placeholder; anything else is read as it is.
    return bytes.includes('{vocab_base}') ? Buffer.from(fillVocabBase(bytes.toString('utf8'), vocabBase)) : bytes;
  } catch (error) {
    throw new SetupError([`${file}: ${(error as Error).message}`]);
  }
};

const ingest = async (reader: DocumentReader, file: string, vocabBase: string): Promise<Outcome> => {
  const bytes = readFile(file, vocabBase);
  try {
    const read = await reader.read(bytes);
    return { ok: true, text: asText(file, read), json: { file, ...read } };
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    return { ok: false, text: refusalText(file, error), json: { file, code: error.code, message: error.message, details: error.details } };
  }
};

export const addIngest = (program: Command): void => {
  program.command('ingest')
    .description('run the pipeline on files and print each stage\'s result (type, validation, facts) without storing; exit 1 when one is refused')
    .argument('<file...>', 'XML documents')
    .option('--json', 'one JSON object a line')
    .action(async (files: string[], options: { json?: boolean }) => {
      const config = loadConfig();
      const reader = await openReader(config, readModels(config));
      try {
        for (const file of files) {
          const outcome = await ingest(reader, file, config.vocabBase);
          process.stdout.write(`${options.json ? JSON.stringify(outcome.json) : outcome.text}\n`);
          process.exitCode = outcome.ok ? process.exitCode : 1;
        }
      } finally {
        await reader.close();
      }
    });
};

/**
 * check: `svc check`: loads and cross-checks everything that a deployer writes, and runs every sample; writes nothing.
 */
import { sep } from 'node:path';
import type { Command } from 'commander';
import { refusalOfSecret } from '../../core/apps/known-secrets';
import { readManifests } from '../../core/apps/manifests';
import { problemsOf, SetupError } from '../../core/base/errors';
import { withProgress } from '../../core/base/progress';
import { loadConfig, missingKey } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import type { Models } from '../../core/facts/model/model';
import { loadModels } from '../../core/facts/model/models';
import { openReader, type DocumentReader } from '../../core/pipeline/readers/document-reader';
import {
  checkIntakes,
  checkSamples,
  refusedByOverride,
  type RefusedSample,
  type SampleReport,
} from '../../core/pipeline/samples';
import { checkTemplates } from '../../core/paper/samples';
import { openFormats, type Formats } from '../../core/server/open-formats';

type Found = {
  readonly problems: readonly string[];
  readonly warnings?: readonly string[];
  readonly summary: readonly string[];
  /** The facts and the parts left out that the samples of each format give. */
  readonly made?: readonly string[];
};

function samplesIn({ entries: { all, intakes } }: DocumentReader): number {
  return [...all, ...intakes].reduce((sum, { samples, invalid }) => sum + samples.length + invalid.length, 0);
}

function runSamples(reader: DocumentReader, config: Config): Promise<SampleReport> {
  return withProgress('samples', async ({ begin, step }) => {
    begin(samplesIn(reader));
    const documents = await checkSamples(reader, config.vocabBase, step);
    const files = await checkIntakes(reader, config, step);
    return {
      problems: [...documents.problems, ...files.problems],
      refused: [...documents.refused, ...files.refused],
      warnings: documents.warnings,
      made: [...documents.made, ...files.made],
    };
  });
}

/** The formats of the first folder. Those of later folders are the deployer's own and have to fit their models. */
function isOfFirstFolder({ file }: RefusedSample, { pipelineConfigDirs: [first = ''] }: Config): boolean {
  return file.startsWith(`${first}${sep}`);
}

/** Samples that were taken before a model of a later folder replaced the one that their format was written for. */
async function byDesign(refused: readonly RefusedSample[], config: Config): Promise<readonly RefusedSample[]> {
  const asked = refused.filter((sample) => isOfFirstFolder(sample, config));
  const { models, problems } = loadModels(config.datamodelsDirs, config.vocabBase, { overrides: false });
  if (asked.length === 0 || problems.length > 0) {
    return [];
  }
  let before: DocumentReader;
  try {
    before = await openReader({ ...config, xmlWorkers: 1 }, models);
  } catch (error) {
    if (error instanceof SetupError) {
      // A format of the deployer needs a replaced model as it is now.
      return [];
    }
    throw error;
  }
  try {
    return await refusedByOverride(before, asked, config);
  } finally {
    await before.close();
  }
}

/** Warnings about bundled formats that stand in for missing ones, because no record can be without demographics. */
function standIns(reader: DocumentReader): readonly string[] {
  return reader.entries.all
    .filter(({ standsIn }) => standsIn)
    .map(
      ({ type }) =>
        `SVC_PIPELINE_CONFIG_DIR: no folder has a format of the type ${type}, which every record needs: the one ` +
        'that comes with the service is used',
    );
}

/** Warnings about overrides with a wrong name: they would leave the model of the earlier folder in use. */
function idleOverrides(models: Models): readonly string[] {
  return models.all
    .filter(({ overridesNothing }) => overridesNothing)
    .map(({ name, file }) => `${file}: __override__: true replaces nothing: no earlier folder has a model ${name}`);
}

/** More codes of one file are counted only. */
const MOST_DOUBLE = 5;

/** Warnings about codes that relations lead to two others: nobody could tell which one is meant. */
function doubleCodes({ codes }: Models): readonly string[] {
  return Object.entries(codes?.relations ?? {}).flatMap(([name, { double = [] }]) =>
    double.length === 0
      ? []
      : [
          `relations/${name}.tsv: ${double.length} codes lead to two others, and so to none: ` +
            double.slice(0, MOST_DOUBLE).join(', '),
        ],
  );
}

function refusalByDesign({ problem }: RefusedSample): string {
  return `${problem}: a model with __override__ wants it so, and the one before took it`;
}

async function checkFormats(config: Config): Promise<Found> {
  let formats: Formats;
  try {
    formats = await openFormats({ ...config, xmlWorkers: 1 });
  } catch (error) {
    return { problems: problemsOf(error), summary: [] };
  }
  const { models, reader } = formats;
  try {
    const report = await runSamples(reader, config);
    const designed = await byDesign(report.refused, config);
    const paper = await checkTemplates(config, reader.print);
    const told = new Set(designed.map(({ problem }) => problem));
    const samples = samplesIn(reader);
    const { all, intakes } = reader.entries;
    return {
      problems: [...report.problems.filter((problem) => !told.has(problem)), ...paper.problems],
      warnings: [
        ...designed.map(refusalByDesign),
        ...report.warnings,
        ...standIns(reader),
        ...idleOverrides(models),
        ...doubleCodes(models),
        ...paper.warnings,
      ],
      made: report.made,
      summary: [
        `${models.all.length} data models`,
        `${all.length} document formats${intakes.length > 0 ? ` and ${intakes.length} for other files` : ''} with ${samples} samples`,
        ...paper.summary,
        ...(designed.length > 0 ? [`${designed.length} of them refused, as models with __override__ want it`] : []),
      ],
    };
  } finally {
    await reader.close();
  }
}

function checkManifests(config: Config): Found {
  const { apps, problems, warnings } = readManifests(config);
  const refusals = apps.flatMap((app) => refusalOfSecret(app, app.secret, config) ?? []);
  return { problems: [...problems, ...refusals], warnings, summary: [`${apps.length} apps`] };
}

export function addCheck(program: Command): void {
  program
    .command('check')
    .description(
      'load and cross-check pipeline-config, datamodels, manifests and settings, and run every sample; starts and writes nothing',
    )
    .action(async () => {
      const config = loadConfig();
      const found: readonly Found[] = [
        { problems: missingKey(config), summary: [] },
        await checkFormats(config),
        checkManifests(config),
      ];
      const problems = found.flatMap((part) => part.problems);
      found
        .flatMap(({ warnings = [] }) => warnings)
        .forEach((warning) => process.stderr.write(`svc: warning: ${warning}\n`));
      if (problems.length > 0) {
        throw new SetupError([
          ...problems,
          `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} found`,
        ]);
      }
      process.stdout.write(`${found.flatMap((part) => part.summary).join(', ')}: all fine\n`);
      found.flatMap(({ made = [] }) => made).forEach((line) => process.stdout.write(`${line}\n`));
    });
}

/**
 * samples: checks the samples next to a document.yaml: every sample must pass, and every invalid one must be refused.
 * It also warns of entries that are odd without being wrong.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '../base/errors';
import { fillVocabBase } from '../config/read-yaml';
import { countByModel } from '../facts/model/fact';
import { demographicsType } from '../documents/document-types';
import { entriesOf, type Entry } from './entries';
import { BEGINNING_BYTES, intakeBytes, intakesFor, runIntake, type Intake, type IntakeSettings } from './intake/intake';
import type { DocumentReader } from './readers/document-reader';
import type { LeftOut, ReadDocument } from './steps';
import { demographicsOf } from './stages/store-document';

function whatFailed(error: AppError): string {
  const first = error.details[0];
  return first ? `${error.message} ${first.message}` : error.message;
}

function errorLine(error: AppError): number {
  return error.details[0]?.line ?? 1;
}

/** The bytes of a sample, as a caller would send them. Only a sample in UTF-8 can have a placeholder to fill in. */
function readSample(file: string, vocabBase: string): Buffer {
  const bytes = readFileSync(file);
  return isUtf8(bytes) ? Buffer.from(fillVocabBase(bytes.toString('utf8'), vocabBase)) : bytes;
}

/** The result for one sample: a problem, or the document that was read. */
type Checked = { readonly problem?: string; readonly read?: ReadDocument };

/** "2 Problem, 1 Allergy" */
export function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

/** Describes what was left out, where and why. */
export function leftOutText({ model, reason, count, where, words }: LeftOut): string {
  return `${count} ${model}${where === undefined ? '' : ` (${where})`}: ${words ?? reason}`;
}

function wasAccepted(file: string): string {
  return (
    `${file}:1: it should be refused and was accepted: make its format stricter, or name the file sample-... if it is ` +
    'to be accepted'
  );
}

async function checkOne(
  reader: DocumentReader,
  vocabBase: string,
  entry: Entry,
  file: string,
  mustPass: boolean,
): Promise<Checked> {
  let bytes: Buffer;
  try {
    bytes = readSample(file, vocabBase);
  } catch (error) {
    return {
      problem: `${file}:1: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    };
  }
  try {
    const read = await reader.read(bytes, undefined, true);
    if (read.entry !== entry.name) {
      return { problem: `${file}:1: its type is ${read.type}, which is not what ${entry.file} identifies` };
    }
    if (mustPass && read.type === demographicsType(vocabBase) && !demographicsOf(read)) {
      return { problem: `${file}:1: it yields no Demographics, so that no demographics call would take it` };
    }
    return mustPass ? { read } : { problem: wasAccepted(file) };
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    return mustPass ? { problem: `${file}:${errorLine(error)}: ${whatFailed(error)}` } : {};
  }
}

/** A sample that should be read and was refused. */
export type RefusedSample = { readonly file: string; readonly problem: string };

/** The report of `svc check`: problems, warnings, and what the samples of each format make and leave out. */
export type SampleReport = {
  readonly problems: readonly string[];
  /** Those of the problems that are refusals of single samples. */
  readonly refused: readonly RefusedSample[];
  readonly warnings: readonly string[];
  readonly made: readonly string[];
};

type Left = { readonly what: string; readonly reason: string; readonly count: number };

const inWords = new Intl.ListFormat('en-GB');

/**
 * Each reason once, after everything that was left out for it in all samples together: "1 Problem, 1 Encounter and 2
 * Procedure: it was not done".
 */
function leftOutInWords(left: readonly Left[]): readonly string[] {
  const reasons = new Map<string, Map<string, number>>();
  for (const { what, reason, count } of left) {
    const counts = reasons.get(reason) ?? new Map<string, number>();
    reasons.set(reason, counts.set(what, (counts.get(what) ?? 0) + count));
  }
  const said = [...reasons].map(
    ([reason, counts]) => `${inWords.format([...counts].map(([what, count]) => `${count} ${what}`))}: ${reason}`,
  );
  return said.length > 0 ? [`left out ${said.join('; ')}`] : [];
}

/** Describes what the samples of one format make, and what they leave out, by reason. */
function madeOf({ name }: Entry, reads: readonly ReadDocument[]): string {
  const counts = countByModel(reads.flatMap(({ facts }) => facts));
  const left = reads
    .flatMap(({ leftOut }) => leftOut)
    .map(({ model, reason, words, count }) => ({ what: model, reason: words ?? reason, count }));
  return [`${name}: ${countsInWords(counts) || 'no facts'}`, ...leftOutInWords(left)].join('; ');
}

const streamOf = async function* (file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(file) as AsyncIterable<Buffer>;
};

/** Checks the documents that one sample of an intake becomes: each must be read like any other. */
async function checkIntakeSample(
  reader: DocumentReader,
  intake: Intake,
  file: string,
  settings: IntakeSettings,
): Promise<{
  readonly problem?: string;
  readonly reads: readonly ReadDocument[];
  readonly leftOut: readonly Left[];
}> {
  const reads: ReadDocument[] = [];
  const leftOut: Left[] = [];
  const failed = (problem: string): { problem: string; reads: []; leftOut: [] } => ({
    problem: `${file}:1: ${problem}`,
    reads: [],
    leftOut: [],
  });
  const beginning = readFileSync(file).subarray(0, BEGINNING_BYTES);
  if (intakesFor([{ ...intake, files: ['*'] }], basename(file), beginning).length === 0) {
    return failed(`it does not begin as ${intake.file} says`);
  }
  try {
    const chunks = streamOf(file);
    // Samples are read as if they belonged to somebody in UTC, so that the results are the same everywhere.
    for await (const item of runIntake(intake, { name: basename(file), chunks }, { ...settings, timeZone: 'UTC' })) {
      if ('leftOut' in item) {
        const { count, what, words } = item.leftOut;
        leftOut.push({ what, reason: words, count });
      } else {
        reads.push(await reader.read(intakeBytes(item, settings.vocabBase)));
      }
    }
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    return failed(whatFailed(error));
  }
  const why = leftOut.map(({ count, what, reason }) => `${count} ${what}: ${reason}`).join('; ');
  return reads.length > 0 ? { reads, leftOut } : failed(`no documents come of it${why === '' ? '' : ` (${why})`}`);
}

/** Runs every sample of every intake, in order. @param step called once for each sample */
export async function checkIntakes(
  reader: DocumentReader,
  settings: IntakeSettings,
  step: () => void,
): Promise<Pick<SampleReport, 'problems' | 'refused' | 'made'>> {
  const problems: string[] = [];
  const refused: RefusedSample[] = [];
  const made: string[] = [];
  for (const intake of reader.entries.intakes) {
    const checked = [];
    for (const file of intake.samples) {
      const result = await checkIntakeSample(reader, intake, file, settings);
      checked.push(result);
      refused.push(...(result.problem === undefined ? [] : [{ file, problem: result.problem }]));
      step();
    }
    problems.push(...checked.flatMap(({ problem }) => problem ?? []));
    for (const file of intake.invalid) {
      const { problem } = await checkIntakeSample(reader, intake, file, settings);
      problems.push(...(problem === undefined ? [wasAccepted(file)] : []));
      step();
    }
    const reads = checked.flatMap((one) => one.reads);
    const counts = countsInWords(countByModel(reads.flatMap(({ facts }) => facts)));
    const leftOut = checked.flatMap((one) => one.leftOut);
    made.push(
      [`${intake.name}: ${reads.length} documents, ${counts || 'no facts'}`, ...leftOutInWords(leftOut)].join('; '),
    );
  }
  return { problems, refused, made };
}

/**
 * Runs every sample of every entry.
 * @param step called once for each sample
 * @returns a problem for each sample that did not do what its name says, a warning for each transform that says nothing
 * about any of its samples, and one for each override that replaces nothing
 */
export async function checkSamples(reader: DocumentReader, vocabBase: string, step: () => void): Promise<SampleReport> {
  const problems: string[] = [];
  const refused: RefusedSample[] = [];
  const warnings: string[] = [];
  const made: string[] = [];
  for (const entry of reader.entries.all) {
    const reads: ReadDocument[] = [];
    for (const [files, mustPass] of [
      [entry.samples, true],
      [entry.invalid, false],
    ] as const) {
      for (const file of files) {
        const { problem, read } = await checkOne(reader, vocabBase, entry, file, mustPass);
        problems.push(...(problem === undefined ? [] : [problem]));
        refused.push(...(problem === undefined || !mustPass ? [] : [{ file, problem }]));
        reads.push(...(read ? [read] : []));
        step();
      }
    }
    const silent = reads.every(({ facts, leftOut }) => facts.length === 0 && leftOut.length === 0);
    made.push(...(reads.length > 0 ? [madeOf(entry, reads)] : []));
    if (entry.transform && entry.models.length > 0 && reads.length > 0 && silent) {
      warnings.push(
        `${entry.file}: its samples pass, but none of them makes a fact: look at the names that the transform ` +
          'asks for, and at their namespaces',
      );
    }
    if (entry.overridesNothing) {
      warnings.push(
        `${entry.file}: override: true replaces nothing: no earlier folder has the type ${entry.type}; look at identify`,
      );
    }
  }
  return { problems, refused, warnings, made };
}

/**
 * Those of the samples that are refused although the models before any override took them: the override refuses them by
 * design.
 * @param before reads with the models that are not replaced
 */
export async function refusedByOverride(
  before: DocumentReader,
  refused: readonly RefusedSample[],
  settings: IntakeSettings,
): Promise<readonly RefusedSample[]> {
  const among = (files: readonly string[]): readonly string[] =>
    files.filter((name) => refused.some(({ file }) => file === name));
  const { all, intakes } = before.entries;
  const entries = entriesOf(
    all.map((entry) => ({ ...entry, samples: among(entry.samples), invalid: [] })),
    intakes.map((intake) => ({ ...intake, samples: among(intake.samples), invalid: [] })),
  );
  const reader = { ...before, entries };
  const reports = [
    await checkSamples(reader, settings.vocabBase, () => undefined),
    await checkIntakes(reader, settings, () => undefined),
  ];
  const still = new Set(reports.flatMap((report) => report.refused).map(({ file }) => file));
  return refused.filter(({ file }) => !still.has(file));
}

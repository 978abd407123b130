/** ingest: `svc ingest FILE...`: shows what the pipeline makes of files, stage by stage, without storing anything. */
import type { Command } from 'commander';
import { machineZone } from '../../core/base/time-zones';
import { AppError, problemsOf, SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import { childrenIn, countByModel, countFacts, type Fact } from '../../core/facts/model/fact';
import type { Models } from '../../core/facts/model/models';
import { readMended } from '../../core/pipeline/mended-file';
import { countsInWords, leftOutText } from '../../core/pipeline/samples';
import type { ReadDocument } from '../../core/pipeline/steps';
import { openFormats, type Formats } from '../../core/server/open-formats';
import type { About } from '../../core/facts/about';
import {
  documentsIn,
  leftOutWords,
  namedWords,
  refusalLines,
  zoneOption,
  zoneWords,
  type FileZone,
  type FromFile,
} from '../files';

type Options = { readonly as?: string; readonly timeZone?: string; readonly json?: boolean };

function factText(fact: Fact, indent: string): string {
  const values = Object.entries(fact.values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${indent}  ${name}: ${String(value)}`);
  const nested = Object.keys(fact.children).flatMap((field) =>
    childrenIn(fact, field).map((one) => `${indent}  ${field}:\n${factText(one, `${indent}    `)}`),
  );
  return [`${indent}${fact.model}`, ...values, ...nested].join('\n');
}

/**
 * Model -> its columns that no fact of the document fills. They reveal a mistake in an optional XPath, which causes no
 * error.
 */
function emptyColumns(facts: readonly Fact[], models: Models): ReadonlyMap<string, readonly string[]> {
  const filled = new Map<string, Set<string>>();
  const look = (fact: Fact): void => {
    const names = filled.get(fact.model) ?? new Set();
    filled.set(fact.model, names);
    Object.entries(fact.values).forEach(([name, value]) => value !== null && names.add(name));
    Object.keys(fact.children).forEach((field) => childrenIn(fact, field).forEach(look));
  };
  facts.forEach(look);
  return new Map(
    [...filled].map(([model, names]) => [
      model,
      (models.find(model)?.columns ?? []).map(({ name }) => name).filter((name) => !names.has(name)),
    ]),
  );
}

const NO_FACTS = '; its format made none of it, and no report will show it';

function factCount({ facts, entry }: ReadDocument): string {
  return `${countFacts(facts)}${facts.length > 0 ? ` (${countsInWords(countByModel(facts))})` : ''}${facts.length === 0 && entry !== null ? NO_FACTS : ''}`;
}

function aboutText(about: About): string {
  return Object.entries(about)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
}

const UNKNOWN = 'none is registered for this type: it would be stored as it is, without facts';

/** A root that is known in another namespace is nearly always a mistake in one of the two. */
function formatText({ entry, type }: ReadDocument, types: readonly string[]): string {
  const root = type.slice(type.lastIndexOf('#'));
  const others = types.filter((known) => known.endsWith(root));
  return entry ?? `${UNKNOWN}${others.length > 0 ? `; known is ${others.join(' and ')}: compare the namespaces` : ''}`;
}

type Around = {
  readonly empty: ReadonlyMap<string, readonly string[]>;
  readonly types: readonly string[];
  /** What the file is, if no format reads it. */ readonly named: string | undefined;
};

function readAsText(file: string, read: ReadDocument, { empty, types, named }: Around): string {
  return [
    file,
    `  type        ${read.type}`,
    `  format      ${formatText(read, types)}`,
    ...(named === undefined ? [] : [`  known as    ${named}`]),
    `  validation  ${read.validated ? 'passed' : 'no schema'}`,
    ...(read.about ? [`  about       ${aboutText(read.about)}`] : []),
    `  facts       ${factCount(read)}`,
    ...read.facts.map((fact) => factText(fact, '    ')),
    ...[...empty]
      .filter(([, names]) => names.length > 0)
      .map(([model, names]) => `  empty       ${model}: ${names.join(', ')}`),
    ...read.leftOut.map((leftOut) => `  left out    ${leftOutText(leftOut)}`),
  ].join('\n');
}

function refusalText(file: string, error: AppError, named?: string): string {
  const [reason, ...places] = refusalLines(error, named);
  return [file, `  refused     ${reason}`, ...places.map((place) => `  ${place}`)].join('\n');
}

type Outcome = { readonly ok: boolean; readonly text: string; readonly json: object };

async function ingest(
  { reader, models }: Formats,
  file: string,
  bytes: Buffer,
  named: string | undefined,
): Promise<Outcome> {
  try {
    const { done: read } = await readMended(reader, bytes, undefined, (content) => reader.read(content));
    const empty = emptyColumns(read.facts, models);
    const types = reader.entries.all.map((entry) => entry.type);
    return {
      ok: true,
      text: readAsText(file, read, { empty, types, named: named ?? namedWords(bytes, file, read.entry !== null) }),
      json: { file, ...read, empty: Object.fromEntries(empty) },
    };
  } catch (error) {
    if (!(error instanceof AppError)) {
      throw error;
    }
    return {
      ok: false,
      text: refusalText(file, error, namedWords(bytes, file, false)),
      json: { file, code: error.code, message: error.message, details: error.details },
    };
  }
}

type Told = { readonly refused: boolean; readonly unread: readonly string[] };

const FINE: Told = { refused: false, unread: [] };

type Ingesting = {
  readonly config: Config;
  /** Name of the format, where several know the file. */ readonly as: string | undefined;
  /** The time zone for files that name none. */ readonly zone: FileZone;
  readonly tell: (outcome: Omit<Outcome, 'ok'>) => void;
};

/** All documents of one file. */
async function ingestFile(formats: Formats, file: string, { config, as, zone, tell }: Ingesting): Promise<Told> {
  let refused = false;
  const one = async (found: FromFile): Promise<void> => {
    if ('zone' in found) {
      tell({ text: `${file}\n  ${zoneWords(found.zone)}`, json: { file, time_zone: found.zone.name } });
      return;
    }
    if ('leftOut' in found) {
      tell({ text: `${file}\n  ${leftOutWords(found, 12)}`, json: { file, ...found } });
      return;
    }
    const outcome = await ingest(formats, file, found.bytes, found.named);
    tell(outcome);
    refused ||= !outcome.ok;
  };
  try {
    for await (const found of documentsIn(
      file,
      config,
      { intakes: formats.reader.entries.intakes, models: formats.models },
      as === undefined ? { zone } : { as, zone },
    )) {
      await one(found);
    }
  } catch (error) {
    if (!(error instanceof AppError)) {
      return { ...FINE, unread: problemsOf(error) };
    }
    const { code, message, details } = error;
    tell({ text: refusalText(file, error), json: { file, code, message, details } });
    return { ...FINE, refused: true };
  }
  return { ...FINE, refused };
}

export function addIngest(program: Command): void {
  program
    .command('ingest')
    .description(
      "run the pipeline on files and print each stage's result (type, validation, facts) without storing; exit 1 when one is refused",
    )
    .argument('<file...>', 'XML documents, FHIR in JSON, PDF, pictures, texts, and what a format takes in, such as CSV')
    .option('--as <format>', 'the format that takes the file in, where several know it')
    .option(
      '--time-zone <name>',
      'the time zone of times in tables that name none, such as Europe/Berlin; by default that of this machine',
    )
    .option('--json', 'one JSON object a line')
    .action(async (files: string[], { as, timeZone, json }: Options) => {
      const zone = zoneOption(timeZone) ?? { name: machineZone(), from: 'machine' };
      const config = loadConfig();
      const formats = await openFormats({ ...config, xmlWorkers: 1 });
      const told: Told[] = [];
      try {
        for (const file of files) {
          told.push(
            await ingestFile(formats, file, {
              config,
              as,
              zone,
              tell: (outcome) => process.stdout.write(`${json ? JSON.stringify(outcome.json) : outcome.text}\n`),
            }),
          );
        }
      } finally {
        await formats.reader.close();
      }
      const unread = told.flatMap((one) => one.unread);
      const refused = told.filter((one) => one.refused).length;
      if (unread.length + refused > 0) {
        throw new SetupError([
          ...unread,
          ...(refused > 0 ? [`${refused} of ${files.length} ${files.length === 1 ? 'file' : 'files'} refused`] : []),
        ]);
      }
    });
}

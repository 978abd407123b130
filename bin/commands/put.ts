/** put: `svc put RECORD FILE...`: stores documents in a record, as the operator. */
import type { Models } from '../../core/facts/model/model';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { AppError, errors, SetupError } from '../../core/base/errors';
import { WEBSITE_APP } from '../../core/apps/website-app';
import { zoneOfOwner } from '../../core/apps/own-zone';
import { withProgress } from '../../core/base/progress';
import { machineZone } from '../../core/base/time-zones';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import type { Intake } from '../../core/pipeline/intake/intake';
import type { ReadingCounts } from '../../core/documents/readings';
import { countsInWords, leftOutText } from '../../core/pipeline/samples';
import { putInto, type Put, type PutReply } from '../../core/records/operate';
import type { Services } from '../../core/services';
import { MOST_FILE_BYTES } from '../../core/files/envelope';
import { withServices } from '../../core/server/with-services';
import { exitOnSignals } from '../signals';
import { putLink, type LinkOptions } from '../put-link';
import {
  documentsIn,
  keptAsFile,
  leftOutWords,
  namedWords,
  readDocumentFile,
  refusalLines,
  zoneOption,
  zoneWords,
  type FileWords,
  type FileZone,
  type FromFile,
} from '../files';

type Options = FileWords & {
  readonly as?: string;
  readonly asFile?: boolean;
  readonly timeZone?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
} & LinkOptions;

/** A single file that is larger shows a progress bar. */
const BYTES_WITHOUT_BAR = 10_000_000;

/** In bytes; 0 for a missing file and for a pipe. */
function sizeOfFile(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

type Outcome = { readonly stored: boolean; readonly json: object; readonly lines: readonly string[] };

/** The zone of `--time-zone`, else that of the record's owner, else that of the machine. */
async function zoneFor(services: Services, recordId: string, { timeZone }: Options): Promise<FileZone> {
  const said = zoneOption(timeZone);
  if (said) {
    return said;
  }
  const own = await zoneOfOwner(services, recordId);
  return own === undefined ? { name: machineZone(), from: 'machine' } : { name: own, from: 'account' };
}

function refusedFile(file: string, error: unknown, named?: string): Outcome {
  if (error instanceof AppError && error.status < 500) {
    return {
      stored: false,
      json: { file, code: error.code, message: error.message, details: error.details },
      lines: refusalLines(error, named).map((line) => `svc: ${file}: ${line}`),
    };
  }
  if (error instanceof SetupError) {
    return {
      stored: false,
      json: { file, message: error.message },
      lines: error.problems.map((problem) => `svc: ${problem}`),
    };
  }
  throw error;
}

/** What a new version of a document of readings has that the earlier one had not. */
function addedWords(counts: ReadingCounts | undefined): string {
  return counts ? `: ${counts.fresh} readings added, ${counts.fuller} completed` : '';
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AppError && ['invalid_document', 'transform_failed'].includes(error.code);
}

async function orAsFile(store: () => Promise<PutReply>, storeAsFile: () => Promise<PutReply>): Promise<PutReply> {
  try {
    return await store();
  } catch (error) {
    if (isUnreadable(error)) {
      return storeAsFile();
    }
    throw error;
  }
}

async function putOne({ put, config, options }: Putting, file: string, found: FromFile): Promise<Outcome> {
  if ('zone' in found) {
    const { name, from } = found.zone;
    return {
      stored: true,
      json: { file, time_zone: name, time_zone_from: from },
      lines: [`${zoneWords(found.zone)}  ${file}`],
    };
  }
  if ('leftOut' in found) {
    return { stored: true, json: { file, ...found }, lines: [`${leftOutWords(found)}  ${file}`] };
  }
  const title = found.called ?? basename(file);
  const asFile = (): Buffer => keptAsFile(found.bytes, title, config.vocabBase, options);
  try {
    const { document, wasThere, renewed, counts } = await (options.asFile === true
      ? orAsFile(
          () => put(found.bytes, found),
          () => put(asFile(), { label: found.label, once: found.once }),
        )
      : put(found.bytes, found));
    const { id, type, digest, facts, leftOut } = document;
    const readings = counts && { readings: { new: counts.fresh, same: counts.same, fuller: counts.fuller } };
    const how = { ...(wasThere ? { there: true } : {}), ...(renewed ? { renewed: true } : {}), ...readings };
    const words = `${wasThere ? '  (was there already)' : ''}${renewed ? `  (a new version${addedWords(counts)})` : ''}`;
    return {
      stored: true,
      json: { file, document: id, type, digest, facts, leftOut, ...how },
      lines: [
        `${id}  ${type}  ${countsInWords(facts ?? {}) || 'no facts'}  ${file}${words}`,
        ...(found.named === undefined ? [] : [`known as  ${found.named}  ${file}`]),
        ...leftOut.map((one) => `left out  ${leftOutText(one)}  ${file}`),
      ],
    };
  } catch (error) {
    // A file may hold many documents, so the message names the one that was refused.
    return refusedFile(
      found.called === undefined ? file : `${file} (${found.called})`,
      error,
      namedWords(found.bytes, title, false),
    );
  }
}

/** Stores what came by a link. */
async function storeReceived(
  put: Put,
  tell: (outcome: Outcome) => void,
  file: string,
  bytes: Buffer,
  cameFrom: string,
): Promise<boolean> {
  try {
    const { document } = await put(bytes, { cameFrom });
    const { id, type, digest, facts, leftOut } = document;
    tell({
      stored: true,
      json: { file, document: id, type, digest, facts, leftOut, from: cameFrom },
      lines: [`${id}  ${type}  ${countsInWords(facts ?? {}) || 'no facts'}  from a link of ${cameFrom}`],
    });
    return true;
  } catch (error) {
    tell(refusedFile(file, error));
    return false;
  }
}

type Putting = {
  readonly put: Put;
  readonly config: Config;
  readonly intakes: readonly Intake[];
  readonly models: Models;
  readonly options: Options;
  readonly zone: FileZone;
  readonly tell: (outcome: Outcome) => void;
};

/** How many documents were stored, and how many were refused. */
type Count = { stored: number; refused: number };

/** Stores a file that no format reads, as a file. */
async function putWhole(putting: Putting, file: string): Promise<Outcome> {
  try {
    if (sizeOfFile(file) > MOST_FILE_BYTES) {
      throw errors.tooLarge(`${MOST_FILE_BYTES} bytes`);
    }
    const { config, options } = putting;
    const bytes = keptAsFile(readDocumentFile(file, config.vocabBase), basename(file), config.vocabBase, options);
    return await putOne(putting, file, { bytes });
  } catch (error) {
    return refusedFile(file, error);
  }
}

/** Stores the documents of one file one after the other, so that only one is in memory. */
async function putFile(putting: Putting, file: string, onRead: (bytes: number) => void): Promise<Count> {
  const { config, intakes, models, options, zone, tell } = putting;
  const count = { stored: 0, refused: 0 };
  const countAndTell = (outcome: Outcome): void => {
    count[outcome.stored ? 'stored' : 'refused'] += 1;
    tell(outcome);
  };
  try {
    for await (const found of documentsIn(file, config, { intakes, models }, { ...options, zone }, onRead)) {
      // The time zone and the parts that were left out are reported, but they are no documents.
      ('bytes' in found ? countAndTell : tell)(await putOne(putting, file, found));
    }
  } catch (error) {
    countAndTell(
      options.asFile === true && isUnreadable(error) ? await putWhole(putting, file) : refusedFile(file, error),
    );
  }
  return count;
}

/** The progress bar counts the bytes of a single file, and otherwise the files that are done. */
function putFiles(putting: Putting, files: readonly string[]): Promise<readonly Count[]> {
  const [only] = files;
  const bytes = files.length === 1 ? sizeOfFile(only!) : 0;
  return withProgress(bytes > 0 ? 'bytes' : 'documents', async ({ begin, step }) => {
    begin(bytes || files.length);
    let read = 0;
    const counts: Count[] = [];
    for (const file of files) {
      counts.push(
        await putFile(putting, file, (length) => {
          read += length;
          step(bytes > 0 ? length : 0);
        }),
      );
      step(bytes > 0 ? bytes - read : 1);
    }
    return counts;
  });
}

function notStored(counts: readonly Count[]): string | undefined {
  const [only] = counts;
  if (counts.length === 1 && only!.refused > 0 && only!.stored > 0) {
    return `${only!.refused} of ${only!.stored + only!.refused} documents not stored`;
  }
  const refused = counts.filter((count) => count.refused > 0).length;
  return refused > 0
    ? `${refused} of ${counts.length} ${counts.length === 1 ? 'file' : 'files'} not stored`
    : undefined;
}

async function putAll(recordId: string, files: string[], options: Options): Promise<void> {
  exitOnSignals();
  if ((options.link === undefined) === (files.length === 0)) {
    throw new SetupError(['name files, or a link with --link']);
  }
  zoneOption(options.timeZone);
  const config = loadConfig();
  // While a bar is shown, only refusals are printed.
  const bar =
    process.stdout.isTTY &&
    process.stderr.isTTY &&
    (files.length > 1 || sizeOfFile(files[0] ?? '') > BYTES_WITHOUT_BAR);
  const tell = ({ stored, json, lines }: Outcome): void => {
    if (options.json) {
      process.stdout.write(`${JSON.stringify(json)}\n`);
    } else if (!stored || (!options.quiet && !bar)) {
      (stored ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
    }
  };
  const counts = await withServices(config, async (services) => {
    const put = await putInto(services, recordId, [WEBSITE_APP]);
    const zone = await zoneFor(services, recordId, options);
    const { intakes } = services.reader.entries;
    if (options.link !== undefined) {
      return [
        await putLink({ services, recordId, options }, (file, bytes, cameFrom) =>
          storeReceived(put, tell, file, bytes, cameFrom),
        ),
      ];
    }
    return putFiles({ put, config, intakes, models: services.models(), options, zone, tell }, files);
  });
  if (bar && !options.json) {
    process.stdout.write(`${counts.reduce((sum, { stored }) => sum + stored, 0)} documents stored\n`);
  }
  const failed = notStored(counts);
  if (failed !== undefined) {
    throw new SetupError([failed]);
  }
}

export function addPut(program: Command): void {
  program
    .command('put')
    .description(
      'store documents in a record, audited as the operator, while the service runs; a refused document is reported, ' +
        'the others are stored, and the exit code is 1',
    )
    .argument('<record>', 'id of the record (svc records list ACCOUNT)')
    .argument(
      '[file...]',
      'XML documents, FHIR in JSON, PDF, pictures (PNG, JPEG, GIF, WebP), texts (.txt, .md, .rtf), and what a format takes in, such as CSV',
    )
    .option('--title <words>', 'what a PDF, picture or text is called; without it, the name of the file')
    .option('--kind <words>', 'what they are, such as Letter')
    .option('--date <date>', 'the day that they speak of, YYYY-MM-DD')
    .option('--as-file', 'keep what cannot be read as a file, from an archive, too; nothing in it becomes a fact')
    .option('--as <format>', 'the format that takes the file in, where several know it')
    .option(
      '--time-zone <name>',
      'the time zone of times in tables that name none, such as Europe/Berlin; by default that of the person whose ' +
        'record it is, else that of this machine',
    )
    .option(
      '--link <link>',
      'fetch what is behind a health link or in a card (shlink:/... or shc:/...), instead of files',
    )
    .option('--passcode <code>', 'the passcode of the link')
    .option('--yes', 'store it although it is about somebody else, or its signature is wrong')
    .option('--quiet', 'print refusals only')
    .option('--json', 'one JSON object a line')
    .action(putAll);
}

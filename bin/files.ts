/** files: reads the documents in the files that a command names, and says why one is refused. */
import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { AppError, errors, SetupError } from '../core/base/errors';
import { fillVocabBase } from '../core/config/read-yaml';
import type { ReadingsRule } from '../core/documents/readings';
import { wrapFile, type FileToWrap } from '../core/files/envelope';
import { OTHER_KIND_WORDS, otherKind } from '../core/files/other-kinds';
import { isWebPage, looksLikeDocument, sniffMediaType } from '../core/files/sniff';
import { sha256 } from '../core/base/ids';
import type { Config } from '../core/config/schema';
import { isTimeZone } from '../core/base/time-zones';
import type { Models } from '../core/facts/model/model';
import { guessRoles, planTable, type TablePlan } from '../core/pipeline/intake/table-roles';
import {
  asksForZone,
  describedIntake,
  lookAtFile,
  mayBeTable,
  BEGINNING_BYTES,
  intakeBytes,
  intakesFor,
  runIntake,
  type Intake,
  type IntakeItem,
  type LeftOutItem,
} from '../core/pipeline/intake/intake';

const refusals: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder: name the files in it',
};

/** @throws SetupError with why the file cannot be read */
function unreadable(file: string, error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
  throw new SetupError([`${file}: ${refusals[code] ?? `the file cannot be read (${code})`}`]);
}

/**
 * The bytes of one file. Samples name the vocabulary by its placeholder; anything else is read as it is.
 * @throws SetupError when it cannot be read
 */
export function readDocumentFile(file: string, vocabBase: string): Buffer {
  try {
    const bytes = readFileSync(file);
    return bytes.includes('{vocab_base}') ? Buffer.from(fillVocabBase(bytes.toString('utf8'), vocabBase)) : bytes;
  } catch (error) {
    return unreadable(file, error);
  }
}

/** XML and FHIR in JSON look like plain text, too, so that a text is recognized by the ending of its name. */
const TEXTS = ['.txt', '.md'];

function isToWrap(file: string, bytes: Buffer): boolean {
  const mediaType = sniffMediaType(bytes);
  return mediaType !== undefined && (mediaType !== 'text/plain' || TEXTS.includes(extname(file).toLowerCase()));
}

/** Title, date and kind that a person gives for a file that has none itself. */
export type FileWords = Partial<Pick<FileToWrap, 'title' | 'date' | 'kind'>>;

/**
 * The document that a file is, or a document that holds the file: PDF, pictures and texts are wrapped
 * (pipeline-config/file), with their name as the title.
 * @throws SetupError when it cannot be read; AppError too_large for a file that no document can hold, invalid_document
 * for a file that is no document and cannot be put in one
 */
function readAnyFile(file: string, vocabBase: string, words: FileWords = {}): Buffer {
  const bytes = readDocumentFile(file, vocabBase);
  const kind = otherKind(bytes, file);
  if (isToWrap(file, bytes)) {
    return wrapFile({ title: basename(file), ...words, bytes }, vocabBase);
  }
  if (bytes.length === 0) {
    throw errors.invalidDocument('it is empty: save or download it once more');
  }
  if (TEXTS.includes(extname(file).toLowerCase()) && !looksLikeDocument(bytes)) {
    throw errors.invalidDocument('it is a text, but not in UTF-8: save it in UTF-8');
  }
  if (isWebPage(bytes)) {
    throw errors.invalidDocument('it is a page of the web (HTML): print or save it as a PDF and give that');
  }
  if (kind !== undefined && (!looksLikeDocument(bytes) || kind === 'smart-health-card')) {
    throw errors.invalidDocument(OTHER_KIND_WORDS[kind]);
  }
  if (!looksLikeDocument(bytes)) {
    throw errors.invalidDocument(
      'it is neither XML, one FHIR resource or Bundle in JSON, PDF, a picture nor a text (.txt, .md), and no format ' +
        'takes such files in: pipeline-config/README.md, "Files that are not XML", says how to make one that does',
    );
  }
  return bytes;
}

function beginningOf(file: string): Buffer {
  try {
    // Bytes of a pipe can be read only once.
    if (!statSync(file).isFile()) {
      return Buffer.alloc(0);
    }
    const opened = openSync(file, 'r');
    try {
      const beginning = Buffer.alloc(BEGINNING_BYTES);
      return beginning.subarray(0, readSync(opened, beginning, 0, beginning.length, 0));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    return unreadable(file, error);
  }
}

/**
 * One document of a file, or a part of the file that is in no document, or the time zone that is used. `once`: the name
 * under which the document is stored, so that the same file may be given twice; `renewed`: other content under that
 * name is a new version.
 */
export type FromFile =
  | {
      readonly bytes: Buffer;
      readonly label?: string | undefined;
      /** What a text is that is kept and not read. */ readonly named?: string | undefined;
      /** The name of the document in a refusal. */ readonly called?: string | undefined;
      readonly once?: string;
      readonly renewed?: boolean;
      readonly readings?: ReadingsRule | undefined;
    }
  | Extract<IntakeItem, { leftOut: unknown }>
  | { /** The file has times and no time zone. */ readonly zone: FileZone };

type Choices = { readonly as?: string; readonly asFile?: boolean };

/** The time zone of the times in a file, and where it comes from. */
export type FileZone = { readonly name: string; readonly from: 'option' | 'account' | 'machine' };

const ZONE_WORDS: Readonly<Record<FileZone['from'], string>> = {
  option: 'as --time-zone says',
  account: 'the time zone of the person; --time-zone says another',
  machine: 'the time zone of this machine; --time-zone says another',
};

export function zoneWords({ name, from }: FileZone): string {
  return `times are read as those of clocks in ${name} (${ZONE_WORDS[from]})`;
}

/**
 * The time zone of a command's option.
 * @throws SetupError for a text that is no time zone
 */
export function zoneOption(name: string | undefined): FileZone | undefined {
  if (name !== undefined && !isTimeZone(name)) {
    throw new SetupError([`--time-zone: ${name} is no time zone: give a name such as Europe/Berlin, or UTC`]);
  }
  return name === undefined ? undefined : { name, from: 'option' };
}

function fromItem(item: IntakeItem, { name }: Intake, vocabBase: string): FromFile {
  if ('leftOut' in item) {
    return item;
  }
  try {
    const { label, key, readings, of = name } = item;
    const bytes = intakeBytes(item, vocabBase);
    return {
      bytes,
      label,
      called: item.name ?? label,
      once: `${of}/${key ?? sha256(bytes)}`,
      renewed: key !== undefined,
      readings,
    };
  } catch (error) {
    // One document was refused. The other documents of the file can still be stored.
    if ('file' in item && error instanceof AppError) {
      return { leftOut: { what: item.file.kind ?? 'file', count: 1, words: `${item.file.title}: ${error.message}` } };
    }
    throw error;
  }
}

/** A file of a kind that is not read, which is kept as a file. */
function fromUnread(
  { bytes: content, title }: NonNullable<LeftOutItem['unread']>,
  { name }: Intake,
  vocabBase: string,
): FromFile {
  const bytes = keptAsFile(Buffer.from(content), title, vocabBase);
  return { bytes, called: title, once: `${name}/${sha256(bytes)}` };
}

/** What has to be said about a table before it can be read. */
function openWords({ questions, problems }: TablePlan): string {
  const asked = questions.map(({ about }) => ABOUT[about]);
  const missing = problems.map(({ problem }) => MISSING[problem]);
  return [...new Set([...missing, ...asked])].join('; ');
}

const ABOUT = {
  sheet: 'which of its sheets is meant',
  sequence: 'whether the day or the month comes first',
  year: 'of which year its dates are',
  decimal: 'which sign stands before a fraction',
  unit: 'in which unit the values are',
  person: 'whose rows are to be added',
} as const;
const MISSING = {
  means: 'which column has the days, because its values stand for weeks, months or years',
  'no-date': 'which column has the date',
  'no-year': 'of which years its dates are',
  'no-value': 'which column has what was measured',
  twice: 'which of two columns counts',
  open: 'what the columns are',
} as const;

/**
 * A table that no format knows, if its heads and cells leave no question open; undefined for what is no table.
 * @throws AppError invalid_document with what has to be said about it
 */
async function tableIn(file: string, config: Config, models: Models, zone: FileZone): Promise<Intake | undefined> {
  if (!mayBeTable(file, beginningOf(file))) {
    return undefined;
  }
  const chunks = createReadStream(file) as AsyncIterable<Buffer>;
  const look = await lookAtFile({ name: basename(file), chunks }, { ...config, timeZone: zone.name }).catch(
    (error: unknown) => {
      // A workbook can be nothing else; other files without rows and columns are texts.
      if (error instanceof AppError && !/\.xlsx$/i.test(file)) {
        return undefined;
      }
      throw error;
    },
  );
  if (!look) {
    return undefined;
  }
  const plan = planTable(look, { roles: guessRoles(look), units: {} }, models);
  if (!plan.columns) {
    const heads = look.columns.map(({ head }) => head).join(', ');
    throw errors.invalidDocument(
      `it is a table that no format describes, and it does not say ${openWords(plan)}. Its columns are ${heads}. Add it ` +
        'at the website, which asks; or describe it: pipeline-config/README.md, "Files that are not XML"',
    );
  }
  return describedIntake(look, plan.columns);
}

async function* counted(chunks: AsyncIterable<Buffer>, took: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    yield chunk;
    took(chunk.length);
  }
}

/**
 * The documents in a file, one at a time: the file itself, a document that holds it, or what an `intake` makes of it
 * (pipeline-config).
 * @param as name of the intake, if several recognize the file
 * @param asFile whether files in an archive of a kind that is not read are kept as files
 * @param zone the time zone for files that name none
 * @param took called with the number of bytes that an intake has read of the file
 * @throws SetupError when it cannot be read or several intakes recognize it; AppError as `wrapFile` and `runIntake`
 */
export async function* documentsIn(
  file: string,
  config: Config,
  { intakes, models }: { readonly intakes: readonly Intake[]; readonly models: Models },
  { as, asFile, zone, ...words }: FileWords & Choices & { readonly zone: FileZone },
  took: (bytes: number) => void = () => undefined,
): AsyncGenerator<FromFile> {
  const known = intakesFor(intakes, file, beginningOf(file)).filter(({ name }) => as === undefined || name === as);
  if (known.length > 1) {
    throw new SetupError([
      `${file}: ${known.map(({ name }) => name).join(' and ')} know this file: choose one with --as`,
    ]);
  }
  const intake = known[0] ?? (as === undefined ? await tableIn(file, config, models, zone) : undefined);
  if (!intake && as !== undefined) {
    const names = intakes.map(({ name }) => name).join(', ');
    const hint = names === '' ? 'no format here takes files in' : `choose one of ${names} with --as`;
    throw new SetupError([`${file}: no format ${as} takes this file in: ${hint}`]);
  }
  if (!intake) {
    yield { bytes: readAnyFile(file, config.vocabBase, words), named: namedText(file) };
    return;
  }
  const chunks = counted(createReadStream(file) as AsyncIterable<Buffer>, took);
  let wasTold = false;
  for await (const item of runIntake(intake, { name: basename(file), chunks }, { ...config, timeZone: zone.name })) {
    // The time zone is reported with the first document, because it does not matter for a file that is refused.
    const by = 'of' in item ? intakes.find(({ name }) => name === item.of) : intake;
    yield* by && asksForZone(by) && !wasTold ? [{ zone }] : [];
    wasTold ||= by !== undefined && asksForZone(by);
    const unread = asFile === true && 'leftOut' in item ? item.unread : undefined;
    yield unread ? fromUnread(unread, intake, config.vocabBase) : fromItem(item, intake, config.vocabBase);
  }
}

/** Reasons that tell how something was read, and leave nothing out. */
const TOLD = ['order', 'check', 'letters'];

/** "left out  3 Rows: Systolic cannot be read", or "check     1 Values: ..." for what is kept as it is. */
export function leftOutWords(
  { leftOut: { count, what, words, reason = '', file } }: Extract<FromFile, { leftOut: unknown }>,
  width = 10,
): string {
  const told = TOLD.includes(reason) ? 'check' : 'left out';
  const place = file === undefined ? '' : ` in ${file}`;
  return `${told.padEnd(width)}${count} ${what}${place}: ${words}`;
}

/**
 * Names a file of a kind that is known and not read.
 * @param isRead whether a format reads it: then it is no clinical document of another kind
 */
export function namedWords(bytes: Buffer, file: string, isRead: boolean): string | undefined {
  const kind = otherKind(bytes, file);
  return kind === undefined || isRead ? undefined : OTHER_KIND_WORDS[kind];
}

/** What a text is that people are given and that is kept as it is; undefined for any other file. */
function namedText(file: string): string | undefined {
  return TEXTS.includes(extname(file).toLowerCase()) ? namedWords(beginningOf(file), file, false) : undefined;
}

/** The document that holds a file that could not be read. @throws AppError too_large; invalid_document for no bytes */
export function keptAsFile(bytes: Buffer, title: string, vocabBase: string, words: FileWords = {}): Buffer {
  return wrapFile({ title, ...words, bytes, anyKind: true }, vocabBase);
}

/** Declarations of documents can name other files, so none is read. Nobody needs one to read a document. */
const DOCTYPE_ADVICE =
  'delete its declaration, from <!DOCTYPE to the > that ends it, in a text editor and give the file once more: nothing that the ' +
  'document says is in it';

function adviceOf(details: AppError['details'], named: string | undefined): readonly string[] {
  if (details.some(({ kind }) => kind === 'doctype')) {
    return [DOCTYPE_ADVICE];
  }
  return named === undefined ? [] : [named];
}

/**
 * A refusal in lines: its code and reason, then each problem with its place.
 * @param named what the file is, if that is known
 */
export function refusalLines({ code, message, details }: AppError, named?: string): readonly string[] {
  return [
    `${code}: ${message}`,
    ...adviceOf(details, named).map((advice) => `  ${advice}`),
    ...details.map(({ line, column, message: what }) => {
      const place = [line === undefined ? '' : `line ${line}`, column === undefined ? '' : `column ${column}`];
      const where = place.filter((part) => part !== '').join(', ');
      return `  ${where === '' ? '' : `${where}: `}${what}`;
    }),
  ];
}

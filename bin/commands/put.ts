/** put: `svc put RECORD FILE...`: documents into a record, as the operator. */
import type { Command } from 'commander';
import { AppError, SetupError } from '../../core/base/errors';
import { withProgress } from '../../core/base/progress';
import { loadConfig } from '../../core/config/load';
import type { Config } from '../../core/config/schema';
import type { Intake } from '../../core/pipeline/intake';
import type { Put } from '../../core/records/operate';
import { putInto } from '../../core/records/operate';
import { withServices } from '../../core/server/with-services';
import { exitOnSignals } from '../signals';
import { documentsIn, leftOutWords, refusalLines, type FileWords, type FromFile } from '../files';

type Options = FileWords & { readonly as?: string; readonly json?: boolean; readonly quiet?: boolean };

type Outcome = { readonly stored: boolean; readonly json: object; readonly lines: readonly string[] };

const refusal = (file: string, error: unknown): Outcome => {
  if (error instanceof AppError && error.status < 500) {
    return {
      stored: false,
      json: { file, code: error.code, message: error.message, details: error.details },
      lines: refusalLines(error).map((line) => `svc: ${file}: ${line}`),
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
};

const putOne = async (put: Put, file: string, found: FromFile): Promise<Outcome> => {
  if ('leftOut' in found) {
    return { stored: true, json: { file, ...found }, lines: [`left out  ${leftOutWords(found)}  ${file}`] };
  }
  try {
    const { document, wasThere } = await put(found.bytes, found);
    const { id, type, digest } = document;
    const there = wasThere ? { there: true } : {};
    return {
      stored: true,
      json: { file, document: id, type, digest, ...there },
      lines: [`${id}  ${type}  ${file}${wasThere ? '  (was there already)' : ''}`],
    };
  } catch (error) {
    return refusal(file, error);
  }
};

type Putting = {
  readonly put: Put;
  readonly config: Config;
  readonly intakes: readonly Intake[];
  readonly options: Options;
  readonly tell: (outcome: Outcome) => void;
};

/** One file, read and let go of: what comes later needs no room for what came before. @returns whether all of it is stored */
const putFile = async ({ put, config, intakes, options, tell }: Putting, file: string): Promise<boolean> => {
  let all = true;
  try {
    for await (const found of documentsIn(file, config, intakes, options)) {
      const outcome = await putOne(put, file, found);
      all &&= outcome.stored;
      tell(outcome);
    }
  } catch (error) {
    tell(refusal(file, error));
    return false;
  }
  return all;
};

export const addPut = (program: Command): void => {
  program
    .command('put')
    .description(
      'store documents in a record as the operator, audited as such; online; one that is refused is told and the others are stored; exit 1 when one is',
    )
    .argument('<record>', 'id of the record (svc records list ACCOUNT)')
    .argument(
      '<file...>',
      'XML documents, FHIR in JSON, PDF, pictures (PNG, JPEG, GIF, WebP), texts (.txt, .md), and what a format takes in, such as CSV',
    )
    .option('--title <words>', 'what a PDF, picture or text is called; without it, the name of the file')
    .option('--kind <words>', 'what they are, such as Letter')
    .option('--date <date>', 'the day that they speak of, YYYY-MM-DD')
    .option('--as <format>', 'the format that takes the file in, where several know it')
    .option('--quiet', 'print refusals only')
    .option('--json', 'one JSON object a line')
    .action(async (recordId: string, files: string[], options: Options) => {
      exitOnSignals();
      const config = loadConfig();
      // A line for each file would tear the bar apart; refusals are worth it.
      const bar = process.stdout.isTTY && process.stderr.isTTY && files.length > 1;
      const tell = ({ stored, json, lines }: Outcome): void => {
        if (options.json) {
          process.stdout.write(`${JSON.stringify(json)}\n`);
        } else if (!stored || (!options.quiet && !bar)) {
          (stored ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
        }
      };
      const refused = await withServices(config, async (services) => {
        const put = await putInto(services, recordId);
        const { intakes } = services.reader.entries;
        return withProgress('documents', async ({ begin, step }) => {
          begin(files.length);
          let count = 0;
          for (const file of files) {
            count += (await putFile({ put, config, intakes, options, tell }, file)) ? 0 : 1;
            step();
          }
          return count;
        });
      });
      if (bar && !options.json) {
        process.stdout.write(`${files.length - refused} documents stored\n`);
      }
      if (refused > 0) {
        throw new SetupError([`${refused} of ${files.length} ${files.length === 1 ? 'file' : 'files'} not stored`]);
      }
    });
};

/** put: `svc put RECORD FILE...`: documents into a record, as the operator. */
import type { Command } from 'commander';
import { AppError, SetupError } from '../../core/base/errors';
import { withProgress } from '../../core/base/progress';
import { loadConfig } from '../../core/config/load';
import type { Put } from '../../core/records/operate';
import { putInto } from '../../core/records/operate';
import { withServices } from '../../core/server/with-services';
import { exitOnSignals } from '../signals';
import { readAnyFile, refusalLines, type FileWords } from '../files';

type Outcome = { readonly stored: boolean; readonly json: object; readonly lines: readonly string[] };

/** One file, read and let go of: what comes later needs no room for what came before. */
const putFile = async (put: Put, file: string, vocabBase: string, words: FileWords): Promise<Outcome> => {
  try {
    const { id, type, digest } = await put(readAnyFile(file, vocabBase, words));
    return { stored: true, json: { file, document: id, type, digest }, lines: [`${id}  ${type}  ${file}`] };
  } catch (error) {
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
  }
};

type Options = FileWords & { readonly json?: boolean; readonly quiet?: boolean };

export const addPut = (program: Command): void => {
  program
    .command('put')
    .description(
      'store documents in a record as the operator, audited as such; online; one that is refused is told and the others are stored; exit 1 when one is',
    )
    .argument('<record>', 'id of the record (svc records list ACCOUNT)')
    .argument('<file...>', 'XML documents, FHIR in JSON, PDF, pictures (PNG, JPEG, GIF, WebP) and texts (.txt, .md)')
    .option('--title <words>', 'what a PDF, picture or text is called; without it, the name of the file')
    .option('--kind <words>', 'what they are, such as Letter')
    .option('--date <date>', 'the day that they speak of, YYYY-MM-DD')
    .option('--quiet', 'print refusals only')
    .option('--json', 'one JSON object a line')
    .action(async (recordId: string, files: string[], { json: asJson, quiet, ...words }: Options) => {
      exitOnSignals();
      const config = loadConfig();
      // A line for each file would tear the bar apart; refusals are worth it.
      const bar = process.stdout.isTTY && process.stderr.isTTY && files.length > 1;
      const refused = await withServices(config, async (services) => {
        const put = await putInto(services, recordId);
        return withProgress('documents', async ({ begin, step }) => {
          begin(files.length);
          let count = 0;
          for (const file of files) {
            const { stored, json, lines } = await putFile(put, file, config.vocabBase, words);
            count += stored ? 0 : 1;
            if (asJson) {
              process.stdout.write(`${JSON.stringify(json)}\n`);
            } else if (!stored || (!quiet && !bar)) {
              (stored ? process.stdout : process.stderr).write(`${lines.join('\n')}\n`);
            }
            step();
          }
          return count;
        });
      });
      if (bar && !asJson) {
        process.stdout.write(`${files.length - refused} documents stored\n`);
      }
      if (refused > 0) {
        throw new SetupError([`${refused} of ${files.length} ${files.length === 1 ? 'file' : 'files'} not stored`]);
      }
    });
};

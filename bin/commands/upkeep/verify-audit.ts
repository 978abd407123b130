/** verify-audit: `svc verify-audit`: checks whether the audit log was changed or cut by anything but the service. */
import type { Command } from 'commander';
import { readLines } from '../../../core/audit/head-file';
import { databasePlace } from '../../../core/audit/head-line';
import { readHeads, type Heads } from '../../../core/audit/heads';
import { hasHeadFile } from '../../../core/audit/outside';
import { acceptRestored } from '../../../core/audit/restored';
import { openAuditSigner, type AuditSigner } from '../../../core/audit/signer';
import { verifyAudit, type AuditReport } from '../../../core/audit/verify';
import { makeSealing } from '../../../core/auth/sealing';
import { secretKeysOf } from '../../../core/auth/secret-key';
import { systemClock, wireTime } from '../../../core/base/clock';
import { SetupError } from '../../../core/base/errors';
import { withProgress } from '../../../core/base/progress';
import { loadConfig } from '../../../core/config/load';
import type { Config } from '../../../core/config/schema';
import { withDatabase } from '../../../core/server/migrate-all';
import type { Database } from '../../../core/db/database';

const PROBLEMS_SHOWN = 100;

type Options = { readonly json?: boolean; readonly heads?: readonly string[]; readonly restored?: string };

type Tools = { readonly config: Config; readonly database: Database; readonly signer: AuditSigner };

async function headLines(files: readonly string[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const file of files) {
    const lines = await readLines(file);
    if (lines === undefined) {
      throw new SetupError([`--heads: there is no file ${file}; name one that exists`]);
    }
    all.push(...lines);
  }
  return all;
}

/** The heads that are kept outside the database; undefined when there are none to compare with. */
async function findHeads({ config, signer }: Tools, { heads: files }: Options): Promise<Heads | undefined> {
  const own = hasHeadFile(config) ? await readLines(config.auditHead) : undefined;
  return readHeads([...(await headLines(files ?? [])), ...(own ?? [])], signer, databasePlace(config.databaseUrl));
}

async function restore(tools: Tools, why: string): Promise<void> {
  const chains = await acceptRestored({ ...tools, clock: systemClock }, why);
  if (chains === undefined) {
    throw new SetupError(['--restored: set SVC_AUDIT_HEAD to a file, in which the signature is kept']);
  }
  process.stderr.write(`${chains} chains went back with the database: signed for in ${tools.config.auditHead}\n`);
}

async function verify(tools: Tools, options: Options): Promise<{ report: AuditReport; heads: Heads | undefined }> {
  if (options.restored !== undefined) {
    await restore(tools, options.restored);
  }
  const heads = await findHeads(tools, options);
  const { database, signer } = tools;
  const report = await withProgress('audit rows', async ({ begin, step }) => {
    begin(Number(((await database.reads('audit').count({ n: '*' }).first()) as { n: number }).n));
    return verifyAudit({ database, signer, ...(heads ? { heads } : {}) }, step);
  });
  return { report, heads };
}

function outsideText({ compared, chains }: AuditReport, heads: Heads | undefined): readonly string[] {
  return heads === undefined
    ? ['there were no heads outside the database with which the ends of the chains could be compared']
    : [
        `${compared} of ${chains} chains end where the heads outside the database say${heads.since === undefined ? '' : `; heads are kept since ${wireTime(heads.since)}`}`,
        ...heads.takenBack.map(
          ({ writerId, writerSeq, was, why, madeAt }) =>
            `chain ${writerId} went back from row ${was} to row ${writerSeq} with its database, as the operator ` +
            `signed at ${wireTime(madeAt)}: ${why}`,
        ),
      ];
}

/** A problem if the file of SVC_AUDIT_HEAD has no head. Heads at a syslog server are given by `--heads`. */
function missingHeads(config: Config, report: AuditReport, heads: Heads | undefined): readonly string[] {
  return heads === undefined && report.checkpoints > 0 && hasHeadFile(config)
    ? [
        `no head of this database is in ${config.auditHead}: nothing shows whether the log was cut at its end. ` +
          'Bring the file back, name a copy with --heads, or let the service begin anew with its next row',
      ]
    : [];
}

function problemLines({ problems }: AuditReport): readonly string[] {
  const rest = problems.length - PROBLEMS_SHOWN;
  return [
    ...problems
      .slice(0, PROBLEMS_SHOWN)
      .map(
        ({ writerId, writerSeq, rowId, problem }) =>
          `chain ${writerId}, row ${writerSeq}${rowId === undefined ? '' : ` (id ${rowId})`}: ${problem}`,
      ),
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

function asText(report: AuditReport, heads: Heads | undefined): string {
  return [
    `${report.rows} rows in ${report.chains} chains, ${report.checkpoints} signed checkpoints, ${report.unsigned} ` +
      `rows not signed for yet, ${report.problems.length} problems`,
    ...(report.imported > 0
      ? [`${report.imported} rows were brought in by svc import: the log proves who did so, not what they say`]
      : []),
    ...(report.shortened > 0 ? [`${report.shortened} rows of refused calls were shortened, as signed`] : []),
    ...outsideText(report, heads),
  ].join('\n');
}

function reportAsJson(report: AuditReport, heads: Heads | undefined): string {
  return JSON.stringify(
    { ...report, heads: heads ? { since: heads.since ?? null, takenBack: heads.takenBack } : null },
    null,
    1,
  );
}

export function addVerifyAudit(program: Command): void {
  program
    .command('verify-audit')
    .description(
      'find every audit row that was edited, removed, reordered, cut off or put in by others; the service may go on answering',
    )
    .option('--json', 'print the counts and every problem as JSON')
    .option(
      '--heads <files...>',
      'more files of heads beside SVC_AUDIT_HEAD: those of other machines, copies, or what a syslog server wrote',
    )
    .option(
      '--restored <reason>',
      'the database went back because a backup was restored: sign for its chains as they end now, then verify',
    )
    .action(async (options: Options) => {
      const config = loadConfig();
      await withDatabase(config, async (database) => {
        const sealing = makeSealing(secretKeysOf(config));
        const signer = await openAuditSigner(database, sealing, systemClock, { config });
        const { report, heads } = await verify({ config, database, signer }, options);
        process.stdout.write(`${options.json ? reportAsJson(report, heads) : asText(report, heads)}\n`);
        const problems = [...missingHeads(config, report, heads), ...problemLines(report)];
        if (problems.length > 0) {
          throw new SetupError(problems);
        }
      });
    });
}

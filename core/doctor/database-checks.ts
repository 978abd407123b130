/** database-checks: checks what the database holds: tables, keys, clock, deliveries, unfinished imports. */
import { actsByItself, HOW_TO_CHANGE, isDevelopmentSecret } from '../apps/known-secrets';
import { deadImports } from '../archive/unfinished';
import { sealedAuditKey } from '../audit/signer';
import type { Sealing } from '../auth/sealing';
import { fromTimestamp, toTimestamp, type Clock } from '../base/clock';
import { factTables } from '../facts/model/fact-tables';
import type { Models } from '../facts/model/models';
import { describeStep, planSteps } from '../facts/apply-plan';
import type { Database } from '../db/database';
import { listEveryApp, type AppRow } from '../apps/store';
import { migrationStates } from '../db/migrations/migrate';
import { countRows } from '../db/page';
import { COMMON_KEY } from '../sealing/contents-store';
import { holdsContents, holdsUnkeyed } from '../sealing/tables-store';
import { fine, problem, warning, type Finding } from './finding';

type DatabaseTools = {
  readonly database: Database;
  readonly models: Models;
  /** `absent`: no key was made yet, or it is lost. `unreadable`: another finding reports that. */ readonly sealing:
    Sealing | 'absent' | 'unreadable';
  readonly clock: Clock;
};

async function checkMigrations({ database, models }: DatabaseTools): Promise<Finding> {
  const states = await migrationStates(database);
  const core = states.filter(({ applied }) => !applied).map(({ name }) => name);
  const facts = (await planSteps(database, [...factTables(models).values()]))
    .filter(({ sql }) => sql !== undefined)
    .map(describeStep);
  const missing = [...core, ...facts];
  return missing.length === 0
    ? fine('migrations', `all ${states.length} are applied, every model has its table`)
    : problem(
        'migrations',
        `${missing.length} steps are missing, first of all ${missing[0]}`,
        'run svc migrate (svc migrate --dry-run shows all of it)',
      );
}

const RESTORE =
  'give the right SVC_SECRET_KEY, or restore secret.key; without it only a backup whose key is at hand helps';

/** The text that was sealed; null when no key at hand opens it. */
function openedBy(sealing: Sealing) {
  return (sealed: string): string | null => {
    try {
      return sealing.open(sealed);
    } catch {
      return null;
    }
  };
}

/** Reports apps with a secret that everybody knows. Who signs as an app that acts by itself needs nobody's consent. */
export function checkKnownSecrets(
  apps: readonly Pick<AppRow, 'id' | 'kind' | 'autonomous'>[],
  check = 'bundled secrets',
): readonly Finding[] {
  const findingFor = apps.some(actsByItself) ? problem : warning;
  return apps.length === 0
    ? []
    : [findingFor(check, `${apps.map(({ id }) => id).join(', ')}: secrets that everybody knows`, HOW_TO_CHANGE)];
}

async function checkKeys({ database, sealing }: DatabaseTools): Promise<readonly Finding[]> {
  if (sealing === 'unreadable') {
    return [];
  }
  const rows = (await listEveryApp(database.reads)).filter(({ retiredAt }) => retiredAt === null);
  const auditKey = await sealedAuditKey(database);
  const all = [...rows.map(({ consumerSecret }) => consumerSecret), ...(auditKey === undefined ? [] : [auditKey])];
  if (sealing === 'absent') {
    return [
      all.length === 0
        ? fine('keys', 'secret.key is made when the service first needs it')
        : problem('keys', 'secret.key is missing beside the database and SVC_SECRET_KEY is not set', RESTORE),
    ];
  }
  const open = openedBy(sealing);
  const opened = rows.map((app) => ({ app, secret: open(app.consumerSecret) }));
  const closed = [
    ...(opened.some(({ secret }) => secret === null)
      ? [`the secrets of ${opened.filter(({ secret }) => secret === null).length} of ${rows.length} apps`]
      : []),
    ...(auditKey !== undefined && open(auditKey) === null ? ['the key of the audit log'] : []),
  ];
  return [
    closed.length > 0
      ? problem('keys', `${closed.join(' and ')} cannot be opened`, RESTORE)
      : fine(
          'keys',
          `the secrets of ${rows.length} apps${auditKey === undefined ? '' : ' and the key of the audit log'} can be opened`,
        ),
    ...(closed.length === 0 && all.some((sealed) => !sealing.isCurrent(sealed))
      ? [warning('key change', 'secrets are still sealed under an earlier key', 'run svc rotate-key')]
      : []),
    ...checkKnownSecrets(opened.filter(({ secret }) => isDevelopmentSecret(secret)).map(({ app }) => app)),
  ];
}

/**
 * Seconds by which clocks may differ. Signatures and the ends of tokens depend on the time, and a request may be off by
 * five minutes.
 */
const SKEW_WARNING = 2;
const SKEW_PROBLEM = 60;

async function checkClock({ database, clock }: DatabaseTools): Promise<Finding> {
  if (database.dialect.name === 'sqlite') {
    return fine('clock', "the database uses this machine's clock");
  }
  const before = clock.now();
  const rows = await database.reads.rows<{ now: string }>(
    "select date_format(utc_timestamp(6), '%Y-%m-%dT%H:%i:%s.%fZ') as now",
    [],
  );
  const seconds = Math.abs(fromTimestamp(rows[0]!.now) - (before + clock.now()) / 2) / 1000;
  const found = `the database's clock is ${seconds.toFixed(1)} s off`;
  const advice = 'let both machines take their time from the same source (chrony, systemd-timesyncd)';
  if (seconds > SKEW_PROBLEM) {
    return problem('clock', found, advice);
  }
  return seconds > SKEW_WARNING ? warning('clock', found, advice) : fine('clock', found);
}

const OVERDUE_MILLISECONDS = 600_000;

async function checkOutbox({ database: { reads }, clock }: DatabaseTools): Promise<Finding> {
  const dead = await countRows(reads('outbox').whereNotNull('dead_at'));
  const waiting = () => reads('outbox').whereNull('sent_at').whereNull('dead_at');
  // Deliveries of one subject leave in order: only the first of them can be late.
  const overdue = await countRows(
    reads('outbox as o')
      .whereNull('o.sent_at')
      .whereNull('o.dead_at')
      .where('o.due_at', '<', toTimestamp(clock.now() - OVERDUE_MILLISECONDS))
      .whereNotExists(
        reads('outbox as e')
          .whereRaw('e.subject = o.subject and e.seq < o.seq and e.sent_at is null and e.dead_at is null')
          .select(reads.raw('1')),
      ),
  );
  const retried = await countRows(waiting().where('attempts', '>', 0));
  if (overdue > 0) {
    return problem(
      'outbox',
      `${overdue} mails, pings or audit rows for syslog should have left more than ten minutes ago`,
      'is svc serve running, and with this database? svc outbox list shows them',
    );
  }
  if (dead > 0 || retried > 0) {
    return warning(
      'outbox',
      `${dead} given up, ${retried} failed and waiting for another attempt`,
      'svc outbox list shows why; svc outbox retry tries them again, with --dead those given up, with --all those that wait',
    );
  }
  return fine('outbox', 'nothing waits longer than it should');
}

async function checkImports(tools: DatabaseTools): Promise<Finding> {
  const dead = await deadImports(tools);
  return dead.length === 0
    ? fine('imports', 'none was broken off')
    : warning(
        'imports',
        `${dead.length} were broken off and left rows that nobody can see`,
        'the next svc import removes them',
      );
}

/** Checks that everything is sealed that can be, and that the key for contents of no record can be opened. */
async function checkSealed({ database: { reads }, sealing }: DatabaseTools): Promise<readonly Finding[]> {
  const row = (await reads('installation').where({ name: COMMON_KEY }).first('content')) as
    { content: string } | undefined;
  if (!row && !(await holdsContents(reads))) {
    return [fine('sealed contents', 'the first start begins with it')];
  }
  if (!row || (await holdsUnkeyed(reads))) {
    return [
      warning(
        'sealed contents',
        'documents, messages and app storage of before are stored in clear',
        'run svc seal, once every process is of this release',
      ),
    ];
  }
  if (typeof sealing !== 'string' && openedBy(sealing)(row.content) === null) {
    return [problem('sealed contents', 'their key cannot be opened', RESTORE)];
  }
  return [fine('sealed contents', 'every record has a key')];
}

/** Every check that queries the database. While a migration is missing, only the first check is possible. */
export async function checkDatabase(tools: DatabaseTools): Promise<readonly Finding[]> {
  const migrations = await checkMigrations(tools);
  if ((await migrationStates(tools.database)).some(({ applied }) => !applied)) {
    return [migrations];
  }
  return [
    migrations,
    ...(await checkKeys(tools)),
    await checkClock(tools),
    await checkOutbox(tools),
    await checkImports(tools),
    ...(await checkSealed(tools)),
  ];
}

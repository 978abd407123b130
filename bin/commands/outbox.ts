/** outbox: `svc outbox`: lists mails and pings that have not been sent yet, retries them or drops them. */
import { InvalidArgumentError, type Command } from 'commander';
import { systemClock, toTimestamp, wireTime } from '../../core/base/clock';
import { SetupError } from '../../core/base/errors';
import { loadConfig } from '../../core/config/load';
import { withDatabase } from '../../core/server/migrate-all';
import type { Transaction } from '../../core/db/database';
import {
  dropDeliveries,
  listDeliveries,
  retryDeliveries,
  type DeliveryFilter,
  type DeliveryRow,
} from '../../core/outbox/store';

type Choice = { readonly kind?: string; readonly dead?: boolean; readonly all?: boolean };

function readKind(text: string): string {
  if (!['mail', 'ping', 'syslog'].includes(text)) {
    throw new InvalidArgumentError('say mail, ping or syslog');
  }
  return text;
}

function deliveryFilter({ kind, dead }: Choice, ids: readonly string[]): DeliveryFilter {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(dead === undefined ? {} : { dead }),
    ...(ids.length === 0 ? {} : { ids }),
  };
}

function deliveryState({ deadAt, leaseUntil, dueAt }: DeliveryRow): string {
  if (deadAt !== null) {
    return `given up ${wireTime(deadAt)}`;
  }
  return leaseUntil !== null && leaseUntil > toTimestamp(systemClock.now()) ? 'under way' : `due ${wireTime(dueAt)}`;
}

const LISTED = 1000;

function deliveryLine(row: DeliveryRow): string {
  return [
    row.id,
    row.kind,
    `since ${wireTime(row.createdAt)}`,
    `${row.attempts} failed`,
    deliveryState(row),
    row.lastError ?? '',
  ]
    .join('  ')
    .trimEnd();
}

async function listOutbox(choice: Choice & { readonly json?: boolean }): Promise<void> {
  const rows = await withDatabase(loadConfig(), ({ reads }) =>
    listDeliveries(reads, deliveryFilter(choice, []), LISTED),
  );
  const lines = rows.length === 0 ? ['nothing waits'] : rows.map(deliveryLine);
  process.stdout.write(`${choice.json ? JSON.stringify(rows, null, 1) : lines.join('\n')}\n`);
}

/** Needs ids, `--dead` or `--all`, so that `drop` alone does not empty the outbox. */
async function change(
  command: Command,
  given: readonly string[],
  choice: Choice,
  word: string,
  work: (trx: Transaction, filter: DeliveryFilter) => Promise<number>,
): Promise<void> {
  const ids = [...new Set(given)];
  if (ids.length === 0 && !choice.all && !choice.dead) {
    command.error(`svc: outbox ${word}: name ids, or say --dead or --all`, { exitCode: 2 });
  }
  const count = await withDatabase(loadConfig(), ({ write }) => write((trx) => work(trx, deliveryFilter(choice, ids))));
  process.stdout.write(`${count} ${word === 'drop' ? 'dropped' : 'due now'}\n`);
  if (count < ids.length) {
    throw new SetupError([
      `${ids.length - count} of the ids given do not wait in the outbox: svc outbox list shows those that do`,
    ]);
  }
}

export function addOutbox(program: Command): void {
  const outbox = program.command('outbox').description('mails, pings and audit rows for syslog that have not left');
  outbox
    .command('list')
    .description('what waits or was given up, the oldest first, at most 1000; never its content')
    .option('--kind <kind>', 'mail, ping or syslog', readKind)
    .option('--dead', 'given up ones only')
    .option('--json', 'as JSON')
    .action(listOutbox);
  outbox
    .command('retry [ids...]')
    .description('make deliveries due now; a running service sends them within a second')
    .option('--kind <kind>', 'mail, ping or syslog', readKind)
    .option('--dead', 'all given up ones')
    .option('--all', 'all that wait')
    .action((ids: string[], choice: Choice) =>
      change(outbox, ids, choice, 'retry', (trx, filter) =>
        retryDeliveries(trx, filter, toTimestamp(systemClock.now())),
      ),
    );
  outbox
    .command('drop [ids...]')
    .description('delete deliveries unsent')
    .option('--kind <kind>', 'mail, ping or syslog', readKind)
    .option('--dead', 'all given up ones')
    .option('--all', 'all that wait')
    .action((ids: string[], choice: Choice) => change(outbox, ids, choice, 'drop', dropDeliveries));
}

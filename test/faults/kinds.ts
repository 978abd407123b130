/** kinds: the faults, each with a check that it did happen: a fault that did not happen proves nothing. */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../core/db/open';
import { sleep, until } from '../support/receiver';
import type { Field } from './field';
import { fakeTimeLibrary } from './processes';
import { direct } from '../support/direct';

export type Fault = {
  readonly name: string;
  /** Makes the fault and ends it again, except that killed processes stay dead. Throws when it did not happen. */
  readonly make: (field: Field) => Promise<void>;
};

const happened = (claim: boolean, what: string): void => {
  if (!claim) {
    throw new Error(`a fault did not happen: ${what}`);
  }
};

const childrenOf = (pid: number): readonly number[] => {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list)
    ? readFileSync(list, 'utf8')
        .split(' ')
        .filter((part) => part !== '')
        .map(Number)
    : [];
};

/** Whether the process has ended. Its entry may remain until its parent reads it. */
const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.startsWith('Z');
  } catch {
    return true;
  }
};

const killService = async ({ service, kills }: Field): Promise<void> => {
  const children = childrenOf(service.pid()!);
  happened(await service.kill('SIGKILL'), 'the service did not run');
  kills.service += 1;
  // Nobody ends the children; they have to notice it by themselves.
  await until(() => children.every(isGone), 'the end of what the killed service had started');
};

const killDatabase = async ({ server, kills }: Field): Promise<void> => {
  happened(await server.kill('SIGKILL'), 'the database did not run');
  kills.database += 1;
};

const killBoth = async (field: Field): Promise<void> => {
  await Promise.all([killService(field), killDatabase(field)]);
};

/** Cuts the power: what was acknowledged but is not on the disk is lost. */
const cutPower = async (field: Field): Promise<void> => {
  const { disk, server, ledger } = field;
  ledger.powerCuts += 1;
  disk!.cutPower!();
  // A database that cannot write any more may end by itself before it is killed.
  await Promise.all([killService(field), server.kill('SIGKILL')]);
  field.kills.database += server.pid() === undefined ? 0 : 1;
  await disk!.restore();
};

const closeConnections = async ({ server }: Field): Promise<void> => {
  const database = await openDatabase(server.url, 1);
  const rows = await direct(database).rows<{ id: number }>(
    'select id from information_schema.processlist where id <> connection_id() and db is not null',
    [],
  );
  for (const { id } of rows) {
    await direct(database)
      .raw(`kill connection ${Number(id)}`)
      .catch(() => undefined);
  }
  await database.close();
  happened(rows.length > 0, 'there was no connection to close');
};

const dateOf = async (url: string): Promise<string | null> => (await fetch(`${url}/health/live`)).headers.get('date');

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Stops the wall clock of the service, then lets it jump to the right time. */
const stopClock = async ({ clock, service }: Field): Promise<void> => {
  const now = new Date();
  const day = `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`;
  writeFileSync(
    clock,
    `${day} ${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}:${twoDigits(now.getSeconds())}\n`,
  );
  try {
    // The server renews the text of its Date header once a second.
    await sleep(1100);
    const before = await dateOf(service.url);
    await sleep(1200 + randomInt(1000));
    happened((await dateOf(service.url)) === before, 'the clock went on');
  } finally {
    writeFileSync(clock, '+0\n');
  }
};

const LONGEST_FULL = 10_000;

/** Fills the disk until a caller is refused because of it; a database has some spare room of its own. */
const fillDisk = async ({ disk, ledger }: Field): Promise<void> => {
  disk!.fill();
  try {
    happened(disk!.freeBytes() === 0, `${disk!.freeBytes()} bytes of the disk are free`);
    const before = ledger.refused;
    const end = Date.now() + LONGEST_FULL;
    while (ledger.refused === before && Date.now() < end) {
      await sleep(50);
    }
    ledger.noticedFull += ledger.refused > before ? 1 : 0;
    await sleep(randomInt(1000));
  } finally {
    disk!.free();
  }
};

/** Freezes the process in the middle of its work, as on a machine that swaps, or a virtual machine that is moved. */
const freeze = async ({ service }: Field): Promise<void> => {
  const pid = service.pid()!;
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(500 + randomInt(1500));
    const answered = await fetch(`${service.url}/health/live`, { signal: AbortSignal.timeout(200) }).then(
      () => true,
      () => false,
    );
    happened(!answered, 'the process went on');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
};

/** Faults that end a process, and with it every request under way. */
export const deathsOn = ({ server, disk }: Field): readonly Fault[] => [
  { name: 'service killed', make: killService },
  ...(server.running()
    ? [
        { name: 'database killed', make: killDatabase },
        { name: 'service and database killed', make: killBoth },
      ]
    : []),
  ...(disk?.cutPower === undefined ? [] : [{ name: 'power cut', make: cutPower }]),
];

/** Faults that leave all processes alive. */
export const troublesOn = ({ server, disk }: Field): readonly Fault[] => [
  { name: 'process frozen', make: freeze },
  ...(server.running() ? [{ name: 'connections closed', make: closeConnections }] : []),
  ...(fakeTimeLibrary === undefined ? [] : [{ name: 'clock stopped', make: stopClock }]),
  ...(disk === undefined ? [] : [{ name: 'disk full', make: fillDisk }]),
];

/** Faults that this machine cannot make, each with what it lacks. */
export const impossibleOn = ({ disk }: Field): readonly string[] => [
  ...(fakeTimeLibrary === undefined ? ['clock stopped: install libfaketime'] : []),
  ...(disk === undefined ? ['disk full: only a user who may mount can make a small disk'] : []),
  ...(disk?.cutPower === undefined ? ['power cut: needs e2fsprogs, perl, a loop device and a user who may mount'] : []),
];

/** Deals each fault equally often, in random order. */
export const deck = (faults: readonly Fault[]): (() => Fault) => {
  let left: Fault[] = [];
  return () => {
    left = left.length > 0 ? left : [...faults];
    return left.splice(randomInt(left.length), 1)[0]!;
  };
};

/**
 * process-groups: manages child processes that each lead a process group, so that everything they started ends with
 * them. When bubblewrap is killed during its start, its second process waits for the first one forever, but it is still
 * in the group. Therefore the whole group is killed: here, or by a shell that outlives this process.
 */
import { spawn, type ChildProcess } from 'node:child_process';

/**
 * A shell script that remembers the last line that it read, which names all groups, and kills them when its input is
 * closed.
 */
const KEEPER =
  'trap "" HUP INT TERM; while read -r line; do groups=$line; done; for one in $groups; do kill -9 -- "-$one"; done';

const groups = new Set<number>();
let keeper: ChildProcess | undefined;

function startKeeper(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', KEEPER], {
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without the shell, a process that is killed at the wrong moment may leave its children behind.
  [child, child.stdin!].forEach((one) => one.on('error', () => undefined));
  child.unref();
  (child.stdin as unknown as { unref: () => void }).unref();
  return child;
}

function tellKeeper(): void {
  keeper ??= startKeeper();
  keeper.stdin?.write(`${[...groups].join(' ')}\n`);
}

/** Registers a child that was spawned as `detached`: its group ends with this process, whatever ends this one. */
export function keepGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid !== undefined) {
    groups.add(pid);
    tellKeeper();
    child.once('exit', () => {
      groups.delete(pid);
      tellKeeper();
    });
  }
}

/** Kills such a child and everything left of its group. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // Nothing of the group is left.
  }
}

/**
 * process-groups: child processes that lead a group each and end with all that they have started. When bubblewrap is
 * killed while it starts, its second process waits for the first one for ever. It is still in the group then, so the
 * group is what is killed: here, or by a shell that outlives this process.
 */
import { spawn, type ChildProcess } from 'node:child_process';

/** Keeps the last line that it read, which names all groups, and ends them when nobody can write to it any more. */
const KEEPER =
  'trap "" HUP INT TERM; while read -r line; do groups=$line; done; for one in $groups; do kill -9 -- "-$one"; done';

const groups = new Set<number>();
let keeper: ChildProcess | undefined;

const startKeeper = (): ChildProcess => {
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
};

const tell = (): void => {
  keeper ??= startKeeper();
  keeper.stdin?.write(`${[...groups].join(' ')}\n`);
};

/** Takes in a child that was spawned as `detached`: its group ends with this process, whatever ends this one. */
export const keepGroup = (child: ChildProcess): void => {
  const { pid } = child;
  if (pid !== undefined) {
    groups.add(pid);
    tell();
    child.once('exit', () => {
      groups.delete(pid);
      tell();
    });
  }
};

/** Ends such a child with all that is left of its group. */
export const killGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // Nothing is left of it.
  }
};

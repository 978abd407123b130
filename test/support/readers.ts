/** readers: finds the reader processes that a service has started, in /proc. */
import { readdirSync, readFileSync } from 'node:fs';

type Seen = { readonly id: number; readonly parent: number; readonly command: readonly string[] };

const seen = (id: number): readonly Seen[] => {
  try {
    const afterName = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1) ?? '';
    const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
    return [{ id, parent: Number(afterName.split(' ')[1]), command }];
  } catch {
    return [];
  }
};

const readerProcesses = (): readonly Seen[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(Boolean)
    .flatMap(seen)
    .filter(({ command }) => command.some((word) => word.endsWith('reader-process.js')));

/** Ids of the processes that `parent` started for readers: the readers themselves, or the sandboxes around them. */
export const startedFor = (parent: number): readonly number[] =>
  readerProcesses()
    .filter((one) => one.parent === parent)
    .map(({ id }) => id);

/** Ids of the reader processes that `parent` started, without the sandboxes. */
export const readersOf = (parent: number): readonly number[] => {
  const reads = readerProcesses();
  const below = (above: number): readonly Seen[] =>
    reads.filter((one) => one.parent === above).flatMap((one) => [one, ...below(one.id)]);
  return below(parent)
    .filter(({ command }) => command[0] !== 'bwrap')
    .map(({ id }) => id);
};

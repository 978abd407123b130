/** watched: the compiler at work in the background, and what changed in some folders, several changes at once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { inProject, projectRoot } from '../../core/base/paths';

/** A save makes several events, and the compiler writes several files. */
const QUIET_MILLISECONDS = 300;

/**
 * Tells of changed files, by their paths in the project, once nothing more has changed for a moment.
 * @returns stops watching
 */
export const onChanges = (folders: readonly string[], tell: (paths: readonly string[]) => void): (() => void) => {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const note = (path: string): void => {
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed].sort();
      changed.clear();
      tell(paths);
    }, QUIET_MILLISECONDS);
  };
  const watchers = folders
    .filter((folder) => existsSync(inProject(folder)))
    .map((folder) =>
      watch(inProject(folder), { recursive: true }, (_event, name) => {
        if (name !== null) {
          note(join(folder, name));
        }
      }),
    );
  return () => {
    clearTimeout(timer);
    watchers.forEach((watcher) => watcher.close());
  };
};

/** The TypeScript compiler, which writes to `dist` whatever is saved and prints what is wrong with it. */
export const startCompiler = (): ChildProcess =>
  spawn(inProject('node_modules', '.bin', 'tsc'), ['--build', '--watch', '--preserveWatchOutput'], {
    cwd: projectRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });

/** What deployers write: formats, models, apps. */
export const DEPLOYED = ['pipeline-config', 'datamodels', 'manifests'];

/** watched: runs the compiler in the background, and reports changes in folders, several at once. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { inProject, projectRoot } from '../../core/base/paths';

/** A save causes several events, and the compiler writes several files. */
const QUIET_MILLISECONDS = 300;

/**
 * Reports changed files, by their paths in the project, once nothing more has changed for a moment.
 * @returns a function that stops watching
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

const compiler = inProject('node_modules', 'native-typescript', 'bin', 'tsc');

/** Starts the TypeScript compiler, which writes saved files to `dist` and prints errors. */
export const startCompiler = (): ChildProcess =>
  spawn(process.execPath, [compiler, '--build', '--watch', '--preserveWatchOutput'], {
    cwd: projectRoot,
    stdio: ['ignore', 'inherit', 'inherit'],
  });

/** Folders that deployers write to: formats, models, apps. */
export const DEPLOYED = ['pipeline-config', 'datamodels', 'manifests'];

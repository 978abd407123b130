/** reader-sandbox: what shuts a reader process in: bubblewrap, where the machine has it and lets it work. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { inProject } from '../base/paths';
import { programPath } from '../config/environment';

const PROGRAM = 'bwrap';
/** Stylesheets with includes are laid out there; nothing else writes. */
const SCRATCH_BYTES = 67_108_864;
const PROBE_MILLISECONDS = 5000;

/** Folders of the system that hold programs and their libraries; on many systems some are links to others. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/etc/ld.so.cache'];

const showSystem = (path: string): readonly string[] => {
  if (!existsSync(path)) {
    return [];
  }
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
};

const show = (path: string): readonly string[] => ['--ro-bind-try', path, path];

/** What Node.js looks at above a folder when a module in it imports a package. */
const packagesAbove = (folder: string): readonly string[] => {
  const above = dirname(folder);
  const here = [join(folder, 'node_modules'), join(folder, 'package.json')];
  return above === folder ? here : [...here, ...packagesAbove(above)];
};

/**
 * No network, no other processes, no rights, an empty /tmp; the system, this project's code and the folders of formats
 * to read, nothing else.
 */
const sandboxArguments = (folders: readonly string[]): readonly string[] => {
  const code = [inProject('dist'), inProject('package.json'), inProject('node_modules'), process.execPath];
  return [
    ...[
      '--unshare-all',
      '--die-with-parent',
      '--new-session',
      '--cap-drop',
      'ALL',
      '--chdir',
      '/',
      '--unsetenv',
      'PATH',
    ],
    ...SYSTEM_FOLDERS.flatMap(showSystem),
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(SCRATCH_BYTES), '--tmpfs', '/tmp'],
    ...[...new Set([...code, ...folders, ...folders.flatMap(packagesAbove)])].flatMap(show),
    ...['--remount-ro', '/'],
  ];
};

export type Protection = {
  readonly holds: boolean;
  /** Why it does not hold. */
  readonly reason?: string;
};

const probe = (): Protection => {
  const { error, status, stderr } = spawnSync(PROGRAM, [...sandboxArguments([]), PROGRAM, '--version'], {
    encoding: 'utf8',
    timeout: PROBE_MILLISECONDS,
  });
  if (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { holds: false, reason: missing ? 'bubblewrap (bwrap) is not installed' : `bwrap: ${error.message}` };
  }
  return status === 0
    ? { holds: true }
    : { holds: false, reason: stderr.trim().split('\n')[0] ?? `bwrap ended with ${status}` };
};

let found: { readonly path: string; readonly protection: Protection } | undefined;

/** Whether readers are shut in on this machine. Tried once for a PATH. */
export const protection = (): Protection => {
  const path = programPath();
  if (found?.path !== path) {
    found = { path, protection: probe() };
  }
  return found!.protection;
};

/**
 * The command that runs `command` shut in, where that works, else the command itself.
 * @param folders which it may read besides the service's own code
 */
export const shutIn = (command: readonly string[], folders: readonly string[]): readonly string[] =>
  protection().holds ? [PROGRAM, ...sandboxArguments(folders), ...command] : command;

/** Whether a process that sees `shown` sees the folder. */
export const isShown = (folder: string, shown: readonly string[]): boolean =>
  shown.some((one) => folder === one || folder.startsWith(one.endsWith(sep) ? one : one + sep));

/** reader-sandbox: isolates a reader process with bubblewrap, if the machine has it and lets it work. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { inProject } from '../../base/paths';
import { programPath } from '../../config/environment';

const PROGRAM = 'bwrap';
/** The size of the scratch folder, where stylesheets with includes are laid out; nothing else writes there. */
const SCRATCH_BYTES = 67_108_864;
const PROBE_MILLISECONDS = 5000;

/** Folders of the system that hold programs and their libraries; on many systems some are links to others. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/etc/ld.so.cache'];

function showSystem(path: string): readonly string[] {
  if (!existsSync(path)) {
    return [];
  }
  return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

function bindReadOnly(path: string): readonly string[] {
  return ['--ro-bind-try', path, path];
}

/** The places above a folder where Node.js looks when a module in it imports a package. */
function packagesAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  const here = [join(folder, 'node_modules'), join(folder, 'package.json')];
  return above === folder ? here : [...here, ...packagesAbove(above)];
}

/**
 * The sandbox has no network, no other processes, no rights and an empty /tmp. It can read the system, this project's
 * code and the folders of formats, and nothing else.
 */
function sandboxArguments(folders: readonly string[]): readonly string[] {
  const code = [
    ...[inProject('dist'), inProject('core', 'facts', 'texts'), inProject('package.json'), inProject('node_modules')],
    process.execPath,
  ];
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
    ...[...new Set([...code, ...folders, ...folders.flatMap(packagesAbove)])].flatMap(bindReadOnly),
    ...['--remount-ro', '/'],
  ];
}

type Protection = {
  readonly holds: boolean;
  /** Why the sandbox does not work. */
  readonly reason?: string;
};

function probe(): Protection {
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
}

let found: { readonly path: string; readonly protection: Protection } | undefined;

/** Whether readers are isolated on this machine. It is tried once for each PATH. */
export function protection(): Protection {
  const path = programPath();
  if (found?.path !== path) {
    found = { path, protection: probe() };
  }
  return found!.protection;
}

/**
 * The command that runs `command` in a sandbox if that works, else the command itself.
 * @param folders folders that it may read in addition to the service's own code
 */
export function shutIn(command: readonly string[], folders: readonly string[]): readonly string[] {
  return protection().holds ? [PROGRAM, ...sandboxArguments(folders), ...command] : command;
}

/** Whether a process that can see the folders `shown` can see this folder. */
export function isShown(folder: string, shown: readonly string[]): boolean {
  return shown.some((one) => folder === one || folder.startsWith(one.endsWith(sep) ? one : one + sep));
}

/**
 * slim: removes what a running service never reads from packages: the sources and leftovers of compiling, types, maps
 * and tests.
 */
import { readdirSync, rmSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** Folders of these packages that only compiling or developing needs. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['deps', 'src'],
  libxmljs2: ['vendor', 'src'],
  'node1-libxmljsmt-myh': ['vendor', 'src', 'test', 'examples'],
  xslt: ['deps', 'src', 'test', 'node1-libxmljsmt-myh'],
};
/** Files that a running service never reads, except licences and notices (`NEVER`), which stay. */
const UNREAD = /\.(?:d\.[cm]?ts|[cm]?ts|map|md|markdown|cc|cpp|hpp|gyp|gypi|mk|o|d|a|stamp)$/i;
const NEVER = /^(?:licen[cs]e|notice|copying)/i;

function entries(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true });
}

function removeUnread(folder: string): void {
  for (const entry of entries(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (['obj.target', '.deps', 'obj'].includes(entry.name)) {
        rmSync(path, { recursive: true });
      } else {
        removeUnread(path);
      }
    } else if (UNREAD.test(entry.name) && !NEVER.test(entry.name)) {
      rmSync(path);
    }
  }
}

/** These packages have the same code in up to three builds; `require` uses `build/src`. */
const OTHER_BUILDS = ['build/esm', 'build/esnext'];

function removeOtherBuilds(scope: string): void {
  for (const { name } of entries(scope)) {
    OTHER_BUILDS.forEach((path) => rmSync(join(scope, name, path), { recursive: true, force: true }));
  }
}

/**
 * Makes a folder of installed packages smaller without changing what the packages do.
 * @param modules the `node_modules` folder, whose engines are compiled
 */
export function slim(modules: string): void {
  for (const [name, folders] of Object.entries(SOURCES)) {
    for (const folder of folders) {
      rmSync(join(modules, name, folder), { recursive: true, force: true });
    }
  }
  removeOtherBuilds(join(modules, '@opentelemetry'));
  removeUnread(modules);
}

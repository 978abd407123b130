/** paths: where the project's own folders are, whether run from source or from dist. */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : findRoot(dirname(from));
}

/** The folder that holds package.json. */
export const projectRoot = findRoot(__dirname);

export function inProject(...parts: string[]): string {
  return join(projectRoot, ...parts);
}

/** The document formats that come with the service. */
export const bundledFormats = inProject('pipeline-config');

/** Version of this release, from package.json. */
export const projectVersion = (
  JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
).version;

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** Makes a folder and those above it, one at a time: below /proc, Node's own recursive call would never end. */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) {
    return;
  }
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Two processes may start at once.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  }
}

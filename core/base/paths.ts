/** paths: where the project's own folders are, whether run from source or from dist. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const findRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) ? from : findRoot(dirname(from));

/** The folder that holds package.json. */
export const projectRoot = findRoot(__dirname);

export const inProject = (...parts: string[]): string => join(projectRoot, ...parts);

/** Version of this release, from package.json. */
export const projectVersion = (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }).version;

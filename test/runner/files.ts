/** files: the compiled test files of the project. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/base/paths';
import type { TestFile } from './plan';

const compiled = join(projectRoot, 'dist', 'test');

/** The compiler does not remove its output for a deleted file. */
const hasSource = (path: string): boolean => existsSync(join(projectRoot, 'test', path.replace(/js$/, 'ts')));

/** All compiled test files, in the order of their paths. */
export const testFiles = (): readonly TestFile[] =>
  readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js') && hasSource(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(compiled, path), 'utf8') }));

/** concerned: finds the tests that a change of some files concerns. */
import { dirname, join, normalize } from 'node:path';
import type { TestFile } from './plan';

/** The files that a compiled file requires, as paths below `dist` without an extension. */
const requiredBy = ({ path, text }: TestFile): readonly string[] =>
  [...text.matchAll(/require\("(\.[^"]+)"\)/g)].map(([, name]) => normalize(join('test', dirname(path), name!)));

/** The test that mirrors a file has the same path; the test of an area or of a command has its name. */
const mirrors = (source: string): RegExp => {
  const [, area] = /^(?:plugins\/([^/]+)|bin\/commands\/[^/]+)/.exec(source) ?? [];
  if (source.startsWith('bin/')) {
    return new RegExp(`^bin/(?:svc|${source.split('/').at(-1)})\\.`);
  }
  return new RegExp(`^${area === undefined ? source : `plugins/${area}`}(?:-[\\w-]+)?\\.(?:rest\\.)?test\\.js$`);
};

/** Tests for any change of formats, models and manifests. */
const OF_DEPLOYED = ['core/pipeline/samples.test.js', 'tables/entries.test.js', 'core/apps/manifests.test.js'];

/**
 * Test files that changed themselves, import a changed file, or mirror it.
 * @param changed paths in the project: compiled files (`dist/core/xml/gate.js`), formats, models, manifests
 */
export const concernedBy = (changed: readonly string[], tests: readonly TestFile[]): readonly TestFile[] => {
  const sources = changed
    .filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
    .map((path) => path.slice('dist/'.length, -'.js'.length));
  const ofDeployed = changed.some((path) => /^(?:pipeline-config|datamodels|manifests)\//.test(path));
  const patterns = sources.map(mirrors);
  return tests.filter((test) => {
    const required = requiredBy(test);
    return (
      sources.some((source) => required.includes(source) || `test/${test.path}` === `${source}.js`) ||
      patterns.some((pattern) => pattern.test(test.path)) ||
      (ofDeployed && OF_DEPLOYED.includes(test.path))
    );
  });
};

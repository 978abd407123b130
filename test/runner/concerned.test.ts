/** concerned: a change runs the tests that concern it and no others. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { concernedBy } from './concerned';
import { testFiles } from './files';

export const lab = Lab.script();
const { describe, it } = lab;

const after = (...changed: string[]): readonly string[] => concernedBy(changed, testFiles()).map(({ path }) => path);

describe('a change concerns', () => {
  const cases: readonly (readonly [changed: string, some: readonly string[]])[] = [
    ['dist/core/xml/gate.js', ['core/xml/gate.test.js']],
    ['dist/core/auth/nonces.js', ['core/auth/nonces.test.js']],
    ['dist/plugins/records/service.js', ['plugins/records.test.js']],
    ['dist/plugins/reports/rdf.js', ['plugins/reports-rdf.test.js', 'plugins/reports.test.js']],
    ['dist/bin/commands/reprocess.js', ['bin/reprocess.rest.test.js', 'bin/svc.test.js']],
    ['dist/test/core/xml/gate.test.js', ['core/xml/gate.test.js']],
    ['dist/test/support/browser.js', ['docs/reference.rest.test.js']],
    ['pipeline-config/lab/transform.xsl', ['core/pipeline/samples.test.js', 'tables/entries.test.js']],
  ];
  for (const [changed, some] of cases) {
    it(`${some.join(' and ')}, when it is of ${changed}`, () => {
      expect(after(changed)).to.include([...some]);
      expect(after(changed).length).to.be.below(20);
    });
  }

  it('nothing, when it is of a map of sources', () => {
    expect(after('dist/core/xml/gate.js.map')).to.equal([]);
  });
});

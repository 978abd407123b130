/** xslt: stylesheets that include others compile wherever the service may write. */
import { tmpdir } from 'node:os';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { compileStylesheet } from '../../../core/xml/xslt';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const sheet = (inside: string): string =>
  `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">${inside}</xsl:stylesheet>`;

describe('compileStylesheet', () => {
  const folder = process.env['TMPDIR'];
  before(() => {
    process.env['TMPDIR'] = '/nowhere';
  });
  after(() => {
    delete process.env['TMPDIR'];
    Object.assign(process.env, folder === undefined ? {} : { TMPDIR: folder });
  });

  it('needs no folder for temporary files where there is one in memory', () => {
    expect(tmpdir()).to.equal('/nowhere');
    const compiled = compileStylesheet(
      '/formats/x/main.xsl',
      new Map([
        [
          '/formats/x/main.xsl',
          sheet(
            '<xsl:include href="../common/part.xsl"/><xsl:template match="/"><a><xsl:call-template name="part"/></a></xsl:template>',
          ),
        ],
        ['/formats/common/part.xsl', sheet('<xsl:template name="part"><b/></xsl:template>')],
      ]),
      () => '',
    );
    expect('apply' in compiled && compiled.apply('<x/>')).to.contain('<a><b/></a>');
  });
});

/** sniff: what the beginning of a file tells. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { isParametersXml } from '../../../core/files/parameters-xml';
import { fromRoot } from '../../../core/files/sniff';

export const lab = Lab.script();
const { describe, it } = lab;

describe('the beginning of a document', () => {
  it('is passed over up to the root', () => {
    for (const before of ['', '\n', '<?xml version="1.0"?>\n<!-- <a/> > - -->\n', '<!----><?a b?><!-- --->']) {
      expect(fromRoot(`${before}<ClinicalDocument/>`), before).to.equal('<ClinicalDocument/>');
    }
    expect(['x', '<!-- no end', '<?no end'].map(fromRoot)).to.equal(['x', '<!-- no end', '<?no end']);
  });

  it('takes no longer with each comment', () => {
    // A pattern that goes back into comments would need ages for so many.
    const comments = '<!---->'.repeat(1000);
    expect(fromRoot(`${comments}<a/>`)).to.equal('<a/>');
    expect(isParametersXml(Buffer.from(`${comments}<a/>`))).to.be.false();
    expect(isParametersXml(Buffer.from('<!-- a --><Parameters xmlns="http://hl7.org/fhir"/>'))).to.be.true();
  });
});

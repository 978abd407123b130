/** resource-texts: texts of resources are stored small, and those that are stored stay readable. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { packText, unpackText } from '../../../core/documents/resource-texts-store';

export const lab = Lab.script();
const { describe, it } = lab;

const TEXT =
  '{"resourceType":"Observation","id":"0b6f1c0e-0000-8000-8000-000000000000","status":"final","code":{"text":"Größe 😀"}}';

describe('texts of resources', () => {
  it('are stored small, and come back as they were', () => {
    expect(unpackText(packText(TEXT))).to.equal(TEXT);
    expect(packText(TEXT).length).to.be.below(TEXT.length / 1.5);
  });

  it('are read as an earlier release stored them', () => {
    expect(unpackText(Buffer.from(TEXT))).to.equal(TEXT);
    // Packed with the first dictionary, which must stay as it is.
    expect(unpackText(Buffer.from('ASMmdgySzNIMkw1SdQ0MDAx0LeCEARLA5xuoa9yLDm87PD9V4cP8GQ1KtbUA', 'base64'))).to.equal(
      TEXT,
    );
  });

  it('are stored as they are when they are long', () => {
    const long = TEXT.replace('Größe', 'x'.repeat(20_000));
    expect([packText(long).toString(), unpackText(packText(long))]).to.equal([long, long]);
  });
});

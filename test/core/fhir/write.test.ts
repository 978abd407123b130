/** write: a resource that was read from its text goes out as that text, alone and in a Bundle. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { resourcePieces, withText } from '../../../core/fhir/write';

export const lab = Lab.script();
const { describe, it } = lab;

const TEXT = '{"resourceType":"Observation","valueQuantity":{"value":7.50}}';
const written = (value: object, space?: number): string => [...resourcePieces(value, space)].join('');

describe('a resource with its text', () => {
  const resource = withText({ resourceType: 'Observation', valueQuantity: { value: 7.5 } }, TEXT);

  it('is sent as its text, alone and inside others', () => {
    expect(written(resource)).to.equal(TEXT);
    const entry = [resource, { resourceType: 'Patient' }].map((one) => ({
      fullUrl: 'a',
      resource: one,
      gone: undefined,
    }));
    expect(written({ resourceType: 'Bundle', entry })).to.equal(
      `{"resourceType":"Bundle","entry":[{"fullUrl":"a","resource":${TEXT}},` +
        '{"fullUrl":"a","resource":{"resourceType":"Patient"}}]}',
    );
  });

  it('is written anew where it is indented, or only a part of it is sent', () => {
    expect(written(resource, 2)).to.equal(JSON.stringify(resource, undefined, 2));
    expect(written({ entry: [resource] }, 2)).to.equal(JSON.stringify({ entry: [resource] }, undefined, 2));
    expect(written({ ...resource })).to.equal(JSON.stringify(resource));
  });

  it('goes out in parts when it is long', () => {
    const data = 'x'.repeat(200_000);
    const long = withText({ data }, JSON.stringify({ data }));
    const pieces = [...resourcePieces(long)];
    expect(pieces.join('')).to.equal(JSON.stringify({ data }));
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(70_000);
  });
});

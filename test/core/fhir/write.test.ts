/** write: a resource that was read from its text goes out as that text, alone and in a Bundle. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { unreadResource, resourcePieces } from '../../../core/fhir/write';

export const lab = Lab.script();
const { describe, it } = lab;

const TEXT = '{"resourceType":"Observation","valueQuantity":{"value":7.50}}';
const written = (value: object, space?: number): string => [...resourcePieces(value, space)].join('');

describe('a resource with its text', () => {
  let reads = 0;
  const resource = unreadResource(TEXT, { resourceType: 'Observation' }, (text) => {
    reads += 1;
    return JSON.parse(text) as object;
  }) as { readonly resourceType: string; readonly valueQuantity?: object };

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

  it('is read once, and not before more than its head is asked for', () => {
    expect([resource.resourceType, written([resource]), reads]).to.equal(['Observation', `[${TEXT}]`, 0]);
    expect(resource.valueQuantity).to.equal({ value: 7.5 });
    expect([Object.keys(resource), 'valueQuantity' in resource, 'other' in resource]).to.equal([
      ['resourceType', 'valueQuantity'],
      true,
      false,
    ]);
    expect({ ...resource }).to.equal({ resourceType: 'Observation', valueQuantity: { value: 7.5 } });
    expect(reads).to.equal(1);
    expect(() => Object.assign(resource, { valueQuantity: 1 })).to.throw(TypeError);
  });

  it('is written anew where it is indented, or only a part of it is sent', () => {
    expect(written(resource, 2)).to.equal(JSON.stringify(resource, undefined, 2));
    expect(written({ entry: [resource] }, 2)).to.equal(JSON.stringify({ entry: [resource] }, undefined, 2));
    expect(written({ ...resource })).to.equal(JSON.stringify(resource));
  });

  it('goes out in parts when it is long', () => {
    const data = 'x'.repeat(200_000);
    const long = unreadResource(JSON.stringify({ data }), {}, (text) => JSON.parse(text) as object);
    const pieces = [...resourcePieces(long)];
    expect(pieces.join('')).to.equal(JSON.stringify({ data }));
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(70_000);
  });
});

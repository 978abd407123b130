/** opened-texts: a resource is opened once, and what was opened counts for nothing else. */
import { expect } from '@hapi/code';
import * as Lab from '@hapi/lab';
import { makeSealing } from '../../../core/auth/sealing';
import { makeContents, UnreadableContent, type Contents } from '../../../core/sealing/contents-store';
import { openText } from '../../../core/documents/opened-texts-store';
import { packText } from '../../../core/documents/resource-texts-store';

export const lab = Lab.script();
const { describe, it } = lab;

const TEXT = '{"resourceType":"Observation","id":"one"}';
const PLACE = ['fhir_resource', 'a record', 'one', '1'] as const;

describe('opened texts of resources', () => {
  const contents = makeContents(makeSealing(['a key of the service: 1']));
  const reads = () => ({ where: () => ({ first: () => Promise.resolve({ content: 'there' }) }) });
  const newKey = (): Promise<string> => contents.newKey(reads as never) as Promise<string>;
  let opened = 0;
  const counting: Contents = {
    ...contents,
    under: (key) => {
      opened += 1;
      return contents.under(key);
    },
  };

  it('are kept for the same bytes of the same row, and let go for others', async () => {
    const key = await newKey();
    const stored = contents.under(key).seal(PLACE, packText(TEXT));
    const row = { seq: 7, place: PLACE, key, stored };
    const again = { ...row, stored: { content: Buffer.from(stored.content), sealed: 1 } };
    expect([openText(counting, row), openText(counting, again), opened]).to.equal([TEXT, TEXT, 1]);
    const later = { ...row, stored: contents.under(key).seal(PLACE, packText(`${TEXT} `)) };
    expect([openText(counting, later), openText(counting, row), opened]).to.equal([`${TEXT} `, TEXT, 3]);
    expect(openText({ ...counting }, row)).to.equal(TEXT);
    expect(opened, 'another service keeps its own').to.equal(4);
  });

  it('open nothing that would not open: changed bytes, another place, another key', async () => {
    const key = await newKey();
    const stored = contents.under(key).seal(PLACE, packText(TEXT));
    const row = { seq: 8, place: PLACE, key, stored };
    const changed = Buffer.from(stored.content);
    changed[changed.length - 1]! ^= 1;
    for (const other of [
      { ...row, stored: { content: changed, sealed: 1 } },
      { ...row, stored: { content: stored.content.subarray(0, 28), sealed: 1 } },
      { ...row, place: ['fhir_resource', 'another', 'one', '1'] as const },
      { ...row, key: null },
      { ...row, key: await newKey() },
    ]) {
      expect(openText(counting, row)).to.equal(TEXT);
      expect(() => openText(counting, other)).to.throw(UnreadableContent);
    }
  });
});

/** lines: only a line feed ends a line, wherever the chunks of a file are cut. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { cutLines } from '../../../core/base/lines';

export const lab = Lab.script();
const { describe, it } = lab;

const piecesOf = async function* (text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) {
    yield text.slice(start, start + size);
  }
};

const cut = async (text: string, size: number): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const line of cutLines(piecesOf(text, size))) {
    lines.push(line);
  }
  return lines;
};

describe('lines', () => {
  it('are what stands between line feeds, other ends of lines included', async () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await cut('one\n\nt\u2028w\u2029o\r\nth\rree\u0085\u000b\u000c\n', size)).to.equal([
        'one',
        '',
        't\u2028w\u2029o\r',
        'th\rree\u0085\u000b\u000c',
      ]);
      expect(await cut('one\nlast', size)).to.equal(['one', 'last']);
      expect(await cut('', size)).to.equal([]);
    }
  });
});

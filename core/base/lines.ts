/** lines: the lines of a file, one at a time. */
import { createReadStream } from 'node:fs';

/**
 * Cuts pieces of text into lines. A line ends with a line feed and with nothing else: from Node.js 24 on, its own line
 * readers also cut at U+2028 and U+2029, which occur in people's texts.
 */
export async function* cutLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun: string[] = [];
  for await (const piece of pieces) {
    const [first = '', ...others] = piece.split('\n');
    begun.push(first);
    for (const next of others) {
      yield begun.join('');
      begun = [next];
    }
  }
  const last = begun.join('');
  if (last !== '') {
    yield last;
  }
}

/**
 * Lines of a UTF-8 file. A caller that stops before the last one must call `return`, as a `for await` does by itself.
 */
export function linesOf(path: string): AsyncGenerator<string> {
  return cutLines(createReadStream(path, 'utf8'));
}

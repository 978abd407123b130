/**
 * streamed-body: sends replies that are made while they are sent: short ones whole, others as a stream with
 * backpressure.
 */
import { Readable } from 'node:stream';
import { wholeBody } from './whole-body';

/** A shorter reply is sent whole, with its length. */
const WHOLE_CHARACTERS = 1_048_576;

async function* onwards(text: string, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  yield text;
  yield* pieces;
}

/**
 * @throws whatever the first pieces throw. An error in a later piece breaks the stream off, so that nobody mistakes a
 * part for the whole.
 */
export async function streamedBody(pieces: AsyncGenerator<string>): Promise<Buffer | Readable> {
  let text = '';
  while (text.length < WHOLE_CHARACTERS) {
    const next = await pieces.next();
    if (next.done === true) {
      return wholeBody(text);
    }
    text += next.value;
  }
  return Readable.from(onwards(text, pieces), { objectMode: false });
}

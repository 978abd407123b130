/**
 * lines: cuts a stream of bytes into lines. A line may be as long as a document; of a longer one, only its number is
 * returned.
 */
import { invalidFile } from './invalid-file.mjs';

const NEW_LINE = 0x0a;

/** FHIR is in UTF-8. UTF-16 is recognized by the mark at its beginning, or by bytes that no text in UTF-8 has. */
const refuseUtf16 = (bytes) => {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
    throw invalidFile('its JSON is written in UTF-16: FHIR in JSON is written in UTF-8', 'encoding');
  }
};

const textOf = (bytes, number) => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidFile(`line ${number} is not written in UTF-8`, 'encoding');
  }
};

/** @returns `{ number, text }` of each line that is not empty; without `text` if it is longer than `most` bytes */
export async function* linesOf(chunks, most) {
  let held = [];
  let length = 0;
  let number = 1;
  const line = () => (length > most ? { number } : { number, text: textOf(Buffer.concat(held), number).trim() });
  const hold = (bytes) => {
    length += bytes.length;
    // A line that is too long is read to its end and not kept.
    held = length > most ? [] : [...held, bytes];
  };
  let begins = true;
  for await (const chunk of chunks) {
    if (begins && chunk.length > 1) {
      refuseUtf16(chunk);
    }
    begins = false;
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
      hold(chunk.subarray(start, end));
      yield line();
      [held, length, start, number] = [[], 0, end + 1, number + 1];
    }
    hold(chunk.subarray(start));
  }
  yield line();
}

/** whole-body: turns the text of a reply into the bytes that are sent. */

/**
 * A reply waits until its audit row is on the disk. Meanwhile a text that was put together consists of thousands of
 * small strings, which the garbage collector copies; its bytes are a single buffer that is not copied. With this the
 * service answers a third more lists of 100 documents per second (docs/performance.md).
 */
export function wholeBody(text: string): Buffer {
  return Buffer.from(text);
}

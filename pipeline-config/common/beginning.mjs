/** beginning: reads the first bytes of a stream, and returns them with the whole stream. */

/** @returns `{ beginning, all }`; `beginning` is shorter than `count` only if the whole stream is */
export const peek = async (chunks, count) => {
  const iterator = chunks[Symbol.asyncIterator]();
  let beginning = Buffer.alloc(0);
  let done = false;
  while (beginning.length < count && !done) {
    const next = await iterator.next();
    done = next.done;
    beginning = done ? beginning : Buffer.concat([beginning, next.value]);
  }
  const all = async function* () {
    yield beginning;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      yield next.value;
    }
  };
  return { beginning, all: all() };
};

/**
 * mutations: makes inputs from the corpus with fast-check: parts are inserted, replaced, removed, repeated, flipped and
 * crossed over.
 */
import fc from 'fast-check';

type Change = {
  readonly kind: 'insert' | 'replace' | 'remove' | 'repeat' | 'flip' | 'cross';
  /** The place of the change, as a fraction of the length. */
  readonly at: number;
  readonly length: number;
  readonly piece: Uint8Array;
  readonly other: number;
};

/** Longer inputs find nothing that shorter ones do not find, and take more time. */
const LONGEST = 16_384;

const changed = (input: Buffer, { kind, at, length, piece, other }: Change, corpus: readonly Buffer[]): Buffer => {
  const place = Math.floor(at * (input.length + 1));
  const [before, after] = [input.subarray(0, place), input.subarray(place)];
  const rest = after.subarray(Math.min(length, after.length));
  switch (kind) {
    case 'insert':
      return Buffer.concat([before, piece, after]);
    case 'replace':
      return Buffer.concat([before, piece, after.subarray(Math.min(piece.length, after.length))]);
    case 'remove':
      return Buffer.concat([before, rest]);
    case 'repeat':
      return Buffer.concat([
        before,
        ...Array.from({ length: 1 + (other % 40) }, () => after.subarray(0, length)),
        rest,
      ]);
    case 'flip':
      return after.length === 0
        ? input
        : Buffer.concat([before, Buffer.from([after[0]! ^ (1 << (other % 8))]), after.subarray(1)]);
    case 'cross': {
      const mate = corpus[other % corpus.length]!;
      return Buffer.concat([before, mate.subarray(Math.floor((length / 64) * mate.length))]);
    }
  }
};

const changeOf = (words: readonly string[]): fc.Arbitrary<Change> =>
  fc.record({
    kind: fc.constantFrom('insert', 'insert', 'replace', 'remove', 'repeat', 'flip', 'cross'),
    at: fc.double({ min: 0, max: 0.999999, noNaN: true }),
    length: fc.integer({ min: 1, max: 64 }),
    piece: fc.oneof(
      fc.constantFrom(...words).map((word) => Uint8Array.from(Buffer.from(word))),
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map((text) => Uint8Array.from(Buffer.from(text))),
    ),
    other: fc.nat({ max: 1_000_000 }),
  });

/** Makes `count` inputs from the corpus. The same seed and corpus give the same inputs. */
export const mutated = (
  corpus: readonly Buffer[],
  words: readonly string[],
  seed: number,
  count: number,
): readonly Buffer[] => {
  const recipe = fc.record({
    from: fc.nat({ max: corpus.length - 1 }),
    changes: fc.array(changeOf(words), { minLength: 1, maxLength: 5, size: 'max' }),
  });
  return fc
    .sample(recipe, { seed, numRuns: count })
    .map(({ from, changes }) =>
      changes.reduce((input, change) => changed(input, change, corpus).subarray(0, LONGEST), corpus[from]!),
    );
};

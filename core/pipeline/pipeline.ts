/** pipeline: the whole life of a document, in five stages. Each returns the value with more known about it, or throws. */
import type { Identified, ReadDocument, Received, Transformed, Validated } from './steps';

export type ReadStages = {
  readonly identify: (received: Received) => Identified;
  readonly validate: (identified: Identified) => Validated;
  readonly transform: (validated: Validated) => Promise<Transformed>;
};

/** Stages one to three: what XML engines do. They run in a reader process, where nothing can be lost. */
export const readStages = ({ identify, validate, transform }: ReadStages) => async (received: Received): Promise<ReadDocument> => {
  const identified = identify(received);
  try {
    const validated = validate(identified);
    const { type, entry, facts, leftOut, ...transformed } = await transform(validated);
    return { type, entry: entry?.entry.name ?? null, fingerprint: entry?.entry.fingerprint ?? null, validated: transformed.validated, facts, leftOut };
  } finally {
    identified.document.free();
  }
};

export type Stages<Stored, Reply> = {
  /** `readStages` in a reader process: identify, validate, transform. */
  readonly read: (received: Received) => Promise<ReadDocument>;
  readonly store: (read: ReadDocument) => Promise<Stored>;
  readonly serialize: (stored: Stored) => Reply;
};

/** All five stages. Only `store` writes, in one transaction, so a document that fails anywhere leaves nothing behind. */
export const pipeline = <Stored, Reply>({ read, store, serialize }: Stages<Stored, Reply>) => async (received: Received): Promise<Reply> => {
  const transformed = await read(received);
  const stored = await store(transformed);
  return serialize(stored);
};

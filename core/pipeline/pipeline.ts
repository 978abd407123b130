/**
 * pipeline: the life of a document in five stages: identify, validate, transform, store, serialize. Each returns the value with
 * more known about it, or throws. The first three need XML engines and no database: they are here and run in a reader process.
 * document-pipeline.ts hands their result to stages/store.ts, in one transaction, and to the serializer.
 */
import { AppError } from '../base/errors';
import {
  DocumentRefused,
  type Identified,
  type ReadDocument,
  type Received,
  type Transformed,
  type Validated,
} from './steps';
import { mark } from './stage-marks';

export type ReadStages = {
  readonly identify: (received: Received) => Identified;
  readonly validate: (identified: Identified) => Validated;
  readonly transform: (validated: Validated) => Promise<Transformed>;
};

/**
 * Stages one to three. Nothing can be lost in them, because nothing is stored yet.
 * @throws DocumentRefused, and AppError before the document's kind is known
 */
export const readStages =
  ({ identify, validate, transform }: ReadStages) =>
  async (received: Received): Promise<ReadDocument> => {
    const identified = identify(received);
    try {
      mark('validate');
      const validated = validate(identified);
      mark('transform');
      const { type, entry, facts, leftOut, ...transformed } = await transform(validated);
      return {
        type,
        entry: entry?.entry.name ?? null,
        fingerprint: entry?.entry.fingerprint ?? null,
        validated: transformed.validated,
        facts,
        leftOut,
      };
    } catch (error) {
      throw error instanceof AppError ? new DocumentRefused(identified.entry?.entry.name ?? null, error) : error;
    } finally {
      identified.document.free();
    }
  };

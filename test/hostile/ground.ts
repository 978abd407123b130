/**
 * ground: the ground of the hostile cases: a service in a process of its own, with one person, one record and one app.
 */
import type { Signer } from '../../core/auth/sign';

export type Ground = {
  readonly url: string;
  readonly recordId: string;
  /** Path of the record's documents. */
  readonly documents: string;
  /** A user app with an access token for the record. */
  readonly app: Signer;
  /** The session of the record's owner. */
  readonly person: Signer;
};

export type Case = {
  readonly name: string;
  readonly bytes: (ground: Ground) => string | Buffer;
  /** Statuses that are right; 0 means that the connection was closed without a response. */
  readonly expect: readonly number[];
};

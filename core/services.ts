/**
 * services: everything that a plugin may ask for. It is built once by core/server/services.ts and passed as an
 * argument.
 */
import type { Logger } from 'pino';
import type { Admission } from './access/guarded-database';
import type { Lookups } from './access/lookups';
import type { AnonymousCalls } from './audit/anonymous-calls';
import type { AuditWriter } from './audit/writer';
import type { Authenticator } from './auth/caller';
import type { Prove } from './auth/page-key';
import type { Passwords } from './auth/passwords';
import type { Sealing } from './auth/sealing';
import type { AddressBudget } from './base/turns/address-budget';
import type { Clock } from './base/clock';
import type { Asker } from './base/turns/turns';
import type { Config } from './config/schema';
import type { Models } from './facts/model/model';
import type { Once } from './access/once';
import type { Metrics } from './metrics/metrics';
import type { Outbox } from './outbox/kind';
import type { Pipeline } from './pipeline/document-pipeline';
import type { FileTexts } from './pipeline/file-texts';
import type { PictureMaker } from './pipeline/pictures/picture-maker';
import type { DocumentReader } from './pipeline/readers/document-reader';
import type { Contents } from './sealing/contents-store';
import type { Database } from './db/database';

export type Services = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  /** The public address without a trailing slash; if no setting gives it, it is known once the server listens. */
  readonly baseUrl: () => string;
  readonly database: Database;
  readonly lookups: Lookups;
  /** Remembers what the operations of one page read; absent for calls that are no part of a page. */
  readonly once?: Once;
  readonly authenticate: Authenticator;
  readonly sealing: Sealing;
  /** Seals and opens stored contents of people. */
  readonly contents: Contents;
  readonly passwords: Passwords;
  /** Proves that this installation wrote a text that comes back from a page. */
  readonly prove: Prove;
  /** Removes a record with all that belongs to it. */ readonly forget: (recordId: string) => Promise<unknown>;
  readonly audit: AuditWriter;
  /** Limits the searches of codes, which need no credentials. */
  readonly codeSearches: AddressBudget;
  /** Whether a signature of the audit log is this installation's. */
  readonly isAuditSignature: (text: string, signature: string) => boolean;
  /** Records refused calls that nobody has signed, and only counts them when there are many. */
  readonly anonymousCalls: AnonymousCalls;
  /** Signs the rows that ended writers of the audit log left unsigned. */
  readonly signEndedChains: () => Promise<number>;
  /** Shortens old rows of refused calls that nobody has signed, some thousand at a time. */
  readonly shortenAnonymousCalls: () => Promise<number>;
  readonly reader: DocumentReader;
  /** Draws pages of files, in a process of its own. */
  readonly pictures: PictureMaker;
  /** Reads the words of stored files, in the background. */
  readonly texts: FileTexts;
  readonly pipeline: Pipeline;
  /** The models in force now; a reload replaces them. */
  readonly models: () => Models;
  readonly outbox: Outbox;
  readonly metrics: Metrics;
  /** The API reference: an OpenAPI 3.1 document of all routes, with the models and formats in force now. */
  readonly openApi: () => object;
  /** True once the service is about to end; health_ready then says so. */
  readonly stopping: () => boolean;
  /**
   * The services for one request that reads. If it writes nevertheless, the write waits for `settled`. The long reads
   * of these and of `admitting` are the asker's.
   */
  readonly after: (settled: Promise<void>, asker: Asker) => Services;
  /** The services for one request that writes: `admit` runs first in each of its transactions. */
  readonly admitting: (admit: Admission, asker: Asker) => Services;
};

/** What routes are made with. The services exist when a route is called, which is later than when it is made. */
export type LazyServices = { readonly config: Config; readonly services: () => Services };

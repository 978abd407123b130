/** steps: the document's type after each stage; each is the previous one plus what the stage found out. */
import { AppError } from '../base/errors';
import type { Fact } from '../datamodel/fact';
import type { OutlinePart } from '../fhir/outline';
import type { About } from '../storage/about';
import type { Gated } from '../xml/gate';
import type { LeftOut } from '../xml/sdmx';
import type { CompiledEntry } from './compile';

export type { LeftOut } from '../xml/sdmx';

/** What a creating call hands over: the body as received. */
export type Received = { readonly bytes: Buffer };

/** After `identify`: it is XML that may come in, and this is its kind. An unknown kind has no entry. */
export type Identified = Received & {
  readonly document: Gated;
  /** Namespace plus root name with the `#` rule of specification 2.6; the bare root name without a namespace. */
  readonly type: string;
  readonly entry: CompiledEntry | null;
};

/** After `validate`: true when a schema was there and the document passed it. */
export type Validated = Identified & { readonly validated: boolean };

/** After `transform`: what the document says, in the words of the data models. */
export type Transformed = Validated & {
  readonly facts: readonly Fact[];
  readonly leftOut: readonly LeftOut[];
  /** What it says that it is as a whole. */ readonly about?: About;
};

/**
 * A document after identify, validate and transform: all that is known of it without a database.
 * Plain data, because it crosses from a reader process.
 */
export type ReadDocument = Pick<Transformed, 'type' | 'validated' | 'facts' | 'leftOut' | 'about'> & {
  /** Name of the pipeline-config entry, null for a type that none is registered for. */
  readonly entry: string | null;
  /** Of a FHIR document that has identifiers: its resources. */
  readonly outline?: readonly OutlinePart[];
  /** Digest over schema, stylesheet and models of the entry: what `svc reprocess` compares. */
  readonly fingerprint: string | null;
};

/** A document whose kind is known was refused. */
export class DocumentRefused extends AppError {
  /** @param entry name of the pipeline-config entry, null for a type that none is registered for */
  constructor(
    readonly entry: string | null,
    { status, code, message, details, headers }: Omit<AppError, 'name'>,
  ) {
    super(status, code, message, details, headers);
  }
}

/** steps: the document's type after each stage; each type is the previous one plus what the stage found out. */
import { AppError } from '../base/errors';
import type { Fact } from '../facts/model/fact';
import type { Tree } from '../fhir/from-xml';
import type { KeptResource } from '../fhir/kept';
import type { OutlinePart } from '../fhir/outline';
import type { About } from '../facts/about';
import type { Source, TakenBack } from '../facts/sent';
import type { Gated } from '../xml/gate';
import type { LeftOut } from '../base/left-out';
import type { CompiledEntry } from './compile';

export type { LeftOut } from '../base/left-out';

/** The input of a creating call: the body as received. */
export type Received = {
  readonly bytes: Buffer;
  /** A FHIR resource that stands alone and is not as R4 has it is refused, instead of being left out. */
  readonly strict?: boolean;
};

/** After `identify`: the document is acceptable XML, and its kind is known. An unknown kind has no entry. */
export type Identified = Received & {
  readonly document: Gated;
  /** Namespace plus root name with the `#` rule of specification 2.6; the bare root name without a namespace. */
  readonly type: string;
  readonly entry: CompiledEntry | null;
  /** What of the document is not read, because it is not as its format has it. */
  readonly unread?: readonly LeftOut[];
  /** The narratives of a document in JSON as they were written. */
  readonly divs?: readonly string[];
};

/** After `validate`: `validated` is true when there was a schema and the document passed it. */
export type Validated = Identified & {
  readonly validated: boolean;
  /** The document is one resource that was left out: nothing of it becomes a fact. */
  readonly isLeftOut?: boolean;
};

/** After `transform`: the facts of the document, as the data models define them. */
export type Transformed = Validated & {
  readonly facts: readonly Fact[];
  readonly leftOut: readonly LeftOut[];
  /** What the document says of itself as a whole. */ readonly about?: About;
  /** What it says of its sender and its earlier versions. */ readonly source?: Source;
  /** Statements that their sender took back. */ readonly takenBack?: readonly TakenBack[];
  /** A Bundle of FHIR of what it states and no model holds. */ readonly stated?: Tree;
};

/**
 * A document after identify, validate and transform: everything that is known of it without a database. Plain data,
 * because a reader process sends it.
 */
export type ReadDocument = Pick<
  Transformed,
  'type' | 'validated' | 'facts' | 'leftOut' | 'about' | 'source' | 'takenBack'
> & {
  /** Name of the pipeline-config entry, null for a type without an entry. */
  readonly entry: string | null;
  /** The resources of a FHIR document that are kept as they came; absent for other documents. */
  readonly kept?: readonly KeptResource[];
  /** What another document states and no model holds, as resources beside those of its facts. */
  readonly beside?: readonly KeptResource[];
  /** The resources of a FHIR document that has identifiers. */
  readonly outline?: readonly OutlinePart[];
  /** Facts that a person left out of the record, which are not among `facts`, and their resources, not among `kept`. */
  readonly withheld?: readonly Fact[];
  readonly unkept?: readonly KeptResource[];
  /** Digest over schema, stylesheet and models of the entry: what `svc reprocess` compares. */
  readonly fingerprint: string | null;
};

/** The refusal of a document whose kind is known. */
export class DocumentRefused extends AppError {
  /** @param entry name of the pipeline-config entry, null for a type without an entry */
  constructor(
    readonly entry: string | null,
    { status, code, message, details, headers }: Omit<AppError, 'name'>,
  ) {
    super(status, code, message, details, headers);
  }
}

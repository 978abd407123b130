/** ledger: what the callers sent, what they were told, and what they cannot know because no answer came. */
export type Told = {
  /** The specification's name of the call. */
  readonly call: string;
  /** Column of the audit row that finds this very request. */
  readonly column: 'external_id' | 'message_id' | 'document_id';
  readonly value: string;
  readonly status: number;
};

export type KnownDocument = {
  readonly id: string;
  readonly recordId: string;
  readonly body: string;
  readonly externalId: string | null;
  /** Id of the acknowledged successor; `maybe` when the answer to a replace got lost. */
  replacedBy?: string;
  /** Acknowledged status; undefined when the answer to a change got lost. */
  status: 'active' | 'void' | 'archived' | undefined;
  /** What was done to it and what was answered, for the report of a fault. */
  readonly history: string[];
};

export type Ledger = {
  readonly documents: Map<string, KnownDocument>;
  /** Every answer that arrived. */
  readonly told: Told[];
  /** Message ids that were acknowledged. */
  readonly messages: Set<string>;
  /** App documents by external id. */
  readonly appDocuments: Map<string, string>;
  /** Answers that no rule allows. */
  readonly surprises: string[];
  /** Writes that were acknowledged. */
  acknowledged: number;
  /** Writes whose outcome is not known, repeated later under the same id. */
  unknown: number;
  /** Answers of 503. */
  refused: number;
  /** How often a full disk made the service answer 503. */
  noticedFull: number;
  /** How often the power was cut so far. */
  powerCuts: number;
};

export const newLedger = (): Ledger => ({
  documents: new Map(),
  told: [],
  messages: new Set(),
  appDocuments: new Map(),
  surprises: [],
  acknowledged: 0,
  unknown: 0,
  refused: 0,
  noticedFull: 0,
  powerCuts: 0,
});

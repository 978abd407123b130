/** ledger: what the callers sent, which responses they got, and what they cannot know because no response came. */
export type Told = {
  /** The specification's name of the call. */
  readonly call: string;
  /** Column of the audit row that identifies this request. */
  readonly column: 'external_id' | 'message_id' | 'document_id';
  readonly value: string;
  readonly status: number;
  /** When the answer came, and what it said. */ readonly said: string;
};

export type KnownDocument = {
  readonly id: string;
  readonly recordId: string;
  readonly body: string;
  readonly externalId: string | null;
  /** Id of the acknowledged successor; `maybe` when the response to a replace got lost. */
  replacedBy?: string;
  /** Acknowledged status; undefined when the response to a change got lost. */
  status: 'active' | 'void' | 'archived' | undefined;
  /** All changes and their responses, for the report of a fault. */
  readonly history: string[];
};

export type Ledger = {
  readonly documents: Map<string, KnownDocument>;
  /** Every response that arrived. */
  readonly told: Told[];
  /** Acknowledged message ids. */
  readonly messages: Set<string>;
  /** App documents by external id. */
  readonly appDocuments: Map<string, string>;
  /** Responses that no rule allows. */
  readonly surprises: string[];
  /** Number of acknowledged writes. */
  acknowledged: number;
  /** Number of writes whose outcome is unknown; they are repeated later under the same id. */
  unknown: number;
  /** Number of 503 responses. */
  refused: number;
  /** How many times a full disk made the service respond with 503. */
  noticedFull: number;
  /** How many times the power was cut. */
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

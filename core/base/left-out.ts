/** left-out: what a document has and no fact says. */

/** A kind of entry that was left out, why, and how many there were. */
export type LeftOut = {
  readonly model: string;
  readonly reason: string;
  readonly count: number;
  /** The place in the document, such as a section or a kind of resource. */ readonly where?: string;
  /** The reason in words for people. */ readonly words?: string;
};

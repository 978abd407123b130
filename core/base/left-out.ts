/** left-out: what a document has and no fact says. */

/** A kind of entry that was left out, why, and how many there were. */
export type LeftOut = {
  readonly model: string;
  readonly reason: string;
  readonly count: number;
  /** The place in the document, such as a section or a kind of resource. */ readonly where?: string;
  /** The reason in words for people. */ readonly words?: string;
  /**
   * Numbers, from 1, of the document's parts that it tells of, once each time; absent where the transform does not say.
   */
  readonly parts?: readonly number[];
};

/** The reason for what a person left out of the record. */
export const BY_PERSON = 'by_person';

/** What is kept of it with the document, as JSON: the parts are for who sent it; null for nothing. */
export function storedLeftOut(all: readonly LeftOut[]): string | null {
  return all.length === 0 ? null : JSON.stringify(all.map(({ parts: _, ...told }) => told));
}

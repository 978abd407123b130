/** invalid-file: the refusal of a file that is not what it should be. */

/** A file that is not what it should be. The words are shown to the person who sent it, and are never logged. */
export class InvalidFile extends Error {
  readonly code = 'invalid_file';

  /** @param reason a keyword for the reason, which a page can turn into a sentence in another language */
  constructor(
    words: string,
    readonly reason?: 'columns' | 'dates' | 'encoding' | 'values' | 'people' | 'large',
  ) {
    super(words);
  }
}

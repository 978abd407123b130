/** full-name: checks the name of a person, which is one line of at most 150 characters. */
export const LONGEST_NAME = 150;
export const ONE_LINE = /^\P{Cc}*$/u;

/**
 * Whether a text is one line. An empty text is one, too: where a name is required, the caller checks that in addition.
 */
export function isOneLine(text: string, most: number): boolean {
  return [...text].length <= most && ONE_LINE.test(text);
}

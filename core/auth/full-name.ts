/** full-name: what the name of a person may be: one line of at most 150 characters. */
export const LONGEST_NAME = 150;
export const ONE_LINE = /^\P{Cc}*$/u;

/** An empty text is one, too: whoever needs a name asks for it beside this. */
export const isOneLine = (text: string, most: number): boolean => [...text].length <= most && ONE_LINE.test(text);

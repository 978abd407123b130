/**
 * invalid-file: refuses a file. The words go to the person who gave the file; for a `reason` the website has a sentence
 * of its own.
 */
export const invalidFile = (words, reason) => Object.assign(new Error(words), { code: 'invalid_file', reason });

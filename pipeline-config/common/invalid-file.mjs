/** invalid-file: a refusal whose words go to the person who gave the file; for a `reason` the website has a sentence. */
export const invalidFile = (words, reason) => Object.assign(new Error(words), { code: 'invalid_file', reason });

/** invalid-file: a refusal whose words go to the person who gave the file. */
export const invalidFile = (words) => Object.assign(new Error(words), { code: 'invalid_file' });

/**
 * suspect: recognizes files that were made to do harm. They unpack to more than a hundred million bytes and to more
 * than 300 times their size; a real export is some 30 times as large.
 */
const SUSPECT_BYTES = 100_000_000;
const SUSPECT_RATIO = 300;

/**
 * @param unpacked how many bytes were unpacked so far
 * @param packed from how many bytes
 */
export const isSuspect = (unpacked, packed) => unpacked > Math.max(SUSPECT_BYTES, packed * SUSPECT_RATIO);

/**
 * suspect: what unpacks to more than a hundred million bytes, and to more than 300 times its size, is made to do harm; a
 * real export is some 30 times as large.
 */
const SUSPECT_BYTES = 100_000_000;
const SUSPECT_RATIO = 300;

/** @param unpacked bytes so far, out of as many `packed` ones */
export const isSuspect = (unpacked, packed) => unpacked > Math.max(SUSPECT_BYTES, packed * SUSPECT_RATIO);

/** picture-kind: which files have pictures, from their bytes alone (pure). */
import { sniffMediaType } from './sniff';

/** How the pages of a file are drawn. */
export type PictureKind = 'pdf' | 'jpeg' | 'png' | 'gif' | 'webp' | 'heic' | 'tiff';

const KINDS: Readonly<Record<string, PictureKind>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/** Brands of photos that telephones take (HEIF with HEVC). */
const HEIC = /^ftyp(?:heic|heix|heim|heis|mif1|msf1)/;
const TIFF = /^(?:II\*\0|MM\0\*)/;

/** Undefined for a file that has no picture. */
export function pictureKindOf(bytes: Uint8Array): PictureKind | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (HEIC.test(start.slice(4))) {
    return 'heic';
  }
  return TIFF.test(start) ? 'tiff' : KINDS[sniffMediaType(bytes) ?? ''];
}

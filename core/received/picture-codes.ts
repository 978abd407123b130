/**
 * picture-codes: reads the QR codes in a picture (PNG or JPEG). It runs in a reader process, because a picture is
 * somebody else's, and what reads it is WebAssembly.
 */
import { readFileSync } from 'node:fs';
import { inProject } from '../base/paths';

/** A picture of a telephone has some 12 million dots; each needs some bytes when it is unpacked. */
const MOST_DOTS = 40_000_000;
const MOST_CODES = 50;

type Size = { readonly width: number; readonly height: number };

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_HEADER = 24;

/** Markers of JPEG that begin a frame, which has the size; those between are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (isFrame(marker)) {
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The size of a picture as it says itself; undefined for what is neither PNG nor JPEG. */
function pixelSize(bytes: Buffer): Size | undefined {
  if (bytes.length > PNG_HEADER && bytes.subarray(0, PNG.length).equals(PNG)) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  return bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(bytes) : undefined;
}

/** Whether this is a picture in which codes are looked for. */
export function mayHoldCodes(bytes: Buffer): boolean {
  const size = pixelSize(bytes);
  return size !== undefined && size.width * size.height <= MOST_DOTS;
}

let opening: Promise<typeof import('zxing-wasm/reader')> | undefined;

async function openCodeReader(): Promise<typeof import('zxing-wasm/reader')> {
  const zxing = await import('zxing-wasm/reader');
  const wasmBinary = readFileSync(inProject('node_modules', 'zxing-wasm', 'dist', 'reader', 'zxing_reader.wasm'));
  // Without the file it would be fetched from somewhere.
  zxing.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer } });
  return zxing;
}

/** The texts of the codes in a picture; none for anything else. */
export async function codesInPicture(bytes: Buffer): Promise<readonly string[]> {
  if (!mayHoldCodes(bytes)) {
    return [];
  }
  opening ??= openCodeReader();
  const { readBarcodes } = await opening;
  const found = await readBarcodes(new Uint8Array(bytes), {
    formats: ['QRCode'],
    tryHarder: true,
    maxNumberOfSymbols: MOST_CODES,
  });
  return found.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/** icon: the icon of the site, as a drawing and as pictures for the screen of a telephone (pure). */
import { deflateSync } from 'node:zlib';

export const iconDrawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="4" ' +
  'fill="#07474e"/><path d="M9 4v16M12 8h7M12 12h5M12 16h7M5 8h1.5M5 12h1.5M5 16h1.5" stroke="#fff" ' +
  'stroke-width="2" fill="none"/></svg>';

export const GROUND = '#07474e';

/** The strokes of the drawing as boxes: left, top, right, bottom, of 24. */
const strokes: readonly (readonly [number, number, number, number])[] = [
  [8, 4, 10, 20],
  [12, 7, 19, 9],
  [12, 11, 17, 13],
  [12, 15, 19, 17],
  [5, 7, 6.5, 9],
  [5, 11, 6.5, 13],
  [5, 15, 6.5, 17],
];
const [SIDE, MARGIN] = [24, 4];
const [INK, BACK] = [
  [0xff, 0xff, 0xff],
  [0x07, 0x47, 0x4e],
];

const remainders = Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value >>> 0;
});

function checksumOf(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum = remainders[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  }
  return (sum ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(checksumOf(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * The icon as a PNG of so many pixels a side, filled to its edges, because telephones cut their own shape out of it.
 * The margin around the drawing is what they may cut away.
 */
export function iconPicture(size: number): Buffer {
  const scale = (SIDE + 2 * MARGIN) / size;
  const row = (y: number): Buffer => {
    const at = (y + 0.5) * scale - MARGIN;
    const here = strokes.filter(([, top, , bottom]) => at >= top && at < bottom);
    const pixels = Array.from({ length: size }, (_, x) => {
      const across = (x + 0.5) * scale - MARGIN;
      return here.some(([left, , right]) => across >= left && across < right) ? INK! : BACK!;
    });
    // Each row begins with the kind of its filter, which is none.
    return Buffer.from([0, ...pixels.flat()]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, (_, y) => row(y))), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

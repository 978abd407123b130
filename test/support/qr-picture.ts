/** qr-picture: a QR code as a picture in the format PNG. */
import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A grey picture of rows of bytes. @param size what its header says, if that is not so */
export function pngOf(rows: readonly Buffer[], size = { width: rows[0]!.length, height: rows.length }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size.width, 0);
  header.writeUInt32BE(size.height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const content = deflateSync(Buffer.concat(rows.flatMap((row) => [Buffer.alloc(1), row])));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', content),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const DOTS = 4;

/** A picture of the code of a text, with four dots for each square. */
export function qrPicture(text: string): Buffer {
  const { data } = encode(text, { ecc: 'L', border: 4 });
  const rows = data.flatMap((row) => {
    const line = Buffer.concat(row.map((dark) => Buffer.alloc(DOTS, dark ? 0 : 255)));
    return Array.from({ length: DOTS }, () => line);
  });
  return pngOf(rows);
}

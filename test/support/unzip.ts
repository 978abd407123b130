/** unzip: reads the files of a ZIP in memory by its list of contents, for tests. */
import { crc32, inflateRawSync } from 'node:zlib';

const LISTED = 0x02014b50;
const END = 0x06054b50;
const DEFLATED = 8;

/** Path -> bytes. @throws Error for a file whose bytes are not those of its checksum */
export function unzip(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from(Uint32Array.of(END).buffer));
  let at = bytes.readUInt32LE(end + 16);
  while (bytes.readUInt32LE(at) === LISTED) {
    const [way, sum, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const path = bytes.subarray(at + 46, at + 46 + name).toString('utf8');
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const stored = bytes.subarray(from, from + size);
    const content = way === DEFLATED ? inflateRawSync(stored) : stored;
    if (crc32(content) !== sum) {
      throw new Error(`${path} is damaged`);
    }
    files.set(path, content);
    at += 46 + name + extra + comment;
  }
  return files;
}

/**
 * zip: reads the members of a ZIP archive one after another, as their bytes arrive. It never reads backwards, so a
 * stream is enough.
 */
import { crc32, createInflateRaw } from 'node:zlib';
import { invalidFile } from './invalid-file.mjs';
import { isSuspect } from './suspect.mjs';

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_ARCHIVE = 0x06054b50;
const END_64 = 0x06064b50;
const DESCRIPTOR = 0x08074b50;
const AFTER_A_MEMBER = [LOCAL_HEADER, CENTRAL_HEADER, END_OF_ARCHIVE, END_64];

const STORED = 0;
const DEFLATED = 8;
/** At most this many bytes go into the inflater at once, because they may produce a thousand times as many. */
const PIECE = 16_384;
const MOST_MEMBERS = 500_000;
/** Reads as many bytes of a stream at a time as the caller asks for. */
class Bytes {
  #chunks;
  #rest = Buffer.alloc(0);

  constructor(chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Up to `most` bytes; none at the end. */
  async some(most) {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) {
        return this.#rest;
      }
      this.#rest = Buffer.from(value);
    }
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /**
   * Exactly this many bytes.
   * @throws when the stream ends before
   */
  async exactly(count) {
    const parts = [];
    for (let left = count; left > 0; left -= parts.at(-1).length) {
      const part = await this.some(left);
      if (part.length === 0) {
        throw invalidFile('the archive ends in the middle');
      }
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  unread(bytes) {
    this.#rest = Buffer.concat([bytes, this.#rest]);
  }
}

/**
 * The sizes of a member. The extra field has those of 4 GB and more, for which the header has 0xffffffff, in this
 * order.
 */
const sizesOf = (header, extra) => {
  const sizes = { unpacked: header.readUInt32LE(22), packed: header.readUInt32LE(18) };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1) {
      const large = ['unpacked', 'packed'].filter((size) => sizes[size] === 0xffffffff);
      large.forEach((size, index) => {
        const place = at + 4 + 8 * index;
        sizes[size] = place + 8 <= extra.length ? Number(extra.readBigUInt64LE(place)) : sizes[size];
      });
      break;
    }
  }
  return sizes;
};

const readHeader = async (bytes) => {
  const header = await bytes.exactly(30);
  const name = (await bytes.exactly(header.readUInt16LE(26))).toString('utf8');
  const extra = await bytes.exactly(header.readUInt16LE(28));
  const flags = header.readUInt16LE(6);
  if (flags & 1) {
    throw invalidFile('the archive is locked with a password: unpack it with the password and give what is in it', 'locked');
  }
  const method = header.readUInt16LE(8);
  const member = { name, method, follows: (flags & 8) !== 0, crc: header.readUInt32LE(14), ...sizesOf(header, extra) };
  if (![STORED, DEFLATED].includes(method) || (method === STORED && member.follows)) {
    throw invalidFile('the archive is packed in a way that is not known here');
  }
  return member;
};

async function* storedBytes(bytes, { packed }) {
  for (let left = packed; left > 0;) {
    const piece = await bytes.exactly(Math.min(left, PIECE));
    left -= piece.length;
    yield piece;
  }
}

/** The inflater knows where its data ends. Bytes that it did not use belong to what follows. */
async function* inflatedBytes(bytes, count) {
  const inflater = createInflateRaw();
  const ready = [];
  inflater.on('data', (piece) => ready.push(piece));
  try {
    for (;;) {
      const piece = await bytes.some(PIECE);
      if (piece.length === 0) {
        throw invalidFile('the archive ends in the middle');
      }
      const before = inflater.bytesWritten;
      await new Promise((resolve, reject) => {
        inflater.once('error', () => reject(invalidFile('the archive is damaged')));
        inflater.write(piece, (error) => (error ? undefined : resolve()));
      });
      inflater.removeAllListeners('error');
      const taken = inflater.bytesWritten - before;
      count.packed += taken;
      yield* ready.splice(0);
      if (taken < piece.length) {
        bytes.unread(piece.subarray(taken));
        return;
      }
    }
  } finally {
    inflater.on('error', () => undefined);
    inflater.destroy();
  }
}

/**
 * Reads the checksum and sizes after a member: with or without a signature, and each size in four or in eight bytes.
 * @returns the checksum
 */
const readDescriptor = async (bytes, { packed }) => {
  const after = await bytes.exactly(28);
  for (const [length, crcAt, packedAt] of [
    [16, 4, 8],
    [24, 4, 8],
    [12, 0, 4],
    [20, 0, 4],
  ]) {
    const marked = crcAt === 0 || after.readUInt32LE(0) === DESCRIPTOR;
    if (marked && after.readUInt32LE(packedAt) === packed % 2 ** 32 && AFTER_A_MEMBER.includes(after.readUInt32LE(length))) {
      bytes.unread(after.subarray(length));
      return after.readUInt32LE(crcAt);
    }
  }
  throw invalidFile('the archive is damaged');
};

async function* contentsOf(bytes, member) {
  const count = { packed: 0, unpacked: 0 };
  let crc = 0;
  for await (const piece of member.method === STORED ? storedBytes(bytes, member) : inflatedBytes(bytes, count)) {
    crc = crc32(piece, crc);
    count.unpacked += piece.length;
    if (member.method === DEFLATED && isSuspect(count.unpacked, count.packed)) {
      throw invalidFile('a file in it unpacks to far more than a file about health has');
    }
    yield piece;
  }
  const told = member.follows ? await readDescriptor(bytes, count) : member.crc;
  if (told !== crc || (!member.follows && member.method === DEFLATED && count.packed !== member.packed)) {
    throw invalidFile('the archive is damaged');
  }
}

/**
 * The members in their order, with `name` and `contents`. The caller need not read `contents`, a stream, but cannot
 * read it later.
 * @throws invalid_file when the archive is locked, damaged, cut off or made to unpack without end
 */
export async function* membersOf(chunks) {
  const bytes = new Bytes(chunks);
  for (let count = 0; ; count += 1) {
    const mark = await bytes.exactly(4);
    bytes.unread(mark);
    if (mark.readUInt32LE(0) !== LOCAL_HEADER) {
      if (AFTER_A_MEMBER.includes(mark.readUInt32LE(0))) {
        return;
      }
      throw invalidFile('the archive is damaged');
    }
    if (count === MOST_MEMBERS) {
      throw invalidFile('there are too many files in it');
    }
    const member = await readHeader(bytes);
    const contents = contentsOf(bytes, member);
    yield { name: member.name, contents };
    // Skips what the caller has not read.
    for await (const piece of contents) {
      void piece;
    }
  }
}

/** All bytes of a member, or undefined when it is larger than `most`. */
export const whole = async (contents, most) => {
  const parts = [];
  let length = 0;
  for await (const piece of contents) {
    length += piece.length;
    if (length <= most) {
      parts.push(piece);
    } else {
      parts.length = 0;
    }
  }
  return length <= most ? Buffer.concat(parts) : undefined;
};

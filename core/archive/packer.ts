/**
 * packer: writes the files of an archive one after the other as a stream of bytes, and their digests into the manifest.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Header } from 'tar';
import { sha256 } from '../base/ids';
import { MANIFEST_FILE } from './format';

const BLOCK = 512;
/** JSON lines are collected into pieces of this size before they are written. */
const PIECE = 65_536;

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/**
 * A tar entry must say its size before its bytes, so files whose size is not known are written to the scratch folder
 * first. Only one piece is held in memory.
 */
export class Packer {
  files = 0;
  private readonly manifest: string;

  /**
   * @param folder the one folder of the archive
   * @param scratch an empty folder on disk that the caller removes
   */
  constructor(
    private readonly folder: string,
    private readonly scratch: string,
    private readonly now: Date,
  ) {
    this.manifest = join(scratch, 'manifest');
  }

  private header(name: string, size: number): Buffer {
    const header = new Header({
      path: `${this.folder}/${name}`,
      size,
      mode: 0o600,
      mtime: this.now,
      type: 'File',
      uid: 0,
      gid: 0,
    });
    if (header.encode() || !header.block) {
      throw new Error(`the archive has no place for a file called ${name}`);
    }
    return header.block;
  }

  private list(name: string, digest: string): void {
    this.files += 1;
    appendFileSync(this.manifest, `${digest}  ${name}\n`, { mode: 0o600 });
  }

  /** Writes a file whose bytes are in memory. */
  *bytes(name: string, content: Buffer): Generator<Buffer> {
    yield this.header(name, content.length);
    yield content;
    yield padding(content.length);
    this.list(name, sha256(content));
  }

  /** Writes a file of lines. */
  async *lines(name: string, lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
    const path = join(this.scratch, 'lines');
    const hash = createHash('sha256');
    const file = await open(path, 'w', 0o600);
    let size = 0;
    let piece = '';
    const flush = async (): Promise<void> => {
      const bytes = Buffer.from(piece);
      piece = '';
      hash.update(bytes);
      size += bytes.length;
      await file.writeFile(bytes);
    };
    try {
      for await (const line of lines) {
        piece += `${line}\n`;
        if (piece.length > PIECE) {
          await flush();
        }
      }
      await flush();
    } finally {
      await file.close();
    }
    yield this.header(name, size);
    yield* createReadStream(path) as AsyncIterable<Buffer>;
    yield padding(size);
    await rm(path);
    this.list(name, hash.digest('hex'));
  }

  /**
   * Writes the manifest and the end of the archive.
   * @returns the digest of the manifest
   */
  async *end(): AsyncGenerator<Buffer, string> {
    const hash = createHash('sha256');
    const { size } = await stat(this.manifest);
    yield this.header(MANIFEST_FILE, size);
    for await (const piece of createReadStream(this.manifest) as AsyncIterable<Buffer>) {
      hash.update(piece);
      yield piece;
    }
    yield padding(size);
    yield Buffer.alloc(2 * BLOCK);
    return hash.digest('hex');
  }
}

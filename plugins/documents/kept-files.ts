/**
 * kept-files: a file that a person looks at before they add it. It is kept sealed for half an hour, for their session
 * and one record.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { toTimestamp } from '../../core/base/clock';
import { newToken } from '../../core/base/ids';
import type { Id } from '../../core/base/types';
import type { Principal } from '../../core/auth/principal';
import { PART_BYTES } from '../../core/documents/parts-store';
import { formHash, sessionOf } from '../../core/files/form-hash';
import type { Services } from '../../core/services';
import * as formStore from '../../core/records/forms-store';

/** The name and the media type that a browser sends with a file. */
export type FileInfo = { readonly name: string; readonly mediaType: string };

export type KeptFile = FileInfo & {
  readonly bytes: Buffer;
  /** It could not be read, and is to be kept as a file. */ readonly asFile?: boolean;
  /** The host that it was fetched from by a link. */ readonly from?: string;
  /** What the person has to confirm before it is added: that it is about somebody else, that its signature is wrong. */
  readonly asks?: readonly Asked[];
};

export type Asked = 'other' | 'signature';

const KEPT_MILLISECONDS = 1_800_000;

const LINE = 0x0a;

/** What is kept beside the bytes of a file. `size`: how many there are. */
type Info = Omit<KeptFile, 'bytes'> & { readonly size?: number };

/**
 * The parts of a kept file, each sealed. The first line of the first one has the name and the media type as JSON; the
 * bytes of the file follow.
 */
async function sealedParts({ sealing }: Services, { bytes, ...file }: KeptFile): Promise<readonly Buffer[]> {
  const info: Info = { ...file, size: bytes.length };
  const head = Buffer.from(`${JSON.stringify(info)}\n`);
  const parts = [sealing.sealBytes(Buffer.concat([head, bytes.subarray(0, PART_BYTES)]))];
  for (let from = PART_BYTES; from < bytes.length; from += PART_BYTES) {
    await breathe();
    parts.push(sealing.sealBytes(bytes.subarray(from, from + PART_BYTES)));
  }
  return parts;
}

/** Undefined when a part of it is gone. @param first its first part, opened */
async function unpacked(
  first: Buffer,
  readPart: (part: number) => Promise<Buffer | undefined>,
): Promise<KeptFile | undefined> {
  const end = first.indexOf(LINE);
  const { size = 0, ...info } = JSON.parse(first.subarray(0, end).toString('utf8')) as Info;
  const parts = [first.subarray(end + 1)];
  let length = parts[0]!.length;
  while (length < size) {
    const part = await readPart(parts.length);
    if (part === undefined || part.length === 0) {
      return undefined;
    }
    parts.push(part);
    length += part.length;
  }
  return { ...info, bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts) };
}

/** @returns the token of the form that adds the file */
export async function keepFile(
  services: Services,
  principal: Principal,
  recordId: Id,
  file: KeptFile,
): Promise<string> {
  const { database, clock } = services;
  const token = newToken();
  const now = clock.now();
  const parts = await sealedParts(services, file);
  await database.transaction((trx) =>
    formStore.keepFile(trx, {
      formHash: formHash(principal, recordId, token),
      sessionHash: sessionOf(principal),
      recordId,
      parts,
      keptAt: toTimestamp(now),
      expiresAt: toTimestamp(now + KEPT_MILLISECONDS),
    }),
  );
  return token;
}

/** Undefined when it was added, when it is older than half an hour, and for another session or record. */
export async function findKept(
  { database, clock, sealing }: Services,
  principal: Principal,
  recordId: Id,
  token: string,
): Promise<KeptFile | undefined> {
  const hash = formHash(principal, recordId, token);
  const readPart = async (part: number): Promise<Buffer | undefined> => {
    const sealed = await formStore.findKeptPart(database.reads, hash, part, toTimestamp(clock.now()));
    return sealed && sealing.openBytes(sealed);
  };
  const first = await readPart(0);
  return first && unpacked(first, readPart);
}

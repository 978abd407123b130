/**
 * kept-files: a file that a person looks at before they add it. It is kept sealed for half an hour, for their session
 * and one record.
 */
import { toTimestamp } from '../../core/base/clock';
import { newToken } from '../../core/base/ids';
import type { Id } from '../../core/base/types';
import type { Principal } from '../../core/auth/principal';
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

/** The first line has the name and the media type as JSON; the bytes of the file follow. */
function packed({ bytes, ...info }: KeptFile): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(info)}\n`), bytes]);
}

function unpacked(content: Buffer): KeptFile {
  const end = content.indexOf(LINE);
  const info = JSON.parse(content.subarray(0, end).toString('utf8')) as Omit<KeptFile, 'bytes'>;
  return { ...info, bytes: content.subarray(end + 1) };
}

/** @returns the token of the form that adds the file */
export async function keepFile(
  { database, clock, sealing }: Services,
  principal: Principal,
  recordId: Id,
  file: KeptFile,
): Promise<string> {
  const token = newToken();
  const now = clock.now();
  const content = sealing.sealBytes(packed(file));
  await database.write((trx) =>
    formStore.keepFile(trx, {
      formHash: formHash(principal, recordId, token),
      sessionHash: sessionOf(principal),
      recordId,
      content,
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
  const sealed = await formStore.findKeptFile(
    database.reads,
    formHash(principal, recordId, token),
    toTimestamp(clock.now()),
  );
  return sealed && unpacked(sealing.openBytes(sealed));
}

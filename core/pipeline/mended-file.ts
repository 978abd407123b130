/**
 * mended-file: reads a file that a person or the operator gives. If it is not quite XML or one resource in JSON, it is
 * mended where nothing has to be guessed, and read once more. What programs send to the interface is read as it is.
 */
import { AppError } from '../base/errors';
import { readableJson, severalResources } from '../files/readable-json';
import { isLongParameters } from '../files/bundle-inside';
import { isParametersXml } from '../files/parameters-xml';
import { fromRoot, textAtStart } from '../files/sniff';
import { looksLikeJson } from '../fhir/json-to-xml';
import { isMisdeclared } from '../xml/mend';
import { lacksNamespace } from '../xml/prefixes';
import type { DocumentReader } from './readers/document-reader';

function isDamaged(error: unknown): error is AppError {
  return error instanceof AppError && error.details.some(({ kind }) => kind === 'damaged');
}

type ReadFile<Done> = {
  /** The bytes that were read: those of the file, or the mended ones. */ readonly bytes: Buffer;
  readonly done: Done;
};

/**
 * @param owner the principal for whom the file is mended
 * @param read reads or stores the bytes; called again with the mended ones if it refuses the file as damaged
 * @throws as `read`, with its first refusal if the file cannot be mended
 */
export async function readMended<Done>(
  { mend }: Pick<DocumentReader, 'mend'>,
  bytes: Buffer,
  owner: string | undefined,
  read: (bytes: Buffer) => Promise<Done>,
): Promise<ReadFile<Done>> {
  const instead =
    isMisdeclared(bytes) ||
    isParametersXml(bytes) ||
    isLongParameters(bytes) ||
    lacksNamespace(fromRoot(textAtStart(bytes)))
      ? await mend(bytes, owner)
      : readableJson(bytes);
  const first = instead ?? bytes;
  try {
    return { bytes: first, done: await read(first) };
  } catch (error) {
    if (!isDamaged(error)) {
      throw error;
    }
    const again = (): Promise<Buffer | undefined> => (instead ? Promise.resolve(undefined) : mend(bytes, owner));
    const mended = looksLikeJson(first) ? severalResources(first) : await again();
    if (!mended) {
      throw error;
    }
    return { bytes: mended, done: await read(mended) };
  }
}

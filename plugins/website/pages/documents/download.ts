/** download: sends a stored document as a file to keep, which browsers never show as a page of this site. */
import type { Answer, Visit } from '../../http/page';

const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/[+/]json\b/, 'json'],
  [/[+/]xml\b/, 'xml'],
  [/^text\//, 'txt'],
];

/** The ending of a file's name for a media type, without the dot. */
export function endingFor(mediaType: string): string {
  return EXTENSIONS.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'bin';
}

/**
 * The file that the document contains, else the document as it was stored. @param name the name for a document that
 * contains no file
 */
export async function fileToKeep(
  visit: Pick<Visit, 'fileIn'>,
  { content, mediaType }: { readonly content: Buffer; readonly mediaType: string },
  name: string,
): Promise<Answer> {
  const held = await visit.fileIn(content);
  if (held) {
    return { kind: 'file', body: held.bytes, type: held.mediaType, name: held.name };
  }
  const plain = name.replace(/[^\p{L}\p{N} ._-]+/gu, ' ').replace(/\s+/g, ' ');
  return { kind: 'file', body: content, type: mediaType, name: `${plain.trim()}.${endingFor(mediaType)}` };
}

/** file-types: what kind of file something is, in words (pure). */
import type { ListedFile } from '../../../../core/files/held-file';
import type { Words } from '../../words/words';

const TYPES: Readonly<Record<string, string>> = {
  'application/pdf': 'add.file-pdf',
  'application/rtf': 'add.file-rtf',
  'text/plain': 'add.file-text',
};

export function fileTypeWords({ mediaType, isDocument, isText }: ListedFile, { say }: Words): string {
  if (isDocument) {
    return say('document-file.type-document');
  }
  const known = TYPES[mediaType] ?? (mediaType.startsWith('image/') ? 'add.file-picture' : undefined);
  return say(known ?? (isText ? 'add.file-text' : 'document-file.type-other'));
}

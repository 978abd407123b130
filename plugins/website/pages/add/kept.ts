/** kept: names of files that wait to be added, and the documents that their forms have made. */
import { operations } from '../../http/operations';
import type { PersonVisit } from '../../http/page';
import { inRecord } from '../../parts/record-frame';

export const NAME_CHARACTERS = 255;
export function shortenName(name: string): string {
  return [...name.toWellFormed()].slice(-NAME_CHARACTERS).join('');
}

/**
 * The name of a document unless the person types another: its own title, else the name of the file without its ending.
 */
export const LABEL_CHARACTERS = 100;
export function labelFrom(name: string, title: string | undefined): string {
  return [
    ...(
      title ??
      shortenName(name)
        .replace(/\.[A-Za-z0-9]{1,8}$/, '')
        .replaceAll('_', ' ')
    )
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f]/g, ' '),
  ]
    .slice(0, LABEL_CHARACTERS)
    .join('')
    .trim();
}

/** The document that a form has made before, or null. @param device whether it is stored once for the account */
export async function madeBefore(visit: PersonVisit, form: string, device = false): Promise<string | null> {
  return (
    await visit.ask(operations.documents.documentForm, {
      params: inRecord(visit),
      query: { form, device: String(device) },
    })
  ).documentId;
}

/** details: what people say about a document beside it: the day of care, its kind, and tags. */
import { errors } from '../../core/base/errors';
import type { InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { requireShown } from '../../core/records/read-documents';
import { changeRecord } from '../../core/records/require';
import * as documentStore from '../../core/documents/store';

/** Each empty where nothing is said; tags are separated by commas. */
export type Details = { readonly date: string; readonly kind: string; readonly tags: string };

/** The most tags of a document, and characters of one. */
const MOST_TAGS = 20;
const LONGEST_TAG = 40;

/** The tags as they are kept: each once, whatever its case. @throws errors.invalidParameter */
function tagsIn(text: string): readonly string[] {
  const said = text
    .split(/[,،]/)
    .map((tag) => tag.replace(/\s+/g, ' ').trim())
    .filter((tag) => tag !== '');
  const tags = [...new Map(said.map((tag) => [tag.toLowerCase(), tag])).values()];
  if (tags.length > MOST_TAGS || tags.some((tag) => [...tag].length > LONGEST_TAG)) {
    throw errors.invalidParameter('tags', `must be at most ${MOST_TAGS}, each of at most ${LONGEST_TAG} characters`);
  }
  return tags;
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return time !== undefined && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Says it of all versions of a document; nothing in the document changes. 404 for an unknown one. */
export async function setDetails({ params, body, services }: Call<InRecordDocument, unknown, Details>): Promise<void> {
  const tags = tagsIn(body.tags);
  if (body.date !== '' && !isDay(body.date)) {
    throw errors.invalidParameter('date', 'must be a day');
  }
  const { lineageId } = await requireShown(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  await changeRecord(services, params.RECORD_ID, (trx) =>
    documentStore.setOwn(trx, lineageId, { date: body.date || null, kind: body.kind || null, tags }),
  );
}

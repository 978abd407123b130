/** take-files: active or chosen documents of a record with their bytes, for a person who takes them along as files. */
import type { Call } from '../../core/http/route';
import type { InRecord } from '../../core/http/inputs';
import type { Services } from '../../core/services';
import * as documentStore from '../../core/documents/store';
import { findDocuments, listFoundDocuments, type FoundDocument, type ListedQuery } from './find';

/** A document with its bytes, as they were stored. */
export type TakenDocument = FoundDocument & Pick<documentStore.DocumentContent, 'content' | 'mediaType'>;

/** How many documents are listed at once, and how many bytes are in memory at once, but for one larger document. */
const LISTED = 100;
const BYTES = 8_000_000;

/** Documents one after the other, in groups that are read by one query and are no larger than that. */
function groupedBySize(documents: readonly FoundDocument[]): readonly (readonly FoundDocument[])[] {
  const groups: FoundDocument[][] = [];
  let bytes = Infinity;
  for (const document of documents) {
    if (bytes + document.size > BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(document);
    bytes += document.size;
  }
  return groups;
}

async function* readTakenDocuments(
  { database, contents }: Services,
  recordId: string,
  documents: readonly FoundDocument[],
): AsyncGenerator<TakenDocument> {
  for (const group of groupedBySize(documents)) {
    const ids = group.map(({ id }) => id);
    const stored = await documentStore.findContents(database.reads, contents, { recordId }, ids);
    for (const document of group) {
      const found = stored.get(document.id);
      if (found) {
        yield { ...document, content: found.content, mediaType: found.mediaType };
      }
    }
  }
}

async function* readTaken(call: Call<InRecord, ListedQuery>): AsyncGenerator<TakenDocument> {
  const { services, params } = call;
  if (call.query.ids !== '') {
    yield* readTakenDocuments(services, params.RECORD_ID, await listFoundDocuments({ ...call, params: { ...params } }));
    return;
  }
  const query = { status: 'active', language: 'en', limit: LISTED } as const;
  for (let place: string | undefined; ;) {
    const found = await findDocuments({ ...call, params: { ...params }, query: { ...query, place } });
    yield* readTakenDocuments(services, params.RECORD_ID, found.documents);
    place = found.pages.next;
    if (place === undefined) {
      return;
    }
  }
}

/** The documents of the ids, else the latest version of every active one, the newest first; read while it is taken. */
export function takeFiles(call: Call<InRecord, ListedQuery>): Promise<AsyncGenerator<TakenDocument>> {
  return Promise.resolve(readTaken(call));
}

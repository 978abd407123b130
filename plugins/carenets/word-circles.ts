/** word-circles: the carenets that can be told what the person said of statements, because they see all of these. */
import { groupedBy } from '../../core/base/grouped-by';
import { factTables } from '../../core/facts/model/fact-tables';
import type { InRecordDocument } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { OWN_WORD_ABOUT } from '../../core/records/lines';
import { requireDocument } from '../../core/records/read-documents';
import { seenByKinds } from '../../core/records/seen';
import { findSeeingAll, listWordAbout } from '../../core/sharing/heard-store';
import { listWithKinds } from '../../core/sharing/kinds-store';

/** More circles than anybody looks through. */
const MOST = 100;

export type WordCircles = readonly { readonly id: string; readonly name: string }[];

/** Carenets that do not contain the word yet, and see everything that it is about; none for a document without one. */
export async function readWordCircles({ params, services }: Call<InRecordDocument>): Promise<WordCircles> {
  const { reads } = services.database;
  const { id, recordId, lineageId } = await requireDocument(
    services,
    { recordId: params.RECORD_ID },
    params.DOCUMENT_ID,
  );
  const models = services.models();
  const tables = factTables(models);
  const table = tables.get(OWN_WORD_ABOUT)?.table;
  const about = table === undefined ? [] : await listWordAbout(reads, table, id);
  const named = about.map(({ model, statement }) => ({ model: models.find(model)?.name ?? '', statement }));
  if (named.length === 0 || named.some(({ model }) => !tables.has(model))) {
    return [];
  }
  const statements = [...groupedBy(named, ({ model }) => model)].map(([model, own]) => ({
    model,
    table: tables.get(model)!.table,
    ids: [...new Set(own.map(({ statement }) => statement.toLowerCase()))],
  }));
  const carenets = (await listWithKinds(reads, recordId)).slice(0, MOST);
  const seeing = carenets.map((carenet) => ({ id: carenet.id, kinds: seenByKinds(models, carenet.kinds) }));
  const found = await findSeeingAll(reads.long, { recordId, lineageId }, seeing, statements);
  return carenets.filter((carenet) => found.has(carenet.id)).map(({ id: own, name }) => ({ id: own, name }));
}

/** heard-store: which carenets see all of some statements, and which of these do not contain a document yet. */
import type { Id } from '../base/types';
import { marks, type Condition } from '../db/condition';
import type { Reads } from '../db/database';
import { inParts } from '../db/in-parts';
import { type SeenModel, isOfSeenKind, lineageInUse, lineageOpensFacts } from './containment';

/** A statement has room for this many counts, with the codes of all their tests. */
const COUNTED_AT_ONCE = 150;

/** Statements in the table of their facts. */
type StatementsIn = { readonly model: string; readonly table: string; readonly ids: readonly Id[] };

/** A carenet, and what it sees by kinds. */
type Seeing = { readonly id: Id; readonly kinds: ReadonlyMap<string, SeenModel> };

function seenText(recordId: Id, { id, kinds }: Seeing, { model, table, ids }: StatementsIn, place: number): Condition {
  const held = lineageInUse('lineage', { recordId, carenetId: id });
  const seen = kinds.get(model);
  const [opens, kind] = [lineageOpensFacts('lineage', id), seen && isOfSeenKind('fact', seen)];
  const byKind = kind === undefined ? '' : ` or (${opens.text} and ${kind.text})`;
  return {
    text:
      `select ${place} as place, count(distinct fact._statement) as seen from \`${table}\` as fact ` +
      'join document_lineage as lineage on lineage.id = fact._lineage_id ' +
      `where fact._record_id = ? and fact._statement in (${marks(ids)}) and ((${held.text})${byKind})`,
    values: [recordId, ...ids, ...held.values, ...(kind === undefined ? [] : [...opens.values, ...kind.values])],
  };
}

/** Counts 1 for a carenet that does not contain the lineage, as if that were one statement more that it must see. */
function outsideText(recordId: Id, { id }: Seeing, lineageId: Id, place: number): Condition {
  const held = lineageInUse('lineage', { recordId, carenetId: id });
  return {
    text:
      `select ${place} as place, count(*) as seen from document_lineage as lineage ` +
      `where lineage.id = ? and lineage.nevershare = 0 and lineage.status = 'active' and not (${held.text})`,
    values: [lineageId, ...held.values],
  };
}

/**
 * The carenets that see every one of these statements, by their documents or by their kinds, and do not contain the
 * document of the lineage. None for a document that is in no carenet whatever is said.
 */
export async function findSeeingAll(
  on: Reads,
  { recordId, lineageId }: { readonly recordId: Id; readonly lineageId: Id },
  carenets: readonly Seeing[],
  statements: readonly StatementsIn[],
): Promise<ReadonlySet<Id>> {
  const texts = carenets.flatMap((carenet, place) => [
    outsideText(recordId, carenet, lineageId, place),
    ...statements.map((some) => seenText(recordId, carenet, some, place)),
  ]);
  const wanted = 1 + statements.reduce((sum, { ids }) => sum + ids.length, 0);
  const seen = new Map<number, number>();
  for (const some of inParts(texts, COUNTED_AT_ONCE)) {
    const rows = await on.rows<{ readonly place: number; readonly seen: number | string }>(
      some.map(({ text }) => text).join(' union all '),
      some.flatMap(({ values }) => values),
    );
    rows.forEach((row) => seen.set(Number(row.place), (seen.get(Number(row.place)) ?? 0) + Number(row.seen)));
  }
  return new Set(carenets.flatMap(({ id }, place) => (seen.get(place) === wanted ? [id] : [])));
}

/** The statements that the word of the person in a document is about, by model. */
export async function listWordAbout(
  on: Reads,
  table: string,
  documentId: Id,
): Promise<readonly { readonly model: string; readonly statement: Id }[]> {
  return (await on(table).where({ _document_id: documentId }).select('model', 'statement')) as readonly {
    readonly model: string;
    readonly statement: Id;
  }[];
}

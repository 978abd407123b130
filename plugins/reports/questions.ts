/** questions: pairs of lines that are perhaps the same, which only the person can decide. */
import type { Id } from '../../core/base/types';
import type { Call } from '../../core/http/route';
import type { RawQuery } from '../../core/http/inputs';
import type { Line } from '../../core/lines/lines';
import { readCurrentScope } from '../../core/records/current';
import { readJoined, type Joined } from '../../core/records/lines';
import { requireRecord } from '../../core/records/require';
import type { Services } from '../../core/services';
import * as documentStore from '../../core/documents/store';
import type { DocumentRow } from '../../core/documents/store';
import { narrowedSdmj, type SdmjFact } from './narrowed';
import type { InScope } from './scope';

/** One of two that are perhaps the same. */
type Side = {
  readonly fact: SdmjFact;
  readonly line: Id;
  /** The statement that lends the line its words. */ readonly statement: Id;
  readonly last: string;
  readonly document: Pick<DocumentRow, 'id' | 'type' | 'label' | 'about' | 'createdAt'> | undefined;
};

export type Questions = {
  readonly label: string;
  readonly total: number;
  readonly questions: readonly { readonly model: string; readonly one: Side; readonly other: Side }[];
};

type Pair = { readonly model: string; readonly one: Line; readonly other: Line };

/** Each pair of lines once. */
export function pairsAsked({ lines }: Pick<Joined, 'lines'>): readonly Pair[] {
  return [...lines].flatMap(([model, own]) => {
    const byId = new Map(own.map((line) => [line.id, line]));
    return own.flatMap((one) =>
      one.perhaps.flatMap((id): readonly Pair[] => {
        const other = byId.get(id);
        return other && one.id < id ? [{ model, one, other }] : [];
      }),
    );
  });
}

/** So many questions stand on a page. */
const AT_ONCE = 20;

function sideOf(services: Services, { id, shown, last }: Line, documents: ReadonlyMap<Id, DocumentRow>): Side {
  const fact = narrowedSdmj(services, shown.facts[0]!);
  return { fact, line: id, statement: shown.id, last, document: documents.get(shown.documentId) };
}

/** The first questions about models, which the query names in `lists`, separated by a bar. */
export async function readQuestions({ params, query, services }: Call<InScope, RawQuery>): Promise<Questions> {
  const { RECORD_ID: recordId = '' } = params;
  const { label } = await requireRecord(services, recordId);
  const current = await readCurrentScope(services, { recordId });
  const pairs = pairsAsked(await readJoined(services, current, (query['lists'] ?? '').split('|')));
  const asked = pairs.slice(0, AT_ONCE);
  const ids = [...new Set(asked.flatMap(({ one, other }) => [one.shown.documentId, other.shown.documentId]))];
  const rows = await documentStore.findDocuments(services.database.reads, { recordId }, ids);
  const documents = new Map(rows.map((row) => [row.id, row]));
  return {
    label,
    total: pairs.length,
    questions: asked.map(({ model, one, other }) => ({
      model,
      one: sideOf(services, one, documents),
      other: sideOf(services, other, documents),
    })),
  };
}

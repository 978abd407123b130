/** questions: pairs of lines that are perhaps the same, and names that may mean a test: only the person can decide it. */
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
import { readNamedTests } from './named-tests';
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
  /** Names of results that may mean a test. */
  readonly names: readonly {
    readonly title: string;
    /** A statement with this name. */ readonly statement: Id;
    /** Id of the test. */ readonly test: string;
    readonly document: Side['document'];
  }[];
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
  const joined = await readJoined(services, current, (query['lists'] ?? '').split('|'), { withNames: true });
  const { asked: names } = await readNamedTests(services, current, joined);
  const pairs = pairsAsked(joined);
  const asked = pairs.slice(0, AT_ONCE);
  const askedNames = names.slice(0, AT_ONCE - asked.length);
  const sides = asked.flatMap(({ one, other }) => [one.shown.documentId, other.shown.documentId]);
  const ids = [...new Set([...sides, ...askedNames.map(({ documentId }) => documentId)])];
  const rows = await documentStore.findDocuments(services.database.reads, { recordId }, ids);
  const documents = new Map(rows.map((row) => [row.id, row]));
  return {
    label,
    total: pairs.length + names.length,
    questions: asked.map(({ model, one, other }) => ({
      model,
      one: sideOf(services, one, documents),
      other: sideOf(services, other, documents),
    })),
    names: askedNames.map(({ title, statement, test, documentId }) => ({
      title,
      statement,
      test: test.id,
      document: documents.get(documentId),
    })),
  };
}

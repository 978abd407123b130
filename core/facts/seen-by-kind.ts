/**
 * seen-by-kind: the facts of one table as a carenet sees them that was given kinds of facts, as a table in place of the
 * stored one. It has the facts of documents that the carenet contains, and those that it sees by their kind: with their
 * hidden columns empty, without what leads to their document, and under names of their own for each carenet. So filters,
 * orders, groups, sums and searches find empty columns, whoever asks. `_seq` follows what can be seen, never the time of
 * storing, which is empty.
 */
import { derivedId } from '../base/ids';
import type { Id } from '../base/types';
import { allOf, anyOf, type Condition } from '../db/condition';
import {
  type ReportScope,
  type SeenModel,
  isOfSeenKind,
  lineageInUse,
  lineageOpensFacts,
} from '../sharing/containment';
import type { TablePlan } from './plans';

/** A fact that is seen by its kind has this before its ids while it is read, with the carenet. */
const MARK = 'kind:';
const MARKED = new RegExp(`^${MARK}([0-9a-f-]{36})/(.+)$`);

/** The name of something in a carenet that does not contain it. Stored ids would tell of changes that are hidden. */
function nameIn(carenetId: Id, id: Id): Id {
  return derivedId('seen by kind', carenetId, id);
}

/** The id under which a row is known where it is read; other ids and texts stay as they are. */
export function shownId(text: string): Id {
  const [, carenetId, id] = MARKED.exec(text) ?? [];
  return carenetId === undefined ? text : nameIn(carenetId, id!);
}

/** Whether an id of a row, as the database gives it, is that of a fact that is seen by its kind. */
export function isSeenByKind(text: string): boolean {
  return text.startsWith(MARK);
}

type Kept = { readonly carenetId: Id; readonly seen: SeenModel };

/** What the scope sees of a model by kinds; undefined where it sees documents only. */
function seenOf({ carenetId, kinds }: ReportScope, { model }: Pick<TablePlan, 'model'>): Kept | undefined {
  const seen = kinds?.get(model);
  return seen && carenetId !== undefined ? { carenetId, seen } : undefined;
}

function quoted(name: string): string {
  return `\`${name}\``;
}

/** Columns of the stored row, for conditions of this floor only. */
const OWN = { document: '_own_document', statement: '_own_statement' } as const;

/** Where such a table has its record, document and statement as they are stored. */
export const STORED_COLUMNS = {
  record: 'fact._record_id',
  document: `fact.${OWN.document}`,
  statement: `fact.${OWN.statement}`,
} as const;
/** The condition that the carenet contains the document of a row of such a table. */
export const IS_OPENED = 'fact._is_opened = 1';
/** The condition that a row of such a table is seen by its kind alone. */
export const IS_BY_KIND = 'fact._is_opened = 0';

/** Equal for facts of a document in which a carenet sees the same, whatever else they say; null is unlike an empty text. */
function digestOf({ table, columns, hidden }: SeenModel): string {
  const shown = columns
    .filter((name) => !hidden.has(name))
    .map((name) => `coalesce(concat_ws('', '=', fact.${quoted(name)}), '')`);
  return `sha2(concat_ws('|', '${table}', ${shown.join(', ')}), 256)`;
}

function contained(scope: ReportScope, { table, columns }: SeenModel): Condition {
  const { text, values } = lineageInUse('lineage', scope);
  return {
    text:
      'select fact._id, fact._record_id, fact._document_id, fact._lineage_id, fact._parent_id, fact._statement, ' +
      `fact._partial_dates, fact._words, ${columns.map((name) => `fact.${quoted(name)}`).join(', ')}, ` +
      `fact._document_id as ${OWN.document}, fact._statement as ${OWN.statement}, 1 as _is_opened, ` +
      `substr(fact._lineage_id, 25) as _tail, fact._seq as _place from ${quoted(table)} as fact ` +
      'join document_lineage as lineage on lineage.id = fact._lineage_id ' +
      `where fact._record_id = ? and ${text}`,
    values: [scope.recordId, ...values],
  };
}

/**
 * Facts with the names that the carenet has for them. These follow from what it sees of them, and from their document as
 * one: a correction of what it does not see changes no name. Equal ones are counted in the order of their document.
 */
function given({ recordId }: ReportScope, { carenetId, seen }: Kept): Condition {
  const mark = `'${MARK}${carenetId}'`;
  const opens = lineageOpensFacts('lineage', carenetId);
  const kind = isOfSeenKind('fact', seen);
  const shown = seen.columns.map((name) =>
    seen.hidden.has(name) ? `null as ${quoted(name)}` : `fact.${quoted(name)}`,
  );
  const statement = 'coalesce(fact._statement, fact._id)';
  const facts =
    `select fact._record_id, fact._lineage_id, fact._partial_dates, ${shown.join(', ')}, ` +
    `fact._document_id as ${OWN.document}, fact._statement as ${OWN.statement}, fact._seq as _place, ` +
    `${statement} as _one, ${digestOf(seen)} as _digest from ${quoted(seen.table)} as fact ` +
    'join document_lineage as lineage on lineage.id = fact._lineage_id ' +
    `where fact._record_id = ? and ${opens.text} and ${kind.text}`;
  const statements =
    'select fact.*, min(_digest) over (partition by _one) as _first, min(_place) over (partition by _one) as _begin ' +
    `from (${facts}) as fact`;
  const number = 'row_number() over (partition by _lineage_id, _digest order by _place)';
  const rank = 'dense_rank() over (partition by _lineage_id, _first order by _begin)';
  return {
    text:
      `select concat_ws('/', ${mark}, _lineage_id, _digest, ${number}), _record_id, concat_ws('/', ${mark}, _lineage_id), ` +
      `concat_ws('/', ${mark}, _lineage_id), null, concat_ws('/', ${mark}, _lineage_id, 'says', _first, ${rank}), ` +
      `_partial_dates, null, ${seen.columns.map(quoted).join(', ')}, ` +
      `${OWN.document}, ${OWN.statement}, 0, substr(_lineage_id, 25), _place from (${statements}) as fact`,
    values: [recordId, ...opens.values, ...kind.values],
  };
}

/** Of each column this many characters decide about the order. MariaDB has no room to sort by more. */
const SORTED_CHARACTERS = 40;

/** The newest first, then by what can be seen. What is alike in that is in an order of chance, which stays. */
function seenOrder({ columns, dates }: SeenModel): string {
  const [date] = dates;
  const rest = columns
    .filter((name) => name !== date)
    .map((name) => `substr(seen.${quoted(name)}, 1, ${SORTED_CHARACTERS})`);
  const first =
    date === undefined ? [] : [`case when seen.${quoted(date)} is null then 1 else 0 end`, `seen.${quoted(date)} desc`];
  return [
    ...first,
    ...(rest.length === 0 ? [] : [`concat_ws(' ', ${rest.join(', ')})`]),
    'seen._tail',
    'seen._place',
  ].join(', ');
}

/** The table of the model's facts as the scope sees it, as it stands after `from`; undefined: it is the stored one. */
export function seenTable(plan: Pick<TablePlan, 'model'>, scope: ReportScope): Condition | undefined {
  const kept = seenOf(scope, plan);
  if (!kept) {
    return undefined;
  }
  const [own, others] = [contained(scope, kept.seen), given(scope, kept)];
  return {
    text:
      `(select seen.*, null as _created_at, row_number() over (order by ${seenOrder(kept.seen)}) as _seq from ` +
      `(${own.text} union all ${others.text}) as seen) as fact`,
    values: [...own.values, ...others.values],
  };
}

/**
 * The condition that what a sender says is seen by its kind; undefined in a scope without kinds.
 * @param sent alias of sent_statement, and that of its document_lineage
 */
export function isSentSeen(
  { carenetId, kinds }: ReportScope,
  { sent, lineage }: { readonly sent: string; readonly lineage: string },
): Condition | undefined {
  if (carenetId === undefined || !kinds) {
    return undefined;
  }
  const opens = lineageOpensFacts(lineage, carenetId);
  const each = [...kinds].map(([model, seen]): Condition => {
    const kind = isOfSeenKind('told', seen);
    return {
      text:
        `${sent}.model = ? and exists (select 1 from ${quoted(seen.table)} as told where told._record_id = ${sent}.record_id ` +
        `and told._statement = ${sent}.statement_id and ${kind.text})`,
      values: [model, ...kind.values],
    };
  });
  return allOf([opens, anyOf(each)]);
}

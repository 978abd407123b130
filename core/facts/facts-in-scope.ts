/**
 * facts-in-scope: the SQL rules that say which facts a scope contains, and which of these count: the newest statement of
 * its sender about one thing does, and the same statement in several documents counts once. Which one is newer follows
 * from `line`, `said` and `content` of its row, which core/lines makes; here they are compared within the scope, as if
 * nothing else existed.
 */
import type { Id } from '../base/types';
import { marks, type Condition } from '../db/condition';
import { lineageInUse } from '../sharing/containment';
import type { ReportScope } from '../db/plans';
import type { Current } from '../db/sent';

/** The condition that `newer` takes the place of `sent`, which is in the same line. */
const TAKES_PLACE =
  "((newer.said > sent.said and sent.said <> '') or (newer.content = sent.content and " +
  '(newer.said > sent.said or (newer.said = sent.said and newer.statement_id > sent.statement_id))))';

const notIn = (column: string, ids: readonly Id[]): Condition =>
  ids.length === 0 ? { text: '', values: [] } : { text: ` and ${column} not in (${marks(ids)})`, values: ids };

/** The statements of the scope that take the place of the row `sent`, as `from` and `where`. */
export function newerFrom(scope: ReportScope, { replaced }: Current): Condition {
  const inUse = lineageInUse('newer_lineage', scope);
  const others = notIn('newer.document_id', replaced);
  return {
    text:
      'from sent_statement as newer join document_lineage as newer_lineage on newer_lineage.id = newer.lineage_id ' +
      'where newer.record_id = sent.record_id and newer.line = sent.line and newer.statement_id <> sent.statement_id ' +
      `and ${TAKES_PLACE} and ${inUse.text}${others.text}`,
    values: [...inUse.values, ...others.values],
  };
}

/** Where a row says of which statement, document and record it is. */
type Columns = { readonly record: string; readonly document: string; readonly statement: string };

const OF_FACT: Columns = { record: 'fact._record_id', document: 'fact._document_id', statement: 'fact._statement' };

/** The condition that a row, usually a `fact`, counts, for a scope of what counts now; undefined for other scopes. */
export function isCurrent(scope: ReportScope, { record, document, statement } = OF_FACT): Condition | undefined {
  if (!scope.current) {
    return undefined;
  }
  const newer = newerFrom(scope, scope.current);
  const own = notIn(document, scope.current.replaced);
  return {
    text:
      `not exists (select 1 from sent_statement as sent where sent.record_id = ${record} and ` +
      `sent.statement_id = ${statement} and exists (select 1 ${newer.text}))${own.text}`,
    values: [...newer.values, ...own.values],
  };
}

/** ` and` the condition that a fact counts. */
function andCurrent(scope: ReportScope): Condition {
  const current = isCurrent(scope);
  return current ? { text: ` and ${current.text}`, values: current.values } : { text: '', values: [] };
}

/** The facts of active documents in the scope, as `from` and `where` of a statement with the condition added. */
export function factsFrom(table: string, scope: ReportScope, condition: Condition): Condition {
  const { text, values } = lineageInUse('lineage', scope);
  const current = andCurrent(scope);
  return {
    text:
      `from \`${table}\` as fact join document_lineage as lineage on lineage.id = fact._lineage_id ` +
      `where fact._record_id = ? and ${text}${current.text} and ${condition.text}`,
    values: [scope.recordId, ...values, ...current.values, ...condition.values],
  };
}

/** The condition that a fact belongs to an active document in the scope. */
export function inScope(scope: ReportScope): Condition {
  const { text, values } = lineageInUse('lineage', scope);
  const current = andCurrent(scope);
  return {
    text:
      'fact._record_id = ? and exists (select 1 from document_lineage as lineage ' +
      `where lineage.id = fact._lineage_id and ${text})${current.text}`,
    values: [scope.recordId, ...values, ...current.values],
  };
}

/**
 * 1 for a fact that its sender says something newer in place of, and 0 for others, as a column of a statement over the
 * facts of the scope.
 */
export function olderColumn(scope: ReportScope & Required<Pick<ReportScope, 'current'>>): Condition {
  const { text, values } = isCurrent(scope)!;
  return { text: `case when ${text} then 0 else 1 end as _older`, values };
}

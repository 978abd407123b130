/**
 * facts-in-scope: the SQL rules that say which facts a scope contains, and which of these count: the newest statement of
 * its sender about one thing does, and the same statement in several documents counts once. Which one is newer follows
 * from `line`, `said` and `content` of its row, which core/lines makes; here they are compared within the scope, as if
 * nothing else existed.
 */
import type { Id } from '../base/types';
import { allOf, anyOf, marks, type Condition } from '../db/condition';
import { lineageInUse, type ReportScope, type Current } from '../sharing/containment';
import type { TablePlan } from './plans';
import { IS_OPENED, isSentSeen, seenTable, STORED_COLUMNS } from './seen-by-kind';

/** The conditions that `newer` takes the place of `sent`, which is in the same line: it was said later, or is the same. */
const IS_LATER = "(newer.said > sent.said and sent.said <> '')";
const IS_SAME =
  '(newer.content = sent.content and ' +
  '(newer.said > sent.said or (newer.said = sent.said and newer.statement_id > sent.statement_id)))';

function notIn(column: string, ids: readonly Id[]): Condition {
  return ids.length === 0 ? { text: '', values: [] } : { text: ` and ${column} not in (${marks(ids)})`, values: ids };
}

/** The condition that `newer`, which the scope contains, takes the place of `sent`. */
function takesPlace(scope: ReportScope): Condition {
  const inUse = lineageInUse('newer_lineage', scope);
  return { text: `(${IS_LATER} or ${IS_SAME}) and ${inUse.text}`, values: inUse.values };
}

/**
 * The same for a fact of a model of which kinds are given. `newer` may be seen by its kind, too. What is the same is
 * known only of what the carenet opens, because a fact that is seen by its kind has hidden columns.
 */
function takesPlaceSeen(scope: ReportScope): Condition {
  const inUse = lineageInUse('newer_lineage', scope);
  const seen = isSentSeen(scope, { sent: 'newer', lineage: 'newer_lineage' })!;
  return anyOf([
    allOf([{ text: IS_LATER, values: [] }, anyOf([inUse, seen])]),
    allOf([{ text: `${IS_OPENED} and ${IS_SAME}`, values: [] }, inUse]),
  ]);
}

/** The statements of the scope that take the place of the row `sent`, as `from` and `where`. */
export function newerFrom(scope: ReportScope, { replaced }: Current, takes = takesPlace(scope)): Condition {
  const others = notIn('newer.document_id', replaced);
  return {
    text:
      'from sent_statement as newer join document_lineage as newer_lineage on newer_lineage.id = newer.lineage_id ' +
      'where newer.record_id = sent.record_id and newer.line = sent.line and newer.statement_id <> sent.statement_id ' +
      `and ${takes.text}${others.text}`,
    values: [...takes.values, ...others.values],
  };
}

/** Where a row says of which statement, document and record it is. */
type Columns = { readonly record: string; readonly document: string; readonly statement: string };

const OF_FACT: Columns = { record: 'fact._record_id', document: 'fact._document_id', statement: 'fact._statement' };

function countsNow(current: Current, newer: Condition, { record, document, statement }: Columns): Condition {
  const own = notIn(document, current.replaced);
  return {
    text:
      `not exists (select 1 from sent_statement as sent where sent.record_id = ${record} and ` +
      `sent.statement_id = ${statement} and exists (select 1 ${newer.text}))${own.text}`,
    values: [...newer.values, ...own.values],
  };
}

/** The condition that a row that was made beside facts counts, for a scope of what counts now; undefined for others. */
export function isCurrent(scope: ReportScope, columns = OF_FACT): Condition | undefined {
  return scope.current && countsNow(scope.current, newerFrom(scope, scope.current), columns);
}

/** The condition that a `fact` of the table that the scope sees counts, for a scope of what counts now; undefined for other scopes. */
export function isCurrentFact(plan: Pick<TablePlan, 'model'>, scope: ReportScope): Condition | undefined {
  if (!scope.current || !seenTable(plan, scope)) {
    return isCurrent(scope);
  }
  return countsNow(scope.current, newerFrom(scope, scope.current, takesPlaceSeen(scope)), STORED_COLUMNS);
}

function withAnd(condition: Condition | undefined): Condition {
  return condition ? { text: ` and ${condition.text}`, values: condition.values } : { text: '', values: [] };
}

/** The facts of active documents in the scope, as `from` and `where` of a statement with the condition added. */
export function factsFrom(plan: TablePlan, scope: ReportScope, condition: Condition): Condition {
  const current = withAnd(isCurrentFact(plan, scope));
  const from = seenTable(plan, scope);
  if (from) {
    return {
      text: `from ${from.text} where fact._record_id = ?${current.text} and ${condition.text}`,
      values: [...from.values, scope.recordId, ...current.values, ...condition.values],
    };
  }
  const { text, values } = lineageInUse('lineage', scope);
  return {
    text:
      `from \`${plan.table}\` as fact join document_lineage as lineage on lineage.id = fact._lineage_id ` +
      `where fact._record_id = ? and ${text}${current.text} and ${condition.text}`,
    values: [scope.recordId, ...values, ...current.values, ...condition.values],
  };
}

/** The condition that a fact of a stored table belongs to an active document in the scope. */
function inScope(scope: ReportScope): Condition {
  const { text, values } = lineageInUse('lineage', scope);
  const current = withAnd(isCurrent(scope));
  return {
    text:
      'fact._record_id = ? and exists (select 1 from document_lineage as lineage ' +
      `where lineage.id = fact._lineage_id and ${text})${current.text}`,
    values: [scope.recordId, ...values, ...current.values],
  };
}

/** The same for a fact of the table that the scope sees, which has no other facts. */
export function inSeenScope(plan: TablePlan, scope: ReportScope): Condition {
  if (!seenTable(plan, scope)) {
    return inScope(scope);
  }
  const current = withAnd(isCurrentFact(plan, scope));
  return { text: `fact._record_id = ?${current.text}`, values: [scope.recordId, ...current.values] };
}

/**
 * 1 for a fact that its sender says something newer in place of, and 0 for others, as a column of a statement over the
 * facts of the scope.
 */
export function olderColumn(plan: TablePlan, scope: ReportScope & Required<Pick<ReportScope, 'current'>>): Condition {
  const { text, values } = isCurrentFact(plan, scope)!;
  return { text: `case when ${text} then 0 else 1 end as _older`, values };
}

/** asked: the statements that a request of the website takes. */
import { watchStatements, type Watched } from '../../core/storage/watch';

/** A process asks now and then for an export to write, whatever else is asked of it. */
export const isForNobody = (sql: string): boolean => /^select `id` from `export_job` where `state` = \?/.test(sql);

/**
 * Whether a statement counts. Transactions and the audit log do not, and neither does the outbox, which is emptied after
 * the answer.
 */
const counts = (sql: string): boolean =>
  !isForNobody(sql) &&
  !/\baudit/.test(sql) &&
  !/^\s*(begin|commit|rollback|start|set|savepoint|release)\b/i.test(sql) &&
  (!/\boutbox\b/.test(sql) || /^\s*insert/i.test(sql));

/** The statements that are sent while `work` is done and that count, with its result. */
export const askedBy = async <Result>(
  work: () => Promise<Result>,
): Promise<{ readonly asked: readonly Watched[]; readonly result: Result }> => {
  const asked: Watched[] = [];
  const stop = watchStatements((statement) => {
    if (counts(statement.sql)) {
      asked.push(statement);
    }
  });
  try {
    return { result: await work(), asked };
  } finally {
    stop();
  }
};

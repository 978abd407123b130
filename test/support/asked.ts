/** asked: the statements that a request of the website needs. */
import { watchStatements, type Watched } from '../../core/db/watch';

/** Every process regularly looks for an export to write, a file to read and resources to make, whatever else it does. */
const background = [
  /^select `id` from `export_job` where `state` = \?/,
  /^select `seq`, `tries`, /,
  /^select seq, record_id as recordId, lineage_id as lineageId from missing_resource where seq > \? order/,
];

export const isForNobody = (sql: string): boolean => background.some((one) => one.test(sql));

/**
 * Whether a statement is counted. Transactions and the audit log are not counted, and neither is the emptying of the
 * outbox after the response.
 */
const counts = (sql: string): boolean =>
  !isForNobody(sql) &&
  !/\baudit/.test(sql) &&
  !/^\s*(begin|commit|rollback|start|set|savepoint|release)\b/i.test(sql) &&
  (!/\boutbox\b/.test(sql) || /^\s*insert/i.test(sql));

/** The counted statements that are sent while `work` runs, with its result. */
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

/** read-process: the code of a process that runs SQLite's long reads; see read-processes. */
import { perTurn } from '../../base/groups';
import { watchParent } from '../../base/orphan-watch';
import { Sqlite } from './better-sqlite';
import { withOwnFunctions } from './own-functions';
import { READS_AT_ONCE, READY, type FromReadProcess, type ToReadProcess } from './read-processes';
import { listsOf, prepared, type SqliteConnection } from './statements';

const [, , file = ''] = process.argv;

watchParent();

let reader: SqliteConnection | undefined;

function openConnection(): SqliteConnection {
  const connection: SqliteConnection = withOwnFunctions(new Sqlite(file, { readonly: true }));
  connection.pragma('busy_timeout = 15000');
  connection.pragma('cache_size = -4000');
  return connection;
}

function failedRead(id: number, error: unknown): FromReadProcess {
  const { message: reason, code } = error as Error & { readonly code?: string };
  return { id, failure: { reason, code: code ?? '' } };
}

function sendAnswer(answer: FromReadProcess): void {
  return void process.send!(answer);
}

function beginReading(): SqliteConnection {
  reader ??= openConnection();
  prepared(reader, 'begin').run();
  return reader;
}

function answerQuestion(connection: SqliteConnection, { id, sql, values }: ToReadProcess): FromReadProcess {
  try {
    return { id, ...listsOf(prepared(connection, sql), values) };
  } catch (error) {
    return failedRead(id, error);
  }
}

/**
 * Questions that wait together share one snapshot, which is later than all that their callers know of. At each new
 * snapshot SQLite drops the pages in its cache if anybody has written since.
 */
function readAllQuestions(questions: readonly ToReadProcess[]): void {
  let connection: SqliteConnection;
  try {
    connection = beginReading();
  } catch (error) {
    questions.forEach(({ id }) => sendAnswer(failedRead(id, error)));
    return;
  }
  questions.forEach((question) => sendAnswer(answerQuestion(connection, question)));
  // Some errors end the transaction.
  if (connection.inTransaction) {
    prepared(connection, 'rollback').run();
  }
}

/** Each question is answered by itself, as soon as possible, so a finished group has no answer of its own. */
const read = perTurn(READS_AT_ONCE, async (questions: readonly ToReadProcess[]): Promise<readonly undefined[]> => {
  readAllQuestions(questions);
  return [];
});

process.on('message', (question: ToReadProcess) => void read(question));
sendAnswer(READY);
// The service has ended.
process.on('disconnect', () => process.exit(0));
// A terminal sends these to all processes of its group; the service itself ends this one.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

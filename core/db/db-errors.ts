/** db-errors: translates errors of the drivers; no other file knows their codes. */
import { AppError, errors } from '../base/errors';

type DriverError = { readonly code?: string; readonly errno?: number };

function codeOfDriver(error: unknown): string {
  return String((error as DriverError | null)?.code ?? '');
}

/** True when a unique index refused the row. */
export function isDuplicate(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'ER_DUP_ENTRY'].includes(codeOfDriver(error));
}

/** True when another connection to an SQLite file holds a lock that the statement needs. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_BUSY(_|$)/.test(codeOfDriver(error));
}

/** True when another transaction kept a row or a table locked until the wait timed out. */
export function isLockWait(error: unknown): boolean {
  return codeOfDriver(error) === 'ER_LOCK_WAIT_TIMEOUT';
}

/** True when the same transaction may succeed if it is run again. */
export function isConflict(error: unknown): boolean {
  return isBusy(error) || isLockWait(error) || codeOfDriver(error) === 'ER_LOCK_DEADLOCK';
}

/**
 * True when an encrypted connection was asked for and the server offers none, or shows a certificate that is not
 * trusted.
 */
export function isUnencrypted(error: unknown): boolean {
  return ['HANDSHAKE_NO_SSL_SUPPORT', 'HANDSHAKE_SSL_ERROR'].includes(codeOfDriver(error));
}

/** True when the tables are not (yet) those of this release. */
export function isUnmigrated(error: unknown): boolean {
  return (
    ['ER_NO_SUCH_TABLE', 'ER_BAD_FIELD_ERROR'].includes(codeOfDriver(error)) ||
    (codeOfDriver(error) === 'SQLITE_ERROR' && /no such (table|column)|has no column/.test((error as Error).message))
  );
}

/** True when an SQLite file is damaged, or is no SQLite file. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOfDriver(error));
}

/**
 * The code of a driver's error; undefined for any other error. The message of such an error quotes the statement with
 * its values, which may be health data.
 */
export function driverCode(error: unknown): string | undefined {
  return /^(SQLITE|ER)_[A-Z_]+$/.exec(codeOfDriver(error))?.[0];
}

const connectionLost = [
  'PROTOCOL_CONNECTION_LOST',
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ER_SERVER_SHUTDOWN',
  'ER_UNKNOWN_COM_ERROR',
  'ER_CON_COUNT_ERROR',
  'ER_CONNECTION_KILLED',
  // A node that loses its cluster in the middle of a commit, or ends a statement because it must leave.
  'ER_ERROR_DURING_COMMIT',
  'ER_QUERY_INTERRUPTED',
];
const noSpace = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL'];

/** The driver marks every error that makes a connection unusable; some of them have no code. */
function endsConnection(error: unknown): boolean {
  return (error as { fatal?: boolean } | null)?.fatal === true || connectionLost.includes(codeOfDriver(error));
}

/** Turns a shortage into a 503. Every other error passes unchanged and becomes a 500. */
export function translate(error: unknown): unknown {
  const known = [error, (error as Error | null)?.cause].find((one) => one instanceof AppError);
  if (known !== undefined) {
    return known;
  }
  const code = codeOfDriver(error);
  if (endsConnection(error) || isConflict(error)) {
    return Object.assign(errors.unavailable('the database is busy or out of reach'), { cause: error });
  }
  if (noSpace.includes(code)) {
    return Object.assign(errors.outOfOrder('the database has no space left'), { cause: error });
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return Object.assign(errors.outOfOrder('the database cannot be read or written'), { cause: error });
  }
  return error;
}

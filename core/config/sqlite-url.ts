/** sqlite-url: what SVC_DATABASE_URL says of the embedded database: its file, or that it lives in memory. */
import { isAbsolute } from 'node:path';
import { inProject } from '../base/paths';

const SCHEME = 'sqlite:';

/** A database in memory, which ends with its process. */
export const IN_MEMORY = ':memory:';

/** The absolute path of the file, or IN_MEMORY; undefined for a database server. */
export function sqlitePath(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith(SCHEME)) {
    return undefined;
  }
  const path = databaseUrl.slice(SCHEME.length);
  return path === IN_MEMORY || isAbsolute(path) ? path : inProject(path);
}

/** The absolute path of the file; undefined where there is none: for a database server, and in memory. */
export function sqliteFile(databaseUrl: string): string | undefined {
  const path = sqlitePath(databaseUrl);
  return path === IN_MEMORY ? undefined : path;
}

/**
 * watch: every statement is published on a channel of Node.js, for tests and measurements; nothing listens in service.
 */
import { channel } from 'node:diagnostics_channel';
import type { Value } from './builder';

export type Watched = { readonly sql: string; readonly values: readonly Value[] };

const statements = channel('svc:statement');

export function published(sql: string, values: readonly Value[]): void {
  if (statements.hasSubscribers) {
    statements.publish({ sql, values } satisfies Watched);
  }
}

/** Calls `listener` with each statement before it runs, until the returned function is called. */
export function watchStatements(listener: (statement: Watched) => void): () => void {
  const heard = (message: unknown): void => listener(message as Watched);
  statements.subscribe(heard);
  return () => {
    statements.unsubscribe(heard);
  };
}

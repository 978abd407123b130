/**
 * capture: records the SQL statements with which a service does the work of a call, without those for sign-in, access
 * and audit.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Running } from '../../core/server/start';
import { injectClient, type Answer } from '../support/client';
import type { Template } from './wire';
import { watchStatements, type Watched } from '../../core/db/watch';

export type Statement = { readonly sql: string; readonly bindings: readonly unknown[] };

export type Captured = {
  readonly statements: readonly Statement[];
  /** True when the work runs in a transaction. */ readonly writes: boolean;
  readonly answer: Answer;
};

const everyRequest =
  /\b(?:nonce|audit|audit_checkpoint|failed_attempt)\b|consumer_key = \?|from access_token where token_hash|from access_token t\b|^update `session_token`/;
const transactional = /^(?:begin|commit|rollback|savepoint|release|start transaction|set transaction)/i;

/** Makes one call and keeps the statements that it sends to the database. */
export const capture = async (
  { server, services }: Running,
  { signers: [signer], bearers: [bearer] = [], method, path, body, form }: Template,
): Promise<Captured> => {
  const statements: Statement[] = [];
  const during = new AsyncLocalStorage<'work' | 'access'>();
  const lookups = services.lookups as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const original = { ...lookups };
  for (const [name, lookup] of Object.entries(original)) {
    lookups[name] = (...args) => during.run('access', () => lookup(...args));
  }
  // Statements that the service sends by itself at the same time have no such context.
  const note = ({ sql, values }: Watched): void => {
    if (during.getStore() === 'work') {
      statements.push({ sql, bindings: values });
    }
  };
  const stop = watchStatements(note);
  try {
    const call = injectClient(server, services.baseUrl());
    const answer = await during.run('work', () =>
      call(signer ?? null, method, path, {
        ...(body ? { body } : {}),
        ...(form ? { form } : {}),
        ...(bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } }),
      }),
    );
    const audits = path.includes('/audits/');
    const work = statements.filter(
      ({ sql }) => !transactional.test(sql) && (audits ? /^select.*\baudit\b/i.test(sql) : !everyRequest.test(sql)),
    );
    return { statements: work, writes: work.some(({ sql }) => /^(?:insert|update|delete)/i.test(sql)), answer };
  } finally {
    stop();
    Object.assign(lookups, original);
  }
};

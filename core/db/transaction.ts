/**
 * transaction: runs work in one transaction on one connection of the pool. A transaction of knex costs 160 µs of processor
 * time, where a whole create takes 367 µs (core/DECISIONS.md, 18).
 */
import type { Transaction, Value } from './connection';
import type { Session } from './session';
import { transactionOn } from './session';
import type { Driver } from './driver';

/** Runs each statement on a connection that `using` provides. @param kept whether statements are prepared */
export function sessionOn<C>(
  driver: Driver<C>,
  using: <T>(work: (connection: C) => Promise<T>) => Promise<T>,
  kept = false,
): Session {
  return {
    database: driver.name,
    rows: async <Row>(sql: string, values: readonly Value[]) =>
      (await using((connection) => driver.run(connection, sql, values, kept))).rows as readonly Row[],
    run: (sql, values) => using((connection) => driver.run(connection, sql, values, false)),
    insert: (start, rows) => using((connection) => driver.insert(connection, start, rows)),
    insertNumbered: (start, row) => using((connection) => driver.insertNumbered(connection, start, row)),
  };
}

/** Takes a connection for each statement. */
export function onDriver<C>(driver: Driver<C>) {
  return async <T>(work: (connection: C) => Promise<T>): Promise<T> => {
    const connection = await driver.acquire();
    try {
      return await work(connection);
    } finally {
      driver.release(connection);
    }
  };
}

/** Runs `work` in one transaction. When `work` or the commit fails, nothing is written. */
export async function runTransaction<T, C>(driver: Driver<C>, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const connection = await driver.acquire();
  const listeners: (() => void)[] = [];
  let over = false;
  let result: T;
  try {
    await driver.begin(connection);
    const session = sessionOn(driver, (use) =>
      over ? Promise.reject(new Error('the transaction is over')) : use(connection),
    );
    result = await work(transactionOn(session, (listener) => void listeners.push(listener)));
    over = true;
    await driver.commit(connection);
  } catch (error) {
    over = true;
    await driver.rollback(connection);
    throw error;
  } finally {
    driver.release(connection);
  }
  listeners.forEach((listener) => listener());
  return result;
}

/** Runs `work`, whose single statement commits by itself. */
export async function runAlone<T>(session: Session, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const listeners: (() => void)[] = [];
  const result = await work(transactionOn(session, (listener) => void listeners.push(listener)));
  listeners.forEach((listener) => listener());
  return result;
}

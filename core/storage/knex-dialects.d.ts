/** knex-dialects: types of the two driver classes that knex publishes without declarations. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  class Client {
    connectionSettings: unknown;
    _driver(): unknown;
    emit(event: string, statement: unknown): boolean;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each driver has its own
    acquireConnection(): Promise<any>;
    releaseConnection(connection: unknown): Promise<unknown>;
    _query(connection: unknown, query: unknown): Promise<unknown>;
    destroyRawConnection(connection: unknown): Promise<void>;
    _formatBindings(bindings?: readonly unknown[]): unknown[];
  }
  export = Client;
}
declare module 'knex/lib/dialects/mysql2/index.js' {
  class Client {
    connectionSettings: unknown;
    emit(event: string, statement: unknown): boolean;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each driver has its own
    acquireConnection(): Promise<any>;
    releaseConnection(connection: unknown): Promise<unknown>;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the driver module, untyped in knex itself
    driver: any;
    readonly transacting?: boolean;
    acquireRawConnection(): Promise<unknown>;
    destroy(done?: () => void): Promise<unknown>;
    _query(connection: unknown, query: unknown): Promise<unknown>;
  }
  export = Client;
}

/** knex-dialects: types of the two driver classes that knex publishes without declarations. */
declare module 'knex/lib/dialects/better-sqlite3/index.js' {
  class Client {
    connectionSettings: unknown;
    _driver(): unknown;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each driver has its own
    acquireConnection(): Promise<any>;
    releaseConnection(connection: unknown): Promise<unknown>;
    destroyRawConnection(connection: unknown): Promise<void>;
  }
  export = Client;
}
declare module 'knex/lib/dialects/mysql2/index.js' {
  class Client {
    connectionSettings: unknown;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each driver has its own
    acquireConnection(): Promise<any>;
    releaseConnection(connection: unknown): Promise<unknown>;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the driver module, untyped in knex itself
    driver: any;
    acquireRawConnection(): Promise<unknown>;
    destroy(done?: () => void): Promise<unknown>;
  }
  export = Client;
}

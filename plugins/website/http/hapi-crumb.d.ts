/** hapi-crumb: types for the parts of @hapi/crumb that are used here, because the package has none. */
declare module '@hapi/crumb' {
  import type { Plugin, Request, ServerStateCookieOptions } from '@hapi/hapi';
  export const plugin: Plugin<{
    readonly key: string;
    readonly cookieOptions: ServerStateCookieOptions;
    /** True: this request has no crumb. */ readonly skip: (request: Request) => boolean;
  }>;
}

/** hapi-crumb: the types of what is used here of @hapi/crumb, which ships none. */
declare module '@hapi/crumb' {
  import type { Plugin, Request, ServerStateCookieOptions } from '@hapi/hapi';
  export const plugin: Plugin<{
    readonly key: string;
    readonly cookieOptions: ServerStateCookieOptions;
    /** True: this request has no crumb. */ readonly skip: (request: Request) => boolean;
  }>;
}

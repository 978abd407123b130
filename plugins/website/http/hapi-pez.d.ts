/** hapi-pez: types for the parts that we use of the multipart reader of hapi, because the package has none. */
declare module '@hapi/pez' {
  import type { Writable } from 'node:stream';

  export class Dispenser extends Writable {
    constructor(options: { readonly boundary: string; readonly maxParts?: number; readonly maxBytes?: number });
  }
}

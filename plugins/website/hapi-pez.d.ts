/** hapi-pez: what we use of the multipart reader that hapi itself uses; it comes without types. */
declare module '@hapi/pez' {
  import type { Writable } from 'node:stream';

  export class Dispenser extends Writable {
    constructor(options: { readonly boundary: string; readonly maxParts?: number; readonly maxBytes?: number });
  }
}

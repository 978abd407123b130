/** serialize: pages and texts of the system area. */
import type { Serializer } from '../../core/http/route';

export type Page = {
  readonly type: string;
  readonly body: string | Buffer;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

export const referenceFile: Serializer<Page> = {
  describes: { type: 'text/html' },
  from: (page) => ({ kind: 'body', ...page }),
};

export const metricsText: Serializer<Page> = {
  describes: { type: 'text/plain' },
  from: (page) => ({ kind: 'body', ...page }),
};

/** replies: the serializers that every area shares. */
import { errors } from '../base/errors';
import { element, type XmlElement } from '../xml/write';
import type { Serializer } from './route';

const FORM_TYPE = 'application/x-www-form-urlencoded';
export const XML_TYPE = 'application/xml; charset=utf-8';

/** An XML reply; `build` makes the element tree of a value. */
export function xml<V>(name: string, build: (value: V) => XmlElement): Serializer<V> {
  return {
    describes: { type: 'application/xml', element: name },
    from: (value) => ({ kind: 'tree', root: build(value) }),
  };
}

/** `<ok/>`: the answer of an operation that has nothing to return (specification, conventions 4). */
export const ok: Serializer<void> = xml('ok', () => element('ok'));

/** `<ok/>` of an operation that tells a door more about what was done. */
export function okOf<V>(): Serializer<V> {
  return xml('ok', () => element('ok'));
}

/** A call that the specification names and that never succeeds. */
export const notImplemented: Serializer<void> = {
  describes: { type: XML_TYPE, never: true },
  from: () => {
    throw errors.notImplemented();
  },
};

/** `<secret>` holding the secret; empty when there is none. */
export const secret: Serializer<string | null> = xml('secret', (value) => element('secret', {}, value ?? ''));

/** Form-encoded pairs, for tokens and redirect addresses. */
export const formPairs: Serializer<Readonly<Record<string, string>>> = {
  describes: { type: FORM_TYPE },
  from: (pairs) => ({ kind: 'body', type: FORM_TYPE, body: new URLSearchParams(pairs).toString() }),
};

export const plainText: Serializer<string> = {
  describes: { type: 'text/plain' },
  from: (text) => ({ kind: 'body', type: 'text/plain; charset=utf-8', body: text }),
};

export const json: Serializer<object> = {
  describes: { type: 'application/json' },
  from: (value) => ({ kind: 'body', type: 'application/json', body: JSON.stringify(value) }),
};

/** Stored bytes with the media type under which they were sent. */
export type StoredContent = { readonly content: Buffer; readonly mediaType: string; readonly digest: string };

/**
 * Whether a browser would show the bytes as a page. Such an answer carries the service's content policy, so that no
 * script in it runs.
 */
export function showsInBrowser(mediaType: string): boolean {
  return /^(application|text)\/([\w.+-]+\+)?(xml|json)(?:;|$)/.test(mediaType);
}

/** Content byte for byte, with its digest as ETag. Content that is neither XML nor JSON is sent as an attachment. */
export const storedContent: Serializer<StoredContent> = {
  describes: { type: '*/*', headers: { ETag: 'Digest of the content, in quotes' } },
  from: ({ content, mediaType, digest }, request) => {
    const headers = {
      etag: `"${digest}"`,
      ...(showsInBrowser(mediaType) ? {} : { 'content-disposition': 'attachment' }),
    };
    const known = request.ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    if (known.includes(headers.etag) || known.includes('*')) {
      return { kind: 'body', status: 304, body: '', type: mediaType, headers };
    }
    return { kind: 'body', body: content, type: mediaType, headers };
  },
};

/** The reply of an operation that only doors call; they show its value in their own way. */
export function behindDoors<V>(): Serializer<V> {
  return {
    describes: { type: 'none', never: true },
    from: () => {
      throw errors.notFound('path');
    },
  };
}

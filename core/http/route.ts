/** route: the route language: where, who, what comes in, what goes out, what runs. */
import type Joi from 'joi';
import type { AccessRule } from '../access/rules';
import type { Principal } from '../auth/principal';
import type { PrincipalId } from '../base/types';
import type { Services } from '../services';
import type { XmlElement } from '../xml/write';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A form that adds a document, or starts a record; it belongs to the session and the record that it was shown for. */
export type FormFacts = {
  /** Known to the form alone: it is good for one success. */
  readonly token: string;
  /** True: a file was kept for the form, and is not needed any more. */
  readonly kept?: boolean;
  /** What the document is called from now on; absent: as before. */
  readonly label?: string;
  /** True: the document never lies in any carenet, not even for a moment. */
  readonly nevershare?: boolean;
};

/** What a handler may know of the request beyond its checked inputs. */
export type RequestFacts = {
  /** HEAD is served as GET, but is no look at anything. */
  readonly isHead: boolean;
  /** Value of the Accept header, lower case; empty when absent. */
  readonly accept: string;
  /** Declared media type of the body without parameters, lower case; empty when absent. */
  readonly mediaType: string;
  /** What follows the media type as it came, such as `; charset=utf-8`; empty when nothing does. */
  readonly mediaParameters: string;
  readonly ifNoneMatch: string;
  readonly ifMatch: string;
  /** What the form of a door says beside the document that it adds; the interface has calls of their own for these. */
  readonly form?: FormFacts;
  /** True: whoever gets a share or comes into a carenet by this call is told by mail. Only pages ask for that. */
  readonly invites?: boolean;
  /** Path and query as received. */
  readonly url: string;
  readonly ipAddress: string;
  /** The OAuth header, accepted already; empty when absent. Only the token calls need parts of it. */
  readonly authorization: string;
};

export type Call<P = unknown, Q = unknown, B = unknown> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** Deny rules have been passed: it may make the call. */
  readonly principal: Principal;
  readonly services: Services;
  readonly request: RequestFacts;
  /** Adds to the audit row what only the handler knows, such as the id of a document that it created. */
  readonly note: (facts: {
    readonly documentId?: string;
    readonly recordId?: string;
    readonly carenetId?: string;
    readonly appId?: PrincipalId;
  }) => void;
};

/**
 * An element tree (written as XML), a finished body, or text that is made while it is sent, which may be more than
 * memory holds.
 */
export type ReplyBody =
  | {
      readonly kind: 'pieces';
      readonly pieces: AsyncGenerator<string>;
      readonly type: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'tree'; readonly root: XmlElement; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly kind: 'body';
      readonly body: string | Buffer;
      readonly type: string;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** How a handler's value leaves: `from` names each part that it lets out, `describes` is for the API reference. */
export type Serializer<V> = {
  readonly describes: {
    readonly type: string;
    /** Other types that it may have. */
    readonly also?: readonly string[];
    readonly element?: string;
    /** Name -> meaning. With an `ETag`, the call knows If-None-Match. */
    readonly headers?: Readonly<Record<string, string>>;
    /** True: it never succeeds. */
    readonly never?: boolean;
  };
  readonly from: (value: V, request: RequestFacts) => ReplyBody;
};

export type Body<B> =
  /** Form parameters; unknown ones are ignored. */
  | { readonly kind: 'form'; readonly schema: Joi.ObjectSchema<B> }
  /** The bytes as received; `limit` names the setting that bounds them. */
  | {
      readonly kind: 'raw';
      readonly limit: 'document' | 'appDocument' | 'text';
      readonly optional?: boolean;
      /** For the API reference: only a demographics document will do. */
      readonly demographics?: boolean;
      readonly is?: B;
    };

export type RouteSpec<P = any, Q = any, B = any, V = any> = {
  /** The specification's short name: audit name and operation id. */
  readonly name: string;
  readonly method: Method;
  /** Relative to the base address; parameters in braces, named as in the specification. */
  readonly path: string;
  readonly summary: string;
  /** Required; public routes say `anybody`. */
  readonly access: AccessRule;
  readonly params?: Joi.ObjectSchema<P>;
  readonly query?: Joi.ObjectSchema<Q>;
  readonly body?: Body<B>;
  readonly reply: Serializer<V>;
  /**
   * For the API reference: status -> when, where the rest of the spec does not tell. With 412, the call knows If-Match.
   */
  readonly fails?: Readonly<Record<number, string>>;
  /** Works, but clients should move on: the reply says so in a header. */
  readonly deprecated?: boolean;
  /** Pages without anyone's data: they leave no audit row and work while the database is away. */
  readonly page?: boolean;
  readonly handle: (call: Call<NoInfer<P>, NoInfer<Q>, NoInfer<B>>) => Promise<NoInfer<V>>;
};

/**
 * Checks one spec's types against each other; specs of every shape may share a list, and a door finds each by its name.
 */
export const route = <const N extends string, P, Q, B, V>(
  spec: RouteSpec<P, Q, B, V> & { readonly name: N },
): RouteSpec<P, Q, B, V> & { readonly name: N } => spec;

/** What the handler of a spec answers. */
export type ValueOf<S extends RouteSpec> = S extends RouteSpec<any, any, any, infer V> ? V : never;

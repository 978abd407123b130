/**
 * route: the route language: a spec says where a route is, who may call it, what comes in, what goes out and what runs.
 */
import type Joi from 'joi';
import type { AccessRule } from '../access/rules';
import type { Principal } from '../auth/principal';
import type { Asker } from '../base/turns/turns';
import type { Id, PrincipalId } from '../base/types';
import type { Unticked } from '../pipeline/leaving-out';
import type { Services } from '../services';
import type { XmlElement } from '../xml/write';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * A form that adds a document, or starts a record; it is bound to the session and the record for which it was shown.
 */
export type FormFacts = {
  /** Known only to the form, and valid for one success. */
  readonly token: string;
  /** True when a file was kept for the form and is not needed any more. */
  readonly kept?: boolean;
  /** The document's new label; absent when it keeps the old one. */
  readonly label?: string;
  /** True when the document must not be in any carenet, not even for a moment. */
  readonly nevershare?: boolean;
  /** What the person left out; absent: the form does not offer that. */ readonly leavesOut?: Unticked;
  /** The host that the document was fetched from by a link. */ readonly cameFrom?: string;
  /** True for what a device may send again after its session has ended: it is stored once for the account. */
  readonly device?: boolean;
};

/** What a handler may know of the request beyond its checked inputs. */
export type RequestFacts = {
  /** True for HEAD, which is served like GET although nobody sees the content. */
  readonly isHead: boolean;
  /** Value of the Accept header, lower case; empty when absent. */
  readonly accept: string;
  /** Declared media type of the body without parameters, lower case; empty when absent. */
  readonly mediaType: string;
  /** The parameters of the media type as received, such as `; charset=utf-8`; empty when there are none. */
  readonly mediaParameters: string;
  readonly ifNoneMatch: string;
  readonly ifMatch: string;
  /**
   * What the form of a door says in addition to the document that it adds; the interface has calls of their own for
   * these things.
   */
  readonly form?: FormFacts;
  /** True when people who get a share or join a carenet by this call are told by mail. Only pages ask for that. */
  readonly invites?: boolean;
  /** Path and query as received. */
  readonly url: string;
  readonly ipAddress: string;
  /** Calls the listener once the caller has gone (base/turns). */ readonly onGone?: Asker['onGone'];
  /** The OAuth header, already verified; empty when absent. Only the token calls need parts of it. */
  readonly authorization: string;
};

export type Call<P = unknown, Q = unknown, B = unknown> = {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The caller, whom the access rule has let pass. */
  readonly principal: Principal;
  readonly services: Services;
  readonly request: RequestFacts;
  /** Adds facts to the audit row that only the handler knows, such as the id of a document that it created. */
  readonly note: (facts: {
    readonly documentId?: string;
    readonly recordId?: string;
    readonly carenetId?: string;
    readonly appId?: PrincipalId;
    readonly guessed?: boolean;
    readonly recipient?: string;
    readonly unrecorded?: boolean;
    readonly recordIds?: readonly Id[];
  }) => void;
};

/**
 * The body of a reply: an element tree (written as XML), a finished body, or text that is made while it is sent and may
 * be larger than memory.
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

/**
 * Turns a handler's value into a reply. `from` names each part that it discloses; `describes` is for the API reference.
 */
export type Serializer<V> = {
  readonly describes: {
    readonly type: string;
    /** Other media types that the reply may have. */
    readonly also?: readonly string[];
    readonly element?: string;
    /** Name -> meaning. A call with an `ETag` here supports If-None-Match. */
    readonly headers?: Readonly<Record<string, string>>;
    /** True when the call never succeeds. */
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
      /** For the API reference: the body must be a demographics document. */
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
   * For the API reference: status -> when it is returned, where the rest of the spec does not say so. A call with 412
   * here supports If-Match.
   */
  readonly fails?: Readonly<Record<number, string>>;
  /** The route still works, but clients should stop using it. The reply says so in a header. */
  readonly deprecated?: boolean;
  /** It looks at something that was sent, such as a file for a preview, and changes nothing in a record. */
  readonly onlyLooks?: boolean;
  /** Pages that hold nobody's data: they leave no audit row and work while the database is down. */
  readonly page?: boolean;
  readonly handle: (call: Call<NoInfer<P>, NoInfer<Q>, NoInfer<B>>) => Promise<NoInfer<V>>;
};

/**
 * Checks that the types of one spec fit each other. Specs of every shape can share a list, and a door finds each one by
 * its name.
 */
export function route<const N extends string, P, Q, B, V>(
  spec: RouteSpec<P, Q, B, V> & { readonly name: N },
): RouteSpec<P, Q, B, V> & { readonly name: N } {
  return spec;
}

/** The type of value that the handler of a spec returns. */
export type ValueOf<S extends RouteSpec> = S extends RouteSpec<any, any, any, infer V> ? V : never;

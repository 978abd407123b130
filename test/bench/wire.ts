/** wire: a request as the bytes that are sent over the connection, signed with a nonce of its own. */
import { randomBytes } from 'node:crypto';
import type { Signer } from '../../core/auth/sign';
import { baseString, percentEncode, sign } from '../../core/auth/signature';

/** One kind of request. Where there are several, `weight` says how often each is sent. */
export type Template = {
  /** The callers that send it in turns. Without any, it is not signed. */
  readonly signers: readonly Signer[];
  /** The tokens of the callers that send it to the FHIR door, in turns. */
  readonly bearers?: readonly string[];
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /**
   * The paths that are requested in turns, `path` first, so that simultaneous callers do not all ask for the same one.
   */
  readonly paths?: readonly string[];
  readonly body?: Buffer;
  readonly form?: Readonly<Record<string, string>>;
  readonly weight?: number;
};

const authorization = ({ consumer, token }: Signer, { method, path, form = {} }: Template, baseUrl: string): string => {
  const [bare = '', query = ''] = path.split('?');
  const header: [string, string][] = [
    ['oauth_consumer_key', consumer.key],
    ['oauth_nonce', randomBytes(12).toString('base64url')],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(Math.floor(Date.now() / 1000))],
    ...(token ? [['oauth_token', token.key] as [string, string]] : []),
    ['oauth_version', '1.0'],
  ];
  const base = baseString(method, `${baseUrl}${bare}`, [
    ...header,
    ...new URLSearchParams(query),
    ...Object.entries(form),
  ]);
  const signed: [string, string][] = [...header, ['oauth_signature', sign(base, consumer.secret, token?.secret ?? '')]];
  return `OAuth ${signed.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
};

/** A request for a connection that stays open: its head, and the body that all requests of its kind share. */
export type WireRequest = { readonly head: Buffer; readonly body: Buffer | undefined };

/** @param turn chooses the signer that sends it, and the path */
export const wireRequest = (template: Template, baseUrl: string, turn: number): WireRequest => {
  const { signers, bearers = [], method, paths = [], form } = template;
  const path = paths[turn % paths.length] ?? template.path;
  const signer = signers[turn % signers.length];
  const bearer = bearers[turn % bearers.length];
  const body = form ? Buffer.from(new URLSearchParams(form).toString()) : template.body;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(baseUrl).host}`,
    ...(signer ? [`authorization: ${authorization(signer, { ...template, path }, baseUrl)}`] : []),
    ...(bearer === undefined ? [] : [`authorization: Bearer ${bearer}`]),
    ...(body
      ? [
          `content-type: ${form ? 'application/x-www-form-urlencoded' : 'application/xml'}`,
          `content-length: ${body.length}`,
        ]
      : []),
  ];
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body };
};

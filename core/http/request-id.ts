/** request-id: the id by which a caller, a person and an operator refer to the same request. */
import type { Request } from '@hapi/hapi';
import { sha256 } from '../base/ids';

const CHARACTERS = 16;
const SPOKEN = 6;

/**
 * The id in the reply's `X-Request-Id` and in every log line of the request. It is a digest, because hapi's own id
 * reveals the host and the process.
 */
export function requestId(request: Request): string {
  return sha256(request.info.id).slice(0, CHARACTERS);
}

/** The first characters of the request id, few enough to be read out on the telephone. */
export function spokenRequestId(request: Request): string {
  return requestId(request).slice(0, SPOKEN);
}

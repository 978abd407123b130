/** request-id: the name under which a caller, a person and an operator speak of the same request. */
import type { Request } from '@hapi/hapi';
import { sha256 } from '../base/ids';

const CHARACTERS = 16;
const SPOKEN = 6;

/**
 * In the reply's `X-Request-Id` and in every log line of the request. hapi's own name tells the host and the process.
 */
export const requestId = (request: Request): string => sha256(request.info.id).slice(0, CHARACTERS);

/** Its first characters, short enough to be read out on the telephone. */
export const spokenRequestId = (request: Request): string => requestId(request).slice(0, SPOKEN);

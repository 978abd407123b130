/**
 * held-bytes: bounds the memory of large files that arrive or are being sent, for all requests of this process
 * together and for each caller. A caller who reads slowly holds the bytes of an answer for as long as that takes.
 */
import type { Request } from '@hapi/hapi';
import { newRoom, type Hold } from '../base/turns/room';
import { errors } from '../base/errors';

const [TOGETHER, EACH] = [500_000_000, 220_000_000];
/** Smaller answers are not counted. */
const LARGE = 8_000_000;

/** Begins to count what somebody's request holds. */
export const holdBytes = newRoom({
  together: TOGETHER,
  each: EACH,
  full: () => errors.unavailable('too many large files are being sent'),
});

const sent = new WeakSet<Request>();

/** As `holdBytes`, until the request was answered. */
export function holdUntilAnswered(request: Request, owner: string): Hold {
  const hold = holdBytes(owner);
  // `finish`: the system has all of the answer; `close`: the connection ended before that.
  request.raw.res.once('finish', hold.end).once('close', hold.end);
  return hold;
}

/**
 * Counts the bytes of an answer, until it was sent. An answer that a door has counted is not counted again.
 * @throws AppError unavailable when there is no room for it
 */
export function holdSent(request: Request, owner: string, bytes: number): void {
  if (bytes > LARGE && !sent.has(request)) {
    holdUntilAnswered(request, owner).more(bytes);
    sent.add(request);
  }
}

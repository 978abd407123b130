/**
 * new-ids: new ids for rows whose own ids are taken. They are computed from the old ones, so that no table of pairs is
 * needed.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isId } from '../base/ids';

/** Keeps every id. */
export function sameIds(id: string): string {
  return id;
}

/**
 * Makes other ids for one import: the same old id always gives the same new one. The time at the front stays, so that
 * keys still grow with time. A text that is no id of a row stays as it is.
 */
export function otherIds(): (id: string) => string {
  const salt = randomBytes(32);
  return (id) => {
    if (!isId(id)) {
      return id;
    }
    const bits = createHmac('sha256', salt).update(id).digest('hex');
    const variant = ((parseInt(bits[3]!, 16) & 0x3) | 0x8).toString(16);
    return `${id.slice(0, 13)}-7${bits.slice(0, 3)}-${variant}${bits.slice(4, 7)}-${bits.slice(7, 19)}`;
  };
}

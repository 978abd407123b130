/**
 * new-ids: the ids that rows get where their own are taken: made from the old ones, so that no table of pairs is
 * needed.
 */
import { createHmac, randomBytes } from 'node:crypto';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every id as it is. */
export const sameIds = (id: string): string => id;

/**
 * Other ids for one import: the same old id gives the same new one. The time in front stays, so that keys go on growing
 * with time; what is no id of a row stays as it is.
 */
export const otherIds = (): ((id: string) => string) => {
  const salt = randomBytes(32);
  return (id) => {
    if (!uuid.test(id)) {
      return id;
    }
    const bits = createHmac('sha256', salt).update(id).digest('hex');
    const variant = ((parseInt(bits[3]!, 16) & 0x3) | 0x8).toString(16);
    return `${id.slice(0, 13)}-7${bits.slice(0, 3)}-${variant}${bits.slice(4, 7)}-${bits.slice(7, 19)}`;
  };
};

/** formats: which of the service's formats a caller prefers. */
import { mediaType } from '@hapi/accept';

/** True when the Accept header ranks JSON above XML; XML is the default. */
export const prefersJson = (accept: string): boolean => {
  if (!accept.includes('json')) {
    return false;
  }
  try {
    return mediaType(accept, ['application/xml', 'application/json']) === 'application/json';
  } catch {
    return false;
  }
};

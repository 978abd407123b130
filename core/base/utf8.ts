/** utf8: checks bytes that somebody sent as text, and cuts texts between characters. */
import { isUtf8 } from 'node:buffer';
import { errors } from './errors';

/**
 * @throws AppError invalid_body for bytes that are not UTF-8: replacement characters would be stored as if they had
 * been sent
 */
export function requireUtf8(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) {
    throw errors.invalidBody('its text is not UTF-8');
  }
  return bytes;
}

/** The same check for a form, whose bytes may be percent-encoded. */
export function requireUtf8Form(bytes: Buffer): Buffer {
  for (const [run] of requireUtf8(bytes)
    .toString('latin1')
    .matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    requireUtf8(Buffer.from(run.replaceAll('%', ''), 'hex'));
  }
  return bytes;
}

/** The first characters of a text; none is cut in two. */
export function cutText(text: string, length: number): string {
  return text.length <= length
    ? text
    : Array.from(text.slice(0, 2 * length))
        .slice(0, length)
        .join('');
}

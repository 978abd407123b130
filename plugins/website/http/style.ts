/**
 * style: serves the style sheet, the icon and the one script of the website from memory. A changed file has a new
 * address.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ServerRoute } from '@hapi/hapi';
import { sha256 } from '../../../core/base/ids';
import { projectRoot } from '../../../core/base/paths';
import { SITE } from '../../../core/config/schema';

const read = (name: string): Buffer => readFileSync(join(projectRoot, 'plugins', 'website', name));

const sheet = read('style.css');
const script = read('passkeys.js');

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="4" ' +
  'fill="#07474e"/><path d="M9 4v16M12 8h7M12 12h5M12 16h7M5 8h1.5M5 12h1.5M5 16h1.5" stroke="#fff" ' +
  'stroke-width="2" fill="none"/></svg>';

/** The address of a file below the site, with a part that changes with its content. */
const addressOf = (name: string, content: Buffer): string => `${name}?v=${sha256(content).slice(0, 12)}`;
export const STYLE = addressOf('style.css', sheet);
export const SCRIPT = addressOf('passkeys.js', script);

const file = (name: string, type: string, content: Buffer): ServerRoute => {
  const packed = gzipSync(content, { level: 9 });
  return {
    method: 'GET',
    path: `${SITE}/${name}`,
    options: { auth: false },
    handler: (request, h) => {
      const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      const response = h
        .response(gzip ? packed : content)
        .type(type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'Accept-Encoding');
      return gzip ? response.header('content-encoding', 'gzip') : response;
    },
  };
};

/** The files are the same for everybody and contain nobody's data, so browsers may cache them. */
export const files: readonly ServerRoute[] = [
  file('style.css', 'text/css; charset=utf-8', sheet),
  file('passkeys.js', 'text/javascript; charset=utf-8', script),
  file('icon.svg', 'image/svg+xml', Buffer.from(icon)),
];

/**
 * style: serves the style sheet, the icons and the scripts of the website from memory. A changed file has a new address.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ServerRoute } from '@hapi/hapi';
import { sha256 } from '../../../core/base/ids';
import { projectRoot } from '../../../core/base/paths';
import { GROUND, iconDrawing, iconPicture } from './icon';
import { SITE } from '../../../core/config/schema';

function readSiteFile(name: string): Buffer {
  return readFileSync(join(projectRoot, 'plugins', 'website', name));
}

const sheet = readSiteFile('style.css');
const script = readSiteFile('passkeys.js');
const telephone = readSiteFile('on-telephone.js');
const worker = readSiteFile('worker.js');

/** The address of a file below the site, with a part that changes with its content. */
function versionedAddress(name: string, content: Buffer): string {
  return `${name}?v=${sha256(content).slice(0, 12)}`;
}
export const STYLE = versionedAddress('style.css', sheet);
export const SCRIPT = versionedAddress('passkeys.js', script);
export const TELEPHONE_SCRIPT = versionedAddress('on-telephone.js', telephone);

/** The address of the worker stays, so that browsers find its newer versions. */
export const WORKER = 'worker.js';
/** What a telephone needs to put the site on its screen. */
export const MANIFEST = 'manifest.webmanifest';
const ICON_SIZES = [192, 512] as const;
function iconName(size: number): string {
  return `icon-${size}.png`;
}
const TOUCH_ICON_SIZE = 180;
export const TOUCH_ICON = iconName(TOUCH_ICON_SIZE);

/** @param make makes the content when somebody first asks for it: drawing all pictures takes a tenth of a second */
function fileRoute(name: string, type: string, make: () => Buffer): ServerRoute {
  let made: { readonly plain: Buffer; readonly packed: Buffer } | undefined;
  return {
    method: 'GET',
    path: `${SITE}/${name}`,
    options: { auth: false },
    handler: (request, h) => {
      const plain = made?.plain ?? make();
      made ??= { plain, packed: gzipSync(plain, { level: 9 }) };
      const gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      const response = h
        .response(gzip ? made.packed : plain)
        .type(type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('vary', 'Accept-Encoding');
      return gzip ? response.header('content-encoding', 'gzip') : response;
    },
  };
}

/** The files are the same for everybody and contain nobody's data, so browsers may cache them. */
export const files: readonly ServerRoute[] = [
  fileRoute('style.css', 'text/css; charset=utf-8', () => sheet),
  fileRoute('passkeys.js', 'text/javascript; charset=utf-8', () => script),
  fileRoute('on-telephone.js', 'text/javascript; charset=utf-8', () => telephone),
  fileRoute('icon.svg', 'image/svg+xml', () => Buffer.from(iconDrawing)),
  ...[...ICON_SIZES, TOUCH_ICON_SIZE].map((size) => fileRoute(iconName(size), 'image/png', () => iconPicture(size))),
];

/** Browsers ask for these each time, because their addresses stay. The worker may ask this site alone. */
function fresh(name: string, type: string, content: string | Buffer): ServerRoute {
  return {
    method: 'GET',
    path: `${SITE}/${name}`,
    options: { auth: false },
    handler: (_request, h) =>
      h
        .response(content)
        .type(type)
        .header('cache-control', 'no-cache')
        .header('content-security-policy', "default-src 'none'; connect-src 'self'"),
  };
}

/** The worker, and what a telephone needs to put the site on its screen. Addresses count from that of the manifest. */
export const telephoneFiles: readonly ServerRoute[] = [
  fresh(WORKER, 'text/javascript; charset=utf-8', worker),
  fresh(
    MANIFEST,
    'application/manifest+json',
    JSON.stringify({
      name: 'My health record',
      short_name: 'Health',
      start_url: './',
      scope: './',
      display: 'standalone',
      background_color: GROUND,
      theme_color: GROUND,
      icons: ICON_SIZES.flatMap((size) =>
        ['any', 'maskable'].map((purpose) => ({
          src: iconName(size),
          sizes: `${size}x${size}`,
          type: 'image/png',
          purpose,
        })),
      ),
    }),
  ),
];

/** service: answers the calls of the system area. */
import { readFile as readFromDisk } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INTERFACE_VERSION } from '../../core/apps/manifest-schema';
import { errors } from '../../core/base/errors';
import type { Call } from '../../core/http/route';
import { sitePath } from '../../core/http/site-path';
import { startPage } from './reference';
import { coloursScript, startScript } from './reference-script';
import { style } from './reference-style';
import type { Page } from './serialize';

/** The release of the interface, which manifests name as svc_version (specification 9). */
export function readVersion(): Promise<string> {
  return Promise.resolve(INTERFACE_VERSION);
}

/** The kinds of the platform vocabulary that can be read; user preferences can be changed, too. */
const readableKinds = [
  'Allergy',
  'AllergyExclusion',
  'AppManifest',
  'Capabilities',
  'Demographics',
  'Encounter',
  'Fulfillment',
  'Immunization',
  'LabResult',
  'Medication',
  'Ontology',
  'Problem',
  'VitalSigns',
];

export function readCapabilities({ services }: Call): Promise<object> {
  const kind = (name: string): string => `${services.config.platformBase}/terms#${name}`;
  return Promise.resolve({
    ...Object.fromEntries(readableKinds.map((name) => [kind(name), { methods: ['GET'] }])),
    [kind('UserPreferences')]: { methods: ['DELETE', 'GET', 'PUT'] },
  });
}

const loopback = /^(127\.|::1$|::ffff:127\.)/;

/** Refuses callers on other machines if the three probes are limited to this one. */
function refuseFarProbe({ services, request }: Call): void {
  if (services.config.probesLoopbackOnly && !loopback.test(request.ipAddress)) {
    throw errors.permissionDenied();
  }
}

export function reportLive(call: Call): Promise<object> {
  refuseFarProbe(call);
  return Promise.resolve({ status: 'live' });
}

export async function readReadiness(call: Call): Promise<object> {
  refuseFarProbe(call);
  if (call.services.stopping()) {
    throw errors.unavailable('it is stopping');
  }
  try {
    await call.services.database.reads.raw('select 1');
  } catch {
    throw errors.unavailable('the database does not answer');
  }
  return { status: 'ready' };
}

export async function readMetrics(call: Call): Promise<Page> {
  refuseFarProbe(call);
  return { type: call.services.metrics.contentType, body: await call.services.metrics.text() };
}

export function readOpenApi({ services }: Call): Promise<object> {
  return Promise.resolve(services.openApi());
}

export function readReferencePage(): Promise<Page> {
  return Promise.resolve(startPage);
}

/** The address is relative, so that it is also right behind a proxy that serves this service below another path. */
export function leadToReference(): Promise<Page> {
  return Promise.resolve({
    type: 'text/plain; charset=utf-8',
    body: '',
    status: 308,
    headers: { location: '../docs' },
  });
}

/** A request that accepts HTML comes from a person; programs get the reference itself. */
export async function readStart({ services, request }: Call): Promise<Page> {
  return services.config.website && request.accept.includes('text/html')
    ? { type: 'text/plain', body: '', status: 303, headers: { location: `${sitePath(services.baseUrl())}/` } }
    : startPage;
}

const swaggerFolder = dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files of the reference page, all of which come from this service. */
const own: Readonly<Record<string, Page>> = {
  'start.js': startScript,
  'colours.js': coloursScript,
  'reference.css': { type: 'text/css; charset=utf-8', body: style },
};
const files: Readonly<Record<string, { readonly type: string; readonly path: string }>> = {
  'swagger-ui.css': { type: 'text/css', path: join(swaggerFolder, 'swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript', path: join(swaggerFolder, 'swagger-ui-bundle.js') },
  'oauth-1.0a.js': { type: 'text/javascript', path: require.resolve('oauth-1.0a') },
};

export async function readFile({ params }: Call<{ FILE: string }>): Promise<Page> {
  if (Object.hasOwn(own, params.FILE)) {
    return own[params.FILE]!;
  }
  const file = Object.hasOwn(files, params.FILE) ? files[params.FILE] : undefined;
  if (!file) {
    throw errors.notFound('page');
  }
  return { type: file.type, body: await readFromDisk(file.path) };
}

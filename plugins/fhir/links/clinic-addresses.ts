/** clinic-addresses: the address of a clinic's link, where its software fetches the encrypted file. */
import type { Lifecycle, Request, ResponseObject, Server } from '@hapi/hapi';
import { errors } from '../../../core/base/errors';
import { textInSlices } from '../../../core/base/turns/slices';
import { resourcePieces } from '../../../core/fhir/write';
import { logFailure } from '../../../core/http/log-failure';
import { callingOf } from '../../../core/http/oauth-scheme';
import { perform, type Fields } from '../../../core/http/operation';
import { rawPathOf, rawQueryOf, requestFacts } from '../../../core/http/read-request';
import { keepSpec } from '../../../core/http/route-app';
import { toAppError } from '../../../core/http/to-app-error';
import { noteOn, trailOf } from '../../../core/http/to-hapi';
import { wholeBody } from '../../../core/http/whole-body';
import type { LazyServices } from '../../../core/services';
import { withHeaders } from '../cors';
import { outcomeOfFailure } from '../write/outcome';
import type { Fetched } from './clinic-fetch';
import { CLINIC_PATH } from './clinic-links';
import { CONTENT_TYPE } from '../../../core/received/clinic-profile';
import { encryptFile } from './jwe';
import { operations } from './routes';

const JOSE = 'application/jose';
const METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Pages of any origin may read the answers, which only the key of the link opens. */
const OPEN: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, Retry-After, X-Request-Id',
};
const PREFLIGHT: Readonly<Record<string, string>> = {
  ...OPEN,
  'access-control-allow-methods': METHODS.join(', '),
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
};

async function encrypted({ bundle, key }: Fetched): Promise<string> {
  const bytes: Buffer[] = [];
  for await (const text of textInSlices(resourcePieces(bundle))) {
    bytes.push(Buffer.from(text, 'utf8'));
  }
  return encryptFile(Buffer.concat(bytes), Buffer.from(key, 'base64url'), CONTENT_TYPE, { zip: false });
}

function fetchHandler({ services: find }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    const { principal, claimed } = callingOf(request);
    const { value } = await perform(
      operations.linkFetch,
      {
        principal,
        params: request.params as Fields,
        query: { recipient: new URLSearchParams(rawQueryOf(request)).get('recipient') ?? '' },
        body: () => undefined,
        request: requestFacts(request),
        claimed,
        note: (noted) => noteOn(request, noted),
      },
      find(),
    );
    const fetched = value as Fetched | undefined;
    const response = fetched ? h.response(wholeBody(await encrypted(fetched))) : h.response('').code(200);
    return withHeaders(response.type(JOSE), OPEN);
  };
}

function isHere(request: Request): boolean {
  return rawPathOf(request).startsWith(`${CLINIC_PATH}/`);
}

/** Refusals are read by programs, too, and by those of any origin. */
function answerClinicFailure({ services: find }: LazyServices): Lifecycle.Method {
  return (request, h) => {
    const { response } = request;
    if (!isHere(request) || !('isBoom' in response || response instanceof Error)) {
      return h.continue;
    }
    const failure = toAppError(response);
    logFailure(find().log, { request: request.info.id, route: trailOf(request)?.spec.name }, response);
    const reply: ResponseObject = h
      .response(JSON.stringify(outcomeOfFailure(failure)))
      .code(failure.status)
      .type(CONTENT_TYPE);
    return withHeaders(withHeaders(reply, failure.headers), OPEN);
  };
}

export function serveClinics(server: Server, lazy: LazyServices): void {
  const path = `${CLINIC_PATH}/{CLINIC_SECRET}`;
  server.ext('onPreResponse', answerClinicFailure(lazy));
  server.route([
    { method: 'GET', path, options: { app: keepSpec(operations.linkFetch), auth: false }, handler: fetchHandler(lazy) },
    {
      method: 'OPTIONS',
      path,
      options: { auth: false },
      handler: (_request, h) => withHeaders(h.response().code(204), PREFLIGHT),
    },
    {
      method: '*',
      path,
      options: { auth: false, payload: { output: 'stream', parse: false } },
      handler: () => {
        throw errors.methodNotAllowed(METHODS);
      },
    },
  ]);
}

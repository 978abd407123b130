/** failures: answers every failure below `/fhir` with an OperationOutcome. */
import type { Lifecycle, Request } from '@hapi/hapi';
import { outcomeOfFailure } from './write/outcome';
import { logFailure } from '../../core/http/log-failure';
import { header, rawPathOf, rawQueryOf } from '../../core/http/read-request';
import { toAppError } from '../../core/http/to-app-error';
import { trailOf } from '../../core/http/to-hapi';
import type { LazyServices } from '../../core/services';
import { corsHeaders, withHeaders } from './cors';
import { formOfFailure, typeOf, written } from './forms';
import { formatOf, FHIR_PATH, isOpenPath } from './serve';

function isHere(request: Request): boolean {
  const path = rawPathOf(request);
  return path === FHIR_PATH || path.startsWith(`${FHIR_PATH}/`);
}

/** Whether the address is open to all. */
function isOpenAddress(request: Request): boolean {
  return trailOf(request)?.spec.page === true || isOpenPath(rawPathOf(request));
}

export function answerFailure({ services: find }: LazyServices): Lifecycle.Method {
  return async (request, h) => {
    const { response } = request;
    if (!isHere(request) || !('isBoom' in response || response instanceof Error)) {
      return h.continue;
    }
    const services = find();
    const failure = toAppError(response);
    logFailure(services.log, { request: request.info.id, route: trailOf(request)?.spec.name }, response);
    const form = formOfFailure(formatOf(new URLSearchParams(rawQueryOf(request))), header(request, 'accept'));
    const body = [...written(outcomeOfFailure(failure), form)].join('');
    const reply = h.response(body).code(failure.status).type(typeOf(form));
    return withHeaders(
      withHeaders(reply, failure.headers),
      await corsHeaders(services, request, isOpenAddress(request)),
    );
  };
}

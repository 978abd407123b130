/** to-app-error: turns any failure into one of the error catalogue. */
import { isBoom, type Boom } from '@hapi/boom';
import { AppError, errors } from '../base/errors';
import { translate } from '../db/db-errors';

/** Failures that the framework finds before a handler runs. */
function fromFramework(failure: Boom): AppError {
  if (failure.output.statusCode === 400 && failure.message === 'Bad Request') {
    // The router says only this much of a path that it cannot decode.
    return errors.invalidParameter('address', 'it cannot be read: look at its percent-encoding');
  }
  switch (failure.output.statusCode) {
    case 404:
      return errors.notFound('path: mind that the paths of lists end in a slash');
    case 415:
      return errors.invalidBody('its content type or encoding is not supported');
    case 408:
      return errors.unavailable('the request body did not arrive in time');
    case 503:
      return errors.unavailable('it is overloaded or stopping');
    default:
      return failure.output.statusCode < 500
        ? errors.invalidBody('the request cannot be read: look at its Content-Type')
        : errors.internal();
  }
}

/** What a failure means to the caller; anything unforeseen is an internal error without detail. */
export function toAppError(failure: unknown): AppError {
  const known = translate(failure);
  if (known instanceof AppError) {
    return known;
  }
  if (!isBoom(known)) {
    return errors.internal();
  }
  const { statusCode } = known.output;
  const isClients = !(known as { isDeveloperError?: boolean }).isDeveloperError && statusCode < 500;
  return isClients || statusCode === 503 ? fromFramework(known) : errors.internal();
}

/** The error that replaces a reply whose audit row was not written. @param failure why it was not */
export function auditFailure(failure: unknown): AppError {
  const reason = 'the audit log cannot be written';
  return toAppError(failure).code === 'out_of_order' ? errors.outOfOrder(reason) : errors.unavailable(reason);
}

/** formats: which format a generic report takes: `response_format`, else the Accept header, else JSON. */
import { mediaType } from '@hapi/accept';
import { errors } from '../../core/base/errors';

export type ReportFormat = 'application/json' | 'application/xml' | 'text/xml' | 'application/rdf+xml';

const formats: readonly ReportFormat[] = ['application/json', 'application/xml', 'text/xml', 'application/rdf+xml'];

const accepted = (accept: string): ReportFormat => {
  try {
    return formats.find((format) => format === mediaType(accept, [...formats])) ?? 'application/json';
  } catch {
    return 'application/json';
  }
};

/** @throws AppError invalid_parameter */
export const notInThatFormat = (): never => {
  throw errors.invalidParameter('response_format', 'this report is not there in that format');
};

/**
 * A plus that was not escaped arrives as a space.
 * @throws AppError invalid_parameter for a format that no report has
 */
export const reportFormat = (given: string | undefined, accept: string): ReportFormat => {
  if (given === undefined) {
    return accepted(accept);
  }
  return formats.find((format) => format === given.replace(' ', '+')) ?? notInThatFormat();
};

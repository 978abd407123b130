/** formats: chooses the format of a generic report: `response_format`, else JSON. The Accept header has no effect. */
import { errors } from '../../core/base/errors';

export type ReportFormat = 'application/json' | 'application/xml' | 'text/xml' | 'application/rdf+xml';

export const formats: readonly ReportFormat[] = [
  'application/json',
  'application/xml',
  'text/xml',
  'application/rdf+xml',
];

/** @throws AppError invalid_parameter */
export function notInThatFormat(): never {
  throw errors.invalidParameter('response_format', 'this report is not there in that format');
}

/**
 * A plus that was not escaped arrives as a space.
 * @throws AppError invalid_parameter for a format that no report has
 */
export function reportFormat(given = 'application/json'): ReportFormat {
  return formats.find((format) => format === given.replace(' ', '+')) ?? notInThatFormat();
}

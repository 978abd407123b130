/** errors: the one catalogue of failures that a caller can see. A code is never reused for another meaning. */

/** The kind of a problem; pages show it in the person's language. */
export type ProblemKind = 'damaged' | 'date' | 'doctype' | 'encoding' | 'misplaced' | 'missing' | 'value' | 'version';

/** One problem inside a document or a query: where it is and what is wrong, never the document's own text. */
export type Problem = {
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly kind?: ProblemKind;
  /** The name of the element or attribute that has the problem, in its format. */
  readonly name?: string;
};

/** A failure with a status and a stable code; everything else that is thrown becomes a 500 without details. */
export class AppError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly Problem[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'AppError';
  }
}

const DETAILS_SHOWN = 20;

/** A wrong passcode of a health link, which ends after too many of them. */
export class WrongPasscode extends AppError {
  constructor(readonly remaining: number) {
    super(401, 'wrong_passcode', `The passcode is wrong. Tries that remain before the link ends: ${remaining}.`);
  }
}

/** Every failure of the interface by name (specification 7). */
export const errors = {
  missingParameter: (name: string) =>
    new AppError(400, 'missing_parameter', `The parameter ${name} is missing or empty: send it with this call.`),
  invalidParameter: (name: string, reason: string) =>
    new AppError(400, 'invalid_parameter', `The parameter ${name} is not valid: ${reason}.`),
  invalidQuery: (reason: string) => new AppError(400, 'invalid_query', `The query is not valid: ${reason}.`),
  invalidBody: (reason: string) => new AppError(400, 'invalid_body', `The request body is not valid: ${reason}.`),
  invalidDocument: (reason: string, details: readonly Problem[] = []) =>
    new AppError(400, 'invalid_document', `The document was refused: ${reason}.`, details.slice(0, DETAILS_SHOWN)),
  transformFailed: (reason: string) =>
    new AppError(400, 'transform_failed', `The document could not be transformed into facts: ${reason}.`),
  duplicate: (what: string) => new AppError(400, 'duplicate', `${what} is already in use.`),
  foreignAddress: () =>
    new AppError(
      400,
      'foreign_address',
      'The parameter username is not valid: a name with @ must be the id of the account or its confirmed address.',
    ),
  alreadyReplaced: () =>
    new AppError(400, 'already_replaced', 'This version was replaced already: replace the latest version instead.'),
  alreadyUploaded: () =>
    new AppError(
      400,
      'already_uploaded',
      'An attachment with this number was uploaded already: go on with the next number.',
    ),
  invalidState: (reason: string) =>
    new AppError(400, 'invalid_state', `The call does not fit the present state: ${reason}.`),
  accountNotInitialized: () =>
    new AppError(
      400,
      'account_not_initialized',
      'The account has not been initialized yet: its person must first open the link in the mail.',
    ),
  /** Of the FHIR door (RFC 6750, 3.1). @param error none: no token came along */
  noToken: (error?: string) =>
    new AppError(
      401,
      'no_token',
      error === undefined
        ? 'This call needs an access token: send it as Authorization: Bearer TOKEN.'
        : 'The access token is not known, or it has ended: ask for a new one.',
      [],
      { 'www-authenticate': error === undefined ? 'Bearer realm="fhir"' : `Bearer realm="fhir", error="${error}"` },
    ),
  /** Of the FHIR door: the token may not do this, whoever holds it. @param scope the scope that would allow it */
  outsideScope: (scope: string) =>
    new AppError(403, 'outside_scope', `The access token was not granted ${scope}: ask for this scope.`, [], {
      'www-authenticate': `Bearer realm="fhir", error="insufficient_scope", scope="${scope}"`,
    }),
  /** Of a health link. @param remaining tries before it ends */
  wrongPasscode: (remaining: number) => new WrongPasscode(remaining),
  permissionDenied: () => new AppError(403, 'permission_denied', 'The credentials given do not permit this call.'),
  /** The caller may make the call, but the state of the thing forbids it (specification 3.1, 3.6). */
  refused: (reason: string) => new AppError(403, 'refused', `The call is refused: ${reason}.`),
  notFound: (what: string) => new AppError(404, 'not_found', `There is no such ${what}.`),
  methodNotAllowed: (allow: readonly string[]) =>
    new AppError(405, 'method_not_allowed', `This path answers ${allow.join(', ')} only.`, [], {
      allow: allow.join(', '),
    }),
  /** Of the FHIR door. */
  notAcceptable: (types: readonly string[]) =>
    new AppError(
      406,
      'not_acceptable',
      `The answer does not come in any of the forms asked for: ask for ${types.join(' or ')}.`,
    ),
  /** Of the FHIR door. */
  unsupportedType: (types: readonly string[]) =>
    new AppError(415, 'unsupported_type', `The body must be declared as ${types.join(' or ')}.`),
  unsupportedEncoding: (encodings: readonly string[]) =>
    new AppError(
      415,
      'unsupported_encoding',
      `The body must be encoded as ${encodings.join(' or ')}, or not at all.`,
      [],
      {
        'accept-encoding': encodings.join(', '),
      },
    ),
  /** Of the FHIR door: the resource can be read, and must not be stored. */
  unprocessable: (reason: string) => new AppError(422, 'unprocessable', `The resource is refused: ${reason}.`),
  /** As many as there may be at once are there. */
  tooManyOpen: (reason: string) =>
    new AppError(409, 'too_many_open', `The call does not fit the present state: ${reason}.`),
  gone: (what: string) => new AppError(410, 'gone', `${what} was saved already.`),
  preconditionFailed: (reason = 'read the present version and try again') =>
    new AppError(412, 'precondition_failed', `The condition in the request headers does not hold: ${reason}.`),
  tooLarge: (limit: string) =>
    new AppError(413, 'too_large', `The request is larger than this service accepts: ${limit}.`),
  headTooLarge: () =>
    new AppError(
      431,
      'head_too_large',
      'The address and the headers of the request are larger than 16 kB together: ask for less at once.',
    ),
  unreadable: () =>
    new AppError(
      400,
      'unreadable',
      'What was sent is not a request of HTTP 1.1: check its first line, its headers and its length.',
    ),
  tooManyRequests: (seconds: number) =>
    new AppError(429, 'too_many_requests', `Too many attempts: try again in ${seconds} seconds.`, [], {
      'retry-after': String(seconds),
    }),
  internal: () =>
    new AppError(500, 'internal', 'The service failed unexpectedly; the operator finds the reason in the log.'),
  reportFailed: (model: string) =>
    new AppError(
      500,
      'report_failed',
      `The module that writes this report of ${model} failed: ask for another response_format, or tell the ` +
        'operator, who finds the reason in the log.',
    ),
  notImplemented: () => new AppError(500, 'not_implemented', 'This call is not implemented.'),
  unavailable: (reason: string) =>
    new AppError(503, 'unavailable', `The service cannot answer now: ${reason}. Try again soon.`, [], {
      'retry-after': '1',
    }),
  /** What was asked for takes longer than one call may. */
  tookTooLong: (seconds: number) =>
    new AppError(
      503,
      'took_too_long',
      `The answer would take longer than the ${seconds} seconds of work that one call may ask for: ask for a shorter ` +
        'period, fewer words or a smaller page.',
      [],
      { 'retry-after': '10' },
    ),
  /** As `unavailable`, when waiting does not help. */
  outOfOrder: (reason: string) =>
    new AppError(503, 'out_of_order', `The service cannot answer now: ${reason}. Tell those who run it.`, [], {
      'retry-after': '60',
    }),
} as const;

/** A set-up problem that stops the start: shown to the operator as one line, without a stack. */
export class SetupError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'SetupError';
  }
}

/**
 * What is wrong with the set-up, one line each.
 * @throws whatever else was thrown
 */
export function problemsOf(error: unknown): readonly string[] {
  if (error instanceof SetupError) {
    return error.problems;
  }
  throw error;
}

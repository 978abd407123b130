/** outcome: describes what went wrong, or was left out, as an OperationOutcome (pure). */
import type { AppError, Problem } from '../../../core/base/errors';
import { filled, type Resource } from '../../../core/fhir/resource';

type Severity = 'error' | 'warning' | 'information';

export type Issue = {
  readonly severity: Severity;
  /** A code of FHIR's issue types. */
  readonly code: string;
  readonly text: string;
  /** The path of the element in question. */
  readonly expression?: string;
};

export function outcomeOf(issues: readonly Issue[]): Resource {
  return {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ severity, code, text, expression }) =>
      filled({
        severity,
        code,
        details: { text },
        diagnostics: text,
        expression: expression ? [expression] : undefined,
      }),
    ),
  };
}

/** Codes of our catalogue -> FHIR's. */
const codes: Readonly<Record<string, string>> = {
  no_token: 'login',
  wrong_passcode: 'login',
  outside_scope: 'forbidden',
  permission_denied: 'forbidden',
  refused: 'forbidden',
  not_found: 'not-found',
  gone: 'deleted',
  missing_parameter: 'required',
  invalid_parameter: 'value',
  invalid_query: 'value',
  invalid_body: 'structure',
  invalid_document: 'structure',
  transform_failed: 'processing',
  unprocessable: 'invariant',
  duplicate: 'duplicate',
  already_replaced: 'conflict',
  precondition_failed: 'conflict',
  invalid_state: 'business-rule',
  method_not_allowed: 'not-supported',
  not_acceptable: 'not-supported',
  unsupported_type: 'not-supported',
  unsupported_encoding: 'not-supported',
  too_large: 'too-long',
  head_too_large: 'too-long',
  unreadable: 'structure',
  too_many_requests: 'throttled',
  unavailable: 'transient',
  took_too_long: 'too-costly',
  out_of_order: 'exception',
  internal: 'exception',
  not_implemented: 'not-supported',
};

/** The path with which a problem of a FHIR document begins. */
function problemPath({ message }: Problem): string | undefined {
  return /^([A-Z][A-Za-z]+(?:\.[A-Za-z_]\w*(?:\[\d+\])?)*): /.exec(message)?.[1];
}

function inWords({ line, column, message }: Problem): string {
  const place = line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}: `;
  return `${place}${message}`;
}

/** A failure as an OperationOutcome, with an issue for each of its problems. */
export function outcomeOfFailure({ code, message, details }: AppError): Resource {
  const issue = codes[code] ?? 'processing';
  const entry = /\bBundle\.entry\[\d+\]/.exec(message)?.[0];
  return outcomeOf([
    { severity: 'error', code: issue, text: message, ...(entry ? { expression: entry } : {}) },
    ...details.map((problem): Issue => {
      const expression = problemPath(problem);
      return { severity: 'error', code: issue, text: inWords(problem), ...(expression ? { expression } : {}) };
    }),
  ]);
}

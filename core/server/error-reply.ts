/** error-reply: turns a failure into status, headers and body. */
import type { AppError } from '../base/errors';
import { prefersJson } from '../http/formats';
import { XML_TYPE } from '../http/replies';
import { element, writeXml } from '../xml/write';

type ErrorReply = {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

function asXml({ status, code, message, details }: AppError): string {
  return writeXml(
    element('error', { status, code }, [
      element('message', {}, message),
      ...details.map((detail) => element('detail', { line: detail.line, column: detail.column }, detail.message)),
    ]),
  );
}

function asJson({ status, code, message, details }: AppError): string {
  return JSON.stringify({
    status,
    code,
    message,
    details: details.map((detail) => ({ line: detail.line, column: detail.column, message: detail.message })),
  });
}

export function errorReply(failure: AppError, accept: string): ErrorReply {
  return prefersJson(accept)
    ? { status: failure.status, type: 'application/json', body: asJson(failure), headers: failure.headers }
    : { status: failure.status, type: XML_TYPE, body: asXml(failure), headers: failure.headers };
}

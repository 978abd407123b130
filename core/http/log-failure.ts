/** log-failure: logs a reply that failed through a fault of the service itself. */
import type { Logger } from 'pino';
import { AppError } from '../base/errors';
import { translate } from '../db/db-errors';
import { UnreadableContent } from '../sealing/contents-store';

/** Statuses below 500 are faults of the caller, and a call that is not implemented is no fault. */
function isOurs(failure: unknown): boolean {
  const known = translate(failure);
  if (known instanceof AppError) {
    return known.status >= 500 && known.code !== 'not_implemented';
  }
  return ((known as { output?: { statusCode?: number } }).output?.statusCode ?? 500) >= 500;
}

/** Driver errors quote the statement with its values, so only their code and stack frames are written. */
export function logFailure(
  log: Logger,
  where: { readonly request: string; readonly route: string | undefined },
  cause: unknown,
): void {
  if (!isOurs(cause)) {
    return;
  }
  const error = ((cause as { cause?: unknown }).cause ?? cause) as Error & { code?: string };
  const frames = String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
  // The operator learns whose content it is, and never what it says.
  const what = error instanceof UnreadableContent ? { content: error.what } : {};
  log.error({ ...where, error: error.name, code: error.code, ...what, frames }, 'request failed');
}

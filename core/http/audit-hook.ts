/**
 * audit-hook: writes an audit row for every routed reply before the reply is sent, also for denials, invalid calls and
 * failures.
 */
import type { Request } from '@hapi/hapi';
import { pathParams } from './read-request';
import { refusedConsumerOf } from './oauth-scheme';
import type { Noted } from './operation';
import { trailOf } from './to-hapi';
import type { Services } from '../services';
import { writeCall } from './audit-call';

/** Writes the row of a request that was answered with `status`; resolves when it is durable. */
export async function auditReply(
  services: Services,
  request: Request,
  status: number,
  contentType: string,
): Promise<void> {
  const trail = trailOf(request);
  if (!trail || trail.spec.page || trail.noted.unrecorded) {
    return;
  }
  const { spec, calling } = trail;
  const { recordIds = [], ...own } = trail.noted;
  const refused = refusedConsumerOf(request);
  const write = (noted: Noted): Promise<void> =>
    writeCall(services, {
      spec,
      params: pathParams(request),
      noted,
      principal: calling.principal,
      consumerKey: calling.consumerKey ?? refused ?? null,
      method: request.method.toUpperCase(),
      ipAddress: request.callerAddress,
      status,
      contentType,
      named: refused !== undefined,
      received: request.info.received,
    });
  await Promise.all([own, ...recordIds.map((recordId) => ({ ...own, recordId }))].map(write));
}

/** hook: every routed reply leaves an audit row before it leaves itself; denials, invalid calls and failures alike. */
import type { Request } from '@hapi/hapi';
import { toTimestamp } from '../base/clock';
import { newId } from '../base/ids';
import { pathParams, trailOf } from '../http/to-hapi';
import type { Services } from '../services';
import { auditFacts } from './row';

const CARENETS_REMEMBERED = 10_000;

/** Carenets never move to another record, so their record is asked for once. */
const carenetRecords = new Map<string, string>();

const recordOfCarenet = async (services: Services, carenetId: string): Promise<string | undefined> => {
  const known = carenetRecords.get(carenetId);
  if (known !== undefined) {
    return known;
  }
  const recordId = (await services.lookups.carenet(carenetId, null, null))?.recordId;
  if (recordId !== undefined) {
    if (carenetRecords.size >= CARENETS_REMEMBERED) {
      carenetRecords.clear();
    }
    carenetRecords.set(carenetId, recordId);
  }
  return recordId;
};

/** Writes the row of a request that was answered with `status`; resolves when it is durable. */
export const auditReply = async (
  services: Services,
  request: Request,
  status: number,
  contentType: string,
): Promise<void> => {
  const trail = trailOf(request);
  if (!trail || trail.spec.page) {
    return;
  }
  const params = pathParams(request);
  const carenetId = params['CARENET_ID'];
  const recordId =
    trail.noted.recordId ?? (carenetId === undefined ? undefined : await recordOfCarenet(services, carenetId));
  await services.audit.write(
    auditFacts({
      id: newId(),
      requestedAt: toTimestamp(request.info.received),
      spec: trail.spec,
      params,
      noted: { ...trail.noted, ...(recordId === undefined ? {} : { recordId }) },
      principal: trail.principal,
      consumerKey: trail.consumerKey,
      method: request.method.toUpperCase(),
      ipAddress: request.info.remoteAddress,
      status,
      contentType,
    }),
  );
};

/** audit-call: one call of an operation, through whichever door, as its row in the audit log. */
import type { Principal } from '../auth/principal';
import { toTimestamp } from '../base/clock';
import { newId } from '../base/ids';
import type { PrincipalId } from '../base/types';
import type { RouteSpec } from './route';
import type { Services } from '../services';
import { auditFacts, isStrangers } from '../audit/row';

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

export type AuditedCall = {
  readonly spec: RouteSpec;
  readonly params: Readonly<Record<string, string>>;
  readonly noted: { readonly documentId?: string; readonly recordId?: string; readonly carenetId?: string };
  readonly principal: Principal;
  readonly consumerKey: string | null;
  readonly method: string;
  readonly ipAddress: string;
  readonly status: number;
  readonly contentType: string;
  /** When the request arrived, in milliseconds. */ readonly received: number;
  /** Of a door with pages: the page's address, and the app that the door is. */
  readonly door?: { readonly url: string; readonly appId: PrincipalId };
  /** True when refused credentials name somebody who is known here. */ readonly named?: boolean;
};

/** Writes the row; resolves when it is durable, or counted with the one of its minute. */
export const writeCall = async (services: Services, { received, ...call }: AuditedCall): Promise<void> => {
  const carenetId = call.params['CARENET_ID'];
  const recordId =
    call.noted.recordId ?? (carenetId === undefined ? undefined : await recordOfCarenet(services, carenetId));
  const facts = auditFacts({
    ...call,
    id: newId(),
    requestedAt: toTimestamp(received),
    noted: { ...call.noted, ...(recordId === undefined ? {} : { recordId }) },
  });
  await (isStrangers(call) ? services.knocks.take(facts) : services.audit.write(facts));
};

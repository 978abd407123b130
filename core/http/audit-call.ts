/** audit-call: writes one call of an operation, through whichever door it came, as a row of the audit log. */
import { toTimestamp } from '../base/clock';
import { newId } from '../base/ids';
import type { Services } from '../services';
import { auditFacts, isStrangers, type Seen } from '../audit/row';

const CARENETS_REMEMBERED = 10_000;

/** A carenet never moves to another record, so its record is looked up only once. */
const carenetRecords = new Map<string, string>();

async function recordOfCarenet(services: Services, carenetId: string): Promise<string | undefined> {
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
}

type AuditedCall = Omit<Seen, 'id' | 'requestedAt'> & {
  /** When the request arrived, in milliseconds. */ readonly received: number;
};

/** Writes the row. Resolves when it is durable, or when it is counted in the row of its minute. */
export async function writeCall(services: Services, { received, ...call }: AuditedCall): Promise<void> {
  const carenetId = call.params['CARENET_ID'];
  const recordId =
    call.noted.recordId ?? (carenetId === undefined ? undefined : await recordOfCarenet(services, carenetId));
  const facts = auditFacts({
    ...call,
    id: newId(),
    requestedAt: toTimestamp(received),
    noted: { ...call.noted, ...(recordId === undefined ? {} : { recordId }) },
  });
  await (isStrangers(call) ? services.anonymousCalls.record(facts) : services.audit.write(facts));
}

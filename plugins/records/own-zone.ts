/** own-zone: the name of a record with the time zone of its owner. */
import { ownZone } from '../../core/apps/own-zone';
import type { InRecord } from '../../core/http/inputs';
import type { Call } from '../../core/http/route';
import { readRecord } from './service';

export type RecordZone = {
  readonly label: string;
  /** Null when the owner has chosen none. */ readonly zone: string | null;
};

export async function readZone(call: Call<InRecord>): Promise<RecordZone> {
  const { label, ownerId } = await readRecord(call);
  return { label, zone: (ownerId && (await ownZone(call.services, ownerId))) || null };
}

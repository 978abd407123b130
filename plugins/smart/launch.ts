/**
 * launch: makes and reads the launch token with which the website opens an app for a record. The app sends it
 * back when it asks for access.
 */
import { fromTimestamp, toTimestamp, type Clock } from '../../core/base/clock';
import type { Id, PrincipalId, Timestamp } from '../../core/base/types';
import type { Sealing } from '../../core/auth/sealing';

type Launch = { readonly appId: PrincipalId; readonly recordId: Id };

type Sealed = Launch & { readonly kind: 'launch'; readonly expiresAt: Timestamp };

const SECONDS = 600;

export function newLaunch(
  { sealing, clock }: { readonly sealing: Sealing; readonly clock: Clock },
  launch: Launch,
): string {
  const content: Sealed = { ...launch, kind: 'launch', expiresAt: toTimestamp(clock.now() + SECONDS * 1000) };
  return sealing.seal(JSON.stringify(content));
}

/** Reads a launch token; undefined when it belongs to another service or app, or has expired. */
export function readLaunch(
  { sealing, clock }: { readonly sealing: Sealing; readonly clock: Clock },
  word: string,
  appId: PrincipalId,
): Launch | undefined {
  try {
    const content = JSON.parse(sealing.open(word)) as Partial<Sealed>;
    const good =
      content.kind === 'launch' &&
      content.appId === appId &&
      content.recordId !== undefined &&
      fromTimestamp(content.expiresAt ?? '') > clock.now();
    return good ? { appId, recordId: content.recordId! } : undefined;
  } catch {
    return undefined;
  }
}

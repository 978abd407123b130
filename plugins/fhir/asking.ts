/** asking: finds the caller of a request for resources, and the part of a record that the caller may see. */
import { effectiveId, type Principal, type SmartPrincipal } from '../../core/auth/principal';
import { allows, categoriesOpen, opens, type ScopeLetter } from '../../core/tokens/smart-scopes';
import { errors } from '../../core/base/errors';
import type { RequestFacts } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { Reads } from '../../core/db/database';
import { holdsMany } from '../../core/documents/kept-resources-store';
import { makeMissingOf } from '../../core/pipeline/missing-resources';
import { requireSeen } from '../../core/records/seen';
import type { Resource } from '../../core/fhir/resource';
import type { DocumentScope } from '../../core/documents/store';

export type Asking = {
  readonly services: Services;
  readonly principal: SmartPrincipal;
  readonly scope: DocumentScope;
  /** Whether somebody still waits for the answer. */
  readonly isAwaited: () => boolean;
  readonly onGone: RequestFacts['onGone'];
  /** The record is large: its reads are long reads. */
  readonly isLarge: boolean;
  /** Reads of few rows by their keys, which are brief in a large record, too. */
  readonly brief: Reads;
};

type AskingCall = {
  readonly services: Services;
  readonly principal: Principal;
  readonly request: Pick<RequestFacts, 'onGone'>;
};

/**
 * The SMART token that the access rule has let pass. Its record has all its resources; a carenet sees facts by their kinds.
 * @throws errors.permissionDenied for any other caller; errors.unavailable while many are made after an upgrade
 */
export async function askingOf({ services, principal, request }: AskingCall): Promise<Asking> {
  if (principal.kind !== 'access_token' || !('scopes' in principal)) {
    throw errors.permissionDenied();
  }
  const smart = principal as SmartPrincipal;
  const { recordId, carenetId } = smart;
  let isAwaited = true;
  request.onGone?.(() => (isAwaited = false));
  if (recordId !== '') {
    await makeMissingOf(services, recordId);
  }
  return {
    services,
    principal: smart,
    scope: carenetId === null ? { recordId } : (await requireSeen(services, carenetId)).scope,
    isAwaited: () => isAwaited,
    onGone: request.onGone,
    isLarge: false,
    brief: services.database.reads,
  };
}

/** As the caller, with these reads. */
function reading(asking: Asking, long: Reads): Asking {
  const { services } = asking;
  const reads = new Proxy(long, {
    get: (target, name) => (name === 'long' ? long : (Reflect.get(target, name) as unknown)),
  }) as typeof services.database.reads;
  return { ...asking, isLarge: true, services: { ...services, database: { ...services.database, reads } } };
}

/** As the caller, with reads that may take long: they do not run in the event loop, and wait for the caller's turn. */
export function atLength(asking: Asking): Asking {
  return reading(asking, asking.services.database.reads.long);
}

/**
 * For one portion of an answer that is sent while it is read: each portion has a deadline of its own. A large record
 * takes long in all, and the caller sees that the answer goes on.
 */
export function forPortion(asking: Asking): Asking {
  const { services, principal, onGone, isLarge } = asking;
  const asker = { owner: effectiveId(principal) ?? '', ...(onGone ? { onGone } : {}) };
  return isLarge ? reading(asking, services.database.longFor(asker)) : asking;
}

/** A statement over so many resources takes some milliseconds at most. */
const FEW = 3000;

/**
 * As the caller, with reads that may take long if there is much to be read. Small records are read at once: a long read
 * costs more than it saves there, and it waits for those of others.
 */
export async function atLengthIfLarge(asking: Asking): Promise<Asking> {
  return (await holdsMany(asking.services.database.reads, asking.scope.recordId, FEW)) ? atLength(asking) : asking;
}

/** Ends work that nobody waits for any more. @throws errors.unavailable */
export function goOn({ isAwaited }: Asking): void {
  if (!isAwaited()) {
    throw errors.unavailable('the caller has gone');
  }
}

/** Whether the scopes allow a type of resources that an answer would include. */
export function mayAlso({ principal }: Asking, type: string, letter: ScopeLetter): boolean {
  return allows(principal.scopes, type, letter);
}

/** Whether the scopes allow to read this resource. */
export function mayRead({ principal }: Asking, resource: Resource): boolean {
  return opens(principal.scopes, resource, 'r');
}

/** The categories of a type that the caller may search; undefined: all of the type. */
export function categoriesSought({ principal: { scopes } }: Asking, type: string): readonly string[] | undefined {
  return categoriesOpen(scopes, type, allows(scopes, type, 's') ? 's' : 'r');
}

/** The address of the FHIR door. */
export function fhirBase({ baseUrl }: Pick<Services, 'baseUrl'>): string {
  return `${baseUrl()}/fhir`;
}

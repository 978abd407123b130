/** link-opening: shows the summary and the documents of a health link to anybody who has the link, until it ends. */
import type { SmartPrincipal } from '../../../core/auth/principal';
import { addressBucket, limitFailures } from '../../../core/auth/attempts';
import { parseScopes } from '../../../core/tokens/smart-scopes';
import { WEBSITE_APP } from '../../../core/apps/website-app';
import { toTimestamp } from '../../../core/base/clock';
import { errors } from '../../../core/base/errors';
import { limitInTurn } from '../../../core/base/turns/limit';
import { sha256 } from '../../../core/base/ids';
import type { Asker } from '../../../core/base/turns/turns';
import type { Id } from '../../../core/base/types';
import { documentReferenceOf, binaryOf } from '../map/document-reference';
import type { Resource } from '../../../core/fhir/resource';
import type { StoredContent } from '../../../core/http/replies';
import type { Call } from '../../../core/http/route';
import type { Services } from '../../../core/services';
import { readingFor } from '../../../core/db/readers';
import type { DocumentScope } from '../../../core/documents/store';
import { conditionsOn, listReferences, type ReferencedRow } from '../read/document-references-store';
import type { HealthLink } from '../../../core/sharing/health-links-store';
import { fhirBase } from '../asking';
import { hasExpired, isUsedUp, MOST_FAILURES, secretOf } from './links';
import { summarize } from '../read/summaries';
import * as accountStore from '../../../core/accounts/store';
import * as documentStore from '../../../core/documents/store';
import * as healthLinkStore from '../../../core/sharing/health-links-store';

type InOpenLink = { HEALTH_LINK: string };
type InTicket = InOpenLink & { LINK_TICKET: string };
type InLinkDocument = InTicket & { DOCUMENT_ID: string };
export type Opener = { recipient: string; passcode: string };

/** How long a link that was opened can be read. */
const OPEN_MINUTES = 60;

function linkScope({ recordId, carenetId }: HealthLink): DocumentScope {
  return carenetId === null ? { recordId } : { recordId, carenetId };
}

async function stands(services: Services, link: HealthLink): Promise<boolean> {
  return !hasExpired(services, link) && link.failures < MOST_FAILURES && mayStillShow(services, link);
}

type Shown = Pick<HealthLink, 'accountId' | 'recordId' | 'carenetId' | 'carenetName'>;

/** Whether there still is what a link shows, and its maker may still show it. */
export async function mayStillShow({ database, lookups }: Services, link: Shown): Promise<boolean> {
  if (link.carenetId !== null && link.carenetName === null) {
    return false;
  }
  const [state, control] = await Promise.all([
    accountStore.findStandingState(database.reads, link.accountId),
    lookups.fullControl(link.accountId, link.recordId),
  ]);
  return state === 'active' && control;
}

export function noSuchLink(): Error {
  return errors.notFound('link');
}

/** The link, if it has not ended. Unknown and ended links get the same answer. @throws errors.notFound */
async function standingLink({ services, note, params }: Call<InOpenLink>): Promise<HealthLink> {
  const { database } = services;
  const link = services.config.fhir
    ? await healthLinkStore.findLink(database.reads, services.contents, sha256(params.HEALTH_LINK))
    : undefined;
  if (!link) {
    throw noSuchLink();
  }
  note({ recordId: link.recordId, ...(link.carenetId === null ? {} : { carenetId: link.carenetId }) });
  if (!(await stands(services, link))) {
    throw noSuchLink();
  }
  return link;
}

/** The link, if it can be opened once more. @throws errors.notFound */
async function openableLink(call: Call<InOpenLink>): Promise<HealthLink> {
  const link = await standingLink(call);
  if (isUsedUp(link)) {
    throw noSuchLink();
  }
  return link;
}

/** Whether the link asks for a passcode. @throws errors.notFound */
export async function askHealthLink(call: Call<InOpenLink>): Promise<{ readonly hasPasscode: boolean }> {
  return {
    hasPasscode: (await openableLink(call)).passcode !== null,
  };
}

type Ticket = { readonly link: Id; readonly until: number };

function ticketFor({ sealing, clock }: Services, { id }: HealthLink): string {
  const ticket: Ticket = { link: id, until: clock.now() + OPEN_MINUTES * 60_000 };
  return sealing.seal(JSON.stringify(ticket));
}

function readTicket({ sealing }: Services, sealed: string): Partial<Ticket> {
  try {
    return JSON.parse(sealing.open(sealed)) as Partial<Ticket>;
  } catch {
    return {};
  }
}

/** The link of a ticket that has not expired yet. @throws errors.notFound */
async function openedLink(call: Call<InTicket>): Promise<HealthLink> {
  const link = await standingLink(call);
  const { link: id, until = 0 } = readTicket(call.services, call.params.LINK_TICKET);
  if (id !== link.id || until <= call.services.clock.now()) {
    throw noSuchLink();
  }
  return link;
}

async function linkedDocuments({ database }: Services, link: HealthLink, only?: Id): Promise<readonly ReferencedRow[]> {
  if (link.lineages.length === 0) {
    return [];
  }
  const latest = conditionsOn.latestOf(link.lineages);
  return listReferences(database.reads, linkScope(link), {
    conditions: only === undefined ? [latest] : [latest, conditionsOn.ids([only])],
    oldestFirst: false,
    after: null,
    limit: link.lineages.length,
  });
}

export type OpenedLink = {
  /** Valid for an hour, and not longer than the link. */ readonly ticket: string;
  readonly documents: readonly ReferencedRow[];
};

/**
 * Counts the opening or the wrong passcode. The row of the link is locked, so that no more than a hundred guesses are
 * answered even if they are sent at the same time.
 */
function count({ database, clock, contents }: Services, link: HealthLink, right: boolean, by: string): Promise<number> {
  return database.transaction(async (trx) => {
    const held = await healthLinkStore.lockLink(trx, contents, link, MOST_FAILURES);
    if (!held || isUsedUp({ ...link, openings: held.openings })) {
      throw noSuchLink();
    }
    if (right) {
      await healthLinkStore.countOpening(trx, contents, link.id, held, { at: toTimestamp(clock.now()), by });
    } else {
      await healthLinkStore.countWrongPasscode(trx, link.id, held.failures);
    }
    return MOST_FAILURES - held.failures - 1;
  });
}

/** @throws errors.notFound, errors.wrongPasscode, errors.tooManyRequests */
export function openHealthLink(call: Call<InOpenLink, unknown, Opener>): Promise<OpenedLink> {
  const { services, body, request } = call;
  const work = async (): Promise<OpenedLink> => {
    const link = await openableLink(call);
    const right =
      link.passcode === null || (await services.passwords.verify(link.passcode, body.passcode, `link ${link.id}`));
    const remaining = await count(services, link, right, body.recipient);
    if (!right) {
      call.note({ guessed: true });
      throw errors.wrongPasscode(remaining);
    }
    return { ticket: ticketFor(services, link), documents: await linkedDocuments(services, link) };
  };
  const bucket = addressBucket(services.config.rateAddressPerMinute, request.ipAddress);
  return limitFailures(services, [bucket], work, [401, 404]);
}

/**
 * The resources are read with the rights of the person who made the link. The audit row does not name the maker as the
 * reader.
 */
export function eyesOf({
  accountId,
  recordId,
  carenetId,
}: Pick<HealthLink, 'accountId' | 'recordId' | 'carenetId'>): SmartPrincipal {
  return {
    kind: 'access_token',
    app: { id: WEBSITE_APP, kind: 'ui', autonomous: false },
    accountId,
    recordId,
    carenetId,
    tokenHash: '',
    accountInControl: true,
    scopes: parseScopes('patient/*.rs'),
  };
}

export type LinkSummary = {
  readonly summary: Resource;
  readonly label: string;
  readonly documents: readonly ReferencedRow[];
  readonly key: string;
};

/** How many summaries of links are made at the same time, and how many wait. */
const SUMMARIES_AT_ONCE = 2;
const SUMMARIES_WAITING = 100;
const RETRY_SECONDS = 5;

/** A turn among those who make what links show. */
export const turn = limitInTurn(SUMMARIES_AT_ONCE, SUMMARIES_WAITING, () => errors.tooManyRequests(RETRY_SECONDS));

type Making = { readonly summary: Promise<Resource>; readonly readers: Readers };
type OnGone = NonNullable<Asker['onGone']>;

/** All who wait for one summary. They are gone when the last of them is. */
class Readers {
  #waiting = 0;
  readonly #listeners = new Set<() => void>();

  add(onGone: OnGone | undefined): void {
    this.#waiting += 1;
    onGone?.(() => {
      this.#waiting -= 1;
      if (this.#waiting === 0) {
        this.#listeners.forEach((listener) => listener());
      }
    });
  }

  areGone(): boolean {
    return this.#waiting === 0;
  }

  readonly onGone: OnGone = (listener) => {
    if (this.areGone()) {
      listener();
    } else {
      this.#listeners.add(listener);
    }
    return () => void this.#listeners.delete(listener);
  };
}

/** The summaries that are being made. Links of several installations in one process do not meet. */
const making = new WeakMap<Services['config'], Map<Id, Making>>();

function makeSummary(call: Call<InTicket>, link: HealthLink, { onGone }: Readers): Promise<Resource> {
  const { services } = call;
  const database = readingFor(services.database, { owner: `link ${link.id}`, onGone });
  const params = { TYPE: 'Patient', ID: link.recordId };
  const request = { ...call.request, onGone };
  const eyes = { params, request, services: { ...services, database }, principal: eyesOf(link) };
  return turn(link.accountId, () => summarize({ ...call, ...eyes }));
}

/**
 * The summary that a link shows. Whoever opens the link while its summary is being made gets the same one, so that one
 * link keeps the service busy with one summary at most. It is given up when all readers have gone. The owner of the
 * turn is who made the link.
 */
async function sharedSummary(call: Call<InTicket>, link: HealthLink): Promise<Resource> {
  const ofInstallation = making.get(call.services.config) ?? new Map<Id, Making>();
  making.set(call.services.config, ofInstallation);
  const begun = ofInstallation.get(link.id);
  if (begun && !begun.readers.areGone()) {
    begun.readers.add(call.request.onGone);
    return begun.summary;
  }
  const readers = new Readers();
  readers.add(call.request.onGone);
  const made: Making = { summary: makeSummary(call, link, readers), readers };
  ofInstallation.set(link.id, made);
  try {
    return await made.summary;
  } finally {
    if (ofInstallation.get(link.id) === made) {
      ofInstallation.delete(link.id);
    }
  }
}

export async function readLinkSummary(call: Call<InTicket>): Promise<LinkSummary> {
  const link = await openedLink(call);
  const [summary, documents] = await Promise.all([sharedSummary(call, link), linkedDocuments(call.services, link)]);
  return { summary, documents, label: link.label, key: secretOf(call.services, link).key };
}

export type LinkDocument = StoredContent & {
  readonly document: ReferencedRow;
  readonly key: string;
  /** The document as a DocumentReference with its bytes. */
  readonly bundle: () => Resource;
};

/** @throws errors.notFound also for documents that were not chosen for the link, or are no longer visible through it */
export async function readLinkDocument(call: Call<InLinkDocument>): Promise<LinkDocument> {
  const link = await openedLink(call);
  const { services, params, note } = call;
  const [document] = await linkedDocuments(services, link, params.DOCUMENT_ID);
  const content =
    document &&
    (await documentStore.findContent(services.database.reads, services.contents, linkScope(link), document.id));
  if (!document || !content) {
    throw errors.notFound('document');
  }
  note({ documentId: document.id });
  return {
    ...content,
    document,
    key: secretOf(services, link).key,
    bundle: () => ({
      resourceType: 'Bundle',
      type: 'collection',
      entry: [documentReferenceOf(document), binaryOf(document, content)].map((resource) => ({
        fullUrl: `${fhirBase(services)}/${resource.resourceType}/${resource.id}`,
        resource,
      })),
    }),
  };
}

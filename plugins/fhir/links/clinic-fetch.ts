/**
 * clinic-fetch: gives a clinic what a link shows, until the link ends. Who has the link needs no account; every fetch is
 * counted, and the record tells who it was.
 */
import { sendLinkFetched } from '../../../core/accounts/letters';
import { addressBucket, limitFailures } from '../../../core/auth/attempts';
import { toTimestamp } from '../../../core/base/clock';
import { errors } from '../../../core/base/errors';
import { sha256 } from '../../../core/base/ids';
import { readingFor } from '../../../core/db/readers';
import type { Resource } from '../../../core/fhir/resource';
import type { Call } from '../../../core/http/route';
import type { Services } from '../../../core/services';
import type { HealthLink } from '../../../core/sharing/health-links-store';
import * as accountStore from '../../../core/accounts/store';
import * as healthLinkStore from '../../../core/sharing/health-links-store';
import { askingOf, fhirBase } from '../asking';
import { clinicBundle } from './clinic-bundle';
import { timesAt, type ClinicKind } from './clinic-content';
import { readClinicFacts } from './clinic-facts';
import { sharedDocuments } from '../paper/shared-documents';
import { usedUp } from './clinic-links';
import { eyesOf, mayStillShow, noSuchLink, turn } from './link-opening';
import { hasExpired, MOST_FAILURES, secretOf } from './links';

type InClinicLink = { CLINIC_SECRET: string };
export type FetchQuery = { readonly recipient: string };

const MOST_OF_NAME = 200;

/** A recipient's name as it is kept: one line of text, cut without breaking a character. */
export function recipientName(given: string): string {
  return [
    ...given
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, MOST_OF_NAME)
    .join('')
    .trim();
}

/** What a link that nobody knows rests on, so that it takes as long as one that has ended. */
const NOBODY = { accountId: '', recordId: '', carenetId: null, carenetName: null };

/** The link, if it has not ended. Unknown and ended links get the same answer. @throws errors.notFound */
async function standingLink({ services, note, params }: Call<InClinicLink, FetchQuery>): Promise<HealthLink> {
  const { database, contents } = services;
  const link = services.config.fhir
    ? await healthLinkStore.findLink(database.reads, contents, sha256(params.CLINIC_SECRET), 'clinic')
    : undefined;
  const mayShow = await mayStillShow(services, link ?? NOBODY);
  if (link) {
    note({ recordId: link.recordId, ...(link.carenetId === null ? {} : { carenetId: link.carenetId }) });
  }
  if (!link || !mayShow || hasExpired(services, link) || usedUp(link)) {
    throw noSuchLink();
  }
  return link;
}

async function readBundle(call: Call<InClinicLink, FetchQuery>, link: HealthLink): Promise<Resource> {
  const { services, request } = call;
  const { onGone } = request;
  const database = readingFor(services.database, { owner: `link ${link.id}`, ...(onGone ? { onGone } : {}) });
  const asking = await askingOf({ services: { ...services, database }, principal: eyesOf(link), request });
  const times = timesAt(services.clock.now());
  const facts = await readClinicFacts(asking, (link.clinic?.kinds ?? []) as readonly ClinicKind[], times);
  if (!facts) {
    throw noSuchLink();
  }
  const { patient, shown, beside } = facts;
  const documents = await sharedDocuments(asking, facts, link);
  return clinicBundle({
    now: times.now,
    base: fhirBase(services),
    patient,
    resources: [...shown, ...beside],
    documents,
  });
}

/**
 * Counts the fetch. The row of the link is locked, so that it is not opened more often than it may be, however many
 * clinics fetch at the same time.
 */
function countFetch({ database, contents, ...services }: Services, link: HealthLink, by: string): Promise<void> {
  return database.transaction(async (trx) => {
    const now = services.clock.now();
    const held = await healthLinkStore.lockLink(trx, contents, link, MOST_FAILURES);
    const isThere = held && (await healthLinkStore.standsAt(trx, link.id, toTimestamp(now)));
    if (!held || !isThere || usedUp({ ...link, openings: held.openings })) {
      throw noSuchLink();
    }
    await healthLinkStore.countOpening(trx, contents, link.id, held, { at: toTimestamp(now), by });
    const maker =
      held.openings === 0 && link.clinic?.tells ? await accountStore.findAccount(trx, link.accountId) : undefined;
    if (maker) {
      await sendLinkFetched(services, trx, maker, new Date(now));
    }
  });
}

export type Fetched = { readonly bundle: Resource; readonly key: string };

/**
 * What a clinic fetches; undefined for HEAD, which opens nothing.
 * @throws errors.missingParameter without the name of a recipient, errors.notFound, errors.tooManyRequests
 */
export async function fetchClinicLink(call: Call<InClinicLink, FetchQuery>): Promise<Fetched | undefined> {
  const { services, request, query, note } = call;
  const by = recipientName(query.recipient);
  if (request.isHead || by === '') {
    note({ unrecorded: true });
  }
  if (!request.isHead && by === '') {
    throw errors.missingParameter('recipient');
  }
  note({ recipient: by });
  const work = async (): Promise<Fetched | undefined> => {
    const link = await standingLink(call);
    if (request.isHead) {
      return undefined;
    }
    const bundle = await turn(link.accountId, () => readBundle(call, link));
    await countFetch(services, link, by);
    return { bundle, key: secretOf(services, link).key };
  };
  const bucket = addressBucket(services.config.rateAddressPerMinute, request.ipAddress);
  return limitFailures(services, [bucket], work, [404]);
}

/**
 * clinic-links: links that clinics scan. People with full control of a record make them for the whole record, its owner
 * for a carenet, too; each ends by itself.
 */
import { fromTimestamp, toTimestamp } from '../../../core/base/clock';
import { errors } from '../../../core/base/errors';
import type { Id, Timestamp } from '../../../core/base/types';
import type { InRecord } from '../../../core/http/inputs';
import type { Call } from '../../../core/http/route';
import { requireRecord } from '../../../core/records/require';
import type { Services } from '../../../core/services';
import type { ClinicTerms, HealthLink, Opening } from '../../../core/sharing/health-links-store';
import { canPrint } from '../../../core/paper/templates';
import { readOwnWords } from '../paper/own-words';
import * as healthLinkStore from '../../../core/sharing/health-links-store';
import * as sharingStore from '../../../core/sharing/store';
import { clinicKindNames, type ClinicKind } from './clinic-content';
import { CLINIC_FLAG, labelOf, shlinkOf } from '../../../core/received/clinic-profile';
import { hasExpired, makeOnce, requireDoor, requireLinkCarenet, secretOf, storeLink, type UseForm } from './links';

/** How many links for clinics may be open for one record, those to its carenets counted. */
const MOST_CLINIC_LINKS = 20;
/** How many links are listed, those that have ended counted. */
const MOST_LISTED = 100;

/** The path of the door where clinics fetch. */
export const CLINIC_PATH = '/c';
/** The path of the page for people who open a link in a browser. */
const LINK_PAGE = '/l';

export type ClinicWish = {
  readonly carenet: string;
  /** Names of kinds, with commas between them. */ readonly kinds: string;
  readonly minutes: number;
  readonly openings: number;
  readonly tells: boolean;
  /** Whether the person's own words go along. */ readonly words: boolean;
  readonly language: string;
};

/** A link for clinics as its makers see it. */
type ShownClinicLink = {
  readonly id: Id;
  readonly label: string;
  /** The link alone, which the picture holds. */ readonly shlink: string;
  /** The link behind the address of a page that says what it is. */ readonly text: string;
  readonly carenetId: Id | null;
  readonly carenetName: string | null;
  readonly terms: ClinicTerms;
  readonly openings: number;
  readonly opened: readonly Opening[];
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  readonly over: 'expired' | 'used' | null;
};

export function usedUp({ openings, clinic }: Pick<HealthLink, 'openings' | 'clinic'>): boolean {
  return clinic !== null && openings >= clinic.most;
}

function isOpen(services: Services, link: HealthLink): boolean {
  return !hasExpired(services, link) && !usedUp(link);
}

function shownClinicLink(services: Services, link: HealthLink): ShownClinicLink {
  const { secret, key } = secretOf(services, link);
  const base = services.baseUrl();
  const expiresAt = link.expiresAt ?? link.createdAt;
  const shlink = shlinkOf({
    url: `${base}${CLINIC_PATH}/${secret}`,
    flag: CLINIC_FLAG,
    key,
    exp: Math.floor(fromTimestamp(expiresAt) / 1000),
    ...(link.label === '' ? {} : { label: link.label }),
  });
  return {
    id: link.id,
    label: link.label,
    shlink,
    text: `${base}${LINK_PAGE}#${shlink}`,
    carenetId: link.carenetId,
    carenetName: link.carenetName,
    terms: link.clinic!,
    openings: link.openings,
    opened: link.opened,
    createdAt: link.createdAt,
    expiresAt,
    over: isOpen(services, link) ? null : overOf(services, link),
  };
}

function overOf(services: Services, link: HealthLink): 'expired' | 'used' {
  return hasExpired(services, link) ? 'expired' : 'used';
}

async function listClinicLinks(services: Services, recordId: Id): Promise<readonly ShownClinicLink[]> {
  const { database, contents } = services;
  const links = await healthLinkStore.listLinks(database.reads, contents, recordId, MOST_LISTED, 'clinic');
  return links.map((link) => shownClinicLink(services, link));
}

/** What the page for making such a link needs. */
export type ClinicDesk = {
  readonly label: string;
  readonly isOwner: boolean;
  /** The carenets that the person may choose: those of an owner. */
  readonly carenets: readonly { readonly id: Id; readonly name: string }[];
  readonly kinds: readonly ClinicKind[];
  /** Whether the person has written something in their own words. */ readonly hasWords: boolean;
  /** Whether PDFs can be made here. */ readonly canPrint: boolean;
  /** The newest first; those that have ended are told for a while. */
  readonly links: readonly ShownClinicLink[];
};

const MOST_CARENETS = 100;

async function ownsRecord({ params, principal, services }: Call<InRecord>): Promise<boolean> {
  return principal.kind === 'account' && services.lookups.owns(principal.accountId, params.RECORD_ID);
}

export async function readClinicDesk(call: Call<InRecord>): Promise<ClinicDesk> {
  const { params, services } = call;
  requireDoor(services);
  const { database } = services;
  const [record, isOwner] = await Promise.all([requireRecord(services, params.RECORD_ID), ownsRecord(call)]);
  const carenets = isOwner
    ? await sharingStore.listCarenets(database.reads, params.RECORD_ID, { limit: MOST_CARENETS, offset: 0 })
    : [];
  return {
    label: record.label,
    isOwner,
    carenets: carenets.map(({ id, name }) => ({ id, name })),
    kinds: clinicKindNames,
    hasWords: (await readOwnWords(services, { recordId: params.RECORD_ID })) !== undefined,
    canPrint: canPrint(services.config),
    links: await listClinicLinks(services, params.RECORD_ID),
  };
}

function kindsOf(asked: string): readonly ClinicKind[] {
  const names = new Set(asked.split(',').filter((name) => name !== ''));
  const known = clinicKindNames.filter((kind) => names.has(kind));
  if (known.length === 0 || known.length < names.size) {
    throw errors.invalidParameter('kinds', `choose among ${clinicKindNames.join(', ')}`);
  }
  return known;
}

/** A circle is shown by the record's owner alone. @throws errors.permissionDenied, errors.invalidParameter */
async function carenetOf(call: Call<InRecord, unknown, ClinicWish>): Promise<Id | null> {
  const { params, services, body, note } = call;
  if (body.carenet === '') {
    return null;
  }
  if (!(await ownsRecord(call))) {
    throw errors.permissionDenied();
  }
  const carenetId = await requireLinkCarenet(services, params.RECORD_ID, body.carenet);
  note(carenetId === null ? {} : { carenetId });
  return carenetId;
}

async function makeLink(call: Call<InRecord, unknown, ClinicWish>, useForm: UseForm): Promise<Id> {
  const { params, body, services } = call;
  const recordId = params.RECORD_ID;
  const [kinds, carenetId] = [kindsOf(body.kinds), await carenetOf(call)];
  const { label } = await requireRecord(services, recordId);
  const now = services.clock.now();
  const terms = {
    carenetId,
    label: labelOf(label),
    expiresAt: toTimestamp(now + body.minutes * 60_000),
    mostOpenings: null,
    clinic: { kinds, most: body.openings, words: body.words, tells: body.tells, language: body.language },
  };
  return storeLink(call, terms, useForm, async (trx) => {
    const unexpired = await healthLinkStore.unexpiredClinicLinks(trx, services.contents, recordId, toTimestamp(now));
    if (unexpired.filter((link) => !usedUp(link)).length >= MOST_CLINIC_LINKS) {
      throw errors.tooManyOpen(`${MOST_CLINIC_LINKS} links for clinics are open: end one first`);
    }
  });
}

/**
 * Makes a link for clinics and answers its id, or answers the id of the link that the form has made before.
 * @throws errors.tooManyOpen, errors.permissionDenied, errors.invalidParameter
 */
export async function makeClinicLink(call: Call<InRecord, unknown, ClinicWish>): Promise<Id> {
  requireDoor(call.services);
  return makeOnce(call, (useForm) => makeLink(call, useForm));
}

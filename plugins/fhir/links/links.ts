/**
 * links: SMART Health Links of a record. People with full control of it make them, see how often they were opened, and
 * end them.
 */
import { randomBytes } from 'node:crypto';
import { fromTimestamp, toTimestamp } from '../../../core/base/clock';
import { AppError, errors } from '../../../core/base/errors';
import { newId, sha256 } from '../../../core/base/ids';
import type { Id, PrincipalId, Timestamp } from '../../../core/base/types';
import { SITE } from '../../../core/config/schema';
import { JWE_KEY_BYTES } from './jwe';
import { formHash } from '../../../core/files/form-hash';
import type { InRecord } from '../../../core/http/inputs';
import type { Call } from '../../../core/http/route';
import { changeRecord } from '../../../core/records/require';
import type { Services } from '../../../core/services';
import type { Transaction } from '../../../core/db/database';
import type { DocumentScope } from '../../../core/documents/store';
import { conditionsOn, listReferences } from '../read/document-references-store';
import type { HealthLink, NewHealthLink, Opening } from '../../../core/sharing/health-links-store';
import { fhirBase } from '../asking';
import * as formStore from '../../../core/records/forms-store';
import * as healthLinkStore from '../../../core/sharing/health-links-store';
import * as sharingStore from '../../../core/sharing/store';

type InLink = InRecord & { LINK_ID: string };
export type LinkWish = {
  label: string;
  passcode: string;
  expires: string;
  carenet: string;
  documents: string;
  /** How often it may be opened; null: as often as anybody likes. */ openings: number | null;
};

/** How many wrong passcodes end a link. With ten, anybody who got the address could end it. */
export const MOST_FAILURES = 100;
const MOST_LINKS = 100;
const MOST_DOCUMENTS = 20;
const SECRET_BYTES = 32;

/** What everybody with the link knows; `key` decrypts its files. */
type LinkSecret = { readonly secret: string; readonly key: string };

export function secretOf({ sealing }: Pick<Services, 'sealing'>, { sealed }: Pick<HealthLink, 'sealed'>): LinkSecret {
  return JSON.parse(sealing.open(sealed)) as LinkSecret;
}

/**
 * The link for people and apps: the address of the page that shows it in a browser, followed by the `shlink:` that apps
 * read.
 */
function writeLink(services: Services, link: HealthLink): string {
  const { secret, key } = secretOf(services, link);
  const payload = {
    url: `${fhirBase(services)}/links/${secret}`,
    key,
    ...(link.expiresAt === null ? {} : { exp: Math.floor(fromTimestamp(link.expiresAt) / 1000) }),
    // L: the content changes with the record. P: a passcode is needed.
    flag: link.passcode === null ? 'L' : 'LP',
    ...(link.label === '' ? {} : { label: link.label }),
    v: 1,
  };
  const shlink = `shlink:/${Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url')}`;
  return `${services.baseUrl()}${SITE}/link/${secret}#${shlink}`;
}

/** A link as it is listed for people who may make one. */
export type ShownLink = {
  readonly id: Id;
  readonly label: string;
  readonly text: string;
  readonly carenetName: string | null;
  readonly makerId: PrincipalId;
  readonly makerName: string;
  readonly hasPasscode: boolean;
  readonly documents: number;
  readonly openings: number;
  readonly mostOpenings: number | null;
  readonly opened: readonly Opening[];
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp | null;
  /** Why it cannot be opened any more. */
  readonly over: 'expired' | 'passcodes' | 'openings' | null;
};

export function hasExpired({ clock }: Pick<Services, 'clock'>, { expiresAt }: HealthLink): boolean {
  return expiresAt !== null && fromTimestamp(expiresAt) <= clock.now();
}

/** Whether a link was opened as often as it may be. Those who have opened it can go on reading for a while. */
export function isUsedUp({ openings, mostOpenings }: Pick<HealthLink, 'openings' | 'mostOpenings'>): boolean {
  return mostOpenings !== null && openings >= mostOpenings;
}

function overOf(services: Services, link: HealthLink): ShownLink['over'] {
  if (hasExpired(services, link)) {
    return 'expired';
  }
  if (link.failures >= MOST_FAILURES) {
    return 'passcodes';
  }
  return isUsedUp(link) ? 'openings' : null;
}

function shownLink(services: Services, link: HealthLink): ShownLink {
  return {
    id: link.id,
    label: link.label,
    text: writeLink(services, link),
    carenetName: link.carenetName,
    makerId: link.accountId,
    makerName: link.makerName,
    hasPasscode: link.passcode !== null,
    documents: link.lineages.length,
    openings: link.openings,
    mostOpenings: link.mostOpenings,
    opened: link.opened,
    createdAt: link.createdAt,
    expiresAt: link.expiresAt,
    over: overOf(services, link),
  };
}

/** Without the FHIR door no link could be opened. @throws errors.notFound */
export function requireDoor({ config }: Services): void {
  if (!config.fhir) {
    throw errors.notFound('path');
  }
}

/** The links of a record, the newest first. */
export async function listHealthLinks({ params, services }: Call<InRecord>): Promise<readonly ShownLink[]> {
  requireDoor(services);
  const { database } = services;
  const links = await healthLinkStore.listLinks(database.reads, services.contents, params.RECORD_ID, MOST_LINKS);
  return links.map((link) => shownLink(services, link));
}

function endOf({ clock }: Services, expires: string): Timestamp | null {
  if (expires === '') {
    return null;
  }
  if (Date.parse(expires) <= clock.now()) {
    throw errors.invalidParameter('expires', 'it must be in the future');
  }
  return toTimestamp(Date.parse(expires));
}

/** The lineages of the chosen documents. Each must be in the record or carenet that the link shows. */
async function lineagesOf({ database }: Services, scope: DocumentScope, documents: string): Promise<readonly Id[]> {
  const ids = [...new Set(documents.split(',').filter((id) => id !== ''))];
  if (ids.length === 0) {
    return [];
  }
  if (ids.length > MOST_DOCUMENTS) {
    throw errors.invalidParameter('documents', `a link takes at most ${MOST_DOCUMENTS} documents along`);
  }
  const conditions = [conditionsOn.ids(ids)];
  const found = await listReferences(database.reads, scope, {
    conditions,
    oldestFirst: false,
    after: null,
    limit: ids.length,
  });
  if (found.length < ids.length) {
    throw errors.invalidParameter('documents', 'choose documents that lie where the link leads');
  }
  return [...new Set(found.map(({ lineageId }) => lineageId))];
}

/** @throws errors.invalidParameter unless it is one of the record */
export async function requireLinkCarenet({ database }: Services, recordId: Id, carenetId: string): Promise<Id | null> {
  if (carenetId === '') {
    return null;
  }
  const carenet = await sharingStore.findCarenet(database.reads, carenetId);
  if (carenet?.recordId !== recordId) {
    throw errors.invalidParameter('carenet', 'choose a carenet of this record');
  }
  return carenet.id;
}

/** Asks once more inside the transaction. @throws errors.invalidParameter */
async function requireCarenetStill(trx: Transaction, carenetId: Id | null): Promise<void> {
  if (carenetId !== null && !(await sharingStore.findCarenet(trx, carenetId))) {
    throw errors.invalidParameter('carenet', 'choose a carenet of this record');
  }
}

function newLinkSecret(): LinkSecret {
  return {
    secret: randomBytes(SECRET_BYTES).toString('base64url'),
    key: randomBytes(JWE_KEY_BYTES).toString('base64url'),
  };
}

/** The use of a form of a door. A form makes only one link, because each link opens the record to others. */
function usedFormOf({ params, principal, services, request }: Call<InRecord>) {
  return (
    request.form && {
      formHash: formHash(principal, params.RECORD_ID, request.form.token),
      kept: false,
      expiresAt: toTimestamp(services.clock.now() + services.config.sessionMaxSeconds * 1000),
    }
  );
}

/** Marks the form of a door as used for a link. @throws errors.duplicate when it has made one before */
export type UseForm = (trx: Transaction, madeId: Id) => Promise<void>;

/** Makes a link and answers its id, or answers the id of the link that the form has made before. */
export async function makeOnce(call: Call<InRecord>, make: (useForm: UseForm) => Promise<Id>): Promise<Id> {
  const form = usedFormOf(call);
  try {
    return await make(async (trx, madeId) => {
      if (form && !(await formStore.useForm(trx, { ...form, madeId }))) {
        throw errors.duplicate('The form');
      }
    });
  } catch (error) {
    const again = form && error instanceof AppError && error.code === 'duplicate';
    const made = again ? await formStore.findFormResult(call.services.database.reads, form.formHash) : undefined;
    if (made === undefined) {
      throw error;
    }
    return made;
  }
}

function makerOf({ principal }: Call<InRecord>): PrincipalId {
  return principal.kind === 'account' ? principal.accountId : '';
}

type LinkTerms = Omit<
  NewHealthLink,
  'id' | 'secretHash' | 'sealed' | 'recordId' | 'accountId' | 'createdAt' | 'lineages' | 'passcode'
> &
  Partial<Pick<NewHealthLink, 'lineages' | 'passcode'>>;

/**
 * Stores a link under a new secret and answers its id.
 * @param requireRoom throws when the record has too many links already
 */
export async function storeLink(
  call: Call<InRecord>,
  terms: LinkTerms,
  useForm: UseForm,
  requireRoom: (trx: Transaction) => Promise<void>,
): Promise<Id> {
  const { clock, sealing, contents } = call.services;
  const recordId = call.params.RECORD_ID;
  const secret = newLinkSecret();
  const id = newId();
  await changeRecord(
    call.services,
    recordId,
    async (trx, { contentKey }) => {
      await useForm(trx, id);
      await requireRoom(trx);
      await requireCarenetStill(trx, terms.carenetId);
      await healthLinkStore.insertLink(trx, contents.under(contentKey), {
        lineages: [],
        passcode: null,
        ...terms,
        id,
        secretHash: sha256(secret.secret),
        sealed: sealing.seal(JSON.stringify(secret)),
        recordId,
        accountId: makerOf(call),
        createdAt: toTimestamp(clock.now()),
      });
    },
    { ends: true },
  );
  return id;
}

async function makeLink(call: Call<InRecord, unknown, LinkWish>, useForm: UseForm): Promise<Id> {
  const { params, body, services } = call;
  const { passwords, contents } = services;
  const recordId = params.RECORD_ID;
  const expiresAt = endOf(services, body.expires);
  const carenetId = await requireLinkCarenet(services, recordId, body.carenet);
  const scope = carenetId === null ? { recordId } : { recordId, carenetId };
  const lineages = await lineagesOf(services, scope, body.documents);
  const passcode = body.passcode === '' ? null : await passwords.hash(body.passcode, makerOf(call));
  const terms = {
    carenetId,
    label: body.label,
    passcode,
    lineages,
    expiresAt,
    mostOpenings: body.openings,
    clinic: null,
  };
  return storeLink(call, terms, useForm, async (trx) => {
    if ((await healthLinkStore.listLinks(trx, contents, recordId, MOST_LINKS)).length >= MOST_LINKS) {
      throw errors.invalidState(`a record has at most ${MOST_LINKS} links: end one first`);
    }
  });
}

/**
 * Makes a link and answers its id, or answers the id of the link that the form has made before. 400 for a document that
 * is not in the record or carenet, for an end in the past, and beyond a hundred links.
 */
export async function makeHealthLink(call: Call<InRecord, unknown, LinkWish>): Promise<Id> {
  requireDoor(call.services);
  return makeOnce(call, (useForm) => makeLink(call, useForm));
}

/** Ends a link at once, also for people who have opened it. @throws errors.notFound */
export async function endHealthLink({ params, services }: Call<InLink>): Promise<void> {
  const { RECORD_ID: recordId, LINK_ID: id } = params;
  const now = toTimestamp(services.clock.now());
  const hasEnded = await services.database.write(
    async (trx) =>
      (await healthLinkStore.deleteLink(trx, recordId, id)) || healthLinkStore.expireLink(trx, recordId, id, now),
  );
  if (!hasEnded) {
    throw errors.notFound('link');
  }
}

/**
 * emergency-card: what a person wants on the emergency card of a record. It lies among what the website keeps on
 * the record, so that it is sealed, leaves with the record, and is forgotten with it.
 */
import type { Id, PrincipalId, Timestamp } from '../base/types';
import { newId, sha256 } from '../base/ids';
import type { Reads, Transaction } from '../db/database';
import type { Contents, Sealer } from '../sealing/contents-store';
import { WEBSITE_APP } from '../apps/website-app';
import * as appDocumentStore from '../apps/documents-store';

const NAME = 'emergency-card';

function shelfOf(recordId: Id): appDocumentStore.Shelf {
  return { appId: WEBSITE_APP, recordId };
}

/** @returns the choices as they were stored; undefined if nobody has made any */
export async function findEmergencyCard(on: Reads, contents: Contents, recordId: Id): Promise<string | undefined> {
  const shelf = shelfOf(recordId);
  const found = await appDocumentStore.findAppDocumentByExternalId(on, shelf, NAME);
  const stored = found && (await appDocumentStore.readAppDocument(on, contents, shelf, found.id));
  return stored?.content.toString('utf8');
}

type NewChoices = {
  readonly recordId: Id;
  readonly text: string;
  readonly by: PrincipalId;
  readonly now: Timestamp;
};

/** Stores the choices in place of earlier ones. The caller holds the record's lock. */
export async function saveEmergencyCard(trx: Transaction, sealer: Sealer, choices: NewChoices): Promise<void> {
  const shelf = shelfOf(choices.recordId);
  const content = Buffer.from(choices.text);
  const document = { type: null, mediaType: 'application/json', digest: sha256(content), content, now: choices.now };
  const found = await appDocumentStore.findAppDocumentByExternalId(trx, shelf, NAME);
  if (found) {
    await appDocumentStore.overwriteAppDocument(trx, sealer, shelf, found.id, document);
    return;
  }
  const more = { id: newId(), externalId: NAME, creatorId: choices.by };
  await appDocumentStore.insertAppDocument(trx, sealer, shelf, { ...document, ...more });
}

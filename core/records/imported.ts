/**
 * imported: what becomes of a document that was made from a file: it is new, was there already, is a new version of an
 * earlier one, or adds readings to documents of readings.
 */
import { AppError } from '../base/errors';
import { sha256 } from '../base/ids';
import type { Id, PrincipalId } from '../base/types';
import type { DocumentMeta } from '../documents/document-meta';
import { joinReadings, NO_READINGS, type ReadingCounts, type ReadingsRule } from '../documents/readings';
import type { Services } from '../services';
import { findImported, type ImportedDocument } from '../documents/store';

/** A document that was made from a file. */
export type ToImport = {
  readonly bytes: Buffer;
  /** The external id under which it is stored only once. */ readonly once: string;
  /** Other content under this id becomes a new version. */ readonly renewed: boolean;
  /** A document of readings is joined with those under this id. */ readonly readings?: ReadingsRule | undefined;
};

/** Where it is looked for: in documents of the record that one of the apps stored. */
export type ImportScope = { readonly recordId: Id; readonly appIds: readonly PrincipalId[] };

/** What is to be stored. Nothing is, when all of it is there already. */
type ImportPlan = {
  /** The document that has all of it. */ readonly there?: Id;
  readonly replaced: readonly { readonly id: Id; readonly digest: string; readonly bytes: Buffer }[];
  readonly added: readonly { readonly externalId: string; readonly bytes: Buffer }[];
  readonly counts: ReadingCounts;
};

/** How a door stores a document: as a new version of the one with the id `replaces`, or under the external id. */
export type CreateImported = (
  bytes: Buffer,
  as: { readonly replaces: Id; readonly expectedDigests: readonly string[] } | { readonly externalId: string },
) => Promise<DocumentMeta>;

/** A document with more readings takes long to read; the next ones go into another document. */
const READINGS_EACH = 5000;
/** The most documents of readings under one id. */
const MOST_PARTS = 64;

/** The external ids of the documents of readings. Earlier releases began with the first, or with the second. */
function partNames(once: string): readonly string[] {
  return [once, ...Array.from({ length: MOST_PARTS }, (_, part) => `${once}/${part + 1}`)];
}

async function planJoined(
  known: readonly ImportedDocument[],
  { bytes, once, readings = {} }: ToImport,
): Promise<ImportPlan> {
  const texts = await Promise.all(known.map(async ({ open }) => (await open()).toString('utf8')));
  const { changed, added, counts } = joinReadings(texts, bytes.toString('utf8'), readings, READINGS_EACH);
  const taken = new Set(known.map(({ externalId }) => externalId));
  const free = partNames(once).filter((name) => !taken.has(name));
  if (added.length > free.length) {
    throw new AppError(
      413,
      'too_large',
      `it has more than ${MOST_PARTS * READINGS_EACH} readings of one kind and time.`,
    );
  }
  const [first] = known;
  return {
    ...(first && changed.size + added.length === 0 ? { there: first.id } : {}),
    replaced: [...changed].map(([number, text]) => ({
      id: known[number]!.id,
      digest: known[number]!.digest,
      bytes: Buffer.from(text),
    })),
    added: added.map((text, number) => ({ externalId: free[number]!, bytes: Buffer.from(text) })),
    counts,
  };
}

/**
 * Compares a document with those that came before it.
 * @throws AppError too_large for more readings than the documents of one id hold
 */
export async function planImport(
  { database, contents }: Pick<Services, 'database' | 'contents'>,
  { recordId, appIds }: ImportScope,
  item: ToImport,
): Promise<ImportPlan> {
  const externalIds = item.readings === undefined ? [item.once] : partNames(item.once);
  const known = await findImported(database.reads, contents, recordId, { appIds, externalIds });
  if (item.readings !== undefined) {
    return planJoined(known, item);
  }
  const [first] = known;
  const plan = { replaced: [], added: [], counts: NO_READINGS };
  if (!first) {
    return { ...plan, added: [{ externalId: item.once, bytes: item.bytes }] };
  }
  return !item.renewed || first.digest === sha256(item.bytes)
    ? { ...plan, there: first.id }
    : { ...plan, replaced: [{ id: first.id, digest: first.digest, bytes: item.bytes }] };
}

/** Somebody else stored a document with the same readings, or a new version of it, since the plan was made. */
function cameBetween(error: unknown): boolean {
  return error instanceof AppError && ['duplicate', 'already_replaced', 'precondition_failed'].includes(error.code);
}

const ATTEMPTS = 5;

type Imported = ImportPlan & { readonly documents: readonly DocumentMeta[] };

/**
 * Stores a document that was made from a file, as far as the record does not have it.
 * @throws AppError as `create`; of a plan with several documents, those before the refused one are stored then
 */
export async function storeImported(
  services: Pick<Services, 'database' | 'contents'>,
  scope: ImportScope,
  item: ToImport,
  create: CreateImported,
): Promise<Imported> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planImport(services, scope, item);
    const documents: DocumentMeta[] = [];
    try {
      for (const { id, digest, bytes } of plan.replaced) {
        documents.push(await create(bytes, { replaces: id, expectedDigests: [digest] }));
      }
      for (const { externalId, bytes } of plan.added) {
        documents.push(await create(bytes, { externalId }));
      }
      return { ...plan, documents };
    } catch (error) {
      if (!cameBetween(error) || attempt === ATTEMPTS) {
        throw error;
      }
    }
  }
}

/** kept-resources: reads the resources that documents state: those of FHIR as they came, others as their facts are. */
import { effectiveId } from '../../../core/auth/principal';
import { parseExactJson } from '../../../core/base/json';
import * as keptStore from '../../../core/documents/kept-resources-store';
import { readLeftOut } from '../../../core/documents/left-out-store';
import * as documentStore from '../../../core/documents/store';
import { inParts } from '../../../core/db/in-parts';
import { flatMapInSlices, mapInSlices } from '../../../core/base/turns/slices';
import type { Versioned } from '../../../core/fhir/resource';
import { unreadResource } from '../../../core/fhir/write';
import { recognizedAgain, withoutFacts } from '../../../core/pipeline/leaving-out';
import { resourcesOfVersion } from '../../../core/pipeline/stages/keep';
import type { DocumentRow } from '../../../core/documents/store';
import type { KeptRow } from '../../../core/documents/kept-resources-store';
import type { Asking } from '../asking';
import { pageOfStates, pageOfVersions } from './histories';
import type { ResourceReader } from './own-types';

/** A number whose digits would not survive as a number, such as 7.50. */
const EXACT = /[:[,]-?\d+(?:\.\d*0[,\]}]|[\d.]*[eE]|[\d.]{15})/;

/** The resource in a text. Only a text with numbers whose digits matter is read by the slower way. */
export function readKept(text: string): Versioned {
  return (EXACT.test(text) ? parseExactJson(text) : JSON.parse(text)) as unknown as Versioned;
}

function keptOf({ type: resourceType, id, text }: Pick<KeptRow, 'type' | 'id' | 'text'>): Versioned {
  return unreadResource(text, { resourceType, id }, readKept) as Versioned;
}

function typedId(type: string, id: string) {
  return { type, id };
}

/** So many rows are read in a millisecond or two, also where they are among a million. */
const BRIEFLY = 100;
/** More than these are read in one statement outside the event loop. */
const SEVERAL = 200;

/** Resources by their places in the table, in this order. */
export async function keptBySeq(
  asking: Asking,
  seqs: readonly number[],
): Promise<readonly { readonly seq: number; readonly resource: Versioned }[]> {
  const { services, scope, brief } = asking;
  const isMany = seqs.length > SEVERAL;
  const bySeq = new Map<number, KeptRow>();
  for (const some of inParts(seqs, isMany ? seqs.length : BRIEFLY)) {
    const reads = isMany ? services.database.reads.long : brief;
    const rows = await keptStore.resourcesBySeq(reads, services.contents, scope, some);
    rows.forEach((row) => bySeq.set(row.seq, row));
  }
  return flatMapInSlices(seqs, (seq) => {
    const row = bySeq.get(seq);
    return row ? [{ seq, resource: keptOf(row) }] : [];
  });
}

/** The resources that one document states. `part` is the index of its part; a negative one: it is made of facts. */
export async function keptOfDocument(
  { services }: Asking,
  documentId: string,
): Promise<readonly { readonly part: number; readonly resource: Versioned }[]> {
  const { database, contents } = services;
  const rows = await keptStore.resourcesOfDocument(database.reads, contents, documentId);
  return mapInSlices(rows, (row) => ({ part: row.part, resource: keptOf(row) }));
}

export type Target = { readonly type: string; readonly id: string };

/** Resources by type and id. */
export async function readTargets(
  { services, scope }: Asking,
  targets: readonly Target[],
): Promise<readonly Versioned[]> {
  return targets.length === 0
    ? []
    : mapInSlices(await keptStore.resourcesNamed(services.database.reads, services.contents, scope, targets), keptOf);
}

async function findKept(asking: Asking, type: string, id: string): Promise<KeptRow | undefined> {
  const { services, scope } = asking;
  return keptStore.findResource(services.database.reads, services.contents, scope, typedId(type, id));
}

/** The most versions of one resource that are read. */
const MOST_VERSIONS = 1000;

function keptVersions(asking: Asking, type: string, id: string): Promise<readonly KeptRow[]> {
  const { services, scope } = asking;
  const { reads } = services.database;
  return keptStore.versionsOfResource(reads, services.contents, scope, typedId(type, id), MOST_VERSIONS);
}

/** What a version states that was replaced before its resources were kept: it is read from its document. */
async function earlierState(
  { services, principal, scope }: Asking,
  { id: documentId, recordId, lineageId, createdAt }: DocumentRow,
  type: string,
  id: string,
): Promise<Versioned | undefined> {
  const { reads } = services.database;
  const content = await documentStore.findContent(reads, services.contents, scope, documentId);
  // A document that the present configuration refuses states nothing.
  const read =
    content &&
    (await services.reader.read(content.content, effectiveId(principal) ?? undefined).catch(() => undefined));
  const owner = { recordId, documentId, lineageId, createdAt };
  const before = read ? await readLeftOut(reads, services.contents, documentId) : [];
  const stated = read && withoutFacts(services.models(), read, recognizedAgain(read.facts, before).out);
  const found = stated && (await resourcesOfVersion(reads, services.models(), owner, stated));
  const state = found?.find((one) => one.type === type && one.id === id);
  return state && keptOf(state);
}

function history(type: string): ResourceReader['history'] {
  return async (asking, id, range) => {
    const current = await findKept(asking, type, id);
    if (!current) {
      return undefined;
    }
    const all = await keptVersions(asking, type, id);
    const { services, scope } = asking;
    const oldest = all.at(-1) ?? current;
    const earlier =
      scope.carenetId === undefined
        ? await documentStore.olderVersions(services.database.reads, current.lineageId, oldest.documentId, 1)
        : [];
    return earlier.length === 0
      ? pageOfStates(await mapInSlices(all, keptOf), range)
      : pageOfVersions(asking, { lineageId: current.lineageId, current: keptOf(current) }, range, async (row) => {
          const known = all.find(({ documentId }) => documentId === row.id);
          return known ? keptOf(known) : earlierState(asking, row, type, id);
        });
  };
}

function version(type: string): ResourceReader['version'] {
  return async (asking, id, versionId) => {
    const current = await findKept(asking, type, id);
    if (!current || current.version === versionId) {
      return current && keptOf(current);
    }
    const { services, scope } = asking;
    const { reads } = services.database;
    const wanted = { type, id, version: versionId };
    const known = await keptStore.findVersion(reads, services.contents, scope, wanted);
    if (known || scope.carenetId !== undefined) {
      return known && keptOf(known);
    }
    const row = await documentStore.findDocument(reads, scope, versionId);
    return row?.lineageId === current.lineageId && row.id !== current.documentId
      ? earlierState(asking, row, type, id)
      : undefined;
  };
}

/** Reads the resources of a type that documents state. */
export function keptReader(type: string): ResourceReader {
  return {
    read: async (asking, id) => {
      const row = await findKept(asking, type, id);
      return row && keptOf(row);
    },
    version: version(type),
    history: history(type),
  };
}

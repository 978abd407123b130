/**
 * reading: reads the latest version of a resource, an earlier one, and its history. A resource that the caller may not
 * see is not found.
 */
import { errors } from '../../../core/base/errors';
import type { StoredContent } from '../../../core/http/replies';
import type { Call } from '../../../core/http/route';
import { binaryOf } from '../map/document-reference';
import type { Versioned } from '../../../core/fhir/resource';
import { categoriesOpen } from '../../../core/tokens/smart-scopes';
import { type Asking, askingOf, mayRead } from '../asking';
import { storedTypes } from './stored-types';
import type { HistoryPage } from './histories';
import { openPage, sealPage } from '../search/next-pages';
import { sha256 } from '../../../core/base/ids';
import { keptReader } from './kept-resources';
import { ownReaders, type ResourceReader } from './own-types';
import { seenReader } from './seen-resources';
import { countOnPage, readInstant, type PagedQuery } from '../names';
import * as referenceStore from './document-references-store';
import * as documentStore from '../../../core/documents/store';

export type InType = { TYPE: string };
export type InResource = InType & { ID: string };
type InVersion = InResource & { VERSION: string };

/** The first answer of several readers. */
function firstOf(readers: readonly ResourceReader[]): ResourceReader {
  const first = async <T>(ask: (reader: ResourceReader) => Promise<T | undefined>): Promise<T | undefined> => {
    for (const reader of readers) {
      const found = await ask(reader);
      if (found) {
        return found;
      }
    }
    return undefined;
  };
  return {
    read: (asking, id) => first((reader) => reader.read(asking, id)),
    version: (asking, id, version) => first((reader) => reader.version(asking, id, version)),
    history: (asking, id, range) => first((reader) => reader.history(asking, id, range)),
  };
}

/** Reads what the scopes open. An earlier state is judged by what it says itself. */
function limited({ read, version, history }: ResourceReader): ResourceReader {
  const opened = (asking: Asking, found: Versioned | undefined): Versioned | undefined =>
    found && mayRead(asking, found) ? found : undefined;
  return {
    read: async (asking, id) => opened(asking, await read(asking, id)),
    version: async (asking, id, versionId) => opened(asking, await version(asking, id, versionId)),
    history: async (asking, id, range) => {
      const page = opened(asking, await read(asking, id)) && (await history(asking, id, range));
      const states = page?.states.filter((state) => mayRead(asking, state)) ?? [];
      return page && { ...page, states, total: states.length === page.states.length ? page.total : undefined };
    },
  };
}

/** Reads what documents state, and what is about the record itself. */
function readerOf({ services, principal }: Asking, type: string): ResourceReader {
  const reader = everyReaderOf(services, type);
  return categoriesOpen(principal.scopes, type, 'r') === undefined ? reader : limited(reader);
}

function everyReaderOf(services: Asking['services'], type: string): ResourceReader {
  return firstOf([
    ...(storedTypes(services.models()).has(type) ? [keptReader(type), seenReader(type)] : []),
    ...(Object.hasOwn(ownReaders, type) ? [ownReaders[type]!] : []),
  ]);
}

const documentTypes = ['DocumentReference', 'Binary', 'Provenance'];

/** The audit row names the document that was read. */
function noting({ note, params }: Call<InResource>, { scope }: Asking): void {
  return note({
    recordId: scope.recordId,
    ...(documentTypes.includes(params.TYPE) ? { documentId: params.ID } : {}),
  });
}

export async function readResource(call: Call<InResource>): Promise<Versioned> {
  const asking = await askingOf(call);
  noting(call, asking);
  const resource = await readerOf(asking, call.params.TYPE).read(asking, call.params.ID);
  if (!resource) {
    throw errors.notFound('resource');
  }
  return resource;
}

export type History = HistoryPage & {
  /** The parameters of the first page. */
  readonly used: URLSearchParams;
  /** The value of `_page` for the next page. */
  readonly nextPage: string | undefined;
};

const USUAL_STATES = 20;

/** What the address of a page after the first one contains. */
type NextPage = { readonly used: string; readonly after: string };

/** One page of the states of a resource. @throws errors.notFound, errors.invalidParameter */
export async function readHistory(call: Call<InResource, PagedQuery>): Promise<History> {
  const asking = await askingOf(call);
  noting(call, asking);
  const { TYPE: type, ID: id } = call.params;
  const of = `history of ${type}/${id}`;
  const from = call.query._page === '' ? undefined : openPage<NextPage>(asking, of, call.query._page);
  const used = new URLSearchParams(from?.used ?? call.query.used);
  const page = await readerOf(asking, type).history(asking, id, {
    since: readInstant('_since', used.get('_since') ?? '', asking.services.clock.now())?.start,
    after: from?.after,
    count: countOnPage(used.get('_count') ?? '') ?? USUAL_STATES,
  });
  if (!page) {
    throw errors.notFound('resource');
  }
  const next: NextPage | undefined = page.next === undefined ? undefined : { used: used.toString(), after: page.next };
  return { ...page, used, nextPage: next && sealPage(asking, of, next) };
}

export async function readVersion(call: Call<InVersion>): Promise<Versioned> {
  const asking = await askingOf(call);
  noting(call, asking);
  const { TYPE: type, ID: id, VERSION: version } = call.params;
  const found = await readerOf(asking, type).version(asking, id, version);
  if (!found) {
    throw errors.notFound('version');
  }
  return found;
}

/** The bytes of a document as they were stored, and a function that makes their Binary resource. */
export type BinaryContent = StoredContent & { readonly resource: () => Versioned };

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** The bytes of a Binary that came as a resource. @throws errors.notFound */
async function keptContent(asking: Asking, id: string): Promise<BinaryContent> {
  const found = await keptReader('Binary').read(asking, id);
  if (!found) {
    throw errors.notFound('resource');
  }
  const { contentType, data } = found as { readonly contentType?: unknown; readonly data?: unknown };
  const content = Buffer.from(typeof data === 'string' ? data : '', 'base64');
  const mediaType =
    typeof contentType === 'string' && MEDIA_TYPE.test(contentType) ? contentType : 'application/octet-stream';
  return { content, mediaType, digest: sha256(content), resource: () => found };
}

export async function readBinary(call: Call<InResource>): Promise<BinaryContent> {
  const asking = await askingOf(call);
  noting(call, asking);
  const { services, scope } = asking;
  const { ID: id } = call.params;
  const [row, content] = await Promise.all([
    referenceStore.findReference(services.database.reads, scope, id),
    documentStore.findContent(services.database.reads, services.contents, scope, id),
  ]);
  if (!row || !content) {
    return keptContent(asking, id);
  }
  return { ...content, resource: () => binaryOf(row, content) };
}

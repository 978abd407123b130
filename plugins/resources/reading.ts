/** reading: the latest version of a resource, an earlier one, and its history. What the caller may not see is not found. */
import { errors } from '../../core/base/errors';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import { binaryOf } from '../../core/fhir/document-reference';
import type { Versioned } from '../../core/fhir/resource';
import { askingOf, type Asking } from './asking';
import { factReader, factTypes } from './fact-resources';
import { ownReaders, type ResourceReader } from './own-types';

export type InType = { TYPE: string };
export type InResource = InType & { ID: string };
export type InVersion = InResource & { VERSION: string };

const readerOf = ({ services }: Asking, type: string): ResourceReader | undefined => {
  if (Object.hasOwn(ownReaders, type)) {
    return ownReaders[type];
  }
  return factTypes(services.models()).has(type) ? factReader(type) : undefined;
};

const documentTypes = ['DocumentReference', 'Binary', 'Provenance'];

/** The audit row names the document that was read. */
const noting = ({ note, params }: Call<InResource>, { scope }: Asking): void =>
  note({
    recordId: scope.recordId,
    ...(documentTypes.includes(params.TYPE) ? { documentId: params.ID } : {}),
  });

export const readResource = async (call: Call<InResource>): Promise<Versioned> => {
  const asking = askingOf(call);
  noting(call, asking);
  const resource = await readerOf(asking, call.params.TYPE)?.read(asking, call.params.ID);
  if (!resource) {
    throw errors.notFound('resource');
  }
  return resource;
};

export const readHistory = async (call: Call<InResource>): Promise<readonly Versioned[]> => {
  const asking = askingOf(call);
  noting(call, asking);
  const states = (await readerOf(asking, call.params.TYPE)?.history(asking, call.params.ID)) ?? [];
  if (states.length === 0) {
    throw errors.notFound('resource');
  }
  return states;
};

export const readVersion = async (call: Call<InVersion>): Promise<Versioned> => {
  const asking = askingOf(call);
  noting(call, asking);
  const reader = readerOf(asking, call.params.TYPE);
  const isWanted = (state: Versioned | undefined): state is Versioned => state?.meta.versionId === call.params.VERSION;
  const current = await reader?.read(asking, call.params.ID);
  const found = isWanted(current) ? current : (await reader?.history(asking, call.params.ID))?.find(isWanted);
  if (!found) {
    throw errors.notFound('version');
  }
  return found;
};

/** The bytes of a document as they were stored, and a function that makes their Binary resource. */
export type BinaryContent = StoredContent & { readonly resource: () => Versioned };

export const readContent = async (call: Call<InResource>): Promise<BinaryContent> => {
  const asking = askingOf(call);
  noting(call, asking);
  const { services, scope } = asking;
  const { ID: id } = call.params;
  const [row, content] = await Promise.all([
    services.stores.documentReferences.findReference(services.database.reads, scope, id),
    services.stores.documents.findContent(services.database.reads, services.contents, scope, id),
  ]);
  if (!row || !content) {
    throw errors.notFound('resource');
  }
  return { ...content, resource: () => binaryOf(row, content) };
};

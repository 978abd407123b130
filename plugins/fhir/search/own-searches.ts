/**
 * own-searches: searches the types that are not made of facts. One statement finds documents, and a record has only one
 * Patient.
 */
import { FHIR } from '../../../core/fhir/json-to-xml';
import {
  CATEGORY,
  FORMATS,
  type ReferencedDocument,
  RESOURCE_TYPES,
  documentReferenceOf,
  provenanceOf,
} from '../map/document-reference';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import { toTimestamp } from '../../../core/base/clock';
import { mapInSlices } from '../../../core/base/turns/slices';
import { groupedBy } from '../../../core/base/grouped-by';
import { documentIn, type Versioned } from '../../../core/fhir/resource';
import { pointMeets, readSoughtDate } from '../../../core/fhir/search-dates';
import { wantsOf } from './sought';
import { type Filter, type SearchQuery, type Sort, readReference, readToken, wantsMissing } from './search-query';
import * as referenceStore from '../read/document-references-store';
import type { Condition } from '../read/document-references-store';
import { type Asking, fhirBase, mayAlso, mayRead } from '../asking';
import { readTargets } from '../read/kept-resources';
import { ownReaders } from '../read/own-types';
import { meetsPatient } from './patient-search';
import type { Source } from './merged-search';

/** Whether a reference names the record, which is the subject of every resource in it. */
function namesRecord(asking: Asking, value: string): boolean {
  const found = readReference(value, fhirBase(asking.services));
  return found !== undefined && (found.type ?? 'Patient') === 'Patient' && found.id === asking.scope.recordId;
}

/** A condition on the time of care, or on the time of storing for documents without a time of care. */
export function careOrStored({ services }: Asking, name: string, value: string): Condition {
  const { care, careUntold, createdAt, allOf, anyOf } = referenceStore.conditionsOn;
  const date = readSoughtDate(name, value, services.clock.now());
  return anyOf([care(wantsOf(date), date.prefix === 'ne'), allOf([careUntold, createdAt(pointMeets(date))])]);
}

/** The conditions on a document, by parameter. A filter is met if one of its values is met. */
function conditionFor(asking: Asking, { name, values }: Filter, made: MadeOf): Condition {
  const { conditionsOn } = referenceStore;
  const { nothing, anyOf, allOf } = conditionsOn;
  const now = asking.services.clock.now();
  const always = allOf([]);
  const anyValue = (condition: (value: string) => Condition): Condition => anyOf(values.map(condition));
  switch (name) {
    case '_id':
      return values.length === 0 ? nothing : conditionsOn.ids(values);
    case 'patient':
    case 'subject':
      return values.some((value) => namesRecord(asking, value)) ? always : nothing;
    case 'date':
    case 'recorded':
      return anyValue((value) => conditionsOn.createdAt(pointMeets(readSoughtDate(name, value, now))));
    case '_lastUpdated':
      return anyValue((value) => lastChanged(asking, value));
    case 'status':
      return anyValue((value) => conditionsOn.status(readToken(value).code));
    case 'type':
      return anyValue((value) => {
        const { system: given, code } = readToken(value);
        const system = given === RESOURCE_TYPES ? FHIR : given;
        return code === '' && system ? conditionsOn.system(system) : conditionsOn.type(system, code);
      });
    case 'period':
      return anyValue((value) => {
        const date = readSoughtDate(name, value, now);
        return conditionsOn.care(wantsOf(date), date.prefix === 'ne');
      });
    case 'care-date':
      return anyValue((value) => careOrStored(asking, name, value));
    case 'identifier':
      return anyValue((value) => {
        const { system, code } = readToken(value);
        return allOf([
          ...(code === '' ? [] : [conditionsOn.said('identifier', code)]),
          ...(system === undefined ? [] : [conditionsOn.said('identifier_system', system)]),
        ]);
      });
    case 'format':
      return anyValue((value) => {
        const { system, code } = readToken(value);
        const meant = code === '' ? conditionsOn.says('format') : conditionsOn.said('format', code);
        return system === undefined || system === FORMATS ? meant : nothing;
      });
    case 'contenttype':
      // A plus that was not escaped arrives as a space.
      return anyValue((value) => conditionsOn.mediaType(readToken(value).code.toLowerCase().replace(' ', '+')));
    case 'category':
      return values.some((value) => isCategory(value)) ? always : nothing;
    case 'target':
      return anyValue((value) => aboutTarget(asking, value, made));
    default:
      return nothing;
  }
}

function isCategory(value: string): boolean {
  const { system, code } = readToken(value);
  return (
    (system === undefined || system === CATEGORY.system) && (code === CATEGORY.code || (code === '' && Boolean(system)))
  );
}

/**
 * A condition on the last change. It is in an interval if something changed since its start, and nothing since its end.
 */
function lastChanged({ services }: Asking, value: string): Condition {
  const { changedSince, not, allOf, anyOf } = referenceStore.conditionsOn;
  const { prefix, start, end } = readSoughtDate('_lastUpdated', value, services.clock.now());
  switch (prefix) {
    case 'eq':
    case 'ap':
      return allOf([changedSince(start), not(changedSince(end))]);
    case 'ne':
      return anyOf([not(changedSince(start)), changedSince(end)]);
    case 'gt':
    case 'sa':
      return changedSince(end);
    case 'ge':
      return changedSince(start);
    case 'lt':
    case 'eb':
      return not(changedSince(start));
    case 'le':
      return not(changedSince(end));
  }
}

/** Resources that were made of documents, and the documents of which they were made. */
type MadeOf = readonly { readonly name: string; readonly documentId: string }[];

/** The resources that `target` names, with their documents. */
async function targetsOf(asking: Asking, { filters }: SearchQuery): Promise<MadeOf> {
  const base = fhirBase(asking.services);
  const named = filters
    .filter(({ name, modifier }) => name === 'target' && modifier === '')
    .flatMap(({ values }) => values.flatMap((value) => readReference(value, base) ?? []));
  const wanted = named.flatMap(({ type, id }) =>
    type === undefined || Object.hasOwn(ownReaders, type) || !mayAlso(asking, type, 'r') ? [] : [{ type, id }],
  );
  const found = await readTargets(asking, wanted);
  return found
    .filter((one) => mayRead(asking, one))
    .map((one) => ({ name: `${one.resourceType}/${one.id}`, documentId: documentIn(one) }));
}

/**
 * The condition that `target` of a Provenance sets: a document names itself and the resources that were made of it, and
 * the Patient its latest demographics.
 */
function aboutTarget(asking: Asking, value: string, made: MadeOf): Condition {
  const { conditionsOn } = referenceStore;
  const target = readReference(value, fhirBase(asking.services));
  if (target && (target.type ?? 'DocumentReference') === 'DocumentReference') {
    return conditionsOn.ids([target.id]);
  }
  const documents = made.filter(({ name }) => name === `${target?.type}/${target?.id}`);
  if (documents.length > 0) {
    return conditionsOn.ids(documents.map(({ documentId }) => documentId));
  }
  return target?.type === 'Patient' && target.id === asking.scope.recordId
    ? conditionsOn.demographics
    : conditionsOn.nothing;
}

/** A condition for `:missing`. Some documents tell no time of care, or do not say what they are. */
function isMissing(name: string, missing: boolean): Condition {
  const { careUntold, says, not, allOf, nothing } = referenceStore.conditionsOn;
  if (name === 'identifier' || name === 'format') {
    return missing ? not(says(name)) : says(name);
  }
  if (name === 'period') {
    return missing ? careUntold : not(careUntold);
  }
  return missing ? nothing : allOf([]);
}

function conditionsOf(asking: Asking, { filters }: SearchQuery, made: MadeOf): readonly Condition[] {
  const { not, nothing } = referenceStore.conditionsOn;
  return filters.map((filter) => {
    const missing = wantsMissing(filter);
    if (missing !== undefined) {
      return isMissing(filter.name, missing);
    }
    // The words for a code are not searched here.
    const condition = filter.modifier === 'text' ? nothing : conditionFor(asking, filter, made);
    return filter.modifier === 'not' ? not(condition) : condition;
  });
}

type Listed = ReferencedDocument & { readonly after: string };

/** A page of versions in the order of a search. The place of each is that after which a next page would begin. */
async function listed(
  { services: { database, clock }, scope }: Asking,
  { sort: [sort], count }: SearchQuery,
  conditions: readonly Condition[],
  after: string | undefined,
): Promise<readonly Listed[]> {
  const common = { conditions, oldestFirst: sort !== undefined && !sort.descending, limit: count + 1 };
  if (sort?.name !== '_lastUpdated') {
    const from = after === undefined ? null : Number(after);
    const rows = await referenceStore.listReferences(database.reads, scope, { ...common, after: from });
    return rows.map((row) => ({ ...row, after: String(row.seq) }));
  }
  const [asOf = toTimestamp(clock.now()), changed, seq] = after?.split(' ') ?? [];
  const place = changed === undefined ? null : { changed, seq: Number(seq) };
  const rows = await referenceStore.listByChange(database.reads, scope, { ...common, asOf, after: place });
  return rows.map((row) => ({ ...row, after: [asOf, row.place.changed, row.place.seq].join(' ') }));
}

/** A Provenance never changes, so the order of last changes is the order in which it was stored. */
function asStored(query: SearchQuery): SearchQuery {
  return {
    ...query,
    sort: query.sort.map((sort) => ({ ...sort, name: 'recorded' })),
  };
}

function ownSortValue({ name }: Sort, { id, createdAt, after }: Listed): string {
  if (name === '_id') {
    return id;
  }
  return name === '_lastUpdated' && after.includes(' ') ? after.split(' ')[1]! : createdAt;
}

/** The values by which a document is sorted. No two have the same first one, so that the others change nothing here. */
function sortsOf({ sort }: SearchQuery, row: Listed): readonly string[] {
  return sort.length === 0 ? [''] : sort.map((one) => ownSortValue(one, row));
}

/** The documents in the scope, as a part of a search. */
function documentSource(
  show: (document: ReferencedDocument, targets: readonly string[]) => Versioned,
  ordered = (query: SearchQuery): SearchQuery => query,
): Source {
  return (asking, query) => {
    const { database } = asking.services;
    // Bad values are refused before anything is read.
    conditionsOf(asking, query, []);
    let targets: Promise<MadeOf> | undefined;
    const made = (): Promise<MadeOf> => (targets ??= targetsOf(asking, query));
    const conditions = async (): Promise<readonly Condition[]> => conditionsOf(asking, query, await made());
    const rows = new Map<string, Listed>();
    return {
      count: async () => referenceStore.countReferences(database.reads, asking.scope, await conditions()),
      keys: async (after, limit) => {
        const found = await listed(asking, { ...ordered(query), count: limit - 1 }, await conditions(), after);
        found.forEach((row) => rows.set(row.after, row));
        return found.map((row) => ({ sorts: sortsOf(query, row), place: row.after }));
      },
      read: async (places) => {
        const names = groupedBy(await made(), ({ documentId }) => documentId);
        return mapInSlices(places, (place) => {
          const row = rows.get(place);
          return (
            row &&
            show(
              row,
              (names.get(row.id) ?? []).map(({ name }) => name),
            )
          );
        });
      },
    };
  };
}

/** A source of one resource or none. */
function single(find: (asking: Asking, query: SearchQuery) => Promise<Versioned | undefined>): Source {
  return (asking, query) => {
    let found: Promise<Versioned | undefined> | undefined;
    const once = (): Promise<Versioned | undefined> => (found ??= find(asking, query));
    return {
      count: async () => ((await once()) ? 1 : 0),
      keys: async (after) =>
        after === undefined && (await once()) ? [{ sorts: query.sort.map(() => ''), place: 'only' }] : [],
      read: async (places) => Promise.all(places.map(once)),
    };
  };
}

async function findPatient(asking: Asking, { filters }: SearchQuery): Promise<Versioned | undefined> {
  const { services, scope } = asking;
  const patient = await ownReaders['Patient']!.read(asking, scope.recordId);
  return patient && filters.every((filter) => meetsPatient(patient, filter, services.clock.now()))
    ? patient
    : undefined;
}

async function findRelatedPerson(asking: Asking, { filters }: SearchQuery): Promise<Versioned | undefined> {
  const { scope, principal, services } = asking;
  const id = principal.accountId === null ? '' : relatedPersonId(scope.recordId, principal.accountId);
  const person = await ownReaders['RelatedPerson']!.read(asking, id);
  return person &&
    filters.every((filter) =>
      filter.name === 'patient' && filter.modifier === ''
        ? filter.values.some((value) => namesRecord(asking, value))
        : meetsPatient(person, filter, services.clock.now()),
    )
    ? person
    : undefined;
}

/** The sources of types that are neither kept nor made of facts. */
export const ownSources: Readonly<Record<string, Source>> = {
  Patient: single(findPatient),
  RelatedPerson: single(findRelatedPerson),
  DocumentReference: documentSource((row) => documentReferenceOf(row)),
  Provenance: documentSource(provenanceOf, asStored),
};

/**
 * own-searches: searches the types that are not made of facts. One statement finds documents, and a record has only one
 * Patient.
 */
import { documentReferenceOf, provenanceOf, CATEGORY, type ReferencedDocument } from '../map/document-reference';
import { relatedPersonId } from '../../../core/auth/fhir-user';
import { toTimestamp } from '../../../core/base/clock';
import { mapInSlices } from '../../../core/base/turns/slices';
import type { Versioned } from '../../../core/fhir/resource';
import { pointMeets, readSoughtDate } from './search-dates';
import { wantsOf } from './sought';
import { readReference, readToken, wantsMissing, type Filter, type SearchQuery } from './search-query';
import type { Condition } from '../read/document-references-store';
import { fhirBase, mayAlso, type Asking } from '../asking';
import { ownReaders } from '../read/own-types';
import { meetsPatient } from './patient-search';
import type { Searcher } from './searcher';
import * as referenceStore from '../read/document-references-store';

/** Whether a reference names the record, which is the subject of every resource in it. */
const namesRecord = (asking: Asking, value: string): boolean => {
  const found = readReference(value, fhirBase(asking.services));
  return found !== undefined && (found.type ?? 'Patient') === 'Patient' && found.id === asking.scope.recordId;
};

/** A condition on the time of care, or on the time of storing for documents without a time of care. */
export const careOrStored = ({ services }: Asking, name: string, value: string): Condition => {
  const { care, careUntold, createdAt, allOf, anyOf } = referenceStore.conditionsOn;
  const date = readSoughtDate(name, value, services.clock.now());
  return anyOf([care(wantsOf(date), date.prefix === 'ne'), allOf([careUntold, createdAt(pointMeets(date))])]);
};

/** The conditions on a document, by parameter. A filter is met if one of its values is met. */
const conditionFor = (asking: Asking, { name, values }: Filter): Condition => {
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
        const { system, code } = readToken(value);
        return code === '' && system ? conditionsOn.system(system) : conditionsOn.type(system, code);
      });
    case 'period':
      return anyValue((value) => {
        const date = readSoughtDate(name, value, now);
        return conditionsOn.care(wantsOf(date), date.prefix === 'ne');
      });
    case 'care-date':
      return anyValue((value) => careOrStored(asking, name, value));
    case 'contenttype':
      // A plus that was not escaped arrives as a space.
      return anyValue((value) => conditionsOn.mediaType(readToken(value).code.toLowerCase().replace(' ', '+')));
    case 'category':
      return values.some((value) => isCategory(value)) ? always : nothing;
    case 'target':
      return anyValue((value) => aboutTarget(asking, value));
    default:
      return nothing;
  }
};

const isCategory = (value: string): boolean => {
  const { system, code } = readToken(value);
  return (
    (system === undefined || system === CATEGORY.system) && (code === CATEGORY.code || (code === '' && Boolean(system)))
  );
};

/**
 * A condition on the last change. It is in an interval if something changed since its start, and nothing since its end.
 */
const lastChanged = ({ services }: Asking, value: string): Condition => {
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
};

/**
 * The condition that `target` of a Provenance sets: a document names itself, and the Patient its latest demographics.
 */
const aboutTarget = (asking: Asking, value: string): Condition => {
  const { conditionsOn } = referenceStore;
  const target = readReference(value, fhirBase(asking.services));
  if (target && (target.type ?? 'DocumentReference') === 'DocumentReference') {
    return conditionsOn.ids([target.id]);
  }
  return target?.type === 'Patient' && target.id === asking.scope.recordId
    ? conditionsOn.demographics
    : conditionsOn.nothing;
};

/** A condition for `:missing`. Only the time of care is missing in some documents. */
const isMissing = (name: string, missing: boolean): Condition => {
  const { careUntold, not, allOf, nothing } = referenceStore.conditionsOn;
  if (name === 'period') {
    return missing ? careUntold : not(careUntold);
  }
  return missing ? nothing : allOf([]);
};

const conditionsOf = (asking: Asking, { filters }: SearchQuery): readonly Condition[] => {
  const { not } = referenceStore.conditionsOn;
  return filters.map((filter) => {
    const missing = wantsMissing(filter);
    if (missing !== undefined) {
      return isMissing(filter.name, missing);
    }
    const condition = conditionFor(asking, filter);
    return filter.modifier === 'not' ? not(condition) : condition;
  });
};

type Listed = ReferencedDocument & { readonly after: string };

/** A page of versions in the order of a search. The place of each is that after which a next page would begin. */
const listed = async (
  { services: { database, clock }, scope }: Asking,
  { sort: [sort], count }: SearchQuery,
  conditions: readonly Condition[],
  after: string | undefined,
): Promise<readonly Listed[]> => {
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
};

/** A Provenance never changes, so the order of last changes is the order in which it was stored. */
const asStored = (query: SearchQuery): SearchQuery => ({
  ...query,
  sort: query.sort.map((sort) => ({ ...sort, name: 'recorded' })),
});

const searchDocuments =
  (show: (document: ReferencedDocument) => Versioned, ordered = (query: SearchQuery): SearchQuery => query): Searcher =>
  async (asking, { query, after, total }) => {
    const { database } = asking.services;
    const conditions = conditionsOf(asking, query);
    const countOnly = query.count === 0 || query.shown.summary === 'count';
    const [rows, counted] = await Promise.all([
      countOnly ? [] : listed(asking, ordered(query), conditions, after),
      query.total === 'none' && !countOnly
        ? undefined
        : (total ?? referenceStore.countReferences(database.reads, asking.scope, conditions)),
    ]);
    const shown = rows.slice(0, query.count);
    const withProvenance = query.reverseIncludes.includes('Provenance:target') && mayAlso(asking, 'Provenance', 'r');
    return {
      matches: await mapInSlices(shown, show),
      included: withProvenance ? await mapInSlices(shown, (row) => provenanceOf(row)) : [],
      total: counted,
      next: rows.length > shown.length ? shown.at(-1)!.after : undefined,
    };
  };

const one = (resource: Versioned | undefined, { count, shown }: SearchQuery) => ({
  matches: resource && count > 0 && shown.summary !== 'count' ? [resource] : [],
  included: [],
  total: resource ? 1 : 0,
  next: undefined,
});

const searchPatient: Searcher = async (asking, { query }) => {
  const { services, scope } = asking;
  const patient = await ownReaders['Patient']!.read(asking, scope.recordId);
  const found = patient && query.filters.every((filter) => meetsPatient(patient, filter, services.clock.now()));
  const page = one(found ? patient : undefined, query);
  const version = patient?.meta.versionId ?? '';
  const wanted = query.reverseIncludes.includes('Provenance:target') && mayAlso(asking, 'Provenance', 'r');
  const provenance =
    wanted && page.matches.length > 0 ? await ownReaders['Provenance']!.read(asking, version) : undefined;
  return { ...page, included: provenance ? [provenance] : [] };
};

const searchRelatedPerson: Searcher = async (asking, { query }) => {
  const { scope, principal, services } = asking;
  const id = relatedPersonId(scope.recordId, principal.accountId);
  const person = await ownReaders['RelatedPerson']!.read(asking, id);
  const found =
    person &&
    query.filters.every((filter) =>
      filter.name === 'patient' && filter.modifier === ''
        ? filter.values.some((value) => namesRecord(asking, value))
        : meetsPatient(person, filter, services.clock.now()),
    );
  return one(found ? person : undefined, query);
};

export const ownSearchers: Readonly<Record<string, Searcher>> = {
  Patient: searchPatient,
  RelatedPerson: searchRelatedPerson,
  DocumentReference: searchDocuments(documentReferenceOf),
  Provenance: searchDocuments((row) => provenanceOf(row), asStored),
};

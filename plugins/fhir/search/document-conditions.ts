/**
 * document-conditions: what the parameters of a search mean for the DocumentReference and the Provenance of a document,
 * as conditions on its row.
 */
import { FHIR } from '../../../core/fhir/json-to-xml';
import { documentIn } from '../../../core/fhir/resource';
import { pointMeets, readSoughtDate } from '../../../core/fhir/search-dates';
import { plainText, shortSystem } from '../../../core/fhir/search-values';
import { profilesFor } from '../../../core/fhir/profiles';
import { CATEGORY, FORMATS, PARTICIPANTS, RESOURCE_TYPES, spacedWords } from '../map/document-reference';
import * as referenceStore from '../read/document-references-store';
import type { Condition } from '../read/document-references-store';
import { type Asking, fhirBase, mayAlso, mayRead } from '../asking';
import { readTargets } from '../read/kept-resources';
import { ownReaders } from '../read/own-types';
import {
  type Filter,
  type SearchQuery,
  readReference,
  readToken,
  splitAt,
  unescaped,
  wantsMissing,
} from './search-query';
import { readTypedNumber } from './kept-search';
import { isMeantAddress } from './seen-search';
import { impliedSystem, wantsOf } from './sought';

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
function conditionFor(asking: Asking, type: string, filter: Filter, made: MadeOf): Condition {
  const { name, values } = filter;
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
    case '_profile':
      return anyValue((value) => ofProfiles(type, isMeantAddress(value, filter.modifier)));
    default:
      return anyValue((value) => saidOf(asking, filter, value));
  }
}

const LOINC = 'http://loinc.org';

/** Every document meets all profiles, but US Core's only where it says in LOINC what it is. */
function ofProfiles(type: string, isMeant: (word: string) => boolean): Condition {
  const { allOf, anyOf, coded } = referenceStore.conditionsOn;
  const met = profilesFor(type).filter((profile) => isMeant(shortSystem(profile)));
  return anyOf(
    met.map((profile) => (type === 'DocumentReference' && profile.includes('/us/core/') ? coded(LOINC) : allOf([]))),
  );
}

/** The words of a document for its kind, its category and nothing else, by their beginning. */
function kindInWords({ services }: Asking, name: string, value: string): Condition {
  const { nothing, allOf, kindNamed } = referenceStore.conditionsOn;
  const text = unescaped(value);
  const isSaid = (words: string): boolean => plainText(words).startsWith(plainText(text));
  switch (name) {
    case 'type': {
      const types = services.reader.entries.all.flatMap(({ namespace, roots }) =>
        roots.filter((root) => isSaid(spacedWords(root))).map((root) => `${namespace}#${root}`),
      );
      return kindNamed(services.database.dialect, text, types);
    }
    case 'category':
      return isSaid(CATEGORY.display) ? allOf([]) : nothing;
    default:
      return nothing;
  }
}

/** The documents that a reference names: those that others replace. */
function replacedBy({ services, scope }: Asking, value: string): Condition {
  const { nothing, replaces } = referenceStore.conditionsOn;
  const target = readReference(value, fhirBase(services));
  const isDocument = target !== undefined && (target.type ?? 'DocumentReference') === 'DocumentReference';
  return isDocument && scope.carenetId === undefined ? replaces([target.id]) : nothing;
}

function isReplacing({ scope }: Asking): Condition {
  const { nothing, replaces } = referenceStore.conditionsOn;
  return scope.carenetId === undefined ? replaces() : nothing;
}

/** Who stored a document has an identifier without a system; who wrote it by its own words has none. */
function isBy(value: string, condition: (id: string) => Condition): Condition {
  const { system, code } = readToken(value);
  return code === '' || system ? referenceStore.conditionsOn.nothing : condition(code);
}

/** The types of those who take part, which are found by their codes, or by their first words. */
function takesPart({ modifier }: Filter, value: string): Condition {
  const { allOf, anyOf, proxy } = referenceStore.conditionsOn;
  const { system, code } = readToken(value);
  const isMeant = (one: { readonly system: string; readonly code: string; readonly display: string }): boolean =>
    modifier === 'text'
      ? plainText(one.display).startsWith(plainText(unescaped(value)))
      : (system === undefined || system === one.system) && (code === one.code || (code === '' && Boolean(system)));
  return anyOf([
    ...(isMeant(PARTICIPANTS.author) ? [allOf([])] : []),
    ...(isMeant(PARTICIPANTS.transmitter) ? [proxy()] : []),
  ]);
}

function isReplaces(value: string): boolean {
  const { system, code } = readToken(value);
  return code === 'replaces' && impliedSystem(system);
}

/** The document that a Binary holds, by the address of its attachment. */
function holding({ services }: Asking, value: string): Condition {
  const target = readReference(value, fhirBase(services));
  return target?.type === 'Binary' ? referenceStore.conditionsOn.ids([target.id]) : referenceStore.conditionsOn.nothing;
}

/** Whom and what a reference names without being one of this record. */
function identified(name: string, value: string): Condition {
  const { nothing, not, said, says, allOf, anyOf, creator, proxy } = referenceStore.conditionsOn;
  switch (name) {
    case 'author':
      return allOf([not(says('author')), isBy(value, creator)]);
    case 'agent':
      return anyOf([isBy(value, creator), isBy(value, proxy)]);
    case 'encounter': {
      const { system, code } = readToken(value);
      const ofSystem = system === '' ? not(says('visit_system')) : said('visit_system', system ?? '');
      return allOf([
        says('visit'),
        ...(code === '' ? [] : [said('visit', code)]),
        ...(system === undefined ? [] : [ofSystem]),
      ]);
    }
    default:
      return nothing;
  }
}

/** What a document says of itself. */
function saidOf(asking: Asking, filter: Filter, value: string): Condition {
  const { nothing, allOf, named } = referenceStore.conditionsOn;
  const { name, modifier } = filter;
  if (modifier === 'identifier') {
    return identified(name, value);
  }
  if (name === 'agent-type') {
    return takesPart(filter, value);
  }
  if (modifier === 'text') {
    return kindInWords(asking, name, value);
  }
  if (modifier === 'of-type') {
    readTypedNumber(name, value);
    return nothing;
  }
  switch (name) {
    case 'description': {
      const by = modifier === 'exact' || modifier === 'contains' ? modifier : 'first';
      return named(asking.services.database.dialect, unescaped(value), by);
    }
    case 'location':
      return holding(asking, value);
    case 'relatesto':
    case 'entity':
      return replacedBy(asking, value);
    case 'relation':
      return isReplaces(value) ? isReplacing(asking) : nothing;
    case 'relationship': {
      const [target = '', relation = ''] = splitAt(value, '$');
      return isReplaces(relation) ? allOf([replacedBy(asking, target)]) : nothing;
    }
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
export type MadeOf = readonly { readonly name: string; readonly documentId: string }[];

/** The resources that `target` names, with their documents. */
export async function targetsOf(asking: Asking, { filters }: SearchQuery): Promise<MadeOf> {
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

/** What no document says of itself, by type. */
const NEVER_SAID: Readonly<Record<string, readonly string[]>> = {
  DocumentReference: [
    ...['authenticator', 'event', 'facility', 'language', 'related', 'security-label', 'setting'],
    ...['_security', '_tag'],
  ],
  Provenance: ['agent-role', 'location', 'signature-type', 'when', '_security', '_tag'],
};

/** Whether a document says what a parameter looks at, which all of them say but these. */
function saysAt(asking: Asking, type: string, name: string): Condition {
  const { nothing, allOf, not, says, careUntold, isNamed } = referenceStore.conditionsOn;
  if (NEVER_SAID[type]?.includes(name)) {
    return nothing;
  }
  switch (name) {
    case 'identifier':
    case 'format':
      return says(name);
    case 'custodian':
      return says('from');
    case 'encounter':
      return says('visit');
    case 'description':
      return isNamed;
    case 'period':
      return not(careUntold);
    case 'relatesto':
    case 'relation':
    case 'relationship':
    case 'entity':
      return isReplacing(asking);
    default:
      return allOf([]);
  }
}

/** The conditions that the filters of a search set on documents. @throws errors.invalidParameter */
export function documentConditions(
  asking: Asking,
  type: string,
  { filters }: SearchQuery,
  made: MadeOf,
): readonly Condition[] {
  const { not } = referenceStore.conditionsOn;
  return filters.map((filter) => {
    const missing = wantsMissing(filter);
    if (missing !== undefined) {
      const says = saysAt(asking, type, filter.name);
      return missing ? not(says) : says;
    }
    const condition = ['text', 'identifier', 'of-type'].includes(filter.modifier)
      ? referenceStore.conditionsOn.anyOf(filter.values.map((value) => saidOf(asking, filter, value)))
      : conditionFor(asking, type, filter, made);
    return filter.modifier === 'not' ? not(condition) : condition;
  });
}

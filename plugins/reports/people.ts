/** people: the doctors and places that documents and facts name, each once, and what they wrote. */
import { errors } from '../../core/base/errors';
import { groupedBy } from '../../core/base/grouped-by';
import type { Id } from '../../core/base/types';
import { anyOf, type Condition } from '../../core/db/condition';
import type { Dialect } from '../../core/db/dialect';
import type { ReportScope } from '../../core/sharing/containment';
import type { StoredFact } from '../../core/facts/plans';
import type { KnownDocument } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';
import { factTables } from '../../core/facts/model/fact-tables';
import { dateColumn } from '../../core/facts/model/table-plan';
import { foldedForms, foldedText } from '../../core/base/words/folded-text';
import { namingFields, readNames, saysName, type SaidName } from '../../core/facts/people';
import { readTimeline, type Dated } from '../../core/facts/timeline';
import type { Call } from '../../core/http/route';
import type { Services } from '../../core/services';
import type { SdmjFact } from './narrowed';
import { documentsScopeOf, openScope, type InScope } from './scope';
import { sdmj } from './series';
import { VISIT } from './visit-model';

export type Person = {
  /** Stable in this installation; says nothing of who it is. */ readonly key: string;
  /** As most sources write it. */ readonly name: string;
  readonly isPlace: boolean;
  /** How many facts name them, and how many documents are by them. */
  readonly facts: number;
  readonly documents: number;
  readonly documentIds: readonly Id[];
};

export type PersonView = Person & {
  /** Other spellings. */ readonly also: readonly string[];
  readonly wrote: readonly KnownDocument[];
  /** What they did, the newest first; visits are among them. */ readonly did: readonly SdmjFact[];
  /** False when there is more than is answered. */ readonly all: boolean;
};

export type PeopleQuery = { readonly q?: string; readonly document?: string };

const MOST_SHOWN = 60;
const TITLES =
  /^(dr|doctor|prof|professor|mr|mrs|ms|md|do|phd|rn|np|pa|dds|pharmd|mbbs|frcp|med|herr|frau|sr|sra|dra|doctora|doc)$/;

/**
 * A name as it is compared: without titles, marks and case. "Benali, Yusra" and "Dr. Yusra Benali" are one person. Empty
 * where nothing is left that names anybody.
 */
export function plainName(said: string): string {
  const turned = said.replace(/^\s*([^,]+),\s*([^,]+)$/, (_, family: string, given: string) =>
    TITLES.test(given.toLowerCase().replace(/[.\s]/g, '')) ? family : `${given} ${family}`,
  );
  const words = turned
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const named = words.filter((word) => !TITLES.test(word));
  return named.join(' ');
}

/** One time that a source names somebody. */
type Naming = {
  readonly name: string;
  readonly isPlace: boolean | undefined;
  readonly fact?: SaidName;
  readonly documentId?: Id;
};

function personKey({ prove }: Services, { recordId }: ReportScope, plain: string): string {
  return prove('person', `${recordId}\n${plain}`).slice(0, 22);
}

async function readNamings(services: Services, scope: ReportScope, document?: Id): Promise<readonly Naming[]> {
  const { reads, dialect } = services.database;
  const tables = factTables(services.models());
  const within: readonly Condition[] =
    document === undefined ? [] : [{ text: 'fact._document_id = ?', values: [document] }];
  const [names, documents] = await Promise.all([
    readNames(reads.long, dialect, scope, namingFields(services.models().all, tables), within),
    documentStore.readNamingDocuments(reads, scope, document),
  ]);
  return [
    ...names.map((fact): Naming => ({
      name: fact.parts.filter(Boolean).join(' '),
      isPlace: fact.field.isPlace,
      fact,
    })),
    ...documents.flatMap(({ id, about: { author = '', from = '' } }): readonly Naming[] => [
      { name: author, isPlace: undefined, documentId: id },
      { name: from, isPlace: true, documentId: id },
    ]),
  ].filter(({ name }) => plainName(name) !== '');
}

type Entry = { readonly person: Person; readonly namings: readonly Naming[]; readonly also: readonly string[] };

function timesNamed({ fact }: Naming): number {
  return fact?.facts ?? 1;
}

/** A name that begins with the given name is shown before one that is written for a list. */
function commas(name: string): number {
  return name.includes(',') ? 1 : 0;
}

/** One person or place from all who name them. */
function entryOf(key: string, namings: readonly Naming[]): Entry {
  const spelled = [...groupedBy(namings, ({ name }) => name.trim())]
    .map(([name, said]) => ({ name, count: said.reduce((sum, one) => sum + timesNamed(one), 0) }))
    .sort(
      (one, other) =>
        other.count - one.count || commas(one.name) - commas(other.name) || (one.name < other.name ? -1 : 1),
    );
  const known = namings.flatMap(({ isPlace }) => (isPlace === undefined ? [] : [isPlace]));
  const wrote = new Set(namings.flatMap(({ documentId }) => documentId ?? []));
  const person: Person = {
    key,
    name: spelled[0]!.name,
    isPlace: known.length > 0 && known.every(Boolean),
    facts: namings.reduce((sum, { fact }) => sum + (fact?.facts ?? 0), 0),
    documents: wrote.size,
    documentIds: [...wrote],
  };
  return { person, namings, also: spelled.slice(1).map(({ name }) => name) };
}

async function readEntries(services: Services, scope: ReportScope, document?: Id): Promise<readonly Entry[]> {
  const namings = await readNamings(services, scope, document);
  return [...groupedBy(namings, ({ name }) => plainName(name))].map(([plain, same]) =>
    entryOf(personKey(services, scope, plain), same),
  );
}

/** The people whom facts name, without further queries: how much else is theirs is not counted. */
export function peopleOf(services: Services, scope: ReportScope, facts: readonly StoredFact[]): readonly Person[] {
  const fields = namingFields(services.models().all, factTables(services.models()));
  const namings = facts.flatMap(({ model, values }) =>
    fields
      .filter(({ plan }) => plan.model === model)
      .map(({ columns, isPlace }): Naming => ({
        name: columns.flatMap(({ name }) => String(values[name] ?? '') || []).join(' '),
        isPlace,
      })),
  );
  const named = namings.filter(({ name }) => plainName(name) !== '');
  return [...groupedBy(named, ({ name }) => plainName(name))].map(
    ([plain, same]) => entryOf(personKey(services, scope, plain), same).person,
  );
}

function matchesName({ person, also }: Entry, q: string): boolean {
  const said = [person.name, ...also].map(foldedText).join(' ');
  const words = q.split(/\s+/).filter(Boolean).map(foldedForms);
  return words.length > 0 && words.every((forms) => forms.some((form) => said.includes(form)));
}

/** The people of a scope, sorted by name; with `q` those whose name holds its words, with `document` those of one. */
export async function readPeople({
  params,
  query: { q, document },
  services,
}: Call<InScope, PeopleQuery>): Promise<readonly Person[]> {
  // A document names its people, whatever newer ones say.
  const scope =
    document === undefined
      ? (await openScope(services, params, { status: 'active' }, documentsScopeOf)).scope
      : await documentsScopeOf(services, params);
  const entries = await readEntries(services, scope, document);
  return entries
    .filter((entry) => q === undefined || matchesName(entry, q))
    .map(({ person }) => person)
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** For each table, the facts that say a name, or in which one is nested that does. */
function tablesNaming(services: Services, scope: ReportScope, said: readonly SaidName[]): readonly Dated[] {
  const models = services.models();
  const { dialect } = services.database;
  const tables = factTables(models);
  const conditions = new Map<string, Condition[]>();
  for (const name of said) {
    const { model, plan } = name.field;
    const shown = model.name === VISIT ? VISIT : (model.parent?.model ?? model.name);
    const own = shown === model.name ? saysName(dialect, name) : nestedSays(dialect, scope, plan.table, name);
    conditions.set(shown, [...(conditions.get(shown) ?? []), own]);
  }
  return [...conditions].flatMap(([name, several]): readonly Dated[] => {
    const [model, plan] = [models.find(name), tables.get(name)];
    return model && plan
      ? [{ plan, date: dateColumn(model), where: anyOf(several), isNested: model.name === VISIT }]
      : [];
  });
}

function nestedSays(dialect: Dialect, { recordId }: ReportScope, table: string, name: SaidName): Condition {
  const { text, values } = saysName(dialect, name, 'nested');
  return {
    text: `fact._id in (select nested._parent_id from \`${table}\` as nested where nested._record_id = ? and ${text})`,
    values: [recordId, ...values],
  };
}

/** @throws AppError not_found for a key of nobody whom this scope names */
export async function readPerson({ params, services }: Call<InScope>): Promise<PersonView> {
  const { reads, dialect } = services.database;
  const scope = (await openScope(services, params, { status: 'active' }, documentsScopeOf)).scope;
  const entry = (await readEntries(services, scope)).find(({ person }) => person.key === params['PERSON_KEY']);
  if (!entry) {
    throw errors.notFound('person');
  }
  const ids = [...new Set(entry.namings.flatMap(({ documentId }) => documentId ?? []))];
  const said = entry.namings.flatMap(({ fact }) => fact ?? []).slice(0, MOST_SHOWN);
  const tables = factTables(services.models());
  const dated = tablesNaming(services, scope, said);
  const [did, documents] = await Promise.all([
    readTimeline(reads.long, dialect, tables, scope, dated, { limit: MOST_SHOWN }),
    ids.length === 0 ? [] : documentStore.findDocuments(reads, scope, ids.slice(0, MOST_SHOWN)),
  ]);
  return {
    ...entry.person,
    also: entry.also,
    did: did.rows.map((fact) => ({ ...sdmj(services, fact), __id__: fact.id })),
    wrote: documents.map(({ id, type, label, about, createdAt }) => ({ id, type, label, about, createdAt })),
    all: !did.more && ids.length <= MOST_SHOWN,
  };
}

/** visits: the encounters that documents tell of, and what belongs to one of them. */
import { errors } from '../../core/base/errors';
import { offsetAt } from '../../core/base/time-zones';
import type { Id } from '../../core/base/types';
import { allOf, ALWAYS, anyOf, marks, type Condition } from '../../core/db/condition';
import type { ReportScope } from '../../core/sharing/containment';
import type { StoredFact } from '../../core/facts/plans';
import type { SentDocument } from '../../core/facts/sent';
import { statementsNaming } from '../../core/documents/encounters-store';
import type { KnownDocument } from '../../core/documents/store';
import * as documentStore from '../../core/documents/store';
import { NOT_NESTED } from '../../core/facts/facts-across';
import { factTables } from '../../core/facts/model/fact-tables';
import { knownPart } from '../../core/facts/model/dates';
import { dateColumn } from '../../core/facts/model/table-plan';
import { isPrecision } from '../../core/facts/partial-dates';
import { readTimeline, type Dated } from '../../core/facts/timeline';
import { openPlace, type Pages, type Seeking } from '../../core/http/places';
import type { Call } from '../../core/http/route';
import { readSaidIn, toldOf } from '../../core/records/current';
import type { Services } from '../../core/services';
import type { SdmjFact } from './narrowed';
import { peopleOf, type Person } from './people';
import { documentsScopeOf, openScope, type InScope } from './scope';
import { sdmj } from './series';
import { VISIT } from './visit-model';

export type Visits = {
  /** Newest first; each has `__id__`, by which its page is found. */ readonly facts: readonly SdmjFact[];
  readonly pages: Pages;
};

export type VisitView = {
  readonly visit: SdmjFact;
  /** What says that it belongs to this visit. */ readonly named: readonly SdmjFact[];
  /** What the same sender says of the same civil days. */ readonly sameDay: readonly SdmjFact[];
  /** False when there is more than is answered. */ readonly all: boolean;
  /** The doctor and the place of the visit. */ readonly people: readonly Person[];
  /** The documents of everything above. */ readonly documents: readonly KnownDocument[];
};

const MOST_OF_DAY = 200;
const MOST_NAMED = 200;
/** A stay that is longer than this has the days on which it begins only; such a visit is a programme, not a stay. */
const LONGEST_STAY = 31;
const DAY = 86_400_000;

function encounterOf(services: Services, where = ALWAYS): readonly Dated[] {
  const model = services.models().find(VISIT);
  const plan = factTables(services.models()).get(VISIT);
  return model && plan ? [{ plan, date: dateColumn(model), isNested: true, where }] : [];
}

function withId(services: Services, fact: StoredFact): SdmjFact {
  return { ...sdmj(services, fact), __id__: fact.id };
}

/** A page of visits, those nested in other facts included. */
export async function readVisits({ params, query, services }: Call<InScope, Seeking>): Promise<Visits> {
  const { reads, dialect } = services.database;
  const { scope } = await openScope(services, params, { status: 'active' }, documentsScopeOf);
  const list = ['visits', scope.recordId, scope.carenetId].join(' ');
  const { seek, pagesOf } = openPlace(services, list, query);
  const tables = factTables(services.models());
  const part = await readTimeline(reads.long, dialect, tables, scope, encounterOf(services), seek);
  return { facts: part.rows.map((fact) => withId(services, fact)), pages: pagesOf(part) };
}

/** The day of a date by the clock of its source, or by those of the zone; undefined where no day is known. */
function civilDay({ values, partialDates }: StoredFact, column: string, zone: string): string | undefined {
  const [stored, how] = [values[column], partialDates?.[column]];
  if (typeof stored !== 'string' || stored === '' || isPrecision(how)) {
    return undefined;
  }
  if (how !== undefined) {
    return knownPart(stored, how).slice(0, 10);
  }
  const moment = Date.parse(stored);
  const isDay = stored.length <= 10 || stored.slice(11, 19) === '00:00:00';
  return isDay ? stored.slice(0, 10) : new Date(moment + offsetAt(zone, moment)).toISOString().slice(0, 10);
}

/** The first and the last day of a visit; undefined where its day is not known. */
function daysOf(visit: StoredFact, zone: string): { readonly from: string; readonly to: string } | undefined {
  const [start, end] = ['startDate', 'endDate'].map((column) => civilDay(visit, column, zone));
  const from = start ?? end;
  if (from === undefined) {
    return undefined;
  }
  const days = end === undefined ? 0 : (Date.parse(end) - Date.parse(from)) / DAY;
  return { from, to: end !== undefined && days > 0 && days <= LONGEST_STAY ? end : from };
}

/** Whether two facts say the same of a visit. */
function isSame(one: StoredFact, other: StoredFact): boolean {
  return one.model === other.model && JSON.stringify(one.values) === JSON.stringify(other.values);
}

type Reading = {
  readonly services: Services;
  readonly scope: ReportScope;
  readonly documents: readonly SentDocument[];
  readonly zone: string;
};

async function findVisit({ services, scope }: Reading, id: Id): Promise<StoredFact> {
  const { reads, dialect } = services.database;
  const found = encounterOf(services, { text: 'fact._id = ?', values: [id] });
  const tables = factTables(services.models());
  const { rows } = await readTimeline(reads.long, dialect, tables, scope, found, { limit: 1 });
  if (!rows[0]) {
    throw errors.notFound('visit');
  }
  return rows[0];
}

/** Facts of all models that meet the condition, the newest first; visits are among them. */
async function readAllVisits(
  { services, scope, zone }: Reading,
  where: Condition,
  days: { readonly from?: string; readonly to?: string },
  limit: number,
): Promise<readonly StoredFact[]> {
  const { reads, dialect } = services.database;
  const models = services.models();
  const tables = factTables(models);
  const dated = models.all
    .filter(({ builtin, parent, name }) => !builtin && (!parent || name === VISIT))
    .map((model): Dated => ({
      plan: tables.get(model.name)!,
      date: dateColumn(model),
      where,
      isNested: model.name === VISIT,
    }));
  const query = { ...days, zone, limit };
  return (await readTimeline(reads.long, dialect, tables, scope, dated, query)).rows;
}

/** Who sent a document, as it says itself: an id, or the name of who keeps it; empty where it does not say. */
type Sender = { readonly id: string; readonly name: string };

function plain(name = ''): string {
  return name.trim().toLowerCase();
}

export function senderOf(
  documents: readonly SentDocument[],
  { id, about }: Pick<KnownDocument, 'id' | 'about'>,
): Sender {
  return {
    id: documents.find(({ documentId }) => documentId === id)?.source.sender ?? '',
    name: about?.from ?? '',
  };
}

function isSameSender(one: Sender, other: Sender): boolean {
  return (one.id !== '' && one.id === other.id) || (plain(one.name) !== '' && plain(one.name) === plain(other.name));
}

/** The condition that a fact is of this document, or of one that may be of the same sender. */
function ofSender({ recordId }: ReportScope, { id, name }: Sender, documentId: Id): Condition {
  const inDocuments = (table: string, column: string, said: string, value: string): Condition => ({
    text: `fact._document_id in (select ${column} from ${table} where record_id = ? and instr(${said}, ?) > 0)`,
    values: [recordId, value],
  });
  return anyOf([
    { text: 'fact._document_id = ?', values: [documentId] },
    ...(id === '' ? [] : [inDocuments('sent_document', 'document_id', 'source', `"sender":${JSON.stringify(id)}`)]),
    ...(name === '' ? [] : [inDocuments('document', 'id', 'about', `"from":${JSON.stringify(name)}`)]),
  ]);
}

/** What the sender of a visit, or may be the sender, says of its days. */
async function readDays(reading: Reading, visit: StoredFact): Promise<readonly StoredFact[]> {
  const days = daysOf(visit, reading.zone);
  if (!days) {
    return [visit];
  }
  const own = await readDocuments(reading, [visit.documentId]);
  const sender = own[0] ? senderOf(reading.documents, own[0]) : { id: '', name: '' };
  return readAllVisits(reading, ofSender(reading.scope, sender, visit.documentId), days, MOST_OF_DAY);
}

async function readDocuments({ services, scope }: Reading, ids: Iterable<Id>): Promise<readonly KnownDocument[]> {
  const rows = await documentStore.findDocuments(services.database.reads, scope, [...new Set(ids)]);
  return rows.map(({ id, type, label, about, createdAt }) => ({ id, type, label, about, createdAt }));
}

/** Facts in which one of the visits is nested, and those of resources that name it. */
async function readNamed(reading: Reading, visits: readonly StoredFact[]): Promise<readonly StoredFact[]> {
  const { services, scope } = reading;
  const statements = [...new Set(visits.map(({ statementId }) => statementId))];
  const naming = await statementsNaming(services.database.reads, scope.recordId, statements);
  const parents = visits.flatMap(({ parentId }) => parentId ?? []);
  const named = [
    ['fact._id', parents],
    ['fact._statement', naming],
  ] as const;
  const conditions = named
    .filter(([, ids]) => ids.length > 0)
    .map(([column, ids]) => ({ text: `${column} in (${marks(ids)})`, values: ids }));
  return conditions.length === 0
    ? []
    : readAllVisits(reading, allOf([anyOf(conditions), { text: NOT_NESTED, values: [] }]), {}, MOST_NAMED);
}

/** Whether a fact says that it belongs to another visit. */
function isOfOther(fact: StoredFact, visit: StoredFact): boolean {
  const nested = Object.values(fact.children)
    .flatMap((one) => one ?? [])
    .filter(({ model }) => model === VISIT);
  return nested.length > 0 && !nested.some((one) => isSame(one, visit));
}

/** @throws AppError not_found */
export async function readVisit({
  params,
  query: { zone = 'UTC' },
  services,
}: Call<InScope, { readonly zone?: string }>): Promise<VisitView> {
  const reading: Reading = {
    services,
    zone,
    ...(await openScope(services, params, { status: 'active' }, documentsScopeOf)),
  };
  const visit = await findVisit(reading, params['VISIT_ID'] ?? '');
  const ofDays = await readDays(reading, visit);
  const same = [visit, ...ofDays.filter((fact) => isSame(fact, visit))];
  const named = (await readNamed(reading, same)).filter(({ model }) => model !== VISIT);
  const known = new Set(named.map(({ id }) => id));
  const others = ofDays.filter((fact) => fact.model !== VISIT && !known.has(fact.id) && !isOfOther(fact, visit));
  const saidIn = await readSaidIn(services, reading.scope, [...named, ...others]);
  const ids = [...same, ...named, ...others].map(({ documentId }) => documentId);
  const documents = await readDocuments(reading, [...ids, ...[...saidIn.values()].flat()]);
  const senders = new Map(documents.map((document) => [document.id, senderOf(reading.documents, document)]));
  const sender = senders.get(visit.documentId);
  const isOfSender = ({ documentId }: StoredFact): boolean => {
    const other = senders.get(documentId);
    return documentId === visit.documentId || (!!sender && !!other && isSameSender(sender, other));
  };
  const sameDay = others.filter(isOfSender);
  const told = new Set([...same, ...named, ...sameDay].map(({ documentId }) => documentId));
  const factOf = (fact: StoredFact): SdmjFact => ({ ...withId(services, fact), ...toldOf(fact, saidIn) });
  return {
    visit: withId(services, visit),
    named: named.map(factOf),
    sameDay: sameDay.map(factOf),
    all: ofDays.length < MOST_OF_DAY && named.length < MOST_NAMED,
    people: peopleOf(services, reading.scope, [visit]),
    documents: documents.filter(({ id }) => told.has(id)),
  };
}

/**
 * find: searches documents by words, tells what each of them contains, and reads one document with its facts and its
 * history.
 */
import { effectiveId } from '../../core/auth/principal';
import type { DocumentStatus, Json } from '../../core/base/types';
import { factTables } from '../../core/facts/model/fact-tables';
import { replacedDocuments } from '../../core/lines/newer';
import * as sentStore from '../../core/facts/sent-store';
import { readCurrentScope } from '../../core/records/current';
import { requireShown } from '../../core/records/read-documents';
import { requireCarenet } from '../../core/records/require';
import { searchWords } from '../../core/records/search-words';
import type { InRecord, InRecordDocument } from '../../core/http/inputs';
import { openPlace, type Pages, type Seeking } from '../../core/http/places';
import type { StoredContent } from '../../core/http/replies';
import type { Call } from '../../core/http/route';
import { toSdmj } from '../../core/reports/sdm';
import type { Services } from '../../core/services';
import { NOT_NESTED, readAcross, saidIn, withNested, type CountedIn } from '../../core/facts/facts-across';
import { dateColumn } from '../../core/facts/model/table-plan';
import { findByTexts, findPages, OWN_TEXT } from '../../core/documents/texts-store';
import { foldedForms } from '../../core/base/words/folded-text';
import { quoteIn, type Quote } from '../../core/files/folded-words';
import { findByWords } from '../../core/documents/search-store';
import type { DatabaseReads } from '../../core/db/database';
import type { Dialect } from '../../core/db/dialect';
import type { TablePlan } from '../../core/facts/plans';
import type { DocumentRow, DocumentScope, NamedChange } from '../../core/documents/store';
import { keysOf, type DocumentKey } from './document-keys';
import { leftByPeople, type LeftByPeople } from './left-out/left-out';
import type { RelationType } from '../../core/documents/relations-store';
import { seekHolders, type Holder } from '../../core/sharing/overview-store';
import type { Narrative } from '../../core/xml/narrative';
import * as documentStore from '../../core/documents/store';

/** A model of which a document has facts, their number, and the first of them as SDMJ. */
type Content = { readonly model: string; readonly count: number; readonly first: Json };
/** A place in a file that says a word of a search. */
type FileQuote = Quote & {
  readonly page: number;
  /** Whether a machine has read it from a picture. */ readonly byMachine: boolean;
};
export type FoundDocument = DocumentRow & { readonly contents: readonly Content[]; readonly quote?: FileQuote };
type RelatedDocument = FoundDocument & { readonly relation: RelationType };
export type FoundDocuments = {
  readonly total: number;
  readonly documents: readonly FoundDocument[];
  /** In place of documents, where only keys were asked for. */ readonly keys: readonly DocumentKey[];
  readonly pages: Pages;
};

/** A document with its first facts of each model and the facts that are nested in them, as SDMJ. */
export type ReadDocument = {
  readonly document: DocumentRow;
  /** `record_document_narrative` answers a text for it. */ readonly hasNarrative: boolean;
  /** Documents that relate to it, such as annotations. */ readonly notes: readonly RelatedDocument[];
  readonly notePages: Pages;
  /** Documents to which it relates. */ readonly about: readonly RelatedDocument[];
  readonly aboutPages: Pages;
  readonly says: readonly { readonly model: string; readonly count: number; readonly facts: readonly Json[] }[];
  /** What people left out of it. */ readonly leftByPeople: LeftByPeople;
  /** The document as it was stored, when it has no facts. */ readonly written: StoredContent | undefined;
  /** The newer document that takes its place, as its sender says. */ readonly replacedBy: string | undefined;
  /** Documents in which its sender says something newer about the same, and about how many statements of this one. */
  readonly newer: readonly NewerDocument[];
};

type NewerDocument = { readonly id: string; readonly count: number; readonly createdAt: string };

export type InScope = Readonly<Record<string, string>>;

export async function scopeOf(
  services: Services,
  { RECORD_ID: recordId, CARENET_ID = '' }: InScope,
): Promise<DocumentScope> {
  return recordId === undefined
    ? { recordId: (await requireCarenet(services, CARENET_ID)).recordId, carenetId: CARENET_ID }
    : { recordId };
}

/** A visit stands alone in a document of its own, and nested in what belongs to it. */
const VISIT = 'Encounter';

/** Tables of the models that are not nested in others, or not always, with the columns of their dates. */
function datedTables({ models }: Services): readonly CountedIn[] {
  const tables = factTables(models());
  return models()
    .all.filter(({ name, parent }) => !parent || name === VISIT)
    .flatMap((model) => {
      const plan = tables.get(model.name);
      return plan ? [{ plan, date: dateColumn(model) }] : [];
    });
}

function topTables(services: Services): readonly TablePlan[] {
  return datedTables(services).map(({ plan }) => plan);
}

async function contentsOf(
  services: Services,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Content[]>> {
  const { database } = services;
  const said = await saidIn(database.reads, topTables(services), documentIds);
  const plans = [...new Set(said.map(({ plan }) => plan))];
  const firsts = await readAcross(
    database.reads,
    database.dialect,
    plans.map((plan) => {
      const seqs = said.filter((one) => one.plan === plan).map(({ first }) => first);
      return { plan, where: `fact._seq in (${seqs.map(() => '?').join(', ')})`, values: seqs, limit: seqs.length };
    }),
  );
  const found = new Map(firsts.map((fact) => [`${fact.model} ${fact.seq}`, fact]));
  const contents = new Map<string, Content[]>();
  for (const { documentId, plan, count, first } of said) {
    const fact = found.get(`${plan.model} ${first}`);
    const list = contents.get(documentId) ?? [];
    contents.set(documentId, list);
    if (fact) {
      list.push({ model: plan.model, count, first: toSdmj(services.models(), fact) });
    }
  }
  return contents;
}

export type FindQuery = Seeking & {
  readonly q?: string;
  readonly language: string;
  /** The time zone of the days that are searched for; absent: UTC. */
  readonly zone?: string;
  readonly status: DocumentStatus;
  /** A tag as a whole; a carenet shows none. */ readonly tag?: string;
  /** Whether the words of files count, too. */ readonly texts?: boolean;
  /** Whether a door wants all of them at once, to put them into another order: whole, or their keys in their place. */
  readonly all?: boolean;
  readonly keys?: boolean;
  /** Only these, with commas between them; no words are then looked for. */ readonly ids?: string;
};

/** The most documents that are put into another order, those that were added last. */
const MOST_ORDERED = 2000;

/** The places in the files of found documents that say one of the words. */
async function quotesOf(
  { database, contents }: Services,
  recordId: string,
  ids: readonly string[],
  words: readonly string[],
  inFiles: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, { readonly quote: FileQuote }>> {
  const saying = ids.filter((id) => inFiles.some((found) => found.includes(id)));
  const pages = saying.length === 0 ? undefined : await findPages(database.reads, contents, recordId, saying);
  const quotes = new Map<string, { readonly quote: FileQuote }>();
  for (const [id, texts] of pages ?? []) {
    for (const { page, text, byMachine } of texts) {
      const quote = quoteIn(text, words);
      if (quote) {
        quotes.set(id, { quote: { ...quote, page: page === OWN_TEXT ? 1 : page, byMachine } });
        break;
      }
    }
  }
  return quotes;
}

type Found = {
  readonly rows: readonly DocumentRow[];
  readonly total: number;
  readonly pages: Pages;
  readonly folded: readonly string[];
  readonly inFiles: readonly (readonly string[])[];
};

/** The rows of the latest versions in which every word of `q` is found, the newest first. */
async function findRows(services: Services, scope: DocumentScope, query: FindQuery): Promise<Found> {
  const { q = '', language, zone = 'UTC', status, tag, texts = false, all = false } = query;
  const { reads, dialect } = services.database;
  const models = services.models();
  const list = ['documents', scope.recordId, scope.carenetId, status].join(' ');
  const { seek, pagesOf } = openPlace(services, list, all ? { limit: MOST_ORDERED } : query);
  const words = searchWords(q, language, zone, models);
  const forms = words.map(({ text }) => foldedForms(text));
  const inFiles =
    texts && words.length > 0 ? await findByTexts(reads.long, services.contents, scope, status, forms) : [];
  const { part, total } = await findByWords(reads.long, dialect, factTables(models), scope, {
    words,
    inFiles,
    status,
    ...(tag === undefined || scope.carenetId !== undefined ? {} : { tag }),
    ...seek,
  });
  return { rows: part.rows, total, pages: pagesOf(part), folded: forms.flat(), inFiles };
}

/** The named documents as far as the scope has them with this status. */
async function findByIds(services: Services, scope: DocumentScope, { ids = '', status }: FindQuery): Promise<Found> {
  const named = [...new Set(ids.split(',').filter(Boolean))].slice(0, MOST_ORDERED);
  const found = await documentStore.findDocuments(services.database.reads, scope, named);
  const rows = found.filter((row) => row.status === status && !row.undone && row.id === row.latest.id);
  return { rows, total: rows.length, pages: { before: 0 }, folded: [], inFiles: [] };
}

/** A page of the latest versions in which every word of `q` is found, the newest first, with what they contain. */
export async function findDocuments({ params, query, services }: Call<InScope, FindQuery>): Promise<FoundDocuments> {
  const { reads, dialect } = services.database;
  const scope = await scopeOf(services, params);
  const { rows, total, pages, folded, inFiles } = await (query.ids === undefined ? findRows : findByIds)(
    services,
    scope,
    query,
  );
  if (query.keys === true) {
    const keys = await keysOf(reads, dialect, datedTables(services), scope.recordId, rows);
    return { total, documents: [], keys, pages };
  }
  const ids = rows.map(({ id }) => id);
  const contents = await contentsOf(services, ids);
  const quotes = await quotesOf(services, scope.recordId, ids, folded, inFiles);
  return {
    total,
    documents: rows.map((row) => ({ ...row, contents: contents.get(row.id) ?? [], ...quotes.get(row.id) })),
    keys: [],
    pages,
  };
}

export type ListedQuery = { readonly ids: string };

/** The named documents as far as the record has them, in no order, with what they contain. */
export async function listFoundDocuments({
  params,
  query,
  services,
}: Call<InRecord, ListedQuery>): Promise<readonly FoundDocument[]> {
  const { database } = services;
  const ids = [...new Set(query.ids.split(',').filter(Boolean))];
  const rows = await documentStore.findDocuments(database.reads, { recordId: params.RECORD_ID }, ids);
  const contents = await contentsOf(
    services,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, contents: contents.get(row.id) ?? [] }));
}

/** The most facts of each model that are shown of one document. */
const MOST_FACTS = 100;

/** `notes`, `about`: the places where these lists begin; `limit`: how many entries of each are shown. */
export type ReadQuery = {
  readonly limit: number;
  readonly notes?: string;
  readonly about?: string;
  /** The id of a fact that is shown, however many of its model stand before it. */ readonly fact?: string;
};

/**
 * The documents that relate to one, and those to which it relates; through a carenet only those that the carenet
 * contains.
 */
async function relativesOf(
  services: Services,
  scope: DocumentScope,
  { lineageId }: DocumentRow,
  query: ReadQuery,
): Promise<Pick<ReadDocument, 'notes' | 'notePages' | 'about' | 'aboutPages'>> {
  const { database } = services;
  const read = async (name: 'notes' | 'about') => {
    const list = [name, lineageId, scope.carenetId].join(' ');
    const { seek, pagesOf } = openPlace(services, list, { limit: query.limit, place: query[name] });
    const side = name === 'notes' ? 'from' : 'about';
    const part = await documentStore.seekRelatives(database.reads, scope, lineageId, side, seek);
    return { rows: part.rows, pages: pagesOf(part) };
  };
  const [notes, about] = await Promise.all([read('notes'), read('about')]);
  const both = [...notes.rows, ...about.rows];
  const contents =
    both.length === 0
      ? new Map<string, readonly Content[]>()
      : await contentsOf(
          services,
          both.map(({ document }) => document.id),
        );
  const shown = ({ type, document }: (typeof both)[number]): RelatedDocument => ({
    ...document,
    relation: type,
    contents: contents.get(document.id) ?? [],
  });
  return {
    notes: notes.rows.map(shown),
    notePages: notes.pages,
    about: about.rows.map(shown),
    aboutPages: about.pages,
  };
}

/** What newer documents of its sender say in the place of this one. */
async function newerOf(
  services: Services,
  all: DocumentScope,
  documentId: string,
): Promise<Pick<ReadDocument, 'replacedBy' | 'newer'>> {
  const { database } = services;
  const { scope, documents } = await readCurrentScope(services, all);
  const replacedBy = replacedDocuments(documents).get(documentId);
  const counts = await sentStore.countNewer(database.reads, scope, documentId);
  const rows = counts.size === 0 ? [] : await documentStore.findDocuments(database.reads, all, [...counts.keys()]);
  const newer = rows.map(({ id, createdAt }) => ({ id, count: counts.get(id) ?? 0, createdAt }));
  return { replacedBy, newer: replacedBy === undefined ? newer : [] };
}

/** The first facts of each model that a document says, and the one that was asked for, if it is none of them. */
async function factsShown(
  reads: DatabaseReads,
  dialect: Dialect,
  said: readonly { readonly plan: TablePlan; readonly count: number }[],
  documentId: string,
  asked: string | undefined,
) {
  const where = `fact._document_id = ? and ${NOT_NESTED}`;
  const first = await readAcross(
    reads,
    dialect,
    said.map(({ plan }) => ({ plan, where, values: [documentId], limit: MOST_FACTS })),
  );
  const long = said.filter(({ count }) => count > MOST_FACTS);
  if (asked === undefined || long.length === 0 || first.some(({ id }) => id === asked)) {
    return first;
  }
  const other = await readAcross(
    reads,
    dialect,
    long.map(({ plan }) => ({ plan, where: `${where} and fact._id = ?`, values: [documentId, asked], limit: 1 })),
  );
  return [...first, ...other];
}

/**
 * A document with its facts, by model. Only the latest version has facts. 404 when the record or carenet has no such
 * document.
 */
export async function readDocument({ params, query, services }: Call<InScope, ReadQuery>): Promise<ReadDocument> {
  const { reads, dialect } = services.database;
  const models = services.models();
  const scope = await scopeOf(services, params);
  const row = await requireShown(services, scope, params['DOCUMENT_ID'] ?? '');
  const said = await saidIn(reads, topTables(services), row.id === row.latest.id ? [row.id] : []);
  const facts = await factsShown(reads, dialect, said, row.id, query.fact);
  const whole = await withNested(reads, dialect, factTables(models), facts);
  return {
    document: row,
    hasNarrative: hasNarrative(services, row.type),
    ...(await relativesOf(services, scope, row, query)),
    ...(await newerOf(services, scope, row.id)),
    leftByPeople: await leftByPeople(services, row),
    written: said.length > 0 ? undefined : await documentStore.findContent(reads, services.contents, scope, row.id),
    says: said.map(({ plan, count }) => ({
      model: plan.model,
      count,
      facts: whole
        .filter(({ model }) => model === plan.model)
        .map((fact) => Object.assign({}, toSdmj(models, fact), { __id__: fact.id })),
    })),
  };
}

function hasNarrative({ reader }: Services, type: string): boolean {
  return (reader.entries.find(type)?.narrative ?? null) !== null;
}

/** The text that a document has for people, in its own words. */
export type NarratedDocument = { readonly document: DocumentRow; readonly narrative: Narrative };

const NO_TEXT: Narrative = { sections: [], cut: false };

/**
 * The text of a document for people; no sections when its format has none.
 * @throws AppError not_found; what the reader throws for a document that its format can no longer read
 */
export async function readNarrative({ params, principal, services }: Call<InScope>): Promise<NarratedDocument> {
  const scope = await scopeOf(services, params);
  const document = await requireShown(services, scope, params['DOCUMENT_ID'] ?? '');
  if (!hasNarrative(services, document.type)) {
    return { document, narrative: NO_TEXT };
  }
  const stored = await documentStore.findContent(services.database.reads, services.contents, scope, document.id);
  const narrative = stored
    ? await services.reader.narrative(stored.content, effectiveId(principal) ?? undefined)
    : NO_TEXT;
  return { document, narrative };
}

/**
 * The history of a document: its versions and the changes of its status, the newest first, and the carenets that
 * contain it.
 */
export type DocumentHistory = {
  readonly versions: readonly DocumentRow[];
  readonly versionCount: number;
  /** The number of the first version in `versions`; the oldest version has number 1. */ readonly firstVersion: number;
  readonly versionPages: Pages;
  readonly changes: readonly NamedChange[];
  readonly changePages: Pages;
  readonly carenets: readonly Holder[];
  readonly carenetPages: Pages;
};

/**
 * `versions`, `changes`, `carenets`: the places where these lists begin; `limit`: how many entries of each are shown.
 */
export type HistoryQuery = {
  readonly limit: number;
  readonly versions?: string;
  readonly changes?: string;
  readonly carenets?: string;
};

/** 404 when the record has no such document. */
export async function readHistory({
  params,
  query: { limit, ...places },
  services,
}: Call<InRecordDocument, HistoryQuery>): Promise<DocumentHistory> {
  const { database } = services;
  const { lineageId } = await requireShown(services, { recordId: params.RECORD_ID }, params.DOCUMENT_ID);
  const opened = (name: 'versions' | 'changes' | 'carenets') =>
    openPlace(services, `${name} ${lineageId}`, { limit, place: places[name] });
  const [ofVersions, ofChanges, ofCarenets] = [opened('versions'), opened('changes'), opened('carenets')];
  const [versions, changes, carenets] = await Promise.all([
    documentStore.seekVersions(database.reads, lineageId, ofVersions.seek),
    documentStore.namedHistory(database.reads, lineageId, ofChanges.seek),
    seekHolders(database.reads, lineageId, ofCarenets.seek),
  ]);
  const { place, total } = await documentStore.placeOfVersion(database.reads, lineageId, versions.rows[0]?.id);
  return {
    versions: versions.rows,
    versionCount: total,
    firstVersion: place,
    versionPages: ofVersions.pagesOf(versions),
    changes: changes.rows,
    changePages: ofChanges.pagesOf(changes),
    carenets: carenets.rows,
    carenetPages: ofCarenets.pagesOf(carenets),
  };
}

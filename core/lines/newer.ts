/**
 * newer: which documents and statements of lists a newer document of the same sender takes the place of (pure). The
 * order of its inputs changes nothing.
 */
import { groupedBy } from '../base/grouped-by';
import type { Id } from '../base/types';
import type { ListedStatement, SentDocument, Source } from '../facts/sent';

function isFrom(one: Source, other: Source): boolean {
  return (one.sender ?? '').toLowerCase() === (other.sender ?? '').toLowerCase();
}

function spacedNames(text: string | undefined): readonly string[] {
  return (text ?? '').split(' ').filter(Boolean);
}

function versionOf({ version = '' }: Source): number {
  return /^\d{1,9}$/.test(version) ? Number(version) : 0;
}

/** Documents that are versions of one document. One that only adds is no version of what it adds to. */
function setKey({ sender = '', set = '', adds = '' }: Source): string {
  return JSON.stringify([sender.toLowerCase(), set, adds !== '']);
}

/** Whether the first is a later version than the second. Equal numbers with equal dates are not told apart. */
function isLater({ source: one, said }: SentDocument, { source: other, said: before }: SentDocument): boolean {
  const [mine, its] = [versionOf(one), versionOf(other)];
  return mine > its || (mine === its && said > before && before !== '');
}

type Pair = { readonly newer: SentDocument; readonly older: SentDocument };

/** The latest version of each document, with every earlier one. */
function pairsOfVersions(documents: readonly SentDocument[]): readonly Pair[] {
  const sets = groupedBy(
    documents.filter(({ source }) => source.set !== undefined),
    ({ source }) => setKey(source),
  );
  return [...sets.values()].flatMap((set) => {
    const newer = set.reduce((last, one) => (isLater(one, last) ? one : last));
    return set.filter((older) => isLater(newer, older)).map((older) => ({ newer, older }));
  });
}

/** Documents that say which others they replace. None of these may be later. */
function replacing(documents: readonly SentDocument[]): readonly Pair[] {
  const named = documents.flatMap((document) => spacedNames(document.source.id).map((id) => ({ id, document })));
  const byId = groupedBy(named, ({ id }) => id);
  return documents.flatMap((newer) =>
    spacedNames(newer.source.replaces)
      .flatMap((id) => byId.get(id) ?? [])
      .map(({ document }) => document)
      .filter((older) => older !== newer && isFrom(newer.source, older.source))
      .filter(({ said }) => said === '' || newer.said === '' || newer.said >= said)
      .map((older) => ({ newer, older })),
  );
}

/**
 * The documents that newer ones of their senders replace, each with one that does. Documents that replace each other in
 * a circle all stay, because nobody can tell which of them counts.
 */
export function replacedDocuments(documents: readonly SentDocument[]): ReadonlyMap<Id, Id> {
  const sorted = [...documents].sort((one, other) => (one.documentId < other.documentId ? -1 : 1));
  const pairs = [...pairsOfVersions(sorted), ...replacing(sorted)];
  const olderOf = groupedBy(pairs, ({ newer }) => newer.documentId);
  const replaced = new Set(pairs.map(({ older }) => older.documentId));
  const found = new Map<Id, Id>();
  const open = sorted.map(({ documentId }) => documentId).filter((id) => !replaced.has(id));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { older } of olderOf.get(next) ?? []) {
      if (!found.has(older.documentId)) {
        found.set(older.documentId, next);
        open.push(older.documentId);
      }
    }
  }
  return found;
}

/** The newer list in which a statement is missing. */
export type Missing = { readonly documentId: Id; readonly date: string };

/** A sender's lists of one kind: what is compared are whole lists in documents of the same kind. */
function listKey({ sender = '', kind = '' }: Source, model: string): string {
  return JSON.stringify([sender.toLowerCase(), kind, model]);
}

function newestLists(documents: readonly SentDocument[]): ReadonlyMap<string, readonly SentDocument[]> {
  const lists = documents
    .filter(({ source, said }) => said !== '' && source.sender !== undefined && source.adds === undefined)
    .flatMap((document) => spacedNames(document.source.lists).map((model) => ({ document, model })));
  const groups = groupedBy(lists, ({ document, model }) => listKey(document.source, model));
  return new Map(
    [...groups].map(([key, group]) => {
      const newest = group.reduce((last, { document }) => (document.said > last ? document.said : last), '');
      return [key, group.filter(({ document }) => document.said === newest).map(({ document }) => document)];
    }),
  );
}

/**
 * The statements that the newest list of their sender does not have any more. This ends none of them: a sender may have
 * forgotten one.
 */
export function missingFromNewer(
  documents: readonly SentDocument[],
  statements: readonly ListedStatement[],
): ReadonlyMap<Id, Missing> {
  const replaced = replacedDocuments(documents);
  const own = new Map(documents.map((document) => [document.documentId, document]));
  const newest = newestLists(documents.filter(({ documentId }) => !replaced.has(documentId)));
  const names = groupedBy(statements, ({ documentId, model }) => `${documentId} ${model}`);
  const has = (list: SentDocument, { model, name }: ListedStatement): boolean =>
    (names.get(`${list.documentId} ${model}`) ?? []).some((other) => other.name === name);
  const found = new Map<Id, Missing>();
  for (const statement of statements) {
    const document = own.get(statement.documentId);
    const lists = (document && newest.get(listKey(document.source, statement.model))) ?? [];
    const [list] = lists;
    if (document && list && document.said < list.said && !lists.some((one) => has(one, statement))) {
      found.set(statement.statementId, { documentId: list.documentId, date: list.source.date ?? '' });
    }
  }
  return found;
}

/** The date of the last newer list, if each of these statements is missing in one; undefined otherwise. */
export function missingSince(statements: readonly Id[], missing: ReadonlyMap<Id, Missing>): string | undefined {
  const dates = statements.map((id) => missing.get(id)?.date);
  return dates.length === 0 || dates.includes(undefined) ? undefined : dates.sort().at(-1);
}

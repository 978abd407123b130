/** document-references-store: documents with what a DocumentReference of FHIR says about them, by id or by conditions. */
import type { Knex } from 'knex';
import type { DocumentStatus, Id, Timestamp } from '../../../core/base/types';
import { foldedText } from '../../../core/base/words/folded-text';
import { storedAbout, type About } from '../../../core/facts/about';
import type { Dialect } from '../../../core/db/dialect';
import type { Builder } from '../../../core/db/builder';
import type { Reads } from '../../../core/db/connection';
import { allOf, anyOf, marks, NEVER, type Condition } from '../../../core/db/condition';
import { shownIn } from '../../../core/sharing/containment';
import { keptStatement } from '../../../core/db/kept-statement';
import { countRows } from '../../../core/db/page';
import { toNamedPrincipal, versions, type DocumentScope, type NamedPrincipal } from '../../../core/documents/store';

/** One version of a document with what follows from its lineage. */
export type ReferencedRow = {
  readonly seq: number;
  readonly id: Id;
  readonly recordId: Id;
  readonly lineageId: Id;
  readonly type: string;
  readonly mediaType: string;
  readonly size: number;
  /** SHA-1 in hexadecimal; null for documents of releases before it was kept. */
  readonly sha1: string | null;
  readonly createdAt: Timestamp;
  readonly creator: NamedPrincipal;
  readonly proxy: NamedPrincipal | null;
  /** Null when read through a carenet, like the id of the first version. */
  readonly replacesId: Id | null;
  readonly replacedAt: Timestamp | null;
  readonly status: DocumentStatus;
  readonly label: string | null;
  /** The document's description of itself; null: it has none. */
  readonly about: About | null;
  /** Whether the record's Patient is made from this version. */
  readonly isDemographics: boolean;
  /** How many times the status changed since the version was stored, and when last. */
  readonly changes: number;
  readonly changedAt: Timestamp | null;
};

type Row = Record<
  'id' | 'record_id' | 'lineage_id' | 'type' | 'media_type' | 'created_at' | 'creator_id' | 'latest_id',
  string
> &
  Record<
    | 'sha1'
    | 'creator_name'
    | 'creator_kind'
    | 'proxy_id'
    | 'proxy_name'
    | 'proxy_kind'
    | 'replaces_id'
    | 'suppressed_at'
    | 'label'
    | 'about'
    | 'demographics_lineage_id'
    | 'changed_at',
    string | null
  > & { seq: number | string; size: number | string; status: DocumentStatus; changes: number | string };

/** Conditions on references name the columns of `document` and `lineage`. */
export type { Condition };

const COLUMNS = [
  'document.seq',
  'document.id',
  'document.record_id',
  'document.lineage_id',
  'document.type',
  'document.media_type',
  'document.size',
  'document.sha1',
  'document.created_at',
  'document.creator_id',
  'creator.name as creator_name',
  'creator.kind as creator_kind',
  'document.proxy_id',
  'proxy.name as proxy_name',
  'proxy.kind as proxy_kind',
  'document.replaces_id',
  'document.suppressed_at',
  'document.about',
  'lineage.status',
  'lineage.label',
  'lineage.latest_id',
  'record.demographics_lineage_id',
];

/** Changes of the status since the version was stored. */
function laterChanges(on: Builder): Knex.QueryBuilder {
  return on('document_status as later')
    .where('later.lineage_id', on.ref('lineage.id'))
    .where('later.changed_at', '>=', on.ref('document.created_at'));
}

/** Adds the columns of a row to a query of versions. */
function withColumns(on: Builder, query: Knex.QueryBuilder): Knex.QueryBuilder {
  return query
    .join('record', 'record.id', 'document.record_id')
    .leftJoin('principal as creator', 'creator.id', 'document.creator_id')
    .leftJoin('principal as proxy', 'proxy.id', 'document.proxy_id')
    .select(...COLUMNS, {
      changes: laterChanges(on).count(),
      changed_at: laterChanges(on).max('later.changed_at'),
    });
}

function toReference(row: Row, { carenetId }: DocumentScope): ReferencedRow {
  return {
    seq: Number(row.seq),
    id: row.id,
    recordId: row.record_id,
    lineageId: row.lineage_id,
    type: row.type,
    mediaType: row.media_type,
    size: Number(row.size),
    sha1: row.sha1,
    createdAt: row.created_at,
    creator: toNamedPrincipal(row.creator_id, row.creator_kind, row.creator_name),
    proxy: row.proxy_id === null ? null : toNamedPrincipal(row.proxy_id, row.proxy_kind, row.proxy_name),
    replacesId: carenetId === undefined ? row.replaces_id : null,
    replacedAt: row.suppressed_at,
    status: row.status,
    label: row.label,
    about: storedAbout(row.about),
    isDemographics: row.demographics_lineage_id === row.lineage_id && row.latest_id === row.id,
    changes: Number(row.changes),
    changedAt: row.changed_at,
  };
}

function inScope(query: Knex.QueryBuilder, { recordId, carenetId }: DocumentScope): Knex.QueryBuilder {
  const scoped = query.where('document.record_id', recordId).whereRaw('lineage.record_id = document.record_id');
  return carenetId === undefined ? scoped : shownIn(scoped, 'lineage', 'document', carenetId);
}

const readOfRecord = keptStatement<Row, readonly [documentId: Id, recordId: Id]>((on, documentId, recordId) =>
  inScope(withColumns(on, versions(on).where('document.id', documentId)), { recordId }),
);

const readOfCarenet = keptStatement<Row, readonly [documentId: Id, recordId: Id, carenetId: Id]>(
  (on, documentId, recordId, carenetId) =>
    inScope(withColumns(on, versions(on).where('document.id', documentId)), { recordId, carenetId }),
);

/** One version of any status; undefined when the scope does not hold it. */
export async function findReference(
  on: Reads,
  scope: DocumentScope,
  documentId: Id,
): Promise<ReferencedRow | undefined> {
  const { recordId, carenetId } = scope;
  const [row] = await (carenetId === undefined
    ? readOfRecord(on, documentId, recordId)
    : readOfCarenet(on, documentId, recordId, carenetId));
  return row && toReference(row, scope);
}

export type ReferenceQuery = {
  /** All of them must hold. */
  readonly conditions: readonly Condition[];
  readonly oldestFirst: boolean;
  /** The page begins after this `seq`. */
  readonly after: number | null;
  readonly limit: number;
};

/** Versions in a scope for which all conditions hold. */
function matchingDocuments(on: Reads, scope: DocumentScope, conditions: readonly Condition[]): Knex.QueryBuilder {
  const query = inScope(versions(on), scope);
  conditions.forEach(({ text, values }) => void query.whereRaw(`(${text})`, [...values]));
  return query;
}

/** One page. The keys come from a walk along the index of the record; the rows are read only for these keys. */
export async function listReferences(
  on: Reads,
  scope: DocumentScope,
  { conditions, oldestFirst, after, limit }: ReferenceQuery,
): Promise<readonly ReferencedRow[]> {
  const order = oldestFirst ? 'asc' : 'desc';
  const keys = matchingDocuments(on, scope, conditions)
    .orderBy('document.seq', order)
    .limit(limit)
    .select('document.seq');
  if (after !== null) {
    keys.where('document.seq', oldestFirst ? '>' : '<', after);
  }
  const page = on
    .from(keys.as('page'))
    .join('document', 'document.seq', 'page.seq')
    .join('document_lineage as lineage', 'lineage.id', 'document.lineage_id');
  const rows = (await withColumns(on, page).orderBy('document.seq', order)) as Row[];
  return rows.map((row) => toReference(row, scope));
}

/** When a version changed last, and its `seq`, which distinguishes versions that changed at the same time. */
export type ChangePlace = { readonly changed: Timestamp; readonly seq: number };

export type ChangeQuery = Omit<ReferenceQuery, 'after'> & {
  /** Later changes are ignored, so that no version moves while somebody reads page by page. */
  readonly asOf: Timestamp;
  readonly after: ChangePlace | null;
};

/** SQL for the time of the last change: when the version was stored or replaced, or when its status changed. */
function lastChange(asOf: Timestamp): Condition {
  const replaced = "case when state.replaced <= ? then state.replaced else '' end";
  return {
    text: `case when coalesce(state.marked, '') >= state.created and coalesce(state.marked, '') >= ${replaced}
      then state.marked when ${replaced} >= state.created then state.replaced else state.created end`,
    values: [asOf, asOf],
  };
}

type StateRow = Row & { readonly created: string; readonly replaced: string | null; readonly marked: string | null };

function changePlaceOf({ seq, created, replaced, marked }: StateRow, asOf: Timestamp): ChangePlace {
  return {
    changed: [created, marked ?? '', replaced !== null && replaced <= asOf ? replaced : ''].sort().at(-1)!,
    seq: Number(seq),
  };
}

function byPlace(a: ChangePlace, b: ChangePlace): number {
  if (a.changed === b.changed) {
    return a.seq - b.seq;
  }
  return a.changed < b.changed ? -1 : 1;
}

/** A page by the time of the last change. No index has that time, so all versions of the record are read and sorted. */
export async function listByChange(
  on: Reads,
  scope: DocumentScope,
  { conditions, oldestFirst, asOf, after, limit }: ChangeQuery,
): Promise<readonly (ReferencedRow & { readonly place: ChangePlace })[]> {
  const order = oldestFirst ? 'asc' : 'desc';
  const states = matchingDocuments(on, scope, conditions).select({
    seq: 'document.seq',
    created: 'document.created_at',
    replaced: 'document.suppressed_at',
    marked: laterChanges(on).where('later.changed_at', '<=', asOf).max('later.changed_at'),
  });
  const { text, values } = lastChange(asOf);
  const keys = on
    .from(states.as('state'))
    .select('state.seq', 'state.created', 'state.replaced', 'state.marked')
    .orderByRaw(`${text} ${order}, state.seq ${order}`, [...values])
    .limit(limit);
  if (after !== null) {
    const beyond = oldestFirst ? '>' : '<';
    keys.whereRaw(`(${text} ${beyond} ? or (${text} = ? and state.seq ${beyond} ?))`, [
      ...[...values, after.changed],
      ...[...values, after.changed, after.seq],
    ]);
  }
  const page = on
    .from(keys.as('page'))
    .join('document', 'document.seq', 'page.seq')
    .join('document_lineage as lineage', 'lineage.id', 'document.lineage_id')
    .select('page.created', 'page.replaced', 'page.marked');
  const rows = (await withColumns(on, page)) as StateRow[];
  const direction = oldestFirst ? 1 : -1;
  return rows
    .map((row) => ({ ...toReference(row, scope), place: changePlaceOf(row, asOf) }))
    .sort((a, b) => direction * byPlace(a.place, b.place));
}

export function countReferences(on: Reads, scope: DocumentScope, conditions: readonly Condition[]): Promise<number> {
  return countRows(matchingDocuments(on, scope, conditions));
}

/** Every change of the status of a lineage, the oldest first. */
export async function statusMarks(
  on: Reads,
  lineageId: Id,
): Promise<readonly { readonly status: DocumentStatus; readonly changedAt: Timestamp }[]> {
  return (await on('document_status').where('lineage_id', lineageId).orderBy('seq').select({
    status: 'status',
    changedAt: 'changed_at',
  })) as { status: DocumentStatus; changedAt: Timestamp }[];
}

/** A condition on one end of the time of care. `unsaid`: whether an open end meets it. */
export type CareWant = {
  readonly edge: 'startsFrom' | 'startsBefore' | 'endsBy' | 'endsAfter';
  readonly stamp: Timestamp;
  readonly unsaid: boolean;
};

const careEdges: Readonly<Record<CareWant['edge'], readonly [string, string]>> = {
  startsFrom: ['document.about_start', '>='],
  startsBefore: ['document.about_start', '<'],
  endsBy: ['document.about_end', '<='],
  endsAfter: ['document.about_end', '>'],
};

function careText(edge: CareWant['edge'], unsaid: boolean): string {
  const [name, sign] = careEdges[edge];
  return unsaid ? `(${name} ${sign} ? or ${name} is null)` : `${name} ${sign} ?`;
}

function withColumn(sql: string, { text, values }: Condition): Condition {
  return { text: text.replace(/\{\}/g, sql), values };
}

/** SQL for a text of the document's description of itself. */
function aboutText(dialect: Dialect, name: keyof About): string {
  const said = `json_extract(document.about, '$.${name}')`;
  return dialect.name === 'sqlite' ? said : `json_unquote(${said})`;
}

/** Conditions by the names that FHIR has for what they compare. */
export const conditionsOn = {
  /** For a search that cannot match anything. */
  nothing: NEVER,
  ids: (ids: readonly string[]): Condition => ({ text: `document.id in (${marks(ids)})`, values: ids }),
  /** The latest versions of these lineages, as long as they are active. */
  latestOf: (lineages: readonly string[]): Condition => ({
    text: `lineage.id in (${marks(lineages)}) and document.id = lineage.latest_id and lineage.status = 'active'`,
    values: lineages,
  }),
  /**
   * By the document's description of itself, or by its format.
   * @param system undefined: any system; empty: no system
   */
  type: (system: string | undefined, code: string): Condition => {
    if (system === undefined) {
      const pattern = `%#${code.replace(/[!%_]/g, '!$&')}`;
      return {
        text: "document.about_code = ? or document.type = ? or document.type like ? escape '!'",
        values: [code, code, pattern],
      };
    }
    return system === ''
      ? {
          text: '(document.about_code = ? and document.about_system is null) or document.type = ?',
          values: [code, code],
        }
      : {
          text: '(document.about_code = ? and document.about_system = ?) or document.type = ?',
          values: [code, system, `${system}#${code}`],
        };
  },
  system: (system: string): Condition => ({
    text: "document.about_system = ? or document.type like ? escape '!'",
    values: [system, `${system.replace(/[!%_]/g, '!$&')}#%`],
  }),
  /** The time of care, where the document states one. @param wants all conditions of at least one list must hold */
  care: (wants: readonly (readonly CareWant[])[], isNot: boolean): Condition => {
    const met = wants
      .map((all) => `(${all.map(({ edge, unsaid }) => careText(edge, unsaid)).join(' and ')})`)
      .join(' or ');
    return {
      text: `(document.about_start is not null or document.about_end is not null) and case when ${met} then 1 else 0 end = ?`,
      values: [...wants.flatMap((all) => all.map(({ stamp }) => stamp)), isNot ? 0 : 1],
    };
  },
  /** The document states no time of care. */
  careUntold: { text: 'document.about_start is null and document.about_end is null', values: [] } as Condition,
  /** A part of the document's description of itself that has exactly this value. */
  said: (part: keyof About, value: string): Condition => ({
    text: 'instr(document.about, ?) > 0',
    values: [`${JSON.stringify(part)}:${JSON.stringify(value)}`],
  }),
  /** The document says this of itself. */
  says: (part: keyof About): Condition => ({
    text: 'case when document.about is null then 0 when instr(document.about, ?) > 0 then 1 else 0 end = 1',
    values: [`${JSON.stringify(part)}:`],
  }),
  /**
   * The document's words for its kind or, without any, its title begin with a text; without both it is of one of these
   * formats.
   */
  kindNamed: (dialect: Dialect, text: string, types: readonly string[]): Condition => {
    const [kind, title] = (['kind', 'title'] as const).map((name) => aboutText(dialect, name));
    const said = `coalesce(${kind}, ${title})`;
    return anyOf([
      dialect.says(said, { text: text.toLowerCase(), folded: foldedText(text), isFirst: true }),
      ...(types.length === 0
        ? []
        : [{ text: `${said} is null and document.type in (${marks(types)})`, values: types }]),
    ]);
  },
  /** The name of the document, by its first words, some of its words, or exactly. */
  named: (dialect: Dialect, text: string, by: 'first' | 'contains' | 'exact'): Condition => {
    const words = `coalesce(lineage.label, ${aboutText(dialect, 'title')})`;
    return by === 'exact'
      ? {
          text: `instr(cast(${words} as binary), cast(? as binary)) = 1 and length(${words}) = length(?)`,
          values: [text, text],
        }
      : dialect.says(words, { text: text.toLowerCase(), folded: foldedText(text), isFirst: by === 'first' });
  },
  isNamed: {
    text: "lineage.label is not null or instr(coalesce(document.about, ''), '\"title\":') > 0",
    values: [],
  } as Condition,
  /** It replaces one of these versions, or any. */
  replaces: (ids?: readonly string[]): Condition =>
    ids === undefined
      ? { text: 'document.replaces_id is not null', values: [] }
      : { text: `document.replaces_id in (${marks(ids)})`, values: ids },
  /** Who stored it, and the app through which. */
  creator: (id: string): Condition => ({ text: 'document.creator_id = ?', values: [id] }),
  proxy: (id?: string): Condition =>
    id === undefined
      ? { text: 'document.proxy_id is not null', values: [] }
      : { text: 'document.proxy_id = ?', values: [id] },
  /** The document says what it is with a code of this system. */
  coded: (system: string): Condition => ({
    text: 'document.about_code is not null and document.about_system = ?',
    values: [system],
  }),
  mediaType: (mediaType: string): Condition => ({ text: 'document.media_type = ?', values: [mediaType] }),
  status: (status: string): Condition => {
    switch (status) {
      case 'entered-in-error':
        return { text: "lineage.status = 'void'", values: [] };
      case 'superseded':
        return { text: "lineage.status <> 'void' and document.suppressed_at is not null", values: [] };
      case 'current':
        return { text: "lineage.status <> 'void' and document.suppressed_at is null", values: [] };
      default:
        return NEVER;
    }
  },
  /** The document from which the record's Patient is made. */
  demographics: {
    text:
      'document.id = lineage.latest_id and lineage.id = (select demographics_lineage_id from record where record.id ' +
      '= lineage.record_id)',
    values: [],
  } as Condition,
  /** @param compared a condition on a point in time, which is written `{}` */
  createdAt: (compared: Condition): Condition => withColumn('document.created_at', compared),
  /** The version changed at that time or later. */
  changedSince: (time: Timestamp): Condition => ({
    text: `document.created_at >= ? or document.suppressed_at >= ?
      or exists (select 1 from document_status as later where later.lineage_id = lineage.id and later.changed_at >= ? and later.changed_at >= document.created_at)`,
    values: [time, time, time],
  }),
  not: ({ text, values }: Condition): Condition => ({ text: `case when ${text} then 0 else 1 end = 1`, values }),
  anyOf,
  allOf,
} as const;

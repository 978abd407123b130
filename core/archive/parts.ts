/**
 * parts: every table in which a record owns rows, with its file in the archive and the way its rows are found and
 * ordered.
 */
import type { TableSpec } from '../db/migrations/tables';
import { migrations } from '../db/migrations';
import { STORAGE_COLUMNS } from '../sealing/tables-store';

/** How the rows of a part are found. */
type Reach =
  /** By a column that holds the record's id; the rows are ordered by further columns of its index. */
  | { readonly by: 'column'; readonly column: string; readonly order: readonly string[] }
  /** By rows of another part, page by page: `column` holds their `id`. */
  | { readonly by: 'part'; readonly part: string; readonly column: string; readonly order: readonly string[] };

export type Part = {
  readonly table: string;
  readonly file: string;
  readonly reach: Reach;
  /** The folder of the files that hold the column `content`. */
  readonly content?: { readonly folder: string };
  /** True: archives of earlier releases do not have the file. */
  readonly isNew?: boolean;
  /** True: the rows show the record, or parts of it, to somebody. An import writes them last, all at once. */
  readonly visible?: boolean;
};

/** In the order in which an import can write them. */
export const parts: readonly Part[] = [
  {
    table: 'document',
    file: 'documents.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    content: { folder: 'documents' },
  },
  {
    table: 'document_lineage',
    file: 'lineages.jsonl',
    reach: { by: 'part', part: 'document', column: 'id', order: ['seq'] },
  },
  {
    table: 'document_status',
    file: 'status-history.jsonl',
    reach: { by: 'part', part: 'document', column: 'lineage_id', order: ['seq'] },
  },
  {
    table: 'document_relation',
    file: 'relations.jsonl',
    reach: { by: 'part', part: 'document', column: 'subject_lineage_id', order: ['seq'] },
  },
  {
    table: 'document_identifier',
    file: 'identifiers.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['identifier_hash'] },
  },
  {
    table: 'sent_document',
    file: 'sent-documents.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['document_id'] },
    isNew: true,
  },
  {
    table: 'sent_statement',
    file: 'sent-statements.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['statement_id'] },
    isNew: true,
  },
  {
    table: 'statement_coding',
    file: 'statement-codings.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['statement_id', 'place'] },
    isNew: true,
  },
  {
    table: 'left_out_fact',
    file: 'left-out-facts.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    isNew: true,
  },
  {
    table: 'record_message',
    file: 'messages.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['created_at', 'id'] },
  },
  {
    table: 'record_message_attachment',
    file: 'attachments.jsonl',
    reach: { by: 'part', part: 'record_message', column: 'record_message_id', order: ['record_message_id', 'num'] },
    content: { folder: 'attachments' },
  },
  {
    table: 'app_document',
    file: 'app-documents.jsonl',
    reach: { by: 'column', column: 'scope', order: ['seq'] },
    content: { folder: 'app-documents' },
  },
  {
    table: 'carenet',
    file: 'carenets.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    visible: true,
  },
  {
    table: 'carenet_account',
    file: 'carenet-members.jsonl',
    reach: { by: 'part', part: 'carenet', column: 'carenet_id', order: ['carenet_id', 'account_id'] },
    visible: true,
  },
  {
    table: 'carenet_app',
    file: 'carenet-apps.jsonl',
    reach: { by: 'part', part: 'carenet', column: 'carenet_id', order: ['carenet_id', 'app_id'] },
    visible: true,
  },
  {
    table: 'carenet_autoshare',
    file: 'autoshares.jsonl',
    reach: { by: 'part', part: 'carenet', column: 'carenet_id', order: ['carenet_id', 'type'] },
    visible: true,
  },
  {
    table: 'carenet_kind',
    file: 'carenet-kinds.jsonl',
    reach: { by: 'part', part: 'carenet', column: 'carenet_id', order: ['carenet_id', 'kind'] },
    visible: true,
    isNew: true,
  },
  {
    table: 'carenet_preference',
    file: 'placements.jsonl',
    reach: { by: 'part', part: 'document', column: 'lineage_id', order: ['lineage_id', 'carenet_id'] },
  },
  {
    table: 'record_share',
    file: 'shares.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    visible: true,
  },
  {
    table: 'record_app',
    file: 'apps.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    visible: true,
  },
  {
    table: 'message',
    file: 'inboxes.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    visible: true,
  },
  {
    table: 'notification',
    file: 'notifications.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['seq'] },
    visible: true,
  },
  {
    table: 'audit',
    file: 'audits.jsonl',
    reach: { by: 'column', column: 'record_id', order: ['requested_at', 'seq'] },
    visible: true,
  },
];

/** The part whose content lies in a folder of the archive. */
export function partOfFolder(folder: string): Part | undefined {
  return parts.find(({ content }) => content?.folder === folder);
}

/** The columns of a table as the migrations make it, also those that later ones add. */
function columnTypesOf(table: string): TableSpec['columns'] {
  return Object.assign(
    {},
    ...migrations.flatMap(({ tables, columns = [] }) =>
      [...tables, ...columns].filter((spec) => spec.table === table).map((spec) => spec.columns),
    ),
  ) as TableSpec['columns'];
}

type Kind = 'id' | 'principal' | 'flag' | 'number' | 'text' | 'bytes';

const kinds: Readonly<Record<string, Kind>> = {
  id: 'id',
  principal: 'principal',
  flag: 'flag',
  int: 'number',
  double: 'number',
  bytes: 'bytes',
};

/**
 * Columns of type text that hold ids of rows nevertheless: an audit keeps whatever id a call named, and app storage may
 * belong to no record.
 */
const looseIds: Readonly<Record<string, readonly string[]>> = {
  audit: ['record_id', 'carenet_id', 'document_id'],
  app_document: ['scope'],
};

/** Columns that are made from another column, for searches. */
const derived: Readonly<Record<string, string>> = { search_label: 'label' };

export type Column = {
  readonly name: string;
  readonly kind: Kind;
  /** Whether every row has a value. */ readonly required: boolean;
  readonly derivedFrom?: string;
};

function columnsIn(table: string): readonly Column[] {
  return Object.entries(columnTypesOf(table))
    .filter(([name]) => !STORAGE_COLUMNS.includes(name))
    .map(([name, type]) => {
      const kind = looseIds[table]?.includes(name) ? 'id' : (kinds[type.replace('?', '')] ?? 'text');
      const required = !type.endsWith('?');
      return { name, kind, required, ...(derived[name] === undefined ? {} : { derivedFrom: derived[name] }) };
    });
}

const known = new Map<string, readonly Column[]>();

/**
 * The columns of a table in an archive. The insertion sequence is left out, because the order of the lines replaces it.
 */
export function columnsOf(table: string): readonly Column[] {
  // This is called for every row.
  const columns = known.get(table) ?? columnsIn(table);
  known.set(table, columns);
  return columns;
}

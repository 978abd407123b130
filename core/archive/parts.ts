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

/** What is said of a part only where it is so. */
type Marks = Pick<Part, 'content' | 'isNew' | 'visible'>;

/** A part whose rows name the record in `record_id`. */
function ofRecord(table: string, file: string, order: readonly string[], marks: Marks = {}): Part {
  return { table, file, reach: { by: 'column', column: 'record_id', order }, ...marks };
}

/** A part whose rows name a row of another part in `column`. */
function ofPart(
  { part, column }: { readonly part: string; readonly column: string },
  table: string,
  file: string,
  order: readonly string[],
  marks: Marks = {},
): Part {
  return { table, file, reach: { by: 'part', part, column, order }, ...marks };
}

/** A part whose rows say who or what belongs to a carenet, one row for each value of `column`. */
function ofCarenet(table: string, file: string, column: string, marks: Marks = {}): Part {
  const named = { part: 'carenet', column: 'carenet_id' };
  return ofPart(named, table, file, ['carenet_id', column], { visible: true, ...marks });
}

/** In the order in which an import can write them. */
export const parts: readonly Part[] = [
  ofRecord('document', 'documents.jsonl', ['seq'], { content: { folder: 'documents' } }),
  ofPart({ part: 'document', column: 'id' }, 'document_lineage', 'lineages.jsonl', ['seq']),
  ofPart({ part: 'document', column: 'lineage_id' }, 'document_status', 'status-history.jsonl', ['seq']),
  ofPart({ part: 'document', column: 'subject_lineage_id' }, 'document_relation', 'relations.jsonl', ['seq']),
  ofRecord('document_identifier', 'identifiers.jsonl', ['identifier_hash']),
  ofRecord('sent_document', 'sent-documents.jsonl', ['document_id'], { isNew: true }),
  ofRecord('sent_statement', 'sent-statements.jsonl', ['statement_id'], { isNew: true }),
  ofRecord('statement_coding', 'statement-codings.jsonl', ['statement_id', 'place'], { isNew: true }),
  ofRecord('left_out_fact', 'left-out-facts.jsonl', ['seq'], { isNew: true }),
  ofRecord('record_message', 'messages.jsonl', ['created_at', 'id']),
  ofPart(
    { part: 'record_message', column: 'record_message_id' },
    'record_message_attachment',
    'attachments.jsonl',
    ['record_message_id', 'num'],
    { content: { folder: 'attachments' } },
  ),
  {
    table: 'app_document',
    file: 'app-documents.jsonl',
    reach: { by: 'column', column: 'scope', order: ['seq'] },
    content: { folder: 'app-documents' },
  },
  ofRecord('carenet', 'carenets.jsonl', ['seq'], { visible: true }),
  ofCarenet('carenet_account', 'carenet-members.jsonl', 'account_id'),
  ofCarenet('carenet_app', 'carenet-apps.jsonl', 'app_id'),
  ofCarenet('carenet_autoshare', 'autoshares.jsonl', 'type'),
  ofCarenet('carenet_kind', 'carenet-kinds.jsonl', 'kind', { isNew: true }),
  ofPart({ part: 'document', column: 'lineage_id' }, 'carenet_preference', 'placements.jsonl', [
    'lineage_id',
    'carenet_id',
  ]),
  ofRecord('record_share', 'shares.jsonl', ['seq'], { visible: true }),
  ofRecord('record_app', 'apps.jsonl', ['seq'], { visible: true }),
  ofRecord('message', 'inboxes.jsonl', ['seq'], { visible: true }),
  ofRecord('notification', 'notifications.jsonl', ['seq'], { visible: true }),
  ofRecord('audit', 'audits.jsonl', ['requested_at', 'seq'], { visible: true }),
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

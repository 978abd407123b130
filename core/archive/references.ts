/**
 * references: what each id and each name of a person or app in an archive may stand for. An import refuses an archive
 * that names anything else, because the row would appear in somebody else's record, carenet or inbox.
 */
import { columnsOf } from './parts';

export type Rule =
  /** The record of the archive. */
  | { readonly is: 'record' }
  /** The row defines this id, which no other row of its table has. */
  | { readonly is: 'own' }
  /** A row of this table in the archive. */
  | { readonly is: 'row'; readonly of: string }
  /** The row defines this id, and it is also that of a row of another table. */
  | { readonly is: 'both'; readonly of: string }
  /** A person or app that the archive lists, of that kind. */
  | { readonly is: 'principal'; readonly kind: 'account' | 'app' | 'any' }
  /** Somebody who may see the whole record. Rows for other people are left out. */
  | { readonly is: 'reader' }
  /** A text that says what was called or meant; nothing is found by it outside the record. */
  | { readonly is: 'words' };

const record: Rule = { is: 'record' };
const own: Rule = { is: 'own' };
const words: Rule = { is: 'words' };
const reader: Rule = { is: 'reader' };
const account: Rule = { is: 'principal', kind: 'account' };
const app: Rule = { is: 'principal', kind: 'app' };
const anybody: Rule = { is: 'principal', kind: 'any' };
function row(of: string): Rule {
  return { is: 'row', of };
}

/** The facts of all models share one name space of ids here. */
export const FACT = 'fact';

export const rules: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  record: {
    id: record,
    owner_id: account,
    creator_id: anybody,
    external_app_id: anybody,
    demographics_lineage_id: row('document_lineage'),
  },
  demographics: { record_id: record, document_id: row('document') },
  document: {
    id: own,
    record_id: record,
    lineage_id: row('document_lineage'),
    replaces_id: row('document'),
    replaced_by_id: row('document'),
    external_app_id: anybody,
    creator_id: anybody,
    proxy_id: anybody,
    suppressor_id: anybody,
  },
  document_lineage: { id: { is: 'both', of: 'document' }, record_id: record, latest_id: row('document') },
  document_status: { lineage_id: row('document_lineage'), changed_by: anybody, proxy_id: anybody },
  document_relation: {
    subject_lineage_id: row('document_lineage'),
    object_lineage_id: row('document_lineage'),
    created_by: anybody,
  },
  // A statement has no row of its own; it is looked up together with its record.
  document_identifier: { record_id: record, document_id: row('document'), statement_id: words },
  sent_document: { record_id: record, document_id: row('document'), lineage_id: row('document_lineage') },
  sent_statement: {
    record_id: record,
    document_id: row('document'),
    lineage_id: row('document_lineage'),
    statement_id: words,
  },
  statement_coding: {
    record_id: record,
    document_id: row('document'),
    lineage_id: row('document_lineage'),
    statement_id: words,
  },
  left_out_fact: { record_id: record, document_id: row('document'), lineage_id: row('document_lineage') },
  record_message: { id: own, record_id: record, sender_id: anybody },
  record_message_attachment: { record_message_id: row('record_message'), document_id: row('document') },
  app_document: { id: own, app_id: app, scope: record, creator_id: anybody },
  carenet: { id: own, record_id: record, person_id: account },
  carenet_account: { carenet_id: row('carenet'), account_id: account },
  carenet_app: { carenet_id: row('carenet'), app_id: app },
  carenet_autoshare: { carenet_id: row('carenet') },
  carenet_kind: { carenet_id: row('carenet') },
  carenet_preference: { carenet_id: row('carenet'), lineage_id: row('document_lineage') },
  record_share: { id: own, record_id: record, account_id: account },
  record_app: { id: own, record_id: record, app_id: app, authorized_by: anybody },
  message: {
    id: own,
    account_id: reader,
    sender_id: anybody,
    record_message_id: row('record_message'),
    record_id: record,
  },
  notification: { id: own, account_id: reader, sender_id: anybody, record_id: record, document_id: row('document') },
  // Calls may have named what does not exist, strangers may have made them, and the writer's chain stays behind.
  audit: {
    id: words,
    record_id: record,
    carenet_id: words,
    document_id: words,
    principal_id: words,
    proxy_id: words,
    ui_app_id: words,
    app_id: words,
    account_id: words,
    writer_id: words,
  },
  [FACT]: {
    id: own,
    document_id: row('document'),
    lineage_id: row('document_lineage'),
    parent_id: row(FACT),
    statement_id: words,
  },
};

export type Reference = { readonly column: string; readonly rule: Rule; readonly required: boolean };

/** A fact that is not nested has no parent, and archives of earlier releases have no ids of statements. */
const OPTIONAL_IN_FACTS = ['parent_id', 'statement_id'];

const factReferences: readonly Reference[] = Object.entries(rules[FACT]!).map(([column, rule]) => ({
  column,
  rule,
  required: !OPTIONAL_IN_FACTS.includes(column),
}));

function referencesIn(table: string): readonly Reference[] {
  return columnsOf(table)
    .filter(({ kind }) => kind === 'id' || kind === 'principal')
    .map(({ name: column, required }) => {
      const rule = rules[table]?.[column];
      if (!rule) {
        throw new Error(`${table}.${column} has no rule in core/archive/references.ts`);
      }
      return { column, rule, required };
    });
}

const known = new Map<string, readonly Reference[]>([[FACT, factReferences]]);

/** The columns of a table that name something, with their rules. @throws Error for a column without a rule */
export function referencesOf(table: string): readonly Reference[] {
  // This is called for every row.
  const references = known.get(table) ?? referencesIn(table);
  known.set(table, references);
  return references;
}

/** Whether the row defines an id in the column. */
export function isOwn({ rule }: Reference): boolean {
  return rule.is === 'own' || rule.is === 'both';
}

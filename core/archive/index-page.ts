/** index-page: the page of an archive that shows people what is in it; it needs only a browser. */
import { RECORD_FILE, MANIFEST_FILE, PRINCIPALS_FILE, type RecordFile, type Row } from './format';
import { parts } from './parts';

const SHOWN = 1000;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
function escape(value: unknown): string {
  return String(value ?? '').replace(/[&<>"]/g, (character) => escapes[character]!);
}

const meanings: Readonly<Record<string, string>> = {
  document: 'every version of every document: type, digest, who stored it and when, and the file that holds it',
  document_lineage: 'what all versions of a document share: status, label, never-share mark',
  document_status: 'every change of a status, with its reason',
  document_relation: 'which document annotates, interprets or follows which',
  document_identifier: 'identifiers of their senders by which documents of FHIR are known',
  sent_document: 'who sent each document, and which others it replaces',
  sent_statement: 'ids by which senders know what they state',
  statement_coding: 'codes that senders give beside those in the facts',
  left_out_fact: 'what people left out of the record when they added a document',
  record_message: 'messages sent to the record',
  record_message_attachment: 'files that came with these messages',
  app_document: 'what apps keep with this record for themselves',
  carenet: 'groups with whom parts of the record are shared',
  carenet_account: 'people in these groups',
  carenet_app: 'apps in these groups',
  carenet_autoshare: 'types of document that a group sees by itself',
  carenet_kind: 'kinds of facts that a group sees, whatever paper they came in',
  carenet_preference: 'single documents shown to a group or kept from it',
  record_share: 'people who have the whole record shared with them',
  record_app: 'apps that may use the record',
  message: 'copies of messages in the inboxes of people',
  notification: 'notifications that people got about this record',
  audit: 'who did what with this record',
};

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em;color:#1b1f24}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3em .8em .3em 0;border-bottom:1px solid #d8dee4;vertical-align:top}' +
  'code{background:#f3f4f6;padding:.1em .3em;overflow-wrap:anywhere}a{color:#0a58ca}small{color:#57606a}div{overflow-x:auto}' +
  'time{white-space:nowrap}';

/** Words for types whose names mean nothing to people: facts entered by hand or by an app, and the person's details. */
const kinds: Readonly<Record<string, string>> = { Models: 'Entry', Demographics: 'Personal details' };

/** The root name of a type URI, as words: "Clinical document". */
function typeWords(type: unknown): string {
  const name = String(type ?? '').replace(/^.*[#/]/, '');
  const words = name.replaceAll('_', ' ').replace(/(?<=[a-z])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return Object.hasOwn(kinds, name) ? kinds[name]! : words;
}

/** A time as people read it. */
function minute(stamp: unknown): string {
  return String(stamp).slice(0, 16).replace('T', ' ');
}

/** What the versions of a document have in common. */
export type Lineage = { readonly id: string; readonly status: string; readonly label: string | null };

/** The newest version of a document that is no longer active must not look as if it were. */
function documentState(row: Row, lineage: Lineage | undefined): string {
  return `${row['replaced_by_id'] === null ? 'latest' : 'replaced'}${lineage && lineage.status !== 'active' ? `, ${lineage.status}` : ''}`;
}

/** Keeps the newest documents only, so that a record of any length makes a page that opens. */
export class IndexPage {
  private readonly rows: Row[] = [];
  private total = 0;

  constructor(private readonly opening: RecordFile) {}

  add(row: Row): void {
    this.total += 1;
    this.rows.push(row);
    if (this.rows.length > 2 * SHOWN) {
      this.rows.splice(0, SHOWN);
    }
  }

  private newest(): readonly Row[] {
    return this.rows.slice(-SHOWN).reverse();
  }

  /** The lineages whose status and label the page shows. */
  lineageIds(): readonly string[] {
    return [...new Set(this.newest().map((row) => String(row['lineage_id'])))];
  }

  private documents(lineages: readonly Lineage[]): string {
    const newest = this.newest();
    const byId = new Map(lineages.map((lineage) => [lineage.id, lineage]));
    const lines = newest.map((row) => {
      const lineage = byId.get(String(row['lineage_id']));
      const kind = typeWords(row['type']);
      return (
        `<tr><td><time>${escape(minute(row['created_at']))}</time></td>` +
        `<td><a href="${escape(row['file'])}">${escape(lineage?.label ?? kind)}</a></td><td>${escape(kind)}</td>` +
        `<td>${escape(row['creator_id'])}</td><td>${escape(row['size'])}</td><td>${escape(documentState(row, lineage))}</td></tr>`
      );
    });
    const rest =
      this.total > newest.length
        ? `<p>These are the newest ${newest.length} of ${this.total}; all of them are in <code>documents</code> and ` +
          '<code>documents.jsonl</code>.</p>'
        : '';
    const how =
      '<p>The name of a document opens it. Many are XML: a browser shows their tags, and between the tags stand the ' +
      'words of people, practices and hospitals.</p>';
    const heads = ['Stored (UTC)', 'Document', 'Kind', 'By', 'Bytes', 'State'].map((head) => `<th>${head}</th>`);
    return `<h2>Documents (${this.total})</h2>${how}${rest}<div><table><tr>${heads.join('')}</tr>\n${lines.join('\n')}\n</table></div>`;
  }

  text(lineages: readonly Lineage[]): string {
    const { record, exported_at: at, service } = this.opening;
    const files = [
      `<tr><td><a href="${RECORD_FILE}">${RECORD_FILE}</a></td><td>the record: label, owner, demographics</td></tr>`,
      ...parts.map(
        ({ table, file }) => `<tr><td><a href="${file}">${file}</a></td><td>${meanings[table] ?? ''}</td></tr>`,
      ),
      '<tr><td>facts/</td><td>what the documents say, field by field, one file for each kind of fact</td></tr>',
      `<tr><td><a href="${PRINCIPALS_FILE}">${PRINCIPALS_FILE}</a></td><td>the people and apps that are named</td></tr>`,
      `<tr><td><a href="${MANIFEST_FILE}">${MANIFEST_FILE}</a></td><td>SHA-256 of every file; <code>sha256sum -c ` +
        `${MANIFEST_FILE}</code> checks them</td></tr>`,
    ];
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(record['label'])}: health record</title><style>${style}</style></head>
<body>
<h1>${escape(record['label'])}</h1>
<p>Health record <code>${escape(record['id'])}</code>${record['owner_id'] === null ? '' : `, owned by ${escape(record['owner_id'])}`}, as it was on ${escape(minute(at))} (UTC).</p>
${this.documents(lineages)}
<h2>Files</h2>
<p>Files ending in <code>.jsonl</code> hold one JSON object a line. Documents are exactly the bytes that were stored.</p>
<div><table>
${files.join('\n')}
</table></div>
<p><small>Written by the Personal Health Records Service ${escape(service)}. <code>svc import FILE</code> brings the record into another installation.</small></p>
</body></html>
`;
  }
}

/**
 * 015-forms: forms that were used, each of which succeeds only once, and files that a person previews before adding
 * them.
 */
import type { TableSpec } from '../tables';

export const forms: readonly TableSpec[] = [
  {
    table: 'used_form',
    columns: {
      /** Hash over session, record and the form's own token. */ form_hash: 'hash',
      /** Id of what the form made or ended. */ document_id: 'id',
      expires_at: 'stamp',
    },
    primary: ['form_hash'],
    indexes: [['expires_at']],
  },
  {
    table: 'kept_file',
    columns: {
      form_hash: 'hash',
      session_hash: 'hash',
      record_id: 'id',
      /** Sealed: name, media type and bytes. */ content: 'bytes',
      kept_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['form_hash'],
    indexes: [['session_hash', 'kept_at'], ['record_id'], ['expires_at']],
  },
];

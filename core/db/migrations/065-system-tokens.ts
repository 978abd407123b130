/** 065-system-tokens: tokens of apps that act by themselves at the FHIR door, for all records that were shared with them. */
import type { TableSpec } from './tables';

export const systemTokens: readonly TableSpec[] = [
  {
    table: 'system_token',
    columns: {
      token_hash: 'hash',
      app_id: 'principal',
      /** Separated by spaces. */ scopes: 'long',
      created_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['token_hash'],
    indexes: [['app_id'], ['expires_at']],
  },
];

/**
 * 004-tokens: sessions, request and access tokens, nonces and rate limits. Tokens are found by their hash; secrets are
 * sealed.
 */
import type { TableSpec } from '../tables';

export const tokens: readonly TableSpec[] = [
  {
    table: 'session_token',
    columns: {
      token_hash: 'hash',
      secret: 'text:300',
      account_id: 'principal',
      ui_app_id: 'principal',
      created_at: 'stamp',
      last_used_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['token_hash'],
    indexes: [['account_id'], ['ui_app_id'], ['expires_at']],
  },
  {
    table: 'access_token',
    columns: {
      token_hash: 'hash',
      secret: 'text:300',
      /** ordinary, rest or connect. */ kind: 'text:10',
      app_id: 'principal',
      account_id: 'principal?',
      record_id: 'id',
      carenet_id: 'id?',
      created_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['token_hash'],
    indexes: [['record_id', 'app_id'], ['app_id'], ['account_id', 'record_id'], ['carenet_id'], ['expires_at']],
  },
  {
    table: 'request_token',
    columns: {
      token_hash: 'hash',
      secret: 'text:300',
      verifier: 'text:300',
      app_id: 'principal',
      callback: 'text:500?',
      record_id: 'id?',
      carenet_id: 'id?',
      claimed_by: 'principal?',
      approved_by: 'principal?',
      approved_at: 'stamp?',
      created_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['token_hash'],
    indexes: [['app_id', 'record_id'], ['record_id'], ['carenet_id'], ['expires_at']],
  },
  {
    table: 'nonce',
    columns: { nonce_hash: 'text:43', claim: 'text:36', expires_at: 'stamp' },
    primary: ['nonce_hash'],
    indexes: [['expires_at']],
  },
  {
    table: 'failed_attempt',
    columns: { bucket: 'text:300', minute: 'text:16', failures: 'int', expires_at: 'stamp' },
    primary: ['bucket', 'minute'],
    indexes: [['expires_at']],
  },
];

/**
 * 019-smart-grants: grants of SMART apps, requests that wait for an answer, codes and refresh tokens, and used
 * assertions.
 */
import type { TableSpec } from '../tables';

export const smartGrants: readonly TableSpec[] = [
  {
    table: 'smart_request',
    columns: {
      request_hash: 'hash',
      /** Sealed JSON: what the app asked for, and the answer when there is one. */ content: 'long',
      expires_at: 'stamp',
    },
    primary: ['request_hash'],
    indexes: [['expires_at']],
  },
  {
    table: 'smart_grant',
    columns: {
      grant_hash: 'hash',
      app_id: 'principal',
      account_id: 'principal',
      /** The identifier of the account that apps are given. */ subject: 'hash',
      record_id: 'id',
      carenet_id: 'id?',
      /** With `online_access`: the session with which the grant ends. */ session_hash: 'hash?',
      /** Separated by spaces. */ scopes: 'long',
      created_at: 'stamp',
      expires_at: 'stamp',
    },
    primary: ['grant_hash'],
    indexes: [['record_id', 'app_id'], ['app_id'], ['account_id', 'record_id'], ['carenet_id'], ['expires_at']],
  },
  {
    table: 'smart_code',
    columns: {
      code_hash: 'hash',
      /** code or refresh. */ kind: 'text:10',
      grant_hash: 'hash',
      /** Sealed JSON. */ content: 'long',
      used_at: 'stamp?',
      expires_at: 'stamp',
    },
    primary: ['code_hash'],
    indexes: [['grant_hash'], ['expires_at']],
  },
  {
    table: 'smart_assertion',
    columns: { assertion_hash: 'hash', expires_at: 'stamp' },
    primary: ['assertion_hash'],
    indexes: [['expires_at']],
  },
];

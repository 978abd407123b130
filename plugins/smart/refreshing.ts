/**
 * refreshing: lets an app without a secret renew its access without naming itself (RFC 6749, 6), because its refresh
 * token names it.
 */
import { sha256 } from '../../core/base/ids';
import type { Services } from '../../core/services';
import * as smartStore from './store';

const NAMING = ['client_id', 'client_assertion'] as const;

/**
 * Adds `client_id` to a form that names no app. An app with a secret or a key is still refused, because it has shown
 * neither.
 */
export async function withClient({ database }: Services, form: string): Promise<string> {
  const pairs = new URLSearchParams(form);
  const token = pairs.get('refresh_token');
  if (pairs.get('grant_type') !== 'refresh_token' || token === null || NAMING.some((name) => pairs.has(name))) {
    return form;
  }
  const row = await smartStore.findCode(database.reads, 'refresh', sha256(token));
  const grant = row && (await smartStore.findGrant(database.reads, row.grantHash));
  return grant ? `${form}&client_id=${encodeURIComponent(grant.consumerKey)}` : form;
}

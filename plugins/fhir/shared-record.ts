/**
 * shared-record: finds the record that a call of an app itself is about. The token of such an app is good for all
 * records that were shared with it, and each call for one of them.
 */
import type { Request } from '@hapi/hapi';
import * as sharedStore from '../../core/apps/shared-records-store';
import type { RecordFinder } from '../../core/auth/bearer';
import { rawQueryOf } from '../../core/http/read-request';
import type { Services } from '../../core/services';
import { knockedAt } from './knocks';
import { recordOfPage } from './search/next-pages';

/** The first two parts of the path of a resource. */
const RESOURCE = /^\/fhir\/([A-Z][A-Za-z]*)\/([A-Za-z0-9.-]{1,64})(?:\/_history|$)/;

/**
 * The record that a call names as its Patient, or that the link to its page was made for, or that holds the resource of
 * its path. Undefined when the call names none, or names one that was not shared with the app.
 */
export function finderOf({ database, sealing }: Services, request: Request): RecordFinder {
  return async (appId) => {
    const page = new URLSearchParams(rawQueryOf(request)).get('_page');
    const named = knockedAt(request) ?? (page === null ? undefined : recordOfPage({ sealing }, page));
    if (named !== undefined) {
      return named;
    }
    const [, type, id] = RESOURCE.exec(request.path) ?? [];
    return type === undefined || id === undefined
      ? undefined
      : sharedStore.findSharedWith(database.reads, appId, { type, id });
  };
}

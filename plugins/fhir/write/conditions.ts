/**
 * conditions: tells whether a client has the state of a resource already. If-None-Match takes precedence over
 * If-Modified-Since (RFC 9110, 13.2.2; pure).
 */
import type { Meta } from '../../../core/fhir/resource';

type Validators = { readonly etag: string; readonly lastModified: string };

export function validatorsOf({ versionId, lastUpdated }: Meta): Validators {
  return {
    etag: `W/"${versionId}"`,
    lastModified: new Date(lastUpdated).toUTCString(),
  };
}

function bareTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

export function isKnown({ etag, lastModified }: Validators, ifNoneMatch: string, ifModifiedSince: string): boolean {
  if (ifNoneMatch !== '') {
    return ifNoneMatch.split(',').some((tag) => bareTag(tag) === bareTag(etag) || tag.trim() === '*');
  }
  const since = Date.parse(ifModifiedSince);
  return !Number.isNaN(since) && Date.parse(lastModified) <= since;
}

/**
 * conditions: tells whether a client has the state of a resource already. If-None-Match takes precedence over
 * If-Modified-Since (RFC 9110, 13.2.2; pure).
 */
import { sha256 } from '../../../core/base/ids';
import type { Versioned } from '../../../core/fhir/resource';
import { resourceText } from '../../../core/fhir/write';

/** `lastModified` is undefined for a resource that does not tell when it was changed. */
type Validators = { readonly etag: string; readonly lastModified: string | undefined };

/** The validators of a resource. One without a version is known by its content. */
export function validatorsOf(resource: Versioned): Validators {
  const { versionId = sha256(resourceText(resource)), lastUpdated } = resource.meta;
  return {
    etag: `W/"${versionId}"`,
    lastModified: lastUpdated === undefined ? undefined : new Date(lastUpdated).toUTCString(),
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
  return !Number.isNaN(since) && lastModified !== undefined && Date.parse(lastModified) <= since;
}

/** shown: reduces a resource to the part that a client asked for by `_summary` and `_elements` (pure). */
import { fhirType, type FhirElement } from '../../../core/fhir/elements';
import type { Shown } from '../search/search-query';
import type { Resource } from '../../../core/fhir/resource';

export const SUBSETTED = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
  display: 'subsetted',
};

/** The tags of a resource without the mark of a part. */
function otherTagsOf({ meta }: Resource): readonly unknown[] {
  const tags = (meta as { readonly tag?: readonly { readonly code?: string }[] } | undefined)?.tag ?? [];
  return tags.filter(({ code }) => code !== SUBSETTED.code);
}

function keeping(resource: Resource, keeps: (element: FhirElement) => boolean): Resource {
  const elements = fhirType(resource.resourceType)?.elements;
  const isKept = (name: string): boolean => {
    const element = elements?.get(name.replace(/^_/, ''));
    return element === undefined || element.isKept || keeps(element);
  };
  return {
    ...(Object.fromEntries(Object.entries(resource).filter(([name]) => isKept(name))) as Resource),
    meta: { ...resource.meta, tag: [...otherTagsOf(resource), SUBSETTED] } as unknown as NonNullable<Resource['meta']>,
  };
}

/** Whether an element was asked for: `value` names all forms of a choice. */
function isElementAsked(asked: string, name: string): boolean {
  return name === asked || (name.startsWith(asked) && /^[A-Z]/.test(name.slice(asked.length)));
}

/** The part of a resource that was asked for, marked as a part; the whole resource when nothing was asked for. */
export function shownOf(resource: Resource, { summary, elements }: Shown): Resource {
  if (resource.resourceType === 'OperationOutcome') {
    return resource;
  }
  if (elements.length > 0) {
    return keeping(resource, ({ name }) => elements.some((asked) => isElementAsked(asked, name)));
  }
  switch (summary) {
    case 'true':
    case 'count':
      return keeping(resource, ({ isInSummary }) => isInSummary);
    case 'text':
      return keeping(resource, ({ name }) => name === 'text');
    case 'data':
      return keeping(resource, ({ name }) => name !== 'text');
    case 'false':
      return resource;
  }
}

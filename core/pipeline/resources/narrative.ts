/** narrative: the text of resources that US Core wants to be read by people as well: a plan of care (pure). */
import { escaped } from '../../fhir/write';
import type { FhirObject } from './blocks';

type Activity = {
  readonly detail?: {
    readonly code?: { readonly text?: string; readonly coding?: readonly { readonly display?: string }[] };
    readonly scheduledString?: string;
    readonly description?: string;
  };
};

function wordsOf({ detail = {} }: Activity): string {
  const { code, scheduledString, description } = detail;
  const name = code?.text ?? code?.coding?.[0]?.display;
  return [name, scheduledString, description].filter((text) => text !== undefined).join(', ');
}

/** What is planned, in the words of the source, as its text. Other types have none. */
export function narrativeOf(resource: FhirObject & { readonly resourceType: string }): FhirObject {
  if (resource.resourceType !== 'CarePlan') {
    return {};
  }
  const { title, activity = [] } = resource as { readonly title?: string; readonly activity?: readonly Activity[] };
  const items = activity.map(wordsOf).filter((words) => words !== '');
  const head = title === undefined ? '' : `<p>${escaped(title)}</p>`;
  const list = items.length === 0 ? '' : `<ul>${items.map((words) => `<li>${escaped(words)}</li>`).join('')}</ul>`;
  return head + list === ''
    ? {}
    : { text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${head}${list}</div>` } };
}

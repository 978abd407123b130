/** bundle-pieces: writes a Bundle piece by piece, while its entries are still being read. */
import { textInSlices } from '../../core/base/turns/slices';
import type { Resource, Versioned } from '../../core/fhir/resource';
import { resourceXmlPieces } from '../../core/fhir/json-to-xml';
import { escaped, resourcePieces } from '../../core/fhir/write';
import { outcomeEntry, urlOf } from './bundles';
import type { Form } from './forms';
import { shownOf } from './map/shown';
import type { Shown, Unused } from './search/search-query';

/** Writes a Bundle piece by piece. */
type Writer = {
  readonly head: string;
  /** The text before the first entry. */
  readonly begin: string;
  readonly match: (url: string, resource: Resource) => Generator<string>;
  readonly outcome: (resource: Resource) => Generator<string>;
  readonly between: string;
  readonly end: (any: boolean) => string;
};

function* enclosed(before: string, pieces: Iterable<string>, after: string): Generator<string> {
  yield before;
  yield* pieces;
  yield after;
}

const writers: Readonly<Record<Form, (self: string) => Writer>> = {
  json: (self) => ({
    head: `{"resourceType":"Bundle","type":"searchset","link":[{"relation":"self","url":${JSON.stringify(self)}}]`,
    match: (url, resource) =>
      enclosed(
        `{"fullUrl":${JSON.stringify(url)},"resource":`,
        resourcePieces(resource),
        ',"search":{"mode":"match"}}',
      ),
    outcome: (resource) => enclosed('{"resource":', resourcePieces(resource), ',"search":{"mode":"outcome"}}'),
    begin: ',"entry":[',
    between: ',',
    end: (any) => (any ? ']}' : '}'),
  }),
  xml: (self) => ({
    head:
      '<?xml version="1.0" encoding="UTF-8"?>\n<Bundle xmlns="http://hl7.org/fhir"><type ' +
      `value="searchset"/><link><relation value="self"/><url value="${escaped(self)}"/></link>`,
    match: (url, resource) =>
      enclosed(
        `<entry><fullUrl value="${escaped(url)}"/><resource>`,
        resourceXmlPieces(resource),
        '</resource><search><mode value="match"/></search></entry>',
      ),
    outcome: (resource) =>
      enclosed(
        '<entry><resource>',
        resourceXmlPieces(resource),
        '</resource><search><mode value="outcome"/></search></entry>',
      ),
    begin: '',
    between: '',
    end: () => '</Bundle>',
  }),
};

/** What a streamed Bundle contains in addition to its resources, and how it shows them. */
export type Told = { readonly self: string; readonly shown: Shown; readonly unused: readonly Unused[] };

/** The text of a Bundle of everything in a record, in the order of its portions. @param base the address of the door */
export async function* bundlePieces(
  base: string,
  form: Form,
  { self, shown, unused }: Told,
  portions: AsyncGenerator<readonly Versioned[]>,
): AsyncGenerator<string> {
  const { head, begin, match, outcome, between, end } = writers[form](self);
  let any = false;
  const next = (entry: Iterable<string>): Iterable<string> => {
    const pieces = enclosed(any ? between : begin, entry, '');
    any = true;
    return pieces;
  };
  function* entriesOf(portion: readonly Versioned[]): Generator<string> {
    for (const resource of portion) {
      yield* next(match(urlOf(base, resource), shownOf(resource, shown)));
    }
  }
  yield head;
  for await (const portion of portions) {
    yield* textInSlices(entriesOf(portion));
  }
  const entry = outcomeEntry(unused);
  if (entry) {
    yield* textInSlices(next(outcome(entry.resource)));
  }
  yield end(any);
}

/** rdf: reads RDF/XML with a parser that shares no code with the service. */
import { RdfXmlParser } from 'rdfxml-streaming-parser';

export type Term = { readonly kind: 'uri' | 'blank' | 'literal'; readonly value: string; readonly datatype: string };
export type Triple = { readonly subject: string; readonly predicate: string; readonly object: Term };

const kinds: Readonly<Record<string, Term['kind']>> = { NamedNode: 'uri', BlankNode: 'blank', Literal: 'literal' };

/** @throws when the text is not RDF/XML, or contains an invalid address */
export const parseRdf = (text: string): Promise<readonly Triple[]> =>
  new Promise((resolve, reject) => {
    const triples: Triple[] = [];
    const parser = new RdfXmlParser({ validateUri: true });
    parser.on('data', ({ subject, predicate, object }) =>
      triples.push({
        subject: subject.value,
        predicate: predicate.value,
        object: {
          kind: kinds[object.termType] ?? 'literal',
          value: object.value,
          datatype: object.termType === 'Literal' ? object.datatype.value : '',
        },
      }),
    );
    parser.on('error', reject);
    parser.on('end', () => resolve(triples));
    parser.end(text);
  });

export const SP = 'http://smartplatforms.org/terms#';
export const SPCODE = 'http://smartplatforms.org/terms/codes/';
export const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
export const DCTERMS = 'http://purl.org/dc/terms/';
export const VCARD = 'http://www.w3.org/2006/vcard/ns#';
export const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** A parsed graph, walked from node to node. */
export type Graph = {
  readonly triples: readonly Triple[];
  readonly subjectsOf: (type: string) => readonly string[];
  readonly objects: (subject: string, predicate: string) => readonly Term[];
  /** The one value at the end of a chain of predicates; fails when a step has none or several. */
  readonly at: (subject: string, ...predicates: readonly string[]) => Term;
  readonly typesOf: (subject: string) => readonly string[];
};

export const graphOf = async (text: string): Promise<Graph> => {
  const triples = await parseRdf(text);
  const objects = (subject: string, predicate: string): readonly Term[] => [
    ...new Map(
      triples
        .filter((triple) => triple.subject === subject && triple.predicate === predicate)
        .map(({ object }) => [JSON.stringify(object), object]),
    ).values(),
  ];
  const at = (subject: string, ...predicates: readonly string[]): Term => {
    const [first = '', ...rest] = predicates;
    const found = objects(subject, first);
    if (found.length !== 1) {
      throw new Error(`${subject} has ${found.length} values of ${first}`);
    }
    return rest.length === 0 ? found[0]! : at(found[0]!.value, ...rest);
  };
  return {
    triples,
    objects,
    at,
    subjectsOf: (type) => [
      ...new Set(
        triples
          .filter(({ predicate, object }) => predicate === RDF_TYPE && object.value === type)
          .map(({ subject }) => subject),
      ),
    ],
    typesOf: (subject) =>
      objects(subject, RDF_TYPE)
        .map(({ value }) => value)
        .sort(),
  };
};

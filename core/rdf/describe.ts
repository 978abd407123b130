/** describe: writes facts as one RDF/XML document, by the mappings beside their models. */
import type { Id } from '../base/types';
import type { Model, Models, Scalar, RdfMapping, RdfProperty, RdfValue } from '../facts/model/model';
import { childrenIn, type StoredFact } from '../facts/plans';
import { closeTag, DECLARATION, element, openTag, writeElement, writeXml, type XmlElement } from '../xml/write';
import { knownValues } from '../facts/partial-dates';
import { blocks, columnLiteral, literal, typeElement, type Source } from './blocks';

export type RdfPlace = {
  /** Public address of this service: node names are addresses that can be fetched. */
  readonly baseUrl: string;
  /** Address of the health-app platform whose vocabulary is used. */
  readonly platformBase: string;
  readonly recordId: Id;
};

type Context = {
  readonly place: RdfPlace;
  readonly models: Models;
  /** The facts in which the described ones are nested. */
  readonly parents: ReadonlyMap<Id, StoredFact>;
  /** Subject -> its description. */
  readonly nodes: Map<string, XmlElement>;
  /** Subjects that were described before, because each is described once. */
  readonly said: Set<string>;
};

/**
 * Facts that are nested in a described one are described, too. A fact that is described only for a nested fact is
 * `bare`.
 */
type Depth = 'with nested facts' | 'bare';

function usual(platformBase: string): Readonly<Record<string, string>> {
  return {
    rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    xsd: 'http://www.w3.org/2001/XMLSchema#',
    sp: `${platformBase}/terms#`,
    spcode: `${platformBase}/terms/codes/`,
    dcterms: 'http://purl.org/dc/terms/',
    dc: 'http://purl.org/dc/elements/1.1/',
    foaf: 'http://xmlns.com/foaf/0.1/',
    v: 'http://www.w3.org/2006/vcard/ns#',
  };
}

function expander(prefixes: Readonly<Record<string, string>>) {
  return (name: string): string => {
    const [prefix = '', local = ''] = name.split(':');
    return `${prefixes[prefix] ?? ''}${local}`;
  };
}

function recordUri({ baseUrl, recordId }: RdfPlace): string {
  return `${baseUrl}/records/${recordId}`;
}

function factUri(place: RdfPlace, { path }: RdfMapping, id: Id): string {
  return `${recordUri(place)}/${path}/${id}`;
}

function sourceOf(model: Model, mapping: RdfMapping, values: StoredFact['values'], place: RdfPlace): Source {
  return {
    values,
    columns: new Map(model.columns.map((column) => [column.name, column])),
    expand: expander({ ...usual(place.platformBase), ...mapping.prefixes }),
  };
}

type Subject = {
  readonly fact: StoredFact;
  readonly mapping: RdfMapping;
  readonly source: Source;
  readonly depth: Depth;
};

function fillIn(text: string, place: RdfPlace): string {
  return text.replaceAll('{record_id}', place.recordId).replaceAll('{record_uri}', recordUri(place));
}

function linkTo(context: Context, predicate: string, fact: StoredFact, depth: Depth): readonly XmlElement[] {
  const model = context.models.find(fact.model);
  if (!model?.rdf) {
    return [];
  }
  describeFact(context, model, model.rdf, fact, depth);
  return [element(predicate, { 'rdf:resource': factUri(context.place, model.rdf, fact.id) })];
}

function saysColumn(source: Source, predicate: string, column: string, always: boolean): readonly XmlElement[] {
  const said = columnLiteral(source, predicate, column);
  if (said !== false) {
    return [said];
  }
  const empty: Exclude<Scalar, null> = '';
  return always ? [literal(predicate, 'string', empty)] : [];
}

function saysValue(context: Context, subject: Subject, predicate: string, value: RdfValue): readonly XmlElement[] {
  const { fact, source, depth } = subject;
  switch (value.kind) {
    case 'column':
      return saysColumn(source, predicate, value.column, value.always);
    case 'text':
      return [element(predicate, {}, fillIn(value.text, context.place))];
    case 'block': {
      const inner = blocks[value.block]?.(source, value.field, value.class) ?? false;
      return inner === false ? [] : [element(predicate, {}, [inner])];
    }
    case 'node': {
      const inner = value.properties.flatMap((property) => saysProperty(context, subject, property));
      return inner.length === 0
        ? []
        : [
            element(predicate, {}, [
              element('rdf:Description', {}, [typeElement(source.expand(value.type)), ...inner]),
            ]),
          ];
    }
    case 'facts':
      return depth === 'bare'
        ? []
        : childrenIn(fact, value.field).flatMap((nested) => linkTo(context, predicate, nested, depth));
    case 'parent': {
      const parent = fact.parentId === null ? undefined : context.parents.get(fact.parentId);
      return parent ? linkTo(context, predicate, parent, 'bare') : [];
    }
  }
}

function saysProperty(context: Context, subject: Subject, property: RdfProperty): readonly XmlElement[] {
  if ('predicate' in property) {
    return property.values.flatMap((value) => saysValue(context, subject, property.predicate, value));
  }
  for (const alternative of property.first) {
    const said = saysProperty(context, subject, alternative);
    if (said.length > 0) {
      return said;
    }
  }
  return [];
}

function describe(context: Context, uri: string, subject: Subject): void {
  const { mapping, source } = subject;
  // The node is taken before its links are followed, so that a nested fact that points back finds it described.
  context.nodes.set(uri, element('rdf:Description'));
  context.nodes.set(
    uri,
    element('rdf:Description', { 'rdf:about': uri }, [
      typeElement(source.expand(mapping.type)),
      ...mapping.properties.flatMap((property) => saysProperty(context, subject, property)),
      element('sp:belongsTo', { 'rdf:resource': recordUri(context.place) }),
    ]),
  );
}

function describeFact(context: Context, model: Model, mapping: RdfMapping, fact: StoredFact, depth: Depth): void {
  const uri = factUri(context.place, mapping, fact.id);
  if (!context.nodes.has(uri) && !context.said.has(uri)) {
    describe(context, uri, {
      fact,
      mapping,
      source: sourceOf(model, mapping, knownValues(fact, false), context.place),
      depth,
    });
  }
}

type Prefixes = Readonly<Record<string, string>>;

function namespacesOf({ platformBase }: RdfPlace, prefixes: Prefixes): Prefixes {
  return Object.fromEntries(
    Object.entries({ ...usual(platformBase), ...prefixes }).map(([prefix, uri]) => [`xmlns:${prefix}`, uri]),
  );
}

function recordNode(place: RdfPlace): XmlElement {
  return element('rdf:Description', { 'rdf:about': recordUri(place) }, [
    typeElement(`${place.platformBase}/terms#MedicalRecord`),
  ]);
}

/** Collects facts with their children, so that nested facts that point back to one of these find it. */
function knownParents(facts: readonly StoredFact[], known: Map<Id, StoredFact>): void {
  for (const fact of facts) {
    known.set(fact.id, fact);
    for (const field of Object.keys(fact.children)) {
      knownParents(childrenIn(fact, field), known);
    }
  }
}

/** Facts, and the facts in which they are nested, as far as they are known. */
export type ToDescribe = { readonly facts: readonly StoredFact[]; readonly parents: readonly StoredFact[] };

/** Describes facts that were not described before, if their model has a mapping. */
function describeAll(
  context: Omit<Context, 'parents' | 'nodes'>,
  { facts, parents }: ToDescribe,
): readonly XmlElement[] {
  const known = new Map<Id, StoredFact>();
  knownParents(parents, known);
  knownParents(facts, known);
  const nodes = new Map<string, XmlElement>();
  for (const fact of facts) {
    const model = context.models.find(fact.model);
    if (model?.rdf) {
      describeFact({ ...context, parents: known, nodes }, model, model.rdf, fact, 'with nested facts');
    }
  }
  return [...nodes.values()];
}

/**
 * One graph of facts whose models have a mapping, written while they are read. Without facts, it has no statements.
 * @param models of the facts
 */
export async function* graphPieces(
  parts: AsyncIterable<ToDescribe>,
  models: readonly Model[],
  all: Models,
  place: RdfPlace,
): AsyncGenerator<string> {
  const namespaces = namespacesOf(place, Object.assign({}, ...models.map(({ rdf }) => rdf?.prefixes)) as Prefixes);
  const said = new Set<string>();
  for await (const part of parts) {
    const nodes = describeAll({ place, models: all, said }, part);
    if (nodes.length > 0) {
      yield `${said.size === 0 ? `${DECLARATION}${openTag('rdf:RDF', namespaces)}${writeElement(recordNode(place))}` : ''}${nodes.map(writeElement).join('')}`;
      nodes.forEach(({ attributes }) => said.add(String(attributes['rdf:about'])));
    }
  }
  yield said.size === 0 ? writeXml(element('rdf:RDF', namespaces)) : closeTag('rdf:RDF');
}

/** The graph of one thing that is no fact. The path of the mapping is its own address below the record. */
export function describeValues(
  model: Model,
  mapping: RdfMapping,
  values: StoredFact['values'],
  models: Models,
  place: RdfPlace,
): XmlElement {
  const context: Context = { place, models, parents: new Map(), nodes: new Map(), said: new Set() };
  const fact: StoredFact = {
    model: model.name,
    values,
    children: {},
    id: '',
    recordId: place.recordId,
    documentId: '',
    lineageId: '',
    parentId: null,
    createdAt: '',
    statementId: '',
  };
  describe(context, `${recordUri(place)}/${mapping.path}`, {
    fact,
    mapping,
    source: sourceOf(model, mapping, values, place),
    depth: 'bare',
  });
  return element('rdf:RDF', namespacesOf(place, mapping.prefixes), [recordNode(place), ...context.nodes.values()]);
}

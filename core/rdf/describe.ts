/** describe: facts -> one RDF/XML document, by the mappings beside their models. */
import type { Id } from '../base/types';
import type { Model, Models, Scalar } from '../datamodel/model';
import type { RdfMapping, RdfProperty, RdfValue } from '../datamodel/rdf-mapping';
import { childrenIn, type StoredFact } from '../storage/plans';
import { element, type XmlElement } from '../xml/write';
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
  /** Facts that those described are nested in. */
  readonly parents: ReadonlyMap<Id, StoredFact>;
  /** Subject -> its description; each is said once. */
  readonly nodes: Map<string, XmlElement>;
};

/** Facts nested in a described one are described too, unless it is itself there for the sake of one of them. */
type Depth = 'with nested facts' | 'bare';

const usual = (platformBase: string): Readonly<Record<string, string>> => ({
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  sp: `${platformBase}/terms#`,
  spcode: `${platformBase}/terms/codes/`,
  dcterms: 'http://purl.org/dc/terms/',
  dc: 'http://purl.org/dc/elements/1.1/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  v: 'http://www.w3.org/2006/vcard/ns#',
});

const expander = (prefixes: Readonly<Record<string, string>>) => (name: string): string => {
  const [prefix = '', local = ''] = name.split(':');
  return `${prefixes[prefix] ?? ''}${local}`;
};

const recordUri = ({ baseUrl, recordId }: RdfPlace): string => `${baseUrl}/records/${recordId}`;

const factUri = (place: RdfPlace, { path }: RdfMapping, id: Id): string => `${recordUri(place)}/${path}/${id}`;

const sourceOf = (model: Model, mapping: RdfMapping, values: StoredFact['values'], place: RdfPlace): Source => ({
  values,
  columns: new Map(model.columns.map((column) => [column.name, column])),
  expand: expander({ ...usual(place.platformBase), ...mapping.prefixes }),
});

type Subject = { readonly fact: StoredFact; readonly mapping: RdfMapping; readonly source: Source; readonly depth: Depth };

const fillIn = (text: string, place: RdfPlace): string => text.replaceAll('{record_id}', place.recordId).replaceAll('{record_uri}', recordUri(place));

const linkTo = (context: Context, predicate: string, fact: StoredFact, depth: Depth): readonly XmlElement[] => {
  const model = context.models.find(fact.model);
  if (!model?.rdf) {
    return [];
  }
  describeFact(context, model, model.rdf, fact, depth);
  return [element(predicate, { 'rdf:resource': factUri(context.place, model.rdf, fact.id) })];
};

const saysColumn = (source: Source, predicate: string, column: string, always: boolean): readonly XmlElement[] => {
  const said = columnLiteral(source, predicate, column);
  const empty: Exclude<Scalar, null> = '';
  return said !== false ? [said] : always ? [literal(predicate, 'string', empty)] : [];
};

const saysValue = (context: Context, subject: Subject, predicate: string, value: RdfValue): readonly XmlElement[] => {
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
      return inner.length === 0 ? [] : [element(predicate, {}, [element('rdf:Description', {}, [typeElement(source.expand(value.type)), ...inner])])];
    }
    case 'facts':
      return depth === 'bare' ? [] : childrenIn(fact, value.field).flatMap((nested) => linkTo(context, predicate, nested, depth));
    case 'parent': {
      const parent = fact.parentId === null ? undefined : context.parents.get(fact.parentId);
      return parent ? linkTo(context, predicate, parent, 'bare') : [];
    }
  }
};

const saysProperty = (context: Context, subject: Subject, property: RdfProperty): readonly XmlElement[] => {
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
};

const describe = (context: Context, uri: string, subject: Subject): void => {
  const { mapping, source } = subject;
  // Taken before its links are followed, so that a nested fact that points back finds it described.
  context.nodes.set(uri, element('rdf:Description'));
  context.nodes.set(uri, element('rdf:Description', { 'rdf:about': uri }, [
    typeElement(source.expand(mapping.type)),
    ...mapping.properties.flatMap((property) => saysProperty(context, subject, property)),
    element('sp:belongsTo', { 'rdf:resource': recordUri(context.place) }),
  ]));
};

const describeFact = (context: Context, model: Model, mapping: RdfMapping, fact: StoredFact, depth: Depth): void => {
  const uri = factUri(context.place, mapping, fact.id);
  if (!context.nodes.has(uri)) {
    describe(context, uri, { fact, mapping, source: sourceOf(model, mapping, fact.values, context.place), depth });
  }
};

const document = ({ nodes, place }: Context, prefixes: Readonly<Record<string, string>>): XmlElement => {
  const namespaces = Object.entries({ ...usual(place.platformBase), ...prefixes }).map(([prefix, uri]) => [`xmlns:${prefix}`, uri]);
  const record = element('rdf:Description', { 'rdf:about': recordUri(place) }, [typeElement(`${place.platformBase}/terms#MedicalRecord`)]);
  return element('rdf:RDF', Object.fromEntries(namespaces) as Record<string, string>, nodes.size === 0 ? [] : [record, ...nodes.values()]);
};

/** Facts with their children: those that a nested fact points back to are found here too. */
const knownParents = (facts: readonly StoredFact[], known: Map<Id, StoredFact>): void => {
  for (const fact of facts) {
    known.set(fact.id, fact);
    for (const field of Object.keys(fact.children)) {
      knownParents(childrenIn(fact, field), known);
    }
  }
};

/**
 * One graph of facts whose models have a mapping; the others are left out. No facts: no statements.
 * @param parents the facts that these are nested in, as far as they are known
 */
export const describeFacts = (facts: readonly StoredFact[], parents: readonly StoredFact[], models: Models, place: RdfPlace): XmlElement => {
  const known = new Map<Id, StoredFact>();
  knownParents(parents, known);
  knownParents(facts, known);
  const context: Context = { place, models, parents: known, nodes: new Map() };
  const prefixes: Record<string, string> = {};
  for (const fact of facts) {
    const model = models.find(fact.model);
    if (model?.rdf) {
      Object.assign(prefixes, model.rdf.prefixes);
      describeFact(context, model, model.rdf, fact, 'with nested facts');
    }
  }
  return document(context, prefixes);
};

/** The graph of one thing that is no fact: its own address below the record is the mapping's path. */
export const describeValues = (model: Model, mapping: RdfMapping, values: StoredFact['values'], models: Models, place: RdfPlace): XmlElement => {
  const context: Context = { place, models, parents: new Map(), nodes: new Map() };
  const fact: StoredFact = { model: model.name, values, children: {}, id: '', recordId: place.recordId, documentId: '', lineageId: '', parentId: null, createdAt: '' };
  describe(context, `${recordUri(place)}/${mapping.path}`, { fact, mapping, source: sourceOf(model, mapping, values, place), depth: 'bare' });
  return document(context, mapping.prefixes);
};

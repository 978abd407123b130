/** stored-types: the types of resources that documents state, and the statements behind their ids. */
import type { Models } from '../../../core/facts/model/model';
import type { ElementValue, Node } from '../../../core/facts/model/fhir-map';
import { searchDefinitionsOf, servedTypes } from '../../../core/fhir/search-definitions';

/** The types of FHIR to which models are mapped. */
export function factTypes(models: Models): ReadonlySet<string> {
  return new Set(models.all.flatMap(({ fhir }) => fhir?.resources.map(({ resource }) => resource) ?? []));
}

const known = new WeakMap<Models, ReadonlySet<string>>();

/** The types that may be stored: those of FHIR about a person, and those to which models are mapped. */
export function storedTypes(models: Models): ReadonlySet<string> {
  const types = known.get(models) ?? new Set([...servedTypes(), ...factTypes(models)]);
  known.set(models, types);
  return types;
}

const ID_CHARACTERS = 36;

/**
 * The id of the statement behind the id of a resource, which may have a suffix that tells several resources of one
 * statement apart.
 */
export function statementIn(id: string): string {
  return id.slice(0, ID_CHARACTERS);
}

type Inside = { readonly models: Models; readonly model: Models['all'][number] };

/** The types of the resources to which a value of a mapping refers. */
function referenceTargets(inside: Inside, value: ElementValue): readonly string[] {
  const { models, model } = inside;
  switch (value.kind) {
    case 'statement':
      return [value.of];
    case 'parent':
      return [value.resource];
    case 'own':
      return (model.fhir?.resources ?? []).filter(({ id }) => id === value.id).map(({ resource }) => resource);
    case 'facts': {
      const nested = model.relations.find(({ field }) => field === value.field)?.model;
      return (models.find(nested ?? '')?.fhir?.resources ?? []).map(({ resource }) => resource);
    }
    case 'first':
      return value.values.flatMap((one) => referenceTargets(inside, one));
    case 'each':
    case 'above':
      return referenceTargets(inside, value.value);
    case 'node':
      return targetsIn(inside, value.node);
    default:
      return [];
  }
}

/** The types to which the elements of a node refer, or one of them. */
function targetsIn(inside: Inside, node: Node, name?: string): readonly string[] {
  return node.flatMap((element) => {
    if ('first' in element) {
      return element.first.flatMap((other) => targetsIn(inside, other, name));
    }
    return name === undefined || element.name === name
      ? element.values.flatMap((value) => referenceTargets(inside, value))
      : [];
  });
}

/** `Type:parameter` for the parameters by which what is made of facts refers to a type. */
export function referringTo(models: Models, type: string): readonly string[] {
  return models.all.flatMap((model) =>
    (model.fhir?.resources ?? []).flatMap(({ resource, elements }) =>
      searchDefinitionsOf(resource)
        .filter((one) => one.type === 'reference')
        .filter(({ paths }) =>
          paths.some(({ steps }) => targetsIn({ models, model }, elements, steps[0]!.name).includes(type)),
        )
        .map(({ name }) => `${resource}:${name}`),
    ),
  );
}

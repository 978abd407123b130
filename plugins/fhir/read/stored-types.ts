/** stored-types: the types of resources that documents state, and the statements behind their ids. */
import type { Models } from '../../../core/facts/model/model';
import { servedTypes } from '../../../core/fhir/search-definitions';

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

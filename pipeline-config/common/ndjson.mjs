/**
 * ndjson: makes a document for each resource in files with one FHIR resource a line. Each document is named after the
 * resource and its patient; a medicine is joined with its drug, in whichever of the files that stands.
 */
import { Drugs } from './drugs.mjs';
import { invalidFile } from './invalid-file.mjs';
import { linesOf } from './lines.mjs';

const TYPE = /^[A-Z][A-Za-z]{1,59}$/;
const ID = /^[A-Za-z0-9.-]{1,64}$/;

const resourceIn = (text) => {
  try {
    const value = JSON.parse(text);
    return TYPE.test(value?.resourceType) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The id of a reference such as `Patient/17`, whatever comes before it and whichever version is meant. */
const patientIn = (resource) => {
  if (resource.resourceType === 'Patient') {
    return ID.test(resource.id) ? resource.id : undefined;
  }
  const named = [resource.patient, resource.subject, resource.beneficiary, resource.for].map((one) => one?.reference);
  return named.map((reference) => /(?:^|\/)Patient\/([A-Za-z0-9.-]{1,64})(?:\/|$)/.exec(reference)?.[1]).find(Boolean);
};

/**
 * The same resource in a later export becomes a new version of the same document. A resource without a patient has no
 * key.
 */
const keyOf = ({ resourceType, id }, patient) =>
  ID.test(id) && patient !== undefined ? `${resourceType}/${id} of ${patient}` : undefined;

const documentOf = (text, resource, place) => {
  const key = keyOf(resource, patientIn(resource));
  return {
    json: text,
    name: `${resource.resourceType} in ${place}`,
    resource: resource.resourceType,
    ...(key === undefined ? {} : { key }),
  };
};

/** Counts lines that become no document, by reason. */
class LeftOut {
  #told = new Map();

  add(reason, words) {
    const count = (this.#told.get(reason)?.count ?? 0) + 1;
    this.#told.set(reason, { what: 'Lines', count, words, reason });
  }

  items() {
    return [...this.#told.values()].map((leftOut) => ({ leftOut }));
  }
}

/** The resources of one export, in one file or several. */
export class Resources {
  #drugs;
  #most;
  #leftOut = new LeftOut();
  #patient;

  /** @param most the most bytes of a document */
  constructor(most, drugs = new Drugs(most)) {
    this.#most = most;
    this.#drugs = drugs;
  }

  /**
   * The documents of one file, but for those that wait for their drugs.
   * @param file its name, if it is one of several
   * @throws invalidFile for another kind of file, and for files about several people
   */
  async *documentsIn(chunks, file) {
    let found = false;
    for await (const { number, text } of linesOf(chunks, this.#most)) {
      const resource = text ? resourceIn(text) : undefined;
      const place = file === undefined ? `line ${number}` : `line ${number} of ${file}`;
      if (text === undefined) {
        this.#leftOut.add('large', 'they are longer than a document may be');
      } else if (resource === undefined && text !== '') {
        if (!found) {
          throw invalidFile(`${place} is no FHIR resource in JSON: each line must be one, such as {"resourceType": ...}`);
        }
        this.#leftOut.add('damaged', 'they are no FHIR resources in JSON; the file may be cut off');
      } else if (resource?.resourceType === 'OperationOutcome') {
        this.#leftOut.add('no-place', 'they tell of the export and of nobody\'s health');
      } else if (resource !== undefined) {
        this.#requireSamePatient(patientIn(resource), place);
        yield* this.#drugs.take(documentOf(text, resource, place), resource);
      }
      found ||= resource !== undefined;
    }
    if (!found) {
      throw invalidFile('it has no FHIR resource');
    }
  }

  #requireSamePatient(patient, place) {
    this.#patient ??= patient;
    if (patient !== undefined && patient !== this.#patient) {
      throw invalidFile(`${place} is about another patient than those before it: give a file for each person`, 'people');
    }
  }

  /** The documents that waited, and what was left out, at the end of all files. */
  *rest() {
    yield* this.#drugs.rest();
    yield* this.#leftOut.items();
  }
}

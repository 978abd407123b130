/**
 * intake: makes a document for each resource in a file of a Bulk Data export. Each document is named after the resource
 * and its patient.
 */
import { Drugs } from '../common/drugs.mjs';
import { unpacked } from '../common/gunzip.mjs';
import { invalidFile } from '../common/invalid-file.mjs';
import { linesOf } from './lines.mjs';

/**
 * At most this many resources, or characters of them, are read before the first document is returned. Most files about
 * several people are recognized by then.
 */
const AHEAD_RESOURCES = 1000;
const AHEAD_CHARACTERS = 20_000_000;

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

const documentOf = (text, resource, number) => {
  const key = keyOf(resource, patientIn(resource));
  return {
    json: text,
    name: `${resource.resourceType} in line ${number}`,
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

/**
 * The documents of the lines.
 * @throws invalidFile for another kind of file, and for a file about several people
 */
async function* documentsIn(chunks, most, leftOut) {
  const drugs = new Drugs(most);
  let patient;
  let found = false;
  for await (const { number, text } of linesOf(chunks, most)) {
    const resource = text ? resourceIn(text) : undefined;
    if (text === undefined) {
      leftOut.add('large', 'they are longer than a document may be');
    } else if (resource === undefined && text !== '') {
      if (!found) {
        throw invalidFile(`line ${number} is no FHIR resource in JSON: each line must be one, such as {"resourceType": ...}`);
      }
      leftOut.add('damaged', 'they are no FHIR resources in JSON; the file may be cut off');
    } else if (resource?.resourceType === 'OperationOutcome') {
      leftOut.add('no-place', 'they tell of the export and of nobody\'s health');
    } else if (resource !== undefined) {
      const own = patientIn(resource);
      patient ??= own;
      if (own !== undefined && own !== patient) {
        throw invalidFile(`line ${number} is about another patient than those before it: give a file for each person`, 'people');
      }
      yield* drugs.take(documentOf(text, resource, number), resource);
    }
    found ||= resource !== undefined;
  }
  if (!found) {
    throw invalidFile('it has no FHIR resource');
  }
  yield* drugs.rest();
}

/** @param input `chunks` are those of a file with one resource a line, packed by gzip or not */
export default async function* ({ chunks, options }) {
  const leftOut = new LeftOut();
  const ahead = [];
  let characters = 0;
  let waits = true;
  for await (const document of documentsIn(unpacked(chunks), options.maxDocumentBytes, leftOut)) {
    characters += document.json.length;
    if (waits) {
      ahead.push(document);
      waits = ahead.length < AHEAD_RESOURCES && characters < AHEAD_CHARACTERS;
      yield* waits ? [] : ahead.splice(0);
    } else {
      yield document;
    }
  }
  yield* ahead;
  yield* leftOut.items();
}

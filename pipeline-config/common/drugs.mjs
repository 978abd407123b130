/**
 * drugs: joins a medicine with the resource that names its drug, where the two came in different lines or files. Most
 * exports give the drug of a request as a resource of its own, and alone neither says what somebody takes.
 */

const TAKEN = /^Medication(?:Request|Statement|Administration|Dispense)$/;
const REFERENCE = /(?:^|\/)Medication\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]*)?$/;
/** At most this many characters of drugs, and of medicines that wait for one, are held. */
const MOST = 20_000_000;

/** The id of the drug that a resource only refers to; undefined when it says the drug itself or is no medicine. */
const drugOf = (resource) =>
  TAKEN.test(resource.resourceType) && resource.medicationCodeableConcept === undefined
    ? REFERENCE.exec(resource.medicationReference?.reference ?? '')?.[1]
    : undefined;

const joined = (text, drug) =>
  `{"resourceType":"Bundle","type":"collection","entry":[{"resource":${text}},{"resource":${drug}}]}`;

const ELSEWHERE = {
  what: 'Medicines',
  words: 'their drugs stand in another file of the export: give its files together, in one ZIP archive',
  reason: 'drug-elsewhere',
};

/** The drugs of one export, and the medicines that wait for theirs. */
export class Drugs {
  #drugs = new Map();
  #waiting = [];
  #held = 0;
  #most;
  #missing = 0;

  /** @param most the most bytes of a document */
  constructor(most) {
    this.#most = most;
  }

  #hasRoom(text) {
    this.#held += text.length;
    return this.#held <= MOST;
  }

  #joined(document, id) {
    const drug = this.#drugs.get(id);
    this.#missing += drug === undefined ? 1 : 0;
    const json = drug && joined(document.json, drug);
    return json && Buffer.byteLength(json) <= this.#most ? { ...document, json } : document;
  }

  /**
   * The documents that can be given now: none if this one waits for its drug.
   * @param document with the text of the resource in `json`
   */
  take(document, resource) {
    const text = document.json;
    if (resource.resourceType === 'Medication' && typeof resource.id === 'string' && this.#hasRoom(text)) {
      // Two drugs of one id mean neither.
      this.#drugs.set(resource.id, this.#drugs.has(resource.id) && this.#drugs.get(resource.id) !== text ? '' : text);
    }
    const id = drugOf(resource);
    if (id === undefined || !this.#hasRoom(text)) {
      return [document];
    }
    this.#waiting.push({ document, id });
    return [];
  }

  /** The documents that waited, at the end of the export, and how many of them found no drug. */
  rest() {
    const documents = this.#waiting.map(({ document, id }) => this.#joined(document, id));
    return this.#missing === 0 ? documents : [...documents, { leftOut: { ...ELSEWHERE, count: this.#missing } }];
  }
}

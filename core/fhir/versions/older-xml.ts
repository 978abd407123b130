/**
 * older-xml: reads resources of FHIR DSTU2, STU3 and R5 in XML as R4. XML does not say what is a list or a number, so a
 * table names the elements that R4 does not have (pure).
 */
import { LosslessNumber } from 'lossless-json';
import type { LeftOut } from '../../base/left-out';
import { fhirType, type FhirElement } from '../elements';
import { sliceEntries, type EntrySlice } from '../entry-slices';
import type { Tree } from '../from-xml';
import { fromNewer, typeOfNewer } from './newer-resources';
import { fromOlder, typeInR4 } from './older-resources';
import { convertedEntry } from '../readable-entries';

type Json = string | number | boolean | LosslessNumber | JsonMembers | readonly Json[];
type JsonMembers = { readonly [name: string]: Json };

/** Elements of other versions, and the type of R4 that is inside; a star means a list. */
const OLDER: Readonly<Record<string, string>> = {
  patient: 'Reference',
  context: 'Reference',
  reporter: 'Reference',
  prescriber: 'Reference',
  practitioner: 'Immunization_Performer*',
  agent: 'Reference',
  onBehalfOf: 'Reference',
  target: 'Reference',
  related: 'Element*',
  explanation: 'Element',
  reason: 'CodeableConcept*',
  reasonNotGiven: 'CodeableConcept*',
  reasonNotTaken: 'CodeableConcept*',
  reasonCodeableConcept: 'CodeableConcept',
  reasonForUseCodeableConcept: 'CodeableConcept',
  reasonForUseReference: 'Reference*',
  supportingInformation: 'Reference*',
  substance: 'CodeableConcept',
  meaning: 'CodeableConcept',
  role: 'CodeableConcept',
  siteCodeableConcept: 'CodeableConcept',
  additionalInstructions: 'CodeableConcept',
  onsetQuantity: 'Age',
  abatementQuantity: 'Age',
  quantityQuantity: 'Quantity',
  quantityRange: 'Range',
  doseQuantity: 'Quantity',
  doseRange: 'Range',
  rateRatio: 'Ratio',
  rateRange: 'Range',
  rateQuantity: 'Quantity',
  vaccinationProtocol: 'Immunization_ProtocolApplied*',
  doseStatus: 'CodeableConcept',
  doseStatusReason: 'CodeableConcept',
  reasonNotPerformed: 'CodeableConcept*',
  notDoneReason: 'CodeableConcept',
  notDoneReasonCodeableConcept: 'CodeableConcept',
  reasonGiven: 'CodeableConcept*',
  effectiveTimePeriod: 'Period',
  udi: 'Device_UdiCarrier',
  whenUsed: 'Period',
  indication: 'CodeableConcept*',
  definition: 'Reference*',
  prescription: 'Reference',
  dispenser: 'Reference',
  orderer: 'Reference',
  codedDiagnosis: 'CodeableConcept*',
  image: 'DiagnosticReport_Media*',
  careProvider: 'Reference*',
  incomingReferral: 'Reference*',
  targetQuantity: 'Quantity',
  product: 'Medication',
  item: 'Reference',
  amount: 'Ratio',
  actor: 'Reference',
  class: 'CodeableConcept',
  // Of R5, which has a concept or a reference in one element.
  concept: 'CodeableConcept',
  reference: 'Reference',
  coding: 'Coding*',
  name: 'Element*',
  participant: 'Element*',
};
const NUMBERS = new Set(['doseSequence', 'seriesDoses']);

/** A text that has one of these names may be from another version. */
const OLD_NAMES =
  /<(?:[\w.-]+:)?(?:(?:MedicationOrder|dateRecorded|assertedDate|dateWritten|dateEnded|prescriber|substance|wasNotGiven|notGiven|wasNotTaken|taken|comments?|notes|vaccinationProtocol|explanation|reported|lastOccurence|related|meaning|reasonForUse\w+|reasonNotTaken|periodUnits|additionalInstructions|doseQuantity|context|reporter|quantityQuantity|notDone|notPerformed|reasonNotPerformed|reasonNotGiven|reasonGiven|targetDate|targetQuantity|udi|expiry|whenUsed|codedDiagnosis|careProvider|prohibited|incomingReferral|effectiveTime\w+|ProcedureRequest|indexed|Goal|isBrand|product|practitioner|dispenser|role|reason|concept|actualPeriod|admission|adherence|DeviceUsage|occurence\w+|asNeededFor|renderedDosageInstruction|triggeredBy|doseNumber|seriesDoses)[\s/>]|class>\s*<(?:[\w.-]+:)?coding|(?:clinicalStatus|verificationStatus|class)\s+value=)|fhir\/allergy-intolerance-type"/;

/** Resources in which only R5 has two names that R4 has in others, and these names. */
const NEW_PLACES =
  /<(\/?)(?:[\w.-]+:)?(?:(Procedure|Condition|AllergyIntolerance)|occurrence[A-Z]\w+|participant)(?=[\s/>])/g;

/** Whether one of these names stands in one of these resources; each of them is looked at once. */
function hasNewPlaces(text: string): boolean {
  let isInside = false;
  for (const [, closing, resource] of text.matchAll(NEW_PLACES)) {
    if (resource !== undefined) {
      isInside = closing === '';
    } else if (isInside) {
      return true;
    }
  }
  return false;
}

/** Whether the text may have resources of another version; a tree of it is made only then, because that takes long. */
export function mayBeOlder(text: string): boolean {
  return OLD_NAMES.test(text) || hasNewPlaces(text);
}

const PLAIN: FhirElement = {
  name: '',
  kind: 'text',
  type: '',
  many: false,
  isDay: false,
  isKept: false,
  isInSummary: false,
};

function elementFor(type: string, tree: Tree): FhirElement {
  const known = fhirType(type)?.elements.get(tree.name);
  const older = Object.hasOwn(OLDER, tree.name) ? OLDER[tree.name]! : '';
  // A code or a text may have become a concept or a note.
  const isPlain = tree.attributes.has('value') && (known === undefined || known.kind === 'complex');
  const isInside = tree.elements.length > 0;
  if (isPlain || (known === undefined && older === '' && !isInside)) {
    return PLAIN;
  }
  // The class of a visit became a list of concepts, and codes became concepts.
  if (type === 'Encounter' && tree.name === 'class' && tree.elements.some(({ name }) => name === 'coding')) {
    return { ...PLAIN, kind: 'complex', type: 'CodeableConcept', many: true };
  }
  if (isInside && (known ? known.kind === 'text' : older === '')) {
    return { ...PLAIN, kind: 'complex', type: 'CodeableConcept' };
  }
  return known ?? { ...PLAIN, kind: 'complex', type: older.replace('*', ''), many: older.endsWith('*') };
}

function plainOf(name: string, kind: FhirElement['kind'], text: string): Json {
  if (kind === 'number' || NUMBERS.has(name)) {
    return /^-?\d+(?:\.\d+)?$/.test(text) ? new LosslessNumber(text) : text;
  }
  const isBoolean =
    kind === 'boolean' || /^(?:was|not[DGPT]|reported$|prohibited$|asNeeded$|is[BOS]|.*Boolean$)/.test(name);
  return isBoolean && ['true', 'false'].includes(text) ? text === 'true' : text;
}

function readElementValue(tree: Tree, { kind, type }: FhirElement, div: string): Json {
  if (kind === 'xhtml') {
    return div;
  }
  if (kind === 'resource') {
    const [inside] = tree.elements;
    return inside ? { resourceType: inside.name, ...membersOf(inside, inside.name, '') } : {};
  }
  return kind === 'complex' ? membersOf(tree, type, div) : plainOf(tree.name, kind, tree.attributes.get('value') ?? '');
}

/** A list where R4 has one; what stood alone in the older version stands alone, as its steps expect. */
function asMember(element: FhirElement, values: readonly Json[]): Json {
  const isList = values.length > 1 || (element.many && element.kind === 'complex') || element.kind === 'resource';
  return isList ? values : values[0]!;
}

function membersOf(tree: Tree, type: string, div: string): JsonMembers {
  const attributes = ['id', 'url'].flatMap((name) => {
    const value = fhirType(type)?.elements.get(name)?.kind === 'attribute' ? tree.attributes.get(name) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const names = [...new Set(tree.elements.map(({ name }) => name))];
  const members = names.map((name) => {
    const all = tree.elements.filter((one) => one.name === name);
    const element = elementFor(type, all[0]!);
    const values = all.map((one) => readElementValue(one, element, div));
    const isText = ['text', 'number', 'boolean'].includes(element.kind);
    // The steps know this category by its text.
    const isOther = name === 'category' && values[0] === 'other';
    return [name, element.many && isText && !isOther ? values : asMember(element, values)] as const;
  });
  return Object.fromEntries([...attributes, ...members]);
}

/** Whoever gave a vaccine was one reference before there were several with their parts in it. */
function withPlainPerformer(resource: JsonMembers): JsonMembers {
  const [performer, ...more] = Array.isArray(resource['performer']) ? (resource['performer'] as readonly Json[]) : [];
  const isPlain = typeof performer === 'object' && ('reference' in performer || 'display' in performer);
  return isPlain && more.length === 0 && resource['resourceType'] === 'Immunization'
    ? { ...resource, performer }
    : resource;
}

function divIn(text: string): string {
  return /<(?:[\w.-]+:)?div[\s>][\s\S]*<\/(?:[\w.-]+:)?div>/.exec(text)?.[0] ?? '';
}

type ToXml = (resource: Readonly<Record<string, unknown>>) => string | undefined;

type Found = { readonly name: string; readonly xml: string; readonly isNewer: boolean };

function r4Of(tree: Tree, text: string, toXml: ToXml): Found | undefined {
  const type = typeOfNewer(typeInR4(tree.name));
  const given = withPlainPerformer({ resourceType: tree.name, ...membersOf(tree, type, divIn(text)) });
  for (const [convert, isNewer] of [
    [fromOlder, false],
    [fromNewer, true],
  ] as const) {
    const converted = convert(given);
    const xml = converted && toXml(converted);
    if (xml !== undefined) {
      return { name: String(converted!['resourceType']), xml, isNewer };
    }
  }
  return undefined;
}

function resourcesIn(bundle: Tree): readonly (Tree | undefined)[] {
  return bundle.elements
    .filter(({ name }) => name === 'entry')
    .map((entry) => entry.elements.find(({ name }) => name === 'resource')?.elements[0]);
}

/**
 * @param toXml a resource of R4 as XML; undefined for what is not R4
 * @returns the document with its resources of other versions as R4, and what is told of these; undefined where there
 * are none
 */
export function olderAsR4(
  tree: Tree,
  text: string,
  toXml: ToXml,
): { readonly text: string; readonly told: readonly LeftOut[] } | undefined {
  if (tree.name !== 'Bundle') {
    const found = r4Of(tree, text, toXml);
    return found && { text: found.xml, told: [convertedEntry(found.name, found.name, found.isNewer)] };
  }
  const resources = resourcesIn(tree);
  const sliced = sliceEntries(text);
  const told: LeftOut[] = [];
  const parts: string[] = [];
  let place = 0;
  const replace = ({ start, end, index }: EntrySlice, { name, xml, isNewer }: Found): void => {
    parts.push(text.slice(place, start), xml);
    place = end;
    told.push(convertedEntry(name, `entry ${index + 1}`, isNewer));
  };
  for (const slice of sliced.slices) {
    const resource = resources[slice.index];
    const found = resource && r4Of(resource, text.slice(slice.start, slice.end), toXml);
    if (found) {
      replace(slice, found);
    }
  }
  return told.length === 0 ? undefined : { text: parts.join('') + text.slice(place), told };
}

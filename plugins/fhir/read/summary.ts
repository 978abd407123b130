/**
 * summary: writes what is known of a person as a document in the manner of the International Patient Summary: sections
 * with narrative, and the resources that they mention (pure).
 */
import { type Resource, type Versioned, filled, reference } from '../../../core/fhir/resource';
import { type Coded, dateOf, summaryLine, nameIn } from '../../../core/language/summary-lines';
import { eachInSlices, filterInSlices, mapInSlices, sortedInSlices } from '../../../core/base/turns/slices';
import { escaped } from '../../../core/fhir/write';
import { provenanceInside } from './joined';

type Section = {
  readonly title: string;
  /** The section's LOINC code. */
  readonly code: string;
  readonly display: string;
  readonly types: readonly string[];
  /** True when the section is written even if nothing is known, which it then says. */
  readonly isRequired: boolean;
  readonly holds: (resource: Resource) => boolean;
  /** What the section contains in place of the resource, where that differs. */
  readonly says?: (resource: Versioned, patientId: string) => Versioned;
};

/** The codes of coded values. */
export function codesIn(value: unknown): readonly string[] {
  return ([value ?? []].flat() as readonly Coded[]).flatMap(({ coding = [] }) =>
    coding.flatMap(({ code }) => code ?? []),
  );
}

/** Whether a problem or an allergy is over. */
export function isPast({ clinicalStatus }: Resource): boolean {
  return codesIn(clinicalStatus).some((code) => ['resolved', 'inactive', 'remission'].includes(code));
}
function hasCategory(code: string) {
  return ({ category }: Resource): boolean => codesIn(category).includes(code);
}
export const isMeasurement = hasCategory('vital-signs');
/** LOINC codes of smoking and drinking, which belong to social history whatever category the source gave them. */
const HABITS = ['72166-2', '11367-0', '74013-4', '11331-6'];
export function isSocial(resource: Resource): boolean {
  return hasCategory('social-history')(resource) || codesIn(resource['code']).some((code) => HABITS.includes(code));
}
/** A report that says nothing in addition to its results, which are listed by themselves. */
function onlyHoldsResults({ result, conclusion }: Resource): boolean {
  return result !== undefined && conclusion === undefined;
}
function any(): boolean {
  return true;
}

function section(
  code: string,
  display: string,
  title: string,
  types: readonly string[],
  more: Partial<Section> = {},
): Section {
  return { code, display, title, types, isRequired: false, holds: any, ...more };
}

const absent = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
};

/** The status of a device's use, by the status of the device. */
const useStates: Readonly<Record<string, string>> = { active: 'active', inactive: 'completed' };

/**
 * A summary names the use of a device. The time of use is absent, because the Device does not state it in a usable
 * form.
 */
function useOf(device: Versioned, patientId: string): Versioned {
  const status = useStates[String(device['status'])];
  return filled({
    resourceType: 'DeviceUseStatement',
    id: device.id,
    meta: device.meta,
    text: narrative(`<p>${escaped(summaryLine(device))}</p>`),
    ...(status === undefined ? { _status: absent } : { status }),
    subject: reference('Patient', patientId),
    _timingDateTime: absent,
    device: reference('Device', device.id),
  });
}

const sections: readonly Section[] = [
  section('11450-4', 'Problem list - Reported', 'Problems', ['Condition'], {
    isRequired: true,
    holds: (resource) => !isPast(resource),
  }),
  section('48765-2', 'Allergies and adverse reactions Document', 'Allergies and intolerances', ['AllergyIntolerance'], {
    isRequired: true,
  }),
  section(
    '10160-0',
    'History of Medication use Narrative',
    'Medications',
    ['MedicationStatement', 'MedicationRequest'],
    { isRequired: true },
  ),
  section('11369-6', 'History of Immunization note', 'Immunizations', ['Immunization']),
  section('30954-2', 'Relevant diagnostic tests/laboratory data note', 'Results', ['Observation', 'DiagnosticReport'], {
    holds: (resource) => !isMeasurement(resource) && !isSocial(resource) && !onlyHoldsResults(resource),
  }),
  section('47519-4', 'History of Procedures Document', 'Procedures', ['Procedure']),
  section('46264-8', 'History of medical device use', 'Devices', ['Device', 'DeviceUseStatement'], {
    holds: ({ resourceType, patient }) => resourceType !== 'Device' || patient !== undefined,
    says: (resource, patientId) => (resource.resourceType === 'Device' ? useOf(resource, patientId) : resource),
  }),
  section('11348-0', 'History of Past illness note', 'Past problems', ['Condition'], { holds: isPast }),
  section('8716-3', 'Vital signs note', 'Vital signs', ['Observation'], { holds: isMeasurement }),
  section('29762-2', 'Social history note', 'Social history', ['Observation'], { holds: isSocial }),
];

/** Types of resources that a summary names. */
export const summaryTypes: readonly string[] = [...new Set(['Patient', ...sections.flatMap(({ types }) => types)])];

/** Types that are included where others refer to them. */
export const besideTypes: readonly string[] = [
  ...['Practitioner', 'PractitionerRole', 'Organization', 'RelatedPerson', 'Encounter', 'Location'],
  ...['Medication', 'Device', 'Specimen', 'ImagingStudy'],
];

function narrative(content: string): object {
  return {
    status: 'generated',
    div: `<div xmlns="http://www.w3.org/1999/xhtml">${content}</div>`,
  };
}

const EMPTY_REASON = 'http://terminology.hl7.org/CodeSystem/list-empty-reason';

type SummaryFacts = {
  /** Address of the door, before the type and id of each resource. */
  readonly base: string;
  readonly id: string;
  /** FHIR instant. */
  readonly now: string;
  readonly patient: Versioned;
  /** All resources that the summary may name or refer to. */
  readonly resources: readonly Versioned[];
  /** The ids of resources that a newer list of their sender does not have any more, with the date of that list. */
  readonly missing?: ReadonlyMap<string, string>;
  /** What sources say differently, by the ids of resources. */ readonly notes?: ReadonlyMap<string, string>;
  /** Who says what several statements say together. */ readonly provenances?: readonly Versioned[];
  /** Types that the token does not permit. */
  readonly withheld: ReadonlySet<string>;
  /** Whether it is of a carenet. */ readonly isPart: boolean;
};

type Stated = Pick<SummaryFacts, 'missing' | 'notes' | 'now'>;

type Filled = {
  readonly section: Section;
  /** The resources that the narrative mentions; `entries` are what the section contains for them. */
  readonly found: readonly Versioned[];
  readonly entries: readonly Versioned[];
};

async function newestFirst(resources: readonly Versioned[]): Promise<readonly Versioned[]> {
  const dated = await mapInSlices(resources, (resource) => ({ resource, date: dateOf(resource) }));
  const sorted = await sortedInSlices(
    dated,
    (one, other) => Number(one.date < other.date) - Number(one.date > other.date),
  );
  return sorted.map(({ resource }) => resource);
}

/** What happens once: with a date to come, it has not happened yet, whatever its status is. */
const ONCE: readonly string[] = ['Immunization', 'Procedure', 'Observation', 'DiagnosticReport'];
const DAY = 86_400_000;

/** Whether the date lies in the future in every zone. @param now milliseconds */
export function isToCome(resource: Versioned, now: number): boolean {
  const tomorrow = new Date(now + DAY).toISOString().slice(0, 10);
  return ONCE.includes(resource.resourceType) && dateOf(resource) > tomorrow;
}

/** A statement in words. One that a newer list lacks is neither ended nor silently current. */
function statedLine(resource: Versioned, { missing, notes, now }: Stated): string {
  const date = missing?.get(resource.id);
  const note = notes?.get(resource.id);
  const line = `${summaryLine(resource)}${isToCome(resource, Date.parse(now)) ? ' (this date is still to come; please check it)' : ''}`;
  const said = note === undefined ? line : `${line}. ${note}`;
  return date === undefined
    ? said
    : `${said}, not in the newer list of its source${date === '' ? '' : ` of ${date.slice(0, 10)}`}`;
}

async function sectionOf(
  { section: { title, code, display, types }, found, entries }: Filled,
  facts: Stated & Pick<SummaryFacts, 'withheld'>,
): Promise<object> {
  const isWithheld = types.every((type) => facts.withheld.has(type));
  const items = (await mapInSlices(found, (resource) => `<li>${escaped(statedLine(resource, facts))}</li>`)).join('');
  const silence = isWithheld ? 'This is not shown.' : 'Nothing is known about this.';
  return filled({
    title,
    code: { coding: [{ system: 'http://loinc.org', code, display }] },
    text: narrative(entries.length > 0 ? `<ul>${items}</ul>` : `<p>${silence}</p>`),
    entry: entries.map(({ resourceType, id }) => reference(resourceType, id)),
    emptyReason:
      entries.length > 0
        ? undefined
        : {
            coding: [
              isWithheld
                ? { system: EMPTY_REASON, code: 'withheld', display: 'Information Withheld' }
                : { system: EMPTY_REASON, code: 'unavailable', display: 'Unavailable' },
            ],
          },
  });
}

const AUTHOR = 'personal-health-records-service';

const author = {
  resourceType: 'Device',
  id: AUTHOR,
  text: narrative('<p>Personal Health Records Service</p>'),
  deviceName: [{ name: 'Personal Health Records Service', type: 'user-friendly-name' }],
};

/** Every `reference` in a resource, however deep. */
export function referencesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const { reference: name } = value as { readonly reference?: unknown };
  const inside = Object.values(value).flatMap(referencesIn);
  return typeof name === 'string' ? [name, ...inside] : inside;
}

/** The resources, and all resources to which they refer, directly or through others. */
async function referredTo(
  told: readonly Versioned[],
  all: ReadonlyMap<string, Versioned>,
): Promise<readonly Versioned[]> {
  const found = new Map(told.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]));
  // What is added to the map meanwhile is looked at, too.
  await eachInSlices(found.values(), (resource) => {
    for (const name of referencesIn(resource)) {
      const other = all.get(name);
      if (other && !found.has(name)) {
        found.set(name, other);
      }
    }
  });
  return [...found.values()];
}

function withText(resource: Versioned): Versioned {
  return resource['text'] === undefined && resource.resourceType !== 'Patient'
    ? ({ ...resource, text: narrative(`<p>${escaped(summaryLine(resource))}</p>`) } as Versioned)
    : resource;
}

async function filledSection(section: Section, patient: Versioned, resources: readonly Versioned[]): Promise<Filled> {
  const held = await filterInSlices(
    resources,
    (resource) => section.types.includes(resource.resourceType) && section.holds(resource),
  );
  const found = await newestFirst(held);
  const entries = await mapInSlices(found, (resource) => section.says?.(resource, patient.id) ?? resource);
  return { section, found, entries };
}

/** As `map`, one after the other. */
async function workInOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(await work(item));
  }
  return results;
}

const takenBack = ['entered-in-error', 'cancelled'];

/** Whether a resource says what is or was so: not what was taken back, forbidden or changed in its meaning. */
export function isSaid({ status, verificationStatus, doNotPerform, modifierExtension }: Resource): boolean {
  return (
    !takenBack.includes(String(status)) &&
    !codesIn(verificationStatus).includes('entered-in-error') &&
    doNotPerform !== true &&
    modifierExtension === undefined
  );
}

type Medicated = {
  readonly medicationReference?: { readonly reference?: string; readonly display?: string };
  readonly contained?: readonly Resource[];
};

/** A medication that is named by another resource, with its name. */
function withMedicationName(resource: Versioned, all: ReadonlyMap<string, Versioned>): Versioned {
  const { medicationReference: named, contained = [] } = resource as Medicated;
  const reference = named?.reference ?? '';
  const medication = reference.startsWith('#')
    ? contained.find(({ id }) => `#${id}` === reference)
    : all.get(reference);
  const display = nameIn(medication?.['code']);
  return named === undefined || named.display !== undefined || display === ''
    ? resource
    : { ...resource, medicationReference: { ...named, display } };
}

function keyed(resources: readonly Versioned[]): ReadonlyMap<string, Versioned> {
  return new Map(resources.map((resource) => [`${resource.resourceType}/${resource.id}`, resource]));
}

function targetsOf({ target }: Resource): readonly string[] {
  return referencesIn(target);
}

/** What everything of a carenet says. */
const PART = '<p>What is shared with you may not be all.</p>';

/** A FHIR document: a Composition, and all resources that it mentions. */
export async function summaryOf(facts: SummaryFacts): Promise<Resource> {
  const { base, id, now, patient } = facts;
  const said = await filterInSlices(facts.resources, isSaid);
  const byName = keyed(said);
  const resources = await mapInSlices(said, (resource) => withMedicationName(resource, byName));
  const filledSections = (await workInOrder(sections, (one) => filledSection(one, patient, resources))).filter(
    ({ section: { isRequired }, entries }) => isRequired || entries.length > 0,
  );
  const all = keyed(resources);
  const told = await referredTo(
    filledSections.flatMap(({ entries }) => entries),
    all,
  );
  const named = new Set(told.map(({ resourceType, id: own }) => `${resourceType}/${own}`));
  const sayers = (facts.provenances ?? [])
    .filter((provenance) => targetsOf(provenance).every((target) => named.has(target)))
    .map((provenance) => provenanceInside(provenance, named));
  const composition = {
    resourceType: 'Composition',
    id,
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` },
    text: narrative(`<p>Patient summary</p>${facts.isPart ? PART : ''}`),
    status: 'final',
    type: { coding: [{ system: 'http://loinc.org', code: '60591-5', display: 'Patient summary Document' }] },
    subject: reference('Patient', patient.id),
    date: now,
    author: [reference('Device', AUTHOR)],
    title: 'Patient summary',
    section: await workInOrder(filledSections, (one) => sectionOf(one, facts)),
  };
  return {
    resourceType: 'Bundle',
    identifier: { system: 'urn:ietf:rfc:3986', value: `urn:uuid:${id}` },
    type: 'document',
    timestamp: now,
    entry: [composition, patient, author, ...(await mapInSlices(told, withText)), ...sayers].map((resource) => ({
      fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
      resource,
    })),
  };
}

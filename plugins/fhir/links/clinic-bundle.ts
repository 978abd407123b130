/**
 * clinic-bundle: the Bundle that a clinic fetches: the Patient, the resources, the documents of the person. Every
 * reference leads to a resource of the Bundle (pure).
 */
import { randomUUID } from 'node:crypto';
import { mapInSlices } from '../../../core/base/turns/slices';
import { filled, resourceName, type Resource, type Versioned } from '../../../core/fhir/resource';
import { ASSERTED, BUNDLE_TYPE, CATEGORY } from '../../../core/received/clinic-profile';

type Entry = { readonly fullUrl: string; readonly resource: Resource };
/** `Condition/1` -> the address of the resource in the Bundle. */
type Addresses = ReadonlyMap<string, string>;

/** Elements that name the person whom a resource is about. */
const ABOUT_PERSON = ['subject', 'patient', 'beneficiary', 'individual'];

type Reference = { readonly reference: string; readonly display?: unknown; readonly identifier?: unknown };

/** The name of a resource here in a reference to it, without the version. */
function nameIn(reference: string, base: string): string {
  const own = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference;
  return own.replace(/\/_history\/[^/]*$/, '');
}

type Linking = { readonly addresses: Addresses; readonly patient: string; readonly base: string };

/** What is not in the Bundle is named by its words alone. */
function relinked(value: Reference, element: string, { addresses, patient, base }: Linking): object {
  const { reference, ...rest } = value;
  if (reference.startsWith('#')) {
    return value;
  }
  const found = addresses.get(nameIn(reference, base));
  if (found !== undefined) {
    return { ...rest, reference: found };
  }
  const isPerson = ABOUT_PERSON.includes(element) && /(^|\/)Patient\/[^/]+$/.test(nameIn(reference, base));
  if (isPerson && element !== 'individual') {
    return { ...rest, reference: patient };
  }
  return rest.display === undefined && rest.identifier === undefined ? { ...rest, display: 'Not shared' } : rest;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

/** A value with its references led into the Bundle. Numbers that are kept with all their digits are objects, too. */
function linkedIn(value: unknown, element: string, linking: Linking): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => linkedIn(one, element, linking));
  }
  if (typeof value !== 'object' || value === null || !isPlain(value)) {
    return value;
  }
  const inside = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, linkedIn(one, name, linking)] as const),
  );
  return typeof inside['reference'] === 'string' ? relinked(inside as Reference, element, linking) : inside;
}

/** Clinics read no profiles of this service, and its versions are nothing to them. */
function withoutProfile({ meta, ...resource }: Resource): Resource {
  const { profile: _profile, versionId: _version, ...rest } = meta ?? ({} as Partial<NonNullable<Resource['meta']>>);
  return filled({ ...resource, meta: rest }) as Resource;
}

/** A document of the person for the clinic. */
export type PersonsDocument = {
  readonly type: { readonly system: string; readonly code: string; readonly display: string };
  readonly title: string;
  readonly pdf: Buffer;
};

function personsDocument({ type, title, pdf }: PersonsDocument, now: string, patient: string): Resource {
  return {
    resourceType: 'DocumentReference',
    meta: { security: [ASSERTED] } as unknown as NonNullable<Resource['meta']>,
    status: 'current',
    type: { coding: [type] },
    category: [CATEGORY],
    subject: { reference: patient },
    date: now,
    author: [{ reference: patient }],
    description: title,
    content: [{ attachment: { contentType: 'application/pdf', data: pdf.toString('base64'), title, creation: now } }],
  };
}

type ClinicFacts = {
  /** FHIR instant. */ readonly now: string;
  /** Address of the FHIR door, with which references may begin. */ readonly base: string;
  readonly patient: Versioned;
  readonly resources: readonly Versioned[];
  readonly documents: readonly PersonsDocument[];
};

/** Each fetch has addresses of its own, so that no two of them can be joined by these. */
function newAddress(): string {
  return `urn:uuid:${randomUUID()}`;
}

export async function clinicBundle(facts: ClinicFacts): Promise<Resource> {
  const { now, base, patient, resources, documents } = facts;
  const all = [patient, ...resources];
  const addresses: Addresses = new Map(all.map((resource) => [resourceName(resource), newAddress()]));
  const linking: Linking = { addresses, patient: addresses.get(resourceName(patient))!, base };
  const entries = await mapInSlices(all, (resource): Entry => ({
    fullUrl: addresses.get(resourceName(resource))!,
    resource: withoutProfile(linkedIn(resource, '', linking) as Resource),
  }));
  const shared = documents.map((one): Entry => ({
    fullUrl: newAddress(),
    resource: personsDocument(one, now, linking.patient),
  }));
  return { resourceType: 'Bundle', type: BUNDLE_TYPE, timestamp: now, entry: [...entries, ...shared] };
}

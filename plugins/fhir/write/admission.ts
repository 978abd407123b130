/**
 * admission: checks resources before they are stored. They are one resource of the type in the address, or a Bundle of
 * new resources, and all of them must be about the person of this record.
 */
import { allows } from '../../../core/tokens/smart-scopes';
import { errors } from '../../../core/base/errors';
import { FHIR } from '../../../core/fhir/json-to-xml';
import type { NamedPatient, Outline, OutlinePart } from '../../../core/fhir/outline';
import { withArticle } from '../../../core/fhir/resource';
import { readReference } from '../search/search-query';
import { fhirBase, type Asking } from '../asking';

/** The types of Bundles that can be stored. Other types are results of searches and answers to requests. */
const bundleTypes = ['transaction', 'batch', 'collection', 'document'];
const requestTypes = ['transaction', 'batch'];

function checkScopes({ principal }: Asking, types: readonly string[]): void {
  const refused = types.find((type) => !allows(principal.scopes, type, 'c'));
  if (refused !== undefined) {
    throw errors.outsideScope(`patient/${refused}.c`);
  }
}

/** Whether a request of an entry asks for a new resource of its type. */
function asksFor(url: string, type: string, base: string): boolean {
  return url === type || url === `${base}/${type}`;
}

/** Refuses addresses with which a reference in the Bundle could mean several entries (bdl-7, bdl-8 of R4). */
function checkFullUrls(parts: readonly OutlinePart[]): void {
  const places = new Map<string, number>();
  parts.forEach(({ fullUrl, versionId }, index) => {
    const place = `Bundle.entry[${index}]`;
    if (fullUrl.includes('/_history/')) {
      throw errors.unprocessable(`${place} has a fullUrl that names a version (bdl-8)`);
    }
    const key = JSON.stringify([fullUrl, versionId]);
    const first = places.get(key);
    if (fullUrl !== '' && first !== undefined) {
      throw errors.unprocessable(
        `${place} has the fullUrl of Bundle.entry[${first}], and meta.versionId does not tell them apart (bdl-7)`,
      );
    }
    places.set(key, index);
  });
}

function checkBundle({ bundleType, parts }: Outline, base: string): void {
  if (!bundleTypes.includes(bundleType)) {
    throw errors.unprocessable(`a Bundle to be stored has one of the types ${bundleTypes.join(', ')}`);
  }
  if (parts.length === 0) {
    throw errors.unprocessable('a Bundle without entries has nothing to be stored');
  }
  checkFullUrls(parts);
  parts.forEach(({ type, method, url, ifNoneExist }, index) => {
    const place = `Bundle.entry[${index}]`;
    if (['GET', 'HEAD'].includes(method)) {
      throw errors.unprocessable(`${place} asks to read: only a batch in JSON takes such entries`);
    }
    if (method !== 'POST' && (requestTypes.includes(bundleType) || method !== '')) {
      throw errors.unprocessable(`${place} asks for something else than to create: nothing is updated or deleted here`);
    }
    if (ifNoneExist !== '' && bundleType !== 'transaction') {
      throw errors.unprocessable(`${place} is conditional: only a batch in JSON and a transaction take conditions`);
    }
    if (type === '') {
      throw errors.unprocessable(`${place} has no resource`);
    }
    if (requestTypes.includes(bundleType) && !asksFor(url, type, base)) {
      throw errors.unprocessable(`${place} is ${withArticle(type)} and must be sent to ${type}`);
    }
  });
}

/** The Patients inside the document, by every name that a reference may use for them. */
function carriedPatients({ type, parts }: Outline): ReadonlySet<string> {
  return new Set(
    type === 'Bundle'
      ? parts
          .filter((part) => part.type === 'Patient')
          .flatMap(({ id, fullUrl }) => [fullUrl, id === '' ? '' : `Patient/${id}`])
          .filter((name) => name !== '')
      : [],
  );
}

function checkPatients({ services, scope }: Asking, outline: Outline, met: ReadonlySet<string>): void {
  const carried = carriedPatients(outline);
  const base = fhirBase(services);
  const isOwn = (reference: string): boolean => {
    const found = readReference(reference, base);
    return found !== undefined && (found.type ?? 'Patient') === 'Patient' && found.id === scope.recordId;
  };
  const versionless = (reference: string): string => reference.replace(/\/_history\/[^/]*$/, '');
  const isOther = ({ reference }: NamedPatient): boolean =>
    !isOwn(reference) && !met.has(reference) && !carried.has(versionless(reference)) && !carried.has(reference);
  outline.parts.forEach((part, index) => {
    if (part.patients.some(isOther)) {
      const place = outline.type === 'Bundle' ? `Bundle.entry[${index}]: ${part.type}` : part.type;
      throw errors.unprocessable(`${place} names another Patient than the one of this record`);
    }
  });
}

/** Refuses resources without what R4 requires of them. */
function checkRequired({ type, parts }: Outline): void {
  parts.forEach((part, index) => {
    const [missing] = part.missing;
    if (missing !== undefined) {
      const place = type === 'Bundle' ? `Bundle.entry[${index}].resource.${missing}` : `${part.type}.${missing}`;
      throw errors.unprocessable(`${place} is missing, which FHIR R4 requires of ${withArticle(part.type)}`);
    }
  });
}

/** The conditions that stand in the place of references to a Patient, such as `Patient?identifier=urn:clinic|1`. */
export function conditionsIn(outline: Outline, base: string): ReadonlyMap<string, URLSearchParams> {
  return new Map(
    outline.parts
      .flatMap(({ patients }) => patients)
      .flatMap(({ reference }) => {
        const relative = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference;
        const [, query] = /^Patient\?(.+)$/.exec(relative) ?? [];
        return query === undefined ? [] : [[reference, new URLSearchParams(query)] as const];
      }),
  );
}

/**
 * The parts to be stored, if the caller may store them.
 * @param met the conditions in the place of references that the Patient of the record meets
 * @param type the type in the address; `*` for the address of Bundles
 * @throws AppError invalid_document, unprocessable, outside_scope
 */
export function admit(
  asking: Asking,
  type: string,
  outline: Outline,
  met: ReadonlySet<string>,
): readonly OutlinePart[] {
  if (outline.namespace !== FHIR) {
    throw errors.invalidDocument('it is not FHIR R4');
  }
  if (type === '*' && outline.type !== 'Bundle') {
    throw errors.invalidDocument('a Bundle is wanted here: a single resource is sent to the address of its type');
  }
  if (type !== '*' && outline.type !== type) {
    throw errors.invalidDocument(`it is not the type of its address: ${withArticle(type)} is wanted here`);
  }
  checkScopes(asking, [...new Set(outline.parts.map((part) => part.type).filter((name) => name !== ''))]);
  if (type === '*') {
    checkBundle(outline, fhirBase(asking.services));
  }
  checkRequired(outline);
  checkPatients(asking, outline, met);
  return outline.parts;
}

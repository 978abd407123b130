/**
 * outline: lists the resources that a client wants to store, with their patients and identifiers (pure). It is made
 * where documents are parsed.
 */
import { FHIR } from './json-to-xml';
import { missingIn } from './required-elements';

/** What is needed of an element tree, such as `core/xml/engine` makes. */
type Tree = {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

/** A reference that names a Patient, or might name one. */
export type NamedPatient = {
  readonly reference: string;
  /** True when the resource is about this patient and does not merely mention them. */
  readonly isSubject: boolean;
};

export type OutlinePart = {
  readonly type: string;
  /** Empty where there is none; the same holds for the texts below. */
  readonly id: string;
  readonly fullUrl: string;
  readonly versionId: string;
  /** The method of the entry's request. */
  readonly method: string;
  readonly url: string;
  /** A condition under which the entry creates nothing. */
  readonly ifNoneExist: string;
  readonly identifiers: readonly { readonly system: string; readonly value: string }[];
  /** Codes that say what the resource is, from any system. */
  readonly codes: readonly string[];
  readonly patients: readonly NamedPatient[];
  /** Searches for something else than a Patient in the place of references. */
  readonly searches: readonly string[];
  /** Required elements that it lacks, of a type that no schema checks. */
  readonly missing: readonly string[];
};

export type Outline = {
  readonly namespace: string;
  readonly type: string;
  /** The type of a Bundle. */
  readonly bundleType: string;
  /** The only resource, or the resources of a Bundle's entries in their order. */
  readonly parts: readonly OutlinePart[];
};

export function child(tree: Tree | undefined, name: string): Tree | undefined {
  return tree?.elements.find((element) => element.name === name);
}
export function childValue(tree: Tree | undefined, name: string): string {
  return child(tree, name)?.attributes.get('value') ?? '';
}

const subjects = ['subject', 'patient'];

/**
 * References that are worded as references to a Patient, and all references by which a resource names its subject,
 * unless they lead to another type. A subject that is contained in the resource is left out, like every reference to a
 * contained resource.
 */
function patientsIn(resource: Tree): readonly NamedPatient[] {
  const found: NamedPatient[] = [];
  const contained = new Map(
    resource.elements
      .filter(({ name }) => name === 'contained')
      .flatMap(({ elements }) => elements)
      .map((inside) => [`#${childValue(inside, 'id')}`, inside.name]),
  );
  const visit = (tree: Tree, isSubject: boolean): void => {
    for (const element of tree.elements) {
      const reference = element.name === 'reference' ? (element.attributes.get('value') ?? '') : '';
      const own = contained.get(reference);
      const namesPatient = /(?:^|\/)Patient[/?]/.test(reference);
      const namesOther = own !== undefined || (/(?:^|\/)[A-Z][A-Za-z]+[/?]/.test(reference) && !namesPatient);
      if (reference !== '' && (namesPatient || (isSubject && !namesOther))) {
        found.push({ reference, isSubject });
      }
      visit(element, tree === resource && subjects.includes(element.name));
    }
  };
  visit(resource, false);
  return found;
}

function searchesIn(tree: Tree): readonly string[] {
  return tree.elements.flatMap((element) => {
    const reference = element.name === 'reference' ? (element.attributes.get('value') ?? '') : '';
    const isSearch = /(?:^|\/)(?!Patient\?)[A-Z][A-Za-z]+\?./.test(reference);
    return isSearch ? [reference] : searchesIn(element);
  });
}

function outlinePart(resource: Tree, entry?: Tree): OutlinePart {
  const request = child(entry, 'request');
  return {
    type: resource.name,
    id: childValue(resource, 'id'),
    fullUrl: childValue(entry, 'fullUrl'),
    versionId: childValue(child(resource, 'meta'), 'versionId'),
    method: childValue(request, 'method'),
    url: childValue(request, 'url'),
    ifNoneExist: childValue(request, 'ifNoneExist'),
    identifiers: resource.elements
      .filter(({ name }) => name === 'identifier')
      .map((identifier) => ({ system: childValue(identifier, 'system'), value: childValue(identifier, 'value') }))
      .filter(({ value }) => value !== ''),
    codes: (child(resource, 'code')?.elements ?? [])
      .filter(({ name }) => name === 'coding')
      .map((coding) => childValue(coding, 'code'))
      .filter((code) => code !== ''),
    patients: patientsIn(resource),
    searches: searchesIn(resource),
    missing: missingIn(resource),
  };
}

export function outlineOf(root: Tree): Outline {
  const isBundle = root.name === 'Bundle' && root.namespace === FHIR;
  const entries = isBundle ? root.elements.filter(({ name }) => name === 'entry') : [];
  return {
    namespace: root.namespace,
    type: root.name,
    bundleType: isBundle ? childValue(root, 'type') : '',
    parts: isBundle
      ? entries.map((entry) => {
          const [resource] = child(entry, 'resource')?.elements ?? [];
          // An entry that only deletes has no resource.
          return outlinePart(resource ?? { ...entry, name: '', elements: [] }, entry);
        })
      : [outlinePart(root)],
  };
}

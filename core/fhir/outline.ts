/** outline: what somebody wants to store: which resources, of whom, under which identifiers; read where documents are parsed (pure). */
import { FHIR } from './json-to-xml';

/** What a tree of elements has to show: `core/xml/engine` makes such. */
type Tree = {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly Tree[];
};

/** A reference that names a Patient, or may. */
export type NamedPatient = {
  readonly reference: string;
  /** The resource is about this patient, and does not merely mention them. */
  readonly isSubject: boolean;
};

export type OutlinePart = {
  readonly type: string;
  /** Empty where there is none; here and below. */
  readonly id: string;
  readonly fullUrl: string;
  readonly versionId: string;
  /** Of an entry's request. */
  readonly method: string;
  readonly url: string;
  readonly isConditional: boolean;
  readonly identifiers: readonly { readonly system: string; readonly value: string }[];
  /** Codes of what it is, of whatever system. */
  readonly codes: readonly string[];
  readonly patients: readonly NamedPatient[];
};

export type Outline = {
  readonly namespace: string;
  readonly type: string;
  /** Of a Bundle. */
  readonly bundleType: string;
  /** The one resource, or those of the entries of a Bundle, in their order. */
  readonly parts: readonly OutlinePart[];
};

const child = (tree: Tree | undefined, name: string): Tree | undefined =>
  tree?.elements.find((element) => element.name === name);
const valueOf = (tree: Tree | undefined, name: string): string => child(tree, name)?.attributes.get('value') ?? '';

const subjects = ['subject', 'patient'];

/**
 * References to a Patient by their words, and whatever a resource is about; those into the resource itself count where
 * the Patient is contained.
 */
const patientsIn = (resource: Tree): readonly NamedPatient[] => {
  const found: NamedPatient[] = [];
  const contained = new Map(
    resource.elements
      .filter(({ name }) => name === 'contained')
      .flatMap(({ elements }) => elements)
      .map((inside) => [`#${valueOf(inside, 'id')}`, inside.name]),
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
};

const partOf = (resource: Tree, entry?: Tree): OutlinePart => {
  const request = child(entry, 'request');
  return {
    type: resource.name,
    id: valueOf(resource, 'id'),
    fullUrl: valueOf(entry, 'fullUrl'),
    versionId: valueOf(child(resource, 'meta'), 'versionId'),
    method: valueOf(request, 'method'),
    url: valueOf(request, 'url'),
    isConditional: valueOf(request, 'ifNoneExist') !== '',
    identifiers: resource.elements
      .filter(({ name }) => name === 'identifier')
      .map((identifier) => ({ system: valueOf(identifier, 'system'), value: valueOf(identifier, 'value') }))
      .filter(({ value }) => value !== ''),
    codes: (child(resource, 'code')?.elements ?? [])
      .filter(({ name }) => name === 'coding')
      .map((coding) => valueOf(coding, 'code'))
      .filter((code) => code !== ''),
    patients: patientsIn(resource),
  };
};

export const outlineOf = (root: Tree): Outline => {
  const isBundle = root.name === 'Bundle' && root.namespace === FHIR;
  const entries = isBundle ? root.elements.filter(({ name }) => name === 'entry') : [];
  return {
    namespace: root.namespace,
    type: root.name,
    bundleType: isBundle ? valueOf(root, 'type') : '',
    parts: isBundle
      ? entries.map((entry) => {
          const [resource] = child(entry, 'resource')?.elements ?? [];
          // An entry that only deletes has none.
          return partOf(resource ?? { ...entry, name: '', elements: [] }, entry);
        })
      : [partOf(root)],
  };
};

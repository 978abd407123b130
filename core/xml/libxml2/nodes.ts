/** nodes: reads elements and attributes of libxml2's tree. */
import type { Pointer, Sandbox } from './sandbox';

/** An element as plain data, for small documents that the service or a transform made. */
export type PlainElement = {
  readonly name: string;
  readonly namespace: string;
  /** By local name. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly PlainElement[];
  /** All text directly inside, joined. */
  readonly text: string;
};

/** Kinds of nodes. CDATA sections are read as text. */
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

/** The first node of a list of siblings for which `is` holds; 0 when there is none. */
function findNode({ raw }: Sandbox, first: Pointer, is: (node: Pointer) => boolean): Pointer {
  let node = first;
  while (node !== 0 && !is(node)) {
    node = raw.XmlTreeCommonStruct.next(node);
  }
  return node;
}

function namespaceOf({ raw }: Sandbox, node: Pointer): string {
  const namespace = raw.XmlNamedNodeStruct.namespace(node);
  return namespace === 0 ? '' : raw.XmlNsStruct.href(namespace);
}

export function rootOf(sandbox: Sandbox, document: Pointer): { readonly namespace: string; readonly name: string } {
  const { raw } = sandbox;
  const root = raw.xmlDocGetRootElement(document);
  return { namespace: namespaceOf(sandbox, root), name: raw.XmlTreeCommonStruct.name_(root) };
}

export function hasDoctype({ raw }: Sandbox, document: Pointer): boolean {
  return raw.xmlGetIntSubset(document) !== 0;
}

/** The texts at addresses that many nodes share: names and namespaces. Each is read once in a walk. */
type Shared = Map<Pointer, string>;

/** In libxml2's nodes the address of the name stands before that of the first child. */
const NAME_BEFORE_CHILDREN = 4;

function sharedName({ raw }: Sandbox, node: Pointer, shared: Shared): string {
  const address = raw.XmlTreeCommonStruct.children(node - NAME_BEFORE_CHILDREN);
  const known = shared.get(address);
  if (known !== undefined) {
    return known;
  }
  const name = raw.XmlTreeCommonStruct.name_(node);
  shared.set(address, name);
  return name;
}

function sharedNamespace({ raw }: Sandbox, node: Pointer, shared: Shared): string {
  const namespace = raw.XmlNamedNodeStruct.namespace(node);
  if (namespace === 0) {
    return '';
  }
  const known = shared.get(namespace);
  if (known !== undefined) {
    return known;
  }
  const address = raw.XmlNsStruct.href(namespace);
  shared.set(namespace, address);
  return address;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_ELEMENTS: readonly PlainElement[] = [];

function attributesOf(sandbox: Sandbox, element: Pointer, shared: Shared): ReadonlyMap<string, string> {
  const { raw } = sandbox;
  let attribute = raw.XmlNodeStruct.properties(element);
  if (attribute === 0) {
    return NO_ATTRIBUTES;
  }
  const found = new Map<string, string>();
  while (attribute !== 0) {
    found.set(sharedName(sandbox, attribute, shared), raw.xmlNodeGetContent(attribute));
    attribute = raw.XmlTreeCommonStruct.next(attribute);
  }
  return found;
}

/** @param shared of the walk that reads the document, during which nothing of it may be freed */
export function plainElement(sandbox: Sandbox, element: Pointer, shared: Shared = new Map()): PlainElement {
  const { raw } = sandbox;
  const elements: PlainElement[] = [];
  let text = '';
  let child = raw.XmlTreeCommonStruct.children(element);
  while (child !== 0) {
    const type = raw.XmlTreeCommonStruct.type(child);
    if (type === ELEMENT_NODE) {
      elements.push(plainElement(sandbox, child, shared));
    } else if (type === TEXT_NODE) {
      text += raw.xmlNodeGetContent(child);
    }
    child = raw.XmlTreeCommonStruct.next(child);
  }
  return {
    name: sharedName(sandbox, element, shared),
    namespace: sharedNamespace(sandbox, element, shared),
    attributes: attributesOf(sandbox, element, shared),
    elements: elements.length === 0 ? NO_ELEMENTS : elements,
    text,
  };
}

/** The attribute named `{namespace}name` or `name`; 0 when there is none. */
export function attributeOf(sandbox: Sandbox, element: Pointer, name: string): Pointer {
  const { raw } = sandbox;
  return findNode(sandbox, raw.XmlNodeStruct.properties(element), (attribute) => {
    const namespace = namespaceOf(sandbox, attribute);
    const local = raw.XmlTreeCommonStruct.name_(attribute);
    return (namespace === '' ? local : `{${namespace}}${local}`) === name;
  });
}

export function holdsElements(sandbox: Sandbox, node: Pointer): boolean {
  const { raw } = sandbox;
  const isElement = (child: Pointer): boolean => raw.XmlTreeCommonStruct.type(child) === ELEMENT_NODE;
  return findNode(sandbox, raw.XmlTreeCommonStruct.children(node), isElement) !== 0;
}

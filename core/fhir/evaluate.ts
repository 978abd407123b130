/** evaluate: one element of a mapping and the facts of one statement -> what the element holds. */
import { childrenIn, type ColumnKind, type StoredFact } from '../storage/plans';
import { blockValue, filled, textIn, type FhirObject, type FhirValue } from './blocks';
import { fhirSystem } from './code-systems';
import { decimalOf, decimalOfNumber } from './decimal';
import { fhirType } from './elements';
import type { Condition, ElementValue, FhirMapping, Node, Said } from './mapping';

const ABSENT = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** What is read while a resource is made. */
export type Evaluating = {
  /** All facts of the statement; `fact` is the one that is spoken of. */
  readonly rows: readonly StoredFact[];
  readonly fact: StoredFact;
  /** What `fact` is nested in. */
  readonly parent?: StoredFact | undefined;
  readonly mappingOf: (model: string) => FhirMapping | undefined;
};

/**
 * What an element holds, item by item. `asked`: it was to come from the facts. `said`: it did. A part of a resource of
 * which nothing was said is left out with all that is fixed in it.
 */
type Found = {
  readonly items: readonly FhirValue[];
  readonly absent?: FhirObject;
  readonly asked: boolean;
  readonly said: boolean;
};

const NOTHING: Found = { items: [], asked: true, said: false };
const one = (value: FhirValue | undefined): Found =>
  value === undefined ? NOTHING : { items: [value], asked: true, said: true };

/** Elements whose type is instant: a day alone is none. */
export const instants = new Set(['issued', 'effectiveInstant']);

const MIDNIGHT = 'T00:00:00.000000Z';

/** A point in time as FHIR writes it. A day is stored as its midnight, and goes out as the day that it is. */
export const timeOf = (stored: string, asInstant: boolean): string => {
  if (stored.endsWith(MIDNIGHT) && !asInstant) {
    return stored.slice(0, 10);
  }
  return stored.replace(/\.?0+Z$/, 'Z');
};

const holdsOne = (fact: StoredFact, { column, values }: Condition[number]): boolean => {
  const text = textIn(fact.values, column);
  return text !== undefined && (values === undefined || values.includes(text));
};

const holds = (fact: StoredFact, condition: Condition): boolean => condition.every((one) => holdsOne(fact, one));

/** Whether a resource or a part of one is said of a fact. */
export const isSaid = ({ when, unless }: Said, fact: StoredFact): boolean =>
  (when === undefined || when.some((condition) => holds(fact, condition))) &&
  !(unless ?? []).some((condition) => holds(fact, condition));

const columnValue = (
  { column, of, like }: { readonly column: string; readonly of: ColumnKind; readonly like?: string },
  { values }: StoredFact,
  name: string,
  kind: string,
): FhirValue | undefined => {
  const value = values[column];
  const text = textIn(values, column);
  if (text === undefined || value === null || value === undefined) {
    return undefined;
  }
  if (like !== undefined && !new RegExp(`^(?:${like})$`, 'u').test(text)) {
    return undefined;
  }
  if (kind === 'number') {
    return typeof value === 'number' ? decimalOfNumber(value) : decimalOf(text);
  }
  if (kind === 'boolean') {
    return value === true;
  }
  if (of === 'datetime') {
    return timeOf(text, instants.has(name));
  }
  return name === 'system' ? fhirSystem(text) : text;
};

const lookedUp = (value: Extract<ElementValue, { kind: 'lookup' }>, { values }: StoredFact, type: string): Found => {
  const { column, codes, system, otherwise } = value;
  const given = textIn(values, column);
  const known = Object.keys(codes).find((code) => code === given || codes[code]!.includes(given ?? ''));
  const code = known ?? otherwise;
  if (code === undefined) {
    return NOTHING;
  }
  const coding: FhirObject = system === undefined ? { code } : { system, code };
  const shapes: Readonly<Record<string, FhirValue>> = {
    '': code,
    Coding: coding,
    CodeableConcept: { coding: [coding] },
  };
  return { items: [shapes[type] ?? coding], asked: true, said: known !== undefined };
};

/** Id of a resource: the statement's, and what stands behind it. */
export const resourceId = (statementId: string, id: string): string =>
  id === '' ? statementId : `${statementId}-${id}`;

/** The main resource that a fact is said as. */
const mainOf = (fact: StoredFact, mappingOf: Evaluating['mappingOf']): string | undefined =>
  mappingOf(fact.model)?.resources.find((mapping) => mapping.id === '' && isSaid(mapping, fact))?.resource;

const ownReference = (value: Extract<ElementValue, { kind: 'own' }>, { fact, mappingOf }: Evaluating): Found => {
  const mapping = mappingOf(fact.model)?.resources.find(({ id, ...said }) => id === value.id && isSaid(said, fact));
  const display = (value.display ?? []).flatMap((column) => textIn(fact.values, column) ?? []).join(' ');
  return one(
    filled({
      reference: mapping && `${mapping.resource}/${resourceId(fact.statementId, value.id)}`,
      display: display === '' ? undefined : display,
    }),
  );
};

const referencesTo = (facts: readonly StoredFact[], mappingOf: Evaluating['mappingOf']): Found => {
  const items = facts.flatMap((fact) => {
    const resource = mainOf(fact, mappingOf);
    return resource === undefined ? [] : [{ reference: `${resource}/${fact.statementId}` }];
  });
  return { items, asked: true, said: items.length > 0 };
};

const together = (all: readonly Found[]): Found => ({
  items: all.flatMap(({ items }) => items),
  asked: all.some(({ asked }) => asked),
  said: all.some(({ said }) => said),
});

const inWords = (text: string, columns: readonly string[], { values }: StoredFact): string | undefined =>
  columns.every((column) => textIn(values, column) !== undefined)
    ? text.replace(/\{(\w+)\}/g, (_, column: string) => textIn(values, column)!.replace(MIDNIGHT, ''))
    : undefined;

type At = { readonly name: string; readonly type: string; readonly kind: string };

const valueOf = (value: ElementValue, at: At, evaluating: Evaluating): Found => {
  const { fact, rows, parent, mappingOf } = evaluating;
  if (!isSaid(value, fact)) {
    return NOTHING;
  }
  switch (value.kind) {
    case 'column':
      return one(columnValue(value, fact, at.name, at.kind));
    case 'block':
      return one(blockValue(value.block, fact.values, value.field, { type: at.type, ...value }));
    case 'lookup':
      return lookedUp(value, fact, at.type);
    case 'fixed':
      return { items: [value.value as FhirValue], asked: false, said: false };
    case 'words':
      return one(inWords(value.text, value.columns, fact));
    case 'lines': {
      const lines = together(value.values.map((line) => valueOf(line, at, evaluating)));
      return lines.said ? one(lines.items.join('\n')) : NOTHING;
    }
    case 'first':
      return (
        value.values
          .map((other) => valueOf(other, at, evaluating))
          .find(({ items, absent }) => items.length > 0 || absent) ?? NOTHING
      );
    case 'node': {
      const { members, asked, said } = nodeOf(value.node, at.type, evaluating);
      return members && (said || !asked) ? { items: [members], asked, said } : { ...NOTHING, asked };
    }
    case 'each': {
      const facts = value.field === 'rows' ? rows : childrenIn(fact, value.field);
      return together(
        facts.map((other) =>
          valueOf(value.value, at, { ...evaluating, fact: other, ...(value.field === 'rows' ? {} : { parent: fact }) }),
        ),
      );
    }
    case 'above':
      return parent ? valueOf(value.value, at, { mappingOf, fact: parent, rows: [parent] }) : NOTHING;
    case 'patient':
      return { items: [{ reference: `Patient/${fact.recordId}` }], asked: false, said: false };
    case 'own':
      return ownReference(value, evaluating);
    case 'facts':
      return referencesTo(childrenIn(fact, value.field), mappingOf);
    case 'parent':
      return parent && mainOf(parent, mappingOf) === value.resource ? referencesTo([parent], mappingOf) : NOTHING;
    case 'absent': {
      const absent = { extension: [{ url: ABSENT, valueCode: value.reason }] };
      return at.type === ''
        ? { items: [], absent, asked: false, said: false }
        : { items: [absent], asked: false, said: false };
    }
  }
};

type Members = { readonly members?: FhirObject; readonly asked: boolean; readonly said: boolean };

/** Members by name, and what follows from them: `_status` for what is required and absent. */
const collect = (
  node: Node,
  typeName: string,
  evaluating: Evaluating,
  into: Map<string, FhirValue>,
): Omit<Members, 'members'> => {
  let [asked, said] = [false, false];
  for (const element of node) {
    if ('first' in element) {
      const found = element.first
        .map((alternative) => {
          const members = new Map<string, FhirValue>();
          return { members, ...collect(alternative, typeName, evaluating, members) };
        })
        .find(({ members }) => members.size > 0);
      found?.members.forEach((value, name) => into.set(name, value));
      asked ||= found?.asked ?? true;
      said ||= found?.said ?? false;
    } else {
      const kind = fhirType(typeName)?.elements.get(element.name)?.kind ?? 'text';
      const all = element.values.map((value) => valueOf(value, { ...element, kind }, evaluating));
      const { items, ...rest } = together(all);
      const absent = all.find((found) => found.absent)?.absent;
      if (items.length > 0) {
        into.set(element.name, element.many ? items : items[0]!);
      } else if (absent) {
        into.set(`_${element.name}`, absent);
      }
      asked ||= rest.asked;
      said ||= rest.said;
    }
  }
  return { asked, said };
};

/** The members of a resource or a part of one, in the order of R4; none when it is empty. */
export const nodeOf = (node: Node, typeName: string, evaluating: Evaluating): Members => {
  const found = new Map<string, FhirValue>();
  const { asked, said } = collect(node, typeName, evaluating, found);
  const inOrder = [...(fhirType(typeName)?.elements.keys() ?? [])].flatMap((name) =>
    [name, `_${name}`].flatMap((member) => (found.has(member) ? [[member, found.get(member)!] as const] : [])),
  );
  return { ...(inOrder.length > 0 ? { members: Object.fromEntries(inOrder) } : {}), asked, said };
};

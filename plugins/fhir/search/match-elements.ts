/**
 * match-elements: makes tests on columns that find the facts whose resource has an element that a search looks for. It
 * follows `evaluate` step by step: for everything that `evaluate` would put into an element there is a test here.
 */
import type { FactTest } from './fact-search';
import type { FhirValue } from '../map/blocks';
import { instants } from '../map/evaluate';
import type {
  Condition,
  ElementValue,
  FhirMapping,
  Node,
  NodeElement,
  ResourceMapping,
  Said,
} from '../../../core/facts/model/fhir-map';

export const ALWAYS: FactTest = { kind: 'constant', holds: true };
export const NEVER: FactTest = { kind: 'constant', holds: false };

/** Combines tests. Results that follow from constants are decided here, so that statements stay small. */
const folded = (tests: readonly FactTest[], kind: 'all' | 'any'): FactTest => {
  const [idle, decided] = kind === 'all' ? [ALWAYS, NEVER] : [NEVER, ALWAYS];
  const open = tests.filter((test) => test !== idle);
  if (open.includes(decided)) {
    return decided;
  }
  const [only, ...more] = open;
  return more.length === 0 ? (only ?? idle) : { kind, tests: open };
};

export const allOf = (tests: readonly FactTest[]): FactTest => folded(tests, 'all');
export const anyOf = (tests: readonly FactTest[]): FactTest => folded(tests, 'any');

export const not = (test: FactTest): FactTest => {
  if (test === ALWAYS) {
    return NEVER;
  }
  return test === NEVER ? ALWAYS : { kind: 'not', test };
};

/** Resources say no instant where only a month, a year or a time without a zone is known. */
export const momentTests = (
  { column, of }: Pick<Extract<ElementValue, { kind: 'column' }>, 'column' | 'of'>,
  name: string,
): readonly FactTest[] =>
  of === 'datetime' && instants.has(name)
    ? (['month', 'year', 'local'] as const).map((precision) => not({ kind: 'partial', column, precision }))
    : [];

const filled = (column: string): FactTest => ({ kind: 'filled', column });

const holdsOne = ({ column, values, past }: Condition[number]): FactTest => {
  if (past) {
    return { kind: 'past', column };
  }
  return values === undefined ? filled(column) : { kind: 'in', column, values };
};

const holds = (condition: Condition): FactTest => allOf(condition.map(holdsOne));

/** The test for the conditions of a resource or of a part of one. */
export const said = ({ when, unless }: Said): FactTest =>
  allOf([...(when === undefined ? [] : [anyOf(when.map(holds))]), ...(unless ?? []).map((one) => not(holds(one)))]);

/** What a search looks for in one value of an element. */
export type Sought = {
  /** A value that the mapping fixes. @param type its FHIR type; empty for a value that is not composed */
  readonly fixed: (value: FhirValue, type: string) => boolean;
  /** A column that is sent under this name, without its time of day where FHIR knows only a date. */
  readonly column: (value: Extract<ElementValue, { kind: 'column' }>, name: string, isDay: boolean) => FactTest;
  readonly block: (value: Extract<ElementValue, { kind: 'block' }>) => FactTest;
  /** The code of a lookup, and its system where it has one. */
  readonly code: (code: string, system: string | undefined) => boolean;
  readonly reference: (target: Reference) => FactTest;
  /** The parts of a composed value; undefined where its parts are searched by themselves. */
  readonly parts?: (node: Node, type: string, within: Within) => FactTest | undefined;
};

/** The target of a reference. */
type Reference =
  | { readonly to: 'patient' }
  | { readonly to: 'own'; readonly id: string; readonly resource: string }
  /** A resource of the fact itself, which is decided by a test on the fact. */
  | { readonly to: 'fact'; readonly resource: string }
  /** The main resource of another fact, which is of one of these models and is named by a column of this fact. */
  | { readonly to: 'named'; readonly column: string; readonly models: readonly string[]; readonly resource: string };

/** The context of a mapping: the model of the current fact, and what is known of other models. */
export type Within = {
  readonly model: string;
  readonly mappingOf: (model: string) => FhirMapping | undefined;
  /** The model whose facts are nested in a field of this one; and below, the models in which this one may be nested. */
  readonly nested: (model: string, field: string) => string | undefined;
  readonly parents: (model: string) => readonly string[];
  /** The models whose facts all have this type as their main resource. */
  readonly saidAs: (resource: string) => readonly string[];
};

type At = { readonly name: string; readonly type: string; readonly isDay: boolean };

/** The codes of a lookup with the texts that mean them. If several codes list a text, it means the first of them. */
const textsOf = ({ codes }: Extract<ElementValue, { kind: 'lookup' }>): ReadonlyMap<string, readonly string[]> => {
  const taken = new Set<string>();
  return new Map(
    Object.entries(codes).map(([code, texts]) => {
      const own = [code, ...texts].filter((text) => !taken.has(text));
      own.forEach((text) => taken.add(text));
      return [code, own];
    }),
  );
};

const lookedUp = (value: Extract<ElementValue, { kind: 'lookup' }>, wanted: (code: string) => boolean): FactTest => {
  const texts = textsOf(value);
  const named = [...texts].filter(([code]) => wanted(code)).flatMap(([, list]) => list);
  const { column, otherwise } = value;
  return anyOf([
    named.length === 0 ? NEVER : { kind: 'in', column, values: named },
    otherwise !== undefined && wanted(otherwise)
      ? not({ kind: 'in', column, values: [...texts.values()].flat() })
      : NEVER,
  ]);
};

/**
 * The possible main resources of a fact, each with its condition. The first whose condition holds is the main resource.
 */
const mains = (within: Within, model: string): readonly { readonly resource: string; readonly test: FactTest }[] => {
  const before: FactTest[] = [];
  return (within.mappingOf(model)?.resources ?? [])
    .filter(({ id }) => id === '')
    .map((mapping) => {
      const own = said(mapping);
      const test = allOf([own, ...before.map(not)]);
      before.push(own);
      return { resource: mapping.resource, test };
    });
};

const referencesFrom = (within: Within, model: string, sought: Sought, only?: string): FactTest =>
  anyOf(
    mains(within, model)
      .filter(({ resource }) => only === undefined || resource === only)
      .map(({ resource, test }) => allOf([test, sought.reference({ to: 'fact', resource })])),
  );

const ownOf = (within: Within, id: string): readonly ResourceMapping[] =>
  (within.mappingOf(within.model)?.resources ?? []).filter((mapping) => mapping.id === id);

const ownMatches = (id: string, sought: Sought, within: Within): FactTest =>
  anyOf(
    ownOf(within, id).map((mapping) =>
      allOf([said(mapping), sought.reference({ to: 'own', id, resource: mapping.resource })]),
    ),
  );

const nestedMatches = (field: string, sought: Sought, within: Within): FactTest => {
  const model = within.nested(within.model, field);
  return model === undefined
    ? NEVER
    : { kind: 'nested', model, test: referencesFrom({ ...within, model }, model, sought) };
};

const namedMatches = ({ column, of }: Extract<ElementValue, { kind: 'statement' }>, sought: Sought, within: Within) =>
  sought.reference({ to: 'named', column, models: within.saidAs(of), resource: of });

/** Kinds that contain other values, and the kind that says that there is no value. */
const LED_INTO: readonly ElementValue['kind'][] = ['first', 'node', 'each', 'above', 'absent'];

/** The test for facts whose value of an element is the one that the search looks for. */
const matches = (value: ElementValue, at: At, sought: Sought, within: Within): FactTest => {
  const guard = said(value);
  if (sought === ANYTHING && !LED_INTO.includes(value.kind)) {
    return present(value, at, within);
  }
  switch (value.kind) {
    case 'fixed':
      return sought.fixed(value.value as FhirValue, at.type) ? guard : NEVER;
    case 'column':
      return allOf([guard, present(value, at, within), sought.column(value, at.name, at.isDay)]);
    case 'block':
      return allOf([guard, sought.block(value)]);
    case 'lookup':
      return allOf([guard, lookedUp(value, (code) => sought.code(code, value.system))]);
    case 'first':
      return allOf([
        guard,
        firstOf(value.values.map((one) => [matches(one, at, sought, within), present(one, at, within)])),
      ]);
    case 'node':
      return allOf([guard, kept(value.node, within), sought.parts?.(value.node, at.type, within) ?? NEVER]);
    case 'each':
      return allOf([guard, inEach(value, within, (inner) => matches(value.value, at, sought, inner))]);
    case 'above':
      return allOf([guard, inParent(within, (inner) => matches(value.value, at, sought, inner))]);
    case 'patient':
      return allOf([guard, sought.reference({ to: 'patient' })]);
    case 'own':
      return allOf([guard, ownMatches(value.id, sought, within)]);
    case 'facts':
      return allOf([guard, nestedMatches(value.field, sought, within)]);
    case 'parent':
      return allOf([guard, inParent(within, (inner) => referencesFrom(inner, inner.model, sought, value.resource))]);
    case 'statement':
      return allOf([guard, namedMatches(value, sought, within)]);
    case 'words':
    case 'lines':
    case 'absent':
      return NEVER;
  }
};

const inEach = ({ field }: { readonly field: string }, within: Within, test: (inner: Within) => FactTest): FactTest => {
  if (field === 'rows') {
    return { kind: 'sibling', test: test(within) };
  }
  const model = within.nested(within.model, field);
  return model === undefined ? NEVER : { kind: 'nested', model, test: test({ ...within, model }) };
};

const inParent = (within: Within, test: (inner: Within) => FactTest): FactTest =>
  anyOf(
    within
      .parents(within.model)
      .map((model): FactTest => ({ kind: 'parent', model, test: test({ ...within, model }) })),
  );

/** Combines alternatives, of which only the first that is present is used. */
const firstOf = (alternatives: readonly (readonly [match: FactTest, present: FactTest])[]): FactTest =>
  anyOf(
    alternatives.map(([match], index) =>
      allOf([match, ...alternatives.slice(0, index).map(([, present]) => not(present))]),
    ),
  );

const columnsOfBlock: Readonly<Record<string, readonly string[]>> = {
  CodedValue: ['identifier', 'title'],
  VitalSign: ['value'],
  ValueAndUnit: ['value'],
  Frequency: ['value'],
  Name: ['family', 'given', 'middle', 'prefix', 'suffix'],
  Address: ['street', 'city', 'region', 'postalcode', 'country'],
  Telephone: ['number'],
};

/** The pattern of an amount that `blocks` reads as a number: at most 30 digits. */
const AMOUNT = '(?:<=|>=|<|>)?\\s*[+-]?(?=[\\d.]{1,31}$)\\d+(?:\\.\\d+)?';

const namesOne = ({ column, of }: Extract<ElementValue, { kind: 'statement' }>, within: Within): FactTest =>
  anyOf(within.saidAs(of).map((model) => ({ kind: 'begins', column, text: `${model} ` })));

/** The test for facts that give an element any value. */
const present = (value: ElementValue, at: At, within: Within): FactTest => {
  const guard = said(value);
  switch (value.kind) {
    case 'fixed':
    case 'patient':
    case 'absent':
      return guard;
    case 'column':
      return allOf([
        guard,
        filled(value.column),
        ...momentTests(value, at.name),
        value.like === undefined ? ALWAYS : { kind: 'fits', column: value.column, pattern: value.like },
      ]);
    case 'block': {
      if (value.block === 'ValueAndUnit') {
        return allOf([guard, { kind: 'fits', column: `${value.field}_value`, pattern: AMOUNT }]);
      }
      const columns = at.type === 'Coding' ? ['identifier'] : columnsOfBlock[value.block];
      return allOf([
        guard,
        anyOf(columns ? columns.map((suffix) => filled(`${value.field}_${suffix}`)) : [filled(value.field)]),
      ]);
    }
    case 'lookup':
      return allOf([guard, lookedUp(value, () => true)]);
    case 'words':
      return allOf([guard, ...value.columns.map(filled)]);
    case 'statement':
      return allOf([guard, namesOne(value, within)]);
    case 'lines':
    case 'first':
      return allOf([guard, anyOf(value.values.map((one) => present(one, at, within)))]);
    case 'node':
      return allOf([guard, kept(value.node, within)]);
    case 'each':
      return allOf([guard, inEach(value, within, (inner) => present(value.value, at, inner))]);
    case 'above':
      return allOf([guard, inParent(within, (inner) => present(value.value, at, inner))]);
    case 'own':
      return allOf([guard, anyOf([...ownOf(within, value.id).map(said), ...(value.display ?? []).map(filled)])]);
    case 'facts': {
      const model = within.nested(within.model, value.field);
      return model === undefined
        ? NEVER
        : allOf([guard, { kind: 'nested', model, test: anyOf(mains(within, model).map(({ test }) => test)) }]);
    }
    case 'parent':
      return allOf([
        guard,
        inParent(within, (inner) =>
          anyOf(
            mains(inner, inner.model)
              .filter(({ resource }) => resource === value.resource)
              .map(({ test }) => test),
          ),
        ),
      ]);
  }
};

/** Whether a value was to come from the facts, and whether it did. */
type Asked = { readonly asked: FactTest; readonly said: FactTest };

const askedOf = (value: ElementValue, at: At, within: Within): Asked => {
  const guard = said(value);
  switch (value.kind) {
    case 'fixed':
    case 'patient':
    case 'absent':
      return { asked: not(guard), said: NEVER };
    case 'node': {
      const inner = askedOfNode(value.node, within);
      return { asked: anyOf([not(guard), inner.asked]), said: allOf([guard, inner.said]) };
    }
    case 'first': {
      const all = value.values.map((one) => ({ here: present(one, at, within), ...askedOf(one, at, within) }));
      const chosen = (pick: (one: (typeof all)[number]) => FactTest): FactTest =>
        firstOf(all.map((one) => [allOf([one.here, pick(one)]), one.here]));
      const none = not(anyOf(all.map(({ here }) => here)));
      return {
        asked: anyOf([not(guard), none, chosen(({ asked }) => asked)]),
        said: allOf([guard, chosen((one) => one.said)]),
      };
    }
    case 'lookup':
      return {
        asked: ALWAYS,
        said: allOf([guard, { kind: 'in', column: value.column, values: [...textsOf(value).values()].flat() }]),
      };
    default:
      return { asked: ALWAYS, said: present(value, at, within) };
  }
};

const elementsOf = (node: Node): readonly Exclude<NodeElement, { first: unknown }>[] =>
  node.flatMap((element) => ('first' in element ? element.first.flatMap(elementsOf) : [element]));

const askedOfNode = (node: Node, within: Within): Asked => {
  const all = elementsOf(node).flatMap((element) => element.values.map((value) => askedOf(value, element, within)));
  return { asked: anyOf(all.map(({ asked }) => asked)), said: anyOf(all.map(({ said: one }) => one)) };
};

/**
 * The test that a part of a resource is present. If nothing was said of a part, it is left out together with its fixed
 * values.
 */
const kept = (node: Node, within: Within): FactTest => {
  const { asked, said: one } = askedOfNode(node, within);
  const anything = anyOf(
    elementsOf(node).flatMap((element) => element.values.map((value) => present(value, element, within))),
  );
  return allOf([anything, anyOf([one, not(asked)])]);
};

/** Combines the alternatives of `first`: each is used only if none before it has a value. */
const inAlternatives = (alternatives: readonly Node[], within: Within, test: (node: Node) => FactTest): FactTest =>
  firstOf(
    alternatives.map((node) => [
      test(node),
      anyOf(elementsOf(node).flatMap((element) => element.values.map((value) => present(value, element, within)))),
    ]),
  );

/** The test for nodes below a value, at any depth, that are present. */
const beneath = (value: ElementValue, at: At, rest: readonly string[], sought: Sought, within: Within): FactTest => {
  const guard = said(value);
  switch (value.kind) {
    case 'node':
      return allOf([guard, kept(value.node, within), atPath(value.node, rest, sought, within)]);
    case 'first':
      return allOf([
        guard,
        firstOf(value.values.map((one) => [beneath(one, at, rest, sought, within), present(one, at, within)])),
      ]);
    case 'each':
      return allOf([guard, inEach(value, within, (inner) => beneath(value.value, at, rest, sought, inner))]);
    case 'above':
      return allOf([guard, inParent(within, (inner) => beneath(value.value, at, rest, sought, inner))]);
    default:
      return NEVER;
  }
};

/**
 * The test for facts whose resource has, at a path of elements, what the search looks for.
 * @param path names of elements, the outermost first
 */
export const atPath = (node: Node, path: readonly string[], sought: Sought, within: Within): FactTest => {
  const [name, ...rest] = path;
  return anyOf(
    node.map((element): FactTest => {
      if ('first' in element) {
        return inAlternatives(element.first, within, (other) => atPath(other, path, sought, within));
      }
      if (element.name !== name) {
        return NEVER;
      }
      return anyOf(
        element.values.map((value) =>
          rest.length === 0 ? matches(value, element, sought, within) : beneath(value, element, rest, sought, within),
        ),
      );
    }),
  );
};

/** Whether tests can tell what is at a path. They cannot look into composed texts, frequencies and dosages. */
export const isSearchable = (node: Node, path: readonly string[]): boolean => {
  const open = (value: ElementValue, rest: readonly string[]): boolean => {
    switch (value.kind) {
      case 'words':
      case 'lines':
        return false;
      case 'block':
        return value.block !== 'Frequency' && value.block !== 'Dosage';
      case 'first':
        return value.values.every((one) => open(one, rest));
      case 'each':
      case 'above':
        return open(value.value, rest);
      case 'node':
        return rest.length === 0 || isSearchable(value.node, rest);
      default:
        return true;
    }
  };
  return elementsOf(node)
    .filter(({ name }) => name === path[0])
    .every(({ values }) => values.every((value) => open(value, path.slice(1))));
};

/** The test for facts whose resource has anything at a path. */
export const presentAt = (node: Node, path: readonly string[], within: Within): FactTest =>
  atPath(node, path, ANYTHING, within);

const ANYTHING: Sought = {
  fixed: () => true,
  column: () => ALWAYS,
  block: () => ALWAYS,
  code: () => true,
  reference: () => ALWAYS,
  parts: () => ALWAYS,
};

/**
 * evaluate: computes the value of one element of a mapping from the facts of one statement. A mapping is compiled into
 * functions once, when it is first needed, because a summary runs it over thousands of facts.
 */
import { isPrecision, knownPart } from '../../facts/partial-dates';
import { childrenIn, type Clock, type PartialDate, type Scalar, type StoredFact } from '../../facts/plans';
import { referredStatement } from '../../facts/store';
import { blockValue, filled, textIn, type FhirObject, type FhirValue } from './blocks';
import { fhirSystem } from '../../fhir/code-systems';
import { decimalOf, decimalOfNumber } from '../../fhir/decimal';
import { fhirType } from '../../fhir/elements';
import type { Condition, ElementValue, FhirMapping, Node, NodeElement, Said } from '../../facts/model/fhir-map';

const ABSENT = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** The facts that are read while a resource is made. */
type Evaluating = {
  /** All facts of the statement; `fact` is the current one. */
  readonly rows: readonly StoredFact[];
  readonly fact: StoredFact;
  /** The fact in which `fact` is nested. */
  readonly parent?: StoredFact | undefined;
  readonly mappingOf: (model: string) => FhirMapping | undefined;
};

/**
 * The items of an element. `asked` is true when some of them were to come from the facts, and `said` when some of them
 * did. If nothing was said of a part of a resource, the part is left out together with its fixed values.
 */
class Found {
  readonly items: FhirValue[] = [];
  absent: FhirObject | undefined;
  /** What belongs to the only item and has no place in it: the time of day of a time without a zone. */
  beside: FhirObject | undefined;
  asked = false;
  said = false;

  /** Adds a value that was to come from the facts, where it may be missing. */
  add(value: FhirValue | undefined): void {
    this.asked = true;
    if (value !== undefined) {
      this.said = true;
      this.items.push(value);
    }
  }

  take(other: Found): void {
    this.items.push(...other.items);
    this.absent ??= other.absent;
    this.beside ??= other.beside;
    this.asked ||= other.asked;
    this.said ||= other.said;
  }
}

/** Adds the items of an element to `found`. */
type Say = (evaluating: Evaluating, found: Found) => void;

/** Elements of the type instant, for which a day alone is not enough. */
const instants = new Set(['issued', 'effectiveInstant']);

const MIDNIGHT = 'T00:00:00.000000Z';

/**
 * A point in time as FHIR writes it. A day is stored as its midnight, and is written as a day.
 * @param asInstant whether the element always has a time of day
 */
function storedTime(stored: string, asInstant: boolean): string {
  if (stored.endsWith(MIDNIGHT) && !asInstant) {
    return stored.slice(0, 10);
  }
  return stored.replace(/\.?0+Z$/, 'Z');
}

/** The extension of FHIR for what a source wrote. FHIR itself knows no time of day without a zone. */
const ORIGINAL_TEXT = 'http://hl7.org/fhir/StructureDefinition/originalText';

/**
 * Says a date that is no day and no time in UTC. A time without a zone is its day, and what was written stands beside it.
 * An instant needs a moment: where none is known, it is left out.
 */
function addWritten(stored: string, how: PartialDate | Clock, { name, isDay }: At, found: Found): void {
  const written = knownPart(stored, how);
  if (instants.has(name)) {
    found.add(isPrecision(how) || how === 'local' ? undefined : written);
  } else if (isDay) {
    found.add(written.slice(0, 10));
  } else if (how === 'local') {
    found.add(written.slice(0, 10));
    found.beside = { extension: [{ url: ORIGINAL_TEXT, valueString: written }] };
  } else {
    found.add(written);
  }
}

function holdsOne(fact: StoredFact, { column, values, past }: Condition[number]): boolean {
  const text = textIn(fact.values, column);
  if (text === undefined) {
    return false;
  }
  return past ? text <= fact.createdAt : values === undefined || values.includes(text);
}

function holds(fact: StoredFact, condition: Condition): boolean {
  return condition.every((one) => holdsOne(fact, one));
}

/** Whether a fact meets the conditions of a resource or of a part of one. */
export function isSaid({ when, unless }: Said, fact: StoredFact): boolean {
  return (
    (when === undefined || when.some((condition) => holds(fact, condition))) &&
    !(unless ?? []).some((condition) => holds(fact, condition))
  );
}

type ValueOf<K extends ElementValue['kind']> = Extract<ElementValue, { readonly kind: K }>;
type At = { readonly name: string; readonly type: string; readonly isDay: boolean; readonly kind: string };

function sayColumn({ column, of, like }: ValueOf<'column'>, at: At): Say {
  const { name, kind, isDay } = at;
  const pattern = like === undefined ? undefined : new RegExp(`^(?:${like})$`, 'u');
  const shown = (text: string, value: Scalar): FhirValue | undefined => {
    if (kind === 'number') {
      return typeof value === 'number' ? decimalOfNumber(value) : decimalOf(text);
    }
    if (kind === 'boolean') {
      return value === true;
    }
    if (of === 'datetime') {
      return isDay ? text.slice(0, 10) : storedTime(text, instants.has(name));
    }
    return name === 'system' ? fhirSystem(text) : text;
  };
  return ({ fact: { values, partialDates } }, found) => {
    const text = textIn(values, column);
    const how = partialDates?.[column];
    if (text === undefined || pattern?.test(text) === false) {
      found.add(undefined);
    } else if (how === undefined) {
      found.add(shown(text, values[column]!));
    } else {
      addWritten(text, how, at, found);
    }
  };
}

function sayBlock(value: ValueOf<'block'>, { type }: At): Say {
  const { block, field } = value;
  const options = { type, ...value };
  return ({ fact }, found) => {
    const said = blockValue(block, fact.values, field, options);
    const items = Array.isArray(said) ? (said as readonly FhirObject[]) : [said as FhirObject | undefined];
    (items.length === 0 ? [undefined] : items).forEach((one) => found.add(one));
  };
}

function sayLookup({ column, codes, system, otherwise }: ValueOf<'lookup'>, { type }: At): Say {
  const codeOf = new Map<string, string>();
  for (const [code, texts] of Object.entries(codes)) {
    [code, ...texts].filter((text) => !codeOf.has(text)).forEach((text) => codeOf.set(text, code));
  }
  const shape = (code: string): FhirValue => {
    const coding: FhirObject = system === undefined ? { code } : { system, code };
    const shapes: Readonly<Record<string, FhirValue>> = { '': code, CodeableConcept: { coding: [coding] } };
    return shapes[type] ?? coding;
  };
  const shaped = new Map([...codeOf].map(([text, code]) => [text, shape(code)]));
  const rest = otherwise === undefined ? undefined : shape(otherwise);
  return ({ fact }, found) => {
    const known = shaped.get(textIn(fact.values, column) ?? '');
    found.add(known);
    if (known === undefined && rest !== undefined) {
      found.items.push(rest);
    }
  };
}

/** The id of a resource: the statement's id, and the mapping's ending after it. */
export function resourceId(statementId: string, id: string): string {
  return id === '' ? statementId : `${statementId}-${id}`;
}

/** The type of the main resource that expresses a fact. */
function mainOf(fact: StoredFact, mappingOf: Evaluating['mappingOf']): string | undefined {
  return mappingOf(fact.model)?.resources.find((mapping) => mapping.id === '' && isSaid(mapping, fact))?.resource;
}

function sayOwn({ id, display = [] }: ValueOf<'own'>): Say {
  return ({ fact, mappingOf }, found) => {
    const mapping = mappingOf(fact.model)?.resources.find((one) => one.id === id && isSaid(one, fact));
    const shown = display.flatMap((column) => textIn(fact.values, column) ?? []).join(' ');
    found.add(
      filled({
        reference: mapping && `${mapping.resource}/${resourceId(fact.statementId, id)}`,
        display: shown === '' ? undefined : shown,
      }),
    );
  };
}

function addReferences(found: Found, facts: readonly StoredFact[], mappingOf: Evaluating['mappingOf']): void {
  found.asked = true;
  for (const fact of facts) {
    const resource = mainOf(fact, mappingOf);
    if (resource !== undefined) {
      found.add({ reference: `${resource}/${fact.statementId}` });
    }
  }
}

/**
 * Refers to another statement. Its id follows from the key in the column, so no query is needed. If only some facts of
 * the model have such a resource, the target may not exist, and no reference is made.
 */
function sayStatement({ column, of, display }: ValueOf<'statement'>): Say {
  return ({ fact, mappingOf }, found) => {
    const meant = referredStatement(fact.lineageId, textIn(fact.values, column) ?? '');
    const main = meant && mappingOf(meant.model)?.resources.find(({ id }) => id === '');
    const isThere = main?.resource === of && main.when === undefined && main.unless === undefined;
    found.add(
      meant && isThere
        ? filled({
            reference: `${of}/${meant.id}`,
            display: display === undefined ? undefined : textIn(fact.values, display),
          })
        : undefined,
    );
  };
}

function filledWords(
  text: string,
  columns: readonly string[],
  { values, partialDates }: StoredFact,
): string | undefined {
  return columns.every((column) => textIn(values, column) !== undefined)
    ? text.replace(/\{(\w+)\}/g, (_, column: string) =>
        knownPart(textIn(values, column)!, partialDates?.[column]).replace(MIDNIGHT, ''),
      )
    : undefined;
}

function alone(say: Say, evaluating: Evaluating): Found {
  const found = new Found();
  say(evaluating, found);
  return found;
}

function sayFirst(values: readonly ElementValue[], at: At): Say {
  const all = values.map((value) => compileValue(value, at));
  return (evaluating, found) => {
    for (const say of all) {
      const other = alone(say, evaluating);
      if (other.items.length > 0 || other.absent) {
        return found.take(other);
      }
    }
    found.asked = true;
  };
}

function sayLines(values: readonly ElementValue[], at: At): Say {
  const all = values.map((value) => compileValue(value, at));
  return (evaluating, found) => {
    const lines = new Found();
    all.forEach((say) => say(evaluating, lines));
    found.add(lines.said ? lines.items.join('\n') : undefined);
  };
}

function sayNode({ node }: ValueOf<'node'>, { type }: At): Say {
  const make = compileNode(node, type);
  return (evaluating, found) => {
    const { members, asked, said } = make(evaluating);
    found.asked ||= asked;
    if (members && (said || !asked)) {
      found.said ||= said;
      found.items.push(members);
    }
  };
}

function sayEach({ field, value }: ValueOf<'each'>, at: At): Say {
  const say = compileValue(value, at);
  return (evaluating, found) => {
    const { fact, rows } = evaluating;
    if (field === 'rows') {
      rows.forEach((other) => say({ ...evaluating, fact: other }, found));
    } else {
      childrenIn(fact, field).forEach((other) => say({ ...evaluating, fact: other, parent: fact }, found));
    }
  };
}

function sayAbove({ value }: ValueOf<'above'>, at: At): Say {
  const say = compileValue(value, at);
  return ({ parent, mappingOf }, found) => {
    if (parent) {
      say({ mappingOf, fact: parent, rows: [parent] }, found);
    } else {
      found.asked = true;
    }
  };
}

function sayAbsent({ reason }: ValueOf<'absent'>, { type }: At): Say {
  const absent = { extension: [{ url: ABSENT, valueCode: reason }] };
  return (_, found) => {
    if (type === '') {
      found.absent ??= absent;
    } else {
      found.items.push(absent);
    }
  };
}

function compileSaid(value: ElementValue, at: At): Say {
  switch (value.kind) {
    case 'column':
      return sayColumn(value, at);
    case 'block':
      return sayBlock(value, at);
    case 'lookup':
      return sayLookup(value, at);
    case 'fixed':
      return (_, found) => found.items.push(value.value as FhirValue);
    case 'words':
      return ({ fact }, found) => found.add(filledWords(value.text, value.columns, fact));
    case 'lines':
      return sayLines(value.values, at);
    case 'first':
      return sayFirst(value.values, at);
    case 'node':
      return sayNode(value, at);
    case 'each':
      return sayEach(value, at);
    case 'above':
      return sayAbove(value, at);
    case 'patient':
      return ({ fact }, found) => found.items.push({ reference: `Patient/${fact.recordId}` });
    case 'own':
      return sayOwn(value);
    case 'facts':
      return ({ fact, mappingOf }, found) => addReferences(found, childrenIn(fact, value.field), mappingOf);
    case 'parent':
      return ({ parent, mappingOf }, found) =>
        addReferences(found, parent && mainOf(parent, mappingOf) === value.resource ? [parent] : [], mappingOf);
    case 'statement':
      return sayStatement(value);
    case 'absent':
      return sayAbsent(value, at);
  }
}

function compileValue(value: ElementValue, at: At): Say {
  const say = compileSaid(value, at);
  return value.when === undefined && value.unless === undefined
    ? say
    : (evaluating, found) => {
        if (isSaid(value, evaluating.fact)) {
          say(evaluating, found);
        } else {
          found.asked = true;
        }
      };
}

type Members = { readonly members?: FhirObject; readonly asked: boolean; readonly said: boolean };
type Making = { readonly members: Record<string, FhirValue>; any: boolean; asked: boolean; said: boolean };
type Step = (evaluating: Evaluating, making: Making) => void;

function compileElement(
  { name, many, type, isDay, values }: Extract<NodeElement, { name: string }>,
  typeName: string,
): Step {
  const kind = fhirType(typeName)?.elements.get(name)?.kind ?? 'text';
  const all = values.map((value) => compileValue(value, { name, type, isDay, kind }));
  // The member that explains why a required element is absent, or holds what has no place in the element.
  const without = `_${name}`;
  return (evaluating, making) => {
    const found = new Found();
    for (const say of all) {
      say(evaluating, found);
    }
    if (found.items.length > 0) {
      making.members[name] = many ? found.items : found.items[0]!;
      if (found.beside && !many) {
        making.members[without] = found.beside;
      }
      making.any = true;
    } else if (found.absent) {
      making.members[without] = found.absent;
      making.any = true;
    }
    making.asked ||= found.asked;
    making.said ||= found.said;
  };
}

function compileFirst(nodes: readonly Node[], typeName: string): Step {
  const all = nodes.map((node) => compileNode(node, typeName));
  return (evaluating, making) => {
    for (const make of all) {
      const { members, asked, said } = make(evaluating);
      if (members) {
        Object.assign(making.members, members);
        making.any = true;
        making.asked ||= asked;
        making.said ||= said;
        return;
      }
    }
    making.asked = true;
  };
}

/** The places in R4's order that an element or its alternatives may have. */
function orderPlaces(element: NodeElement, order: readonly string[]): readonly number[] {
  return 'first' in element
    ? element.first.flat().flatMap((one) => orderPlaces(one, order))
    : [order.indexOf(element.name)];
}

type Make = (evaluating: Evaluating) => Members;

function makeNode(node: Node, typeName: string): Make {
  const order = [...(fhirType(typeName)?.elements.keys() ?? [])];
  const sorted = node
    .map((element) => ({ element, places: [...orderPlaces(element, order)].sort((one, other) => one - other) }))
    .sort((one, other) => (one.places[0] ?? 0) - (other.places[0] ?? 0));
  const steps = sorted.map(({ element }) =>
    'first' in element ? compileFirst(element.first, typeName) : compileElement(element, typeName),
  );
  // Alternatives may be placed both before and after another element.
  const mixed = sorted.some(({ places }, index) => (places.at(-1) ?? 0) > (sorted[index + 1]?.places[0] ?? Infinity));
  const inOrder = (members: FhirObject): FhirObject =>
    Object.fromEntries(
      order.flatMap((name) =>
        [name, `_${name}`].flatMap((one) => (one in members ? [[one, members[one]!] as const] : [])),
      ),
    );
  return (evaluating) => {
    const making: Making = { members: {}, any: false, asked: false, said: false };
    for (const step of steps) {
      step(evaluating, making);
    }
    const { members, any, asked, said } = making;
    return any ? { members: mixed ? inOrder(members) : members, asked, said } : { asked, said };
  };
}

const compiled = new WeakMap<Node, Make>();

/** The compiled function of a node. A node occurs once in one mapping, and so has one type. */
function compileNode(node: Node, typeName: string): Make {
  const make = compiled.get(node) ?? makeNode(node, typeName);
  compiled.set(node, make);
  return make;
}

/** The members of a resource or a part of one, in the order of R4; none when it is empty. */
export function nodeOf(node: Node, typeName: string, evaluating: Evaluating): Members {
  return compileNode(node, typeName)(evaluating);
}

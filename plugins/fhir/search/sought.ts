/**
 * sought: turns the values of a search parameter into what to look for in elements, by the parameter's type (R4 "Search
 * parameter types"; pure).
 */
import type { FactTest } from './fact-search';
import { idReference } from '../../../core/db/plans';
import type { FhirValue } from '../map/blocks';
import { storedSystems } from '../../../core/fhir/code-systems';
import { instants } from '../map/evaluate';
import { allOf, ALWAYS, anyOf, atPath, momentTests, NEVER, not, presentAt, type Sought } from './match-elements';
import type { SoughtDate } from '../../../core/fhir/search-dates';
import { readReference, readToken, unescaped } from './search-query';

const NOWHERE: Sought = {
  fixed: () => false,
  column: () => NEVER,
  block: () => NEVER,
  code: () => false,
  reference: () => NEVER,
};

type Members = { readonly [name: string]: FhirValue };

const membersOf = (value: FhirValue): Members | undefined =>
  typeof value === 'object' && !Array.isArray(value) ? (value as Members) : undefined;

const fitsLike = (text: string, like: string | undefined): boolean =>
  like === undefined || new RegExp(`^(?:${like})$`, 'u').test(text);

/** Looks for exactly one of these texts. A system is found by all its addresses. */
const textSought = (texts: readonly string[]): Sought => ({
  ...NOWHERE,
  fixed: (value) => texts.includes(String(value)),
  column: ({ column, like }, name) => {
    const fitting = texts.filter((text) => fitsLike(text, like));
    const values = name === 'system' ? fitting.flatMap(storedSystems) : fitting;
    return values.length === 0 ? NEVER : { kind: 'in', column, values };
  },
  code: (code) => texts.includes(code),
});

/**
 * Whether a search for this system can find a plain code: the system of such a code is one of FHIR's own, and is not
 * written down.
 */
export const impliedSystem = (system: string | undefined): boolean =>
  system === undefined || system === '' || system.startsWith('http://hl7.org/fhir/');

/** Codes of one system, of which any may match. Without codes, anything of the system matches. */
type Token = { readonly system: string | undefined; readonly codes: readonly string[] };

/**
 * Groups codes by system, so that one test is made for each system: a database takes long to parse a statement with a
 * test for each code.
 */
const tokensIn = (values: readonly string[]): readonly Token[] => {
  const bySystem = new Map<string | undefined, string[]>();
  const whole: Token[] = [];
  for (const { system, code } of values.map(readToken)) {
    if (code === '') {
      whole.push({ system, codes: [] });
    } else {
      bySystem.set(system, [...(bySystem.get(system) ?? []), code]);
    }
  }
  return [...whole, ...[...bySystem].map(([system, codes]) => ({ system, codes: [...new Set(codes)] }))];
};

const hasCode = ({ codes }: Token, code: string): boolean => codes.length === 0 || codes.includes(code);

const systemFits = (given: FhirValue | undefined, { system }: Token): boolean => {
  if (system === undefined) {
    return true;
  }
  return system === '' ? given === undefined : given === system;
};

const fixedToken = (value: FhirValue, token: Token): boolean => {
  if (Array.isArray(value)) {
    return (value as readonly FhirValue[]).some((one) => fixedToken(one, token));
  }
  const members = membersOf(value);
  if (!members) {
    return impliedSystem(token.system) && token.codes.includes(String(value));
  }
  if (members['coding'] !== undefined) {
    return fixedToken(members['coding'], token);
  }
  const code = members['code'] ?? members['value'];
  return code !== undefined && hasCode(token, String(code)) && systemFits(members['system'], token);
};

const systemTest = ({ system }: Token, given: FactTest, named: (system: string) => FactTest): FactTest => {
  if (system === undefined) {
    return ALWAYS;
  }
  return system === '' ? not(given) : named(system);
};

/** The test for the system and code of a coded value, which are in columns of their own. */
const codedBlock = (field: string, token: Token): FactTest => {
  const [systems, codes] = [`${field}_system`, `${field}_identifier`];
  return allOf([
    token.codes.length === 0 ? { kind: 'filled', column: codes } : { kind: 'in', column: codes, values: token.codes },
    systemTest(token, { kind: 'filled', column: systems }, (system) => ({
      kind: 'in',
      column: systems,
      values: storedSystems(system),
    })),
  ]);
};

/** The element that holds the code, by composed type. */
const codeElements: Readonly<Record<string, string>> = { Coding: 'code', Identifier: 'value', ContactPoint: 'value' };

const tokenSought = (token: Token): Sought => {
  const { system, codes } = token;
  const own: Sought = {
    ...NOWHERE,
    fixed: (fixed) => fixedToken(fixed, token),
    column: ({ column, of, like }) => {
      const fitting = impliedSystem(system) ? codes.filter((code) => fitsLike(code, like)) : [];
      if (of === 'boolean') {
        return anyOf(fitting.map((code): FactTest => ({ kind: 'flag', column, value: code === 'true' })));
      }
      return fitting.length === 0 ? NEVER : { kind: 'in', column, values: fitting };
    },
    block: ({ block, field }) => {
      if (block === 'Telephone' && system === undefined) {
        return { kind: 'in', column: `${field}_number`, values: codes };
      }
      return block === 'CodedValue' ? codedBlock(field, token) : NEVER;
    },
    code: (found, of) =>
      of === undefined
        ? impliedSystem(system) && codes.includes(found)
        : hasCode(token, found) && systemFits(of, token),
    parts: (node, type, within) => {
      if (type === 'CodeableConcept') {
        return atPath(node, ['coding'], own, within);
      }
      const element = codeElements[type];
      if (element === undefined) {
        return NEVER;
      }
      return allOf([
        codes.length === 0 ? presentAt(node, [element], within) : atPath(node, [element], textSought(codes), within),
        systemTest(token, presentAt(node, ['system'], within), (named) =>
          atPath(node, ['system'], textSought([named]), within),
        ),
      ]);
    },
  };
  return own;
};

const DAY_MS = 86_400_000;
const MIDNIGHT = 'T00:00:00.000000Z';

/** The day of a point in time; and below, the first day that begins at that time or later. */
const dayOf = (stamp: string): string => stamp.slice(0, 10);
const dayFrom = (stamp: string): string => {
  if (stamp.endsWith(MIDNIGHT)) {
    return dayOf(stamp);
  }
  const next = new Date(Date.parse(`${dayOf(stamp)}T00:00:00Z`) + DAY_MS).toISOString();
  return next.startsWith('+') ? '9999-12-31T~' : next.slice(0, 10);
};

/**
 * The relation of a date in a column to a point in time. A day, a month and a year have a length; a point in time has
 * none.
 */
export type Edge = 'startsFrom' | 'startsBefore' | 'endsBy' | 'endsAfter';

type DateColumn = { readonly column: string; readonly of: 'date' | 'datetime'; readonly kind: 'from' | 'before' };

const dayTest = ({ kind, column, of }: DateColumn, day: string): FactTest => ({
  kind,
  column,
  value: of === 'date' || day.endsWith('~') ? day : `${day}${MIDNIGHT}`,
});

/**
 * The test for the end of a date: a month or a year has ended by a moment if it began before the month or year of that
 * moment.
 */
const endTest = (date: DateColumn, stamp: string, ofDay: FactTest): FactTest => {
  const isOnly = (precision: 'month' | 'year'): FactTest => ({ kind: 'partial', column: date.column, precision });
  return anyOf([
    allOf([not(isOnly('month')), not(isOnly('year')), ofDay]),
    allOf([isOnly('month'), dayTest(date, `${stamp.slice(0, 7)}-01`)]),
    allOf([isOnly('year'), dayTest(date, `${stamp.slice(0, 4)}-01-01`)]),
  ]);
};

const edge = (what: Edge, stamp: string): Sought => ({
  ...NOWHERE,
  column: ({ column, of }, name, hasNoTime) => {
    if (of !== 'date' && of !== 'datetime') {
      return NEVER;
    }
    const begins = what === 'startsFrom' || what === 'startsBefore';
    const kind = what === 'startsFrom' || what === 'endsAfter' ? 'from' : 'before';
    if (of === 'datetime' && instants.has(name)) {
      return { kind, column, value: stamp };
    }
    const date: DateColumn = { column, of, kind };
    const ofDay = dayTest(date, begins ? dayFrom(stamp) : dayOf(stamp));
    const isDay: FactTest = { kind: 'day', column };
    const test =
      of === 'date' || hasNoTime
        ? ofDay
        : anyOf([allOf([isDay, ofDay]), allOf([not(isDay), { kind, column, value: stamp }])]);
    // A date begins with its first day, even when only its month or year is known.
    return begins ? test : endTest(date, stamp, test);
  },
});

/**
 * A condition on the start or the end of a date or a period; `unsaid` is the result where that end of a period is open.
 */
type Want = { readonly edge: Edge; readonly stamp: string; readonly unsaid: boolean };

/** The conditions of a date: all conditions of at least one list must hold. With `ne`, no list may hold. */
export const wantsOf = ({ prefix, start, end }: SoughtDate): readonly (readonly Want[])[] => {
  const contained: readonly Want[] = [
    { edge: 'startsFrom', stamp: start, unsaid: false },
    { edge: 'endsBy', stamp: end, unsaid: false },
  ];
  const above: readonly Want[] = [{ edge: 'endsAfter', stamp: end, unsaid: true }];
  const below: readonly Want[] = [{ edge: 'startsBefore', stamp: start, unsaid: true }];
  switch (prefix) {
    case 'eq':
    case 'ne':
      return [contained];
    case 'gt':
      return [above];
    case 'lt':
      return [below];
    case 'ge':
      return [above, contained];
    case 'le':
      return [below, contained];
    case 'sa':
      return [[{ edge: 'startsFrom', stamp: end, unsaid: false }]];
    case 'eb':
      return [[{ edge: 'endsBy', stamp: start, unsaid: false }]];
    case 'ap':
      return [
        [
          { edge: 'startsBefore', stamp: end, unsaid: true },
          { edge: 'endsAfter', stamp: start, unsaid: true },
        ],
      ];
  }
};

const partOf: Readonly<Record<Edge, string>> = {
  startsFrom: 'start',
  startsBefore: 'start',
  endsBy: 'end',
  endsAfter: 'end',
};

const dateSought = (date: SoughtDate): Sought => {
  const whole = (test: FactTest): FactTest => (date.prefix === 'ne' ? not(test) : test);
  return {
    ...NOWHERE,
    column: (value, name, isDay) =>
      allOf([
        ...momentTests(value, name),
        whole(
          anyOf(
            wantsOf(date).map((wants) =>
              allOf(wants.map((want) => edge(want.edge, want.stamp).column(value, name, isDay))),
            ),
          ),
        ),
      ]),
    parts: (node, type, within) =>
      type !== 'Period'
        ? NEVER
        : whole(
            anyOf(
              wantsOf(date).map((wants) =>
                allOf(
                  wants.map((want) => {
                    const part = partOf[want.edge];
                    const test = atPath(node, [part], edge(want.edge, want.stamp), within);
                    return want.unsaid ? anyOf([test, not(presentAt(node, [part], within))]) : test;
                  }),
                ),
              ),
            ),
          ),
  };
};

const TITLES: Readonly<Record<string, readonly string[]>> = { CodeableConcept: ['text'], Coding: ['display'] };

/** Looks for the words of a code that begin with a text. */
const wordsSought = (value: string): Sought => {
  const text = unescaped(value).toLowerCase();
  const meets = (given: FhirValue): boolean => {
    if (Array.isArray(given)) {
      return (given as readonly FhirValue[]).some(meets);
    }
    const members = membersOf(given);
    return members
      ? [members['coding'], members['text'], members['display']].some((one) => one !== undefined && meets(one))
      : String(given).toLowerCase().startsWith(text);
  };
  const own: Sought = {
    ...NOWHERE,
    fixed: (fixed) => membersOf(fixed) !== undefined && meets(fixed),
    block: ({ block, field }) => (block === 'CodedValue' ? { kind: 'begins', column: `${field}_title`, text } : NEVER),
    parts: (node, type, within) =>
      anyOf([
        ...(TITLES[type] ?? []).map((part) => atPath(node, [part], stringSought(part, value, ''), within)),
        ...(type === 'CodeableConcept' ? [atPath(node, ['coding'], own, within)] : []),
      ]),
  };
  return own;
};

/** @param base address of the door @param recordId id of the record's only Patient */
const referenceSought = (values: readonly string[], base: string, recordId: string): Sought => {
  const found = values.flatMap((value) => readReference(value, base) ?? []);
  const idsOf = (resource: string): readonly string[] =>
    found.filter(({ type }) => type === undefined || type === resource).map(({ id }) => id);
  return {
    ...NOWHERE,
    reference: (target) => {
      if (target.to === 'patient') {
        return idsOf('Patient').includes(recordId) ? ALWAYS : NEVER;
      }
      const ids = idsOf(target.resource);
      if (target.to === 'own') {
        return resourceIds(ids, target.id);
      }
      if (target.to === 'fact') {
        return resourceIds(ids, '');
      }
      const names = ids.flatMap((id) => target.models.map((model) => idReference(model, id)));
      return names.length === 0 ? NEVER : { kind: 'in', column: target.column, values: names };
    },
  };
};

/** The test for facts whose resource, with this ending, has one of these ids. */
export const resourceIds = (ids: readonly string[], ending: string): FactTest => {
  const end = ending === '' ? '' : `-${ending}`;
  const statements = ids.filter((id) => id.endsWith(end)).map((id) => id.slice(0, id.length - end.length));
  return statements.length === 0 ? NEVER : { kind: 'statement', ids: statements };
};

const stringParts: Readonly<Record<string, readonly string[]>> = {
  family: ['family'],
  given: ['given', 'middle'],
  'address-city': ['city'],
  'address-state': ['region'],
  'address-postalcode': ['postalcode'],
  'address-country': ['country'],
};
const blockParts: Readonly<Record<string, readonly string[]>> = {
  Name: ['family', 'given', 'middle', 'prefix', 'suffix'],
  Address: ['street', 'city', 'region', 'postalcode', 'country'],
};

const stringSought = (name: string, value: string, modifier: string): Sought => {
  const text = unescaped(value);
  const meets = (given: string): boolean => {
    if (modifier === 'exact') {
      return given === text;
    }
    const [whole, part] = [given.toLowerCase(), text.toLowerCase()];
    return modifier === 'contains' ? whole.includes(part) : whole.startsWith(part);
  };
  const test = (column: string): FactTest =>
    modifier === 'exact'
      ? { kind: 'in', column, values: [text] }
      : { kind: modifier === 'contains' ? 'contains' : 'begins', column, text };
  return {
    ...NOWHERE,
    fixed: (fixed) => typeof fixed === 'string' && meets(fixed),
    column: ({ column }) => test(column),
    block: ({ block, field }) =>
      anyOf((stringParts[name] ?? blockParts[block] ?? []).map((suffix) => test(`${field}_${suffix}`))),
    parts: (node, _, within) =>
      anyOf(
        ['family', 'given', 'text', 'name'].map((part) =>
          atPath(node, [part], stringSought(name, value, modifier), within),
        ),
      ),
  };
};

export type Reading = {
  readonly base: string;
  readonly recordId: string;
  readonly dateOf: (name: string, value: string) => SoughtDate;
};

type Wanted = {
  readonly name: string;
  readonly type: string;
  readonly modifier: string;
  readonly values: readonly string[];
};

/**
 * What to look for by the values of a parameter; meeting one of them is enough. Empty for types that are not searched.
 */
export const soughtOf = (
  { name, type, modifier, values }: Wanted,
  { base, recordId, dateOf }: Reading,
): readonly Sought[] => {
  switch (type) {
    case 'token':
      return modifier === 'text' ? values.map(wordsSought) : tokensIn(values).map(tokenSought);
    case 'date':
      return values.map((value) => dateSought(dateOf(name, value)));
    case 'reference':
      return [referenceSought(values, base, recordId)];
    case 'string':
      return values.map((value) => stringSought(name, value, modifier));
    default:
      return [];
  }
};

/** told: a statement as lines compare it, and all of it that decides whether it is kept apart from others (pure). */
import type { Id } from '../base/types';
import type { Measured } from '../lab-tests/measured';
import { TEST_SERIES } from '../facts/code-tables';
import type { StoredFact } from '../facts/plans';
import type { CodeColumns, SameRules, SameRule } from '../facts/model/same';
import { amountKey, dimensionOf } from './amount-keys';
import { codingKey, type Coded, type CodeReader, type Coding, type Values } from './codings';
import { plain, sideIn, worded, type Worded } from './plain-words';

export type Told = {
  /** Of the statement. */ readonly id: Id;
  readonly documentId: Id;
  /** Equal for documents that are one, such as a document that came through two doors. */ readonly source: string;
  readonly values: Values;
  /** Codes that its sender gives beside those in the values, by column. */ readonly also?: Coded['also'];
  /** The facts of the statement, for those who print them. */ readonly facts: readonly StoredFact[];
  /** When its sender said it; empty where the sender does not say. */ readonly said: string;
  /** The date of its care, such as that of its visit. */ readonly care?: string;
  /** Of a result of a known test: its value in units of the test. */ readonly measured?: Measured;
  readonly sent?: { readonly system: string; readonly value: string };
  /** Its sender says something newer in its place. */ readonly isOlder?: boolean;
};

/** Stands in no text of a document, because XML does not allow it. */
export const BETWEEN = '\u0001';
const WITHIN = '\u0002';

/** Everything of a statement by which it is kept apart from others. */
export type Traits = {
  readonly codings: readonly Coding[];
  readonly amounts: string;
  readonly sides: string;
  /** For each field texts, of which two statements that say the same share one. */
  readonly differ: readonly (readonly string[])[];
  readonly days: readonly string[];
  /** What its unit converts into; none without a unit. */ readonly units: readonly string[];
  readonly kinds: readonly string[];
  /** Names the statement where the person says of it that it is another one; otherwise empty. */
  readonly mark: string;
  /** Equal for statements with equal traits. */
  readonly signature: string;
};

export function toldText(values: Values, column: string): string {
  const value = values[column];
  return value === null || value === undefined ? '' : String(value).trim();
}

export function firstText(values: Values, columns: readonly string[]): string {
  return columns.map((column) => toldText(values, column)).find((text) => text !== '') ?? '';
}

/** Words are compared often, and the same words come again and again. */
function remembered<R>(work: (text: string) => R, most = 20_000): (text: string) => R {
  const known = new Map<string, R>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) {
      return found;
    }
    const result = work(text);
    if (known.size < most) {
      known.set(text, result);
    }
    return result;
  };
}

/** How the words of one run are read; each text once. */
export type Wording = {
  readonly worded: (text: string) => Worded;
  readonly side: (text: string) => string;
  readonly plain: (text: string) => string;
};

export function newWording(): Wording {
  return {
    worded: remembered(worded),
    side: remembered(sideIn),
    plain: remembered(plain),
  };
}

/** The columns by whose codes statements are told apart at every level. */
function namingColumns({ equal, perhaps }: SameRules): readonly CodeColumns[] {
  const rules: readonly SameRule[] = [...equal, ...perhaps];
  const all = rules.flatMap(({ code, test }) => [...(code?.columns ?? []), ...(test?.code ?? [])]);
  return [...new Map(all.map((pair) => [pair.code, pair])).values()];
}

/** Words and amounts as one text, so that "0.5 g" is "500 mg". */
function amountsLast({ words, amounts }: Worded): string {
  return `${words} ${amounts}`.trim();
}

/** The dimensions of a unit, as it is written and as its test converts it. */
function unitsOf(written: string, measured: Measured | undefined): readonly string[] {
  return written === '' ? [] : [...new Set([written, ...(measured?.family ?? [])].map(dimensionOf))];
}

/** Reads traits by the rules of a model. */
export function traitReader(
  rules: SameRules,
  codes: CodeReader,
  wording: Wording,
  markOf: (id: Id) => string,
): (told: Told) => Traits {
  const naming = namingColumns(rules);
  const of = <K extends SameRules['unless'][number]['kind']>(kind: K) =>
    rules.unless.filter((rule): rule is Extract<SameRules['unless'][number], { kind: K }> => rule.kind === kind);
  const [amounts, sides, differ, days, kinds] = [of('amounts'), of('sides'), of('differ'), of('days'), of('kinds')];
  const units = of('units');
  const firstAmounts = (texts: readonly string[]): string =>
    texts.map((text) => wording.worded(text).amounts).find((text) => text !== '') ?? '';
  return ({ id, values, also, measured }) => {
    const words = (columns: readonly string[]): string => firstText(values, columns);
    const traits = {
      codings: codes.codingsIn({ values, also }, naming),
      amounts: amounts
        .map(({ columns }) => firstAmounts(columns.map((column) => toldText(values, column))))
        .join(' & '),
      sides: sides.map(({ columns }) => wording.side(words(columns))).join(' & '),
      differ: differ.flatMap(({ fields }) =>
        fields.map(({ columns, code }) => {
          const text = columns.map((column) => toldText(values, column)).filter((part) => part !== '');
          const codings = code ? codes.codingsIn({ values, also }, [code]).map(codingKey) : [];
          return [amountsLast(wording.worded(text.join(' '))), ...codings].filter((part) => part !== '');
        }),
      ),
      days: days.map(({ column }) => toldText(values, column).slice(0, 10)),
      units: units.flatMap(({ amount }) => unitsOf(toldText(values, amount.unit ?? ''), measured)),
      kinds: kinds.map(({ columns: [one, other] }) => {
        const [first, second] = [toldText(values, one) !== '', toldText(values, other) !== ''];
        return first === second ? '' : String(first);
      }),
      mark: markOf(id),
    };
    const { codings, differ: fields, ...others } = traits;
    const coded = codings.map(codingKey).sort().join(BETWEEN);
    const filled = fields.map((texts) => texts.join(WITHIN)).join(BETWEEN);
    return { ...traits, signature: [coded, filled, ...Object.values(others)].join(BETWEEN) };
  };
}

/**
 * The texts that two statements must share to be joined by a rule, one for each of their codes; none if the statement
 * lacks what the rule names. Amounts in names are not part of it.
 */
export function keysOf(rule: SameRule, told: Told, codes: CodeReader, wording: Wording): readonly string[] {
  const { values, sent } = told;
  const fixed: string[] = [];
  const need = (text: string): boolean => {
    fixed.push(text);
    return text !== '';
  };
  const at = (column: string, length: number): string => {
    const text = toldText(values, column);
    return text.length < length ? '' : text.slice(0, length);
  };
  const isThere =
    (rule.words === undefined || need(wording.worded(firstText(values, rule.words)).words)) &&
    (rule.amount === undefined ||
      need(amountKey(toldText(values, rule.amount.value), toldText(values, rule.amount.unit ?? '')) ?? '')) &&
    (rule.rounded === undefined ||
      need(told.measured ? 'converted' : `unit ${toldText(values, rule.rounded.unit ?? '')}`)) &&
    (rule.day === undefined || need(at(rule.day, 10))) &&
    (rule.minute === undefined || need(minuteIn(toldText(values, rule.minute)))) &&
    (rule.accession === undefined || need(wording.plain(toldText(values, rule.accession)))) &&
    (rule.within === undefined || toldText(values, rule.within.column) !== '') &&
    (rule.sent === undefined || need(sent ? `${sent.system}|${sent.value}` : ''));
  if (!isThere) {
    return [];
  }
  const names = namesFor(rule, told, codes, wording);
  const rest = fixed.join(BETWEEN);
  return names.map((name) => `${name}${BETWEEN}${rest}`);
}

/** The minute of a point in time; empty for a day, which is stored as its midnight. */
export function minuteIn(text: string): string {
  return text.length < 16 || /T00:00:00(\.0+)?Z?$/.test(text) ? '' : text.slice(0, 16);
}

/** What a rule compares by name: a code of each system, or a test by its code or its words. */
function namesFor(rule: SameRule, told: Told, codes: CodeReader, wording: Wording): readonly string[] {
  if (rule.test) {
    const found = codes.codingsIn(told, rule.test.code);
    const coded = [...new Set(found.map((coding) => codes.target(TEST_SERIES, coding) ?? codingKey(coding)))];
    const words = wording.worded(firstText(told.values, rule.test.words)).words;
    return [...coded, ...(words === '' ? [] : [`words ${words}`])];
  }
  if (!rule.code) {
    return [''];
  }
  const { columns, systems, through } = rule.code;
  const isAlone = rule.words === undefined && rule.day === undefined;
  const found = codes.codingsIn(told, columns);
  if (through !== undefined) {
    return found.flatMap((coding) => codes.target(through, coding) ?? []);
  }
  return found
    .filter(({ system }) => systems.length === 0 || systems.includes(system))
    .filter(({ isCoarse }) => !isCoarse || !isAlone || rule.asks === true)
    .map(codingKey);
}

/** What a result is a result of, whatever its amount; none for a set of readings that lacks the one of the rule. */
export function resultNames(rule: SameRule, told: Told, codes: CodeReader, wording: Wording): readonly string[] {
  const isThere = rule.test !== undefined || toldText(told.values, rule.amount?.value ?? '') !== '';
  return isThere ? namesFor(rule, told, codes, wording) : [];
}

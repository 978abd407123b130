/**
 * tests: the laboratory tests that the service knows: names in four languages, the codes of their results, the units
 * between which their values may be converted. They are read from `tests.csv`, `codes.csv` and `spellings.yaml`.
 */
import { readExact, type Exact } from '../base/exact';
import type { Language } from '../base/languages';
import type { GrowthTable } from './growth';
import { isSameDimension, readUnit, type Unit } from './units';

export type Precision = 'exact' | 'convention' | 'never' | 'none' | 'formula';
export type TestKind = 'quantity' | 'ratio' | 'count' | 'titer' | 'ordinal' | 'text';

export type LabTest = {
  readonly id: string;
  readonly group: string;
  readonly names: Readonly<Record<Language, string>>;
  /** UCUM; the first one is that in which its series are kept. Empty for tests without a unit. */
  readonly units: readonly string[];
  /** Grams in a mole. */ readonly molarMass?: Exact;
  /** Equivalents in a mole. */ readonly charge?: number;
  readonly precision: Precision;
  readonly kind: TestKind;
  /** Another test whose results are of the same series in one unit: urea and the nitrogen in it, in moles. */
  readonly joins?: { readonly test: string; readonly unit: string };
  /** What a reader must know. */ readonly special: string;
  /** Names as sources write them, in lower case. They are proposals only. */ readonly aliases: readonly string[];
};

/** What a LOINC code is about. Results of different series are never drawn as one line. */
export type TestCode = {
  readonly code: string;
  readonly test: LabTest;
  /** The specimen, as LOINC calls it: `Ser/Plas`. */ readonly system: string;
  /** Empty for the main series of the test. */ readonly series: string;
  readonly method: string;
};

/** Spelling of a source, without spaces -> UCUM: for every test, for enzymes, for international units. */
export type Spellings = Readonly<Record<'every' | 'enzymes' | 'international', ReadonlyMap<string, string>>>;

/** What is measured of the body, or of how somebody lives: a weight, a blood pressure. */
export type BodyMeasure = Pick<LabTest, 'id' | 'names'> & {
  /** UCUM, as it is measured. */ readonly unit: string;
  /** The units in which a page can show it, that one first. */ readonly units: readonly string[];
  /** The field of the model VitalSigns; undefined where it has none. */ readonly field: string | undefined;
  /** The types under which the model Measurement has it. */ readonly types: readonly string[];
};

export type LabTests = {
  readonly tests: readonly LabTest[];
  /** Measures of the body, of `body.csv`. */ readonly body: readonly BodyMeasure[];
  /** LOINC code -> what it is about. */ readonly codes: ReadonlyMap<string, TestCode>;
  /** Id of a measure of the body -> how children grow. */ readonly growth: ReadonlyMap<string, GrowthTable>;
  readonly find: (id: string) => LabTest | undefined;
  /** The unit in UCUM that a source wrote for this test; undefined for one that the test cannot have. */
  readonly unitFor: (test: LabTest, written: string) => string | undefined;
};

/** Whether a source names LOINC, by its address, its name, or its number as an object identifier. */
export function namesLoinc(system: string): boolean {
  return /loinc|\/LNC\/|(?:^|:)2\.16\.840\.1\.113883\.6\.1$/i.test(system);
}

function isEnzyme({ units }: LabTest): boolean {
  return units.includes('U/L') && !units.some((one) => one.includes('[IU]'));
}
function isInternational({ special }: LabTest): boolean {
  return /\bIU only\b/.test(special);
}

/** What is the same in every spelling: no spaces, one sign for micro, a capital for litres. */
function plainSpelling(written: string): string {
  return written
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(/[µμ]/g, 'u')
    .replace(/mcg/g, 'ug')
    .replace(/(^|[/.])([kdcmunpf]?)l(?![A-Za-z])/g, '$1$2L');
}

function spelled(spellings: Spellings, test: LabTest, written: string): string {
  const plain = plainSpelling(written);
  const tables = [
    ...(isInternational(test) ? [spellings.international] : []),
    ...(isEnzyme(test) ? [spellings.enzymes] : []),
    spellings.every,
  ];
  return (
    tables.map((table) => table.get(plain) ?? table.get(plain.toLowerCase())).find((one) => one !== undefined) ?? plain
  );
}

/** Whether the unit is one of the test's own, or a power of ten of one. */
function fitsTest(test: LabTest, unit: Unit): boolean {
  return test.units.some((own) => {
    const known = readUnit(own);
    return known !== undefined && isSameDimension(known, unit);
  });
}

/** The unit of plain numbers, and of ratios such as INR. */
const ONE = '1';

/** No unit, the unit 1, or only words about what is counted, as in `{INR}`. */
function isPlainNumber(written: string): boolean {
  return /^(?:1|\{[^{}]*\})?$/.test(written.trim());
}

function testUnit(spellings: Spellings, test: LabTest, written: string): string | undefined {
  if (test.units.includes(ONE) && isPlainNumber(written)) {
    return ONE;
  }
  if (written.trim() === '' || test.precision === 'none') {
    return undefined;
  }
  const text = spelled(spellings, test, written);
  const ownUnits = test.units.filter((own) => own.toLowerCase() === text.toLowerCase());
  if (test.units.includes(text) || ownUnits.length === 1) {
    return test.units.includes(text) ? text : ownUnits[0];
  }
  const unit = test.precision === 'formula' ? undefined : readUnit(text);
  return unit !== undefined && fitsTest(test, unit) ? text : undefined;
}

export function labTestsOf(
  tests: readonly LabTest[],
  codes: readonly TestCode[],
  spellings: Spellings,
  body: readonly BodyMeasure[] = [],
): LabTests {
  const byId = new Map(tests.map((test) => [test.id, test]));
  return {
    tests,
    body,
    codes: new Map(codes.map((one) => [one.code, one])),
    growth: new Map(),
    find: (id) => byId.get(id),
    unitFor: (test, written) => testUnit(spellings, test, written),
  };
}

/** The mass of a mole and the charge, as the columns `molar_mass` and `special` say them. */
export function massOf(molarMass: string, special: string): Pick<LabTest, 'molarMass' | 'charge'> {
  const mass = readExact(molarMass);
  const charge = /\bcharge:(\d)\b/.exec(special)?.[1];
  return { ...(mass ? { molarMass: mass } : {}), ...(charge ? { charge: Number(charge) } : {}) };
}

/** The other test that the column `special` names as of one series. */
export function joinsOf(special: string): Pick<LabTest, 'joins'> {
  const [, test, unit] = /^one series with ([a-z0-9-]+), in (\S+) only$/.exec(special) ?? [];
  return test === undefined || unit === undefined ? {} : { joins: { test, unit } };
}

/** For readers of documents, who need none. */
export const noLabTests: LabTests = labTestsOf([], [], {
  every: new Map(),
  enzymes: new Map(),
  international: new Map(),
});

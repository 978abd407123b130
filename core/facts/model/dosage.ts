/**
 * dosage: how a medicine is taken, as FHIR R4 says it: a list of dosages, which a fact keeps as JSON text in one column.
 * Other formats are written in the same terms, so there is one form to put into words and to give out.
 */
import { isLosslessNumber, parse, stringify } from 'lossless-json';
import { Decimal } from '../../fhir/decimal';
import { fhirType, type FhirElement, isPrimitive } from '../../fhir/elements';

type Coding = { readonly system?: string; readonly code?: string; readonly display?: string };
export type Concept = { readonly coding?: readonly Coding[]; readonly text?: string };
/** A number with its digits. */
export type Digits = Decimal;
export type Quantity = {
  readonly value?: Digits;
  readonly comparator?: string;
  readonly unit?: string;
  readonly code?: string;
};

/** Units of doses that have one meaning, each with one spelling of it. */
const PLAIN_UNITS: Readonly<Record<string, string>> = {
  g: 'g',
  mg: 'mg',
  ug: 'ug',
  mcg: 'ug',
  µg: 'ug',
  μg: 'ug',
  ng: 'ng',
  kg: 'kg',
  l: 'l',
  dl: 'dl',
  ml: 'ml',
  cc: 'ml',
  ul: 'ul',
};

/** Whether the two units of an amount are different ones: then nobody knows which is meant, and both are told. */
export function hasOtherUnit({ unit, code }: Quantity): boolean {
  const [said, coded] = [unit, code].map((one) => PLAIN_UNITS[(one ?? '').trim().toLowerCase()]);
  return said !== undefined && coded !== undefined && said !== coded;
}

export type Range = { readonly low?: Quantity; readonly high?: Quantity };
export type Ratio = { readonly numerator?: Quantity; readonly denominator?: Quantity };
type Extension = { readonly url?: string; readonly valueString?: string; readonly [name: string]: unknown };
type Extended = { readonly extension?: readonly Extension[]; readonly modifierExtension?: readonly Extension[] };

export type Repeat = Extended & {
  readonly boundsDuration?: Quantity;
  readonly boundsRange?: Range;
  readonly boundsPeriod?: { readonly start?: string; readonly end?: string };
  readonly count?: Digits;
  readonly countMax?: Digits;
  readonly duration?: Digits;
  readonly durationMax?: Digits;
  readonly durationUnit?: string;
  readonly frequency?: Digits;
  readonly frequencyMax?: Digits;
  readonly period?: Digits;
  readonly periodMax?: Digits;
  readonly periodUnit?: string;
  readonly dayOfWeek?: readonly string[];
  readonly timeOfDay?: readonly string[];
  readonly when?: readonly string[];
  /** Minutes. */ readonly offset?: Digits;
};
export type Timing = Extended & {
  readonly event?: readonly string[];
  readonly repeat?: Repeat;
  readonly code?: Concept;
};
export type DoseAndRate = Extended & {
  readonly type?: Concept;
  readonly doseQuantity?: Quantity;
  readonly doseRange?: Range;
  readonly rateRatio?: Ratio;
  readonly rateRange?: Range;
  readonly rateQuantity?: Quantity;
};
export type Dosage = Extended & {
  readonly sequence?: Digits;
  readonly text?: string;
  readonly additionalInstruction?: readonly Concept[];
  readonly patientInstruction?: string;
  readonly timing?: Timing;
  readonly asNeededBoolean?: boolean;
  readonly asNeededCodeableConcept?: Concept;
  readonly site?: Concept;
  readonly route?: Concept;
  readonly method?: Concept;
  readonly doseAndRate?: readonly DoseAndRate[];
  readonly maxDosePerPeriod?: Ratio;
  readonly maxDosePerAdministration?: Quantity;
  readonly maxDosePerLifetime?: Quantity;
};

/** An extension with words of the source for something that R4 has no element for. */
const ORIGINAL_TEXT = 'http://hl7.org/fhir/StructureDefinition/originalText';

/** An element of XML, as far as dosages need it. */
type DosageXml = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly elements: readonly DosageXml[];
};

type Members = Readonly<Record<string, unknown>>;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function primitiveIn({ kind }: FhirElement, text: string): unknown {
  if (kind === 'number') {
    const plain = text
      .replace(/^\+/, '')
      .replace(/^(-?)0+(?=\d)/, '$1')
      // ".5" and "5." are numbers in XML.
      .replace(/^-?(?=\.\d)/, '$&0')
      .replace(/(?<=\d)\.$/, '');
    return NUMBER.test(plain) ? new Decimal(plain) : undefined;
  }
  return kind === 'boolean' ? text === 'true' || text === '1' : text;
}

function valueInDosage(element: FhirElement, node: DosageXml): unknown {
  const text = node.attributes.get('value')?.trim() ?? '';
  if (isPrimitive(element)) {
    return text === '' ? undefined : primitiveIn(element, text);
  }
  return element.kind === 'complex' ? membersIn(node, element.type) : undefined;
}

/** The members of a part. What extends a plain value is moved to the part around it, so that it is not missed. */
function membersIn(node: DosageXml, typeName: string): Members | undefined {
  const type = fhirType(typeName);
  const members: Record<string, unknown> = {};
  const add = (element: FhirElement, value: unknown): void => {
    if (value !== undefined) {
      members[element.name] = element.many ? [...((members[element.name] as unknown[]) ?? []), value] : value;
    }
  };
  for (const child of node.elements) {
    const element = type?.elements.get(child.name);
    if (element) {
      add(element, valueInDosage(element, child));
      const extension = type?.elements.get('extension');
      if (extension && isPrimitive(element)) {
        child.elements.forEach((one) => add(extension, valueInDosage(extension, one)));
      }
    }
  }
  const url = node.attributes.get('url');
  return url === undefined && Object.keys(members).length === 0
    ? undefined
    : { ...(url === undefined ? {} : { url }), ...members };
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

function fitsOne(element: FhirElement, value: unknown): boolean {
  if (element.kind === 'number') {
    return isLosslessNumber(value);
  }
  if (element.kind === 'boolean') {
    return typeof value === 'boolean';
  }
  return element.kind === 'complex' ? fitsType(value, element.type) : typeof value === 'string';
}

/** Whether a value has only members that R4 knows, each of its kind. */
function fitsType(value: unknown, typeName: string): boolean {
  return (
    isMembers(value) &&
    Object.entries(value).every(([name, member]) => {
      const element = fhirType(typeName)?.elements.get(name);
      const all = element?.many ? member : [member];
      return element !== undefined && Array.isArray(all) && all.every((one) => fitsOne(element, one));
    })
  );
}

/** Dosages as text; undefined when there are none. */
export function dosageText(dosages: readonly Dosage[]): string | undefined {
  return dosages.length === 0 ? undefined : stringify(dosages);
}

/** The text of the dosages that a stylesheet wrote as elements of FHIR. */
export function dosageTextOf(nodes: readonly DosageXml[]): string | undefined {
  return dosageText(nodes.flatMap((node) => (membersIn(node, 'Dosage') as Dosage | undefined) ?? []));
}

/** The dosages in a text; undefined when it is not a list of dosages of R4. */
export function dosagesIn(text: string): readonly Dosage[] | undefined {
  try {
    const value = parse(text, undefined, (digits) => new Decimal(digits));
    return Array.isArray(value) && value.every((one) => fitsType(one, 'Dosage')) ? (value as Dosage[]) : undefined;
  } catch {
    return undefined;
  }
}

function frequencyOf(frequency: number, period: number, periodUnit: string): Repeat {
  return {
    frequency: new Decimal(String(frequency)),
    period: new Decimal(String(period)),
    periodUnit,
  };
}

/** The schedules that FHIR names by a code. */
const schedules: Readonly<Record<string, Repeat>> = {
  QD: frequencyOf(1, 1, 'd'),
  BID: frequencyOf(2, 1, 'd'),
  TID: frequencyOf(3, 1, 'd'),
  QID: frequencyOf(4, 1, 'd'),
  QOD: frequencyOf(1, 2, 'd'),
  WK: frequencyOf(1, 1, 'wk'),
  MO: frequencyOf(1, 1, 'mo'),
  Q1H: frequencyOf(1, 1, 'h'),
  Q2H: frequencyOf(1, 2, 'h'),
  Q3H: frequencyOf(1, 3, 'h'),
  Q4H: frequencyOf(1, 4, 'h'),
  Q6H: frequencyOf(1, 6, 'h'),
  Q8H: frequencyOf(1, 8, 'h'),
  AM: { ...frequencyOf(1, 1, 'd'), when: ['MORN'] },
  PM: { ...frequencyOf(1, 1, 'd'), when: ['AFT'] },
  BED: { ...frequencyOf(1, 1, 'd'), when: ['HS'] },
};

/** The concept in words: those of its source, else its code. */
export function conceptWords({ coding = [], text }: Concept = {}): string {
  return (text ?? coding.find(({ display }) => display !== undefined)?.display ?? coding[0]?.code ?? '').trim();
}

function digits(value: Digits | undefined): string | undefined {
  return value === undefined ? undefined : String(Number(String(value)));
}

/** A period without a frequency is that of once. */
function saysTheSame(one: Repeat, other: Repeat): boolean {
  return (
    (['frequencyMax', 'period', 'periodMax'] as const).every((name) => digits(one[name]) === digits(other[name])) &&
    (digits(one.frequency) ?? '1') === digits(other.frequency) &&
    one.periodUnit === other.periodUnit &&
    (other.when === undefined || String(one.when ?? '') === String(other.when))
  );
}

/** What a repeat may say beside the schedule that a code names. */
const BESIDE_CODE: readonly string[] = ['boundsDuration', 'boundsRange', 'boundsPeriod', 'count', 'countMax'];

/** A schedule of which the code is resolved: the repetition, and the words of a code that says something else. */
export function scheduleOf({ repeat = {}, code }: Timing): { readonly repeat: Repeat; readonly named: string } {
  const words = conceptWords(code);
  const coding = code?.coding?.find((one) => Object.hasOwn(schedules, one.code ?? ''));
  const known = coding && schedules[coding.code!]!;
  if (!known) {
    return { repeat, named: words };
  }
  const repeated = Object.keys(repeat).every((name) => BESIDE_CODE.includes(name)) ? { ...repeat, ...known } : repeat;
  const isUsual = code?.text === undefined || [coding.code, coding.display].includes(code.text.trim());
  return { repeat: repeated, named: isUsual && saysTheSame(repeated, known) ? '' : words };
}

/** Extensions that only say that the dosage is there, or how its words were made. */
const SAYS_NOTHING = /(?:KBV_EX_ERP_DosageFlag|GeneratedDosageInstructionsMeta)$/;

function isUnread({ url = '', valueBoolean }: Extension): boolean {
  return url !== ORIGINAL_TEXT && (!SAYS_NOTHING.test(url) || String(valueBoolean) === 'false');
}

/** Whether a part has an extension that nobody here can read. */
export function isExtended({ extension = [], modifierExtension = [] }: Extended): boolean {
  return modifierExtension.length > 0 || extension.some(isUnread);
}

/** What the source says in its own words, for want of an element. */
export function originalWords({ extension = [] }: Extended): readonly string[] {
  return extension.flatMap(({ url, valueString }) => (url === ORIGINAL_TEXT && valueString ? [valueString] : []));
}

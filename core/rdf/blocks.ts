/** blocks: writes fields of compound types as nodes of the platform vocabulary; empty ones are left out. */
import { wireTime } from '../base/clock';
import { xmlText } from '../facts/model/column-values';
import type { Column, ColumnKind, Scalar } from '../facts/model/model';
import { isDate } from '../facts/plans';
import { element, type XmlElement } from '../xml/write';

/** The fields of one fact. */
export type Source = {
  readonly values: Readonly<Record<string, Scalar>>;
  readonly columns: ReadonlyMap<string, Column>;
  readonly expand: (name: string) => string;
};

type Part = XmlElement | false;

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const datatypes: Partial<Record<ColumnKind, string>> = {
  number: 'double',
  integer: 'integer',
  boolean: 'boolean',
  datetime: 'dateTime',
  date: 'date',
};

/** Datatypes of dates whose day is not known, by their length. */
const partialDatatypes: Readonly<Record<number, string>> = { 4: 'gYear', 7: 'gYearMonth' };

/** @param value a date may be a year or a month, if no more of it is known */
export function literal(predicate: string, kind: ColumnKind, value: Exclude<Scalar, null>): XmlElement {
  const partial = isDate({ kind }) ? partialDatatypes[String(value).length] : undefined;
  if (partial !== undefined) {
    return element(predicate, { 'rdf:datatype': `${XSD}${partial}` }, String(value));
  }
  const datatype = datatypes[kind];
  return element(
    predicate,
    datatype ? { 'rdf:datatype': `${XSD}${datatype}` } : {},
    kind === 'datetime' ? wireTime(String(value)) : xmlText(kind, value),
  );
}

/** A column as a literal; nothing when it is null or empty. */
export function columnLiteral({ values, columns }: Source, predicate: string, column: string): Part {
  const value = values[column];
  return (
    value !== null &&
    value !== undefined &&
    value !== '' &&
    literal(predicate, columns.get(column)?.kind ?? 'string', value)
  );
}

export function typeElement(uri: string): XmlElement {
  return element('rdf:type', { 'rdf:resource': uri });
}

function hasAny(parts: readonly Part[]): boolean {
  return parts.some((part) => part !== false);
}

/** A blank node of some types with its properties. */
function node(source: Source, types: readonly string[], parts: readonly Part[]): XmlElement {
  return element('rdf:Description', {}, [...types.map((type) => typeElement(source.expand(type))), ...parts]);
}

/** As `node`, but nothing when there is no property. */
function filledNode(source: Source, types: readonly string[], parts: readonly Part[]): Part {
  return hasAny(parts) && node(source, types, parts);
}

function holding(predicate: string, inner: Part): Part {
  return inner !== false && element(predicate, {}, [inner]);
}

function sourceText({ values }: Source, column: string): string {
  const value = values[column];
  return value === null || value === undefined ? '' : String(value);
}

/** The system as given, or the model's own if the document left it out and no other is allowed. */
function systemOf(source: Source, field: string): string {
  return sourceText(source, `${field}_system`) || String(source.columns.get(`${field}_system`)?.equals ?? '');
}

/** Classes of codes that belong to one coding system. A code of another system has no such class. */
const systemClasses: Readonly<Record<string, string>> = {
  SNOMED: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
  RxNorm_Semantic: 'http://purl.bioontology.org/ontology/RXNORM/',
  RxNorm_Ingredient: 'http://purl.bioontology.org/ontology/RXNORM/',
  NDFRT: 'http://purl.bioontology.org/ontology/NDFRT/',
  UNII: 'http://fda.gov/UNII/',
  LOINC: 'http://purl.bioontology.org/ontology/LNC/',
  ImmunizationProduct: 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#',
};

function isOfClass(className: string, system: string): boolean {
  return system === '' || (systemClasses[className] ?? system) === system;
}

/** A code's node is named by its system and itself; if the system is no address, the node has no name. */
function codeNode(source: Source, field: string, className: string | undefined): Part {
  const [identifier, system, title] = [
    sourceText(source, `${field}_identifier`),
    systemOf(source, field),
    sourceText(source, `${field}_title`),
  ];
  if (identifier === '') {
    return false;
  }
  const uri = `${system}${encodeURIComponent(identifier)}`;
  return element('rdf:Description', /^[a-z][a-z0-9+.-]*:\S+$/i.test(system) ? { 'rdf:about': uri } : {}, [
    typeElement(source.expand('sp:Code')),
    className !== undefined && isOfClass(className, system) && typeElement(source.expand(`spcode:${className}`)),
    title !== '' && element('dcterms:title', {}, title),
    system !== '' && element('sp:system', {}, system),
    element('dcterms:identifier', {}, identifier),
  ]);
}

const codedValue: Block = (source, field, className) => {
  const title = sourceText(source, `${field}_title`);
  const code = codeNode(source, field, className);
  // Words without a code are written as they are.
  return (
    title !== '' && node(source, ['sp:CodedValue'], [element('dcterms:title', {}, title), holding('sp:code', code)])
  );
};

/** A ratio or an INR has no unit. */
const valueAndUnit: Block = (source, field) => {
  const value = columnLiteral(source, 'sp:value', `${field}_value`);
  return (
    value !== false && node(source, ['sp:ValueAndUnit'], [value, columnLiteral(source, 'sp:unit', `${field}_unit`)])
  );
};

/** For a value that means nothing without its unit, such as a frequency. */
const valueWithUnit: Block = (source, field) =>
  sourceText(source, `${field}_unit`) !== '' && valueAndUnit(source, field);

const valueRange: Block = (source, field) =>
  filledNode(
    source,
    ['sp:ValueRange'],
    [
      holding('sp:minimum', valueAndUnit(source, `${field}_min`)),
      holding('sp:maximum', valueAndUnit(source, `${field}_max`)),
    ],
  );

/** Ranges mean nothing without a value. */
const quantitativeResult: Block = (source, field) => {
  const value = valueAndUnit(source, `${field}_value`);
  return (
    value !== false &&
    node(
      source,
      ['sp:QuantitativeResult'],
      [
        holding('sp:valueAndUnit', value),
        holding('sp:normalRange', valueRange(source, `${field}_normal_range`)),
        holding('sp:nonCriticalRange', valueRange(source, `${field}_non_critical_range`)),
      ],
    )
  );
};

function literals(source: Source, field: string, pairs: Readonly<Record<string, string>>): readonly Part[] {
  return Object.entries(pairs).map(([suffix, predicate]) => columnLiteral(source, predicate, `${field}_${suffix}`));
}

const address: Block = (source, field) =>
  filledNode(
    source,
    ['v:Address'],
    literals(source, field, {
      street: 'v:street-address',
      city: 'v:locality',
      region: 'v:region',
      postalcode: 'v:postal-code',
      country: 'v:country',
    }),
  );

const personName: Block = (source, field) =>
  filledNode(
    source,
    ['v:Name'],
    literals(source, field, {
      family: 'v:family-name',
      given: 'v:given-name',
      middle: 'v:additional-name',
      prefix: 'v:honorific-prefix',
      suffix: 'v:honorific-suffix',
    }),
  );

const phoneKinds: Readonly<Record<string, string>> = { h: 'v:Home', w: 'v:Work', c: 'v:Cell' };

const telephone: Block = (source, field) => {
  const kind = phoneKinds[sourceText(source, `${field}_type`)];
  const preferred = Boolean(source.values[`${field}_preferred_p`]);
  const number = columnLiteral(source, 'rdf:value', `${field}_number`);
  return (
    number !== false &&
    node(source, ['v:Tel', ...(kind === undefined ? [] : [kind]), ...(preferred ? ['v:Pref'] : [])], [number])
  );
};

const organization: Block = (source, field) =>
  filledNode(
    source,
    ['sp:Organization'],
    [columnLiteral(source, 'v:organization-name', `${field}_name`), holding('v:adr', address(source, `${field}_adr`))],
  );

const pharmacy: Block = (source, field) =>
  filledNode(
    source,
    ['sp:Pharmacy'],
    [
      columnLiteral(source, 'sp:ncpdpId', `${field}_ncpdpid`),
      columnLiteral(source, 'v:organization-name', `${field}_org`),
      holding('v:adr', address(source, `${field}_adr`)),
    ],
  );

const genders: Readonly<Record<string, string>> = { m: 'male', f: 'female' };

const provider: Block = (source, field) => {
  const gender = genders[sourceText(source, `${field}_gender`)];
  return filledNode(
    source,
    ['sp:Provider'],
    [
      holding('v:n', personName(source, `${field}_name`)),
      ...literals(source, field, {
        dea_number: 'sp:deaNumber',
        ethnicity: 'sp:ethnicity',
        npi_number: 'sp:npiNumber',
        preferred_language: 'sp:preferredLanguage',
        race: 'sp:race',
        bday: 'v:bday',
        email: 'v:email',
      }),
      gender !== undefined && element('foaf:gender', {}, gender),
      holding('v:adr', address(source, `${field}_adr`)),
      holding('v:tel', telephone(source, `${field}_tel_1`)),
      holding('v:tel', telephone(source, `${field}_tel_2`)),
    ],
  );
};

const vitalSign: Block = (source, field) => {
  const value = columnLiteral(source, 'sp:value', `${field}_value`);
  return (
    value !== false &&
    node(
      source,
      ['sp:VitalSign'],
      [
        holding('sp:vitalName', codedValue(source, `${field}_name`, 'VitalSign')),
        value,
        columnLiteral(source, 'sp:unit', `${field}_unit`),
      ],
    )
  );
};

/** Circumstances mean nothing without a reading. */
const bloodPressure: Block = (source, field) => {
  const readings = [
    holding('sp:systolic', vitalSign(source, `${field}_systolic`)),
    holding('sp:diastolic', vitalSign(source, `${field}_diastolic`)),
  ];
  return (
    hasAny(readings) &&
    node(
      source,
      ['sp:BloodPressure'],
      [
        ...readings,
        holding('sp:bodyPosition', codedValue(source, `${field}_position`, 'BloodPressureBodyPosition')),
        holding('sp:bodySite', codedValue(source, `${field}_site`, 'BloodPressureBodySite')),
        holding('sp:method', codedValue(source, `${field}_method`, 'BloodPressureMethod')),
      ],
    )
  );
};

/** The node of a compound field; false when it has no content. */
type Block = (source: Source, field: string, className?: string) => XmlElement | false;

export const blocks: Readonly<Record<string, Block>> = {
  CodedValue: codedValue,
  Code: codeNode as Block,
  ValueAndUnit: valueAndUnit,
  ValueWithUnit: valueWithUnit,
  ValueRange: valueRange,
  QuantitativeResult: quantitativeResult,
  Address: address,
  Name: personName,
  Telephone: telephone,
  Organization: organization,
  Pharmacy: pharmacy,
  Provider: provider,
  VitalSign: vitalSign,
  BloodPressure: bloodPressure,
};

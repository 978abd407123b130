/** parts: pieces that the items of several minimal reports share. */
import { xmlText } from '../../../core/facts/model/column-values';
import type { ColumnKind, Scalar } from '../../../core/facts/model/model';
import type { ReportField, StoredFact } from '../../../core/facts/plans';
import { element, type XmlElement } from '../../../core/xml/write';
import { frequencyWords } from '../../../core/facts/model/dosage-words';

export type Values = StoredFact['values'];
export type Part = XmlElement | false;

export function isSet(value: Scalar | undefined): value is Exclude<Scalar, null> {
  return value !== null && value !== undefined && value !== '';
}

export function scalarText(value: Scalar | undefined): string {
  return isSet(value) ? String(value) : '';
}

/** An element with the value's text, only when there is one; zero and false are values. */
export function part(name: string, value: Scalar | undefined, kind: ColumnKind = 'string'): Part {
  return isSet(value) && element(name, {}, xmlText(kind, value));
}

export type Code = {
  readonly title?: Scalar | undefined;
  readonly system?: Scalar | undefined;
  readonly code?: Scalar | undefined;
  readonly abbrev?: Scalar | undefined;
};

/** A coded element: its title, and the known parts of its code as attributes. */
export function codedElement(name: string, { title, system, code, abbrev }: Code): XmlElement {
  return element(
    name,
    { type: scalarText(system) || null, value: scalarText(code) || null, abbrev: scalarText(abbrev) || null },
    isSet(title) ? String(title) : [],
  );
}

/** As `codedElement`, but nothing when there is neither title nor code. */
export function coded(name: string, code: Code): Part {
  return (isSet(code.title) || isSet(code.code)) && codedElement(name, code);
}

/** A coded value's columns. */
export function codeOf(values: Values, field: string): Code {
  return {
    title: values[`${field}_title`],
    system: values[`${field}_system`],
    code: values[`${field}_identifier`],
  };
}

/** An element around parts, only when there are any. */
export function around(name: string, parts: readonly Part[]): Part {
  return parts.some((inner) => inner !== false) && element(name, {}, parts);
}

/** A provider as the older documents write it. */
export function provider(name: Scalar | undefined, institution: Scalar | undefined): Part {
  return around('provider', [part('name', name), part('institution', institution)]);
}

/** A query field that reads one column. */
export function column(kind: ColumnKind, ...columns: readonly string[]): ReportField {
  return { kind, columns };
}

/** A query field that today's models have no column for: it is valid and always empty. */
export function noColumn(kind: ColumnKind): ReportField {
  return { kind, columns: [] };
}

/** How often a medicine is taken, as its number and unit; a unit that people cannot read, such as `/(6.mo)`, in words. */
export function frequencyText(values: Values): string {
  const [value, unit] = [scalarText(values['frequency_value']), scalarText(values['frequency_unit'])];
  return frequencyWords(value, unit, 'en') ?? `${value}${unit}`;
}

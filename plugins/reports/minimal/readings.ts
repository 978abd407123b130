/** readings: writes each reading of vital signs as an item: a set of nine readings is nine items. */
import type { Model, Scalar } from '../../../core/facts/model/model';
import type { ReportBranch, ReportField } from '../../../core/facts/plans';
import { element, type XmlElement } from '../../../core/xml/write';
import { coded, column, part } from './parts';

/** Field of the model -> the name that people use for the reading, and its code. */
const readings: Readonly<Record<string, { readonly name: string; readonly loinc: string }>> = {
  bp_systolic: { name: 'blood pressure systolic', loinc: '8480-6' },
  bp_diastolic: { name: 'blood pressure diastolic', loinc: '8462-4' },
  bmi: { name: 'body mass index', loinc: '39156-5' },
  heart_rate: { name: 'heart rate', loinc: '8867-4' },
  height: { name: 'height', loinc: '8302-2' },
  oxygen_saturation: { name: 'oxygen saturation', loinc: '2710-2' },
  respiratory_rate: { name: 'respiratory rate', loinc: '9279-1' },
  temperature: { name: 'temperature', loinc: '8310-5' },
  weight: { name: 'weight', loinc: '3141-9' },
};

const none = { text: '' };

/** The columns of the status, which an older model of an installation may lack. */
function statusColumns(names: ReadonlySet<string>): ReportBranch['columns'] {
  return Object.fromEntries(
    ['title', 'system', 'identifier'].map((part) => {
      const column = `status_${part}`;
      return [`reading_${column}`, names.has(column) ? { column } : none];
    }),
  );
}

function branch(
  field: string,
  { name, loinc }: { name: string; loinc: string },
  names: ReadonlySet<string>,
): ReportBranch {
  const isPressure = field.startsWith('bp_');
  return {
    present: `${field}_value`,
    columns: {
      reading_date: { column: 'date' },
      reading_value: { column: `${field}_value` },
      reading_unit: { column: `${field}_unit` },
      reading_title: { column: `${field}_name_title` },
      reading_system: { column: `${field}_name_system` },
      reading_code: { column: `${field}_name_identifier` },
      reading_name: { text: name },
      reading_loinc: { column: `${field}_name_identifier`, otherwise: loinc },
      reading_slug: { text: field },
      reading_site: isPressure ? { column: 'bp_site_title' } : none,
      reading_position: isPressure ? { column: 'bp_position_title' } : none,
      ...statusColumns(names),
    },
  };
}

/** The readings for which the model in force has all columns, each as a branch of the query. */
export function readingBranches(model: Model): readonly ReportBranch[] {
  const names = new Set(model.columns.map(({ name }) => name));
  return Object.entries(readings)
    .map(([field, reading]) => branch(field, reading, names))
    .filter(({ columns }) => Object.values(columns).every((from) => !('column' in from) || names.has(from.column)));
}

const category: ReportField = {
  ...column('string', 'reading_title', 'reading_name'),
  // A query names a category by its title, its code or any usual name, in any case. A reading without a code has the
  // usual one.
  matches: ['reading_title', 'reading_loinc', 'reading_slug', 'reading_name'],
  words: true,
};

export const readingFields: Readonly<Record<string, ReportField>> = {
  category,
  value: column('number', 'reading_value'),
  date_measured: column('datetime', 'reading_date'),
};

export function readingItem(row: Readonly<Record<string, Scalar>>): XmlElement {
  return element('VitalSign', {}, [
    part('dateMeasured', row['reading_date'], 'datetime'),
    coded('name', {
      title: row['reading_title'] ?? row['reading_name'],
      system: row['reading_system'],
      code: row['reading_code'],
    }),
    part('value', row['reading_value'], 'number'),
    coded('unit', { title: row['reading_unit'], code: row['reading_unit'] }),
    part('site', row['reading_site']),
    part('position', row['reading_position']),
    // The older documents have no status. It is written only if the source gives one.
    coded('status', {
      title: row['reading_status_title'],
      system: row['reading_status_system'],
      code: row['reading_status_identifier'],
    }),
  ]);
}

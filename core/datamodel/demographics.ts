/** demographics: the built-in model of the one demographics document of a record; it has no fact table and no report. */
import { columnsOf } from './field-types';
import type { Column } from './model';

const text = (name: string, max: number, required = false): Column => ({ name, kind: 'string', max, required, index: false });

/** The 22 fields, in the order of output. */
export const demographicsColumns: readonly Column[] = [
  { name: 'bday', kind: 'date', required: true, index: false },
  text('email', 200),
  text('ethnicity', 200),
  { ...text('gender', 50, true), values: ['male', 'female'] },
  text('preferred_language', 200),
  text('race', 200),
  ...['given', 'middle', 'family', 'prefix', 'suffix'].map((part) => text(`name_${part}`, 255, part === 'given' || part === 'family')),
  ...['tel_1', 'tel_2'].flatMap((field) => columnsOf(field, 'Telephone') ?? []),
  ...['street', 'city', 'region', 'postalcode', 'country'].map((part) => text(`adr_${part}`, part === 'postalcode' ? 12 : 255)),
];

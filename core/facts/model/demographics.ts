/** demographics: the built-in model of a record's only demographics document; it has no fact table and no report. */
import { columnsOf } from './field-types';
import type { Column, Scalar } from './model';
import type { RdfMapping } from './model';
import type { RdfProperty } from './model';

function string(name: string, max: number, required = false): Column {
  return {
    name,
    kind: 'string',
    max,
    required,
    index: false,
  };
}

/** The fields in the order in which they are written: the 22 of the interface, then those that only people fill in. */
export const demographicsColumns: readonly Column[] = [
  { name: 'bday', kind: 'date', required: true, index: false },
  string('email', 200),
  string('ethnicity', 200),
  { ...string('gender', 50, true), values: ['male', 'female'] },
  string('preferred_language', 200),
  string('race', 200),
  ...['given', 'middle', 'family', 'prefix', 'suffix'].map((part) => string(`name_${part}`, 255, part === 'family')),
  ...['tel_1', 'tel_2'].flatMap((field) => columnsOf(field, 'Telephone') ?? []),
  ...['street', 'city', 'region', 'postalcode', 'country'].map((part) =>
    string(`adr_${part}`, part === 'postalcode' ? 12 : 255),
  ),
  string('blood_group', 40),
  // One contact a line.
  string('emergency_contacts', 2000),
  string('insurance', 255),
];

const own = new Map([
  ['blood_group', 'svc:bloodGroup'],
  ['emergency_contacts', 'svc:emergencyContacts'],
  ['insurance', 'svc:insurance'],
]);

type Values = Readonly<Record<string, Scalar>>;

function isLeftOut(values: Values, name: string): boolean {
  return own.has(name) && (values[name] ?? '') === '';
}

/**
 * The fields that an answer writes. The interface names 22, which are always there; the others are written only where
 * they have a value, so that everybody else's answers stay as they were.
 */
export function writtenColumns(values: Values): readonly Column[] {
  return demographicsColumns.filter(({ name }) => !isLeftOut(values, name));
}

function columns(pairs: Readonly<Record<string, string>>): readonly RdfProperty[] {
  return Object.entries(pairs).map(([predicate, column]) => ({
    predicate,
    values: [{ kind: 'column', column, always: false }],
  }));
}

function block(predicate: string, name: string, ...fields: readonly string[]): RdfProperty {
  return {
    predicate,
    values: fields.map((field) => ({ kind: 'block', block: name, field })),
  };
}

function constantText(predicate: string, words: string): RdfProperty {
  return {
    predicate,
    values: [{ kind: 'text', text: words }],
  };
}

const usual: RdfMapping = {
  type: 'sp:Demographics',
  path: 'demographics',
  prefixes: {},
  properties: [
    ...columns({
      'v:bday': 'bday',
      'foaf:gender': 'gender',
      'sp:ethnicity': 'ethnicity',
      'sp:preferredLanguage': 'preferred_language',
      'sp:race': 'race',
      'sp:email': 'email',
      'v:email': 'email',
    }),
    block('v:n', 'Name', 'name'),
    block('v:adr', 'Address', 'adr'),
    block('v:tel', 'Telephone', 'tel_1', 'tel_2'),
    {
      predicate: 'sp:medicalRecordNumber',
      values: [
        {
          kind: 'node',
          type: 'sp:Code',
          properties: [
            constantText('dcterms:title', 'svc Record {record_id}'),
            constantText('sp:system', 'svc Record'),
            constantText('dcterms:identifier', '{record_uri}'),
          ],
        },
      ],
    },
  ],
};

/** How these demographics are expressed in RDF. The prefix of our own words is declared only where one is used. */
export function demographicsMapping(values: Values, vocabBase: string): RdfMapping {
  const said = [...own].filter(([name]) => !isLeftOut(values, name));
  return said.length === 0
    ? usual
    : {
        ...usual,
        prefixes: { svc: `${vocabBase}/terms#` },
        properties: [...usual.properties, ...columns(Object.fromEntries(said.map(([name, term]) => [term, name])))],
      };
}

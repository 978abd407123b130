/**
 * model-form: plans the form for a model, with a control for each thing that a person can say, by the type of its
 * columns.
 */
import type { Column, Model, ModelField, Models } from '../../../../core/facts/model/model';
import { fieldHelp, fieldLabel, isMeasured, isReading, splitName } from '../../words/facts';
import type { Words } from '../../words/words';

type ControlKind = 'text' | 'long' | 'number' | 'day' | 'moment' | 'choice' | 'yes-no' | 'coded';

/** One thing to fill in. Its name in the form is that of its column; a coded value has the name of its title column. */
export type Control = {
  readonly kind: ControlKind;
  readonly name: string;
  readonly column: Column;
  readonly label: string;
  readonly hint?: string | undefined;
  /** A value as it is stored -> its words, where the model has some. */
  readonly valueWords?: Readonly<Record<string, string>>;
  /** The unit of a measured value: always the same one, or a field to choose it. */
  readonly unit?: { readonly column: Column; readonly fixed?: string };
  /** The other columns of a coded value. */
  readonly code?: { readonly identifier: string; readonly system: string };
};

export type FieldPlan = {
  readonly field: ModelField;
  readonly label: string;
  readonly hint?: string;
  readonly main: readonly Control[];
  readonly more: readonly Control[];
};

/** A nested model in a field of its own. */
export type NestedPlan = {
  readonly field: string;
  readonly many: boolean;
  readonly label: string;
  readonly model: Model;
  readonly plan: FormPlan;
};

export type FormPlan = {
  readonly model: Model;
  /** The fields that are shown at once. */ readonly first: readonly FieldPlan[];
  /** The fields that are seldom filled in and are below a heading that opens them. */
  readonly rest: readonly FieldPlan[];
  readonly nested: readonly NestedPlan[];
};

/** Parts of compound types that most people fill in; the others can be opened. */
const mainParts: Readonly<Record<string, readonly string[]>> = {
  Provider: ['name_given', 'name_family'],
  Organization: ['name'],
  Pharmacy: ['org'],
  Name: ['given', 'family'],
  BloodPressure: ['systolic', 'diastolic', 'position'],
  QuantitativeResult: ['value'],
  Telephone: ['number'],
};

/** Endings of columns that have a word in the texts (`add-model.part-...`). */
const partTexts = new Set(
  'country city postalcode region street family given middle prefix suffix type number preferred name org ncpdpid dea npi ethnicity language race gender bday email position site method systolic diastolic min max value'.split(
    ' ',
  ),
);

/**
 * The label of a part of a field, which is that of its last word: `facility_adr_city` is the city. `dea_number` and
 * `npi_number` have the labels of their first words.
 */
function partLabel(part: string, { say }: Words): string {
  const limits = /^(normal_range|non_critical_range)_(min|max)/.exec(part);
  if (limits) {
    return say(`add-model.part-${limits[1] === 'normal_range' ? 'normal' : 'critical'}-${limits[2]}`);
  }
  const tokens = part
    .replace(/_(title|value|p)$/, '')
    .replace(/^(dea|npi)_number$/, '$1')
    .split('_');
  const last = tokens.at(-1)!;
  return partTexts.has(last) ? say(`add-model.part-${last}`) : splitName(tokens.join('_'));
}

/**
 * The model whose words name the fields, and the path from it to the fields, such as `fulfillments.`, which is empty
 * for its own fields.
 */
export type Naming = { readonly root: Model; readonly path: string; readonly words: Words };

/** The label of a field. The words of nested fields belong to the model in which they are nested. */
function formLabel({ root, path, words }: Naming, field: string): string {
  return fieldLabel(root, `${path}${field}`, words);
}

function known({ root, path, words }: Naming, name: string): boolean {
  const fields = (root.words?.languages[words.language] ?? root.words?.languages['en'])?.fields ?? {};
  return Object.hasOwn(fields, `${path}${name}`);
}

/** The words that the model has for the values of a field. */
function valueWordsOf({ root, path, words }: Naming, name: string): Pick<Control, 'valueWords'> {
  const { fields = {} } = root.words?.languages[words.language] ?? root.words?.languages['en'] ?? {};
  const values = fields[`${path}${name}`]?.values;
  return values ? { valueWords: values } : {};
}

const kinds: Readonly<Record<Column['kind'], ControlKind>> = {
  string: 'text',
  text: 'long',
  number: 'number',
  integer: 'number',
  boolean: 'yes-no',
  datetime: 'moment',
  date: 'day',
};

function controlKind(column: Column): ControlKind {
  return column.values ? 'choice' : kinds[column.kind];
}

function stem(column: string): string {
  return column.replace(/_(title|value)$/, '');
}

/** Controls for a field of a model, in the order of its columns. */
export function controlsOf(naming: Naming, model: Model, field: ModelField): readonly Control[] {
  const columns = new Map(
    model.columns.filter(({ name }) => field.columns.includes(name)).map((column) => [column.name, column]),
  );
  const isCode = (base: string): boolean =>
    ['identifier', 'title', 'system'].every((end) => columns.has(`${base}_${end}`));
  /** The form does not ask for the kind of reading, because the field itself says it. */
  const isNameOfReading = (base: string): boolean => isReading(field) && base.endsWith('_name');
  const label = (name: string): string =>
    stem(name) === field.name || known(naming, stem(name)) || known(naming, name)
      ? formLabel(naming, name)
      : partLabel(name.slice(field.name.length + 1), naming.words);
  return [...columns.values()].flatMap((column): Control[] => {
    const { name } = column;
    const base = name.replace(/_(identifier|title|system|value|unit)$/, '');
    if (base !== name && isCode(base)) {
      return name.endsWith('_title') && !isNameOfReading(base)
        ? [
            {
              kind: 'coded',
              name,
              column,
              label: label(name),
              code: { identifier: `${base}_identifier`, system: `${base}_system` },
            },
          ]
        : [];
    }
    // The form does not ask for a column that can have only one value.
    if (column.equals !== undefined) {
      return [];
    }
    const unit = name.endsWith('_value') ? columns.get(`${base}_unit`) : undefined;
    if (name.endsWith('_unit') && columns.has(`${base}_value`)) {
      return [];
    }
    const fixed = typeof unit?.equals === 'string' ? unit.equals : undefined;
    return [
      {
        kind: controlKind(column),
        name,
        column,
        label: label(name),
        ...valueWordsOf(naming, name),
        ...(unit ? { unit: { column: unit, ...(fixed === undefined ? {} : { fixed }) } } : {}),
      },
    ];
  });
}

function planField(naming: Naming, model: Model, field: ModelField): FieldPlan {
  const controls = controlsOf(naming, model, field);
  const parts = mainParts[field.type];
  const isMain = ({ name, column }: Control): boolean =>
    parts === undefined || column.required || parts.includes(stem(name).slice(field.name.length + 1));
  const place = ({ name }: Control): number => (parts ?? []).indexOf(stem(name).slice(field.name.length + 1));
  const inOrder = (a: Control, b: Control): number => place(a) - place(b);
  const hint = fieldHelp(naming.root, `${naming.path}${field.name}`, naming.words);
  return {
    field,
    label: formLabel(naming, field.name),
    ...(hint === undefined ? {} : { hint }),
    main: controls.filter(isMain).sort(inOrder),
    more: controls.filter((control) => !isMain(control)),
  };
}

/** How many fields are shown at once if the words of the model do not say which ones matter. */
const SEEN = 10;

/** People are not asked whether a reading is final: only laboratories know. */
function firstFields(model: Model): ReadonlySet<string> {
  const { words, oneof = [], fields, columns } = model;
  const required = fields.filter((field) =>
    columns.some(({ name, required: needed }) => needed && field.columns.includes(name)),
  );
  const either = fields.filter((field) =>
    oneof.some((one) => one.columns.some((column) => field.columns.includes(column))),
  );
  const said = words?.title
    ? [
        ...words.title,
        ...(words.line ?? []),
        words.date ?? '',
        ...fields.filter(({ name }) => /^(date|end|notes?$)/i.test(name)).map(({ name }) => name),
      ]
    : fields.slice(0, SEEN).map(({ name }) => name);
  const isAsked = (name: string): boolean => name !== 'status' || !isMeasured(model);
  return new Set([...required.map(({ name }) => name), ...either.map(({ name }) => name), ...said.filter(isAsked)]);
}

function plan(models: Models, model: Model, naming: Naming): FormPlan {
  const first = firstFields(model);
  // Nobody types a schedule of FHIR, nor the key of another fact.
  const planned = model.fields
    .filter(({ type }) => type !== 'Dosage' && type !== 'Statement')
    .map((field) => planField(naming, model, field));
  return {
    model,
    first: planned.filter(({ field }) => first.has(field.name)),
    rest: planned.filter(({ field }) => !first.has(field.name)),
    nested: model.relations.flatMap(({ field, model: name, many }) => {
      const nested = models.find(name);
      const path = `${naming.path}${field}.`;
      return nested
        ? [
            {
              field,
              many,
              label: formLabel(naming, field),
              model: nested,
              plan: plan(models, nested, { ...naming, path }),
            },
          ]
        : [];
    }),
  };
}

/** The form of any model. */
export function planForm(models: Models, model: Model, words: Words): FormPlan {
  return plan(models, model, { root: model, path: '', words });
}

export function controlsIn({ first, rest }: FormPlan): readonly Control[] {
  return [...first, ...rest].flatMap(({ main, more }) => [...main, ...more]);
}

/** Values of the compound types that have a word in the texts (`add-model.choice-...`). */
const choiceTexts = new Set(['h', 'w', 'c', 'm', 'f']);

/** One of the values that a column is restricted to, as people say it. */
export function choiceWords({ valueWords = {} }: Control, value: unknown, { say }: Words): string {
  const said = String(value);
  if (Object.hasOwn(valueWords, said)) {
    return valueWords[said]!;
  }
  return choiceTexts.has(said) ? say(`add-model.choice-${said}`) : splitName(said);
}

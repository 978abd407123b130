/**
 * model-answers: makes a fact of what a person typed into the form of a model, or says what is wrong with it, field by
 * field.
 */
import { readColumn, readText } from '../../../../core/facts/model/column-values';
import { timeByClock } from '../../../../core/base/clock';
import { offsetAt } from '../../../../core/base/time-zones';
import { clockOf, isDate, parsePartialDate, saidOfDates, type PartialDates } from '../../../../core/facts/model/dates';
import type { Column, ColumnKind, Model, Scalar } from '../../../../core/facts/model/model';
import { element, type XmlElement } from '../../../../core/xml/write';
import { isPartialDate, knownDate, type Fact } from '../../words/facts';
import { controlsIn, type Control, type FormPlan } from './model-form';
import type { Form } from '../../http/page';
import type { Words } from '../../words/words';
import { isDay } from '../../words/day';
import { clockTime, dayOnly, localTime, pointInTime, shownAt } from '../../words/zoned';

/** The texts in the fields of a form, by the name of the field. */
export type Answers = {
  readonly text: (name: string) => string;
  /** How many rows a list of nested facts shows. */
  readonly rows: (path: string) => number;
};

const MOST_ROWS = 50;
/** Separates a code from its system in a choice. Neither contains it. */
const BETWEEN = '\n';

/** A choice of the look-up as the value of its button. */
export function choiceValue(...parts: readonly [identifier: string, system: string, title: string]): string {
  return parts.join(BETWEEN);
}

/** The code that belongs to a title. It was chosen just now, or earlier if the title is still the same. */
function codedText(form: Form, name: string): string | undefined {
  const [, base = '', end = ''] = /^(.*)_(identifier|title|system)$/.exec(name) ?? [];
  if (base === '') {
    return undefined;
  }
  const picked = form.text(`pick:${base}_title`);
  if (picked !== '') {
    const [identifier = '', system = '', title = ''] = picked.split(BETWEEN).map((part) => part.trim());
    return { identifier, system, title }[end];
  }
  return end !== 'title' && form.text(`coded:${base}_title`) !== form.text(`${base}_title`) ? '' : undefined;
}

export function answersOf(form: Form): Answers {
  return {
    text: (name) => codedText(form, name) ?? form.text(name).replace(/\r\n?/g, '\n'),
    rows: (path) => {
      const shown = Number.parseInt(form.text(`rows:${path}`), 10);
      const more = form.text('more') === path ? 1 : 0;
      return Math.min(MOST_ROWS, Math.max(1, Number.isSafeInteger(shown) ? shown : 1) + more);
    },
  };
}

function decimalSign({ number }: Words): string {
  return number(1.5).includes(',') ? ',' : '.';
}

/** A number as the person writes numbers. */
function numberText(value: unknown, words: Words): string {
  return String(value).replace('.', decimalSign(words));
}

/** The name of the field that keeps a time as it was written, with the offset of the clock by which it was. */
export function writtenName(name: string): string {
  return `${name}:written`;
}

function momentTexts(name: string, value: string, { zone }: Words): readonly (readonly [string, string])[] {
  if (dayOnly(value) !== undefined) {
    return [[name, value.slice(0, 10)]];
  }
  const { day, time } = localTime('UTC', shownAt(zone, value));
  return [
    [name, day],
    [`${name}:time`, time],
    ...(clockTime(value) === undefined ? [] : [[writtenName(name), value] as const]),
  ];
}

/** The name of the field for a month or a year, which is next to the one for the day. */
export function partialName(name: string): string {
  return `${name}:partial`;
}

function columnTexts(
  column: Column,
  fact: Fact,
  name: string,
  words: Words,
  isAmount: boolean,
): readonly (readonly [string, string])[] {
  const value = fact[column.name];
  if (isPartialDate(fact, column.name)) {
    return [[partialName(name), knownDate(fact, column.name)]];
  }
  if (value === null || value === undefined || value === column.default) {
    return [];
  }
  if (column.kind === 'datetime') {
    return momentTexts(name, knownDate(fact, column.name), words);
  }
  const isNumber =
    column.kind === 'number' || column.kind === 'integer' || (isAmount && PLAIN_NUMBER.test(String(value)));
  return [[name, isNumber ? numberText(value, words) : String(value)]];
}

function nestedIn(fact: Fact, field: string): readonly Fact[] {
  return [fact[field] ?? []].flat() as Fact[];
}

/** Columns of text that have the amount for a unit. People mostly write a number there, but also "1-2". */
function amountsOf({ columns }: Model): ReadonlySet<string> {
  const names = new Set(columns.map(({ name }) => name));
  const amounts = columns.filter(({ name, kind }) => kind === 'string' && names.has(name.replace(/_value$/, '_unit')));
  return new Set(amounts.map(({ name }) => name).filter((name) => name.endsWith('_value')));
}

const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/;

function textsOf(plan: FormPlan, fact: Fact, prefix: string, words: Words): readonly (readonly [string, string])[] {
  const amounts = amountsOf(plan.model);
  return [
    ...plan.model.columns.flatMap((column) =>
      columnTexts(column, fact, `${prefix}${column.name}`, words, amounts.has(column.name)),
    ),
    ...plan.nested.flatMap(({ field, many, plan: inner }) => {
      const facts = nestedIn(fact, field);
      const path = `${prefix}${field}`;
      return [
        [`rows:${path}`, String(facts.length)] as const,
        ...facts.flatMap((one, index) => textsOf(inner, one, many ? `${path}.${index + 1}.` : `${path}.`, words)),
      ];
    }),
  ];
}

/** The texts with which a fact that was typed in before fills its form. */
export function answersFrom(plan: FormPlan, fact: Fact, words: Words): Answers {
  const texts = new Map(textsOf(plan, fact, '', words));
  return {
    text: (name) => texts.get(name) ?? '',
    rows: (path) => Math.max(1, Number(texts.get(`rows:${path}`) ?? '1')),
  };
}

type Reading = {
  readonly answers: Answers;
  /** The answers before a correction. Values that the form does not ask for stay as they were. */
  readonly before: Answers | undefined;
  readonly words: Words;
  readonly wrong: Map<string, string>;
};

function westernDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace('\u066B', '.');
}

/** The result for a text that could mean two numbers, such as 1.234 where the comma is the decimal sign. */
const EITHER = 'either';

/**
 * Turns a number as people write it into one as the data models read it. `EITHER` for a text that could mean two
 * numbers.
 */
function plainNumber(typed: string, words: Words): string {
  const text = westernDigits(typed)
    .replace(/[\s\u00A0\u202F]/g, '')
    .replace('\u2212', '-');
  if (decimalSign(words) !== ',') {
    // The number pad of a telephone has the sign of its region only. Three digits behind a comma may be thousands.
    return text.replace(/^([+-]?(?:0(?=,)|\d+(?=,(?:\d{1,2}|\d{4,})$))),(\d+)$/, '$1.$2');
  }
  return /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/.test(text) ? EITHER : text.replace(/^([+-]?\d*),(\d+)$/, '$1.$2');
}

/**
 * Turns what people write before a unit into a number as the data models read it. Words, such as "1-2", stay as they
 * are.
 */
function amountText(typed: string, words: Words): string {
  const text = plainNumber(typed, words);
  return text === EITHER || PLAIN_NUMBER.test(text) ? text : typed;
}

/**
 * A day and a time of day as a document has them: with the offset of the person's clocks, or without a zone where theirs
 * is not known. A time that is as it was before keeps the offset that it had.
 */
function momentText(day: string, time: string, before: string, { zone }: Words): string {
  if (time === '' || !isDay(day) || !/^([01]\d|2[0-3]):[0-5]\d$/.test(time.slice(0, 5))) {
    return time === '' ? day : `${day} ${time}`;
  }
  if (before !== '' && before.startsWith(`${day}T${time.slice(0, 5)}`)) {
    return before;
  }
  const when = pointInTime(zone, day, time.slice(0, 5));
  const offset = Number.isNaN(when) ? 0 : offsetAt(zone, when);
  return Number.isNaN(when) ? `${day} ${time}` : timeByClock(when + offset, zone === 'UTC' ? undefined : offset);
}

/**
 * Turns a month or a year as people write it into the form of documents: 3/2009 becomes 2009-03. Other text stays as it
 * is.
 */
function partialText(typed: string): string {
  const text = westernDigits(typed).replace(/\s/g, '');
  const [, month, year] = /^(\d{1,2})[-/.](\d{4})$/.exec(text.replace(/^(\d{4})[-/.](\d{1,2})$/, '$2/$1')) ?? [];
  return year === undefined ? text : `${year}-${month!.padStart(2, '0')}`;
}

/** Whether only a month or a year was given: no day and no time of day. */
function isPartial(column: Column, name: string, { answers }: Reading): boolean {
  return (
    isDate(column) &&
    [name, `${name}:time`].every((one) => answers.text(one) === '') &&
    answers.text(partialName(name)) !== ''
  );
}

/** The text of a column as a document contains it. */
function columnText(column: Column, name: string, reading: Reading): string {
  const { answers, words } = reading;
  if (isPartial(column, name, reading)) {
    return partialText(answers.text(partialName(name)));
  }
  const typed = answers.text(name);
  switch (column.kind) {
    case 'number':
    case 'integer':
      return plainNumber(typed, words);
    case 'datetime':
      return momentText(westernDigits(typed), answers.text(`${name}:time`), answers.text(writtenName(name)), words);
    case 'date':
      return westernDigits(typed);
    default:
      return typed;
  }
}

const wrongKind: Readonly<Partial<Record<ColumnKind, string>>> = {
  number: 'number',
  integer: 'whole',
  datetime: 'date',
  date: 'date',
};

/** A blood pressure as people write it, although each of its numbers has a field of its own. */
const TWO_NUMBERS = /^\s*\p{Nd}+\s*\/\s*\p{Nd}+\s*$/u;

function isPartialText(column: Column, text: string): boolean {
  return isDate(column) && parsePartialDate(text) !== undefined;
}

/** What is wrong with the text of a column, in words; undefined if nothing is wrong. */
function problemOf(control: Pick<Control, 'label' | 'column'>, text: string, { words: { say, number } }: Reading) {
  const { column, label } = control;
  if (isPartialText(column, text)) {
    return undefined;
  }
  if (readColumn(column, text === '' ? null : text).problem === undefined) {
    return undefined;
  }
  if (text === '') {
    return say('add-model.missing', { label });
  }
  const kind = readText(column.kind, text) === undefined ? wrongKind[column.kind] : undefined;
  if (kind !== undefined) {
    const isTwo = kind !== 'date' && TWO_NUMBERS.test(text);
    return say(`add-model.wrong-${isTwo ? 'two' : kind}`, { label });
  }
  return column.max !== undefined && [...text].length > column.max
    ? say('add-model.wrong-long', { label, most: number(column.max) })
    : say('add-model.wrong-other', { label });
}

type ReadFact = {
  readonly xml: XmlElement;
  /** The same fact as reports would answer it, from which its label is made. */ readonly fact: Fact;
  /** Whether any field was filled in. */ readonly filled: boolean;
};

function readControl(control: Control, prefix: string, reading: Reading, values: Map<string, string>): void {
  const note = (name: string, problem: string | undefined): void => {
    if (problem !== undefined && !reading.wrong.has(name)) {
      reading.wrong.set(name, problem);
    }
  };
  const { name, column, unit, code } = control;
  const isAmount = unit !== undefined && column.kind === 'string';
  const text = isAmount
    ? amountText(reading.answers.text(`${prefix}${name}`), reading.words)
    : columnText(column, `${prefix}${name}`, reading);
  values.set(name, text);
  const either = isAmount && text === EITHER;
  if (isPartial(column, `${prefix}${name}`, reading) && !isPartialText(column, text)) {
    note(partialName(`${prefix}${name}`), reading.words.say('add-model.wrong-partial', { label: control.label }));
    return;
  }
  note(
    `${prefix}${name}`,
    either ? reading.words.say('add-model.wrong-number', { label: control.label }) : problemOf(control, text, reading),
  );
  if (unit) {
    const fixed = text === '' ? '' : unit.fixed;
    const typed = fixed ?? columnText(unit.column, `${prefix}${unit.column.name}`, reading);
    values.set(unit.column.name, typed);
    if (unit.fixed === undefined) {
      note(`${prefix}${unit.column.name}`, problemOf({ column: unit.column, label: control.label }, typed, reading));
    }
  }
  if (code) {
    for (const part of [code.identifier, code.system]) {
      values.set(part, text === '' ? '' : reading.answers.text(`${prefix}${part}`));
    }
  }
}

function isUnsaid(model: Model, name: string): boolean {
  return model.columns.find((column) => column.name === name)?.default === undefined;
}

function checkOneOf(plan: FormPlan, prefix: string, reading: Reading, values: ReadonlyMap<string, string>): void {
  const { oneof } = plan.model;
  if (!oneof || oneof.some(({ columns }) => columns.some((column) => (values.get(column) ?? '') !== ''))) {
    return;
  }
  const columns = oneof.flatMap((one) => one.columns);
  const controls = controlsIn(plan).filter(({ name }) => columns.includes(name));
  const [first] = controls;
  if (first && !reading.wrong.has(`${prefix}${first.name}`)) {
    const labels = [...new Set(controls.map(({ label }) => label))];
    const list = new Intl.ListFormat(reading.words.locale, { type: 'disjunction' }).format(labels);
    reading.wrong.set(`${prefix}${first.name}`, reading.words.say('add-model.one-of', { list }));
  }
}

function typedValue(column: Column, text: string): Scalar {
  return readColumn(column, text === '' ? null : text).value;
}

/** The values of a fact as reports answer them. */
function typedValues({ columns }: Model, values: ReadonlyMap<string, string>): Readonly<Record<string, unknown>> {
  const fact: Record<string, unknown> = {};
  const dates: Record<string, PartialDates[string]> = {};
  for (const column of columns) {
    const text = values.get(column.name) ?? '';
    const partial = isDate(column) ? parsePartialDate(text) : undefined;
    fact[column.name] = partial?.day ?? typedValue(column, text);
    const how = partial?.precision ?? (column.kind === 'datetime' ? clockOf(text) : undefined);
    if (how !== undefined) {
      dates[column.name] = how;
    }
  }
  return { ...fact, ...saidOfDates(dates) };
}

function readPlan(plan: FormPlan, prefix: string, reading: Reading): ReadFact {
  const values = new Map<string, string>();
  for (const control of controlsIn(plan)) {
    readControl(control, prefix, reading, values);
  }
  const filled = [...values].some(([name, text]) => text !== '' && isUnsaid(plan.model, name));
  checkOneOf(plan, prefix, reading, values);
  const nested = plan.nested.map((one) => ({ ...one, facts: readNested(one, prefix, reading) }));
  for (const { name, equals } of plan.model.columns.filter((column) => !values.has(column.name))) {
    const only = filled && equals !== undefined && !/_unit$/.test(name) ? String(equals) : '';
    values.set(name, reading.before?.text(`${prefix}${name}`) || only);
  }
  const fields = plan.model.columns
    .map((column) => ({ column, text: values.get(column.name) ?? '' }))
    .filter(({ text }) => text !== '')
    .map(({ column, text }) => element('Field', { name: column.name }, text));
  return {
    filled: filled || nested.some(({ facts }) => facts.length > 0),
    xml: element('Model', { name: plan.model.name }, [
      ...fields,
      ...nested.flatMap(({ field, many, facts }) => {
        const inside = facts.map(({ xml }) => xml);
        return facts.length === 0
          ? []
          : [element('Field', { name: field }, many ? [element('Models', {}, inside)] : inside)];
      }),
    ]),
    fact: {
      __modelname__: plan.model.name,
      ...typedValues(plan.model, values),
    },
  };
}

/** Reads nested facts. Rows in which nothing was typed are left out. */
function readNested(
  { field, many, plan }: FormPlan['nested'][number],
  prefix: string,
  reading: Reading,
): readonly ReadFact[] {
  const path = `${prefix}${field}`;
  const count = many ? reading.answers.rows(path) : 1;
  return Array.from({ length: count }, (_, index) => {
    const wrong = new Map<string, string>();
    const fact = readPlan(plan, many ? `${path}.${index + 1}.` : `${path}.`, { ...reading, wrong });
    if (fact.filled) {
      wrong.forEach((text, name) => reading.wrong.set(name, text));
    }
    return fact;
  }).filter(({ filled }) => filled);
}

export type Read = ReadFact & { readonly wrong: Readonly<Record<string, string>> };

/** Reads the whole form. An empty form is a mistake, too. */
export function readAnswers(plan: FormPlan, answers: Answers, before: Answers | undefined, words: Words): Read {
  const wrong = new Map<string, string>();
  const read = readPlan(plan, '', { answers, before, words, wrong });
  const [first] = controlsIn(plan);
  if (!read.filled && wrong.size === 0 && first) {
    wrong.set(first.name, words.say('add-model.nothing'));
  }
  return { ...read, wrong: Object.fromEntries(wrong) };
}

/** same-rules: reads a `.same.yaml` file, which is next to a model file and says when two facts are one thing. */
import { isObject } from '../../base/json';
import type { Json } from '../../base/types';
import { isDate } from './dates';
import type { Path, Report } from './definition-schema';
import type { Model } from './model';
import type { AmountColumns, CodeColumns, ConflictRule, DifferingField, SameRule, SameRules, UnlessRule } from './same';

/** Reads one part of a file; what is wrong is reported at its path. */
type Reader = { readonly model: Model; readonly systems: ReadonlySet<string> | undefined; readonly report: Report };

function has({ columns }: Model, name: string): boolean {
  return columns.some((column) => column.name === name);
}

function listedNames(value: Json | undefined): readonly string[] {
  return [value ?? []].flat().filter((name): name is string => typeof name === 'string');
}

/** The column of a field that holds its words. */
function wordColumn(model: Model, field: string): string | undefined {
  return [field, `${field}_title`].find((name) => has(model, name));
}

function codeColumns(model: Model, field: string): CodeColumns | undefined {
  const pairs = [
    [`${field}_identifier`, `${field}_system`],
    [`${field}_value`, `${field}_type`],
  ] as const;
  const found = pairs.find((pair) => pair.every((name) => has(model, name)));
  const alone = has(model, field) ? { code: field } : undefined;
  return found ? { code: found[0], system: found[1] } : alone;
}

function amountColumns(model: Model, field: string): AmountColumns | undefined {
  const value = [`${field}_value_value`, `${field}_value`, field].find((name) => has(model, name));
  const unit = value === 'value' ? 'unit' : value?.replace(/_value$/, '_unit');
  return value === undefined ? undefined : { value, ...(unit !== value && has(model, unit!) ? { unit: unit! } : {}) };
}

function dateColumnOf(model: Model, field: string): string | undefined {
  return model.columns.find((column) => column.name === field && isDate(column))?.name;
}

/** What fields lead to; one that leads to nothing is reported. */
function foundFields<F>(
  { model, report }: Reader,
  value: Json | undefined,
  path: Path,
  find: (model: Model, field: string) => F | undefined,
): readonly F[] {
  const names = listedNames(value);
  if (names.length === 0) {
    report(path, 'write a field, or a list of fields');
  }
  return names.flatMap((name) => {
    const one = find(model, name);
    if (one === undefined) {
      report(path, `${name} is no field of ${model.name} that can stand here`);
    }
    return one === undefined ? [] : [one];
  });
}

const EQUAL_KEYS = [
  'code',
  'systems',
  'through',
  'words',
  'amount',
  'rounded',
  'day',
  'minute',
  'within',
  'sent',
  'test',
  'accession',
  'single',
];

function reportUnknown({ report }: Reader, value: object, known: readonly string[], path: Path): void {
  for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
    report([...path, key], `${key} is none of ${known.join(', ')}`);
  }
}

const RELATION = /^[a-z][a-z\d-]*$/;

function readThrough({ report }: Reader, value: Json | undefined, path: Path): { readonly through?: string } {
  if (value === undefined) {
    return {};
  }
  if (typeof value !== 'string' || !RELATION.test(value)) {
    report(path, 'through is the name of a file in relations, such as cvx-groups');
    return {};
  }
  return { through: value };
}

function readCode(reader: Reader, value: { readonly [key: string]: Json }, path: Path): Pick<SameRule, 'code'> {
  if (value['code'] === undefined) {
    return {};
  }
  const systems = listedNames(value['systems']);
  for (const name of systems.filter((one) => reader.systems?.has(one) === false)) {
    reader.report([...path, 'systems'], `systems.yaml has no system ${name}`);
  }
  const columns = foundFields(reader, value['code'], [...path, 'code'], codeColumns);
  return { code: { columns, systems, ...readThrough(reader, value['through'], [...path, 'through']) } };
}

function describeRule(value: { readonly [key: string]: Json }): string {
  return Object.entries(value)
    .filter(([key]) => key !== 'systems')
    .map(([key, field]) => `${key} ${listedNames(field).join(' or ') || JSON.stringify(field)}`)
    .join(', ');
}

function readWithin(reader: Reader, value: Json | undefined, path: Path): Pick<SameRule, 'within'> {
  const [date, days] = isObject(value) ? [value['date'], value['days']] : [];
  const column = typeof date === 'string' ? dateColumnOf(reader.model, date) : undefined;
  if (value === undefined) {
    return {};
  }
  if (column === undefined || typeof days !== 'number' || !Number.isInteger(days) || days < 1) {
    reader.report(path, 'within is { date: FIELD, days: 3 }');
    return {};
  }
  return { within: { column, days } };
}

/** One entry of `equal` or `perhaps`. */
function readRule(reader: Reader, value: Json, path: Path): readonly SameRule[] {
  if (!isObject(value) || Object.keys(value).length === 0) {
    reader.report(path, `an entry is a mapping of ${EQUAL_KEYS.join(', ')}`);
    return [];
  }
  reportUnknown(reader, value, EQUAL_KEYS, path);
  const one = <F>(key: string, find: (model: Model, field: string) => F | undefined): F | undefined =>
    value[key] === undefined ? undefined : foundFields(reader, value[key], [...path, key], find)[0];
  const parts: Omit<SameRule, 'name' | 'code'> = {
    ...(value['words'] === undefined
      ? {}
      : { words: foundFields(reader, value['words'], [...path, 'words'], wordColumn) }),
    ...filledOf({
      amount: one('amount', amountColumns),
      rounded: one('rounded', amountColumns),
      day: one('day', dateColumnOf),
      minute: one('minute', dateColumnOf),
      accession: one('accession', wordColumn),
    }),
    ...readWithin(reader, value['within'], [...path, 'within']),
    ...(value['sent'] === true ? { sent: true } : {}),
    ...(value['single'] === true ? { single: true } : {}),
    ...(value['test'] === undefined ? {} : { test: readTestRule(reader, value['test'], [...path, 'test']) }),
  };
  for (const key of ['sent', 'single'].filter((one) => value[one] !== undefined && value[one] !== true)) {
    reader.report([...path, key], `${key} is true, or is not there`);
  }
  for (const key of ['systems', 'through'].filter((one) => value[one] !== undefined && value['code'] === undefined)) {
    reader.report([...path, key], `${key} belongs to a code`);
  }
  if (value['sent'] === true && Object.keys(value).length === 1) {
    reader.report(path, "a sender's id proves nothing alone: name something else with it");
  }
  return [{ name: describeRule(value), ...readCode(reader, value, path), ...parts }];
}

function filledOf<V extends object>(value: V): { [K in keyof V]?: NonNullable<V[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof V]?: NonNullable<V[K]>;
  };
}

function readTestRule(reader: Reader, value: Json, path: Path): NonNullable<SameRule['test']> {
  const fields = listedNames(value);
  return {
    code: foundFields(reader, fields[0] ?? value, path, codeColumns),
    words: foundFields(reader, fields.at(-1) ?? value, path, wordColumn),
  };
}

function readUnless(reader: Reader, value: Json, path: Path): readonly UnlessRule[] {
  const [kind = ''] = isObject(value) ? Object.keys(value) : [];
  const fields = isObject(value) ? value[kind] : undefined;
  const inside = [...path, kind];
  switch (kind) {
    case 'amounts':
    case 'sides':
      return [{ kind, columns: foundFields(reader, fields, inside, wordColumn) }];
    case 'differ':
      return [{ kind, fields: foundFields(reader, fields, inside, differingField) }];
    case 'days':
      return foundFields(reader, fields, inside, dateColumnOf).map((column) => ({ kind, column }));
    case 'units':
      return foundFields(reader, fields, inside, amountColumns).map((amount) => ({ kind, amount }));
    case 'kinds': {
      const [first, second] = foundFields(reader, fields, inside, wordColumn);
      if (first === undefined || second === undefined) {
        reader.report(inside, 'kinds names two fields');
        return [];
      }
      return [{ kind, columns: [first, second] }];
    }
    default:
      reader.report(path, 'an entry of unless is one of amounts, sides, differ, days, units, kinds');
      return [];
  }
}

/** The columns of a field that are compared together; of a coded value its words, and beside them its code. */
function differingField(model: Model, name: string): DifferingField | undefined {
  const field = model.fields.find((one) => one.name === name);
  if (has(model, name) || field?.type !== 'CodedValue') {
    const columns = has(model, name) ? [name] : field?.columns;
    return columns && { columns };
  }
  const code = codeColumns(model, name);
  return { columns: [`${name}_title`], ...(code ? { code } : {}) };
}

function readConflict(reader: Reader, value: Json, path: Path): readonly ConflictRule[] {
  if (value === 'standing') {
    return [{ kind: 'standing' }];
  }
  const [kind = ''] = isObject(value) ? Object.keys(value) : [];
  const field = isObject(value) ? value[kind] : undefined;
  const inside = [...path, kind];
  const name = String(listedNames(field)[0] ?? '');
  switch (kind) {
    case 'amount':
      return foundFields(reader, field, inside, amountColumns).map((amount) => ({ kind, field: name, amount }));
    case 'words':
      return [{ kind, field: name, columns: foundFields(reader, field, inside, wordColumn) }];
    case 'code':
      return [
        {
          kind,
          field: name,
          columns: foundFields(reader, field, inside, codeColumns),
          words: wordColumn(reader.model, name) ?? '',
        },
      ];
    case 'day':
      return foundFields(reader, field, inside, dateColumnOf).map((column) => ({ kind, field: name, column }));
    default:
      reader.report(path, 'an entry of conflict is standing, or one of amount, words, code, day');
      return [];
  }
}

function readTimes(reader: Reader, value: Json | undefined, isEvent: boolean): Pick<SameRules, 'times'> {
  if (value === undefined) {
    return {};
  }
  if (isEvent) {
    reader.report(['times'], 'an event happens once and has no times');
    return {};
  }
  const { from, until, apart } = isObject(value) ? value : {};
  if (!isObject(value) || typeof apart !== 'number' || !(apart >= 0)) {
    reader.report(['times'], 'times is { from: FIELD, until: FIELD, apart: 30 }');
    return {};
  }
  const [begins] = foundFields(reader, from, ['times', 'from'], dateColumnOf);
  const [ends] = until === undefined ? [] : foundFields(reader, until, ['times', 'until'], dateColumnOf);
  return begins === undefined ? {} : { times: { from: begins, ...(ends === undefined ? {} : { until: ends }), apart } };
}

function readWhen(reader: Reader, value: Json | undefined, isEvent: boolean): Pick<SameRules, 'when'> {
  const { date, same } = isObject(value) ? value : {};
  if (!isEvent && value === undefined) {
    return {};
  }
  if (!isEvent || (same !== 'minute' && same !== 'day')) {
    reader.report(['when'], 'an event has when: { date: FIELD, same: minute } or same: day, and a thing has none');
    return {};
  }
  const [column] = foundFields(reader, date, ['when', 'date'], dateColumnOf);
  return column === undefined ? {} : { when: { date: column, same } };
}

const KEYS = ['what', 'equal', 'unless', 'times', 'when', 'conflict', 'perhaps', 'group', 'shows'];

function each<R>(
  { report }: Reader,
  value: Json | undefined,
  key: string,
  read: (one: Json, path: Path) => readonly R[],
): readonly R[] {
  if (value !== undefined && !Array.isArray(value)) {
    report([key], `${key} is a list`);
    return [];
  }
  return ((value ?? []) as readonly Json[]).flatMap((one, index) => read(one, [key, index]));
}

function readGroupRule(reader: Reader, value: Json | undefined): Pick<SameRules, 'group'> {
  if (value === undefined) {
    return {};
  }
  const { code, through } = isObject(value) ? value : {};
  const named = readThrough(reader, through ?? null, ['group', 'through']);
  const columns = foundFields(reader, code, ['group', 'code'], codeColumns);
  return named.through === undefined ? {} : { group: { columns, through: named.through } };
}

function readRules(reader: Reader, value: { readonly [key: string]: Json }): SameRules {
  const { what, shows = 'newest' } = value;
  reportUnknown(reader, value, KEYS, []);
  if (what !== 'thing' && what !== 'event') {
    reader.report(['what'], 'what is thing or event');
  }
  if (shows !== 'newest' && shows !== 'most-said') {
    reader.report(['shows'], 'shows is newest or most-said');
  }
  return {
    what: what === 'event' ? 'event' : 'thing',
    equal: each(reader, value['equal'], 'equal', (one, path) => readRule(reader, one, path)),
    unless: each(reader, value['unless'], 'unless', (one, path) => readUnless(reader, one, path)),
    ...readTimes(reader, value['times'], what === 'event'),
    ...readWhen(reader, value['when'], what === 'event'),
    conflict: each(reader, value['conflict'], 'conflict', (one, path) => readConflict(reader, one, path)),
    perhaps: each(reader, value['perhaps'], 'perhaps', (one, path) =>
      readRule(reader, one, path).map((rule) => ({ ...rule, asks: true as const })),
    ),
    ...readGroupRule(reader, value['group']),
    shows: shows === 'most-said' ? 'most-said' : 'newest',
  };
}

/** Reads the rules of a file by the names of their models. Problems are passed to `report`. */
export function readSameRules(
  value: Json,
  models: readonly Model[],
  report: Report,
  systems?: ReadonlySet<string>,
): ReadonlyMap<string, SameRules> {
  if (!isObject(value)) {
    report([], 'the file is a mapping of a model to its rules');
    return new Map();
  }
  const rules = Object.entries(value).flatMap(([name, content]) => {
    const model = models.find((one) => one.name === name);
    if (!model || !isObject(content)) {
      report(
        [name],
        model ? 'the rules of a model are a mapping' : `the model file beside this one has no model ${name}`,
      );
      return [];
    }
    const inside: Report = (path, reason) => report([name, ...path], reason);
    return [[name, readRules({ model, systems, report: inside }, content)] as const];
  });
  return new Map(rules);
}

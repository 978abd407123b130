/**
 * report-oracle: random report queries on random facts. The results of the database are compared with those of a plain
 * evaluation in memory.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../../core/base/errors';
import { readFacts } from '../../../core/facts/model/fact';
import { factTables } from '../../../core/facts/model/fact-tables';
import { loadModels } from '../../../core/facts/model/models';
import { reportOf, reportPlan, type RawQuery, type ReportFields } from '../../../core/facts/model/report-plan';
import { applyPlans } from '../../../core/facts/apply-plan';
import type { ReportField, ReportSource } from '../../../core/facts/plans';
import type { ReportScope } from '../../../core/sharing/containment';
import { runAggregate, runBranches, runReport } from '../../../core/facts/run-report';
import { insertFacts } from '../../../core/facts/store';
import { amount } from '../../support/amount';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';
import { below, pick, randomFrom, type Random } from '../../support/random';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** The number of queries on each database; every run makes other ones. */
const QUERIES = Number(process.env['SVC_TEST_QUERIES'] ?? amount(400, 2000));
const FACTS = 500;
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));

type Value = string | number | boolean | null;
type Row = {
  /** The values of the fact that contains this one, if any. */
  readonly around?: Record<string, Value>;
  /** The number of the containing fact among the facts of its model. */
  readonly holder?: number;
  readonly model: string;
  readonly record: string;
  readonly document: number;
  readonly createdAt: string;
  readonly values: Record<string, Value>;
  readonly seq: number;
  readonly name: string;
};
type Document = { readonly record: string; readonly status: string; readonly shared: boolean };

const words = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'aB',
  'a ',
  ' a',
  'ä',
  'Ä',
  'é',
  'zz',
  'Z',
  '10',
  '9',
  '%',
  '_',
  'x'.repeat(200),
  '\u{1F600}',
  '\uFF5E',
  "o'clock",
  '?',
  '\\',
  'ß',
  'ss',
];
const days = [
  '0001-01-01',
  '9999-12-31',
  '1900-02-28',
  '2000-02-29',
  '2008-12-31',
  '2009-01-01',
  '2009-01-07',
  '2009-01-08',
  '2009-05-16',
  '2012-12-30',
  '2012-12-31',
  '2100-03-01',
];
const times = ['00:00:00.000000', '23:59:59.999999', '12:34:56.000000', '12:34:56.500000', '00:00:00.000001'];
const stamps = days.slice(2).flatMap((day) => times.map((time) => `${day}T${time}Z`));
const createdTimes = [
  '2020-01-01T00:00:00.000000Z',
  '2020-01-01T00:00:00.000001Z',
  '2020-06-01T10:00:00.000000Z',
  '2021-03-04T05:06:07.890000Z',
];
const numbers = [0, 1, -1, 0.25, 2.5, -2.75, 70.5, 1024, 1e6];

const columnTypes: Readonly<Record<string, string>> = {
  key: 'Integer',
  s1: '{ type: String, index: true }',
  s2: 'String',
  t1: 'Text',
  n1: '{ type: Number, index: true }',
  n2: 'Number',
  i1: 'Integer',
  b1: 'Boolean',
  d1: '{ type: Date, index: true }',
  d2: 'Date',
  o1: '{ type: DateOnly, index: true }',
  o2: 'DateOnly',
};

const valueOf = (random: Random, name: string): Value => {
  if (random() < 0.15) {
    return null;
  }
  switch (name[0]) {
    case 's':
    case 't':
      return pick(random, words);
    case 'n':
      return pick(random, numbers);
    case 'i':
      return below(random, 7) - 3;
    case 'b':
      return random() < 0.5;
    case 'd':
      return pick(random, stamps);
    default:
      return pick(random, days);
  }
};

const names = Object.keys(columnTypes).filter((name) => name !== 'key');
const records = ['record-a', 'record-b'];

const makeDocuments = (random: Random): readonly Document[] =>
  Array.from({ length: 60 }, () => ({
    record: pick(random, records),
    status: pick(random, ['active', 'active', 'active', 'void', 'archived']),
    shared: random() < 0.5,
  }));

const makeRows = (random: Random, documents: readonly Document[], model: string): readonly Row[] =>
  Array.from({ length: FACTS }, (_, seq) => {
    const document = below(random, documents.length);
    const values: Record<string, Value> = { key: seq };
    for (const name of names) {
      values[name] = valueOf(random, name);
    }
    return {
      model,
      record: (documents[document] as Document).record,
      document,
      createdAt: pick(random, createdTimes),
      values,
      seq,
      name: String(seq),
    };
  });

const LONE_PARTS = 60;

/** Makes nested facts in the order of the facts that contain them, and then some that are nested in none. */
const makeParts = (
  random: Random,
  rows: readonly Row[],
  documents: readonly Document[],
  model: string,
): readonly Row[] => {
  const around = rows.flatMap((row) => Array.from({ length: pick(random, [0, 0, 1, 2]) }, () => row));
  const alone = makeRows(random, documents, model).slice(0, LONE_PARTS);
  return [...around, ...alone].map((row, seq) => {
    const values: Record<string, Value> = { key: seq };
    for (const name of names) {
      values[name] = valueOf(random, name);
    }
    const outer = seq < around.length ? { around: row.values, holder: row.seq } : {};
    return { ...row, ...outer, model, values, seq, name: String(seq) };
  });
};

/** Each fact of the branched source becomes a row for `n1` and one for `i1`, where they are not null. */
const branchRows = (rows: readonly Row[]): readonly Row[] =>
  rows.flatMap((row) =>
    ['n1', 'i1'].flatMap((name, branch) => {
      const reading = row.values[name] as Value;
      return reading === null
        ? []
        : [
            {
              ...row,
              values: { ...row.values, reading, slug: name === 'n1' ? 'Number One' : 'Integer One' },
              seq: row.seq * 2 + branch,
              name: `${row.seq}:${name}`,
            },
          ];
    }),
  );

// The oracle below evaluates a query without SQL; it shares no code with the service.

type Field = {
  readonly kind: 'string' | 'number' | 'date';
  readonly day?: boolean;
  readonly bool?: boolean;
  readonly read: (row: Row) => Value;
  readonly texts?: (row: Row) => readonly Value[];
};
type Query = Record<string, string>;
type Ranges = { readonly date_range: readonly string[]; readonly value_range: readonly string[] };
type Answer = { readonly error: true } | { readonly total: number; readonly items: readonly unknown[] };

/** The kind of a field, by the first letter of its name. */
const KINDS: Readonly<Record<string, Field['kind']>> = { s: 'string', t: 'string', b: 'string', d: 'date', o: 'date' };

const plainField = (name: string): Field => ({
  kind: KINDS[name[0] as string] ?? 'number',
  day: name[0] === 'o',
  bool: name[0] === 'b',
  read: (row) => row.values[name] ?? null,
});

const oracleFields = (branched: boolean, parent: string | undefined): ReadonlyMap<string, Field> =>
  new Map<string, Field>([
    ...names.map((name) => [name, plainField(name)] as const),
    ...(parent === undefined
      ? []
      : names.map(
          (name) =>
            [`${parent}.${name}`, { ...plainField(name), read: (row: Row) => row.around?.[name] ?? null }] as const,
        )),
    ['created_at', { kind: 'date', read: (row) => row.createdAt }],
    ['either', { kind: 'string', read: (row) => row.values['s2'] ?? row.values['t1'] ?? null }],
    ['nothing', { kind: 'string', read: () => null }],
    ['never', { kind: 'date', read: () => null }],
    [
      'folded',
      {
        kind: 'string',
        read: (row) => row.values['s1'] ?? null,
        texts: (row) => [row.values['s1'] ?? null, row.values['t1'] ?? null],
      },
    ],
    ...(branched
      ? [
          ['reading', { kind: 'number', read: (row: Row) => row.values['reading'] ?? null }] as const,
          ['slug', { kind: 'string', read: (row: Row) => row.values['slug'] ?? null }] as const,
        ]
      : []),
  ]);

const compareValues = (a: Value, b: Value): number => {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return Number(a) - Number(b);
};

/** Nulls last when ascending, first when descending. */
const compareOrdered = (a: Value, b: Value, descending: boolean): number => {
  const order = a === null || b === null ? Number(a === null) - Number(b === null) : compareValues(a, b);
  return descending ? -order : order;
};

const matches = (field: Field, text: string, row: Row): boolean | undefined => {
  const parts = text.split('|');
  if (field.texts) {
    return field
      .texts(row)
      .some((value) => value !== null && parts.some((part) => part.toLowerCase() === String(value).toLowerCase()));
  }
  const wanted = parts.map((part): Value | undefined => {
    if (field.bool) {
      return { true: true, 1: true, false: false, 0: false }[part];
    }
    if (field.kind === 'number') {
      return part === '' || Number.isNaN(Number(part)) ? undefined : Number(part);
    }
    if (field.kind === 'date') {
      const full =
        part.length === 10
          ? `${part}T00:00:00.000000Z`
          : `${part.slice(0, 19)}${(/\.(\d+)/.exec(part)?.[1] ?? '').padEnd(6, '0').replace(/^/, '.')}Z`;
      const exact = field.day ? full.slice(0, 10) : full;
      return /^\d{4}-\d{2}-\d{2}/.test(part) ? exact : undefined;
    }
    return part;
  });
  const value = field.read(row);
  return wanted.includes(undefined) ? undefined : value !== null && wanted.includes(value);
};

const dayOfYear = (day: string): number => {
  const months = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return months.slice(0, month - 1).reduce((sum, length) => sum + length, 0) + date + (leap && month > 2 ? 1 : 0);
};

/** Sunday is 1. Sakamoto's algorithm needs no date library. */
const dayOfWeek = (day: string): number => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const y = month < 3 ? year - 1 : year;
  return (
    ((y +
      Math.floor(y / 4) -
      Math.floor(y / 100) +
      Math.floor(y / 400) +
      ([0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] as number) +
      date) %
      7) +
    1
  );
};

const periods: Readonly<Record<string, (stamp: string) => string>> = {
  hour: (stamp) => `${stamp.slice(0, 10)}-${stamp.slice(11, 13) || '00'}`,
  day: (stamp) => stamp.slice(0, 10),
  week: (stamp) =>
    `${stamp.slice(0, 4)}-${String(Math.floor((dayOfYear(stamp.slice(0, 10)) - 1) / 7) + 1).padStart(2, '0')}`,
  month: (stamp) => stamp.slice(0, 7),
  year: (stamp) => stamp.slice(0, 4),
  hourofday: (stamp) => stamp.slice(11, 13) || '00',
  dayofweek: (stamp) => String(dayOfWeek(stamp.slice(0, 10))),
  weekofyear: (stamp) => String(Math.floor((dayOfYear(stamp.slice(0, 10)) - 1) / 7) + 1).padStart(2, '0'),
  monthofyear: (stamp) => stamp.slice(5, 7),
};

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Auckland'];

const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

/** The local time in the zone, to the second. */
const shownIn = (zone: string, stamp: string): string =>
  stamp.length === 10
    ? stamp
    : clocks
        .get(zone)!
        .format(Date.parse(`${stamp.slice(0, 23)}Z`))
        .replace(' ', 'T');

const operatorsOf: Readonly<Record<string, readonly string[]>> = {
  sum: ['number'],
  avg: ['number'],
  max: ['number', 'date'],
  min: ['number', 'date'],
  count: ['number', 'date', 'string'],
};

const aggregate = (operator: string, field: Field | undefined, rows: readonly Row[]): Value => {
  const values = field ? rows.map(field.read).filter((value) => value !== null) : rows.map(() => 1);
  if (operator === 'count') {
    return values.length;
  }
  if (values.length === 0) {
    return null;
  }
  const digits = (value: number): number => Number(value.toPrecision(15));
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  if (operator === 'sum' || operator === 'avg') {
    return digits(operator === 'sum' ? sum : sum / values.length);
  }
  const sorted = [...values].sort(compareValues);
  return (operator === 'min' ? sorted[0] : sorted.at(-1)) as Value;
};

const failure = { error: true } as const;

const evaluate = (
  query: Query,
  ranges: Ranges,
  fields: ReadonlyMap<string, Field>,
  all: readonly Row[],
  documents: readonly Document[],
  scope: ReportScope,
): Answer => {
  let rows = all.filter(
    (row) =>
      row.record === scope.recordId &&
      (documents[row.document] as Document).status === (query['status'] ?? 'active') &&
      (scope.carenetId === undefined || (documents[row.document] as Document).shared),
  );
  for (const [name, text] of Object.entries(query)) {
    const field = fields.get(name);
    if (field) {
      if (matches(field, text, { values: {}, createdAt: '' } as unknown as Row) === undefined) {
        return failure;
      }
      rows = rows.filter((row) => matches(field, text, row));
    }
  }
  for (const [operator, texts] of Object.entries(ranges) as [keyof Ranges, readonly string[]][]) {
    for (const [name = '', start = '', end = ''] of texts.map((text) => text.split('*'))) {
      const field = fields.get(name);
      if (field?.kind !== (operator === 'date_range' ? 'date' : 'number')) {
        return failure;
      }
      const full = (text: string): string => (text.length === 10 ? `${text}T00:00:00.000000Z` : text);
      const bound = (text: string): Value => {
        if (operator === 'value_range') {
          return Number(text);
        }
        return field.day ? text.slice(0, 10) : full(text);
      };
      rows = rows.filter((row) => {
        const value = field.read(row);
        return (
          (start === '' && end === '') ||
          (value !== null &&
            (start === '' || compareValues(value, bound(start)) >= 0) &&
            (end === '' || compareValues(value, bound(end)) <= 0))
        );
      });
    }
  }
  const [limit, offset] = [Number(query['limit'] ?? 100), Number(query['offset'] ?? 0)];
  const grouping = query['group_by'] ?? query['date_group'];
  const [operator = '', aggregateName = ''] = query['aggregate_by']?.split('*') ?? [];
  if (
    grouping !== undefined &&
    (query['aggregate_by'] === undefined || (query['group_by'] !== undefined && query['date_group'] !== undefined))
  ) {
    return failure;
  }
  if (query['time_zone'] !== undefined && query['date_group'] === undefined) {
    return failure;
  }
  const aggregateField = fields.get(aggregateName);
  const [groupName = '', increment] = grouping?.split('*') ?? [];
  const groupField = fields.get(groupName);
  if (grouping !== undefined && (!groupField || (increment !== undefined && groupField.kind !== 'date'))) {
    return failure;
  }
  if (query['aggregate_by'] !== undefined) {
    if (
      aggregateName === ''
        ? operator !== 'count'
        : !aggregateField || !operatorsOf[operator]?.includes(aggregateField.kind)
    ) {
      return failure;
    }
    if (!groupField) {
      return { total: 1, items: [{ value: aggregate(operator, aggregateField, rows) }] };
    }
  }
  const order = query['order_by'] === undefined && !groupField ? '-created_at' : (query['order_by'] ?? '');
  const descending = order.startsWith('-');
  const orderName = descending ? order.slice(1) : order;
  if (groupField) {
    if (order !== '' && orderName !== aggregateName && orderName !== groupName) {
      return failure;
    }
    const groups = new Map<Value, Row[]>();
    for (const row of rows) {
      const value = groupField.read(row);
      const key =
        increment !== undefined && value !== null
          ? (periods[increment] as (stamp: string) => string)(shownIn(query['time_zone'] ?? 'UTC', String(value)))
          : value;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    const list = [...groups].map(([group, members]) => ({
      group,
      value: aggregate(operator, aggregateField, members),
    }));
    const byValue = order !== '' && orderName === aggregateName;
    list.sort(
      (a, b) =>
        (byValue ? compareOrdered(a.value, b.value, descending) : 0) ||
        compareOrdered(a.group, b.group, !byValue && order !== '' && descending),
    );
    return { total: list.length, items: list.slice(offset, offset + limit) };
  }
  const orderField = order === '' ? undefined : (fields.get(orderName) ?? fields.get('created_at'));
  const reverse = fields.has(orderName) ? descending : true;
  const sorted = [...rows].sort(
    (a, b) => (orderField ? compareOrdered(orderField.read(a), orderField.read(b), reverse) : 0) || a.seq - b.seq,
  );
  return { total: rows.length, items: sorted.slice(offset, offset + limit).map(({ name }) => name) };
};

const filterText = (random: Random, field: Field, fieldName: string): string => {
  const one = (): string => {
    if (random() < 0.005) {
      return 'rubbish';
    }
    if (field.bool) {
      return pick(random, ['true', 'false', '1', '0']);
    }
    if (field.kind === 'number') {
      return String(fieldName.split('.').at(-1)![0] === 'i' ? below(random, 7) - 3 : pick(random, numbers));
    }
    if (field.kind === 'date') {
      const stamp = fieldName === 'created_at' ? createdTimes : stamps;
      return pick(random, [pick(random, days), pick(random, stamp)]);
    }
    return pick(random, words);
  };
  return Array.from({ length: 1 + below(random, 4) }, one).join('|');
};

const makeQuery = (random: Random, fields: ReadonlyMap<string, Field>): Query => {
  const fieldNames = [...fields.keys()];
  const query: Query = {};
  const chance = (probability: number): boolean => random() < probability;
  for (let n = pick(random, [0, 0, 1, 1, 2]); n > 0; n -= 1) {
    const name = pick(random, fieldNames);
    query[name] = filterText(random, fields.get(name) as Field, name);
  }
  if (chance(0.2)) {
    query['status'] = pick(random, ['active', 'void', 'archived']);
  }
  const dates = fieldNames.filter((name) => fields.get(name)?.kind === 'date');
  // In one query of twenty, fields may not fit their operators, so that refusals are compared, too.
  const careless = chance(0.05);
  if (chance(0.6)) {
    const operator = pick(random, Object.keys(operatorsOf));
    const fitting = fieldNames.filter(
      (name) => careless || operatorsOf[operator]?.includes(fields.get(name)?.kind ?? ''),
    );
    query['aggregate_by'] = `${operator}*${operator === 'count' && chance(0.3) ? '' : pick(random, fitting)}`;
    const grouping = below(random, 3);
    if (grouping === 1 || careless) {
      query['group_by'] = pick(random, fieldNames);
    }
    if (grouping === 2 || (careless && chance(0.5))) {
      query['date_group'] = `${pick(random, careless ? fieldNames : dates)}*${pick(random, Object.keys(periods))}`;
    }
    if (chance(careless ? 0.3 : 0) || (query['date_group'] !== undefined && chance(0.5))) {
      query['time_zone'] = pick(random, zones);
    }
  } else if (careless) {
    query['group_by'] = pick(random, fieldNames);
  }
  if (chance(0.5)) {
    const near = [query['group_by'], query['date_group']?.split('*')[0], query['aggregate_by']?.split('*')[1]].filter(
      (name) => name !== undefined && name !== '',
    );
    const sign = chance(0.5) ? '-' : '';
    const isNear = near.length > 0 && chance(0.9);
    const other = (): string => (chance(0.1) ? 'no_such_field' : pick(random, fieldNames));
    query['order_by'] = `${sign}${isNear ? pick(random, near) : other()}`;
  }
  if (chance(0.5)) {
    query['limit'] = String(below(random, 60));
  }
  if (chance(0.3)) {
    query['offset'] = String(below(random, 12));
  }
  return query;
};

const makeRanges = (random: Random, fields: ReadonlyMap<string, Field>): Ranges => {
  const names = [...fields.keys()];
  const of = (kind: string, bounds: readonly string[]): readonly string[] =>
    Array.from({ length: pick(random, [0, 0, 0, 0, 0, 0, 1, 1, 2]) }, () => {
      const fitting = random() < 0.97 ? names.filter((name) => fields.get(name)?.kind === kind) : names;
      return `${pick(random, fitting)}*${pick(random, bounds)}*${pick(random, bounds)}`;
    });
  return {
    date_range: of('date', [...days, ...stamps, ...createdTimes, '']),
    value_range: of('number', [...numbers.map(String), '-3', '2', '']),
  };
};

const extraFields = (fields: ReportFields): ReportFields =>
  new Map<string, ReportField>([
    ...[...fields].filter(([name]) => !/(^|\.)(key$|filler)/.test(name)),
    ['either', { kind: 'string', columns: ['s2', 't1'] }],
    ['nothing', { kind: 'string', columns: [] }],
    ['never', { kind: 'datetime', columns: [] }],
    ['folded', { kind: 'string', columns: ['s1'], matches: ['s1', 't1'] }],
  ]);

const definition = (name: string, fillers: number): string =>
  [
    `__modelname__: ${name}`,
    ...Object.entries(columnTypes).map(([column, type]) => `${column}: ${type}`),
    ...Array.from({ length: fillers }, (_, n) => `filler${n}: String`),
  ].join('\n');

/** A model nested in Narrow or Wide, with columns of its own; some facts have several of its facts, some none. */
const nested = (name: string): string =>
  [
    'parts:',
    `  - __modelname__: ${name}Part`,
    ...Object.entries(columnTypes).map(([column, type]) => `    ${column}: ${type}`),
  ].join('\n');

const loadTestModels = () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-oracle-'));
  writeFileSync(join(folder, 'narrow.yaml'), `${definition('Narrow', 0)}\n${nested('Narrow')}`);
  // Has so many columns that most are stored in the packed text.
  writeFileSync(join(folder, 'wide.yaml'), `${definition('Wide', 300)}\n${nested('Wide')}`);
  const { models, problems } = loadModels([folder], 'https://svc.example/vocab');
  rmSync(folder, { recursive: true });
  expect(problems).to.equal([]);
  return models;
};

for (const leg of databases) {
  describe(`report queries on ${leg.name}, seed ${seed}`, () => {
    const random = randomFrom(seed);
    const models = loadTestModels();
    const tables = factTables(models);
    const documents = makeDocuments(random);
    const [narrow, wide] = [makeRows(random, documents, 'Narrow'), makeRows(random, documents, 'Wide')];
    const rowsOf: Record<string, readonly Row[]> = {
      Narrow: narrow,
      Wide: wide,
      NarrowPart: makeParts(random, narrow, documents, 'NarrowPart'),
      WidePart: makeParts(random, wide, documents, 'WidePart'),
    };
    const partsOf = ({ model, seq }: Row) =>
      (rowsOf[`${model}Part`] ?? [])
        .filter(({ holder }) => holder === seq)
        .map((part) => ({ __modelname__: part.model, ...part.values }));
    let open: OpenDatabase;

    before(async () => {
      open = await openTestDatabase(leg);
      const { database } = open;
      await applyPlans(database, [...tables.values()]);
      for (const [index, recordId] of records.entries()) {
        await direct(database)('carenet').insert({
          id: `carenet-${index}`,
          record_id: recordId,
          name: 'Family',
          created_at: createdTimes[0],
        });
      }
      for (const [index, { record, status, shared }] of documents.entries()) {
        await direct(database)('document_lineage').insert({
          id: `lineage-${index}`,
          record_id: record,
          type: `type-${index}`,
          latest_id: `document-${index}`,
          latest_created_at: createdTimes[0],
          status,
          nevershare: 0,
          created_at: createdTimes[0],
        });
        if (shared) {
          await direct(database)('carenet_preference').insert({
            carenet_id: `carenet-${records.indexOf(record)}`,
            lineage_id: `lineage-${index}`,
            shared: 1,
            changed_at: createdTimes[0],
          });
        }
      }
      // Nested facts are inserted with the fact that contains them.
      for (const row of Object.values(rowsOf)
        .flat()
        .filter(({ holder }) => holder === undefined)) {
        const fact = { __modelname__: row.model, ...row.values };
        const facts = readFacts(models, [row.model.endsWith('Part') ? fact : { ...fact, parts: partsOf(row) }], 'all');
        await insertFacts(
          direct(database),
          tables,
          {
            recordId: row.record,
            documentId: `document-${row.document}`,
            lineageId: `lineage-${row.document}`,
            createdAt: row.createdAt,
          },
          facts,
        );
      }
    });

    after(() => open.drop());

    const branches = [
      { present: 'n1', columns: { key: { column: 'key' }, reading: { column: 'n1' }, slug: { text: 'Number One' } } },
      { present: 'i1', columns: { key: { column: 'key' }, reading: { column: 'i1' }, slug: { text: 'Integer One' } } },
    ];

    const ask = async (
      query: RawQuery,
      source: ReportSource,
      fields: ReportFields,
      scope: ReportScope,
    ): Promise<Answer> => {
      try {
        const { plan } = reportPlan(query, fields, 1000);
        if (plan.aggregate) {
          const { rows, total } = await runAggregate(open.database, source, scope, plan);
          return { total, items: rows };
        }
        if (source.branches) {
          const { rows, total } = await runBranches(open.database, source, scope, plan);
          return {
            total,
            items: rows.map((row) => `${String(row['key'])}:${row['slug'] === 'Number One' ? 'n1' : 'i1'}`),
          };
        }
        const { facts, total } = await runReport(open.database, tables, source, scope, plan);
        return { total, items: facts.map((fact) => String(fact.values['key'])) };
      } catch (error) {
        if (error instanceof AppError && error.status === 400) {
          return failure;
        }
        throw error;
      }
    };

    const askOne = async (number: number, tally: { refused: number; empty: number }): Promise<void> => {
      const one = randomFrom(seed + number);
      const model = pick(one, ['Narrow', 'Narrow', 'Wide', 'NarrowPart', 'WidePart']);
      const isPart = model.endsWith('Part');
      const branched = !isPart && one() < 0.25;
      const report = reportOf(models, models.find(model)!);
      const source: ReportSource = branched ? { ...report.source, branches } : report.source;
      const fields = extraFields(
        new Map<string, ReportField>([
          ...report.fields,
          ...(branched
            ? [
                ['reading', { kind: 'number', columns: ['reading'] }] as const,
                ['slug', { kind: 'string', columns: ['slug'] }] as const,
              ]
            : []),
        ]),
      );
      const plain = oracleFields(branched, isPart ? model.replace('Part', '').toLowerCase() : undefined);
      const query = makeQuery(one, plain);
      const ranges = makeRanges(one, plain);
      const recordId = pick(one, records);
      const scope: ReportScope =
        one() < 0.3 ? { recordId, carenetId: `carenet-${records.indexOf(recordId)}` } : { recordId };
      const expected = evaluate(
        query,
        ranges,
        plain,
        branched ? branchRows(rowsOf[model]!) : rowsOf[model]!,
        documents,
        scope,
      );
      const answer = await ask({ ...query, ...ranges }, source, fields, scope);
      tally.refused += 'error' in expected ? 1 : 0;
      tally.empty += 'items' in expected && expected.items.length === 0 ? 1 : 0;
      if (JSON.stringify(answer) !== JSON.stringify(expected)) {
        expect({ seed, number, model, branched, scope, query, ranges, answer }).to.equal({
          seed,
          number,
          model,
          branched,
          scope,
          query,
          ranges,
          answer: expected,
        });
      }
    };

    it(`answers ${QUERIES} queries as a plain evaluation does`, async () => {
      const tally = { refused: 0, empty: 0 };
      let next = 0;
      const worker = async (): Promise<void> => {
        while (next < QUERIES) {
          next += 1;
          await askOne(next, tally);
        }
      };
      await Promise.all(Array.from({ length: 6 }, worker));
      process.stdout.write(`      seed ${seed}: ${QUERIES} queries, ${tally.refused} refused, ${tally.empty} empty\n`);
      // Mostly senseless queries would prove nothing.
      expect(tally.refused).to.be.below(QUERIES / 2);
      expect(tally.empty).to.be.below(QUERIES / 2);
    });
  });
}

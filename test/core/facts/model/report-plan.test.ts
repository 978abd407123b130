/** report-plan: the query operators: their meaning, what they echo, and every 400. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../../../core/base/errors';
import { reportPlan, type RawQuery, type ReportFields } from '../../../../core/facts/model/report-plan';
import type { ReportField } from '../../../../core/facts/plans';

export const lab = Lab.script();
const { describe, it } = lab;

const created: ReportField = { kind: 'datetime', columns: ['_created_at'] };
const name: ReportField = { kind: 'string', columns: ['name'] };
const weight: ReportField = { kind: 'number', columns: ['weight'] };
const pieces: ReportField = { kind: 'integer', columns: ['pieces'] };
const at: ReportField = { kind: 'datetime', columns: ['at'] };
const day: ReportField = { kind: 'date', columns: ['day'] };
const done: ReportField = { kind: 'boolean', columns: ['done'] };
const fields: ReportFields = new Map([
  ['name', name],
  ['weight', weight],
  ['pieces', pieces],
  ['at', at],
  ['day', day],
  ['done', done],
  ['created_at', created],
]);

const read = (query: RawQuery) => reportPlan(query, fields, 1000);
const refusal = (query: RawQuery): string => {
  try {
    read(query);
  } catch (error) {
    if (error instanceof AppError && error.status === 400 && error.code === 'invalid_query') {
      return error.message;
    }
    throw error;
  }
  return 'accepted';
};

describe('paging, order and status', () => {
  it('has the defaults of the specification', () => {
    expect(read({})).to.equal({
      plan: { status: 'active', limit: 100, offset: 0, filters: [], order: { by: created, descending: true } },
      echo: { limit: 100, offset: 0, filters: [], orderBy: '-created_at' },
    });
  });

  it('lowers a large limit and says so, takes zero, and numbers of any length', () => {
    expect(read({ limit: '5000' }).echo.limit).to.equal(1000);
    expect(read({ limit: '0', offset: '+7' }).plan).to.include({ limit: 0, offset: 7 });
    expect(read({ offset: '9'.repeat(40) }).plan.offset).to.equal(Number.MAX_SAFE_INTEGER);
  });

  it('takes an empty status as none', () => {
    expect(read({ status: '' }).plan.status).to.equal('active');
  });

  it('takes the last of a repeated parameter', () => {
    expect(read({ limit: ['5', '7'] }).plan.limit).to.equal(7);
  });

  it('orders by a known field, and as by default when the field is unknown', () => {
    expect(read({ order_by: 'name' }).plan.order).to.equal({ by: name, descending: false });
    expect(read({ order_by: '-at' }).echo.orderBy).to.equal('-at');
    for (const unknown of ['nope', '-nope', '--name', '-', 'Name']) {
      expect(read({ order_by: unknown }).plan.order).to.equal({ by: created, descending: true });
      expect(read({ order_by: unknown }).echo.orderBy).to.equal('-created_at');
    }
    expect(read({ order_by: '' }).plan.order).to.be.undefined();
    expect(read({ order_by: '' }).echo.orderBy).to.be.undefined();
  });

  it('leaves OAuth parameters and the format to others', () => {
    expect(read({ oauth_token: 'x', xoauth_svc_record_id: 'y', response_format: 'z' }).plan.filters).to.equal([]);
  });

  for (const query of [
    { limit: '-1' },
    { limit: 'x' },
    { limit: '' },
    { limit: '1.5' },
    { offset: '-1' },
    { offset: '1e2' },
    { status: 'deleted' },
    { status: 'ACTIVE' },
  ] as RawQuery[]) {
    it(`refuses ${JSON.stringify(query)}`, () => {
      expect(refusal(query)).to.startWith('The query is not valid');
    });
  }
});

describe('filters', () => {
  it('splits values at every bar and types them by the field', () => {
    const { plan, echo } = read({
      name: 'cane|Tractor|cane',
      weight: '70.8|8e1',
      pieces: '2|2.5',
      at: '2009-05-16|2009-05-16T12:00:00+02:00',
      day: '2009-05-16T12:00:00Z',
      done: 'true|0',
    });
    expect(plan.filters).to.equal([
      { field: name, values: ['cane', 'Tractor'] },
      { field: weight, values: [70.8, 80] },
      { field: pieces, values: [2, 2.5] },
      { field: at, values: ['2009-05-16T00:00:00.000000Z', '2009-05-16T10:00:00.000000Z'] },
      { field: day, values: ['2009-05-16'] },
      { field: done, values: [true, false] },
    ]);
    expect(echo.filters[0]).to.equal({ name: 'name', value: 'cane|Tractor|cane' });
    expect(echo.filters.map((filter) => filter.name)).to.equal(['name', 'weight', 'pieces', 'at', 'day', 'done']);
  });

  it('takes empty text for text only', () => {
    expect(read({ name: '' }).plan.filters).to.equal([{ field: name, values: [''] }]);
    expect(read({ name: 'ä||z' }).plan.filters[0]?.values).to.equal(['ä', '', 'z']);
    for (const query of [
      { weight: '' },
      { at: '' },
      { day: '1|' },
      { done: '' },
      { weight: '1|x' },
      { at: 'today' },
      { done: 'maybe' },
      { pieces: 'x' },
    ] as RawQuery[]) {
      expect(refusal(query)).to.startWith('The query is not valid');
    }
  });

  for (const unknown of ['nope', 'Name', 'id', 'record', 'name__exact', 'name.x', '__proto__', 'constructor', '']) {
    it(`refuses the unknown field ${JSON.stringify(unknown)}`, () => {
      expect(refusal(Object.fromEntries([[unknown, 'x']]))).to.contain('there is no field');
    });
  }
});

describe('a field that is not there', () => {
  it('is told together with those that begin like it', () => {
    expect(refusal({ Na: 'x' })).to.equal(
      'The query is not valid: filter: there is no field "Na" in this report, but name.',
    );
    expect(refusal({ nope: 'x' })).to.equal('The query is not valid: filter: there is no field "nope" in this report.');
  });
});

describe('value_range', () => {
  it('has inclusive bounds, either of them open, and all of several count, as of date_range', () => {
    const { plan, echo } = read({
      value_range: ['weight*1.5*', 'pieces**-2e1'],
      date_range: ['at*2010-03-10*', 'day**2011-01-01'],
    });
    expect(plan.ranges).to.equal([
      { field: at, from: '2010-03-10T00:00:00.000000Z' },
      { field: day, to: '2011-01-01' },
      { field: weight, from: 1.5 },
      { field: pieces, to: -20 },
    ]);
    expect(echo).to.include({
      valueRange: 'weight*1.5* pieces**-2e1',
      dateRange: 'at*2010-03-10T00:00:00Z* day**2011-01-01T00:00:00Z',
    });
    expect(read({ value_range: 'weight**' }).plan.ranges).to.be.undefined();
  });

  it('is one condition of each field however often it is given: a statement takes a thousand', () => {
    const { plan } = read({
      value_range: [
        'weight*1*9',
        'weight*3*',
        'weight**7',
        'weight*2*8',
        ...Array.from({ length: 500 }, () => 'weight*0*10'),
      ],
      date_range: ['day*2010-01-01*2010-12-31', 'day*2009-05-05*2010-06-30', 'day*2012-01-01*'],
    });
    expect(plan.ranges).to.equal([
      { field: day, from: '2012-01-01', to: '2010-06-30' },
      { field: weight, from: 3, to: 7 },
    ]);
  });

  it('is of a number that is there, between numbers, in one form', () => {
    expect(refusal({ value_range: 'name*1*2' })).to.contain('name is not a number');
    expect(refusal({ value_range: 'nope**' })).to.contain('there is no field "nope"');
    expect(refusal({ value_range: 'weight*one*' })).to.contain('value_range: a bound must be a number');
    expect(refusal({ value_range: 'weight*1' })).to.contain('value_range must be written as field*min*max');
  });
});

describe('time_zone', () => {
  it('is a name of the IANA database, for date_group only', () => {
    const query = { date_group: 'at*day', aggregate_by: 'count*' };
    const { plan, echo } = read({ ...query, time_zone: 'Europe/Berlin' });
    expect(plan.group).to.equal({ field: at, increment: 'day', timeZone: 'Europe/Berlin' });
    expect(echo.timeZone).to.equal('Europe/Berlin');
    expect(refusal({ ...query, time_zone: 'Europe/Nowhere' })).to.contain('a name such as Europe/Berlin');
    expect(refusal({ ...query, time_zone: '' })).to.contain('a name such as Europe/Berlin');
    expect(refusal({ time_zone: 'Europe/Berlin' })).to.contain('time_zone needs date_group');
    expect(refusal({ group_by: 'name', aggregate_by: 'count*', time_zone: 'UTC' })).to.contain('needs date_group');
  });
});

describe('date_range', () => {
  it('has inclusive bounds, either of them open, and says them in their own form', () => {
    expect(read({ date_range: 'at*2010-03-10*' })).to.part.include({
      echo: { limit: 100, offset: 0, filters: [], orderBy: '-created_at', dateRange: 'at*2010-03-10T00:00:00Z*' },
    });
    expect(read({ date_range: 'at*2010-03-10*' }).plan.ranges).to.equal([
      {
        field: at,
        from: '2010-03-10T00:00:00.000000Z',
      },
    ]);
    expect(read({ date_range: 'at**2010-01-31T03:00:00.02Z' }).plan.ranges).to.equal([
      {
        field: at,
        to: '2010-01-31T03:00:00.020000Z',
      },
    ]);
    expect(read({ date_range: 'day*2010-01-31T23:00:00-05:00*2010-02-02' }).plan.ranges).to.equal([
      {
        field: day,
        from: '2010-02-01',
        to: '2010-02-02',
      },
    ]);
    expect(read({ date_range: 'created_at*2010-01-31*2009-01-01' }).plan.ranges?.[0]?.field).to.equal(created);
  });

  it('does nothing without bounds, but the field must be a date', () => {
    expect(read({ date_range: 'at**' }).plan.ranges).to.be.undefined();
    expect(read({ date_range: 'at**' }).echo.dateRange).to.equal('at**');
    expect(refusal({ date_range: 'name**' })).to.contain('name is not a date');
  });

  for (const range of [
    '',
    'at',
    'at*2010-01-01',
    'at*2010-01-01*2010-01-02*',
    'nope**',
    'name*2010-01-01*',
    'at*x*',
    'at*2010-02-30*',
    '*2010-01-01*',
  ]) {
    it(`refuses ${JSON.stringify(range)}`, () => {
      expect(refusal({ date_range: range })).to.startWith('The query is not valid');
    });
  }
});

describe('grouping and aggregation', () => {
  it('aggregates everything without a group, and lets order and paging be', () => {
    const { plan, echo } = read({ aggregate_by: 'avg*weight', order_by: 'nope' });
    expect(plan.aggregate).to.equal({ operator: 'avg', field: weight });
    expect(plan.group).to.be.undefined();
    expect(plan.order).to.be.undefined();
    expect(echo).to.equal({ limit: 100, offset: 0, filters: [], aggregateBy: 'avg*weight' });
  });

  it('counts all facts when no field is given', () => {
    expect(read({ aggregate_by: 'count*' }).plan.aggregate).to.equal({ operator: 'count' });
    expect(read({ aggregate_by: 'count*name' }).plan.aggregate).to.equal({ operator: 'count', field: name });
  });

  it('groups by a field or by a period, by default in the order of the groups', () => {
    expect(read({ group_by: 'done', aggregate_by: 'count*' }).plan).to.include({
      group: { field: done },
      order: { by: 'group', descending: false },
    });
    expect(read({ date_group: 'day*weekofyear', aggregate_by: 'max*day' }).plan).to.include({
      group: { field: day, increment: 'weekofyear' },
    });
    expect(read({ date_group: 'created_at*hour', aggregate_by: 'count*' }).plan.group).to.equal({
      field: created,
      increment: 'hour',
    });
  });

  it('orders groups by their own field or by the aggregate, the aggregate first', () => {
    const order = (orderBy: string) =>
      read({ group_by: 'name', aggregate_by: 'sum*weight', order_by: orderBy }).plan.order;
    expect(order('-name')).to.equal({ by: 'group', descending: true });
    expect(order('weight')).to.equal({ by: 'aggregate', descending: false });
    expect(order('')).to.equal({ by: 'group', descending: false });
    expect(read({ date_group: 'at*month', aggregate_by: 'min*at', order_by: '-at' }).plan.order).to.equal({
      by: 'aggregate',
      descending: true,
    });
  });

  it('takes numbers for sums, numbers and dates for extremes, anything for counts', () => {
    const accepted = new Set<string>();
    for (const operator of ['sum', 'avg', 'max', 'min', 'count']) {
      for (const field of fields.keys()) {
        if (refusal({ aggregate_by: `${operator}*${field}` }) === 'accepted') {
          accepted.add(`${operator}*${field}`);
        }
      }
    }
    const numbers = ['weight', 'pieces'];
    const dates = ['at', 'day', 'created_at'];
    expect([...accepted].sort()).to.equal(
      [
        ...['sum', 'avg'].flatMap((operator) => numbers.map((field) => `${operator}*${field}`)),
        ...['max', 'min'].flatMap((operator) => [...numbers, ...dates].map((field) => `${operator}*${field}`)),
        ...[...fields.keys()].map((field) => `count*${field}`),
      ].sort(),
    );
  });

  for (const query of [
    { group_by: 'name' },
    { date_group: 'at*month' },
    { group_by: 'name', date_group: 'at*month', aggregate_by: 'count*' },
    { group_by: 'nope', aggregate_by: 'count*' },
    { group_by: '', aggregate_by: 'count*' },
    { date_group: 'name*month', aggregate_by: 'count*' },
    { date_group: 'at*Month', aggregate_by: 'count*' },
    { date_group: 'at*decade', aggregate_by: 'count*' },
    { date_group: 'at', aggregate_by: 'count*' },
    { date_group: 'at*month*', aggregate_by: 'count*' },
    { date_group: 'nope*month', aggregate_by: 'count*' },
    { aggregate_by: 'median*weight' },
    { aggregate_by: 'weight' },
    { aggregate_by: 'sum*weight*' },
    { aggregate_by: '' },
    { aggregate_by: 'sum*' },
    { aggregate_by: 'SUM*weight' },
    { aggregate_by: 'sum*nope' },
    { group_by: 'name', aggregate_by: 'sum*weight', order_by: 'at' },
    { group_by: 'name', aggregate_by: 'sum*weight', order_by: 'created_at' },
    { group_by: 'name', aggregate_by: 'count*', order_by: 'nope' },
  ] as RawQuery[]) {
    it(`refuses ${JSON.stringify(query)}`, () => {
      expect(refusal(query)).to.startWith('The query is not valid');
    });
  }
});

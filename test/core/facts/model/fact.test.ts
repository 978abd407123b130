/** fact: reads SDMJ as facts, and names every wrong field of what is no fact. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError } from '../../../../core/base/errors';
import type { Json } from '../../../../core/base/types';
import { readFacts, type Fact } from '../../../../core/facts/model/fact';
import { loadModels } from '../../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it } = lab;

const folder = mkdtempSync(join(tmpdir(), 'svc-fact-'));
writeFileSync(
  join(folder, 'm.yaml'),
  `
- __modelname__: Visit
  day: { type: DateOnly, required: true }
  at: Date
  score: Number
  urgent: Boolean
  reason: { type: String, max: 5 }
  place: { __modelname__: Place, name: { type: String, required: true } }
  persons: [{ __modelname__: Person, name: String, pets: [{ __modelname__: Animal, name: String }] }]
- __modelname__: Other
  a: String
- __modelname__: Either
  __oneof__: [code, words]
  code: CodedValue
  words: Text
- __modelname__: Group
  title: String
  members: [{ __modelname__: Member, who: { type: Statement, required: true } }]
- __modelname__: Long
${Array.from({ length: 10 }, (_, n) => `  a_rather_long_name_${n}: Date`).join('\n')}
`,
);
const { models, problems } = loadModels([folder], 'x');
rmSync(folder, { recursive: true });

const refusal = (sdmj: Json, allowed: readonly string[] | 'all' = 'all'): readonly string[] => {
  try {
    readFacts(models, sdmj, allowed);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_document' && error.status === 400) {
      return error.details.map(({ message }) => message);
    }
    throw error;
  }
  return [];
};

describe('readFacts', () => {
  it('has models to work with', () => {
    expect(problems).to.equal([]);
  });

  it('takes as many dates without a day as a row has room for, and refuses more', () => {
    const long = (count: number) => ({
      __modelname__: 'Long',
      ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`a_rather_long_name_${n}`, '2009-05'])),
    });
    const [fact] = readFacts(models, long(9), 'all');
    expect(Object.keys(fact!.partialDates!)).to.have.length(9);
    expect(refusal(long(10))).to.equal([
      'Long 1: 10 dates say only a month or a year, which is more than one fact has room for',
    ]);
  });

  it('stores the first day of a date that is a year or a month, and what is known of it', () => {
    const read = (fields: { readonly [name: string]: Json }) =>
      readFacts(models, { __modelname__: 'Visit', ...fields }, 'all')[0]!;
    const partial = read({ day: ' 2009 ', at: '2009-05' });
    expect(partial.values).to.include({ day: '2009-01-01', at: '2009-05-01T00:00:00.000000Z' });
    expect(partial.partialDates).to.equal({ day: 'year', at: 'month' });
    const whole = read({ day: '2009-01-01', at: '2009-05-01T00:00:00Z' });
    expect(whole.values).to.equal(partial.values);
    expect(whole).to.not.include('partialDates');
    // A statement whose date is given more exactly later is still the same statement.
    const keys = (day: string) =>
      readFacts(
        models,
        [day, '2020-01-01'].map((one) => ({ __modelname__: 'Visit', day: one })),
        'all',
      ).map(({ statement }) => statement);
    expect(keys('2009')).to.equal(keys('2009-01-01'));
    expect(read({ day: '2020-01-01', reason: '2009', score: '2009' })).to.not.include('partialDates');
    expect(refusal({ __modelname__: 'Visit', day: '2009-13' })).to.equal(['Visit 1: day must be a date (YYYY-MM-DD)']);
    expect(refusal({ __modelname__: 'Visit', day: 2009 })).to.have.length(1);
  });

  it('reads text values, as they come from XML, in document order', () => {
    const facts = readFacts(
      models,
      [
        {
          __modelname__: 'Visit',
          day: '2009-05-16',
          at: '2009-05-16T12:00:00+02:00',
          score: '7.50',
          urgent: 'TRUE',
          reason: ' x ',
          place: null,
          persons: null,
        },
        { __modelname__: 'Other', a: 'b' },
        { __modelname__: 'Visit', day: '2010-01-01' },
      ],
      'all',
    );
    expect(facts.map(({ model }) => model)).to.equal(['Visit', 'Other', 'Visit']);
    expect(facts[0]).to.include({
      model: 'Visit',
      values: { day: '2009-05-16', at: '2009-05-16T10:00:00.000000Z', score: 7.5, urgent: true, reason: ' x ' },
      children: { place: null, persons: [] },
    });
    expect(facts[2]?.values).to.equal({ day: '2010-01-01', at: null, score: null, urgent: null, reason: null });
  });

  it('reads native JSON values, a single object, and nested facts at any depth', () => {
    const [fact] = readFacts(
      models,
      {
        __modelname__: 'Visit',
        __documentid__: 'ignored',
        day: '2009-05-16',
        score: 0,
        urgent: false,
        reason: '',
        place: { __modelname__: 'Place', name: 'Boston' },
        persons: [
          { __modelname__: 'Person', name: 'A', pets: [{ __modelname__: 'Animal', name: 'Rex' }] },
          { __modelname__: 'Person', name: 'B' },
        ],
      },
      'all',
    );
    expect(fact?.values).to.include({ score: 0, urgent: false, reason: '' });
    expect(fact?.children['place']).to.include({ model: 'Place', values: { name: 'Boston' }, children: {} });
    const persons = fact?.children['persons'] as readonly Fact[];
    expect(persons.map(({ values }) => values['name'])).to.equal(['A', 'B']);
    expect(persons.map(({ children }) => (children['pets'] as readonly Fact[]).map(({ values }) => values))).to.equal([
      [{ name: 'Rex' }],
      [],
    ]);
  });

  it('wants one of the fields that a model names filled, whichever', () => {
    const either = (fields: Record<string, Json>): Json => [{ __modelname__: 'Either', ...fields }];
    expect(refusal(either({}))).to.equal(['Either 1: one of code, words is required']);
    expect(refusal(either({ words: '', code_title: null }))).to.equal(['Either 1: one of code, words is required']);
    expect(refusal(either({ words: 'x' }))).to.equal([]);
    expect(refusal(either({ code_title: 'x' }))).to.equal([]);
  });

  it("takes the source's own key of a statement, which is text, and the parts that a fact was made of", () => {
    const other = (key: Json): Json => ({ __modelname__: 'Other', __statement__: key, a: 'b' });
    expect(readFacts(models, [other('x'), other('y')], 'all').map(({ statement }) => statement)).to.equal([
      'source:x',
      'source:y',
    ]);
    expect(refusal([other(1)])).to.equal(['Other 1: __statement__ must be text']);
    const part = (said: Json): Json => ({ __modelname__: 'Other', __part__: said, a: 'b' });
    expect(readFacts(models, [part('2 3 2'), part('')], 'all').map(({ parts }) => parts)).to.equal([[2, 3], undefined]);
    for (const wrong of [1, 'x', '1,2', '-1', ['1']]) {
      expect(refusal([part(wrong)])).to.equal(['Other 1: __part__ must be numbers with spaces between them']);
    }
  });

  it('takes an empty list for no facts', () => {
    expect(readFacts(models, [], 'all')).to.equal([]);
  });

  it('tells every wrong field by its place, in order, and repeats no value', () => {
    const messages = refusal([
      {
        __modelname__: 'Visit',
        at: 'secret-1',
        score: 'secret-2',
        urgent: 'secret-3',
        reason: 'secret-4',
        nope: 'secret-5',
        place: { __modelname__: 'Place' },
        persons: [{ __modelname__: 'Other' }, 'secret-6'],
      },
      { __modelname__: 'Other', a: 'fine' },
      { __modelname__: 'Visit', day: '2009-02-30' },
    ]);
    expect(messages).to.equal([
      'Visit 1: Visit has no field nope',
      'Visit 1: day is required',
      'Visit 1: at must be a date or a date and time (YYYY-MM-DD, YYYY-MM-DDThh:mm:ssZ)',
      'Visit 1: score must be a number',
      'Visit 1: urgent must be true or false',
      'Visit 1: reason is longer than 5 characters',
      'Visit 1, place: name is required',
      'Visit 1, persons 1: must be a Person',
      'Visit 1, persons 2: must be a Person',
      'Visit 3: day must be a date (YYYY-MM-DD)',
    ]);
    expect(messages.join()).to.not.contain('secret');
  });

  const refused: readonly (readonly [string, Json, string])[] = [
    ['a fact without a model', { a: 'b' }, 'fact 1: needs the name of its model: __modelname__'],
    ['text instead of a fact', ['x'], 'fact 1: needs the name of its model: __modelname__'],
    ['null', null, 'fact 1: needs the name of its model: __modelname__'],
    ['an unknown model', { __modelname__: 'Nope' }, 'fact 1: there is no model Nope'],
    ['a model in other letters', { __modelname__: 'OTHER' }, 'fact 1: there is no model OTHER; the nearest: Other'],
    ['a name that is none', { __modelname__: '<b>me</b>' }, 'fact 1: there is no model with this name'],
    ['an internal table', { __modelname__: 'account' }, 'fact 1: there is no model account'],
    [
      'the built-in model',
      { __modelname__: 'Demographics' },
      'fact 1: this kind of document may not hold the model Demographics: store in its document.yaml does not name it',
    ],
    ['a base column', { __modelname__: 'Other', id: 'x' }, 'Other 1: Other has no field id'],
    ['a column with an underscore', { __modelname__: 'Other', _id: 'x' }, 'Other 1: Other has no field _id'],
    ['a name of every object', { __modelname__: 'Other', constructor: 'x' }, 'Other 1: Other has no field constructor'],
    [
      'a list where one is meant',
      {
        __modelname__: 'Visit',
        day: '2009-05-16',
        place: [
          { __modelname__: 'Place', name: 'a' },
          { __modelname__: 'Place', name: 'b' },
        ],
      },
      'Visit 1, place: must be a Place',
    ],
    [
      'text where a fact is meant',
      { __modelname__: 'Visit', day: '2009-05-16', persons: [{ __modelname__: 'Person', pets: 'Rex' }] },
      'Visit 1, persons 1, pets 1: must be an Animal',
    ],
    ['an object where text is meant', { __modelname__: 'Other', a: { b: 'c' } }, 'Other 1: a must be text'],
  ];
  for (const [what, sdmj, message] of refused) {
    it(`refuses ${what}`, () => {
      expect(refusal(sdmj)).to.equal([message]);
    });
  }

  it('keeps to the models that the document may hold at the top; nested ones follow from them', () => {
    const visit = { __modelname__: 'Visit', day: '2009-05-16', place: { __modelname__: 'Place', name: 'x' } };
    expect(refusal(visit, ['Visit'])).to.equal([]);
    expect(refusal([visit, { __modelname__: 'Place', name: 'x' }], ['Visit'])).to.equal([
      'fact 2: this kind of document may not hold the model Place: store in its document.yaml does not name it',
    ]);
    expect(refusal([{ __modelname__: 'Place', name: 'x' }], 'all')).to.equal([]);
    expect(refusal([{ __modelname__: 'Other' }], [])).to.have.length(1);
  });

  describe('labels', () => {
    const group = (...labels: readonly string[]): Json => ({
      __modelname__: 'Group',
      members: labels.map((who) => ({ __modelname__: 'Member', who })),
    });
    const members = (sdmj: Json): readonly unknown[] =>
      readFacts(models, sdmj, 'all')
        .filter(({ model }) => model === 'Group')
        .flatMap(({ children }) => (children['members'] as readonly Fact[]).map(({ values }) => values['who']));
    const other = (label: string, more: Readonly<Record<string, Json>>): Json => ({
      __modelname__: 'Other',
      __label__: label,
      ...more,
    });

    it('become the keys of the statements that they mean, wherever these stand', () => {
      const facts = [
        group('x', 'y', 'z'),
        other('x', { __statement__: 'k', a: '1' }),
        other('y', { a: '2' }),
        other('z', { __statement__: 'k', a: '3' }),
      ];
      const keys = readFacts(models, facts, 'all').map(({ model, statement }) => `${model} ${statement}`);
      expect(members(facts)).to.equal(keys.slice(1));
      expect(keys[1]).to.equal('Other source:k');
      expect(keys[3]).to.equal('Other source:k#2');
    });

    it('leave no trace in the keys of facts, whatever they are called', () => {
      const called = (one: string, two: string): unknown =>
        readFacts(models, [group(one), group(two), other(one, { a: '1' }), other(two, { a: '2' })], 'all');
      expect(called('x', 'y')).to.equal(called('idm8', 'idm9'));
    });

    it('mean the final key of a fact that refers to others itself', () => {
      const labelled = (label: string, ...labels: readonly string[]): Json => ({
        ...(group(...labels) as object),
        __label__: label,
      });
      const called = (outer: string, inner: string): readonly Fact[] =>
        readFacts(models, [labelled(outer, inner), labelled(inner, 'x', 'y'), group('y', outer), ...others], 'all');
      const others = [other('x', { a: '1' }), other('y', { a: '2' })];
      const facts = called('outer', 'inner');
      const keys = facts.map(({ model, statement }) => `${model} ${statement}`);
      const referred = facts
        .slice(0, 3)
        .map(({ children }) => (children['members'] as readonly Fact[]).map(({ values }) => values['who']));
      expect(referred).to.equal([[keys[1]], [keys[3], keys[4]], [keys[4], keys[0]]]);
      expect(called('o', 'i')).to.equal(facts);
    });

    it('refuse facts that refer to each other in a circle', () => {
      const labelled = (label: string, other: string): Json => ({ ...(group(other) as object), __label__: label });
      expect(refusal([labelled('a', 'b'), labelled('b', 'a')])).to.equal([
        'facts refer to each other in a circle, or through more than 7 others',
      ]);
      const chain = (length: number): readonly Json[] => [
        ...Array.from({ length }, (_, index) => labelled(`${index}`, `${index + 1}`)),
        other(`${length}`, {}),
      ];
      expect([refusal([...chain(8)]), refusal([...chain(9)]).length]).to.equal([[], 1]);
    });

    it('refuse a document in which nothing has them', () => {
      expect(refusal([group('x'), other('y', { a: '1' })])).to.equal([
        'Member: who must be the label of a fact of this document',
      ]);
      expect(refusal([group('source:k'), other('y', { __statement__: 'k' })])).to.have.length(1);
    });
  });

  it('shows the first problems of very many', () => {
    expect(refusal(Array.from({ length: 500 }, () => ({ __modelname__: 'Visit' })))).to.have.length(20);
  });
});

/** newer: which documents and statements of lists count follows from the documents alone, in whatever order they come. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { missingFromNewer, replacedDocuments } from '../../../core/lines/newer';
import { instantOf, sentStatementsOf } from '../../../core/lines/sent-rows';
import type { ListedStatement, SentDocument, Source } from '../../../core/facts/sent';
import { loadConfig } from '../../../core/config/load';
import { readModels } from '../../../core/server/migrate-all';
import { amount } from '../../support/amount';
import { below, randomFrom } from '../../support/random';
import { unhurried } from '../../support/unhurried';

export const lab = Lab.script();
const { describe, it } = lab;

const document = (documentId: string, source: Source): SentDocument => ({
  documentId,
  said: instantOf(source.date),
  source: { sender: 'clinic', ...source },
});

const replaced = (...documents: readonly SentDocument[]): readonly string[] =>
  [...replacedDocuments(documents).keys()].sort();

describe('newer documents', () => {
  it('are later versions of a document, by number and then by date', () => {
    const of = (id: string, version: string, date: string, more: Source = {}) =>
      document(id, { set: 's', version, date, ...more });
    expect(replaced(of('a', '1', '2024'), of('b', '2', '2023'), of('c', '10', '2022'))).to.equal(['a', 'b']);
    expect(replaced(of('a', '1', '2023'), of('b', '1', '2024'))).to.equal(['a']);
    expect(replaced(of('a', '1', '2024'), of('b', '1', '2024'))).to.equal([]);
    expect(replaced(of('a', '1', '2024'), of('b', '2', '2024', { sender: 'other' }))).to.equal([]);
    expect(replaced(of('a', '1', '2024'), of('b', '2', '2024', { adds: 'yes' }))).to.equal([]);
  });

  it('are those that say so, unless what they replace is later, or they go in a circle', () => {
    const of = (id: string, date: string, replaces = '') => document(id, { id, date, replaces });
    expect(replaced(of('a', '2023'), of('b', '2024', 'a'), of('c', '2025', 'b'))).to.equal(['a', 'b']);
    const called = document('a', { id: 'x|1 urn:uuid:a', date: '2023' });
    for (const name of ['x|1', 'urn:uuid:a']) {
      expect(replaced(called, of('b', '2024', `y ${name}`))).to.equal(['a']);
    }
    expect(replaced(called, of('b', '2024', 'x|1|urn:uuid:a'))).to.equal([]);
    expect(replaced(of('a', '2025'), of('b', '2024', 'a'))).to.equal([]);
    expect(replaced(of('a', '2024', 'a'))).to.equal([]);
    expect(replaced(of('a', '2024', 'b'), of('b', '2024', 'c'), of('c', '2024', 'a'))).to.equal([]);
    expect(replaced(of('a', '2024', 'b'), of('b', '2024', 'a'), of('c', '2024', 'b'))).to.equal(['a', 'b']);
  });

  it('take time that grows with their number', () => {
    const count = 4000;
    const chain = Array.from({ length: count }, (_, at) =>
      document(`d${at}`, { id: `i${at}`, set: 's', version: String(at), date: '2024', replaces: `i${at - 1}` }),
    );
    expect(replaced(...chain)).to.have.length(count - 1);
  });
});

const things = ['Warfarin', 'Metformin', 'Aspirin'];

describe('statements of lists', () => {
  const list = (id: string, date: string, more: Source = {}): SentDocument =>
    document(id, { date, kind: '34133-9', lists: 'Medication', ...more });
  const said = (documentId: string, name: string): ListedStatement => ({
    statementId: `${documentId} ${name}`,
    documentId,
    model: 'Medication',
    name,
  });

  it('are missing only from the newest list of the same sender, kind and model', () => {
    const [old, none, back] = [list('1', '2022'), list('2', '2023'), list('3', '2024')];
    const first = said('1', 'Warfarin');
    const missing = (documents: readonly SentDocument[], ...statements: readonly ListedStatement[]) => [
      ...missingFromNewer(documents, [first, ...statements]).values(),
    ];
    expect(missing([old, none])).to.equal([{ documentId: '2', date: '2023' }]);
    expect(missing([old, none, back], said('3', 'Warfarin'))).to.equal([]);
    expect(missing([old, list('2', '2023', { kind: '18842-5' })])).to.equal([]);
    expect(missing([old, list('2', '2023', { sender: 'other' })])).to.equal([]);
    expect(missing([old, list('2', '2023', { adds: 'yes' })])).to.equal([]);
    expect(missing([old, list('2', '2023', { lists: 'Problem' })])).to.equal([]);
    expect(missing([old, list('2', '')])).to.equal([]);
  });

  it('are the same in every order of documents and statements', () => {
    const random = randomFrom(47);
    const shuffled = <T>(list: readonly T[]): readonly T[] =>
      list
        .map((one) => [random(), one] as const)
        .sort(([one], [other]) => one - other)
        .map(([, one]) => one);
    for (let round = 0; round < amount(50, 700); round += 1) {
      const documents = Array.from({ length: 6 }, (_, at) =>
        list(`d${at}`, `20${10 + below(random, 4)}`, {
          id: `d${at}`,
          set: `s${below(random, 3)}`,
          version: String(below(random, 3)),
          replaces: `d${below(random, 6)}`,
        }),
      );
      const statements = documents.flatMap(({ documentId }) =>
        things.filter(() => below(random, 2) === 0).map((name) => said(documentId, name)),
      );
      const outcome = (all: readonly SentDocument[], listed: readonly ListedStatement[]) => [
        [...replacedDocuments(all).keys()].sort(),
        [...missingFromNewer(all, listed)].map(([id, { date }]) => `${id} ${date}`).sort(),
      ];
      const there = outcome(documents, statements);
      expect(outcome([...documents].reverse(), [...statements].reverse())).to.equal(there);
      expect(outcome(shuffled(documents), shuffled(statements))).to.equal(there);
      expect(replacedDocuments(documents).size, 'one document always counts').to.be.below(documents.length);
    }
  });
});

describe('rows of statements', () => {
  const models = readModels(loadConfig(unhurried));
  const rows = (sent: Readonly<Record<string, string>>, title: string, more: Readonly<Record<string, string>> = {}) =>
    sentStatementsOf(
      models,
      {
        facts: [
          {
            model: 'Medication',
            statement: 'source:1',
            sent: { system: '1.2.3', value: 'm1', ...sent },
            values: { drugName_title: title, ...more },
            children: {},
          },
        ],
        source: { sender: 'clinic', date: '2024-03-01' },
      },
      { documentId: 'd', lineageId: 'l' },
    );
  const lineOf = (sent: Readonly<Record<string, string>>, title = 'Warfarin') => rows(sent, title)[0]?.line;

  it('share a line with the same id and name, however the name is spelled', () => {
    expect(lineOf({})).to.equal(lineOf({}, '  WARFARIN '));
    const others: readonly Readonly<Record<string, string>>[] = [
      { value: 'm2' },
      { system: '1.2.4' },
      { sender: 'other' },
      { version: '1' },
    ];
    for (const sent of others) {
      expect(lineOf(sent), JSON.stringify(sent)).to.not.equal(lineOf({}));
    }
    expect(lineOf({}, 'Metformin')).to.not.equal(lineOf({}));
    expect(rows({}, 'Warfarin', { notes: 'x' })[0]!.content).to.not.equal(rows({}, 'Warfarin')[0]!.content);
  });

  it('have no line for an id that names nothing', () => {
    const uuid = '3f2a9c1e-5b7d-4e8f-9a0b-1c2d3e4f5a6b';
    const nil = '00000000-0000-0000-0000-000000000000';
    const ids = [
      ['1.2.3', ''],
      [nil, ''],
      ['1.2.3', nil],
      ['1.2.3', 'UNK'],
      ['1.2.3', '0'],
      ['1.2.3', 'x'.repeat(256)],
    ];
    for (const [system, value] of ids as [string, string][]) {
      expect(lineOf({ system, value }), `${system} ${value}`).to.be.undefined();
    }
    expect(lineOf({ system: uuid, value: '' })).to.be.a.string();
  });

  it('sort by their age, and numbers of versions by their value', () => {
    const said = (version: string) => rows({ version }, 'Warfarin')[0]!.said;
    expect([said('10'), said('9'), said('100')].sort()).to.equal([said('9'), said('10'), said('100')]);
    expect(rows({}, 'Warfarin')[0]!.said).to.equal('2024-03-01T00:00:00.000000Z');
    expect(rows({ said: '2024-03-01T01:00:00+02:00' }, 'Warfarin')[0]!.said).to.equal('2024-02-29T23:00:00.000000Z');
  });
});

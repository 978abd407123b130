/**
 * apply-plan: fact tables on each database are made, extended and widened, and never lose anything; and wide models.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { SetupError } from '../../../core/base/errors';
import type { Json } from '../../../core/base/types';
import { readFacts } from '../../../core/facts/model/fact';
import { factTables } from '../../../core/facts/model/fact-tables';
import { loadModels, type Models } from '../../../core/facts/model/models';
import { applyPlans, describeStep, planSteps } from '../../../core/facts/apply-plan';
import type { StoredFact } from '../../../core/facts/plans';
import {
  deleteFacts,
  factColumns,
  findFactModels,
  insertFacts,
  replaceFacts,
  toFact,
  withChildren,
  type FactRow,
} from '../../../core/facts/store';
import { databases, openTestDatabase, type OpenDatabase } from '../../support/databases';
import { direct } from '../../support/direct';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const modelsFrom = (text: string): Models => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-plan-'));
  writeFileSync(join(folder, 'm.yaml'), text);
  const { models, problems } = loadModels([folder], 'x');
  rmSync(folder, { recursive: true });
  expect(problems).to.equal([]);
  return models;
};

const wide = (count: number, type = 'String'): string =>
  ['__modelname__: Wide', ...Array.from({ length: count }, (_, n) => `c${n}: ${type}`)].join('\n');
const owner = (documentId: string) => ({
  recordId: 'r',
  documentId,
  lineageId: `${documentId}-line`,
  createdAt: '2020-01-01T00:00:00.000000Z',
});

for (const leg of databases) {
  describe(`fact tables on ${leg.name}`, () => {
    let open: OpenDatabase;
    beforeEach(async () => {
      open = await openTestDatabase(leg);
    });
    afterEach(() => open.drop());

    const apply = async (models: Models): Promise<readonly string[]> =>
      (await applyPlans(open.database, [...factTables(models).values()])).map(describeStep);
    const pending = async (models: Models): Promise<readonly string[]> =>
      (await planSteps(open.database, [...factTables(models).values()])).map(describeStep);
    const roundTrip = async (
      models: Models,
      sdmj: Json,
    ): Promise<readonly Pick<StoredFact, 'values' | 'children'>[]> => {
      const tables = factTables(models);
      await insertFacts(direct(open.database), tables, owner('d1'), readFacts(models, sdmj, 'all'));
      const facts: StoredFact[] = [];
      for (const plan of tables.values()) {
        const rows = (await direct(open.database)(`${plan.table} as fact`)
          .select(direct(open.database).raw(factColumns(open.database.dialect, plan)))
          .where({ 'fact._document_id': 'd1', 'fact._parent_id': null })
          .orderBy('fact._seq')) as FactRow[];
        facts.push(...(await withChildren(open.database.reads, open.database.dialect, tables, plan, rows)));
      }
      return facts.map(({ values, children }) => ({ values, children }));
    };

    it('makes tables and indexes once, and says beforehand what it will do', async () => {
      const models = modelsFrom(
        '__modelname__: Visit\nday: { type: DateOnly, index: true }\nnote: Text\nplace: { __modelname__: Place, ' +
          'name: String }\nkids: [{ __modelname__: Kid, n: Number }]',
      );
      const plan = await pending(models);
      expect(plan).to.equal(await pending(models));
      expect(plan).to.include([
        'create table fact_visit',
        'create table fact_place',
        'create table fact_kid',
        'add index fact_visit.fact_visit$by_day',
        'add index fact_place.fact_place$only_parent',
        'add index fact_kid.fact_kid$parent',
      ]);
      expect(await apply(models)).to.equal(plan);
      expect(await pending(models)).to.equal([]);
      expect(await apply(models)).to.equal([]);
    });

    it('adds columns and indexes, widens text, and keeps what no model has any more', async () => {
      await apply(
        modelsFrom(
          '- __modelname__: M\n  a: { type: String, max: 10 }\n  gone: Number\n- __modelname__: Old\n  x: String',
        ),
      );
      const next = modelsFrom(
        '__modelname__: M\na: { type: String, max: 300, index: true }\nb: Date\nkids: [{ __modelname__: Kid, n: Number }]',
      );
      const steps = await apply(next);
      expect(steps.filter((step) => !step.includes('fact_kid'))).to.equal([
        ...(leg.name === 'mysql' ? ['widen column fact_m.a'] : []),
        'add column fact_m.b',
        'add index fact_m.fact_m$by_a',
        // The timeline uses this index to read the newest facts first.
        'add index fact_m.fact_m$by_b',
        'kept column fact_m.gone (no model has it any more)',
        'kept table fact_old (no model has it any more)',
      ]);
      expect(await roundTrip(next, { __modelname__: 'M', a: 'x'.repeat(300), b: '2020-01-01' })).to.have.length(1);
    });

    it('refuses a field that now holds something else', async () => {
      await apply(modelsFrom('__modelname__: M\na: Number'));
      const error = await expect(apply(modelsFrom('__modelname__: M\na: String'))).to.reject(SetupError);
      expect(error.message).to.contain('fact_m.a').and.to.contain('give the field another name');
    });

    it('refuses every field of another kind at once, also where both kinds are stored alike', async () => {
      await apply(modelsFrom('__modelname__: M\na: Date\nb: DateOnly\nc: Integer\nd: Boolean\ne: String'));
      const same = modelsFrom('__modelname__: M\na: String\nb: String\nc: Integer\nd: Boolean\ne: Text');
      await apply(same);
      expect((await pending(same)).filter((step) => !step.startsWith('widen'))).to.equal([]);
      const other = modelsFrom('__modelname__: N\na: DateOnly\nb: Date\nc: Boolean\nd: Integer\ne: String');
      await apply(modelsFrom('__modelname__: N\na: Date\nb: DateOnly\nc: Integer\nd: Boolean\ne: String'));
      const error = await expect(apply(other)).to.reject(SetupError);
      expect(
        error.problems.map(
          (problem) =>
            /fact_n\.(\w) holds \S+ and the model now wants \S+: give the field another name/.exec(problem)?.[1],
        ),
      ).to.equal(['a', 'b', 'c', 'd']);
    });

    it('holds every legal pair of model names', async () => {
      const models = modelsFrom(
        ['Medical', 'Medical_record', 'Medical_document', 'A', 'A_by', `${'L'.repeat(54)}a`, `${'L'.repeat(54)}b`]
          .map(
            (name) =>
              `- __modelname__: ${name}\n  x: { type: String, index: true }\n  by_x: { type: String, index: true ` +
              `}\n  kids: [{ __modelname__: ${name.slice(0, 40)}${name.at(-1)}_id, n: Number }]`,
          )
          .join('\n'),
      );
      await apply(models);
      expect(await pending(models)).to.equal([]);
    });

    /** Gives an index the name that earlier releases gave it. */
    const rename = async (table: string, index: string, name: string, columns: string, unique = ''): Promise<void> => {
      await direct(open.database).raw(`drop index \`${index}\`${leg.name === 'mysql' ? ` on ${table}` : ''}`);
      await direct(open.database).raw(`create ${unique} index ${name} on ${table} (${columns})`);
    };

    it('knows the indexes of earlier releases, and renames those that have the name of a new table', async () => {
      const old = '- __modelname__: Medical\n  x: { type: String, index: true }';
      await apply(modelsFrom(old));
      await rename('fact_medical', 'fact_medical$record', 'fact_medical_record', '_record_id, _created_at, _seq');
      await rename('fact_medical', 'fact_medical$by_x', 'fact_medical_by_x', '_record_id, x');
      await rename('fact_medical', 'fact_medical$id', 'fact_medical_id', '_id', 'unique');
      expect(await apply(modelsFrom(old))).to.equal([]);
      const steps = await apply(modelsFrom(`${old}\n- __modelname__: Medical_record\n  y: String`));
      expect(steps.filter((step) => !step.includes('fact_medical_record$'))).to.equal([
        'drop index fact_medical.fact_medical_record',
        'add index fact_medical.fact_medical$record',
        'create table fact_medical_record',
      ]);
    });

    const child = (field: string): Models => modelsFrom(`__modelname__: M\na: String\nmany: ${field}`);
    const one = '{ __modelname__: Kid, n: Number }';
    const kid = (n: number) => ({ __modelname__: 'Kid', n });
    const put = (models: Models, documentId: string, many: Json) =>
      insertFacts(
        direct(open.database),
        factTables(models),
        owner(documentId),
        readFacts(models, { __modelname__: 'M', a: 'x', many }, 'all'),
      );

    it('lets one fact become a list', async () => {
      await apply(child(one));
      await put(child(one), 'd1', kid(1));
      expect(await apply(child(`[${one}]`))).to.equal([
        'drop index fact_kid.fact_kid$only_parent',
        'add index fact_kid.fact_kid$parent',
      ]);
      await put(child(`[${one}]`), 'd2', [kid(1), kid(2)]);
      expect(await pending(child(`[${one}]`))).to.equal([]);
    });

    it('lets a list become one fact unless a document holds several', async () => {
      await apply(child(`[${one}]`));
      await put(child(`[${one}]`), 'd1', [kid(1)]);
      await put(child(`[${one}]`), 'd2', [kid(1), kid(2), kid(3)]);
      const error = await expect(pending(child(one))).to.reject(SetupError);
      expect(error.problems).to.equal(['the field M.many holds several facts in 1 document: keep the list']);
      await deleteFacts(direct(open.database), open.database.dialect, factTables(child(one)), 'd2');
      expect(await apply(child(one))).to.equal(['add index fact_kid.fact_kid$only_parent']);
      await expect(put(child(`[${one}]`), 'd3', [kid(1), kid(2)])).to.reject();
      expect(await apply(child(`[${one}]`))).to.equal(['drop index fact_kid.fact_kid$only_parent']);
    });

    it('names the step that the database refuses', async () => {
      await apply(modelsFrom('__modelname__: M\na: String'));
      await direct(open.database).raw(`drop index \`fact_m$id\`${leg.name === 'mysql' ? ' on fact_m' : ''}`);
      for (const number of [1, 2]) {
        await direct(open.database)('fact_m').insert({
          _id: 'same',
          _record_id: 'r',
          _document_id: `d${number}`,
          _lineage_id: 'l',
          _created_at: 't',
        });
      }
      const error = await expect(apply(modelsFrom('__modelname__: M\na: String'))).to.reject(SetupError);
      expect(error.problems[0]).to.match(
        /^add index fact_m\.fact_m\$id \(model M\): the database refused it \((SQLITE_CONSTRAINT_UNIQUE|ER_DUP_ENTRY)\)$/,
      );
    });

    it('can be run by several at once', async () => {
      const models = modelsFrom(
        '__modelname__: M\na: { type: String, index: true }\nkids: [{ __modelname__: Kid, n: Number }]',
      );
      await Promise.all([apply(models), apply(models), apply(models)]);
      expect(await pending(models)).to.equal([]);
    });

    it('keeps every value as it was', async () => {
      const models = modelsFrom(
        '__modelname__: M\ns: String\nt: Text\nn: Number\ni: Integer\nb: Boolean\nd: Date\no: DateOnly\nkids: [{ ' +
          '__modelname__: Kid, n: Number }]\none: { __modelname__: One, s: String }',
      );
      await apply(models);
      const values = {
        s: 'trailing ',
        t: `\u{1F600} ' \\ ? % ${'y'.repeat(70_000)}`,
        n: 91008.34090909091,
        i: 9007199254740991,
        b: false,
        d: '0001-01-01T00:00:00.000001Z',
        o: '9999-12-31',
      };
      const facts = await roundTrip(models, [
        {
          __modelname__: 'M',
          ...values,
          kids: [1.1, 0.1 + 0.2, 5e-324].map((n) => ({ __modelname__: 'Kid', n })),
          one: { __modelname__: 'One', s: 'x' },
        },
        { __modelname__: 'M' },
      ]);
      const none = { s: null, t: null, n: null, i: null, b: null, d: null, o: null };
      expect(facts.map((fact) => fact.values)).to.equal([values, none]);
      const [first, second] = facts;
      expect((first?.children['kids'] as readonly StoredFact[]).map((kid) => kid.values['n'])).to.equal([
        1.1,
        0.1 + 0.2,
        5e-324,
      ]);
      expect((first?.children['one'] as StoredFact).values).to.equal({ s: 'x' });
      expect(second?.children).to.equal({ kids: [], one: null });
    });

    it('deletes the facts of one document, nested ones too, and no others', async () => {
      const models = modelsFrom('__modelname__: M\na: String\nkids: [{ __modelname__: Kid, n: Number }]');
      const tables = factTables(models);
      await apply(models);
      const facts = readFacts(models, [{ __modelname__: 'M', kids: [{ __modelname__: 'Kid', n: 1 }] }], 'all');
      await insertFacts(direct(open.database), tables, owner('d1'), facts);
      await insertFacts(direct(open.database), tables, owner('d2'), facts);
      expect([...(await findFactModels(direct(open.database), tables, 'd1'))].sort()).to.equal(['Kid', 'M']);
      await deleteFacts(direct(open.database), open.database.dialect, tables, 'd1');
      expect((await findFactModels(direct(open.database), tables, 'd1')).size).to.equal(0);
      expect((await findFactModels(direct(open.database), tables, 'd2')).size).to.equal(2);
    });

    it('puts other facts where the old ones stood, with their ids unless there are more or fewer', async () => {
      const models = modelsFrom('__modelname__: M\na: String\nkids: [{ __modelname__: Kid, n: Number }]');
      const tables = factTables(models);
      await apply(models);
      const m = (a: string, ...kids: readonly number[]) => ({
        __modelname__: 'M',
        a,
        kids: kids.map((n) => ({ __modelname__: 'Kid', n })),
      });
      const stored = async () =>
        (await direct(open.database)(tables.get('M')!.table).orderBy('_seq').select('_seq', '_id', 'a')) as {
          _seq: number;
          _id: string;
          a: string;
        }[];
      await insertFacts(direct(open.database), tables, owner('d1'), readFacts(models, [m('1', 10), m('2')], 'all'));
      await insertFacts(direct(open.database), tables, owner('d2'), readFacts(models, [m('3')], 'all'));
      const old = await stored();
      await replaceFacts(
        direct(open.database),
        open.database.dialect,
        tables,
        owner('d1'),
        readFacts(models, [m('4'), m('5', 20, 30)], 'all'),
      );
      expect(await stored()).to.equal([{ ...old[0]!, a: '4' }, { ...old[1]!, a: '5' }, old[2]!]);
      const kids = (await direct(open.database)(tables.get('Kid')!.table)
        .orderBy('_seq')
        .select('_parent_id', 'n')) as unknown[];
      expect(kids.map((kid) => ({ ...(kid as object) }))).to.equal([
        { _parent_id: old[1]!._id, n: 20 },
        { _parent_id: old[1]!._id, n: 30 },
      ]);
      await replaceFacts(
        direct(open.database),
        open.database.dialect,
        tables,
        owner('d1'),
        readFacts(models, [m('6')], 'all'),
      );
      const fewer = await stored();
      expect(fewer.map(({ _seq, a }) => [_seq, a])).to.equal([
        [old[0]!._seq, '6'],
        [old[2]!._seq, '3'],
      ]);
      expect(fewer[0]!._id).to.not.equal(old[0]!._id);
      await replaceFacts(
        direct(open.database),
        open.database.dialect,
        tables,
        owner('d1'),
        readFacts(models, [m('7'), m('8')], 'all'),
      );
      expect((await stored()).map(({ a }) => a)).to.equal(['7', '3', '8']);
      await replaceFacts(direct(open.database), open.database.dialect, tables, owner('d1'), []);
      expect((await stored()).map(({ a }) => a)).to.equal(['3']);
    });

    it('knows a statement again in the next version, another one in another lineage, and facts of earlier releases by their own id', async () => {
      const models = modelsFrom('__modelname__: M\na: String\nkids: [{ __modelname__: Kid, n: Number }]');
      const tables = factTables(models);
      // Make the tables as in an earlier release.
      await apply(models);
      for (const table of ['fact_m', 'fact_kid']) {
        await direct(open.database).raw(
          `drop index \`${table}$statement\`${leg.name === 'mysql' ? ` on ${table}` : ''}`,
        );
        await direct(open.database).raw(`alter table ${table} drop column _statement`);
        await direct(open.database).raw(`alter table ${table} drop column _partial_dates`);
      }
      await direct(open.database)('fact_m').insert({
        _id: 'old',
        _record_id: 'r',
        _document_id: 'd0',
        _lineage_id: 'l0',
        _created_at: 't',
      });
      expect(await apply(models)).to.equal([
        'add column fact_kid._statement',
        'add column fact_kid._partial_dates',
        'add index fact_kid.fact_kid$statement',
        'add column fact_m._statement',
        'add column fact_m._partial_dates',
        'add index fact_m.fact_m$statement',
      ]);
      expect(await apply(models)).to.equal([]);
      const m = (a: string, key?: string): Json => ({
        __modelname__: 'M',
        ...(key === undefined ? {} : { __statement__: key }),
        a,
        kids: [{ __modelname__: 'Kid', n: 1 }],
      });
      const put = (documentId: string, lineageId: string, ...facts: readonly Json[]) =>
        insertFacts(
          direct(open.database),
          tables,
          { ...owner(documentId), lineageId },
          readFacts(models, facts, 'all'),
        );
      const statementsIn = async (documentId: string, model = 'M'): Promise<readonly string[]> => {
        const plan = tables.get(model)!;
        const rows = (await direct(open.database)(`${plan.table} as fact`)
          .select(direct(open.database).raw(factColumns(open.database.dialect, plan)))
          .where('fact._document_id', documentId)
          .orderBy('fact._seq')) as FactRow[];
        return rows.map((row) => toFact(plan, row).statementId);
      };
      expect(await statementsIn('d0')).to.equal(['old']);
      await put('d1', 'l1', m('x', 'one'), m('y', 'two'), m('z'));
      await put('d2', 'l1', m('z'), m('corrected', 'one'));
      await put('d3', 'l2', m('z'), m('corrected', 'one'));
      const first = await statementsIn('d1');
      expect(new Set(first).size).to.equal(3);
      expect(await statementsIn('d2')).to.equal([first[2], first[0]]);
      expect(await statementsIn('d2', 'Kid')).to.equal([
        (await statementsIn('d1', 'Kid'))[2],
        (await statementsIn('d1', 'Kid'))[0],
      ]);
      expect((await statementsIn('d3')).filter((id) => first.includes(id))).to.equal([]);
      for (const id of first) {
        expect(id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }
    });

    it('leaves no fact behind when the transaction fails', async () => {
      const models = modelsFrom('__modelname__: M\na: String');
      const tables = factTables(models);
      await apply(models);
      await expect(
        open.database.transaction(async (trx) => {
          await insertFacts(trx, tables, owner('d1'), readFacts(models, [{ __modelname__: 'M' }], 'all'));
          throw new Error('and then it broke');
        }),
      ).to.reject('and then it broke');
      expect((await findFactModels(direct(open.database), tables, 'd1')).size).to.equal(0);
    });

    // 187 columns fit into a row, 188 do not. InnoDB moves long texts out of the row, but not those of 40 bytes.
    for (const count of [64, 187, 188, 300, 1000]) {
      it(`holds a model of ${count} text columns, each full, and each of 40 bytes`, async () => {
        const models = modelsFrom(wide(count));
        await apply(models);
        expect(await pending(models)).to.equal([]);
        for (const text of ['ä'.repeat(250), 'x'.repeat(36)]) {
          const values = Object.fromEntries(
            Array.from({ length: count }, (_, n) => [`c${n}`, `${String(n).padStart(3, '0')}-${text}`]),
          );
          await deleteFacts(direct(open.database), open.database.dialect, factTables(models), 'd1');
          expect(await roundTrip(models, { __modelname__: 'Wide', ...values })).to.equal([{ values, children: {} }]);
        }
      });
    }

    it('holds a model as wide as fits a row, full, with dates of which only the year is known', async () => {
      const dates = ['a', 'b', 'd', 'e'].map((one) => one.repeat(50));
      const models = modelsFrom([wide(183), ...dates.map((date) => `${date}: Date`)].join('\n'));
      await apply(models);
      const values = Object.fromEntries([
        ...Array.from({ length: 183 }, (_, n) => [`c${n}`, 'x'.repeat(40)] as const),
        ...dates.map((date) => [date, '2009'] as const),
      ]);
      const facts = readFacts(models, { __modelname__: 'Wide', ...values }, 'all');
      await open.database.transaction((trx) => insertFacts(trx, factTables(models), owner('d1'), facts));
      const [row] = (await direct(open.database)('fact_wide').select('_partial_dates')) as [{ _partial_dates: string }];
      expect(row._partial_dates).to.contain(dates.map((date) => `${date}:year`));
      expect(row._partial_dates.length).to.be.above(220);
    });

    it('holds 1000 numbers, flags and dates', async () => {
      for (const [type, value] of [
        ['Number', 0.1],
        ['Boolean', true],
        ['Date', '2009-05-16T12:00:00.500000Z'],
      ] as const) {
        const models = modelsFrom(wide(1000, type).replace('Wide', `Wide${type}`));
        await apply(models);
        const values = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`c${n}`, value]));
        await deleteFacts(direct(open.database), open.database.dialect, factTables(models), 'd1');
        expect(await roundTrip(models, { __modelname__: `Wide${type}`, ...values })).to.equal([
          { values, children: {} },
        ]);
      }
    });

    it('grows a model until it no longer fits a row', async () => {
      await apply(modelsFrom(wide(50)));
      const grown = modelsFrom(wide(120));
      await apply(grown);
      expect(await pending(grown)).to.equal([]);
      const packed = (await apply(modelsFrom(wide(188)))).filter((step) => step.includes('_packed'));
      expect(packed).to.equal([
        'add column fact_wide._packed (the model is too wide for a row: run svc reprocess, so that its facts follow)',
      ]);
    });

    it('takes fields whose names are words of SQL', async () => {
      const models = modelsFrom(
        '__modelname__: Select\norder: { type: String, index: true }\ngroup: Number\nkey: Boolean\ntable: Date',
      );
      await apply(models);
      expect(
        await roundTrip(models, { __modelname__: 'Select', order: 'a', group: 1, key: true, table: '2009-05-16' }),
      ).to.have.length(1);
    });
  });
}

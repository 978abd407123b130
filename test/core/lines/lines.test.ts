/** lines: one list of what many sources say: nothing is joined that is not the same, and order means nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { linesInSlices, linesOf, type Line } from '../../../core/lines/lines';
import type { OwnWord, Verdict } from '../../../core/lines/own-words';
import { amount } from '../../support/amount';
import { randomFrom } from '../../support/random';
import { codes, idAt, linesAbout, modelNamed, NOW, partition, told, withoutIds, type Saying } from './told';
import { CASES } from './cases';
import { makers, plainMatchers, RXNORM } from './makers';

export const lab = Lab.script();
const { describe, it } = lab;

const SEED = Number(process.env['SVC_TEST_SEED'] ?? 1);
/** `npm run tool lines` tries a million. */
const PAIRS = Number(process.env['SVC_TEST_PAIRS'] ?? amount(7000, 25_000));
const MODELS = Object.keys(makers).length;

function nearMiss(random: () => number, drawn: Saying): Saying {
  const names = Object.keys(drawn);
  const name = names[Math.floor(random() * names.length)]!;
  // A code stands beside its system, and a value beside its unit.
  const beside = names.filter((one) => one.replace(/_[a-z]+$/, '') === name.replace(/_[a-z]+$/, ''));
  return Object.fromEntries([name, ...beside].map((one) => [one, drawn[one]]));
}

/** As `withoutIds`, without the number of sources and what joins by the day alone, which splits and merges may change. */
const withoutSources = (lines: readonly Line[]): string =>
  withoutIds(lines.map((line) => ({ ...line, sources: 0, says: line.says.map((says) => ({ ...says, rules: [] })) })));

/** What another source says that has nothing to do with the rest: the field and its words. */
const OTHERS: Readonly<Record<keyof typeof makers, readonly [field: string, words: string]>> = {
  Medication: ['drugName_title', 'warfarin'],
  LabResult: ['test_name_title', 'potassium'],
  Problem: ['name_title', 'migraine'],
  Immunization: ['product_name_title', 'yellow fever'],
  Allergy: ['allergen_title', 'latex'],
  Procedure: ['name', 'biopsy'],
  Measurement: ['type', 'height'],
};
const withoutCodes = (saying: Saying): Saying =>
  Object.fromEntries(
    Object.entries(saying).filter(([name]) => !/allergen|lotNumber|_(identifier|value|type)$/.test(name)),
  );

/** Splits and merges may change what joins by the day alone, so each reading of a day is at one of two times. */
const apartInTime = (saying: Saying): Saying =>
  saying['datetime'] === undefined
    ? saying
    : { ...saying, datetime: String(saying['datetime']).replace(/T(0[08]):\d\d/, 'T08:15') };

/** Of two sources, readings of one day that are less than ten minutes apart are one, if each is its only one. */
const nearTimes = (truth: string): string => truth.replace(/ 08:\d\d /, ' 08 ');

/** Sets of documents that are permuted, split and merged; `npm run tool lines` tries ten thousand of each. */
const SETS = Number(process.env['SVC_TEST_SETS'] ?? amount(420, 1200));

describe('lines of random sources', () => {
  for (const [name, make] of Object.entries(makers)) {
    it(`never join what is not the same: ${name}`, () => {
      const random = randomFrom(SEED);
      for (let round = 0; round < amount(6, 100); round += 1) {
        const all = Array.from({ length: 300 }, () => make(random));
        const lines = linesAbout(
          modelNamed(name),
          all.map(({ saying }) => saying),
        );
        for (const own of partition(lines)) {
          const things = own.map((at) => all[at]!);
          const said = things.filter(({ isPlain, saying }) => isPlain || saying['drugName_identifier'] !== undefined);
          expect(new Set(said.map(({ truth }) => nearTimes(truth))).size, JSON.stringify(things)).to.be.at.most(1);
          expect(new Set(things.map(({ truth }) => truth.split(' ')[0])).size).to.equal(1);
        }
      }
    });

    it(`join nearly all that is, and each by a rule: ${name}`, () => {
      const random = randomFrom(SEED);
      const all = Array.from({ length: amount(1000, 3000) }, () => make(random)).filter(({ isPlain }) => isPlain);
      const lines = linesAbout(
        modelNamed(name),
        all.map(({ saying }) => saying),
      );
      const truths = new Set(all.map(({ truth }) => truth)).size;
      expect((all.length - lines.length) / (all.length - truths)).to.be.above(0.95);
      const joined = lines.filter(({ says }) => says.length > 1).flatMap(({ says }) => says);
      expect(joined.filter(({ rules }) => rules.length === 0)).to.equal([]);
    });

    it(`are of a random pair what a plain second matcher says: ${name}`, () => {
      const random = randomFrom(SEED);
      const matches = plainMatchers[name as keyof typeof plainMatchers];
      let joined = 0;
      for (let pair = 0; pair < PAIRS / MODELS; pair += 1) {
        const one = make(random).saying;
        // Half of the pairs are near misses: one field of the other statement instead of its own.
        const drawn = make(random).saying;
        const other = pair % 2 === 0 ? drawn : { ...one, ...nearMiss(random, drawn) };
        const lines = linesAbout(modelNamed(name), [one, other]);
        // An expectation costs more than the pair.
        if ((lines.length === 1) !== matches(one, other)) {
          expect(lines.length === 1, JSON.stringify([one, other])).to.equal(matches(one, other));
        }
        joined += Number(lines.length === 1);
      }
      expect(joined).to.be.above(PAIRS / MODELS / 25);
    });

    it(`mean the same however documents are split and merged: ${name}`, () => {
      const random = randomFrom(SEED);
      const model = modelNamed(name);
      for (let round = 0; round < SETS / MODELS; round += 1) {
        const sayings = Array.from({ length: 12 }, () => apartInTime(make(random).saying));
        const places = [(at: number) => `own-${at}`, (at: number) => `half-${at % 2}`, () => 'one'];
        const [split, ...merged] = places.map((place) =>
          withoutSources(
            linesAbout(
              model,
              sayings.map((one, at) => ({ ...one, _doc: place(at) })),
            ),
          ),
        );
        merged.forEach((found) => expect(found).to.equal(split!));
      }
    });

    it(`mean the same in every order: ${name}`, () => {
      const random = randomFrom(SEED);
      for (let round = 0; round < SETS / MODELS; round += 1) {
        const sayings = Array.from({ length: 12 }, () => make(random).saying);
        const model = modelNamed(name);
        const shuffled = sayings
          .map((one) => [random(), one] as const)
          .sort(([a], [b]) => a - b)
          .map(([, one]) => one);
        expect(withoutIds(linesAbout(model, shuffled))).to.equal(withoutIds(linesAbout(model, sayings)));
      }
    });

    it(`stay as they are when a source says something else: ${name}`, () => {
      const random = randomFrom(SEED);
      const model = modelNamed(name);
      for (let round = 0; round < amount(40, 400); round += 1) {
        const sayings = Array.from({ length: 10 }, () => make(random).saying);
        const [field, words] = OTHERS[name as keyof typeof makers];
        const before = linesAbout(model, sayings);
        const after = linesAbout(model, [...sayings, { ...withoutCodes(sayings[0]!), [field]: words }]);
        expect(withoutIds(after.filter((line) => line.words !== words))).to.equal(withoutIds(before));
      }
    });
  }
});

const word = (verdict: Verdict, about: readonly number[], date = '2026-05-01', id = `w-${verdict}`): OwnWord => ({
  id,
  documentId: id,
  verdict,
  date,
  about: about.map(idAt),
});

const medicine = (more: Saying = {}): Saying => ({ drugName_title: 'Ramipril 5 mg', startDate: '2026-01-01', ...more });
const of = (sayings: readonly Saying[], ...words: readonly OwnWord[]): readonly Line[] =>
  linesAbout(modelNamed('Medication'), sayings, words);

describe('what the person says', () => {
  it('joins what rules do not, unless it is another strength, and parts what they join', () => {
    const other = medicine({ drugName_title: 'Delix 5 mg' });
    expect(partition(of([medicine(), other]))).to.equal([[0], [1]]);
    expect(partition(of([medicine(), other], word('same', [0, 1])))).to.equal([[0, 1]]);
    // What the person says is 5 mg stands with all that say so.
    const [plain, again] = [medicine({ drugName_title: 'Ramipril' }), medicine({ drugName_title: 'RAMIPRIL 5mg' })];
    expect(partition(of([medicine(), plain, again]))).to.equal([[0, 2], [1]]);
    expect(partition(of([medicine(), plain, again], word('same', [0, 1])))).to.equal([[0, 1, 2]]);
    const stronger = medicine({ drugName_title: 'Delix 10 mg' });
    expect(partition(of([medicine(), stronger], word('same', [0, 1])))).to.equal([[0], [1]]);
    expect(partition(of([medicine(), medicine()], word('different', [0, 1])))).to.equal([[0], [1]]);
    // A third statement is no bridge.
    expect(partition(of([medicine(), medicine(), medicine()], word('different', [0, 1])))).to.equal([[0], [1], [2]]);
  });

  it('counts by its later date, and for nothing where a statement is not there', () => {
    const both = [word('different', [0, 1], '2026-05-01'), word('same', [0, 1], '2026-05-02')];
    expect(partition(of([medicine(), medicine()], ...both))).to.equal([[0, 1]]);
    expect(partition(of([medicine(), medicine()], ...[...both].reverse()))).to.equal([[0, 1]]);
    expect(partition(of([medicine(), medicine({ drugName_title: 'Z' })], word('same', [0, 77])))).to.equal([[0], [1]]);
  });

  it('joins what codes tell apart, and then these codes are one', () => {
    const coded = (code: string): Saying => medicine({ drugName_identifier: code, drugName_system: RXNORM[0] });
    expect(partition(of([coded('1'), coded('2')]))).to.equal([[0], [1]]);
    expect(partition(of([coded('1'), coded('2'), coded('1')], word('same', [0, 1])))).to.equal([[0, 1, 2]]);
  });

  it('ends a medicine until a source says otherwise on a later day', () => {
    const active = (said: string): Saying => medicine({ status_identifier: 'active', _said: said });
    const standings = (...args: Parameters<typeof of>): readonly string[] =>
      of(...args).map(({ standing }) => standing);
    expect(standings([active('2026-04-01')], word('stopped', [0]))).to.equal(['over']);
    expect(standings([active('2026-05-03')], word('stopped', [0]))).to.equal(['unclear']);
    expect(standings([active('2026-04-01')], word('stopped', [0]), word('taking', [0], '2026-05-02'))).to.equal([
      'open',
    ]);
    const ended = medicine({ status_identifier: 'stopped', _said: '2026-04-01' });
    expect(standings([ended], word('taking', [0]))).to.equal(['open']);
  });

  it('takes from a line what it calls wrong, and leaves the statement there', () => {
    const wrong = medicine({ instructions: 'at night', status_identifier: 'stopped', _said: '2026-04-01' });
    const [line] = of([medicine({ status_identifier: 'active', instructions: 'at noon' }), wrong], word('wrong', [1]));
    expect(line!.says.map(({ isWrong }) => isWrong).sort()).to.equal([false, true]);
    expect([line!.standing, line!.isConflict, line!.shown.id]).to.equal(['open', false, idAt(0)]);
    expect(of([medicine()], word('wrong', [0])).map(({ standing }) => standing)).to.equal(['undone']);
  });
});

describe('statements without a date', () => {
  it('join a thing that is one line, and make no line of two', () => {
    const [one, two] = [
      medicine({ drugName_title: 'A', drugName_identifier: '1', drugName_system: RXNORM[0] }),
      medicine({ drugName_title: 'B' }),
    ];
    const undated = { drugName_title: 'B', drugName_identifier: '1', drugName_system: RXNORM[0] };
    expect(partition(of([one, undated]))).to.equal([[0, 1]]);
    expect(partition(of([one, two, undated]))).to.equal([[0], [1], [2]]);
    expect(of([one, two, undated]).every(({ perhaps }) => perhaps.length > 0)).to.be.true();
  });

  it('join no event', () => {
    const shot = { product_name_title: 'MMR' };
    expect(
      partition(linesAbout(modelNamed('Immunization'), [shot, { ...shot, date: '2025-01-01T00:00:00.000000Z' }])),
    ).to.equal([[0], [1]]);
  });
});

describe('a result in two units', () => {
  const glucose = (value: string, unit: string, low: string, high: string): Saying => ({
    test_name_title: 'Glucose',
    test_name_identifier: '2345-7',
    test_name_system: 'http://loinc.org',
    accession_number: 'A1',
    collected_at: '2026-02-03T08:00:00.000000Z',
    quantitative_result_value_value: value,
    quantitative_result_value_unit: unit,
    quantitative_result_normal_range_min_value: low,
    quantitative_result_normal_range_min_unit: unit,
    quantitative_result_normal_range_max_value: high,
    quantitative_result_normal_range_max_unit: unit,
  });
  const differing = (...sayings: readonly Saying[]): readonly (readonly string[])[] =>
    linesAbout(modelNamed('LabResult'), sayings).map(({ differs }) => differs.map(({ field }) => field));

  it('is no conflict where value and range are the same after conversion', () => {
    const first = glucose('100', 'mg/dL', '70', '99');
    expect(differing(first, glucose('5.55', 'mmol/L', '3.9', '5.5'))).to.equal([[]]);
    expect(differing(glucose('5.55', 'mmol/l', '3.9', '5.5'), first, glucose('1.00', 'g/L', '0.70', '0.99'))).to.equal([
      [],
    ]);
    expect(differing(first, glucose('5.65', 'mmol/L', '3.9', '5.5'))).to.equal([['quantitative_result']]);
    expect(differing(first, glucose('5.55', 'mmol/L', '3.9', '6.1'))).to.equal([
      ['quantitative_result_normal_range_max'],
    ]);
    expect(differing(first, { ...glucose('99', 'mg/dL', '70', '99') })).to.equal([['quantitative_result']]);
  });

  it('is two lines where one does not convert into the other, and one line where a unit is not said', () => {
    const first = glucose('100', 'mg/dL', '70', '99');
    expect(differing(first, glucose('5.55', 'U/L', '70', '99'))).to.equal([[], []]);
    expect(differing(glucose('<70', 'mg/dL', '70', '99'), glucose('<3.9', 'mmol/L', '3.9', '5.5'))).to.have.length(1);
    expect(differing(first, glucose('101', '', '', ''))).to.equal([['quantitative_result']]);
    const protein = (value: string, unit: string): Saying => ({
      test_name_title: 'Lipoprotein a',
      accession_number: 'A1',
      collected_at: '2026-02-03T08:00:00.000000Z',
      quantitative_result_value_value: value,
      quantitative_result_value_unit: unit,
    });
    expect(differing(protein('30', 'mg/dL'), protein('75', 'nmol/L'))).to.equal([[], []]);
    expect(differing(protein('30', 'mg/dL'), protein('0.3', 'g/L'))).to.equal([[]]);
  });
});

describe('lines', () => {
  it('have what a sender replaced in the line of what it says now, and take nothing from it', () => {
    const older = medicine({ status_identifier: 'stopped', instructions: 'one', _older: true });
    const [line, ...others] = of([older, medicine({ status_identifier: 'active', instructions: 'two' })]);
    expect(others).to.equal([]);
    expect([line!.standing, line!.isConflict, line!.says.length]).to.equal(['open', false, 2]);
  });

  it('hold every statement once', () => {
    for (const { model, says } of CASES) {
      expect(
        partition(linesAbout(modelNamed(model), says))
          .flat()
          .sort(),
      ).to.equal(says.map((_, at) => at));
    }
  });

  it('count a document that came twice as one source', () => {
    expect(of([medicine({ _source: 'x' }), medicine({ _source: 'x' })])[0]!.sources).to.equal(1);
    expect(of([medicine(), medicine()])[0]!.sources).to.equal(2);
  });

  it('join nothing of a part that would hold a forbidden pair', () => {
    const knee = (name: string): Saying => ({
      name_title: name,
      name_identifier: '7',
      name_system: 'http://snomed.info/sct',
    });
    const problems = [knee('Left knee pain'), knee('Right knee pain'), knee('Knee pain')];
    const lines = linesAbout(modelNamed('Problem'), problems);
    expect(partition(lines)).to.equal([[0], [1], [2]]);
    expect(lines.map(({ perhaps }) => perhaps.length).sort()).to.equal([1, 1, 2]);
  });

  it('are the same when they are made in slices, which let others work in between', async () => {
    for (const [name, make] of Object.entries(makers)) {
      const random = randomFrom(SEED);
      const statements = Array.from({ length: 3000 }, (_, at) => told(make(random).saying, idAt(at)));
      const input = { model: modelNamed(name), codes, statements, words: [], now: NOW };
      let [turns, isDone] = [0, false];
      const others = (async () => {
        for (; !isDone; turns += 1) {
          await nextTurn();
        }
      })();
      const lines = await linesInSlices(input);
      isDone = true;
      await others;
      expect(turns).to.be.above(statements.length / 400);
      expect(JSON.stringify(lines)).to.equal(JSON.stringify(linesOf(input)));
    }
  });

  it('hold each of two thousand statements', () => {
    const random = randomFrom(SEED);
    const statements = Array.from({ length: 2000 }, (_, at) => told(makers.Medication(random).saying, idAt(at)));
    const lines = linesOf({ model: modelNamed('Medication'), codes, statements, words: [], now: NOW });
    expect(lines.flatMap(({ says }) => says).length).to.equal(2000);
  });
});

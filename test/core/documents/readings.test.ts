/** readings: files of the same source add up to the same readings, however they overlap and in whatever order they come. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import * as fc from 'fast-check';
import { joinReadings, type ReadingCounts, type ReadingsRule } from '../../../core/documents/readings';

export const lab = Lab.script();
const { describe, it } = lab;

const INHERITED: ReadingsRule = { inherited: ['unit', 'source'] };

/** A cuff's reading: its time, two numbers, and perhaps a pulse. */
type Row = readonly [minute: number, high: number, low: number, pulse?: number];

const field = (name: string, value: number | string | undefined): string =>
  value === undefined ? '' : `<Field name="${name}">${value}</Field>`;

const model = ([minute, high, low, pulse]: Row): string => {
  const date = `2025-01-12T08:${String(minute).padStart(2, '0')}:00.000Z`;
  const numbers = field('bp_systolic_value', high) + field('bp_diastolic_value', low);
  return `<Model name="VitalSigns">${field('date', date)}${numbers}${field('heart_rate_value', pulse)}</Model>`;
};

const table = (rows: readonly Row[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Models xmlns="urn:x">\n${rows.map(model).join('\n')}\n</Models>\n`;

const phone = (unit: string, readings: readonly string[]): string =>
  `<AppleHealth xmlns="urn:x" kind="BodyMass" unit="${unit}" source="Scale">\n${readings.join('\n')}\n</AppleHealth>\n`;

/** What is stored after files came one after the other. */
const storeAll = (files: readonly string[], rule: ReadingsRule = {}, most = 1000) => {
  let stored: string[] = [];
  const counts: ReadingCounts[] = [];
  for (const file of files) {
    const joined = joinReadings(stored, file, rule, most);
    stored = [...stored.map((text, number) => joined.changed.get(number) ?? text), ...joined.added];
    counts.push(joined.counts);
  }
  return { stored, counts };
};

const linesOf = (stored: readonly string[], element: string): readonly string[] =>
  stored
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith(`<${element} `))
    .sort();

/** The rows that no other row of the same minute says with more. */
const greatest = (rows: readonly Row[]): readonly string[] => {
  const unlike = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
  const isLess = (row: Row): boolean =>
    row[3] === undefined &&
    unlike.some((other) => other[3] !== undefined && [0, 1, 2].every((index) => other[index] === row[index]));
  return unlike
    .filter((row) => !isLess(row))
    .map(model)
    .sort();
};

const rowArbitrary: fc.Arbitrary<Row> = fc
  .tuple(
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom(118, 197),
    fc.constantFrom(76, 121),
    fc.option(fc.constantFrom(60, 61), { nil: undefined }),
  )
  .map(([minute, high, low, pulse]): Row => (pulse === undefined ? [minute, high, low] : [minute, high, low, pulse]));

describe('documents of readings', () => {
  it('keep what an older export lacks, in either order', () => {
    const [both, one] = [
      table([
        [12, 127, 81, 66],
        [42, 197, 121, 66],
      ]),
      table([[12, 127, 81, 66]]),
    ];
    const forth = storeAll([both, one]);
    const back = storeAll([one, both]);
    expect(forth.stored).to.equal(back.stored);
    expect(linesOf(forth.stored, 'Model')).to.have.length(2);
    expect(forth.counts).to.equal([
      { fresh: 2, same: 0, fuller: 0 },
      { fresh: 0, same: 1, fuller: 0 },
    ]);
  });

  it('replace a reading only by one of the same minute that says all of it and more', () => {
    const { stored, counts } = storeAll([
      table([[12, 127, 81]]),
      table([[12, 127, 81, 66]]),
      table([[12, 127, 80, 66]]),
    ]);
    expect(linesOf(stored, 'Model')).to.equal([model([12, 127, 80, 66]), model([12, 127, 81, 66])]);
    expect(counts.map(({ fresh, fuller }) => [fresh, fuller])).to.equal([
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
  });

  it('keep two readings of one day whose time is not known, though one says more', () => {
    const day = (more: string): string =>
      `<Models xmlns="urn:x">\n<Model name="Measurement"><Field name="datetime">2025-01-12</Field><Field name="value">5</Field>${more}</Model>\n</Models>\n`;
    const { stored } = storeAll([day(''), day(field('unit', 'kg')), day('')]);
    expect(linesOf(stored, 'Model')).to.have.length(2);
  });

  it('know a reading whose unit and source are those of another document', () => {
    const at = (day: number, more: string): string => `<reading start="2024-06-0${day}T06:00:00Z" value="70"${more}/>`;
    const first = phone('kg', [at(1, ''), at(2, ' unit="[lb_av]"')]);
    const second = phone('[lb_av]', [at(1, ' unit="kg"'), at(2, ''), at(3, ' source="Watch"')]);
    const { stored, counts } = storeAll([first, second], INHERITED);
    expect(linesOf(stored, 'reading')).to.equal([
      at(1, ''),
      at(2, ' unit="[lb_av]"'),
      at(3, ' source="Watch" unit="[lb_av]"'),
    ]);
    expect(counts[1]).to.equal({ fresh: 1, same: 2, fuller: 0 });
  });

  it('leave a document alone that a person has written anew, and lose nothing', () => {
    const written =
      '<Models xmlns="urn:x"><Model name="Problem"><Field name="x"><Model name="y"/></Field></Model></Models>';
    const joined = joinReadings([written], table([[1, 118, 76]]), {}, 10);
    expect(joined.changed.size).to.equal(0);
    expect(linesOf(joined.added, 'Model')).to.equal([model([1, 118, 76])]);
  });

  it('refuse what is not one reading a line, because it is a fault of the format', () => {
    expect(() =>
      joinReadings([], '<Models><Model name="a"><Field name="b"><c/></Field></Model></Models>', {}, 10),
    ).to.throw();
  });

  it('have the same readings for all halves, overlaps and orders of files', () => {
    const files = fc.array(fc.array(rowArbitrary, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(files, fc.constantFrom(3, 1000), fc.infiniteStream(fc.nat()), (parts, most, numbers) => {
        const sorted = parts
          .map((part) => [numbers.next().value, part] as const)
          .sort(([a], [b]) => a - b)
          .map(([, part]) => part);
        const inOrder = storeAll(parts.map(table), {}, most).stored;
        const shuffled = storeAll([...sorted, parts[0]!].map(table), {}, most).stored;
        expect(linesOf(inOrder, 'Model')).to.equal(greatest(parts.flat()));
        expect(linesOf(shuffled, 'Model')).to.equal(greatest(parts.flat()));
        expect(inOrder.every((text) => linesOf([text], 'Model').length <= most)).to.equal(true);
      }),
      { numRuns: 500, seed: 47 },
    );
  });

  it('know a moment again that another export wrote by another clock', () => {
    const at = (start: string) => phone('kg', [`<reading start="${start}" value="80"/>`]);
    const files = [at('2025-01-12T07:12:00Z'), at('2025-01-12T08:12:00+01:00'), at('2025-01-12T02:12:00-05:00')];
    for (const order of [files, [...files].reverse()]) {
      const { stored, counts } = storeAll(order, INHERITED);
      expect(linesOf(stored, 'reading')).to.have.length(1);
      expect(counts.map(({ fresh, same }) => [fresh, same])).to.equal([
        [1, 0],
        [0, 1],
        [0, 1],
      ]);
    }
    const { stored } = storeAll([files[0]!, at('2025-01-12T07:12:00+01:00')], INHERITED);
    expect(linesOf(stored, 'reading')).to.have.length(2);
  });

  it('know a time again that was read in other zones, only where the zone was that of a person', () => {
    const row = (date: string, pulse = '') =>
      `<Models xmlns="urn:x">\n<Model name="VitalSigns"><Field name="date">${date}</Field>` +
      `<Field name="bp_systolic_value">127</Field>${pulse && field('heart_rate_value', pulse)}</Model>\n</Models>\n`;
    const files = ['', '+01:00', '-05:00'].map((zone) => row(`2025-01-12T08:12:00${zone}`));
    const counted = (list: readonly string[], rule: ReadingsRule) =>
      storeAll(list, rule).counts.map(({ fresh, same, fuller }) => [fresh, same, fuller]);
    expect(counted(files, { byClock: true })).to.equal([
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    expect(counted(files, {}).map(([fresh]) => fresh)).to.equal([1, 1, 1]);
    const stored = row('2025-01-12T07:12:00.000Z');
    expect(counted([stored, files[1]!], { byClock: true })[1]).to.equal([0, 1, 0]);
    expect(counted([files[1]!, row('2025-01-12T08:12:00-05:00', '66')], { byClock: true })[1]).to.equal([0, 0, 1]);
    expect(counted([files[1]!, row('2025-01-12T08:13:00+01:00')], { byClock: true })[1]).to.equal([1, 0, 0]);
  });
});

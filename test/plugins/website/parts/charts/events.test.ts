/** events: labels of a chart never overlap, are crossed by no line, and stay inside the chart. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { shortName } from '../../../../../plugins/website/pages/data/begun';
import { broadest, placedEvents, type Placed } from '../../../../../plugins/website/parts/charts/events';

export const lab = Lab.script();
const { describe, it } = lab;

const wide = { start: 38, end: 844, unit: 60 };
const slim = { start: 38, end: 350, unit: 60 };
const event = (at: number, label: string) => ({ at, label, title: label });
const placed = (events: readonly (readonly [number, string])[], room = wide): readonly Placed[] =>
  placedEvents(
    events.map(([at, label]) => event(at, label)),
    (at) => at,
    room,
  );
const told = (all: readonly Placed[]): readonly string[] =>
  all.map(({ event: { label }, row, side }) => `${label} ${row} ${side}`);

describe('events of a chart', () => {
  it('puts a label to the right of its line, to the left at the end, and above where one is in the way', () => {
    expect(told(placed([[100, 'Lisinopril begun']]))).to.equal(['Lisinopril begun lower right']);
    expect(told(placed([[830, 'Lisinopril begun']]))).to.equal(['Lisinopril begun lower left']);
    const both: readonly (readonly [number, string])[] = [
      [300, 'Lisinopril begun'],
      [340, 'Ramipril begun'],
    ];
    expect(told(placed(both))).to.equal(['Lisinopril begun lower left', 'Ramipril begun lower right']);
    const narrow: readonly (readonly [number, string])[] = [
      [100, 'Lisinopril begun'],
      [140, 'Ramipril begun'],
    ];
    expect(told(placed(narrow))).to.equal(['Lisinopril begun upper right', 'Ramipril begun lower right']);
  });

  it('leaves out the older where there is no room, and what is broader than the chart', () => {
    const days = [200, 201, 202, 203].map((at) => [at, `Metformin ${at} begun`] as const);
    const shown = told(placed(days, slim));
    expect(shown.at(-1)).to.contain('203');
    expect(shown.length).to.be.below(4);
    expect(placed([[50, 'x'.repeat(60)]], slim)).to.equal([]);
  });

  it('never lets labels meet, be crossed by a line, or leave the chart', () => {
    for (const room of [wide, slim]) {
      for (let first = room.start + 12; first < room.end; first += 13) {
        for (let step = 0; step < 120; step += 7) {
          const days = [0, 1, 2, 3].map((at) => Math.min(room.end - 12, first + at * step));
          const all = placed(
            days.map((at, index) => [at, `Drug ${index} and 2 more begun`]),
            room,
          );
          expect(all.length).to.be.at.least(1);
          for (const one of all) {
            expect(one.span[0]).to.be.at.least(room.start);
            expect(one.span[1]).to.be.at.most(room.end);
            expect(one.row === 'upper' && one.span[0] < room.unit).to.be.false();
            for (const other of all.filter((another) => another !== one)) {
              const meet = one.row === other.row && one.span[0] < other.span[1] && other.span[0] < one.span[1];
              const inside = other.x > one.span[0] && other.x < one.span[1];
              const crossed = inside && (one.row === 'lower' || (other.row === 'upper' && other.side !== 'over'));
              expect([meet, crossed], `${first} ${step}`).to.equal([false, false]);
            }
          }
        }
      }
    }
  });

  it('takes signs of East Asia for broad, and marks of direction for nothing', () => {
    expect(broadest('漢')).to.be.above(broadest('a'));
    expect(broadest('\u2068a\u2069')).to.equal(broadest('a'));
  });

  it('says a medicine without its dose, and cuts a long name between letters', () => {
    for (const [name, short] of [
      ['Lisinopril 10 MG Oral Tablet', 'Lisinopril'],
      ['metformin hydrochloride 500 MG Oral Tablet', 'metformin hydroch…'],
      ['Insulin glargine, 100 units/ml', 'Insulin glargine'],
      ['Omega 3 fish oil', 'Omega 3 fish oil'],
      ['Vitamin D3 1,000 IU', 'Vitamin D3'],
      ['5 mg Ramipril', '5 mg Ramipril'],
      ['💊'.repeat(20), `${'💊'.repeat(17)}…`],
    ] as const) {
      expect(shortName(name)).to.equal(short);
    }
  });
});

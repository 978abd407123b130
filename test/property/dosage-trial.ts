/** dosage-trial: puts random dosages into words, and lets the reader say what it read. */
import fc from 'fast-check';
import { expect } from '@hapi/code';
import type { Dosage } from '../../core/facts/model/dosage';
import { dosageWords } from '../../core/facts/model/dosage-words';
import { languages, type Language } from '../../core/base/languages';
import { dosagesIn } from './dosage-reader';
import { anyDosages, statementsOf } from './dosages';

export const SEED = 47;

const placeOf = ({ sequence }: Dosage): number => (sequence === undefined ? 0 : Number(String(sequence)));

const sorted = (lines: readonly string[]): readonly string[] => [...lines].sort();

/** The same as words of the reader: those that say nothing are not counted, the others are in their order. */
const expected = (dosages: readonly Dosage[]) => {
  const told = [...dosages]
    .sort((one, other) => placeOf(one) - placeOf(other))
    .map((dosage) => ({ place: placeOf(dosage), statements: sorted(statementsOf(dosage)) }))
    .filter(({ statements }) => statements.length > 0);
  return told.map(({ place, statements }, index) => {
    const before = told[index - 1];
    const turn = before && place > before.place ? 'then' : 'and';
    return { turn: before ? turn : '', statements };
  });
};

/** Each of so many random dosages is read back from its English words, and said in every language. */
export const tryDosages = (numRuns: number): void => {
  fc.assert(
    fc.property(anyDosages, (dosages) => {
      const wanted = expected(dosages);
      const words = dosageWords(dosages, 'en');
      const read = words === '' ? [] : dosagesIn(words);
      expect(
        read.map(({ turn, statements }) => ({ turn, statements: sorted(statements) })),
        words,
      ).to.equal(wanted);
      for (const language of Object.keys(languages) as Language[]) {
        const said = dosageWords(dosages, language);
        expect(said === '', said).to.equal(wanted.length === 0);
        expect(said).to.not.match(/undefined|NaN|\[object/);
      }
    }),
    { seed: SEED, numRuns, endOnFailure: false },
  );
};

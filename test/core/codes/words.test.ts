/** words: the words by which a name is found. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { endingsOf, folded, soughtWords, wordsOf } from '../../../core/codes/words';

export const lab = Lab.script();
const { describe, it } = lab;

describe('words', () => {
  it('of a name are its words and its signs, each once', () => {
    expect(wordsOf(folded('Glucose [Mass/volume] in  Blood, mass'))).to.equal([
      'glucose',
      '[',
      'mass',
      '/',
      'volume',
      ']',
      'in',
      'blood',
      ',',
    ]);
  });

  it('know other alphabets', () => {
    expect(wordsOf(folded('Ménière-Krankheit Болезнь'))).to.equal(['ménière', '-', 'krankheit', 'болезнь']);
  });

  it('end in their endings', () => {
    expect(endingsOf('abc')).to.equal(['abc', 'bc', 'c']);
  });

  it('of a search must be where the text has them', () => {
    expect(soughtWords('arth')).to.equal([{ word: 'arth', part: 'inside' }]);
    expect(soughtWords('tid arthritis ac')).to.equal([
      { word: 'tid', part: 'ending' },
      { word: 'arthritis', part: 'whole' },
      { word: 'ac', part: 'beginning' },
    ]);
    expect(soughtWords('')).to.equal([]);
  });
});

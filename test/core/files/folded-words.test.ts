/** folded-words: what people type finds what a file says, whatever its accents, case and forms of letters. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { foldedForms, foldedText } from '../../../core/base/words/folded-text';
import { distinctWords, quoteIn } from '../../../core/files/folded-words';

export const lab = Lab.script();
const { describe, it } = lab;

describe('folded words', () => {
  it('takes accents, case and forms of letters as the same', () => {
    for (const [one, other] of [
      ['CAFÉ', 'cafe'],
      ['Größe', 'GROSSE'],
      ['colesterol\u00a0LDL', 'colesterol ldl'],
      ['أحمد', 'احمد'],
      ['مُستشفى', 'مستشفي'],
      ['ﬁbrin', 'fibrin'],
    ] as const) {
      expect(foldedText(one), one).to.equal(foldedText(other));
    }
    expect(foldedText('zinc')).to.not.equal(foldedText('zink'));
  });

  it('knows the German ways to write a vowel with two dots, where little else is written so', () => {
    for (const [word, forms] of [
      ['Größe', ['grosse', 'groesse']],
      ['groesse', ['groesse', 'grosse']],
      ['Übelkeit', ['ubelkeit', 'uebelkeit']],
      ['Diarrhoe', ['diarrhoe', 'diarrho']],
      ['Soerensen', ['soerensen', 'sorensen']],
      ['blue', ['blue']],
      ['Frauen', ['frauen']],
      ['neuer', ['neuer']],
      ['Quelle', ['quelle']],
      ['blood', ['blood']],
    ] as const) {
      expect(foldedForms(word), word).to.equal(forms);
    }
  });

  it('keeps each word once, without what stands around it, as many as there is room for', () => {
    expect(distinctWords('The (blood) test, the Blood: 5.4 %, 12%', 1000)).to.equal('the\nblood\ntest\n5.4\n12%');
    expect(distinctWords('one two three', 8)).to.equal('one\ntwo');
    expect(distinctWords('...', 100)).to.equal('');
  });

  it('quotes the first place of a word with what stands around it', () => {
    const text = `${'before '.repeat(40)}the Größe\nof it ${'after '.repeat(40)}`;
    const quote = quoteIn(text, ['zebra', 'grosse'])!;
    expect(quote.said).to.equal('Größe');
    expect(quote.before).to.endWith('before the ').and.to.startWith('\u2026before');
    expect(quote.after).to.startWith(' of it after').and.to.endWith('after\u2026');
    expect(quoteIn(text, ['zebra', ''])).to.be.undefined();
  });
});

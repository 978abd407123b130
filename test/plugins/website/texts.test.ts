/** texts: four languages with the same texts, the same values in each, and no text that no page uses. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { languageFor } from '../../../core/base/languages';
import { inProject } from '../../../core/base/paths';
import { listText } from '../../../plugins/website/parts/list';
import { commaSeparated, joinedBy, websiteTexts, wordsIn } from '../../../plugins/website/words/words';
import { testTexts } from '../../support/about-texts';

export const lab = Lab.script();
const { describe, it } = lab;

describe('the texts of the website', () => {
  // Refusals of the SMART door are pages of the website, too.
  testTexts(
    it,
    websiteTexts,
    ['website', 'smart/refusal.ts'].map((name) => inProject('plugins', name)),
  );

  it('says dates and numbers in the person’s manner and time zone', () => {
    const at = Date.parse('2026-03-03T23:30:00Z');
    expect(wordsIn('en', 'UTC').date(at)).to.equal('3 March 2026');
    expect(wordsIn('en', 'Europe/Oslo').date(at)).to.equal('4 March 2026');
    expect(wordsIn('de', 'UTC').date(at)).to.equal('3. März 2026');
    expect(wordsIn('es', 'UTC').date('2026-03-03')).to.equal('3 de marzo de 2026');
    expect(wordsIn('ar', 'UTC').date('2026-03-03')).to.equal('٣ مارس ٢٠٢٦');
    expect(wordsIn('de', 'UTC').number(1234.5)).to.equal('1.234,5');
    // A date without a time has no time zone.
    expect(wordsIn('en', 'Pacific/Honolulu').date('2026-03-03')).to.equal('3 March 2026');
  });

  it('keeps each name beside an Arabic comma in its own direction', () => {
    const [ar, de] = [wordsIn('ar', 'UTC'), wordsIn('de', 'UTC')];
    const names = ['ST VINCENT HOSPITAL', 'Dr. Weber'];
    expect(joinedBy('; ', names, ar)).to.equal('\u200f\u2068ST VINCENT HOSPITAL\u2069؛ \u2068Dr. Weber\u2069');
    expect(joinedBy('; ', names, de)).to.equal('ST VINCENT HOSPITAL; Dr. Weber');
    expect(commaSeparated(['Seen.', ...names], ar)).to.contain('\u2068Seen\u2069، \u2068ST VINCENT HOSPITAL\u2069، ');
    expect(listText(names, ar)).to.equal('\u2068ST VINCENT HOSPITAL\u2069 و\u2068Dr. Weber\u2069');
    const open = Object.entries(websiteTexts.read().ar).flatMap(([section, texts]) =>
      Object.entries(texts)
        .filter(([, text]) => /\{(name|file|document|record|source|from|by|kind|email|id|what)\}،/.test(text))
        .map(([name]) => `${section}.${name}`),
    );
    expect(open, 'texts of ar.yaml in which a name needs U+2068 before and U+2069 after it').to.equal([]);
  });

  it('takes the language that a browser asks for most, of those it knows', () => {
    expect(languageFor('de-CH, en;q=0.8')).to.equal('de');
    expect(languageFor('fr, es;q=0.5, de;q=0.9')).to.equal('de');
    expect(languageFor('fr, ar;q=0')).to.equal('en');
    expect(languageFor('')).to.equal('en');
    expect(languageFor('constructor, ar')).to.equal('ar');
  });
});

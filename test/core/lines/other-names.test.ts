/** other-names: names of one line that have nothing in common are said beside the one that is shown, in every language. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { conflictWords } from '../../../core/language/conflict-words';
import { namesApart } from '../../../core/lines/other-names';
import { linesAbout, modelNamed } from './told';

export const lab = Lab.script();
const { describe, it } = lab;

describe('the names of one thing', () => {
  it('are said where neither has the first word of the other, each once', () => {
    const names = ['Tylenol 325 MG', 'TYLENOL 325 mg', 'paracetamol 325 mg tablet', '24 HR Paracetamol', 'Lamotrigine'];
    expect(namesApart('Paracetamol 325 MG Oral Tablet', names)).to.equal(['TYLENOL 325 mg', 'Lamotrigine']);
    expect(namesApart('24 HR metoprolol', ['Metoprolol succinate', 'metoprolol'])).to.equal([]);
    expect(namesApart('باراسيتامول ٥٠٠', ['تايلينول', 'باراسيتامول'])).to.equal(['تايلينول']);
  });

  it('are not said without a word in both, nor more than five', () => {
    expect(namesApart('313782', ['Tylenol'])).to.equal([]);
    expect(namesApart('Paracetamol', ['313782', ''])).to.equal([]);
    const many = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Omega'];
    expect(namesApart('Paracetamol', many)).to.equal(many.slice(0, 5));
  });

  it('stand in what leaves the service, also where the sources agree about all else', () => {
    const model = modelNamed('Medication');
    const coded = (drugName_title: string) => ({
      drugName_title,
      drugName_identifier: '313782',
      drugName_system: 'http://www.nlm.nih.gov/research/umls/rxnorm',
    });
    const said = (...titles: readonly string[]): readonly string[] =>
      linesAbout(model, titles.map(coded)).map((line) => conflictWords(model, line, () => undefined));
    const [both, ...others] = said('Paracetamol', 'Lamotrigine');
    expect(others).to.equal([]);
    expect(both).to.match(/^Sources call it: (Paracetamol; Lamotrigine|Lamotrigine; Paracetamol)\.$/);
    expect(said('Paracetamol', 'paracetamol tablets')).to.equal(['']);
  });
});

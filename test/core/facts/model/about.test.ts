/** about: what a document may say about itself, every refusal by its part, and the columns in which it is stored. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { aboutColumns, readAbout } from '../../../../core/facts/model/about';
import { aboutWords, storedAbout, type About } from '../../../../core/facts/about';

export const lab = Lab.script();
const { describe, it } = lab;

const read = (said: Readonly<Record<string, unknown>>): About => {
  const found = readAbout(said);
  if ('problems' in found) {
    throw new Error(found.problems.join('; '));
  }
  return found.about;
};
const problems = (said: Readonly<Record<string, unknown>>): readonly string[] => {
  const found = readAbout(said);
  return 'problems' in found ? found.problems : [];
};

describe('readAbout', () => {
  it('takes white space as in a line, and what is empty as not said', () => {
    expect(read({ title: ' Discharge\n\tsummary\u0000 ', kind: '', from: ' ', author: null })).to.equal({
      title: 'Discharge summary',
    });
    expect(read({})).to.equal({});
  });

  it('takes whom it tells of, and refuses a day of birth that is none', () => {
    expect(read({ subject: ' Myra  Jones', born: '1947-05-01' })).to.equal({
      subject: 'Myra Jones',
      born: '1947-05-01',
    });
    expect(read({ born: '1947' })).to.equal({ born: '1947' });
    expect(problems({ born: '47' })).to.have.length(1);
    expect(aboutWords(JSON.stringify({ subject: 'Myra Jones', born: '1947-05-01' }))).to.be.null();
  });

  it('keeps a day as a day and a time with its zone, or without one', () => {
    for (const [written, kept] of [
      ['2014-09-15', '2014-09-15'],
      ['2014-09-15+02:00', '2014-09-15'],
      ['2014-09-15T23:04:00-05:00', '2014-09-15T23:04:00-05:00'],
      ['2014-09-15T23:04:00.123456Z', '2014-09-15T23:04:00.123456Z'],
      ['2014-09-15T23:04:00', '2014-09-15T23:04:00'],
      ['2014-09-15T24:00:00Z', '2014-09-16T00:00:00.000Z'],
      ['2014-09-15T24:00:00', '2014-09-16T00:00:00'],
    ]) {
      expect(read({ date: written })).to.equal({ date: kept });
    }
  });

  it('calls code systems as FHIR does', () => {
    expect(read({ code: '34133-9', system: 'http://purl.bioontology.org/ontology/LNC/' })).to.equal({
      code: '34133-9',
      system: 'http://loinc.org',
    });
  });

  it('says of each wrong part what is wrong, and never what it says', () => {
    const day = 'it is no date such as 2026, 2026-03 or 2026-03-31, and no time such as 2026-03-31T10:00:00Z';
    expect(problems({ title: 'x'.repeat(256), code: 'y'.repeat(101), system: 's' })).to.equal([
      'About, title: it is longer than 255 characters',
      'About, code: it is longer than 100 characters',
    ]);
    expect(problems({ title: '😀'.repeat(255) })).to.equal([]);
    for (const wrong of ['2014-02-30', '20140915', 'yesterday', '2014-13', '0000', '214', '2014-09-15T25:00:00Z']) {
      expect(problems({ start: wrong })).to.equal([`About, start: ${day}`]);
    }
    expect(problems({ system: 'http://loinc.org' })).to.equal(['About, system: there is no code beside it']);
    expect(problems({ titel: 'secret', 'a b': 'secret', from: 4 })).to.equal([
      'About: there is no part titel; there are title, kind, code, system, date, start, end, author, author_for, from, identifier, identifier_system, format, visit, visit_system, subject, born',
      'About: there is no part with this name; there are title, kind, code, system, date, start, end, author, author_for, from, identifier, identifier_system, format, visit, visit_system, subject, born',
      'About, from: it is no text',
    ]);
  });

  it('is kept whole, with what searches compare: a year, a month and a day end with it', () => {
    const about = read({
      title: 'A "letter"',
      kind: 'Letter',
      date: '2014-09-17',
      start: '2014-09-09',
      end: '2014-09-16',
    });
    const columns = aboutColumns(about);
    expect(storedAbout(columns.about)).to.equal(about);
    expect(aboutWords(columns.about)).to.equal('A "letter"\nLetter\n2014-09-17');
    expect([columns.about_start, columns.about_end]).to.equal([
      '2014-09-09T00:00:00.000000Z',
      '2014-09-17T00:00:00.000000Z',
    ]);
    const partial = aboutColumns(read({ start: '2014', end: '2014-02' }));
    expect([partial.about_start, partial.about_end]).to.equal([
      '2014-01-01T00:00:00.000000Z',
      '2014-03-01T00:00:00.000000Z',
    ]);
    expect(aboutColumns(read({ end: '2014' })).about_end).to.equal('2015-01-01T00:00:00.000000Z');
    expect(aboutColumns(read({ end: '9999' })).about_end).to.equal('9999-12-31T23:59:59.999999Z');
    expect(aboutColumns(read({ end: '9999-12-31' })).about_end).to.equal('9999-12-31T23:59:59.999999Z');
    expect(Object.values(aboutColumns(undefined)).every((value) => value === null)).to.be.true();
    expect(aboutWords(null)).to.be.null();
  });
});

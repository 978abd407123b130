/** note-words: what formats write into notes is read in the person's language, and what a source wrote stays. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { projectRoot } from '../../../core/base/paths';
import { noteWords } from '../../../core/language/note-words';
import { saidWords, speechIn } from '../../../core/language/resource-words';

export const lab = Lab.script();
const { describe, it } = lab;

const others = ['de', 'es', 'ar'] as const;
const german = 'de';

describe('the words of notes', () => {
  it('are in the language of the person, and those of a source stay', () => {
    const note = 'Worse at night. Site: Left arm. In the words of the source: Site: left.';
    expect(noteWords(note, german, String)).to.equal(
      'Worse at night. Stelle: Left arm. Im Wortlaut der Quelle: Site: left.',
    );
    expect(noteWords(note, 'en', String)).to.equal(note);
    const told = 'Onset not stated; the start is when the problem was recorded.';
    expect(noteWords(`n ${told}`, german, String)).to.equal(
      'n Der Beginn ist nicht angegeben; es ist der Tag, an dem es festgehalten wurde.',
    );
    expect(noteWords('The sender does not follow this any more (aborted).', german, String)).to.equal(
      'Der Absender verfolgt dies nicht mehr (aborted).',
    );
    expect(
      noteWords('Can be handed out 3 times. Severity of the allergy as a whole: Severe.', german, String),
    ).to.equal('Darf 3-mal abgegeben werden. Schwere der Allergie im Ganzen: Severe.');
    expect(noteWords('Can be handed out 1 time.', 'es', String)).to.equal('Puede entregarse 1 vez.');
    expect(noteWords('Can be handed out 2 times.', 'ar', String)).to.equal('يمكن صرفه مرتين.');
    expect(noteWords('Website: h.example', german, String)).to.equal('Website: h.example');
  });

  it('say dates behind these words as a person reads them, and leave those of a source', () => {
    const say = (note: string, language: 'en' | 'de'): string => noteWords(note, language, (date) => `<${date}>`);
    expect(say('Worse. Until: 2024-05-03T10:00:00Z. Ended: 2024-05.', 'en')).to.equal(
      'Worse. Until: <2024-05-03T10:00:00Z>. Ended: <2024-05>.',
    );
    expect(say('Until: 2024-05-03T10:00:00+02:00.', german)).to.equal('Bis: <2024-05-03T10:00:00+02:00>.');
    expect(say('Vaccine to be used by 2025-01-31.', german)).to.equal(
      'Der Impfstoff ist zu verwenden bis <2025-01-31>.',
    );
    expect(say('Mild. Reaction on 2008-02-26.', 'en')).to.equal('Mild. Reaction on <2008-02-26>.');
    expect(say('Handed out 2024-05-03: 30 tablets. Asked for on 2024-05-02.', german)).to.equal(
      'Abgegeben am <2024-05-03>: 30 tablets. Angefordert am <2024-05-02>.',
    );
    for (const note of [
      'Reaction on the skin',
      'Was delivered by 2024-05-03',
      'In the words of the source: 2024-05-03T10:00:00Z',
      'Date as it is written: 2024-05-03',
      'Lot until: 2024-05-03',
      'Device: 2024-05-03-77',
    ]) {
      expect(say(note, 'en'), note).to.equal(note);
    }
  });

  it('are in the language of a printed page, too', () => {
    const note = [{ text: 'Worse at night. Site: Left arm.' }];
    const problem = { resourceType: 'Condition', code: { text: 'Eczema' }, note } as unknown as Parameters<
      typeof saidWords
    >[0];
    expect(saidWords(problem, speechIn('de', 'UTC'))).to.contain('Worse at night. Stelle: Left arm.');
    expect(saidWords(problem, speechIn('en', 'UTC'))).to.contain('Worse at night. Site: Left arm.');
    const ended = { ...problem, note: [{ text: 'Ended: 2024-05-03T10:00:00Z.' }] } as typeof problem;
    expect(saidWords(ended, speechIn('de', 'Europe/Berlin'))).to.contain('3. Mai 2024, 12:00');
  });

  it('are known for every label that the formats of documents write', () => {
    const labels = ['ccda', 'fhir-bundle'].flatMap((format) => {
      const text = readFileSync(join(projectRoot, 'pipeline-config', format, 'transform.xsl'), 'utf8');
      return [...text.matchAll(/name="label" select="'([^']+)'"/g)].map(([, label]) => label!);
    });
    expect(labels.length).to.be.above(50);
    for (const words of others) {
      const unknown = [...new Set(labels)].filter(
        (label) => noteWords(`${label}: x.`, words, String) === `${label}: x.`,
      );
      expect(
        unknown.filter((label) => label !== 'In'),
        words,
      ).to.equal([]);
    }
  });
});

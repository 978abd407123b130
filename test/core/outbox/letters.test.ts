/** letters: mails in four languages with the same texts and values, and no text that no mail uses. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { languageOf, letterTexts, writeLetter } from '../../../core/outbox/letters';
import { testTexts } from '../../support/about-texts';

export const lab = Lab.script();
const { describe, it } = lab;

const settings = { language: 'de', mailFrom: 'records@clinic.example' } as const;
const reader = { fullName: 'Nora', contactEmail: 'nora@people.example', chosenLanguage: null, spokenLanguage: null };

describe('mails to people', () => {
  testTexts(
    it,
    letterTexts,
    ['core/accounts', 'core/outbox', 'plugins/accounts', 'plugins/messaging', 'plugins/records'].map((path) =>
      inProject(path),
    ),
  );

  it('are in the language of the reader, else in that of the settings', () => {
    const spoken = (chosenLanguage: string | null, spokenLanguage: string | null) =>
      languageOf(settings, { chosenLanguage, spokenLanguage });
    expect(spoken('ar', 'es')).to.equal('ar');
    expect(spoken(null, 'es')).to.equal('es');
    expect(spoken(null, null)).to.equal('de');
    expect(spoken('constructor', 'es')).to.equal('es');
  });

  it('greet by name, or by address where there is none', () => {
    const paragraphs = [['welcome.text', { link: 'https://r.example/my' }]] as const;
    expect(writeLetter(settings, reader, 'welcome.subject', paragraphs)).to.equal({
      to: { name: 'Nora', address: 'nora@people.example' },
      subject: 'Willkommen',
      text: 'Guten Tag Nora,\n\nIhr Konto ist aktiv. Hier können Sie sich anmelden:\nhttps://r.example/my\n',
    });
    const nameless = writeLetter(settings, { ...reader, fullName: '' }, 'welcome.subject', paragraphs);
    expect(nameless.text).to.startWith('Guten Tag nora@people.example,\n');
  });

  it('say names as they are, whatever signs they have', () => {
    const { text } = writeLetter(settings, { ...reader, fullName: "O'{x} <b>&" }, 'welcome.subject', []);
    expect(text).to.startWith("Guten Tag O'{x} <b>&,");
  });
});

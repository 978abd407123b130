/**
 * card: the emergency card: nothing is on it that was not ticked, what comes later of a ticked kind is; the text of its
 * code fits, and what does not fit is left out in its order; for people with full control alone.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Resource } from '../../../core/fhir/resource';
import { speechIn } from '../../../core/language/resource-words';
import { languages, type Language } from '../../../core/base/languages';
import { cardOf, noChoices, type CardChoices, type CardFacts } from '../../../plugins/fhir/paper/card-paper';
import { databases } from '../../support/databases';
import { checkOf, infoOf, missingReaders, pagesOf } from '../../support/pdf';
import { startService, type TestService } from '../../support/server';
import { readable, type SitePage } from '../../support/site';
import { enterSite, factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const reading = { skip: missingReaders().length > 0 };

/** The card itself, without the form below it. */
const cardIn = ({ text }: SitePage): string => {
  const begin = text.indexOf('<section class="emergency');
  return readable({ text: `<main>${text.slice(begin, text.indexOf('</section>', begin))}</main>` } as SitePage);
};
const codeIn = ({ text }: SitePage): string => /<p class="as-written"[^>]*>([^<]*)</.exec(text)?.[1] ?? '';

for (const leg of databases) {
  describe(`the emergency card on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let base: string;
    /** Ticks nothing but what is said: the form of a test sends boxes that nobody has ticked. */
    const tick = async (fields: Readonly<Record<string, string>>): Promise<SitePage> => {
      const unticked = { kind: '', blood: '', contact: '', 'own-0-on': '', 'own-1-on': '', 'own-2-on': '' };
      const notes = { 'organ-on': '', 'directive-on': '' };
      return made.owner.submit(await made.owner.open(`${base}/card`), { ...unticked, ...notes, ...fields });
    };
    const allergy = (name: string): Promise<string> =>
      made.store(factsDocument(service, factOf('Allergy', { allergen_title: name, severity_title: 'severe' })));

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      base = `/my/records/${made.recordId}`;
      await allergy('Penicillin');
      await made.store(factsDocument(service, factOf('Problem', { name_title: 'Asthma' })));
      await made.store(factsDocument(service, factOf('Medication', { drugName_title: 'Ramipril 5 mg' })));
      const details = await made.owner.open(`${base}/details`);
      await made.owner.submit(details, { blood: 'A+', contacts: 'Jonas, husband, +49 170 1\nEva, sister, +49 170 2' });
    });
    after(() => service.stop());

    it('has name and birth date alone before anything is ticked', async () => {
      const page = await made.owner.open(`${base}/card`);
      expect(cardIn(page)).to.contain('Mira Halvorsen');
      for (const said of ['Penicillin', 'Asthma', 'Ramipril', 'A+', 'Jonas', 'Eva']) {
        expect(cardIn(page)).to.not.contain(said);
        expect(codeIn(page)).to.not.contain(said);
      }
      expect(page.text).to.not.match(/<input[^>]*type="checkbox"[^>]*checked/);
      expect(page.text).to.contain('<details class="more" open');
    });

    it('comes before its form, which is folded once something is ticked', async () => {
      await tick({ kind: 'allergies' });
      const { text } = await made.owner.open(`${base}/card`);
      const [card, form] = [text.indexOf('<section class="emergency'), text.indexOf('Change what is on it')];
      expect([card > 0, form > card]).to.equal([true, true]);
      expect(text.slice(card, form)).to.contain('<details class="more"><summary>').and.to.not.contain('open=""');
    });

    it('has what is ticked, one by one, and what comes later of a ticked kind', async () => {
      await tick({
        kind: 'allergies',
        contact: 'Eva, sister, +49 170 2',
        'own-0': 'Dr. Weber, +49 30 1',
        organ: 'Yes',
        directive: 'In the drawer',
        'directive-on': '1',
      });
      await allergy('Latex');
      const page = await made.owner.open(`${base}/card`);
      for (const text of [cardIn(page), codeIn(page)]) {
        expect(text).to.contain('Penicillin').and.to.contain('Latex').and.to.contain('Eva, sister');
        expect(text).to.contain('Advance directive').and.to.contain('In the drawer');
        expect(text).to.not.contain('Jonas').and.to.not.contain('Asthma').and.to.not.contain('A+');
        expect(text).to.not.contain('Weber').and.to.not.contain('Organ donor');
      }
      expect(page.text).to.contain('value="Dr. Weber, +49 30 1"').and.to.contain('value="Yes"');
    });

    it('prints two sides of a card', reading, async () => {
      const file = await made.owner.get(`${base}/card.pdf`);
      expect([file.status, file.headers['content-type']]).to.equal([200, 'application/pdf']);
      const [first = '', second = '', ...more] = pagesOf(file.bytes!);
      expect(first).to.contain('Mira Halvorsen').and.to.contain('Latex').and.to.contain('Eva');
      expect(first).to.not.contain('Asthma').and.to.not.contain('Jonas');
      expect(second).to.contain('not checked by a clinician');
      expect(more.filter((text) => text.trim() !== '')).to.equal([]);
      expect(infoOf(file.bytes!)).to.match(/Page size: +242\.6\d* x 153\.0\d* pts/);
      expect(checkOf(file.bytes!)).to.contain('No syntax or stream encoding errors');
    });

    it('is in the language of its person, with English beside', async () => {
      const page = await (await enterSite(service, OWNER, 'ar')).open(`${base}/card`);
      expect(cardIn(page)).to.contain('الحساسية').and.to.contain('Allergies').and.to.contain('Penicillin');
      expect(codeIn(page)).to.contain('Emergency card').and.to.contain('بطاقة الطوارئ');
    });

    it('is for people with full control alone, and for no circle', async () => {
      for (const path of ['card', 'card.pdf']) {
        expect((await made.member.get(`${base}/${path}`)).status).to.equal(404);
        expect((await made.stranger.get(`${base}/${path}`)).status).to.equal(404);
        expect((await made.owner.get(`/my/carenets/${made.carenetId}/${path}`)).status).to.equal(404);
      }
    });

    it('refuses what is too long, and keeps what was there', async () => {
      const page = await tick({ organ: 'y'.repeat(121) });
      expect(page.status).to.equal(400);
      expect(page.text).to.contain('href="#field-organ"');
      expect(cardIn(await made.owner.open(`${base}/card`))).to.contain('Latex');
    });

    it('does not put somebody on it whom no form has named', async () => {
      await tick({ contact: 'Nobody at all' });
      expect(cardIn(await made.owner.open(`${base}/card`))).to.not.contain('Nobody at all');
    });

    it('keeps a number to call in one line', reading, async () => {
      await tick({
        contact: 'Eva, sister, +49 170 2',
        'own-0': 'Dr. Weber, Praxis am Markt, +49 30 123 456 789',
        'own-0-on': '1',
      });
      const file = await (await enterSite(service, OWNER, 'ar')).get(`${base}/card.pdf`);
      expect(pagesOf(file.bytes!)[0]).to.contain('+49 30 123 456 789');
    });
  });
}

describe('the code of an emergency card', () => {
  const patient: Resource = { resourceType: 'Patient', birthDate: '1968-04-17', name: [{ text: 'Mira Halvorsen' }] };
  const all: CardChoices = {
    ...noChoices,
    kinds: ['allergies', 'medicines', 'problems', 'procedures'],
    contacts: ['Jonas, husband, +49 170 1234567'],
  };
  const section = (kind: string, name: string, count: number) => ({
    kind,
    title: kind,
    rows: Array.from({ length: count }, (_, at) => ({
      name: `${name} ${at}`,
      sayings: [{ said: 'severe', when: '', source: '' }],
    })),
    empty: '',
  });
  const factsWith = (counts: readonly [number, number, number, number]): CardFacts => {
    const sections = [
      section('allergies', 'Allergen', counts[0]),
      section('medicines', 'Tablet', counts[1]),
      section('problems', 'Trouble', counts[2]),
      section('procedures', 'Operation', counts[3]),
    ];
    const known = all.contacts;
    return {
      patient,
      label: '',
      choices: all,
      blood: '',
      known,
      sections: { own: sections, english: sections },
      now: 0,
    };
  };
  const textWith = (counts: readonly [number, number, number, number], language: Language): string =>
    cardOf(factsWith(counts), speechIn(language, 'UTC')).text;
  const isWhole = (text: string): boolean => !text.includes('more in the record');

  for (const language of Object.keys(languages) as Language[]) {
    it(`leaves out procedures, then problems, then medicines, never allergies or people to call, in ${language}`, () => {
      expect(isWhole(textWith([1, 1, 1, 1], language))).to.be.true();
      const some = textWith([2, 3, 3, 30], language);
      expect(some).to.contain('Trouble 2').and.to.contain('Tablet 2').and.to.not.contain('Operation 29');
      const fewer = textWith([2, 3, 30, 30], language);
      expect(fewer).to.contain('Tablet 2').and.to.not.contain('Operation').and.to.not.contain('Trouble 29');
      const fewest = textWith([4, 30, 30, 30], language);
      expect(fewest).to.not.contain('Trouble').and.to.not.contain('Operation').and.to.not.contain('Tablet 29');
      for (const text of [some, fewer, fewest]) {
        expect(text.length).to.be.at.most(500);
        expect(isWhole(text)).to.be.false();
        expect(text)
          .to.contain('Allergen 1')
          .and.to.contain('Jonas, husband, +49 170 1234567')
          .and.to.contain('1968-04-17');
      }
    });
  }

  it('tells what each side says, and that sources differ where there is no room for more', () => {
    const saying = (said: string, when = '') => ({ said, when, source: 'Clinic' });
    const withSides = (count: number): string => {
      const differing = {
        name: 'Latex',
        differs: 'Both:',
        sayings: [saying('mild'), saying('severe'), saying('', 'May')],
      };
      const plain = section('allergies', 'Allergen of a long name', count);
      const sections = [{ ...plain, rows: [differing, ...plain.rows] }];
      const facts = { ...factsWith([0, 0, 0, 0]), sections: { own: sections, english: sections } };
      return cardOf({ ...facts, choices: { ...all, kinds: ['allergies'] } }, speechIn('en', 'UTC')).text;
    };
    expect(withSides(1)).to.contain('Latex (Sources differ: mild | severe | May)');
    expect(withSides(12)).to.contain('Latex (Sources differ); Allergen of a long name 0;');
  });

  it('has squares of at least a third of a millimetre, however much is ticked', () => {
    for (const language of Object.keys(languages) as Language[]) {
      const { paper } = cardOf(factsWith([20, 30, 30, 30]), speechIn(language, 'UTC'));
      const [, width = ''] = /viewBox="0 0 (\d+) /.exec(paper.code.svg)!;
      // Each square is drawn ten units wide, and the picture 44 mm.
      expect(44 / (Number(width) / 10)).to.be.at.least(0.33);
    }
  });
});

/**
 * paper: the page for a doctor and its PDF: the same words in the same order, in four languages; both sides where sources
 * differ; nothing that is over or wrong; what the reader may see and no more.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { isolated } from '../../../core/paper/paper';
import { PrintFailure, printPaper } from '../../../core/paper/typst';
import { databases } from '../../support/databases';
import { checkOf, infoOf, languageOf, missingReaders, pagesOf, wordsIn } from '../../support/pdf';
import { startService, type TestService } from '../../support/server';
import { readable, type Site, type SitePage } from '../../support/site';
import { enterSite, factOf, factsDocument, makeSiteRecord, OWNER, type SiteRecord } from '../../support/site-record';
import { createRecord, demographics, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const missing = missingReaders();
const note = missing.length === 0 ? '' : ` (left out: ${missing.join(', ')} not installed)`;
const reading = { skip: missing.length > 0 };

const medicine = (name: string, more: Readonly<Record<string, string>> = {}): string =>
  factOf('Medication', { drugName_title: name, ...more });
const pressure = (date: string, systolic: number): string =>
  factOf('VitalSigns', {
    date,
    bp_systolic_value: String(systolic),
    bp_systolic_unit: 'mm[Hg]',
    bp_diastolic_value: '82',
    bp_diastolic_unit: 'mm[Hg]',
  });

const GIVEN = { administration_status_identifier: 'doseGiven', administration_status_title: 'Dose given' };

/** That somebody says that there are none known. */
const denial = (code: string, title: string): string =>
  factOf('AllergyExclusion', {
    name_identifier: code,
    name_title: title,
    name_system: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
  });

/** The printed part of the page, as text. */
const sheetOf = ({ text }: SitePage): string =>
  readable({ text: `<main>${text.slice(text.indexOf('<div class="paper'))}` } as SitePage);

/**
 * The first of these words that does not occur in this order; undefined if all do. In a line from right to left,
 * pdftotext does not know where a part from left to right ends, so its words may be some places before.
 */
function firstLost(words: readonly string[], within: readonly string[], slack: number): string | undefined {
  const left: (string | undefined)[] = [...within];
  let at = 0;
  return words.find((word) => {
    const found = left.indexOf(word, Math.max(0, at - slack));
    left[found] = undefined;
    at = Math.max(at, found + 1);
    return found < 0;
  });
}

/** A line of the page has about so many words. */
const SLACK = 12;

for (const leg of databases) {
  describe(`the page for a doctor on ${leg.name}`, () => {
    let service: TestService;
    let made: SiteRecord;
    let base: string;
    let circle: string;
    const day = (ago: number): string =>
      new Date(service.services.clock.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const pdfAt = async (site: Site, path: string): Promise<Buffer> => {
      const page = await site.get(path);
      expect([page.status, page.headers['content-type']]).to.equal([200, 'application/pdf']);
      return page.bytes!;
    };

    before(async () => {
      service = await startService(leg);
      made = await makeSiteRecord(service);
      base = `/my/records/${made.recordId}`;
      circle = `/my/carenets/${made.carenetId}`;
      const store = (...facts: readonly string[]): Promise<string> => made.store(factsDocument(service, ...facts));
      await store(factOf('Problem', { name_title: 'Asthma #panic("no") *bold* $x$' }));
      await store(factOf('Problem', { name_title: 'Mumps', clinicalStatus_identifier: 'resolved' }));
      await store(medicine('Ramipril 5 mg'), medicine('Old tablet', { status_identifier: 'stopped' }));
      const shared = await store(factOf('Allergy', { allergen_title: 'Penicillin', severity_title: 'severe' }));
      await store(pressure(day(3), 132), pressure(day(30), 134), pressure(day(60), 136), pressure(day(500), 199));
      succeeded(
        await service.call(
          made.credentials,
          'PUT',
          `/records/${made.recordId}/documents/${shared}/carenets/${made.carenetId}`,
        ),
      );
      await made.owner.submit(await made.owner.open(`${base}/words`), {
        words: 'I worry about <my> heart.\n\nAnd more.',
      });
    });
    after(() => service.stop());

    for (const [language, title] of [
      ['en', 'For your doctor'],
      ['de', 'Für Ihre Ärztin oder Ihren Arzt'],
      ['es', 'Para su médico'],
      ['ar', 'لطبيبك'],
    ] as const) {
      it(`has every word of the page in the PDF, in the order of reading, in ${language}${note}`, reading, async () => {
        const site = await enterSite(service, OWNER, language);
        const page = await site.open(`${base}/paper`);
        expect((await site.get(`${base}/print`)).status).to.equal(200);
        expect(readable(page)).to.contain(title);
        const pdf = await pdfAt(site, `${base}/paper.pdf`);
        const words = wordsIn(sheetOf(page));
        expect(words.length).to.be.above(40);
        expect(firstLost(words, wordsIn(pagesOf(pdf).join('\n')), language === 'ar' ? SLACK : 0)).to.be.undefined();
        const info = infoOf(pdf);
        expect(info)
          .to.match(/Tagged: +yes/)
          .and.to.contain(title)
          .and.to.match(/Page size: .*A4/);
        expect(checkOf(pdf)).to.contain('No syntax or stream encoding errors');
        expect(languageOf(pdf)).to.equal(language);
      });
    }

    it(`has name, birth date and number on each page, allergies first${note}`, reading, async () => {
      const pages = pagesOf(await pdfAt(made.owner, `${base}/paper.pdf`));
      expect(pages.length).to.equal(2);
      pages.forEach((page, index) => {
        expect(page)
          .to.contain('Mira Halvorsen')
          .and.to.contain(`page ${index + 1} of 2`);
        expect(page).to.contain('Born ');
      });
      const [first = '', last = ''] = pages;
      expect(first.indexOf('Penicillin')).to.be.below(first.indexOf('Ramipril'));
      expect(first).to.contain("Made by the person's own record on").and.to.contain('not checked by a clinician');
      expect(last).to.contain('In your own words').and.to.contain('I worry about <my> heart.');
    });

    it('tells what is current alone, with dates, and texts as they are', async () => {
      const text = readable(await made.owner.open(`${base}/paper`));
      expect(text).to.contain('Asthma #panic("no") *bold* $x$').and.to.contain('132 / 82 mmHg');
      expect(text).to.not.contain('Mumps').and.to.not.contain('Old tablet').and.to.not.contain('199');
      const all = readable(await made.owner.open(`${base}/paper?months=24`));
      expect(all).to.contain('199 / 82');
    });

    it(`leaves out what is not asked for${note}`, reading, async () => {
      const pdf = await pdfAt(made.owner, `${base}/paper.pdf?kind=medicines,vitals&months=12&charts=0&words=0`);
      const text = pagesOf(pdf).join('\n');
      expect(text).to.contain('Ramipril').and.to.contain('132 / 82');
      expect(text).to.not.contain('Penicillin').and.to.not.contain('I worry');
      const drawn = await pdfAt(made.owner, `${base}/paper.pdf?kind=vitals&months=36&words=0`);
      expect(drawn.length).to.be.above(1000);
      for (const wrong of ['months=0', 'months=x', 'kind=nothing']) {
        expect((await made.owner.get(`${base}/paper.pdf?${wrong}`)).status).to.equal(400);
      }
    });

    it(`is of the size Letter where the person lives in a country that uses it${note}`, reading, async () => {
      const moved = demographics('Mira', 'Halvorsen').replace(
        '</Demographics>',
        '<Address><country>USA</country></Address></Demographics>',
      );
      succeeded(await service.call(made.credentials, 'PUT', `/records/${made.recordId}/demographics`, { body: moved }));
      expect(infoOf(await pdfAt(made.owner, `${base}/paper.pdf`))).to.match(/Page size: .*letter/);
    });

    it(`shows a member what lies in the circle, and says that it may not be all${note}`, reading, async () => {
      const page = readable(await made.member.open(`${circle}/paper`));
      expect(page).to.contain('Penicillin').and.to.contain('may not be all');
      expect(page).to.not.contain('Ramipril').and.to.not.contain('I worry');
      const text = pagesOf(await pdfAt(made.member, `${circle}/paper.pdf`)).join('\n');
      expect(text).to.contain('Penicillin').and.to.contain('may not be all').and.to.not.contain('Ramipril');
      for (const path of ['paper', 'print', 'paper.pdf']) {
        expect((await made.member.get(`${base}/${path}`)).status).to.equal(404);
        expect((await made.stranger.get(`${circle}/${path}`)).status).to.equal(404);
      }
    });

    it('lists no dose that is still to come, and asks to check a result with a date to come', async () => {
      const result = { collected_at: '2199-05-02', test_name_title: 'Glucose', narrative_result: 'clear' };
      const id = await made.store(
        factsDocument(
          service,
          factOf('Immunization', { product_name_title: 'Yellow fever', date: '2199-05-02', ...GIVEN }),
          factOf('LabResult', result),
          factOf('LabResult', { ...result, collected_at: day(100), test_name_title: 'Ferritin' }),
        ),
      );
      for (const [language, told] of [
        ['en', 'this date is still to come, please check it'],
        ['de', 'dieses Datum kommt erst noch, bitte prüfen'],
        ['es', 'esta fecha aún no ha llegado, compruébela'],
        ['ar', 'هذا التاريخ لم يأتِ بعد، يُرجى التحقق منه'],
      ] as const) {
        const sheet = sheetOf(await (await enterSite(service, OWNER, language)).open(`${base}/paper`));
        expect(sheet, language).to.contain(['Glucose', 'Ferritin']).and.to.not.contain('Yellow fever');
        const [before, after, ...more] = sheet.split(told);
        expect(more, language).to.equal([]);
        expect(before!.lastIndexOf('Glucose'), language).to.be.above(before!.lastIndexOf('Ferritin'));
        expect(after, language).to.not.contain('Glucose');
      }
      const form = { status: 'void', reason: 'of this test' };
      const status = `/records/${made.recordId}/documents/${id}/set-status`;
      succeeded(await service.call(made.credentials, 'POST', status, { form }));
    });

    it('says both sides where sources differ', async () => {
      const dated = { startDate: '2024-01-10', drugName_title: 'Atorvastatin 20 mg' };
      await made.store(
        factsDocument(
          service,
          factOf('Medication', { ...dated, status_identifier: 'active', instructions: 'one in the evening' }),
        ),
      );
      await made.store(
        factsDocument(
          service,
          factOf('Medication', { ...dated, status_identifier: 'active', instructions: 'two in the morning' }),
        ),
      );
      const text = readable(await made.owner.open(`${base}/paper?kind=medicines`));
      expect(text).to.contain('Sources differ. Both are told:');
      expect(text).to.contain('one in the evening').and.to.contain('two in the morning');
      expect(text.match(/Atorvastatin/g)!.length).to.equal(1);
    });

    it('says of each side what it says of severity and of use, and who denies all of it, once', async () => {
      await made.store(factsDocument(service, factOf('Allergy', { allergen_title: 'Latex', severity_title: 'mild' })));
      await made.store(
        factsDocument(service, factOf('Allergy', { allergen_title: 'Latex', severity_title: 'severe' })),
      );
      const used = { startDate: '2024-01-10', drugName_title: 'Bisoprolol 5 mg' };
      for (const status of ['active', 'stopped']) {
        await made.store(factsDocument(service, factOf('Medication', { ...used, status_identifier: status })));
      }
      await made.store(factsDocument(service, denial('160244002', 'No known allergies')));
      const text = readable(
        await (await enterSite(service, OWNER, 'de')).open(`${base}/paper?kind=allergies,medicines`),
      );
      const sides = (name: string, first: string, second: string): RegExp =>
        new RegExp(`${name} Die Quellen widersprechen sich. Beide sagen: ${first} [^:]*${second} `);
      expect(text).to.match(sides('Latex', 'leicht', 'schwer'));
      expect(text).to.match(sides('Bisoprolol 5 mg', 'wird genommen', 'abgesetzt'));
      expect(text.match(/Keine Allergien bekannt, obwohl hier welche stehen/g)).to.have.length(1);
      expect(text).to.contain('Penicillin schwer').and.to.not.contain(' says ');
    });

    it('tells a document that is called as its row by its day, and any other by its title', async () => {
      const titled = async (name: string, title: string): Promise<void> => {
        const id = await made.store(factsDocument(service, factOf('Immunization', { product_name_title: name })));
        const page = await made.owner.open(`${base}/documents/${id}`);
        await made.owner.submit(page, { label: title });
      };
      await titled('Tetanus', 'Vaccination: Tetanus');
      await titled('Rabies', 'Letter of the travel clinic');
      const text = readable(await made.owner.open(`${base}/paper?kind=immunizations`));
      expect(text)
        .to.match(/Tetanus (?:\S+ )?document of \d/)
        .and.to.contain('Letter of the travel clinic');
      expect(text.match(/Tetanus/g)).to.have.length(1);
    });

    it('says in the language of the page that there are none known, with the words of the source', async () => {
      const other = await createRecord(service.call, OWNER, 'Dina', 'Denied');
      const said = [
        denial('160244002', 'No known allergies'),
        denial('787481004', 'No known medications'),
        denial('160245001', 'No known problems'),
      ];
      const body = factsDocument(service, ...said);
      succeeded(await service.call(made.credentials, 'POST', `/records/${other}/documents/`, { body }));
      const text = readable(await (await enterSite(service, OWNER, 'de')).open(`/my/records/${other}/paper`));
      expect(text).to.contain('Keine Allergien bekannt No known allergies');
      expect(text).to.contain('Keine Medikamente bekannt').and.to.contain('Keine Erkrankungen bekannt');
      expect(text).to.not.contain('obwohl');
    });

    it(`has letters of many countries of one kind, and says which it lacks${note}`, reading, async () => {
      const fonts = (pdf: Buffer): readonly string[] => [
        ...new Set([...pdf.toString('latin1').matchAll(/\/BaseFont \/\w+\+([A-Za-z]+)/g)].map(([, name]) => name!)),
      ];
      const textOf = (pdf: Buffer): string => pagesOf(pdf).join(' ').replace(/\s+/g, ' ');
      const boxes = 'Some letters are printed as empty boxes';
      const before = await pdfAt(made.owner, `${base}/paper.pdf`);
      expect(textOf(before)).to.not.contain(boxes);
      await made.store(factsDocument(service, factOf('Problem', { name_title: 'Łuszczyca, Ψωρίαση, Глеб' })));
      const pdf = await pdfAt(made.owner, `${base}/paper.pdf?kind=problems`);
      expect(fonts(pdf)).to.include(['NotoSansLatin', 'NotoSansGreek', 'NotoSansCyrillic']);
      expect(fonts(pdf).filter((name) => !name.startsWith('NotoSans'))).to.equal([]);
      expect(textOf(pdf)).to.contain('Łuszczyca').and.to.contain('Ψωρίαση').and.to.contain('Глеб');
      expect(textOf(pdf)).to.not.contain(boxes);
      await made.store(factsDocument(service, factOf('Problem', { name_title: '葡萄糖' })));
      expect(textOf(await pdfAt(made.owner, `${base}/paper.pdf?kind=problems`))).to.contain(boxes);
    });
  });
}

describe('an installation without the compiler', () => {
  it('says so on the page, and makes no PDF', async () => {
    const service = await startService(databases[0]!, {}, { paper: false });
    try {
      const { owner, recordId } = await makeSiteRecord(service);
      const page = await owner.open(`/my/records/${recordId}/paper`);
      expect(readable(page)).to.contain('cannot make PDFs').and.to.contain('Nothing is known about this.');
      expect(page.text).to.not.contain('paper.pdf');
      expect((await owner.get(`/my/records/${recordId}/paper.pdf`)).status).to.equal(503);
    } finally {
      await service.stop();
    }
  });
});

describe('a text of a source on paper', () => {
  it('keeps its direction in a line of the other one, and its numbers theirs', () => {
    expect(isolated('Asthma', 'ltr')).to.equal('Asthma');
    expect(isolated('Asthma 132 / 82', 'rtl')).to.equal('\u2068Asthma 132 / 82\u2069');
    for (const dir of ['ltr', 'rtl'] as const) {
      expect(isolated('سكر', dir)).to.equal('\u2068سكر\u2069');
      expect(isolated('كان 132 / 82 mmHg', dir)).to.equal('\u2068كان \u2066132 / 82\u2069 mmHg\u2069');
    }
    expect(isolated('', 'rtl')).to.equal('');
  });
});

describe('a template of paper', () => {
  const failing = async (template: string): Promise<string> => {
    try {
      await printPaper({ template, data: '{}', at: 0 });
    } catch (error) {
      expect(error).to.be.instanceOf(PrintFailure);
      return (error as Error).message;
    }
    return 'printed';
  };

  it('reads no files and no packages, and its faults have a line', async () => {
    expect(await failing('Hello')).to.equal('printed');
    expect(await failing('a\n#import "@preview/cetz:0.1.0": *')).to.contain('2: packages are not fetched');
    expect(await failing('#read("/etc/hostname")')).to.not.equal('printed');
    expect(await failing('#read("../../etc/hostname")')).to.not.equal('printed');
    expect(await failing('\n\n#nothing-of-that-name')).to.match(/^1: unknown variable/);
  });
});

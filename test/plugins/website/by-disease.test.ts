/** by-disease: vaccinations stand under each disease that their code or name says, but for those that were refused. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { diseasesOf } from '../../../plugins/website/words/diseases';
import { sqliteMemory } from '../../support/databases';
import { readable } from '../../support/site';
import { factOf, factsDocument, makeSiteRecord, type SiteRecord } from '../../support/site-record';
import { startService, type TestService } from '../../support/server';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('vaccinations by disease', () => {
  let service: TestService;
  let made: SiteRecord;

  before(async () => {
    service = await startService(sqliteMemory);
    made = await makeSiteRecord(service);
  });
  after(() => service.stop());

  it('knows the diseases of a vaccine by name, by code of CVX and by code of ATC, and guesses none', () => {
    const against = (title: string, more: Readonly<Record<string, string>> = {}): string =>
      diseasesOf({ __modelname__: 'Immunization', product_name_title: title, ...more }).join(' ');
    const cvx = (code: string) => ({
      product_name_identifier: code,
      product_name_system: 'http://hl7.org/fhir/sid/cvx',
    });
    for (const [title, diseases] of [
      ['Influenza, seasonal', 'influenza'],
      ['Haemophilus influenzae type b', 'hib'],
      ['Haemophilus influenza b', 'hib'],
      ['Tdap', 'tetanus diphtheria pertussis'],
      ['Td (adult)', 'tetanus diphtheria'],
      ['DTaP-Hep B-IPV', 'tetanus diphtheria pertussis polio hepatitis-b'],
      ['MMRV', 'measles mumps rubella varicella'],
      ['Rubella (German measles)', 'rubella'],
      // In English rubeola is measles, in Spanish it is rubella.
      ['Measles (rubeola) virus', 'measles'],
      ['Rubeola', 'measles'],
      ['Vacuna contra la rubeola', 'rubella'],
      ['Hepatitis A and B', 'hepatitis-a hepatitis-b'],
      ['Varicella-zoster, live', 'varicella'],
      ['Zoster, recombinant', 'zoster'],
      ['Tetanus immune globulin', ''],
      ['Tuberculin skin test', ''],
      ['Typhus', ''],
      ['FSME-Impfung', 'tbe'],
      ['لقاح الإنفلونزا', 'influenza'],
      ['Something new', ''],
    ] as const) {
      expect(against(title), title).to.equal(diseases);
    }
    expect(against('V', cvx('08'))).to.equal('hepatitis-b');
    expect(against('V', cvx('115'))).to.equal('tetanus diphtheria pertussis');
    expect(against('V', { product_name_identifier: '08' })).to.equal('');
    expect(against('V', { product_name_identifier: 'J07BA01' })).to.equal('tbe');
    expect(against('V', { target_disease: 'Gelbfieber' })).to.equal('yellow-fever');
  });

  it('shows what is written down by disease with its days, and nothing as given or due', async () => {
    const shot = (title: string, date: string, more: Readonly<Record<string, string>> = {}): string =>
      factOf('Immunization', { product_name_title: title, date: `${date}T00:00:00Z`, ...more });
    await made.store(
      factsDocument(
        service,
        shot('Tdap', '2015-05-04'),
        shot('Tetanus toxoid', '2005-03-01'),
        shot('Rabies', '2020-01-01', { status_title: 'not-done' }),
        shot('Own mixture', '2019-02-03'),
      ),
    );
    const page = await made.owner.get(`/my/records/${made.recordId}/list/Immunization`);
    const part = /<h2>By disease[^]*?<\/section>/.exec(page.text)![0];
    const said = readable({ ...page, text: `<main>${part}</main>` });
    const list = readable(await made.owner.get(`/my/records/${made.recordId}/list/Immunization`));
    expect(list, 'the day of the dose').to.match(/Tdap ?4 May 2015/);
    expect(list, 'the newest first').to.match(
      /Own mixture ?3 February 2019.*Tdap ?4 May 2015.*Tetanus toxoid ?1 March 2005/,
    );
    expect(said).to.match(/Tetanus ?4 May 2015 ?1 March 2005 ?2 doses/);
    expect(said).to.match(/Whooping cough ?4 May 2015 ?1 dose/);
    expect(said).to.contain('Own mixture').and.to.contain('Vaccinations in this record');
    expect(said).to.not.match(/Rabies|\bgiven\b/);
  });

  it('names the day of a dose and not that of the paper in which it stands', async () => {
    const dose = (name: string, more: string): string =>
      `<entry><resource><Immunization xmlns="http://hl7.org/fhir"><status value="completed"/><vaccineCode>` +
      `<text value="${name}"/></vaccineCode><patient><display value="Mira Halvorsen"/></patient>${more}</Immunization></resource></entry>`;
    await made.store(
      `<Bundle xmlns="http://hl7.org/fhir"><type value="document"/><timestamp value="2024-09-21T10:00:00Z"/><entry><resource>` +
        `<Composition><status value="final"/><type><text value="Summary"/></type><date value="2024-09-21T10:00:00Z"/>` +
        `<title value="Summary"/></Composition></resource></entry>` +
        dose('Yellow fever vaccine', '<occurrenceDateTime value="1998-12-15"/>') +
        dose('Rotavirus vaccine', '<occurrenceString value="as a child"/>') +
        `</Bundle>`,
    );
    const text = readable(await made.owner.get(`/my/records/${made.recordId}/list/Immunization`));
    expect(text)
      .to.match(/Yellow fever ?15 December 1998 ?1 dose/)
      .and.to.match(/Rotavirus ?as a child ?1 dose/);
    expect(text)
      .to.match(/Yellow fever vaccine ?15 December 1998/)
      .and.to.not.contain('21 September 2024');
  });
});

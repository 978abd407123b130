/**
 * details: the form of the person's own details: a new version of the demographics document, which every door follows,
 * and in which nothing is lost that the form does not show.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { direct } from '../../support/direct';
import type { Credentials } from '../../support/client';
import { databases } from '../../support/databases';
import { FHIR_APP } from '../../support/fhir';
import { formsOf, makeSite, readable, type Site, type SitePage } from '../../support/site';
import { mintSmartToken } from '../../support/smart';
import { startService, type TestService } from '../../support/server';
import { createAccount, createRecord, PASSWORD, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after, beforeEach } = lab;

const OLGA = 'olga@people.example';
const PAUL = 'paul@people.example';
const NS = 'https://svc.example/vocab/xml/documents#';
const WHOLE = `<Demographics xmlns="${NS}"><dateOfBirth>1968-04-23</dateOfBirth><gender>female</gender>
<email>olga@mail.example</email><ethnicity>Norwegian</ethnicity><preferredLanguage>en</preferredLanguage><race>white</race>
<Name><familyName>Okonkwo</familyName><givenName>Olga</givenName><middleName>Solveig</middleName><prefix>Dr</prefix>
<suffix>PhD</suffix></Name><Telephone><type>c</type><number>555-0142</number><preferred>true</preferred></Telephone>
<Telephone><type>w</type><number>555-0187</number></Telephone><Address><country>USA</country><city>Springfield</city>
<postalCode>01105</postalCode><region>MA</region><street>17 Quarry Lane</street></Address></Demographics>`;
const ADDED = {
  blood: 'A+',
  contacts: 'Tom <b>Lee</b>, husband, +49 170 555 0142\r\n\r\n  Ruth   Sand ',
  insurance: 'Fictional & Co, A123',
};

type Values = Readonly<Record<string, unknown>>;

for (const leg of databases) {
  describe(`details on ${leg.name}`, () => {
    let service: TestService;
    let hers: Exclude<Credentials, null>;
    let [olga, paul]: Site[] = [];
    let record = '';

    const enter = async (id: string): Promise<Site> => {
      const site = makeSite(service.running.server);
      await site.submit(await site.open('/my/sign-in'), { username: id, password: PASSWORD });
      return site;
    };
    const at = (): string => `/my/records/${record}/details`;
    const open = (): Promise<SitePage> => olga!.open(at());
    const get = async (path: string): Promise<string> =>
      succeeded(await service.call(hers, 'GET', `/records/${record}/${path}`)).text;
    const values = async (): Promise<Values> => {
      const { __documentid__: _document, ...rest } = (
        JSON.parse(await get('demographics?response_format=application/json')) as Values[]
      )[0]!;
      return rest;
    };
    const versions = async (): Promise<number> =>
      (await direct(service.services.database)('document').where({ record_id: record })).length;
    const saved = async (fields: Readonly<Record<string, string>>): Promise<SitePage> => {
      const page = await olga!.submit(await open(), fields, 'name="version"');
      expect(page.status, readable(page)).to.equal(200);
      expect(readable(page)).to.contain('Saved');
      return page;
    };

    before(async () => {
      service = await startService(leg, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
      await createAccount(service.call, OLGA, 'Olga Okonkwo');
      await createAccount(service.call, PAUL, 'Paul Poole');
      hers = await signIn(service.call, OLGA);
      [olga, paul] = [await enter(OLGA), await enter(PAUL)];
    });
    beforeEach(async () => {
      record = await createRecord(service.call, OLGA, 'Olga', 'Okonkwo');
      succeeded(await service.call(hers, 'PUT', `/records/${record}/demographics`, { body: WHOLE }));
    });
    after(() => service.stop());

    it('mends a wrong birth date and nothing else, as a new version', async () => {
      const [was, count] = [await values(), await versions()];
      await saved({ born: '1968-04-24' });
      expect(await values()).to.equal({ ...was, bday: '1968-04-24' });
      expect(await versions()).to.equal(count + 1);
      expect(await values()).to.include({ tel_1_type: 'c', tel_1_preferred_p: true, name_middle: 'Solveig' });
    });

    it('is followed by every door', async () => {
      await saved({ ...ADDED, given: 'Ólga', born: '1968-04-24', street: '1 New Road' });
      const overview = await olga!.open(`/my/records/${record}/`);
      for (const words of [
        'Ólga Okonkwo',
        '24 April 1968',
        '1 New Road',
        'Blood group A+',
        'Tom <b>Lee</b>',
        'Fictional & Co',
      ]) {
        expect(readable(overview)).to.contain(words);
      }
      expect(overview.text).not.to.contain('<b>Lee</b>');
      expect(await get('demographics?response_format=application/xml')).to.contain(
        '<Field name="blood_group">A+</Field>',
      );
      const rdf = await get('demographics');
      expect(rdf).to.contain('bloodGroup>A+<').and.to.contain('Fictional &amp; Co, A123');
      const ccr = await get('reports/experimental/ccr');
      expect(ccr).to.contain('<ExactDateTime>1968-04-24</ExactDateTime>').and.to.contain('<Value>A+</Value>');
      const token = await mintSmartToken(service, { account: OLGA, app: FHIR_APP, scopes: 'patient/*.rs', record });
      const fhir = async (path: string): Promise<string> => {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await service.running.server.inject({ url: `/fhir/Patient/${record}${path}`, headers });
        expect(answer.statusCode, answer.payload).to.equal(200);
        return answer.payload;
      };
      const patient = JSON.parse(await fhir('')) as Values;
      expect(patient['birthDate']).to.equal('1968-04-24');
      expect(patient['contact']).to.equal([
        {
          relationship: [
            {
              coding: [
                {
                  system: 'http://terminology.hl7.org/CodeSystem/v2-0131',
                  code: 'C',
                  display: 'Emergency Contact',
                },
              ],
            },
          ],
          name: { text: 'Tom <b>Lee</b>, husband' },
          telecom: [{ system: 'phone', value: '+49 170 555 0142' }],
        },
        {
          relationship: [
            {
              coding: [
                {
                  system: 'http://terminology.hl7.org/CodeSystem/v2-0131',
                  code: 'C',
                  display: 'Emergency Contact',
                },
              ],
            },
          ],
          name: { text: 'Ruth Sand' },
        },
      ]);
      const summary = await fhir('/$summary');
      expect(summary).to.contain('1968-04-24').and.to.contain('Fictional & Co, A123');
    });

    it('leaves the answers of the interface as they were where nothing was added', async () => {
      const before22 = await values();
      const rdf = await get('demographics');
      expect(Object.keys(before22).filter((name) => name !== '__modelname__')).to.have.length(22);
      expect(rdf).not.to.contain('xmlns:svc');
      await saved(ADDED);
      expect(Object.keys(await values())).to.have.length(Object.keys(before22).length + 3);
      await saved({ blood: '', contacts: '', insurance: '' });
      expect(await values()).to.equal(before22);
      expect(await get('demographics')).to.equal(rdf);
    });

    it('keeps what was typed, and stores nothing, when something is wrong', async () => {
      const count = await versions();
      const wrong: readonly (readonly [string, string])[] = [
        ['born', '2999-01-01'],
        ['born', 'yesterday'],
        ['family', ' '],
        ['sex', 'x'],
        ['telephone', '1'.repeat(21)],
        ['postalcode', '1'.repeat(13)],
        ['street', 'x'.repeat(256)],
        ['blood', 'blue'],
        ['contacts', Array.from({ length: 6 }, (_, at_) => `Person ${at_}`).join('\n')],
        ['contacts', 'x'.repeat(201)],
        ['insurance', 'x'.repeat(256)],
      ];
      for (const [name, value] of wrong) {
        const page = await olga!.submit(await open(), { [name]: value, city: 'Kept' }, 'name="version"');
        expect(page.status, name).to.equal(400);
        expect(page.text, name).to.contain(`href="#field-${name}"`).and.to.contain('value="Kept"');
      }
      expect(await versions()).to.equal(count);
    });

    it('makes one version of a form that was sent twice, and none of a form that changes nothing', async () => {
      const [page, count] = [await open(), await versions()];
      for (const _time of [1, 2]) {
        expect((await olga!.submit(page, { born: '1970-01-01' }, 'name="version"')).status).to.equal(200);
      }
      await saved({});
      expect(await versions()).to.equal(count + 1);
    });

    it('loses nothing that was changed meanwhile', async () => {
      const old = await open();
      await saved({ insurance: 'First' });
      const late = await olga!.submit(old, { city: 'Second' }, 'name="version"');
      expect(late.status).to.equal(409);
      expect(late.text).to.contain('value="First"').and.to.contain('value="Springfield"');
      expect(await values()).to.include({ insurance: 'First', adr_city: 'Springfield' });
    });

    it('makes the first document of a record that has none', async () => {
      const database = direct(service.services.database);
      await database('demographics').where({ record_id: record }).delete();
      await database('record').where({ id: record }).update({ demographics_lineage_id: null });
      await saved({ given: '', family: 'Okonkwo', born: '1968-04-23', sex: 'female' });
      expect(await values()).to.include({ name_family: 'Okonkwo', bday: '1968-04-23' });
    });

    it('is there for nobody else, and takes no form without the crumb', async () => {
      expect((await paul!.get(at())).status).to.equal(404);
      const page = await open();
      const { fields } = formsOf(page).find(({ html }) => html.includes('name="version"'))!;
      const before22 = await values();
      const stolen = await paul!.post(at(), { ...fields, crumb: paul!.cookies.get('crumb')!, family: 'Poole' });
      expect(stolen.status).to.equal(404);
      expect((await olga!.post(at(), { ...fields, crumb: 'x', family: 'Poole' })).status).to.equal(403);
      expect(await values()).to.equal(before22);
    });
  });
}

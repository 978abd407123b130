/**
 * reading status: the status that a source gives a reading is kept, found and returned; where it gives none, none is
 * invented.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { factTables } from '../../../core/facts/model/fact-tables';
import { reprocess } from '../../../core/pipeline/reprocess';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';
import { succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NS = 'https://svc.example/vocab/xml/documents#';
const LOINC = 'http://loinc.org';
const CATEGORY = 'http://terminology.hl7.org/CodeSystem/observation-category';
const UCUM = 'http://unitsofmeasure.org';
const TIME = '2024-05-06T07:08:09Z';
const quantity = (value: number, unit: string): Read => ({ value, unit, system: UCUM, code: unit });
const code = (loinc: string): Read => ({ coding: [{ system: LOINC, code: loinc }] });
const hospital = readFileSync(inProject('pipeline-config/ccda/sample-hospital.xml'), 'utf8');
/** The C-CDA sample with another status of one statement; undefined removes the status. */
const withStatus = (text: string, extension: string, status?: string): string =>
  text.replace(
    new RegExp(`(extension="${extension}"/>\\s*<code [^>]*/>\\s*)<statusCode code="completed"/>`),
    (_whole, begin: string) => begin + (status === undefined ? '' : `<statusCode code="${status}"/>`),
  );

for (const leg of databases) {
  describe(`the status of readings on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const observation = (id: string, status: string, more: Read): Read => ({
      resourceType: 'Observation',
      id,
      status,
      category: [{ coding: [{ system: CATEGORY, code: 'vital-signs' }] }],
      subject: { reference: `Patient/${ground.recordId}` },
      effectiveDateTime: TIME,
      ...more,
    });
    const find = async (query: string): Promise<readonly Read[]> =>
      (((await ground.get(`/Observation?${query}`))['entry'] as Read[] | undefined) ?? [])
        .filter(({ search }) => search.mode === 'match')
        .map(({ resource }) => resource as Read);
    const said = (found: readonly Read[]): readonly string[] =>
      found.map((one) => `${one['code'].coding[0].code} ${one['status']}`).sort();
    const report = async (path: string): Promise<string> =>
      succeeded(await ground.service.call(ground.alice, 'GET', `/records/${ground.recordId}/reports/${path}`)).text;
    const vitals = async (document: string): Promise<readonly Read[]> =>
      (JSON.parse(await report('VitalSigns/?limit=100&order_by=date')) as Read[]).filter(
        (fact) => fact['__documentid__'] === document,
      );

    it('keeps apart what differs in it, and gives back what came', async () => {
      const entries = [
        observation('pulse', 'final', { code: code('8867-4'), valueQuantity: quantity(61, '/min') }),
        observation('breath', 'preliminary', { code: code('9279-1'), valueQuantity: quantity(15, '/min') }),
        observation('weight', 'cancelled', { code: code('29463-7'), valueQuantity: quantity(73, 'kg') }),
        observation('height', 'corrected', { code: code('8302-2'), valueQuantity: quantity(171, 'cm') }),
        observation('wrong', 'entered-in-error', { code: code('8310-5'), valueQuantity: quantity(37, 'Cel') }),
        observation('head', 'amended', { code: code('9843-4'), valueQuantity: quantity(55, 'cm') }),
        observation('pressure', 'final', {
          code: code('85354-9'),
          component: [
            { code: code('8480-6'), valueQuantity: quantity(132, 'mm[Hg]') },
            { code: code('8462-4'), valueQuantity: quantity(84, 'mm[Hg]') },
          ],
        }),
      ];
      const answer = await ground.call('', {
        method: 'POST',
        body: JSON.stringify({
          resourceType: 'Bundle',
          type: 'collection',
          entry: entries.map((resource) => ({ fullUrl: `urn:x:${String(resource['id'])}`, resource })),
        }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.text).to.contain('the sender took it back as an error');
      const all = await find('category=vital-signs');
      expect(said(all)).to.equal([
        '29463-7 cancelled',
        '8302-2 corrected',
        '8310-5 entered-in-error',
        '85354-9 final',
        '8867-4 final',
        '9279-1 preliminary',
        '9843-4 amended',
      ]);
      expect(said(await find('category=vital-signs&status=final'))).to.equal(['85354-9 final', '8867-4 final']);
      expect(said(await find('status=amended,cancelled'))).to.equal(['29463-7 cancelled', '9843-4 amended']);
      expect(said(await find('component-code=8480-6&status=final'))).to.equal(['85354-9 final']);
      expect(said(await find('status=entered-in-error'))).to.equal(['8310-5 entered-in-error']);
      expect(await find('status=unknown')).to.equal([]);
      const facts = JSON.parse(await report('VitalSigns/?status_identifier=final')) as Read[];
      expect(facts.map((fact) => [fact['heart_rate_value'], fact['bp_systolic_value']])).to.equal([[61, 132]]);
    });

    it('finds as unknown what nobody said, and shows no status of it', async () => {
      await ground.put(
        `<Models xmlns="${NS}"><Model name="VitalSigns"><Field name="date">2020-01-01T00:00:00Z</Field>` +
          '<Field name="temperature_value">37.5</Field><Field name="temperature_unit">Cel</Field></Model>' +
          '<Model name="Measurement"><Field name="type">HBA1C</Field><Field name="value">6</Field></Model></Models>',
      );
      expect(said(await find('status=unknown'))).to.equal(['4548-4 unknown', '8310-5 unknown']);
      expect(said(await find(`code=${LOINC}|8310-5&status=unknown`))).to.equal(['8310-5 unknown']);
      const refused = await ground.call('/Observation?status:wrong=final', {
        headers: { prefer: 'handling=strict' },
      });
      expect(refused.status).to.equal(400);
      expect(issueOf(refused)['severity']).to.equal('error');
      const items = (await report('minimal/vitals/temperature/')).split('<Item>')[1]!;
      expect(items).to.contain('37.5').and.to.not.contain('<status');
      expect(await report('minimal/measurements/HBA1C/')).to.not.contain('status=');
    });

    it('says the state in reports, beside what the older documents have', async () => {
      const final = await report('minimal/vitals/heart_rate/');
      expect(final).to.match(/<VitalSign>[^]*<value>61<\/value>[^]*<status [^>]*value="final"[^>]*>Final<\/status>/);
      expect(await report('minimal/measurements/9843-4/')).to.contain('status="Amended"');
      const ccr = await report('experimental/ccr');
      expect(ccr).to.contain('<Text>Cancelled</Text>').and.to.contain('<Text>Amended</Text>');
      expect(await report('VitalSigns/?response_format=application/rdf%2Bxml')).to.contain('Preliminary');
    });

    it('is read from the statusCode of C-CDA: each reading has its own', async () => {
      const text = withStatus(withStatus(withStatus(hospital, 'V3', 'active'), 'V4', 'aborted'), 'V5');
      const facts = await vitals(await ground.put(text));
      expect(
        facts.map((fact) => [fact['status_identifier'], fact['status_title'], fact['bp_systolic_value']]),
      ).to.include([
        ['completed', 'Final', 168],
        ['active', 'Preliminary', null],
        ['aborted', 'Stopped', 126],
        [null, null, null],
      ]);
      const found = await find('date=2022-06-14&category=vital-signs');
      expect(said(found)).to.include(['85354-9 final', '8867-4 preliminary']);
      expect(said(await find('date=2022-06-19&status=cancelled'))).to.equal(['85354-9 cancelled']);
      expect(said(await find('date=2022-06-19&status=unknown'))).to.equal(['85354-9 unknown']);
    });

    it('leaves what was taken back out of the summary, which tells the latest reading before it', async () => {
      const weights = [
        { status: 'final', effectiveDateTime: '2030-01-01T08:00:00Z', valueQuantity: quantity(71, 'kg') },
        { status: 'cancelled', effectiveDateTime: '2030-02-01T08:00:00Z', valueQuantity: quantity(710, 'kg') },
      ].map((one, n) => ({
        fullUrl: `urn:x:weight-${n}`,
        resource: { ...observation(`weight-${n}`, one.status, { code: code('29463-7') }), ...one },
      }));
      const answer = await ground.call('', {
        method: 'POST',
        body: JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: weights }),
        headers: { 'content-type': 'application/fhir+json' },
      });
      expect(answer.status, answer.text).to.equal(201);
      const summary = (await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'] as readonly Read[];
      const told = summary
        .map(({ resource }) => resource as Read)
        .filter((one) => one['resourceType'] === 'Observation');
      const ofWeight = told.filter((one) => one['code'].coding[0].code === '29463-7');
      expect(ofWeight.map((one) => [one['status'], one['valueQuantity'].value])).to.equal([['final', 71]]);
      expect(said(told).filter((one) => /cancelled|entered-in-error/.test(one))).to.equal([]);
    });

    it('comes to documents that were stored before when they are reprocessed', async () => {
      const document = await ground.put(hospital);
      const { database, contents, reader, models } = ground.service.services;
      const knex = direct(database);
      const none = { status_identifier: null, status_title: null, status_system: null };
      await knex('fact_vitalsigns').where({ _document_id: document }).update(none);
      await knex('document').where({ id: document }).update({ fingerprint: 'an older configuration' });
      const tools = { database, contents, reader, tables: factTables(models()), models };
      expect((await reprocess(tools, {}, () => undefined)).done).to.equal(1);
      const statuses = (await vitals(document)).map((fact) => fact['status_identifier'] as string);
      expect(new Set(statuses)).to.equal(new Set(['completed']));
    });

    it('leaves out what was taken back, alone or as a whole, and says so', async () => {
      const one = await ground.put(withStatus(hospital, 'V3', 'nullified'));
      expect((await vitals(one)).some((fact) => fact['heart_rate_value'] !== null)).to.be.false();
      for (const [status, reason] of [
        ['nullified', 'entered_in_error'],
        ['cancelled', 'cancelled'],
      ] as const) {
        const whole = await ground.put(withStatus(hospital, 'V', status));
        expect(await vitals(whole)).to.equal([]);
        const meta = await ground.service.call(
          ground.alice,
          'GET',
          `/records/${ground.recordId}/documents/${whole}/meta`,
        );
        expect(meta.text).to.contain(`reason="${reason}"`);
      }
    });
  });
}

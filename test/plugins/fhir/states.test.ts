/**
 * states: notes, devices and vaccines are returned with the status that their source gives, and the text of a summary
 * says it, too.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../../support/databases';
import { issueOf, startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const VERIFICATION = 'http://terminology.hl7.org/CodeSystem';

for (const leg of databases) {
  describe(`states at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const send = (resource: Read) =>
      ground.call(`/${resource['resourceType'] as string}`, {
        method: 'POST',
        body: JSON.stringify(resource),
        headers: { 'content-type': 'application/fhir+json' },
      });
    const post = async (resource: Read): Promise<Read> => {
      const answer = await send(resource);
      expect(answer.status, answer.text).to.equal(201);
      return JSON.parse(answer.text) as Read;
    };
    const whose = (): Read => ({ reference: `Patient/${ground.recordId}` });
    const count = async (query: string): Promise<number> =>
      (await ground.get(`/${query}&_summary=count`))['total'] as number;

    it('says of a problem that is not certain by its words alone that it is not confirmed', async () => {
      const made = await post({ resourceType: 'Condition', code: { text: 'R/O pneumonia' }, subject: whose() });
      const unconfirmed = { system: `${VERIFICATION}/condition-ver-status`, code: 'unconfirmed' };
      expect(made['verificationStatus']).to.equal({ coding: [unconfirmed] });
      expect(await count('Condition?verification-status=unconfirmed')).to.equal(1);
      const sure = { coding: [{ ...unconfirmed, code: 'confirmed' }] };
      const other = { resourceType: 'Condition', code: { text: 'Suspected gout' }, subject: whose() };
      expect((await post({ ...other, verificationStatus: sure }))['verificationStatus']).to.equal(sure);
      const asthma = await post({ resourceType: 'Condition', code: { text: 'Asthma' }, subject: whose() });
      expect(asthma['verificationStatus']).to.be.undefined();
    });

    it('gives a note the status, code, category and author of its report, and finds it by them', async () => {
      const radiology = { system: 'http://loinc.org', code: 'LP29684-5', display: 'Radiology' };
      const code = { system: 'http://loinc.org', code: '30745-4', display: 'XR Chest Views' };
      const states = ['registered', 'partial', 'preliminary', 'final', 'amended', 'corrected', 'appended', 'cancelled'];
      for (const status of [...states, 'unknown']) {
        const made = await post({
          resourceType: 'DiagnosticReport',
          status,
          category: [{ coding: [radiology] }],
          code: { coding: [code] },
          subject: whose(),
          performer: [{ display: 'Dr. Okafor' }],
          conclusion: `No sign of pneumonia, ${status}.`,
        });
        expect(made['status']).to.equal(status);
        expect([made['category'], made['code']]).to.equal([[{ coding: [radiology] }], { coding: [code] }]);
        expect(made['performer']).to.equal([{ display: 'Dr. Okafor' }]);
        expect(made['meta'].profile).to.equal([
          'http://hl7.org/fhir/us/core/StructureDefinition/us-core-diagnosticreport-note',
        ]);
        expect(await count(`DiagnosticReport?status=${status}`)).to.equal(1);
      }
      expect(await count('DiagnosticReport?code=http://loinc.org%7C30745-4')).to.equal(states.length + 1);
      expect(await count('DiagnosticReport?category=LP29684-5')).to.equal(states.length + 1);
      const withdrawn = await post({
        resourceType: 'DiagnosticReport',
        status: 'entered-in-error',
        code: { text: 'X-ray' },
        subject: whose(),
        conclusion: 'Nothing.',
      });
      expect(withdrawn['status']).to.equal('entered-in-error');
    });

    it('gives a device the state that its source says, also where that speaks of its use', async () => {
      for (const [status, out] of [
        ['active', 'active'],
        ['inactive', 'inactive'],
        ['unknown', 'unknown'],
        [undefined, undefined],
      ] as const) {
        const made = await post({
          resourceType: 'Device',
          ...(status === undefined ? {} : { status }),
          type: { text: `Pump ${status ?? ''}` },
          patient: whose(),
        });
        expect(made['status']).to.equal(out);
      }
      for (const status of ['active', 'completed', 'stopped', 'intended', 'on-hold']) {
        const made = await post({
          resourceType: 'DeviceUseStatement',
          status,
          subject: whose(),
          timingPeriod: { start: '2024-01-01' },
          device: { display: `Cane ${status}` },
        });
        expect([made['resourceType'], made['status']]).to.equal(['DeviceUseStatement', status]);
      }
      expect(await count('Device?status=inactive')).to.equal(1);
      expect(await count(`DeviceUseStatement?patient=${ground.recordId}`)).to.equal(5);
      const uses = ((await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'] as readonly Read[])
        .map(({ resource }) => resource as Read)
        .filter(({ resourceType }) => resourceType === 'DeviceUseStatement');
      expect(uses.filter(({ status }) => status === 'active').length).to.equal(2);
      expect(uses.filter(({ status }) => status === 'completed').length).to.equal(2);
    });

    it('says in the words of a summary what was refused, refuted or stopped', async () => {
      const refuted = (kind: string): Read => ({ coding: [{ system: `${VERIFICATION}/${kind}`, code: 'refuted' }] });
      await post({
        resourceType: 'Immunization',
        status: 'not-done',
        statusReason: { text: 'fear of needles' },
        vaccineCode: { text: 'MMR' },
        patient: whose(),
        occurrenceDateTime: '2024-01-01',
      });
      await post({
        resourceType: 'Immunization',
        status: 'completed',
        vaccineCode: { text: 'Tetanus' },
        patient: whose(),
        occurrenceDateTime: '2023-01-01',
      });
      await post({
        resourceType: 'Condition',
        verificationStatus: refuted('condition-ver-status'),
        code: { text: 'Lupus' },
        subject: whose(),
      });
      await post({
        resourceType: 'AllergyIntolerance',
        verificationStatus: refuted('allergyintolerance-verification'),
        criticality: 'high',
        code: { text: 'Penicillin' },
        patient: whose(),
        reaction: [{ manifestation: [{ text: 'Hives' }], severity: 'severe' }],
      });
      await post({
        resourceType: 'MedicationStatement',
        status: 'stopped',
        medicationCodeableConcept: { text: 'Warfarin' },
        subject: whose(),
        effectivePeriod: { start: '2020-01-01', end: '2021-01-01' },
        dosage: [{ text: 'once a day' }],
      });
      await post({
        resourceType: 'DiagnosticReport',
        status: 'final',
        code: { text: 'Letter' },
        subject: whose(),
        conclusion: 'x'.repeat(400),
      });
      const composition = (await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'][0].resource as Read;
      const words = (composition['section'] as readonly Read[]).map(({ text }) => text.div as string).join('');
      for (const line of [
        'MMR, not done, fear of needles, 2024-01-01',
        'Tetanus, 2023-01-01',
        'Lupus, refuted',
        'Penicillin, refuted, high risk, Hives (severe)',
        'Warfarin, stopped, once a day, 2020-01-01 until 2021-01-01',
        `Letter, ${'x'.repeat(300)}…`,
        'XR Chest Views, amended, No sign of pneumonia, amended.',
        'XR Chest Views, No sign of pneumonia, final.',
      ]) {
        expect(words).to.contain(`<li>${line}</li>`);
      }
    });

    it('says of a result without a value why there is none', async () => {
      const system = 'http://terminology.hl7.org/CodeSystem/data-absent-reason';
      const result = (more: Read): Promise<Read> =>
        post({
          resourceType: 'Observation',
          status: 'final',
          category: [
            { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'laboratory' }] },
          ],
          code: { text: 'Glucose' },
          subject: whose(),
          ...more,
        });
      for (const display of [undefined, 'Not Performed']) {
        const coding = [{ system, code: 'not-performed', ...(display === undefined ? {} : { display }) }];
        const made = await result({ dataAbsentReason: { coding } });
        expect(made['dataAbsentReason']).to.equal({ coding });
        expect(made['valueString']).to.be.undefined();
      }
      const summary = (await ground.get(`/Patient/${ground.recordId}/$summary`))['entry'][0].resource as Read;
      expect(JSON.stringify(summary['section'])).to.contain('<li>Glucose, not performed</li>');
      const said = await result({ valueString: 'not performed, sample lost' });
      expect([said['valueString'], said['dataAbsentReason']]).to.equal(['not performed, sample lost', undefined]);
    });

    it('refuses days that the calendar does not have, wherever a date stands', async () => {
      const condition = (onsetDateTime: string): Read => ({
        resourceType: 'Condition',
        code: { text: 'Asthma' },
        subject: whose(),
        onsetDateTime,
      });
      for (const day of ['2024-02-30', '2023-02-29', '1900-02-29', '2024-04-31T10:00:00Z', '0000-01-01']) {
        const answer = await send(condition(day));
        expect([day, answer.status]).to.equal([day, 400]);
        expect(issueOf(answer).code).to.equal('structure');
        expect(answer.text).to.contain('onsetDateTime');
      }
      for (const day of ['2024-02-29', '2000-02-29', '2024-02', '2024', '2024-12-31T23:59:59.123+14:00']) {
        const onset = (await post(condition(day)))['onsetDateTime'] as string;
        expect(onset.slice(0, 10)).to.equal(day.slice(0, 10));
      }
      expect((await post(condition('2016-12-31T23:59:60Z')))['onsetDateTime']).to.equal('2016-12-31T23:59:60Z');
    });
  });
}

/**
 * encounter-status: a visit is returned with the status that its document gives. Without one the status follows from
 * its end.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { databases } from '../../support/databases';
import { startFhir, type FhirGround, type Read } from '../../support/fhir';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const clinic = readFileSync(inProject('pipeline-config/ccda/sample-clinic-summary.xml'), 'utf8');
const VISIT = '<encounter classCode="ENC" moodCode="EVN">';
const TIME = '<low value="20240311090000-0500"/>\n                <high value="20240311094000-0500"/>';

for (const leg of databases) {
  describe(`the status of a visit, at /fhir on ${leg.name}`, () => {
    let ground: FhirGround;
    before(async () => {
      ground = await startFhir(leg);
    });
    after(() => ground.service.stop());

    const statusesOf = async (query: string): Promise<readonly string[]> =>
      (((await ground.get(`/Encounter?${query}&_sort=_lastUpdated`))['entry'] ?? []) as readonly Read[]).map(
        ({ resource }) => resource.status as string,
      );

    it('is what FHIR said of it, whenever it began and ended', async () => {
      const post = async (status: string, end: string): Promise<Read> => {
        const answer = await ground.call('/Encounter', {
          method: 'POST',
          body: JSON.stringify({
            resourceType: 'Encounter',
            status,
            class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
            subject: { reference: `Patient/${ground.recordId}` },
            period: { start: '2024-01-02T08:00:00Z', ...(end === '' ? {} : { end }) },
          }),
          headers: { 'content-type': 'application/fhir+json' },
        });
        expect(answer.status, answer.text).to.equal(201);
        return JSON.parse(answer.text) as Read;
      };
      for (const status of ['in-progress', 'arrived', 'triaged', 'onleave', 'unknown', 'finished']) {
        for (const end of ['2024-01-03T08:00:00Z', '2190-01-03T08:00:00Z', '']) {
          const made = await post(status, end);
          expect([status, end, made['status'], made['period'].end ?? '']).to.equal([status, end, status, end]);
        }
        expect(await statusesOf(`status=${status}`)).to.equal([status, status, status]);
      }
      expect((await statusesOf('status:not=finished')).length).to.equal(15);
      // An encounter that has not taken place is no visit of the lists, and goes out as it came.
      for (const status of ['planned', 'cancelled', 'entered-in-error']) {
        expect((await post(status, ''))['resourceType'], status).to.equal('Encounter');
        expect(await statusesOf(`status=${status}`)).to.equal([status]);
      }
    });

    it('is what a C-CDA said of it, and is told from its end where that says nothing', async () => {
      expect([clinic.split(VISIT).length, clinic.split(TIME).length]).to.equal([2, 2]);
      const told = async (code: string, time: string): Promise<string | undefined> => {
        const status = code === '' ? '' : `<statusCode code="${code}"/>`;
        const text = clinic
          .replace(TIME, time)
          .replace(
            `              <effectiveTime>\n                ${time}`,
            (found) => `              ${status}${found.trim()}`,
          );
        expect(text).to.contain(`${status}<effectiveTime>`);
        const id = await ground.put(text);
        const entries = (await ground.get('/Encounter'))['entry'] as readonly Read[];
        const [visit, ...others] = entries.filter(({ resource }) => resource.meta.versionId === id);
        expect(others).to.equal([]);
        return visit?.['resource'].status as string | undefined;
      };
      const over = TIME;
      const open = '<low value="20240311090000-0500"/>';
      const later = '<low value="20240311090000-0500"/><high value="21900311094000-0500"/>';
      for (const [code, time, status] of [
        ['active', over, 'in-progress'],
        ['completed', open, 'finished'],
        ['aborted', over, 'unknown'],
        ['suspended', over, 'unknown'],
        ['', over, 'finished'],
        ['', open, 'unknown'],
        ['', later, 'unknown'],
      ] as const) {
        expect([code, time, await told(code, time)]).to.equal([code, time, status]);
      }
    });
  });
}

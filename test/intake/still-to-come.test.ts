/**
 * still to come: what has a date in the future has not happened, whatever its status says. Pages ask to check the date
 * and say of nothing that it was done or given; so does the patient summary.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { FHIR_APP } from '../support/fhir';
import { startService, type TestService } from '../support/server';
import { enterSite, OWNER } from '../support/site-record';
import { readable, type Site } from '../support/site';
import { mintSmartToken } from '../support/smart';
import { createAccount, createRecord, signIn, succeeded } from '../support/world';
import { oneSection } from './clinical-document';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const templates = '2.16.840.1.113883.10.20.22.4';
const patient = { reference: 'Patient/p' };

const vaccineOfFhir = (day: string): string =>
  JSON.stringify({
    resourceType: 'Immunization',
    status: 'completed',
    vaccineCode: { text: 'Influenza' },
    patient,
    occurrenceDateTime: day,
  });
const operationOfFhir = (day: string): string =>
  JSON.stringify({
    resourceType: 'Procedure',
    status: 'completed',
    code: { text: 'Appendectomy' },
    subject: patient,
    performedDateTime: day,
  });
const vaccineOfClinic = (day: string): string =>
  oneSection(
    '11369-6',
    `<substanceAdministration classCode="SBADM" moodCode="EVN"><templateId root="${templates}.52"/><statusCode ` +
      `code="completed"/><effectiveTime value="${day.replaceAll('-', '')}"/><consumable><manufacturedProduct>` +
      '<manufacturedMaterial><code nullFlavor="OTH"><originalText>Influenza</originalText></code>' +
      '</manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>',
  ).toString();
const operationOfClinic = (day: string): string =>
  oneSection(
    '47519-4',
    `<procedure classCode="PROC" moodCode="EVN"><templateId root="${templates}.14"/><code nullFlavor="OTH">` +
      '<originalText>Appendectomy</originalText></code><statusCode code="completed"/><effectiveTime ' +
      `value="${day.replaceAll('-', '')}"/></procedure>`,
  ).toString();

const senders = [
  ['Immunization', vaccineOfFhir, 'Dose given'],
  ['Immunization', vaccineOfClinic, 'Dose given'],
  ['Procedure', operationOfFhir, 'Completed'],
  ['Procedure', operationOfClinic, 'Completed'],
] as const;

describe('what has a date in the future', () => {
  let service: TestService;
  let owner: Site;

  before(async () => {
    service = await startService(databases[0]!, { SVC_RATE_ACCOUNT_PER_MINUTE: '0' });
    await createAccount(service.call, OWNER, 'Olga Openshaw');
    owner = await enterSite(service, OWNER);
  });
  after(() => service.stop());

  /** What the pages show of one document, and its line in the summary. */
  const shownOf = async (model: string, body: string): Promise<{ pages: readonly string[]; summary: string }> => {
    const recordId = await createRecord(service.call, OWNER, 'Mira', 'Halvorsen');
    const type = body.startsWith('{') ? 'application/fhir+json' : 'application/xml';
    const hers = await signIn(service.call, OWNER);
    succeeded(await service.call(hers, 'POST', `/records/${recordId}/documents/`, { body, type }));
    const pages: string[] = [];
    for (const path of [`data/${model}`, 'timeline']) {
      pages.push(readable(await owner.get(`/my/records/${recordId}/${path}`)));
    }
    const token = await mintSmartToken(service, {
      account: OWNER,
      app: FHIR_APP,
      scopes: 'patient/*.rs',
      record: recordId,
    });
    const headers = { authorization: `Bearer ${token}` };
    const summary = await service.call(null, 'GET', `/fhir/Patient/${recordId}/$summary`, { headers });
    return { pages, summary: summary.text };
  };
  it('is counted on the overview as planned, and to be checked there, too', async () => {
    for (const write of [vaccineOfFhir, vaccineOfClinic]) {
      const recordId = await createRecord(service.call, OWNER, 'Mira', 'Halvorsen');
      const body = write('2199-10-10');
      const type = body.startsWith('{') ? 'application/fhir+json' : 'application/xml';
      const hers = await signIn(service.call, OWNER);
      succeeded(await service.call(hers, 'POST', `/records/${recordId}/documents/`, { body, type }));
      const page = readable(await owner.get(`/my/records/${recordId}/`));
      expect(page).to.contain('1 that is planned and has not begun').and.to.contain('Please check: Date');
      expect(page).to.not.contain('Dose given');
      const lines = await service.call(hers, 'GET', `/records/${recordId}/lines/Immunization/`);
      expect(lines.text).to.contain('planned');
    }
  });

  const CHECK = 'this date is still to come; please check it';

  it('is not called done or given, and is to be checked', async () => {
    for (const [model, write, done] of senders) {
      const { pages, summary } = await shownOf(model, write('2199-10-10'));
      for (const page of pages) {
        expect(page, model).to.contain('Please check: Date').and.to.not.contain(done);
      }
      expect(summary, model).to.contain(CHECK);
    }
  });

  it('is unlike what has happened', async () => {
    for (const [model, write, done] of senders) {
      const { pages, summary } = await shownOf(model, write('2020-10-10'));
      for (const page of pages) {
        expect(page, model).to.contain(done).and.to.not.contain('Please check');
      }
      expect(summary, model).to.not.contain(CHECK);
    }
  });
});

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
import { loadConfig } from '../../core/config/load';
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

const administrationOfFhir = (day: string): string =>
  JSON.stringify({
    resourceType: 'MedicationAdministration',
    status: 'completed',
    medicationCodeableConcept: { text: 'Influenza' },
    subject: patient,
    effectiveDateTime: day,
  });
const namespace = `${loadConfig({}).vocabBase}/xml/documents#`;
const vaccineOfApp = (day: string): string =>
  `<Immunization xmlns="${namespace}"><dateAdministered>${day}T10:00:00Z</dateAdministered><vaccine><type>Influenza` +
  '</type></vaccine><administrationStatus value="doseGiven">Dose given</administrationStatus></Immunization>';
/** As tables become documents. */
const factOf = (model: string, fields: Readonly<Record<string, string>>): string =>
  `<Models xmlns="${namespace}"><Model name="${model}">` +
  `${Object.entries(fields)
    .map(([name, value]) => `<Field name="${name}">${value}</Field>`)
    .join('')}</Model></Models>`;
const vaccineInWords = (day: string): string =>
  factOf('Immunization', { product_name_title: 'Influenza', date: day, administration_status_title: 'Dose given' });
const operationInWords = (day: string): string =>
  factOf('Procedure', { name: 'Appendectomy', date_performed: day, status_title: 'Completed' });

const senders = [
  ['Immunization', vaccineOfFhir, 'Dose given'],
  ['Immunization', vaccineOfClinic, 'Dose given'],
  ['Immunization', vaccineOfApp, 'Dose given'],
  ['Immunization', vaccineInWords, 'Dose given'],
  ['Procedure', operationOfFhir, 'Completed'],
  ['Procedure', operationOfClinic, 'Completed'],
  ['Procedure', operationInWords, 'Completed'],
  ['Medication', administrationOfFhir, 'Completed'],
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

  const summaryFor = async (recordId: string): Promise<string> => {
    const options = { account: OWNER, app: FHIR_APP, scopes: 'patient/*.rs', record: recordId };
    const headers = { authorization: `Bearer ${await mintSmartToken(service, options)}` };
    return (await service.call(null, 'GET', `/fhir/Patient/${recordId}/$summary`, { headers })).text;
  };

  /** What the pages and the report in the form of a CCR show of what a record has, and its summary. */
  const shownIn = async (recordId: string, model: string) => {
    const pages: string[] = [];
    for (const path of [`data/${model}`, 'timeline']) {
      pages.push(readable(await owner.get(`/my/records/${recordId}/${path}`)));
    }
    const others: string[] = [];
    for (const path of ['search?q=Influenza', 'search?q=Appendectomy', '']) {
      others.push(readable(await owner.get(`/my/records/${recordId}/${path}`)));
    }
    const hers = await signIn(service.call, OWNER);
    const ccr = (await service.call(hers, 'GET', `/records/${recordId}/reports/experimental/ccr`)).text.toLowerCase();
    return { pages, others, ccr, summary: await summaryFor(recordId) };
  };

  const shownOf = async (model: string, body: string) => {
    const recordId = await createRecord(service.call, OWNER, 'Mira', 'Halvorsen');
    const type = body.startsWith('{') ? 'application/fhir+json' : 'application/xml';
    const hers = await signIn(service.call, OWNER);
    succeeded(await service.call(hers, 'POST', `/records/${recordId}/documents/`, { body, type }));
    return shownIn(recordId, model);
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
      const { pages, others, ccr, summary } = await shownOf(model, write('2199-10-10'));
      for (const page of pages) {
        expect(page, model).to.contain('Please check: ').and.to.not.contain(done);
      }
      expect(others.join(), model).to.not.contain(done);
      expect(ccr, model)
        .to.contain('this date is still to come; please check it.')
        .and.to.not.contain(`>${done.toLowerCase()}<`);
      if (model !== 'Medication') {
        expect(summary, model).to.contain(CHECK);
      }
    }
  });

  it('is unlike what has happened', async () => {
    for (const [model, write, done] of senders) {
      const { pages, others, ccr, summary } = await shownOf(model, write('2020-10-10'));
      for (const page of pages) {
        expect(page, model).to.contain(done).and.to.not.contain('Please check');
      }
      expect(others.join(), model).to.contain(done);
      expect(ccr, model).to.contain(`>${done.toLowerCase()}<`).and.to.not.contain('still to come');
      expect(summary, model).to.not.contain(CHECK);
    }
  });

  it('is not called done where an app writes it at /fhir, and goes out as unknown where it came in another form', async () => {
    const write = async (body: string): Promise<string> => {
      const recordId = await createRecord(service.call, OWNER, 'Mira', 'Halvorsen');
      const options = { account: OWNER, app: FHIR_APP, scopes: 'patient/*.cruds', record: recordId };
      const headers = {
        authorization: `Bearer ${await mintSmartToken(service, options)}`,
        'content-type': 'application/fhir+json',
      };
      const resource = body.replaceAll('Patient/p', `Patient/${recordId}`);
      const type = (JSON.parse(body) as { resourceType: string }).resourceType;
      const { status } = await service.call(null, 'POST', `/fhir/${type}`, {
        headers,
        body: resource,
        type: 'application/fhir+json',
      });
      expect(status).to.equal(201);
      return recordId;
    };
    for (const [model, body, done] of [
      ['Immunization', vaccineOfFhir('2199-10-10'), 'Dose given'],
      ['Procedure', operationOfFhir('2199-10-10'), 'Completed'],
    ] as const) {
      const { pages, others } = await shownIn(await write(body), model);
      expect([...pages, ...others].join(), model)
        .to.contain('Please check: Date')
        .and.to.not.contain(done);
    }
    for (const [model, body] of [
      ['Immunization', vaccineOfClinic],
      ['Procedure', operationOfClinic],
    ] as const) {
      expect((await shownOf(model, body('2199-10-10'))).summary).to.not.contain('"status":"completed"');
      expect((await shownOf(model, body('2020-10-10'))).summary).to.contain('"status":"completed"');
    }
  });
});

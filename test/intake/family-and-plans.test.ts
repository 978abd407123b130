/**
 * family and plans: the illnesses of relatives, advance directives, insurances, goals and what is planned, out of FHIR
 * and C-CDA. Nothing that is planned, denied or about somebody else reads as a fact about the person.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

/** "Model | column | column" for each fact, and what was left out. */
async function told(document: Buffer, ...columns: readonly string[]): Promise<readonly string[]> {
  const { facts, leftOut } = await reader.read(document);
  return [
    ...facts.map(({ model, values }) => [model, ...columns.map((column) => String(values[column] ?? '-'))].join(' | ')),
    ...leftOut.map(({ model, reason }) => `left out: ${model} ${reason}`),
  ];
}

const patient = { reference: 'Patient/1' };
const fhir = (resource: object): Buffer => Buffer.from(JSON.stringify(resource));

describe('a history of the family', () => {
  const columns = ['relation_title', 'condition_title', 'onset', 'deceased', 'caused_death', 'notes'];
  const history = (more: object): Buffer =>
    fhir({
      resourceType: 'FamilyMemberHistory',
      status: 'completed',
      patient,
      relationship: { text: 'Mother' },
      ...more,
    });

  it('of FHIR has a fact for each illness of a relative', async () => {
    const condition = [
      { code: { text: 'Cancer' }, onsetAge: { value: 48, unit: 'years' }, contributedToDeath: true },
      { code: { text: 'Asthma' }, onsetString: 'as a child', note: [{ text: 'mild' }] },
    ];
    const note = [{ text: 'Told by an aunt' }];
    expect(await told(history({ deceasedAge: { value: 57, unit: 'years' }, condition, note }), ...columns)).to.equal([
      'FamilyHistory | Mother | Cancer | at the age of 48 years | at the age of 57 years | true | Told by an aunt',
      'FamilyHistory | Mother | Asthma | as a child | at the age of 57 years | - | mild',
    ]);
    expect(await told(history({ deceasedBoolean: false }), ...columns)).to.equal([
      'FamilyHistory | Mother | - | - | no | - | -',
    ]);
    expect(await told(history({ status: 'entered-in-error' }))).to.equal(['left out: FamilyHistory entered_in_error']);
  });

  const relative = (inside: string, code = '<code code="FTH" displayName="Father"/>'): Buffer =>
    clinicalDocument({
      section: '10157-6',
      entries: entry(
        `<organizer classCode="CLUSTER" moodCode="EVN"><statusCode code="completed"/><subject><relatedSubject ` +
          `classCode="PRS">${code}</relatedSubject></subject>${inside}</organizer>`,
      ),
    });
  const illness = (name: string, more = '', attributes = ''): string =>
    `<component><observation classCode="OBS" moodCode="EVN" ${attributes}><code code="64572001"/><statusCode ` +
    `code="completed"/><value xsi:type="CD" code="1" displayName="${name}"/>${more}</observation></component>`;

  it('of C-CDA does not give a relative what is denied, nor the person what a relative has', async () => {
    const age =
      '<entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN"><code code="445518008"/><value ' +
      'xsi:type="PQ" value="48" unit="a"/></observation></entryRelationship>';
    const both = illness('Gout', age) + illness('Asthma', '', 'negationInd="true"');
    expect(await told(relative(both), ...columns)).to.equal([
      'FamilyHistory | Father | Gout | at the age of 48 years | - | - | It is said that this relative does not have: Asthma.',
    ]);
    expect(await told(relative(illness('Asthma', '', 'negationInd="true"')), ...columns)).to.equal([
      'FamilyHistory | Father | - | - | - | - | It is said that this relative does not have: Asthma.',
    ]);
    expect(await told(relative(illness('Asthma', '', 'negationInd="maybe"')), 'condition_title')).to.equal([
      'FamilyHistory | -',
      'left out: FamilyHistory unreadable_negation',
    ]);
    expect(await told(relative(illness('Gout'), '<code nullFlavor="UNK"/>'), 'relation_title')).to.equal([
      'FamilyHistory | Family member',
    ]);
  });
});

describe('an advance directive', () => {
  const columns = ['name_title', 'value_title', 'said', 'status_identifier'];
  const consent = (more: object): Buffer => fhir({ resourceType: 'Consent', status: 'active', patient, ...more });
  const dnr = { category: [{ coding: [{ code: 'dnr', display: 'Do not resuscitate' }] }] };

  it('of FHIR is a Consent of that kind, and no other', async () => {
    const provision = { type: 'deny', code: [{ text: 'CPR' }] };
    const scope = { coding: [{ code: 'adr' }] };
    expect(await told(consent({ scope, ...dnr, policyRule: { text: 'No CPR' }, provision }), ...columns)).to.equal([
      'AdvanceDirective | Do not resuscitate | No CPR | deny: CPR | active',
    ]);
    expect(await told(consent({ scope: { text: 'x' }, category: [{ text: 'Living will' }] }), 'name_title')).to.equal([
      'AdvanceDirective | Living will',
    ]);
    expect(await told(consent({ scope: { text: 'x' }, category: [{ text: 'Privacy' }] }))).to.equal([
      'left out: Consent not_supported',
    ]);
    expect(await told(consent({ scope, ...dnr, status: 'entered-in-error' }))).to.equal([
      'left out: AdvanceDirective entered_in_error',
    ]);
  });

  it('of C-CDA keeps the words, and is not turned round where it is negated', async () => {
    const directive = (attributes: string): Buffer =>
      clinicalDocument({
        section: '42348-3',
        entries: entry(
          `<observation classCode="OBS" moodCode="EVN" ${attributes}><code code="304251008" displayName="Resuscitation"/>` +
            '<text>As in my letter</text><statusCode code="completed"/><value xsi:type="CD" code="1" displayName="Resuscitate"/>' +
            '</observation>',
        ),
      });
    expect(await told(directive(''), ...columns)).to.equal([
      'AdvanceDirective | Resuscitation | Resuscitate | As in my letter | -',
    ]);
    expect(await told(directive('negationInd="true"'), ...columns)).to.equal([
      'AdvanceDirective | Resuscitation | - | Not: Resuscitate. As in my letter | -',
    ]);
  });
});

describe('an insurance and a goal', () => {
  it('of FHIR keep their numbers and words', async () => {
    const kind = (code: string) => ({ type: { coding: [{ code }] } });
    const coverage = {
      resourceType: 'Coverage',
      status: 'active',
      beneficiary: patient,
      payor: [{ display: 'Insurer' }],
      subscriberId: 'A1',
      class: [
        { ...kind('group'), value: 'G' },
        { ...kind('plan'), value: 'P', name: 'Gold' },
      ],
    };
    const columns = ['payer', 'plan', 'member_id', 'group_id'];
    expect(await told(fhir(coverage), ...columns)).to.equal(['Coverage | Insurer | Gold | A1 | G']);
    const nameless = { ...coverage, payor: [{ reference: 'Organization/none' }] };
    expect(await told(fhir(nameless), 'payer')).to.equal(['Coverage | Gold']);
    const goal = {
      resourceType: 'Goal',
      lifecycleStatus: 'on-hold',
      subject: patient,
      description: { text: 'Sugar' },
      target: [
        { measure: { text: 'HbA1c' }, detailQuantity: { value: 7, comparator: '<', unit: '%' }, dueDate: '2025-01-01' },
        { detailString: 'feel well' },
      ],
    };
    expect(await told(fhir(goal), 'description_title', 'target', 'status_title')).to.equal([
      'Goal | Sugar | HbA1c < 7 %, by 2025-01-01; feel well | On hold',
    ]);
    expect(await told(fhir({ ...goal, lifecycleStatus: 'entered-in-error' }))).to.equal([
      'left out: Goal entered_in_error',
    ]);
  });

  it('of C-CDA are no facts of the person', async () => {
    const goal =
      '<observation classCode="OBS" moodCode="GOL"><code code="29463-7" displayName="Weight"/><statusCode code="active"/>' +
      '<value xsi:type="IVL_PQ"><high value="70" unit="kg"/></value></observation>';
    for (const section of ['61146-7', '18776-5']) {
      const document = clinicalDocument({ section, entries: entry(goal) });
      expect(await told(document, 'description_title', 'target')).to.equal(['Goal | Weight | <=70 kg']);
    }
    expect(await told(clinicalDocument({ section: '8716-3', entries: entry(goal) }))).to.equal([
      'left out: VitalSigns planned',
    ]);
  });
});

describe('what is planned', () => {
  const columns = ['name_title', 'kind', 'intent_title', 'status_title', 'start'];

  it('of FHIR is an activity of a plan, else the plan in its own words', async () => {
    const plan = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: patient, title: 'Heart' };
    const detail = { kind: 'Appointment', status: 'not-started', code: { text: 'ECG' } };
    const forbidden = { status: 'not-started', doNotPerform: true, description: 'Smoking' };
    const activity = [{ detail }, { detail: forbidden }];
    expect(await told(fhir({ ...plan, activity }), 'name_title', 'status_title', 'notes')).to.equal([
      'CarePlan | ECG | Not started | -',
      'CarePlan | Not to be done: Smoking | Not started | Smoking',
    ]);
    expect(await told(fhir({ ...plan, description: 'Walk' }), 'name_title', 'kind', 'notes')).to.equal([
      'CarePlan | Heart | plan | Walk',
    ]);
  });

  const request = (id: string, text: string, more: object = {}): object => ({
    resourceType: 'ServiceRequest',
    id,
    status: 'active',
    intent: 'order',
    subject: patient,
    code: { text },
    ...more,
  });
  const plan = (id: string, title: string, more: object = {}): object => ({
    resourceType: 'CarePlan',
    id,
    status: 'active',
    intent: 'plan',
    subject: patient,
    title,
    ...more,
  });
  const statesOf = async (...resources: readonly object[]) => {
    const entry = resources.map((resource) => ({ resource }));
    const { facts } = await reader.read(fhir({ resourceType: 'Bundle', type: 'collection', entry }));
    return facts.map(({ values }) => [values['name_title'], values['status_title'], values['notes'] ?? null]);
  };

  it('of FHIR is over where something newer of its Bundle replaces it, and says by what', async () => {
    const replaced = (by: string) => `The sender’s entry has the status active. Replaced by: ${by}.`;
    const byRequest = { replaces: [{ reference: 'ServiceRequest/1' }] };
    expect(await statesOf(request('1', 'MRI'), request('2', 'CT', byRequest))).to.equal([
      ['MRI', 'Revoked', replaced('CT')],
      ['CT', 'Active', 'Replaces: MRI.'],
    ]);
    const byPlan = { replaces: [{ reference: 'CarePlan/1' }] };
    const activity = (text: string, status: string) => ({ detail: { status, code: { text } } });
    const older = plan('1', 'Old', { activity: [activity('Walk', 'not-started'), activity('Swim', 'completed')] });
    expect(await statesOf(older, plan('2', 'New', byPlan))).to.equal([
      ['Walk', 'Revoked', replaced('New')],
      ['Swim', 'Completed', null],
      ['New', 'Active', 'Replaces: Old.'],
    ]);
    expect(await statesOf(plan('1', 'Old'), plan('2', 'New', { ...byPlan, status: 'draft' }))).to.equal([
      ['Old', 'Active', null],
      ['New', 'Draft', 'Replaces: Old.'],
    ]);
    const back = request('1', 'MRI', { replaces: [{ reference: 'ServiceRequest/2' }] });
    expect(await statesOf(back, request('2', 'CT', byRequest))).to.equal([
      ['MRI', 'Active', 'Replaces: CT.'],
      ['CT', 'Active', 'Replaces: MRI.'],
    ]);
  });

  it('of C-CDA is neither done nor taken', async () => {
    const planned = (mood: string, more = ''): Buffer =>
      clinicalDocument({
        section: '18776-5',
        entries: entry(
          `<procedure classCode="PROC" moodCode="${mood}" ${more}><code code="1" displayName="Biopsy"/><statusCode ` +
            'code="active"/><effectiveTime value="20240613"/></procedure>',
        ),
      });
    const words = { INT: 'Plan', RQO: 'Order', PRP: 'Proposal', APT: 'Appointment' };
    for (const [mood, intent] of Object.entries(words)) {
      expect(await told(planned(mood), ...columns)).to.equal([
        `CarePlan | Biopsy | procedure | ${intent} | Active | 2024-06-13T00:00:00.000000Z`,
      ]);
    }
    expect(await told(planned('RQO', 'negationInd="true"'))).to.equal(['left out: CarePlan negated']);
    const medicine =
      '<substanceAdministration classCode="SBADM" moodCode="INT"><statusCode code="active"/><consumable><manufacturedProduct>' +
      '<manufacturedMaterial><code code="1" displayName="Heparin"/></manufacturedMaterial></manufacturedProduct></consumable>' +
      '</substanceAdministration>';
    expect(
      await told(clinicalDocument({ section: '18776-5', entries: entry(medicine) }), 'name_title', 'kind'),
    ).to.equal(['CarePlan | Heparin | medicine']);
    // The template of a medicine that is taken does not make it one where the mood and the section say that it is meant.
    const known = '<templateId root="2.16.840.1.113883.10.20.22.4.16"/>';
    const templated = medicine.replace('<statusCode', `${known}<statusCode`);
    for (const [section, document] of [
      ['18776-5', templated],
      ['51847-2', templated],
    ] as const) {
      expect(await told(clinicalDocument({ section, entries: entry(document) }), 'name_title', 'kind')).to.equal([
        'CarePlan | Heparin | medicine',
      ]);
    }
    for (const [section, document] of [
      ['18776-5', templated.replace('INT', 'EVN')],
      ['10160-0', templated],
    ] as const) {
      expect(await told(clinicalDocument({ section, entries: entry(document) }), 'drugName_title')).to.equal([
        'Medication | Heparin',
      ]);
    }
  });
});

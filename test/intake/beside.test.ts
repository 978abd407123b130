/**
 * beside: what documents say beside a name or a number stays with it: the side of the body, the stage, remarks, how a
 * device is used, for whom an observation was made. What would change the meaning is never passed over.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Fact } from '../../core/facts/model/fact';
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

type Resource = Readonly<Record<string, unknown>> & { readonly resourceType: string };
type Held = Resource | { readonly fullUrl: string; readonly resource: Resource };

const subject = { reference: 'Patient/p' };
const words = (text: string) => ({ text });

async function readAll(...held: readonly Held[]) {
  const patient = { resourceType: 'Patient', id: 'p', name: [{ family: 'A' }] };
  const entries = [patient, ...held].map((one) => ('fullUrl' in one && 'resource' in one ? one : { resource: one }));
  const { facts, leftOut } = await reader.read(
    Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries })),
  );
  return { facts, left: leftOut.map(({ model, reason }) => `${model} ${reason}`) };
}

function columnsOf(facts: readonly Fact[], ...columns: readonly string[]): readonly string[] {
  return facts.map(({ values }) => columns.map((column) => values[column] ?? '-').join(' | '));
}

describe('beside a statement of FHIR', () => {
  it('stay the side, the stage and how grave a problem is', async () => {
    const { facts } = await readAll({
      resourceType: 'Condition',
      subject,
      code: words('Tumour'),
      bodySite: [words('Left breast')],
      stage: [{ summary: words('Stage IIIB') }],
      severity: words('Severe'),
      evidence: [{ code: [words('Biopsy')] }],
      note: [words('Seen twice')],
    });
    expect(columnsOf(facts, 'notes')).to.equal([
      'Seen twice Site: Left breast. Stage: Stage IIIB. Severity: Severe. Evidence: Biopsy.',
    ]);
  });

  it('stays what happened in a reaction, and what it was to', async () => {
    const { facts } = await readAll({
      resourceType: 'AllergyIntolerance',
      patient: subject,
      code: words('Latex'),
      lastOccurrence: '2023-05-01',
      reaction: [
        {
          substance: words('Latex gloves'),
          manifestation: [words('Anaphylaxis')],
          description: 'collapsed',
          exposureRoute: words('Skin'),
          note: [words('two days in intensive care')],
        },
      ],
    });
    expect(columnsOf(facts, 'allergic_reaction_title', 'notes')).to.equal([
      'Anaphylaxis | Last time: 2023-05-01. Reaction: collapsed. Reaction to: Latex gloves. Exposure: Skin. two days in intensive care',
    ]);
  });

  it('stays what a source wrote beside the code of a reaction, where it says more', async () => {
    const sign = (display: string, text: string) => ({
      coding: [{ system: 'http://snomed.info/sct', code: '271807003', display }],
      text,
    });
    const allergy = (...signs: readonly object[]) => ({
      resourceType: 'AllergyIntolerance',
      patient: subject,
      code: words('Latex'),
      reaction: [{ manifestation: signs }],
    });
    const { facts } = await readAll(allergy(sign('Rash', 'mild rash only')), allergy(sign('Rash', 'RASH')));
    expect(columnsOf(facts, 'allergic_reaction_title', 'notes')).to.equal([
      'Rash | Reaction: mild rash only.',
      'Rash | -',
    ]);
  });

  it('stay the strength of a medicine that its name does not say, and what it is for', async () => {
    const strength = { numerator: { value: 400, unit: 'mg' }, denominator: { value: 1, unit: 'tablet' } };
    const ingredient = [{ itemCodeableConcept: words('Ibuprofen'), strength }];
    const request = { resourceType: 'MedicationRequest', status: 'active', intent: 'order', subject };
    const { facts } = await readAll(
      { resourceType: 'Medication', id: 'a', code: words('Ibuprofen'), ingredient },
      { resourceType: 'Medication', id: 'b', code: words('Ibuprofen 400 mg'), ingredient },
      { ...request, medicationReference: { reference: 'Medication/a' }, reasonCode: [words('Pain')] },
      { ...request, medicationReference: { reference: 'Medication/b' } },
    );
    expect(columnsOf(facts, 'drugName_title', 'strength', 'notes')).to.equal([
      'Ibuprofen | 400 mg | For: Pain.',
      'Ibuprofen 400 mg | 400 mg | -',
    ]);
  });

  it('stays what the source wrote, where it says more than the name of its code', async () => {
    const coded = (display: string, text: string) => ({
      coding: [{ system: 'http://snomed.info/sct', code: '195967001', display }],
      text,
    });
    const { facts } = await readAll(
      { resourceType: 'Condition', subject, code: coded('Asthma', 'Asthma, left lung only') },
      { resourceType: 'Condition', subject, code: coded('Essential hypertension (disorder)', 'hypertension') },
      { resourceType: 'AllergyIntolerance', patient: subject, code: coded('Penicillin', 'Penicillin V only') },
      {
        resourceType: 'Observation',
        status: 'final',
        subject,
        category: [{ coding: [{ code: 'social-history' }] }],
        code: words('Smoking'),
        valueCodeableConcept: coded('Never smoker', 'Never smoked, but vapes daily'),
      },
    );
    expect(columnsOf(facts, 'notes')).to.equal([
      'In the words of the source: Asthma, left lung only.',
      '-',
      'In the words of the source: Penicillin V only.',
      'In the words of the source: Never smoked, but vapes daily.',
    ]);
    const medicine = (display: string, text: string) => ({
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'order',
      subject,
      medicationCodeableConcept: coded(display, text),
    });
    const medicines = await readAll(
      medicine('Warfarin', 'Warfarin sodium 5 mg tablet'),
      medicine('Warfarin 5 mg tablet', 'Coumadin'),
    );
    expect(columnsOf(medicines.facts, 'drugName_title', 'notes')).to.equal([
      'Warfarin sodium 5 mg tablet | -',
      'Warfarin 5 mg tablet | In the words of the source: Coumadin.',
    ]);
  });

  it('stay all conclusions of a report', async () => {
    const { facts } = await readAll({
      resourceType: 'DiagnosticReport',
      status: 'final',
      subject,
      category: [{ coding: [{ code: 'RAD' }] }],
      code: words('CT'),
      conclusion: 'A mass is seen',
      conclusionCode: [words('A mass'), words('Cancer'), words('Left lung')],
    });
    expect(columnsOf(facts, 'content')).to.equal(['A mass is seen (Cancer; Left lung)']);
  });

  it('reads a relative reference on the server of its own resource', async () => {
    const on = (server: string, resource: Resource) => ({
      fullUrl: `https://${server}.example/fhir/${resource.resourceType}/${String(resource['id'])}`,
      resource,
    });
    const { facts } = await readAll(
      on('one', { resourceType: 'Medication', id: '7', code: words('Aspirin') }),
      on('two', { resourceType: 'Medication', id: '7', code: words('Warfarin') }),
      on('two', {
        resourceType: 'MedicationRequest',
        id: 'r',
        status: 'active',
        intent: 'order',
        subject,
        medicationReference: { reference: 'Medication/7' },
      }),
    );
    expect(columnsOf(facts, 'drugName_title')).to.equal(['Warfarin']);
  });

  it('calls no dose given that does not count as one', async () => {
    const dose = { resourceType: 'Immunization', status: 'completed', patient: subject, vaccineCode: words('MMR') };
    const { facts } = await readAll(
      { ...dose, occurrenceDateTime: '2020-01-01' },
      { ...dose, occurrenceDateTime: '2020-02-01', isSubpotent: true, subpotentReason: [words('Cold chain broken')] },
    );
    expect(columnsOf(facts, 'administration_status_identifier', 'notes')).to.equal([
      'doseGiven | -',
      '- | This dose does not count as a full one (subpotent). Less than a full dose: Cold chain broken.',
    ]);
  });

  it('leaves out what was seen on somebody else, and keeps what was seen on a device or a tumour', async () => {
    const seen = {
      resourceType: 'Observation',
      status: 'final',
      subject,
      code: words('Heart rate'),
      effectiveDateTime: '2024-01-01',
      valueQuantity: { value: 140, unit: '/min' },
    };
    const { facts, left } = await readAll(
      { resourceType: 'Patient', id: 'child' },
      { ...seen, focus: [words('Fetus')].map(({ text }) => ({ display: text })) },
      { ...seen, focus: [{ reference: 'Patient/child' }] },
      { ...seen, focus: [{ reference: 'Device/d' }], code: words('Of the device') },
      { ...seen, focus: [subject], code: words('Of the person') },
    );
    expect(columnsOf(facts, 'test_name_title')).to.equal(['Of the device', 'Of the person']);
    expect(left).to.equal(['Observation other_person']);
  });

  it('stay the remarks of a reading, apart from readings without them, and site and method of a result', async () => {
    const reading = (code: string, value: number, unit: string, more: object) => ({
      resourceType: 'Observation',
      status: 'final',
      subject,
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { coding: [{ system: 'http://loinc.org', code }] },
      effectiveDateTime: '2024-01-01T08:00:00Z',
      valueQuantity: { value, unit },
      ...more,
    });
    const { facts } = await readAll(
      reading('29463-7', 70, 'kg', { note: [words('with clothes')] }),
      reading('8302-2', 170, 'cm', {}),
      reading('8867-4', 72, '/min', { interpretation: [words('Irregular')], bodySite: words('Left wrist') }),
      {
        ...reading('', 18, 'mm[Hg]', {}),
        category: [{ coding: [{ code: 'exam' }] }],
        code: words('Pressure of the eye'),
        bodySite: words('Right eye'),
        method: words('Air puff'),
      },
    );
    expect(columnsOf(facts, 'weight_value', 'height_value', 'heart_rate_value', 'notes')).to.equal([
      '70 | - | - | with clothes',
      '- | 1.7 | - | -',
      '- | - | 72 | Interpretation: Irregular. Site: Left wrist.',
      '- | - | - | Site: Right eye. Method: Air puff.',
    ]);
  });

  it('stay how a device is used, that its use is over, and what its wearer must know', async () => {
    const device = { resourceType: 'Device', patient: subject, type: words('Pump'), status: 'active' };
    const { facts } = await readAll(
      { ...device, id: 'd1', safety: [words('Not for MRI')], note: [words('left side')] },
      {
        resourceType: 'DeviceUseStatement',
        status: 'completed',
        subject,
        device: { reference: 'Device/d1' },
        timingPeriod: { start: '2020-01-01', end: '2021-01-01' },
        bodySite: words('Abdomen'),
      },
      { ...device, id: 'd2', status: 'inactive', statusReason: [words('Taken out')] },
    );
    expect(columnsOf(facts, 'date_started', 'date_stopped', 'status_identifier', 'description')).to.equal([
      '2020-01-01 | 2021-01-01 | completed | Site: Abdomen. Safety: Not for MRI. left side',
      '- | - | inactive | Reason of the status: Taken out.',
    ]);
  });

  it('stay the side and the outcome of a procedure', async () => {
    const { facts } = await readAll({
      resourceType: 'Procedure',
      status: 'completed',
      subject,
      code: words('Knee replacement'),
      bodySite: [words('Left knee')],
      outcome: words('Successful'),
      complication: [words('Thrombosis')],
    });
    expect(columnsOf(facts, 'comments')).to.equal(['Site: Left knee. Outcome: Successful. Complication: Thrombosis.']);
  });

  it('stay ages in words, yes and no, and the end of a long collection', async () => {
    const { facts } = await readAll(
      { resourceType: 'Condition', subject, code: words('Flu'), onsetAge: { value: 12, unit: 'a', code: 'a' } },
      { resourceType: 'Condition', subject, code: words('Croup'), onsetAge: { value: 1, code: 'mo' } },
      {
        resourceType: 'Condition',
        subject,
        code: words('Gout'),
        onsetRange: { low: { value: 30, code: 'a' }, high: { value: 40, code: 'a' } },
      },
      {
        resourceType: 'Observation',
        status: 'final',
        subject,
        code: words('Pregnant'),
        effectivePeriod: { start: '2026-03-01', end: '2026-03-02' },
        valueBoolean: false,
      },
    );
    expect(columnsOf(facts, 'notes', 'value')).to.equal([
      'Onset at the age of 12 years. | -',
      'Onset at the age of 1 month. | -',
      'Onset at the age of 30 - 40 years. | -',
      'Until: 2026-03-02. | No',
    ]);
  });

  it('stays the name of a code that is known, where its sender wrote none', async () => {
    const coded = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] });
    const seen = (code: string, rest: object) => ({
      resourceType: 'Observation',
      status: 'final',
      subject,
      effectiveDateTime: '2026-03-01',
      code: coded(code),
      ...rest,
    });
    const { facts } = await readAll(
      seen('29463-7', { valueQuantity: { value: 12, unit: 'boxes' } }),
      seen('85354-9', { component: [{ code: coded('8462-4'), dataAbsentReason: words('not heard') }] }),
    );
    expect(columnsOf(facts, 'type', 'name', 'other_title')).to.equal([
      '29463-7 | Body weight | -',
      '- | - | Diastolic blood pressure',
    ]);
  });
});

const SNOMED = 'codeSystem="2.16.840.1.113883.6.96"';
const LOINC = 'codeSystem="2.16.840.1.113883.6.1"';

async function readSection(code: string, inside: string, ...columns: readonly string[]): Promise<readonly string[]> {
  const { facts } = await reader.read(clinicalDocument({ section: code, entries: entry(inside) }));
  return columnsOf(
    facts.filter(({ model }) => !model.startsWith('LabPanel')),
    ...columns,
  );
}

const medicine = (times: string, dose: string, rest = ''): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="active"/>${times}${dose}<consumable>` +
  `<manufacturedProduct><manufacturedMaterial><code code="1" codeSystem="2.16.840.1.113883.6.88" displayName="M"/>` +
  `</manufacturedMaterial></manufacturedProduct></consumable>${rest}</substanceAdministration>`;

describe('beside a statement of C-CDA', () => {
  it('stay an amount in other units, how often in numbers, and what a medicine is for', async () => {
    const daily = '<effectiveTime xsi:type="PIVL_TS" operator="A"><period value="1" unit="d"/></effectiveTime>';
    const other = '<doseQuantity nullFlavor="OTH"><translation value="2" unit="[puff]"/></doseQuantity>';
    expect(await readSection('10160-0', medicine(daily, other), 'frequency_value', 'instructions')).to.equal([
      '- | once a day; as the source writes it: doseQuantity nullFlavor OTH, translation 2 [puff]',
    ]);
    const reason =
      '<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN"><code code="ASSERTION"/>' +
      `<value xsi:type="CD" code="2" ${SNOMED} displayName="Hypertension"/></observation></entryRelationship>`;
    expect(await readSection('10160-0', medicine('', '<doseQuantity value="1"/>', reason), 'notes')).to.equal([
      'For: Hypertension.',
    ]);
  });

  it('stay the words of the source for a problem, where its code has others', async () => {
    const problem =
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/>' +
      `<code code="ASSERTION"/><value xsi:type="CD" code="3" ${SNOMED} displayName="Asthma"><originalText>Asthma, left lung ` +
      'only</originalText></value></observation>';
    expect(await readSection('11450-4', problem, 'name_title', 'notes')).to.equal([
      'Asthma | In the words of the source: Asthma, left lung only.',
    ]);
  });

  it('stay the remarks of a reading, the site of a result and the reason of a refusal in words', async () => {
    const seen = (code: string, rest: string): string =>
      `<observation classCode="OBS" moodCode="EVN"><code code="${code}" ${LOINC} displayName="Seen"/><statusCode ` +
      `code="completed"/><effectiveTime value="20240101"/><value xsi:type="PQ" value="72" unit="/min"/>${rest}</observation>`;
    const remark =
      '<entryRelationship typeCode="SUBJ"><act classCode="ACT" moodCode="EVN"><code code="48767-8"/><text>after running' +
      '</text></act></entryRelationship>';
    const organizer = (inside: string): string =>
      `<organizer classCode="CLUSTER" moodCode="EVN"><statusCode code="completed"/><component>${inside}</component></organizer>`;
    const site = `<targetSiteCode code="4" ${SNOMED} displayName="Left arm"/>`;
    expect(await readSection('8716-3', organizer(seen('8867-4', site + remark)), 'heart_rate_value', 'notes')).to.equal(
      ['72 | after running Site: Left arm.'],
    );
    expect(await readSection('30954-2', organizer(seen('2823-3', site)), 'notes')).to.equal(['Site: Left arm.']);
    const refused =
      '<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="true"><statusCode code="completed"/>' +
      '<effectiveTime value="20210301"/><consumable><manufacturedProduct><manufacturedMaterial><code code="03" ' +
      'codeSystem="2.16.840.1.113883.12.292" displayName="MMR"/></manufacturedMaterial></manufacturedProduct></consumable>' +
      '<entryRelationship typeCode="RSON"><observation classCode="OBS" moodCode="EVN"><code nullFlavor="OTH"><originalText>' +
      'for religious reasons</originalText></code></observation></entryRelationship></substanceAdministration>';
    expect(await readSection('11369-6', refused, 'statusReason_title')).to.equal(['for religious reasons']);
  });

  it('stay the side of a procedure and the device that was put in', async () => {
    const procedure =
      `<procedure classCode="PROC" moodCode="EVN"><code code="5" ${SNOMED} displayName="Hip replacement"/><statusCode ` +
      `code="completed"/><targetSiteCode code="6" ${SNOMED} displayName="Left hip"/><participant typeCode="DEV">` +
      '<participantRole classCode="MANU"><id root="2.999.8" extension="(01)008(10)LOT5"/><playingDevice><code code="7" ' +
      `${SNOMED} displayName="Hip implant"/></playingDevice></participantRole></participant></procedure>`;
    expect(await readSection('47519-4', procedure, 'comments')).to.equal([
      'Site: Left hip. Device: Hip implant, (01)008(10)LOT5.',
    ]);
  });

  it('stays what an entry says of itself, unless that is its name', async () => {
    const own = (code: string, text: string, rest: string): string =>
      `<observation classCode="OBS" moodCode="EVN"><code code="${code}" ${LOINC} displayName="Seen"/><text>${text}</text>` +
      `<statusCode code="completed"/>${rest}</observation>`;
    const days = '<effectiveTime><low value="20240101"/><high value="20240102"/></effectiveTime>';
    const organizer = (inside: string): string =>
      `<organizer classCode="CLUSTER" moodCode="EVN"><statusCode code="completed"/><component>${inside}</component></organizer>`;
    const hot = own(
      '8310-5',
      'axillary',
      '<effectiveTime value="20240101"/><value xsi:type="PQ" value="37" unit="Cel"/>',
    );
    expect(await readSection('8716-3', organizer(hot), 'notes')).to.equal(['axillary']);
    const unknown = own('2823-3', 'Haemolysed', `${days}<value xsi:type="PQ" nullFlavor="UNK"/>`);
    expect(await readSection('30954-2', organizer(unknown), 'notes')).to.equal(['Haemolysed Until: 2024-01-02.']);
    const no = own('2823-3', 'Seen', '<effectiveTime value="20240101"/><value xsi:type="BL" value="false"/>');
    expect(await readSection('30954-2', organizer(no), 'notes', 'value')).to.equal(['- | No']);
    const problem = (text: string): string =>
      '<observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code ' +
      `code="ASSERTION"/><text>${text}</text><value xsi:type="CD" code="3" ${SNOMED} displayName="Asthma"/></observation>`;
    expect(await readSection('11450-4', problem('In remission'), 'notes')).to.equal(['In remission']);
    expect(await readSection('11450-4', problem('Asthma'), 'notes')).to.equal(['-']);
    expect(await readSection('11450-4', problem('<reference value="#p"/>'), 'notes')).to.equal(['-']);
  });

  it('stays the name of a code that is known, where its sender wrote none', async () => {
    const boxes =
      `<observation classCode="OBS" moodCode="EVN"><code code="3141-9" ${LOINC}/><statusCode code="completed"/>` +
      '<effectiveTime value="20240101"/><value xsi:type="PQ" value="12" unit="boxes"/></observation>';
    expect(await readSection('8716-3', boxes, 'type', 'name')).to.equal(['3141-9 | Body weight']);
  });
});

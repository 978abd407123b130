/**
 * parts-and-texts: what stands in a part of a statement, inside another one, or in text alone. A part that somebody
 * changed the meaning of is no fact, what is only text is told, and the text for people has all of it.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { clinicalDocument, entry, section } from './clinical-document';
import { openBundledReader } from '../support/bundled-reader';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

let reader: DocumentReader;
before(async () => {
  reader = await openBundledReader();
});
after(() => reader.close());

type Entry = Readonly<Record<string, unknown>>;

const subject = { reference: 'Patient/p' };
const words = (text: string) => ({ text });
const modifierExtension = [{ url: 'http://sender.example/not-so', valueBoolean: true }];
const html = (text: string) => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>`,
});

function bundle(resources: readonly Entry[], more: Entry = {}): Buffer {
  const patient = { resourceType: 'Patient', id: 'p', name: [{ family: 'A' }] };
  const entry = [patient, ...resources].map((resource) => ({ ...more, resource }));
  return Buffer.from(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }));
}

async function read(...resources: readonly Entry[]) {
  const { facts, leftOut } = await reader.read(bundle(resources));
  const told = leftOut.map(({ count, model, reason }) => `${count} ${model} ${reason}`);
  return { values: facts.map(({ values }) => values), told };
}

async function textOf(document: Buffer): Promise<string> {
  return JSON.stringify((await reader.narrative(document)).sections);
}

describe('an extension that changes the meaning of a part', () => {
  it('leaves out the component of an observation, and no other', async () => {
    const component = [
      { code: words('Peanut IgE'), valueInteger: 12, modifierExtension },
      { code: words('Milk IgE'), valueInteger: 1 },
    ];
    const observation = { resourceType: 'Observation', status: 'final', subject, code: words('IgE'), component };
    const { values, told } = await read(observation);
    expect(values.map(({ test_name_title: name }) => name)).to.equal(['Milk IgE']);
    expect(told).to.equal(['1 Observation modifier_extension']);
    const alone = await read({ ...observation, component: component.slice(0, 1) });
    expect(alone.values).to.equal([]);
    expect(alone.told).to.equal(['1 Observation modifier_extension']);
  });

  it('leaves an allergy without the reaction', async () => {
    const { values, told } = await read({
      resourceType: 'AllergyIntolerance',
      patient: subject,
      code: words('Penicillin'),
      reaction: [{ manifestation: [words('Anaphylaxis')], description: 'Nearly died', modifierExtension }],
    });
    expect(values).to.have.length(1);
    expect(values[0]).to.include({ allergen_title: 'Penicillin', allergic_reaction_title: null, notes: null });
    expect(told).to.equal(['1 Allergy modifier_extension']);
  });

  it('leaves out the illness of a relative, the target of a goal, what is planned and the number of a dose', async () => {
    const { values, told } = await read(
      {
        resourceType: 'FamilyMemberHistory',
        status: 'completed',
        patient: subject,
        relationship: words('Mother'),
        condition: [{ code: words('Cancer'), modifierExtension }, { code: words('Gout') }],
      },
      {
        resourceType: 'Goal',
        lifecycleStatus: 'active',
        subject,
        description: words('Lose weight'),
        target: [{ measure: words('Weight'), detailString: '70 kg', dueDate: '2030-01-01', modifierExtension }],
      },
      {
        resourceType: 'CarePlan',
        status: 'active',
        intent: 'plan',
        subject,
        activity: [{ detail: { status: 'scheduled', code: words('Amputation') }, modifierExtension }],
      },
      {
        resourceType: 'Immunization',
        status: 'completed',
        patient: subject,
        vaccineCode: words('MMR'),
        occurrenceDateTime: '2020-01-01',
        protocolApplied: [{ doseNumberPositiveInt: 2, modifierExtension }],
      },
    );
    expect(
      values.map((one) => one['condition_title'] ?? one['description_title'] ?? one['product_name_title']),
    ).to.equal(['Gout', 'Lose weight', 'MMR']);
    expect(values[1]).to.include({ target: null, target_date: null });
    expect(values[2]).to.include({ dose_number: null });
    expect(told.filter((one) => one.endsWith('modifier_extension'))).to.have.length(4);
  });

  it('leaves out a statement of which any other part has one, or its entry', async () => {
    const stage = [{ summary: words('IV'), modifierExtension }];
    const problem = { resourceType: 'Condition', subject, code: words('Cancer') };
    expect(await read({ ...problem, stage })).to.equal({ values: [], told: ['1 Problem modifier_extension'] });
    const { facts, leftOut } = await reader.read(bundle([problem], { modifierExtension }));
    expect(facts).to.equal([]);
    expect(leftOut.map(({ reason }) => reason)).to.equal(['modifier_extension']);
  });
});

describe('what stands inside another resource', () => {
  it('is told and readable in the text of the document, and is named where it is a reason', async () => {
    const list = {
      resourceType: 'List',
      status: 'current',
      mode: 'snapshot',
      subject,
      contained: [{ resourceType: 'AllergyIntolerance', id: 'x', patient: subject, code: words('Latex') }],
      entry: [{ item: { reference: '#x' } }],
    };
    const medicine = {
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'order',
      subject,
      text: html('Warfarin'),
      medicationCodeableConcept: words('Warfarin'),
      contained: [{ resourceType: 'Condition', id: 'c', subject, code: words('Atrial fibrillation') }],
      reasonReference: [{ reference: '#c' }],
    };
    const { values, told } = await read(list, medicine);
    expect(values.map(({ notes }) => notes)).to.equal(['For: Atrial fibrillation.']);
    expect(told).to.equal(['1 List not_supported', '1 Allergy contained']);
    const text = await textOf(bundle([list, medicine]));
    expect(text).to.contain('AllergyIntolerance: Latex').and.to.contain('Condition: Atrial fibrillation');
    const alone = await reader.read(Buffer.from(JSON.stringify(medicine)));
    expect(alone.facts[0]!.values['notes']).to.equal('For: Atrial fibrillation.');
  });

  it('is readable of every kind that no model keeps', async () => {
    const others = [
      { resourceType: 'BodyStructure', patient: subject, description: 'Tattoo on the left arm' },
      { resourceType: 'Basic', subject, code: words('Flood in childhood') },
      { resourceType: 'GuidanceResponse', status: 'success', moduleUri: 'http://g.example', note: [words('Stop it')] },
    ];
    const text = await textOf(bundle(others));
    ['Tattoo on the left arm', 'Flood in childhood', 'Stop it'].forEach((said) => expect(text).to.contain(said));
  });
});

describe('what is text alone', () => {
  it('is told of a composition by its sections', async () => {
    const entry = [{ reference: 'Condition/k' }];
    const coded = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] });
    const composition = {
      resourceType: 'Composition',
      status: 'final',
      type: words('Summary'),
      date: '2024-03-01',
      author: [{ display: 'A' }],
      title: 'Summary',
      section: [
        { title: 'Allergies', code: coded('48765-2'), text: html('Anaphylaxis to bee stings') },
        { title: 'Problems', code: coded('11450-4'), text: html('Asthma'), entry },
        { title: 'Alerts', text: html('Difficult airway') },
        { title: 'Medications', code: coded('10160-0'), emptyReason: words('None'), text: html('None') },
      ],
    };
    const { told } = await read(composition, { resourceType: 'Condition', id: 'k', subject, code: words('Asthma') });
    expect(told).to.equal(['1 Allergy narrative_only', '1 OtherSection narrative_only']);
    expect((await read({ ...composition, status: 'entered-in-error' })).told).to.equal([]);
  });

  it('keeps its powers and indices, and loses what was struck out', async () => {
    const said = 'Platelets 250 10<sup>9</sup>/L, CO<sub>2</sub> 24';
    const body = section('11450-4', '').replace('<text>T</text>', `<text><paragraph>${said}</paragraph></text>`);
    expect(await textOf(clinicalDocument({ body }))).to.contain('Platelets 250 10⁹/L, CO₂ 24');
    const note = {
      resourceType: 'Flag',
      status: 'active',
      subject,
      code: words('x'),
      text: html(`<p>${said}</p><del>Warfarin</del>`),
    };
    const text = await textOf(bundle([note]));
    expect(text).to.contain('Platelets 250 10⁹/L, CO₂ 24').and.not.contain('Warfarin');
  });
});

describe('beside a medicine, a vaccine, a procedure and a result', () => {
  it('stays until when a prescription is valid, how often it is repeated, and who told of it', async () => {
    const medicine = { medicationCodeableConcept: words('Prednisolone'), subject };
    const { values } = await read(
      {
        resourceType: 'MedicationRequest',
        id: 'm',
        status: 'active',
        intent: 'order',
        ...medicine,
        dosageInstruction: [words('1 daily')],
        dispenseRequest: {
          validityPeriod: { start: '2024-01-10', end: '2024-02-10' },
          numberOfRepeatsAllowed: 2,
          quantity: { value: 30, unit: 'tablet' },
          expectedSupplyDuration: { value: 30, code: 'd' },
        },
        substitution: { allowedBoolean: false, reason: words('allergy to a dye') },
      },
      {
        resourceType: 'MedicationDispense',
        status: 'completed',
        subject,
        medicationCodeableConcept: words('Prednisone'),
        authorizingPrescription: [{ reference: 'MedicationRequest/m' }],
        whenHandedOver: '2024-01-11',
        dosageInstruction: [words('2 daily')],
      },
      {
        resourceType: 'MedicationStatement',
        status: 'active',
        ...medicine,
        informationSource: { display: 'Her daughter' },
      },
    );
    expect(values[0]!['notes']).to.equal(
      'Prescription valid from 2024-01-10 until 2024-02-10. Repeats allowed: 2. Quantity: 30 tablet. Supply for: 30 d.' +
        ' Not to be replaced by another product. Reason: allergy to a dye. Handed out 2024-01-11: Prednisone 2 daily.',
    );
    expect(values[1]!['notes']).to.equal('Told by: Her daughter.');
  });

  it('stays by when a vaccine was to be used', async () => {
    const { values } = await read({
      resourceType: 'Immunization',
      status: 'completed',
      patient: subject,
      vaccineCode: words('MMR'),
      occurrenceDateTime: '2020-06-01',
      expirationDate: '2020-01-01',
      primarySource: false,
      route: words('into the muscle'),
      doseQuantity: { value: 0.5, unit: 'mL' },
      manufacturer: { display: 'Maker' },
      reasonCode: [words('Travel')],
    });
    expect(values[0]!['notes']).to.equal(
      'Route: into the muscle. Dose: 0.5 mL. Vaccine to be used by 2020-01-01. Made by: Maker.' +
        ' Not told by those who gave it. For: Travel.',
    );
  });

  it('stays what was taken out and what follows, and why a value is empty', async () => {
    const { values } = await read(
      {
        resourceType: 'Procedure',
        status: 'completed',
        subject,
        code: words('Cystoscopy'),
        focalDevice: [{ action: words('removed'), manipulated: { display: 'Stent' } }],
        complicationDetail: [{ display: 'Sepsis' }],
        followUp: [words('Again in 3 months')],
        reasonReference: [{ display: 'Stones' }],
        extension: [
          {
            url: 'http://hl7.org/fhir/StructureDefinition/procedure-causedBy',
            valueReference: { display: 'Trauma' },
          },
        ],
      },
      {
        resourceType: 'Observation',
        status: 'final',
        subject,
        code: words('Potassium'),
        device: { display: 'Home meter' },
        valueQuantity: {
          unit: 'mmol/L',
          _value: {
            extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'error' }],
          },
        },
      },
    );
    expect(values[0]!['comments']).to.equal(
      'Caused by: Trauma. Device: Stent (removed). Complication: Sepsis. Follow-up: Again in 3 months. For: Stones.',
    );
    expect(values[1]).to.include({ value: 'error', notes: 'Device: Home meter.' });
  });
});

describe('beside a statement of C-CDA', () => {
  const template = (id: number) => `<templateId root="2.16.840.1.113883.10.20.22.4.${id}"/>`;
  const code = (text: string) => `<code nullFlavor="OTH"><originalText>${text}</originalText></code>`;
  const value = (text: string) => `<value xsi:type="CD" nullFlavor="OTH"><originalText>${text}</originalText></value>`;
  const beside = (typeCode: string, inside: string) =>
    `<entryRelationship typeCode="${typeCode}">${inside}</entryRelationship>`;
  const observed = (id: number, text: string, negated = false) =>
    `<observation classCode="OBS" moodCode="EVN"${negated ? ' negationInd="true"' : ''}>${template(id)}` +
    `<code code="ASSERTION"/><statusCode code="completed"/>${value(text)}</observation>`;
  const product = (inside: string, more = '') =>
    `<consumable><manufacturedProduct><manufacturedMaterial>${inside}</manufacturedMaterial>${more}` +
    '</manufacturedProduct></consumable>';
  const told =
    '<informant><relatedEntity classCode="PRS"><code code="DAU" displayName="Daughter"/><relatedPerson><name>Kim</name>' +
    '</relatedPerson></relatedEntity></informant>';
  const advice = (text: string) =>
    beside('SUBJ', `<act classCode="ACT" moodCode="INT">${template(20)}<code code="x"/><text>${text}</text></act>`);
  const expires = '<expirationTime xmlns="urn:hl7-org:sdtc" value="20200101"/>';

  async function valuesOf(sectionCode: string, ...entries: readonly string[]) {
    const document = clinicalDocument({ section: sectionCode, entries: entries.map((one) => entry(one)).join('') });
    return (await reader.read(document)).facts.map(({ values }) => values);
  }

  it('stays until when a prescription is valid, who told of a medicine, and what it did', async () => {
    const order =
      `<supply classCode="SPLY" moodCode="INT">${template(17)}<effectiveTime xsi:type="IVL_TS"><low value="20240110"/>` +
      '<high value="20240210"/></effectiveTime><repeatNumber value="2"/><quantity value="30" unit="{tablet}"/></supply>';
    const [medicine] = await valuesOf(
      '10160-0',
      `<substanceAdministration classCode="SBADM" moodCode="EVN">${template(16)}<statusCode code="active"/>` +
        `${product(code('Prednisolone'))}${told}${beside('REFR', order)}${beside('RSON', observed(19, 'Asthma'))}` +
        `${beside('CAUS', observed(9, 'Rash'))}</substanceAdministration>`,
    );
    expect(medicine!['notes']).to.equal(
      'For: Asthma. Reaction: Rash. Told by: Kim (Daughter). Prescription valid from 2024-01-10 until 2024-02-10.' +
        ' Can be handed out 2 times. Quantity: 30 tablet.',
    );
  });

  it('stays by when a vaccine was to be used, and why it was given', async () => {
    const [vaccine] = await valuesOf(
      '11369-6',
      `<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="false">${template(52)}<statusCode ` +
        'code="completed"/><effectiveTime value="20200601"/><routeCode nullFlavor="OTH"><originalText>into the muscle' +
        `</originalText></routeCode><doseQuantity value="0.5" unit="mL"/>${product(
          code('MMR') + expires,
          '<manufacturerOrganization><name>Maker</name></manufacturerOrganization>',
        )}${told}${beside('RSON', observed(19, 'Travel'))}</substanceAdministration>`,
    );
    expect(vaccine!['notes']).to.equal(
      'Route: into the muscle. Dose: 0.5 mL. Vaccine to be used by 2020-01-01. Made by: Maker.' +
        ' Told by: Kim (Daughter). For: Travel.',
    );
  });

  it('stays why a procedure was done, what came of it and what follows', async () => {
    const [procedure] = await valuesOf(
      '47519-4',
      `<procedure classCode="PROC" moodCode="EVN">${template(14)}${code('Colonoscopy')}<statusCode code="completed"/>` +
        `${beside('COMP', observed(9, 'Perforation'))}${beside('RSON', observed(4, 'Anaemia'))}` +
        `${advice('Again in 3 months')}</procedure>`,
    );
    expect(procedure!['comments']).to.equal('For: Anaemia. Reaction: Perforation. Again in 3 months');
  });

  it('stays what kind of device it is, and what its wearer must know', async () => {
    const [device] = await valuesOf(
      '46264-8',
      `<supply classCode="SPLY" moodCode="EVN">${template(50)}<statusCode code="completed"/><quantity value="2"/>` +
        `<participant typeCode="PRD"><participantRole classCode="MANU"><playingDevice>${code('Pacemaker')}` +
        '<manufacturerModelName>Azure</manufacturerModelName></playingDevice></participantRole></participant>' +
        `${advice('No MRI')}</supply>`,
    );
    expect(device).to.include({ name: 'Pacemaker', description: 'Azure Quantity: 2. No MRI' });
  });

  it('stays what an allergy does not do, and a file in the place of a result', async () => {
    const [allergy] = await valuesOf(
      '48765-2',
      `<observation classCode="OBS" moodCode="EVN">${template(7)}<code code="ASSERTION"/><value xsi:type="CD" ` +
        'code="419199007" codeSystem="2.16.840.1.113883.6.96"/><participant typeCode="CSM"><participantRole><playingEntity>' +
        `${code('Penicillin')}</playingEntity></participantRole></participant>` +
        `${beside('MFST', observed(9, 'Anaphylaxis', true))}${beside('MFST', observed(9, 'Rash'))}</observation>`,
    );
    expect(allergy).to.include({ allergic_reaction_title: 'Rash', notes: 'No such reaction: Anaphylaxis.' });
    const file = '<value xsi:type="ED" mediaType="application/pdf" representation="B64">JVBERi0xLjQK</value>';
    const result = `<observation classCode="OBS" moodCode="EVN">${template(2)}${code('ECG')}${file}</observation>`;
    const { leftOut } = await reader.read(clinicalDocument({ section: '30954-2', entries: entry(result) }));
    expect(leftOut.map(({ model, reason }) => `${model} ${reason}`)).to.equal(['Attachment inside']);
  });
});

describe('the text of a resource without a model', () => {
  const code = { coding: [{ system: 'http://snomed.info/sct', code: '129839007', display: 'At risk for falls' }] };
  const flag = { resourceType: 'Flag', subject, code, period: { start: '2024-01-02' } };

  it('has its codes, dates and values, also where its own text is empty', async () => {
    for (const text of [undefined, html(' '), html('<p> </p>')]) {
      const written = await textOf(bundle([{ ...flag, status: 'active', ...(text ? { text } : {}) }]));
      expect(written).to.contain('At risk for falls (129839007)').and.to.contain('start: 2024-01-02');
    }
  });

  it('says beside its own text that it does not hold', async () => {
    const own = { text: html('Risk of falls') };
    expect(await textOf(bundle([{ ...flag, status: 'entered-in-error', ...own }]))).to.contain(
      'Flag: entered-in-error',
    );
    expect(await textOf(bundle([{ ...flag, status: 'active', ...own }]))).to.not.contain('Flag:');
  });
});

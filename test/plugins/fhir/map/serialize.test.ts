/** serialize: which FHIR resources facts become by the mappings of the core models. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { Json } from '../../../../core/base/types';
import { loadConfig } from '../../../../core/config/load';
import { readFacts } from '../../../../core/facts/model/fact';
import { fhirJsonToXml, resourceXmlPieces } from '../../../../core/fhir/json-to-xml';
import { fhirType } from '../../../../core/fhir/elements';
import type { FhirResource } from '../../../../core/pipeline/resources/serialize';
import { resourceText } from '../../../../core/fhir/write';
import { readModels } from '../../../../core/server/migrate-all';
import { DOCUMENT, RECORD, resourcesOf } from '../../../support/statements';

export const lab = Lab.script();
const { describe, it } = lab;

const xmlOf = (resource: object): string => [...resourceXmlPieces(resource)].join('');

const models = readModels(loadConfig({}));
/** A resource without the types of FHIR, which go deeper than the assertions can follow. */
type Plain = { readonly resourceType: string; readonly id: string; readonly [name: string]: unknown };
const said = (...facts: readonly Json[]): readonly Plain[] => resourcesOf(models, readFacts(models, facts, 'all'));
const resourceOf = (resource: Plain | undefined): FhirResource => resource as FhirResource;
const one = (fact: Json): Readonly<Record<string, unknown>> => said(fact)[0]!;
const SNOMED = 'http://purl.bioontology.org/ontology/SNOMEDCT/';

describe('facts in FHIR', () => {
  it('makes one resource of the facts of one statement, with a reaction for each', () => {
    const fact = (reaction: string, severity: string): Json => ({
      __modelname__: 'Allergy',
      __statement__: 'AllergyIntolerance/1',
      allergen_title: 'Peanut',
      clinicalStatus_identifier: '55561003',
      clinicalStatus_system: SNOMED,
      allergic_reaction_title: reaction,
      severity_identifier: severity,
    });
    const resources = said(fact('Hives', '6736007'), fact('Cough', 'mild'), {
      __modelname__: 'Allergy',
      allergen_title: 'Nuts',
    });
    expect(resources.map(({ resourceType }) => resourceType)).to.equal(['AllergyIntolerance', 'AllergyIntolerance']);
    expect(resources[0] as object).to.include({
      clinicalStatus: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', code: 'active' }],
      },
      code: { text: 'Peanut' },
      patient: { reference: `Patient/${RECORD}` },
      reaction: [
        { manifestation: [{ text: 'Hives' }], severity: 'moderate' },
        { manifestation: [{ text: 'Cough' }], severity: 'mild' },
      ],
    });
    // The source does not say that the second allergy is active.
    expect(resources[1]!['clinicalStatus']).to.equal({
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
    });
    expect(Object.keys(resources[1]!)).to.not.include('reaction');
    expect(resources[0]!.id).to.not.equal(resources[1]!.id);
  });

  it('says where a resource comes from, and claims only profiles that it meets', () => {
    expect(one({ __modelname__: 'Problem', name_title: 'Asthma' })['meta']).to.equal({
      versionId: DOCUMENT,
      lastUpdated: '2024-05-06T07:08:09.123Z',
      source: `urn:uuid:${DOCUMENT}`,
      profile: [
        'http://hl7.org/fhir/uv/ipa/StructureDefinition/ipa-condition',
        'http://hl7.org/fhir/uv/ipa/StructureDefinition/ipa-problem-list-item',
        'http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-problems-health-concerns',
      ],
    });
    const claims = (fact: Json): string => JSON.stringify(one(fact)['meta']);
    const procedure = { __modelname__: 'Procedure', name: 'Biopsy' };
    expect(claims(procedure)).to.not.include('us-core-procedure');
    expect(claims({ ...procedure, date_performed: '2020-01-01' })).to.include('us-core-procedure');
  });

  it('makes an Observation of each reading, in the codes and units of the profiles, and one of both blood pressures', () => {
    const resources = said({
      __modelname__: 'VitalSigns',
      date: '2020-01-02T03:04:05Z',
      height_value: 1.57,
      height_unit: 'm',
      height_name_title: 'Body height (measured)',
      weight_value: 70.05,
      weight_unit: 'kg',
      weight_name_title: 'Body weight',
      weight_name_identifier: '3141-9',
      weight_name_system: 'http://purl.bioontology.org/ontology/LNC/',
      bp_systolic_value: 120,
      bp_systolic_unit: 'mm[Hg]',
    });
    const statement = resources[0]!.id.slice(0, 36);
    expect(resources.map(({ id }) => id)).to.equal([
      `${statement}-height`,
      `${statement}-weight`,
      `${statement}-blood-pressure`,
    ]);
    const text = resources.map((resource) => resourceText(resourceOf(resource)));
    expect(text[0]).to.include(
      '"valueQuantity":{"value":157,"unit":"cm","system":"http://unitsofmeasure.org","code":"cm"}',
    );
    expect(resources[1]!['code']).to.equal({
      coding: [
        { system: 'http://loinc.org', code: '29463-7', display: 'Body weight' },
        { system: 'http://loinc.org', code: '3141-9', display: 'Body weight' },
      ],
      text: 'Body weight',
    });
    expect(JSON.stringify(resources[1]!['meta'])).to.include('us-core-body-weight');
    // With only one of its two values a blood pressure does not meet that profile.
    expect(resources[2]!['component'] as unknown[]).to.have.length(1);
    expect(JSON.stringify(resources[2]!['meta'])).to.not.include('us-core-blood-pressure');
  });

  it('keeps the digits of a result, its comparator, and calls only UCUM by that name', () => {
    const result = (value: string, unit: string): string =>
      resourceText(
        resourceOf(
          said({
            __modelname__: 'LabResult',
            test_name_title: 'Glucose',
            quantitative_result_value_value: value,
            quantitative_result_value_unit: unit,
          })[0],
        ),
      );
    expect(result('7.50', 'mmol/L')).to.include(
      '"valueQuantity":{"value":7.50,"unit":"mmol/L","system":"http://unitsofmeasure.org","code":"mmol/L"}',
    );
    expect(result('<0.010', 'mg per dl')).to.include(
      '"valueQuantity":{"value":0.010,"comparator":"<","unit":"mg per dl"}',
    );
    expect(result('1:40', 'titre')).to.include('"valueString":"1:40 titre"');
    expect(result('', 'mg')).to.include('"dataAbsentReason"');
  });

  it('chooses by what the source said: a prescription is a request, anything else a statement, a dispense alone neither', () => {
    const types = (more: Record<string, Json>): readonly string[] =>
      said({ __modelname__: 'Medication', drugName_title: 'Aspirin', ...more }).map(({ resourceType }) => resourceType);
    expect(types({ provenance_identifier: 'prescription' })).to.equal(['MedicationRequest']);
    expect(types({ status_system: 'http://hl7.org/fhir/CodeSystem/medicationrequest-status' })).to.equal([
      'MedicationRequest',
    ]);
    expect(types({})).to.equal(['MedicationStatement']);
    expect(
      types({
        status_system: 'http://terminology.hl7.org/CodeSystem/medicationdispense-status',
        fulfillments: [{ __modelname__: 'Fill', date: '2020-01-01', pharmacy_org: 'Corner Pharmacy' }],
      }),
    ).to.equal(['MedicationDispense', 'Organization']);
    expect(
      one({ __modelname__: 'Medication', drugName_title: 'Aspirin', status_title: 'sometimes' })['status'],
    ).to.equal('unknown');
  });

  it('links what is nested with what it is nested in, and a resource with the people that it names', () => {
    const [request, dispense, practitioner] = said({
      __modelname__: 'Medication',
      drugName_title: 'Aspirin',
      provenance_identifier: 'prescription',
      fulfillments: [
        { __modelname__: 'Fill', date: '2020-01-01', provider_name_given: 'Ada', provider_name_family: 'Doe' },
      ],
    });
    expect(dispense as object).to.include({
      medicationCodeableConcept: { text: 'Aspirin' },
      authorizingPrescription: [{ reference: `MedicationRequest/${request!.id}` }],
      performer: [{ actor: { reference: `Practitioner/${dispense!.id}-provider`, display: 'Ada Doe' } }],
    });
    expect(practitioner as object).to.include({
      id: `${dispense!.id}-provider`,
      name: [{ family: 'Doe', given: ['Ada'] }],
    });
    const [reading, encounter] = said({
      __modelname__: 'VitalSigns',
      date: '2020-01-01',
      weight_value: 1,
      weight_unit: 'kg',
      weight_name_title: 'Body weight',
      encounter: { __modelname__: 'Encounter', encounterType_title: 'Visit' },
    });
    expect(reading!['encounter']).to.equal({ reference: `Encounter/${encounter!.id}` });
    expect(encounter as object).to.include({ status: 'unknown', type: [{ text: 'Visit' }] });
  });

  it('writes a day as a day and a time as a time', () => {
    const problem = (startDate: string): unknown =>
      one({ __modelname__: 'Problem', name_title: 'x', startDate })['onsetDateTime'];
    expect(problem('2020-02-03')).to.equal('2020-02-03');
    expect(problem('2020-02-03T10:00:00+02:00')).to.equal('2020-02-03T08:00:00Z');
    expect(problem('2020-02-03T10:00:00.250Z')).to.equal('2020-02-03T10:00:00.25Z');
    const note = one({ __modelname__: 'SimpleClinicalNote', content: 'x', finalized_at: '2020-02-03' });
    expect(note['issued']).to.equal('2020-02-03T00:00:00Z');
  });

  it('does not let what is active have an end', () => {
    const problem = (status: string): Readonly<Record<string, unknown>> =>
      one({ __modelname__: 'Problem', name_title: 'x', endDate: '2020-02-03', clinicalStatus_identifier: status });
    expect(Object.keys(problem('active'))).to.not.include('abatementDateTime');
    expect(problem('active')['note']).to.equal([{ text: 'Ended on 2020-02-03.' }]);
    expect(problem('resolved')['abatementDateTime']).to.equal('2020-02-03');
    expect(JSON.stringify(problem('')['clinicalStatus'])).to.include('"resolved"');
  });

  it('says a required status that nobody knows as absent, never as if it were known', () => {
    const immunization = one({ __modelname__: 'Immunization', product_name_title: 'Flu' });
    expect(Object.keys(immunization)).to.not.include('status');
    expect(JSON.stringify(immunization['_status'])).to.include('"valueCode":"unknown"');
    expect(immunization['occurrenceString']).to.equal('unknown');
    expect(JSON.stringify(immunization['meta'])).to.not.include('profile');
  });

  it('stands in the order of R4, and says the same in XML', () => {
    const resources = said(
      {
        __modelname__: 'Medication',
        drugName_title: 'A & B',
        frequency_value: '2',
        frequency_unit: '/d',
        instructions: 'x',
      },
      { __modelname__: 'Immunization', product_name_title: 'Flu' },
    );
    for (const resource of resources) {
      const order = ['resourceType', ...fhirType(resource.resourceType)!.elements.keys()];
      const places = Object.keys(resource).map((name) => order.indexOf(name.replace(/^_/, '')));
      expect(places).to.equal([...places].sort((a, b) => a - b));
      expect(places).to.not.include(-1);
      expect(xmlOf(resourceOf(resource))).to.equal(
        fhirJsonToXml(Buffer.from(resourceText(resourceOf(resource))), () => true),
      );
    }
  });

  it('says every core model, or why it says nothing', () => {
    const silent = models.all
      .filter(({ builtin, fhir }) => !builtin && !fhir?.resources.length)
      .map(({ name }) => name);
    // The resource of the panel contains what a LabPanelResult refers to; what a word is about stands in its statement.
    expect(silent).to.equal(['LabPanelResult', 'OwnWordAbout', 'StoredFile']);
    expect(models.find('StoredFile')?.fhir).to.equal({ together: false, resources: [] });
  });
});

/**
 * codings-store: codes that a sender gives beside the one in a fact are kept with the document, join lines for those who
 * may see it, come back with reprocessing, and go with the record.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { reprocess } from '../../../core/pipeline/reprocess';
import { forgetRecord } from '../../../core/records/forget';
import { addPerson, type Signs } from '../../support/cast';
import { toolsOf } from '../../support/archives';
import { databases } from '../../support/databases';
import { direct } from '../../support/direct';
import { startService, type TestService } from '../../support/server';
import { attribute, createRecord, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const RXNORM = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const coding = (system: string, code: string): string =>
  `<coding><system value="${system}"/><code value="${code}"/></coding>`;

/** A statement of a medicine with its codes, strength, form and the way it is taken. */
const statement = (name: string, codings: string): string =>
  '<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/><entry><fullUrl value="urn:uuid:11111111-1111-4111-8111-111111111111"/>' +
  `<resource><Medication><code>${codings}<text value="${name}"/></code><form><text value="Tablet"/></form>` +
  '<ingredient><itemCodeableConcept><text value="A"/></itemCodeableConcept><strength><numerator><value value="875"/><unit value="mg"/></numerator><denominator><value value="1"/><unit value="tablet"/></denominator></strength></ingredient>' +
  '<ingredient><itemCodeableConcept><text value="B"/></itemCodeableConcept><strength><numerator><value value="125"/><unit value="mg"/></numerator><denominator><value value="5"/><unit value="mL"/></denominator></strength></ingredient>' +
  '</Medication></resource></entry><entry><resource><MedicationStatement><status value="active"/>' +
  '<medicationReference><reference value="urn:uuid:11111111-1111-4111-8111-111111111111"/></medicationReference><subject><display value="x"/></subject>' +
  '<dosage><route><coding><system value="http://snomed.info/sct"/><code value="26643006"/><display value="Oral"/></coding></route></dosage>' +
  '</MedicationStatement></resource></entry></Bundle>';

const HL7 = 'urn:hl7-org:v3';
/** A problem with a code of SNOMED CT and so many others. */
const problems = (others: number): string =>
  `<ClinicalDocument xmlns="${HL7}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>` +
  '<id root="2.999.7"/><code code="34133-9" codeSystem="2.16.840.1.113883.6.1"/><effectiveTime value="20260101"/><confidentialityCode code="N"/>' +
  '<recordTarget><patientRole><id root="2.999.8"/></patientRole></recordTarget><author><time value="20260101"/><assignedAuthor><id root="2.999.9"/></assignedAuthor></author>' +
  '<custodian><assignedCustodian><representedCustodianOrganization><id root="2.999.9"/></representedCustodianOrganization></assignedCustodian></custodian>' +
  '<component><structuredBody><component><section><templateId root="2.16.840.1.113883.10.20.22.2.5.1"/><code code="11450-4" codeSystem="2.16.840.1.113883.6.1"/><title>Problems</title><text>x</text>' +
  '<entry><act classCode="ACT" moodCode="EVN"><code code="CONC" codeSystem="2.16.840.1.113883.5.6"/><statusCode code="active"/><entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN">' +
  '<code code="55607006" codeSystem="2.16.840.1.113883.6.96"/><statusCode code="completed"/>' +
  `<value xsi:type="CD" code="38341003" codeSystem="2.16.840.1.113883.6.96" displayName="Hypertension">${Array.from(
    { length: others },
    (_, at) => `<translation code="L ${at}|&#228;" codeSystem="2.999.5"/>`,
  ).join('')}</value>` +
  '</observation></entryRelationship></act></entry></section></component></structuredBody></component></ClinicalDocument>';

for (const leg of databases) {
  describe(`codes beside those in facts on ${leg.name}`, () => {
    let service: TestService;
    let alice: Signs;
    let recordId: string;
    let first: string;

    const post = async (body: string): Promise<string> =>
      attribute(
        succeeded(await service.call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
        'Document',
        'id',
      );
    const rows = (): Promise<readonly Record<string, unknown>[]> =>
      direct(service.services.database)('statement_coding').where({ record_id: recordId }).orderBy('place').select();
    const lines = async (model = 'Medication'): Promise<readonly { says: readonly unknown[] }[]> => {
      const path = `/records/${recordId}/lines/${model}/?response_format=application/json`;
      return (JSON.parse(succeeded(await service.call(alice, 'GET', path)).text) as { lines: [] }).lines;
    };

    before(async () => {
      service = await startService(leg, {});
      alice = await addPerson(service.services, 'alice@example.org', 'Alice Lee');
      recordId = await createRecord(service.call, 'alice@example.org');
      first = await post(statement('Foo', coding(RXNORM, '700') + coding('http://snomed.info/sct', '5')));
      await post(statement('Bar', coding('http://snomed.info/sct', '5')));
    });
    after(() => service.stop());

    it('keep what a statement says in other systems, its strength, form and way', async () => {
      const found = (await rows()).map(({ document_id: id, model, field, system, code }) => [
        id,
        model,
        field,
        system,
        code,
      ]);
      expect(found).to.equal([
        [first, 'Medication', 'drugName_identifier', 'http://purl.bioontology.org/ontology/SNOMEDCT/', '5'],
      ]);
      const path = `/records/${recordId}/reports/Medication/?response_format=application/json`;
      const [fact] = JSON.parse((await service.call(alice, 'GET', path)).text) as Record<string, unknown>[];
      expect([fact!['strength'], fact!['form_title'], fact!['route_title'], fact!['route_identifier']]).to.equal([
        '875 mg / 125 mg/5 mL',
        'Tablet',
        'Oral',
        '26643006',
      ]);
    });

    it('join what shares one of them', async () => {
      expect((await lines()).map(({ says }) => says.length)).to.equal([2]);
    });

    it('come back with reprocessing, once', async () => {
      const before = await rows();
      await direct(service.services.database)('statement_coding').delete();
      await direct(service.services.database)('document').where({ id: first }).update({ fingerprint: 'oldest' });
      expect((await lines()).map(({ says }) => says.length)).to.equal([1, 1]);
      for (const _round of [1, 2]) {
        await direct(service.services.database)('document').where({ id: first }).update({ fingerprint: 'older' });
        await reprocess(await toolsOf(service), {}, () => undefined);
        expect(await rows()).to.equal(before);
      }
      expect((await lines()).map(({ says }) => says.length)).to.equal([2]);
    });

    it('are at most ten with the one in the fact, whatever signs they have', async () => {
      const id = await post(problems(30));
      const found = (await rows()).filter(({ document_id: document }) => document === id);
      expect(found.map(({ code }) => code)).to.equal(Array.from({ length: 9 }, (_, at) => `L ${at}|ä`));
      expect(new Set(found.map(({ system }) => system))).to.equal(new Set(['urn:oid:2.999.5']));
    });

    it('go with the version that said them, and with the record', async () => {
      await service.call(alice, 'POST', `/records/${recordId}/documents/${first}/replace`, {
        body: statement('Foo', coding(RXNORM, '700')),
      });
      expect((await rows()).filter(({ document_id: document }) => document === first)).to.equal([]);
      expect((await rows()).length).to.equal(9);
      await forgetRecord(await toolsOf(service), recordId);
      expect(await rows()).to.equal([]);
    });
  });
}

/** Small clinical documents for tests of what comes in, and their facts in one line each. */
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';

const PATIENT =
  '<recordTarget><patientRole><id root="2.999.2"/><patient><name>A</name><administrativeGenderCode code="F"/>' +
  '<birthTime value="19800101"/></patient></patientRole></recordTarget>';

export type Parts = {
  readonly section?: string;
  readonly entries?: string;
  readonly patients?: string;
  readonly body?: string;
};

export function entry(inside: string): string {
  return `<entry>${inside}</entry>`;
}

export function section(code: string, inside: string): string {
  return (
    `<component><section><code code="${code}" codeSystem="2.16.840.1.113883.6.1"/><title>S</title><text>T</text>` +
    `${inside}</section></component>`
  );
}

/** A document with one section of the code, or with a body of its own. */
export function clinicalDocument(parts: Parts): Buffer {
  const { section: code = '11450-4', entries = '', patients = PATIENT, body = section(code, entries) } = parts;
  return Buffer.from(
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><typeId ' +
      'root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/><id root="2.999.1"/><code code="34133-9" ' +
      'codeSystem="2.16.840.1.113883.6.1"/><effectiveTime value="20240101"/><confidentialityCode code="N"/>' +
      `${patients}<author><time value="2024"/><assignedAuthor><id root="2.999.3"/></assignedAuthor></author><custodian>` +
      '<assignedCustodian><representedCustodianOrganization><id root="2.999.4"/></representedCustodianOrganization>' +
      `</assignedCustodian></custodian><component><structuredBody>${body}</structuredBody></component></ClinicalDocument>`,
  );
}

/** A document with one section of the code, which has these statements. */
export function oneSection(code: string, ...entries: readonly string[]): Buffer {
  return clinicalDocument({ section: code, entries: entries.map(entry).join('') });
}

const NAMES = ['allergen_title', 'name_title', 'product_name_title', 'test_name_title', 'type'];

/** "Model: its name" for each fact, then "count model reason" for what was left out. */
export async function outcomes(reader: DocumentReader, document: Buffer): Promise<readonly string[]> {
  const { facts, leftOut } = await reader.read(document);
  const named = facts.map(({ model, values }) => `${model}: ${NAMES.map((name) => values[name] ?? '').join('')}`);
  return [...named, ...leftOut.map(({ count, model, reason }) => `${count} ${model} ${reason}`)];
}

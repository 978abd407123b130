/** clinical-document: a C-CDA with one section, for tests. */
export const clinicalDocument = (section: string, ...entries: readonly string[]): Buffer =>
  Buffer.from(
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><typeId ' +
      'root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/><id root="2.999.1"/><code code="34133-9" ' +
      'codeSystem="2.16.840.1.113883.6.1"/><effectiveTime value="20240101"/><confidentialityCode ' +
      'code="N"/><recordTarget><patientRole><id root="2.999.2"/><patient><name>A</name><administrativeGenderCode ' +
      'code="F"/><birthTime value="1980"/></patient></patientRole></recordTarget><author><time ' +
      'value="2024"/><assignedAuthor><id root="2.999.3"/></assignedAuthor></author><custodian><assignedCustodian>' +
      '<representedCustodianOrganization><id root="2.999.4"/></representedCustodianOrganization></assignedCustodian>' +
      `</custodian><component><structuredBody><component><section><code code="${section}" ` +
      `codeSystem="2.16.840.1.113883.6.1"/><title>S</title><text>T</text>${entries
        .map((entry) => `<entry>${entry}</entry>`)
        .join('')}</section></component></structuredBody></component></ClinicalDocument>`,
  );

/** Small summaries of one portal, with the ids by which it knows its statements, for tests of newer and older ones. */

export type Portal = {
  /** As C-CDA writes times. */ readonly at: string;
  readonly id?: string;
  readonly custodian?: string;
  readonly code?: string;
  /** Elements of the header after the language: setId, versionNumber. */ readonly set?: string;
  readonly related?: string;
  readonly sections: readonly string[];
};

/** The sender's id of a statement: a root with or without an extension. */
const idOf = (id: string): string => {
  const [root, extension] = id.split('|');
  return `<id root="${root}"${extension === undefined ? '' : ` extension="${extension}"`}/>`;
};

const coded = (code: string, system: string, name: string): string =>
  `code="${code}" codeSystem="${system}" displayName="${name}"`;

/** A code of its own for each name. */
const codeOf = (name: string): string =>
  String([...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 1_000_000, 7));

const section = (code: string, entries: readonly string[]): string =>
  `<component><section><code code="${code}" codeSystem="2.16.840.1.113883.6.1"/><title>S</title><text>T</text>` +
  `${entries.map((one) => `<entry>${one}</entry>`).join('')}</section></component>`;

export const problems = (...entries: readonly string[]): string => section('11450-4', entries);
export const medicines = (...entries: readonly string[]): string => section('10160-0', entries);
export const results = (...entries: readonly string[]): string => section('30954-2', entries);
export const vaccines = (...entries: readonly string[]): string => section('11369-6', entries);

/** A problem by its id and name; with an end it is resolved. */
export const problem = (id: string, name: string, end = '', attributes = ''): string =>
  `<act classCode="ACT" moodCode="EVN"><code code="CONC" codeSystem="2.16.840.1.113883.5.6"/><statusCode code="${end ? 'completed' : 'active'}"/>` +
  `<entryRelationship typeCode="SUBJ"><observation classCode="OBS" moodCode="EVN" ${attributes}>${idOf(id)}` +
  '<code code="55607006" codeSystem="2.16.840.1.113883.6.96"/><statusCode code="completed"/>' +
  `<effectiveTime><low value="20200101"/>${end && `<high value="${end}"/>`}</effectiveTime>` +
  `<value xsi:type="CD" ${coded(codeOf(name), '2.16.840.1.113883.6.96', name)}/></observation></entryRelationship></act>`;

/** A medicine by its id and name; with an end it is over. */
export const medicine = (id: string, name: string, end = '', status = 'active'): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN">${idOf(id)}<statusCode code="${end ? 'completed' : status}"/>` +
  `<effectiveTime xsi:type="IVL_TS"><low value="20230101"/>${end && `<high value="${end}"/>`}</effectiveTime>` +
  '<consumable><manufacturedProduct><manufacturedMaterial>' +
  `<code ${coded(codeOf(name), '2.16.840.1.113883.6.88', name)}/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`;

export const result = (id: string, name: string, value: string, at = '20240201083000-0500'): string =>
  '<organizer classCode="BATTERY" moodCode="EVN"><id root="2.999.8" extension="panel"/>' +
  `<code ${coded('24323-8', '2.16.840.1.113883.6.1', 'Panel')}/><statusCode code="completed"/><component>` +
  `<observation classCode="OBS" moodCode="EVN">${idOf(id)}<code ${coded('2823-3', '2.16.840.1.113883.6.1', name)}/>` +
  `<statusCode code="completed"/><effectiveTime value="${at}"/><value xsi:type="PQ" value="${value}" unit="mmol/L"/>` +
  '</observation></component></organizer>';

export const vaccine = (id: string, name: string): string =>
  `<substanceAdministration classCode="SBADM" moodCode="EVN" negationInd="false">${idOf(id)}<statusCode code="completed"/>` +
  '<effectiveTime value="20210301"/><consumable><manufacturedProduct><manufacturedMaterial>' +
  `<code ${coded('207', '2.16.840.1.113883.12.292', name)}/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`;

export const replaces = (id: string, type = 'RPLC'): string =>
  `<relatedDocument typeCode="${type}"><parentDocument>${idOf(id)}</parentDocument></relatedDocument>`;

export function portalDocument(portal: Portal): string {
  const { at, id = `2.999.100|${at}`, custodian = '2.999.4', code = '34133-9', set = '', related = '' } = portal;
  return (
    '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><typeId ' +
    `root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>${idOf(id)}<code code="${code}" ` +
    `codeSystem="2.16.840.1.113883.6.1"/><title>Summary</title><effectiveTime value="${at}"/><confidentialityCode code="N"/>${set}` +
    '<recordTarget><patientRole><id root="2.999.2"/><patient><name><given>Mira</given><family>Halvorsen</family></name></patient></patientRole></recordTarget>' +
    '<author><time value="2024"/><assignedAuthor><id root="2.999.3"/></assignedAuthor></author><custodian>' +
    `<assignedCustodian><representedCustodianOrganization><id root="${custodian}"/><name>Clinic ${custodian}</name></representedCustodianOrganization>` +
    `</assignedCustodian></custodian>${related}<component><structuredBody>${portal.sections.join('')}</structuredBody></component></ClinicalDocument>`
  );
}

export const version = (set: string, number: number): string =>
  `${idOf(set).replace('<id', '<setId')}<versionNumber value="${number}"/>`;

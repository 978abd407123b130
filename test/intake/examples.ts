/**
 * examples: the published examples, which lie beside the project, as whole documents. Most of the C-CDA examples are
 * only parts of one.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseXml, type Element } from 'libxmljs2';
import { inProject } from '../../core/base/paths';

export const DATA = inProject('..', 'shared', 'data');

/** Whether the examples are installed: they are not part of the project. */
export const hasData = (): boolean => existsSync(join(DATA, 'ccda-examples', 'index.tsv'));

export type Example = { readonly name: string; readonly xml: string };

const HEAD =
  '<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc" ' +
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><typeId root="2.16.840.1.113883.1.3" ' +
  'extension="POCD_HD000040"/><id root="2.999.1"/><code code="34133-9" ' +
  'codeSystem="2.16.840.1.113883.6.1"/><effectiveTime value="20240101"/><confidentialityCode ' +
  'code="N"/><recordTarget><patientRole><id root="2.999.2"/><patient><name>A</name><administrativeGenderCode ' +
  'code="F"/><birthTime value="1980"/></patient></patientRole></recordTarget><author><time ' +
  'value="2024"/><assignedAuthor><id ' +
  'root="2.999.3"/></assignedAuthor></author><custodian><assignedCustodian><representedCustodianOrganization><id ' +
  'root="2.999.4"/></representedCustodianOrganization></assignedCustodian></custodian>';

const parts = ['act', 'encounter', 'observation', 'organizer', 'procedure', 'substanceAdministration', 'supply'];

const asComponent = (node: Element): string => {
  const text = node.toString();
  if (node.name() === 'section') {
    return `<component>${text}</component>`;
  }
  const entry = node.name() === 'entry' ? text : `<entry>${text}</entry>`;
  return `<component><section><title>Entries</title>${entry}</section></component>`;
};

/** Makes a whole document of what a file holds; undefined for parts of a header, which have no entries. */
const wholeOf = (text: string): string | undefined => {
  const bare = text
    .replace(/^\uFEFF/, '')
    .replace(/<\?[^>]*\?>/g, '')
    // In the guide, dots stand for omitted parts.
    .replace(/>\s*\.\.\.\s*</g, '><');
  const wrapped = parseXml(
    `<w xmlns="urn:hl7-org:v3" xmlns:sdtc="urn:hl7-org:sdtc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${bare}</w>`,
  ).root()!;
  const roots = wrapped.childNodes().filter((node) => node.type() === 'element') as Element[];
  const [first] = roots;
  if (first?.name() === 'ClinicalDocument') {
    return roots.length === 1 ? first.toString() : undefined;
  }
  const inner = roots.flatMap((node) => {
    if (node.name() === 'component') {
      return node.find('h:section', { h: 'urn:hl7-org:v3' }) as unknown as Element[];
    }
    return ['section', 'entry', ...parts].includes(node.name()) ? [node] : [];
  });
  return inner.length === 0
    ? undefined
    : `${HEAD}<component><structuredBody>${inner.map(asComponent).join('')}</structuredBody></component></ClinicalDocument>`;
};

/** Every C-CDA example that has entries, as a whole document. */
export const clinicalDocuments = (): readonly Example[] =>
  readFileSync(join(DATA, 'ccda-examples', 'index.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[0] ?? '')
    .filter((path) => path !== '')
    .flatMap((name) => {
      const xml = wholeOf(readFileSync(join(DATA, 'ccda-examples', name), 'utf8'));
      return xml === undefined ? [] : [{ name, xml }];
    });

const jsonFiles = (...folder: readonly string[]): readonly { readonly name: string; readonly json: string }[] =>
  readdirSync(join(DATA, ...folder))
    .filter((name) => name.endsWith('.json') && name !== 'package.json')
    .map((name) => ({ name, json: readFileSync(join(DATA, ...folder, name), 'utf8') }));

/** The patients of the FHIR examples, as Bundles. */
export const fhirBundles = () => jsonFiles('fhir-r4-bundles');

/** Resources and summaries of the published guides. */
export const fhirExamples = () => [
  ...jsonFiles('fhir-us-core', 'example'),
  ...jsonFiles('fhir-ips', 'example'),
  ...jsonFiles('fhir-ipa', 'package-1.0.0', 'example'),
];

/**
 * linear stylesheets: for a document of twice the size the bundled stylesheets need about twice the work. The test
 * compares the processor times of two runs, so a busy machine makes no difference. Work that grows with the square
 * would take four times as long.
 */
import { readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../../core/base/paths';
import { gatherStylesheet } from '../../../core/pipeline/entry-files';
import { openXmlEngine } from '../../../core/xml/engine';
import { compileStylesheet, type Stylesheet } from '../../../core/xml/xslt';

export const lab = Lab.script();
const { describe, it } = lab;

const folder = inProject('pipeline-config');
const MOST = 3.2;
const RUNS = 3;
/** A short run can be disturbed three times; one that grows with the square is too long every time. */
const TRIES = 4;

const stylesheetOf = async (format: string, file: string): Promise<Stylesheet> => {
  const problems: string[] = [];
  const wanted = {
    file: `${folder}/${format}/${file}`,
    namedAt: () => format,
    folders: [folder],
    vocabBase: 'https://v.example',
  };
  const source = gatherStylesheet(await openXmlEngine(), wanted, problems);
  expect(problems).to.equal([]);
  const stylesheet = compileStylesheet(source!.file, new Map(source!.files), () => '');
  return stylesheet as Stylesheet;
};

const costOf = ({ apply }: Stylesheet, document: string): number =>
  Math.min(
    ...Array.from({ length: RUNS }, () => {
      const before = process.cpuUsage();
      apply(document);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );

const summary = readFileSync(`${folder}/ccda/sample-clinic-summary.xml`, 'utf8');
const ENTRY = /<entry[ >][\s\S]*?<\/entry>/g;
const times = (count: number, make: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => make(number)).join('');
const withOtherIds = (text: string, number: number): string =>
  text.replace(/extension="([^"]*)"/g, (whole, id: string) =>
    /^20\d\d-/.test(id) ? whole : `extension="${id}-${number}"`,
  );
const narrative = (count: number): string =>
  `<section><title>Words</title><text>${times(count, (number) => `<content ID="t${number}">Problem ${number}</content>`)}</text>${times(
    count,
    (number) =>
      `<entry><observation classCode="OBS" moodCode="EVN"><templateId root="2.16.840.1.113883.10.20.22.4.4"/><code nullFlavor="UNK"/><value nullFlavor="OTH"><originalText><reference value="#t${number}"/></originalText></value></observation></entry>`,
  )}</section>`;
const section = /<section>[\s\S]*?<\/section>/;

const words = (count: number, line: string, list: string, item: string): string =>
  `${`Words <${line}/>`.repeat(count)}<${list}>${`<${item}>an entry</${item}>`.repeat(count)}</${list}>` +
  `<table><tbody>${'<tr><td>one</td><td>two</td></tr>'.repeat(count)}</tbody></table>`;

const resource = (text: string): string => `<entry><resource>${text}</resource></entry>`;
const bundle = (entries: string): string =>
  `<Bundle xmlns="http://hl7.org/fhir"><type value="collection"/>${entries}</Bundle>`;
const observation = (number: number, code: string, time: string): string =>
  resource(
    `<Observation><id value="o${number}"/><status value="${number % 2 ? 'final' : 'preliminary'}"/><category><coding><code ` +
      `value="${code === '2345-7' ? 'laboratory' : 'vital-signs'}"/></coding></category><code><coding><system ` +
      `value="http://loinc.org"/><code value="${code}"/></coding></code><subject><reference ` +
      'value="Patient/p"/></subject><encounter><reference value="Encounter/e"/></encounter><effectiveDateTime ' +
      `value="${time}"/><valueQuantity><value value="${50 + (number % 40)}"/><code ` +
      'value="/min"/></valueQuantity></Observation>',
  );
const encounter = resource(
  '<Encounter><id value="e"/><status value="finished"/><class><code value="AMB"/></class></Encounter>',
);
/** A laboratory report with results that do not state their kind. */
const report = (count: number, inside: boolean): string => {
  const result = (number: number): string =>
    `<Observation><id value="o${number}"/><status value="final"/><code><text value="Test ${number}"/></code>` +
    '<valueString value="x"/></Observation>';
  const results = times(count, (number) =>
    inside ? `<contained>${result(number)}</contained>` : resource(result(number)),
  );
  const named = times(
    count,
    (number) => `<result><reference value="${inside ? '#' : 'Observation/'}o${number}"/></result>`,
  );
  return bundle(
    `${inside ? '' : results}${resource(
      `<DiagnosticReport><id value="r"/>${inside ? results : ''}<status value="final"/><category><coding><code ` +
        `value="LAB"/></coding></category><code><text value="Panel"/></code>${named}</DiagnosticReport>`,
    )}`,
  );
};
const day = (number: number): string => new Date(Date.UTC(2000, 0, 1 + number)).toISOString().slice(0, 10);

type Shape = readonly [format: string, what: string, make: (count: number) => string, file?: string];

const shapes: readonly Shape[] = [
  [
    'ccda',
    'entries of all kinds',
    (count) => summary.replace(ENTRY, (entry) => times(count, (number) => withOtherIds(entry, number))),
  ],
  ['ccda', 'entries that repeat each other', (count) => summary.replace(ENTRY, (entry) => entry.repeat(count))],
  [
    'ccda',
    'entries whose words are in the narrative',
    (count) => summary.replace(section, () => narrative(60 * count)),
  ],
  [
    'ccda',
    'sections',
    (count) =>
      summary.replace(
        section,
        (text) =>
          `${text}${times(150 * count, (number) => `</component><component><section><title>Part ${number}</title><text>Words</text></section>`)}`,
      ),
  ],
  [
    'fhir-bundle',
    'results',
    (count) => bundle(times(60 * count, (number) => observation(number, '2345-7', day(number)))),
  ],
  [
    'fhir-bundle',
    'readings of many times in one encounter',
    (count) => bundle(encounter + times(60 * count, (number) => observation(number, '8867-4', day(number)))),
  ],
  [
    'fhir-bundle',
    'readings of one time that differ',
    (count) => bundle(encounter + times(60 * count, (number) => observation(number, '8867-4', '2020-01-01'))),
  ],
  ['fhir-bundle', 'results inside a report', (count) => report(60 * count, true)],
  ['fhir-bundle', 'results that a report names', (count) => report(60 * count, false)],
  [
    'ccda',
    'lines, entries of lists and rows of the text',
    (count) =>
      summary.replace(
        section,
        () => `<section><title>Words</title><text>${words(60 * count, 'br', 'list', 'item')}</text></section>`,
      ),
    'narrative.xsl',
  ],
  [
    'fhir-bundle',
    'lines, entries of lists and rows of the text',
    (count) =>
      `<Condition xmlns="http://hl7.org/fhir"><text><div xmlns="http://www.w3.org/1999/xhtml">${words(60 * count, 'br', 'ul', 'li')}</div></text></Condition>`,
    'narrative.xsl',
  ],
];

describe('the bundled stylesheets', () => {
  for (const [format, what, make, file = 'transform.xsl'] of shapes) {
    it(`do twice the work for twice as many ${what} (${format})`, async () => {
      const stylesheet = await stylesheetOf(format, file);
      const [once, twice] = [make(20), make(40)];
      expect(twice.length / once.length).to.be.within(1.6, 2.1);
      const ratios: number[] = [];
      do {
        ratios.push(costOf(stylesheet, twice) / costOf(stylesheet, once));
      } while (ratios.at(-1)! >= MOST && ratios.length < TRIES);
      expect(ratios.at(-1)!, ratios.join(', ')).to.be.below(MOST);
    });
  }
});

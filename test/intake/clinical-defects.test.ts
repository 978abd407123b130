/**
 * clinical defects: small defects of C-CDA documents cost at most the one thing that they are in. A document is refused
 * only when it does not say whose it is, or has no body.
 */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../core/base/errors';
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

type Odd = {
  readonly attributes?: string;
  readonly id?: string;
  readonly low?: string;
  readonly code?: string;
  readonly value?: string;
};

const problem = ({ attributes = 'moodCode="EVN"', id = '2.999.7', low = '20100101', code, value }: Odd): string =>
  entry(
    `<observation classCode="OBS" ${attributes}><id root="${id}"/><code ${code ?? 'code="ASSERTION"'}/><statusCode ` +
      `code="completed"/><effectiveTime><low value="${low}"/></effectiveTime>` +
      `${value ?? '<value xsi:type="CD" code="38341003" codeSystem="2.16.840.1.113883.6.96" displayName="Asthma"/>'}` +
      '</observation>',
  );

async function outcome(document: Buffer): Promise<readonly string[]> {
  const { facts, leftOut } = await reader.read(document);
  return [
    ...facts.map(({ model, values }) =>
      [model, values['name_title'] ?? values['test_name_title'], values['startDate'] ?? values['value'] ?? '-'].join(
        ' ',
      ),
    ),
    ...leftOut.map(({ model, reason, where }) => `${model} ${reason} ${where ?? ''}`),
  ];
}

const readProblem = (odd: Odd): Promise<readonly string[]> =>
  outcome(clinicalDocument({ section: '11450-4', entries: problem(odd) }));

const DAY = '2010-01-01T00:00:00.000000Z';
const KEPT = [`Problem Asthma ${DAY}`];

describe('a C-CDA document with small defects', () => {
  it('keeps a statement whose identifier is none', async () => {
    for (const id of [
      '37f76c51-6411-4e1d-8a37-957fd49d2zzz',
      '{37f76c51-6411-4e1d-8a37-957fd49d2abc}',
      '1..2',
      'a b',
    ]) {
      expect(await readProblem({ id }), id).to.equal(KEPT);
    }
  });

  it('reads dates in the form of ISO 8601, and tells what is no date', async () => {
    expect(await readProblem({ low: '2010-01-01' })).to.equal(KEPT);
    expect(await readProblem({ low: '2010-01-01T10:15:00-05:00' })).to.equal([
      'Problem Asthma 2010-01-01T15:15:00.000000Z',
    ]);
    expect(await readProblem({ low: '20100101101500-05:00' })).to.equal(['Problem Asthma 2010-01-01T15:15:00.000000Z']);
    expect(await readProblem({ low: '2010-01-01T10:15:00Z' })).to.equal(['Problem Asthma 2010-01-01T10:15:00.000000Z']);
    for (const low of ['Unknown', '01/02/2010', 'in childhood']) {
      expect(await readProblem({ low }), low).to.equal([
        'Problem Asthma -',
        `ClinicalDocument no_date section S: ${low}`,
      ]);
    }
  });

  it('understands true and false in other spellings, and keeps no fact that is unclear', async () => {
    expect(await readProblem({ attributes: 'moodCode="EVN" negationInd="0"' })).to.equal(KEPT);
    expect(await readProblem({ attributes: 'moodCode="EVN" negationInd="FALSE"' })).to.equal(KEPT);
    expect(await readProblem({ attributes: '' })).to.equal(KEPT);
    for (const negated of ['1', 'TRUE', 'true']) {
      expect(await readProblem({ attributes: `moodCode="EVN" negationInd="${negated}"` })).to.equal([
        'Problem negated section S',
      ]);
    }
    expect(await readProblem({ attributes: 'moodCode="EVN" negationInd="perhaps"' })).to.equal([
      'Problem unreadable_negation section S',
    ]);
    expect(await readProblem({ attributes: 'moodCode="PLANNED"' })).to.equal(['Problem planned section S']);
  });

  it('keeps values of no or unknown type, and says in words what is no number', async () => {
    const coded = 'code="38341003" codeSystem="SNOMED" displayName="Asthma"';
    expect(await readProblem({ value: `<value ${coded}/>` })).to.equal(KEPT);
    expect(await readProblem({ value: `<value xsi:type="CODED" ${coded}/>` })).to.equal(KEPT);
    const result = (value: string): Promise<readonly string[]> =>
      outcome(
        clinicalDocument({ section: '30954-2', entries: problem({ code: 'code="1" displayName="Platelets"', value }) }),
      );
    expect(await result('<value xsi:type="PQ" value="250,000" unit="/uL"/>')).to.equal([
      'LabResult Platelets 250,000 /uL',
    ]);
    expect(await result('<value xsi:type="PQ" value="few" unit=""/>')).to.equal(['LabResult Platelets few']);
  });

  it('keeps a dose that is no number as it is written', async () => {
    const given = (dose: string): string =>
      entry(
        '<substanceAdministration classCode="SBADM" moodCode="EVN"><statusCode code="active"/>' +
          `<doseQuantity value="${dose}" unit="mg"/><consumable><manufacturedProduct><manufacturedMaterial><code ` +
          'nullFlavor="UNK"/><name>Drops</name></manufacturedMaterial></manufacturedProduct></consumable>' +
          '</substanceAdministration>',
      );
    const instructions = async (dose: string): Promise<unknown> => {
      const { facts } = await reader.read(clinicalDocument({ section: '10160-0', entries: given(dose) }));
      return facts.map(({ values }) => values['instructions'])[0];
    };
    expect(await instructions('1,5')).to.contain('1,5');
    expect(await instructions('one half')).to.contain('one half');
  });

  it('minds neither empty components, nor the order of a section, nor unknown reasons for a missing value', async () => {
    const asthma = problem({});
    const swapped =
      `<component><section nullFlavor="unk"><title>S</title>${asthma}<text>T</text><code code="11450-4" ` +
      'codeSystem="2.16.840.1.113883.6.1"/></section></component>';
    expect(
      await outcome(clinicalDocument({ body: `<component/>${section('11450-4', `${asthma}<component/>`)}` })),
    ).to.equal(KEPT);
    expect(await outcome(clinicalDocument({ body: swapped }))).to.equal(KEPT);
    expect(await outcome(clinicalDocument({ section: '11450-4', entries: `<entry/>${asthma}` }))).to.equal([
      ...KEPT,
      'Problem no_information section S',
    ]);
  });

  it('minds neither the order of the header nor what is missing there', async () => {
    const whole = clinicalDocument({ section: '11450-4', entries: problem({}) }).toString();
    for (const part of ['author', 'custodian', 'confidentialityCode', 'id', 'typeId', 'effectiveTime']) {
      const without = whole.replace(new RegExp(`<${part}( [^>]*/>|>.*?</${part}>)`), '');
      expect(without, part).not.to.equal(whole);
      expect(await outcome(Buffer.from(without)), part).to.equal(KEPT);
    }
    const author = /<author>.*?<\/author>/.exec(whole)?.[0] ?? '';
    expect(await outcome(Buffer.from(whole.replace(author, '').replace('<code ', `${author}<code `)))).to.equal(KEPT);
  });

  it('refuses a document that does not say whose it is, or has no body', async () => {
    const whole = clinicalDocument({ section: '11450-4', entries: problem({}) }).toString();
    for (const part of ['recordTarget', 'component']) {
      const without = whole.replace(new RegExp(`<${part}>.*</${part}>`), '');
      const refusal = await reader.read(Buffer.from(without)).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect((refusal as AppError | undefined)?.code, part).to.equal('invalid_document');
    }
  });
});

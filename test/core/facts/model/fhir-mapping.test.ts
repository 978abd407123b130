/** fhir-mapping: what a `.fhir.yaml` file may say, and every mistake with its line and reason. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadModels } from '../../../../core/facts/model/models';

export const lab = Lab.script();
const { describe, it } = lab;

const MODEL = `__modelname__: Night
hours: Number
quality: CodedValue
amount: ValueAndUnit
rested: Boolean
remarks: Text
breaks: [{ __modelname__: Break, minutes: Integer }]
`;

const load = (mapping: string): ReturnType<typeof loadModels> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fhir-'));
  writeFileSync(join(folder, 'night.yaml'), MODEL);
  writeFileSync(join(folder, 'night.fhir.yaml'), mapping);
  const { models, problems } = loadModels([folder], 'https://svc.example/vocab');
  rmSync(folder, { recursive: true });
  return { models, problems: problems.map((problem) => problem.replace(`${folder}/`, '')) };
};

/** The problems of elements, and of search, of an Observation. */
const faults = (elements: readonly string[], rest: readonly string[] = []): readonly string[] =>
  load(
    [
      'Night:',
      '  resources:',
      '    - resource: Observation',
      '      elements:',
      ...elements.map((line) => `        ${line}`),
      ...rest.map((line) => `      ${line}`),
    ].join('\n'),
  ).problems;

describe('a mapping to FHIR', () => {
  it('is part of its model', () => {
    const { models, problems } = load(`
Night:
  together: true
  resources:
    - resource: Observation
      id: sleep
      when: { hours: filled }
      elements:
        code: { CodedValue: quality }
        valueQuantity: { Amount: hours, unit: h }
        note: [{ text: remarks }]
        component:
          each: breaks
          value:
            code: { fixed: { text: Break } }
            valueInteger: minutes
      search: { code: code, component-code: component.code }
`);
    expect(problems).to.equal([]);
    const mapping = models.find('Night')!.fhir!;
    expect(mapping.together).to.be.true();
    expect(mapping.resources[0]).to.include({ resource: 'Observation', id: 'sleep', when: [[{ column: 'hours' }]] });
    expect(mapping.resources[0]!.search).to.equal([
      { name: 'code', type: 'token', paths: ['code'] },
      { name: 'component-code', type: 'token', paths: ['component.code'] },
    ]);
  });

  const cases: readonly (readonly [
    what: string,
    elements: readonly string[],
    reason: string,
    rest?: readonly string[],
  ])[] = [
    [
      'an element that R4 has not',
      ['valueAmount: hours'],
      'night.fhir.yaml:5: FHIR R4 has no element valueAmount in Observation',
    ],
    ['an unknown column', ['valueString: remark'], 'night.fhir.yaml:5: Night has no column remark'],
    [
      'a column for an element of several parts',
      ['code: remarks'],
      'night.fhir.yaml:5: code is a CodeableConcept, which a column cannot fill: name its parts, or a type of several columns',
    ],
    [
      'a type that does not fit',
      ['valueQuantity: { CodedValue: quality }'],
      'night.fhir.yaml:5: valueQuantity is a Quantity, and CodedValue becomes CodeableConcept or Coding',
    ],
    [
      'a field that is not of the type',
      ['code: { CodedValue: amount }'],
      'night.fhir.yaml:5: Night has no column amount_identifier, amount_title, amount_system',
    ],
    [
      'text for true or false',
      ['valueBoolean: remarks'],
      'night.fhir.yaml:5: valueBoolean is true or false, and remarks is not',
    ],
    ['a list for what is no list', ['code: [{ CodedValue: quality }]'], 'night.fhir.yaml:5: code is no list'],
    [
      'an element inside an element that R4 has not',
      ['code: { label: remarks }'],
      'night.fhir.yaml:5: FHIR R4 has no element label in CodeableConcept',
    ],
    [
      'a fixed value that does not fit',
      ['code: { fixed: { coding: { code: x } } }'],
      'night.fhir.yaml:5: this does not fit code in FHIR R4',
    ],
    [
      'a code without its system',
      ['code: { lookup: remarks, codes: { a: [b] } }'],
      'night.fhir.yaml:5: a coded element needs the system of its codes',
    ],
    [
      'a text that is to be past',
      ['status: { fixed: final, when: { remarks: past } }'],
      'night.fhir.yaml:5: remarks holds no date, so it cannot be past',
    ],
    [
      'digits that a number would lose',
      ['status: { lookup: remarks, codes: { final: [12345678901234567890] } }'],
      'night.fhir.yaml:5: write a text; codes that are digits stand in quotes',
    ],
    [
      'facts that are not nested',
      ['component: { each: naps, value: { valueInteger: minutes } }'],
      'night.fhir.yaml:5: Night has no facts nested in naps',
    ],
    [
      'rows of facts that are not together',
      ['note: { each: rows, value: { text: remarks } }'],
      'night.fhir.yaml:5: rows needs `together: true`',
    ],
    [
      'a parent that there is none of',
      ['code: { above: { CodedValue: quality } }'],
      'night.fhir.yaml:5: Night is not nested in another model',
    ],
    [
      'another resource that there is none of',
      ['performer: [{ own: doctor }]'],
      'night.fhir.yaml:5: this model has no resource with the id doctor',
    ],
    [
      'another fact that a column of words cannot mean',
      ['derivedFrom: [{ statement: remarks, of: Observation }]'],
      'night.fhir.yaml:5: remarks names no other fact: its type must be Statement',
    ],
    [
      'a condition on an unknown column',
      ['valueString: { column: remarks, when: { mood: good } }'],
      'night.fhir.yaml:5: Night has no column mood',
    ],
    [
      'words with an unknown column',
      ['valueString: { words: "{nobody} slept" }'],
      'night.fhir.yaml:5: Night has no column nobody',
    ],
    [
      'a key that means nothing',
      ['code: { CodedValue: quality, colour: red }'],
      'night.fhir.yaml:5: colour is not known here: it can be CodedValue, unit, shift, when, unless',
    ],
    ['what the service writes', ['meta: { source: remarks }'], 'night.fhir.yaml:5: meta is written by the service'],
    [
      'a search parameter that R4 has not',
      ['valueString: remarks'],
      'night.fhir.yaml:6: Observation has no search parameter colour in FHIR R4',
      ['search: { colour: valueString }'],
    ],
    [
      'a search in an element that is not there',
      ['valueString: remarks'],
      'night.fhir.yaml:6: there is no element code above',
      ['search: { code: code }'],
    ],
    [
      'an id that would be too long',
      ['valueString: remarks'],
      'night.fhir.yaml:6: id is what stands behind the id of the statement: small letters, digits and hyphens, 27 at most',
      ['id: a-name-that-is-much-too-long-for-fhir'],
    ],
  ];
  for (const [what, elements, reason, rest] of cases) {
    it(`refuses ${what}`, () => {
      expect(faults(elements, rest)).to.include(reason);
    });
  }

  it('refuses unknown models, resources and keys, and a file without its model', () => {
    expect(load('Day: { resources: [] }').problems).to.equal([
      'night.fhir.yaml:1: the model file beside this one has no model Day',
    ]);
    expect(load('Night: { resources: [{ resource: Sleep, elements: {} }] }').problems).to.equal([
      'night.fhir.yaml:1: FHIR R4 has no resource Sleep',
    ]);
    expect(load('Night: { type: Observation }').problems).to.equal([
      'night.fhir.yaml:1: a mapping has resources: a list, each with resource and elements',
    ]);
    expect(load('Night: { resources: [{ resource: Observation, elements: {}, colour: red }] }').problems[0]).to.match(
      /^night\.fhir\.yaml:1: colour is not known here/,
    );
    const folder = mkdtempSync(join(tmpdir(), 'svc-fhir-'));
    writeFileSync(join(folder, 'night.yaml'), MODEL);
    writeFileSync(join(folder, 'day.fhir.yaml'), 'Day: { resources: [] }');
    writeFileSync(join(folder, 'night.fhir.yml'), 'Night: { resources: [] }');
    const { problems } = loadModels([folder], 'x');
    rmSync(folder, { recursive: true });
    expect(problems.map((problem) => problem.replace(`${folder}/`, '')).sort()).to.equal([
      'day.fhir.yaml:1: there is no model file of this name beside it: day.words.yaml and day.fhir.yaml belong to day.yaml',
      'night.fhir.yml:1: a file of this name is not read: name it night.fhir.yaml',
    ]);
  });

  it('refuses two resources of one type and id that could both be said', () => {
    const twice = (more: string): readonly string[] =>
      load(
        `Night: { resources: [{ resource: Observation, elements: {} }, { resource: Observation, elements: {}${more} }] }`,
      ).problems;
    expect(twice('')).to.equal([
      'night.fhir.yaml:1: another resource of this type has the same id and the same condition',
    ]);
    expect(twice(', id: other')).to.equal([]);
  });
});

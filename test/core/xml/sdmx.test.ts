/** sdmx: values and nesting are kept exactly, LeftOut, and every structural fault is named. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../../core/base/errors';
import { openXmlEngine, type XmlEngine } from '../../../core/xml/engine';
import { readSdmj, readSdmx, type Sdmx } from '../../../core/xml/sdmx';

export const lab = Lab.script();
const { describe, it, before } = lab;

describe('readSdmx', () => {
  let engine: XmlEngine;
  before(async () => {
    engine = await openXmlEngine();
  });
  const read = (xml: string): Sdmx => {
    const root = engine.readPlain(xml);
    if (!root) {
      throw new Error('the test document is not XML');
    }
    return readSdmx(root);
  };
  const problems = (xml: string): readonly string[] => {
    try {
      read(xml);
    } catch (error) {
      return (error as AppError).details.map(({ message }) => message);
    }
    return [];
  };
  const model = (inside: string, name = 'M'): string => `<Model name="${name}">${inside}</Model>`;

  it('takes one About beside the facts, and none that says nothing', () => {
    expect(read('<Models><About title=" A letter " kind=""/></Models>') as unknown).to.equal({
      sdmj: [],
      leftOut: [],
      about: { title: 'A letter' },
    });
    expect(read('<Models><About title=" "/></Models>') as unknown).to.equal({ sdmj: [], leftOut: [] });
    expect(problems('<Models><About title="a"/><About title="b"/></Models>')).to.equal(['About: it occurs twice']);
    expect(problems(`<Models><About title="${'x'.repeat(256)}" date="soon"/></Models>`)).to.equal([
      'About, title: it is longer than 255 characters',
      'About, date: it is no date such as 2026, 2026-03 or 2026-03-31, and no time such as 2026-03-31T10:00:00Z',
    ]);
  });

  it('takes what a module says of the whole out of its facts', () => {
    const fact = { __modelname__: 'M', a: 'b' };
    expect(readSdmj([{ __about__: { title: 'A letter' } }, fact]) as unknown).to.equal({
      sdmj: [fact],
      leftOut: [],
      about: { title: 'A letter' },
    });
    expect(readSdmj(fact) as unknown).to.equal({ sdmj: fact, leftOut: [] });
    for (const [wrong, reason] of [
      [[{ __about__: 'A letter' }], 'About: it is no object'],
      [[{ __about__: {} }, { __about__: {} }], 'About: it occurs twice'],
      [[{ __about__: { date: '26' } }], 'About, date: it is no date'],
    ] as const) {
      const error = expect(() => readSdmj(wrong)).to.throw() as unknown as AppError;
      expect([error.code, error.details[0]!.message.startsWith(reason)]).to.equal(['invalid_document', true]);
    }
  });

  it('keeps text to the letter and takes empty fields as null', () => {
    const { sdmj } = read(
      '<Models>\n ' +
        `${model('<Field name="a"> x\n y </Field><Field name="b"/><Field name="c"> </Field><Field name="d">a<!-- c -->b<![CDATA[<]]></Field>')}</Models>`,
    );
    expect(sdmj as unknown).to.equal([{ __modelname__: 'M', a: ' x\n y ', b: null, c: ' ', d: 'ab<' }]);
  });

  it('nests one fact as an object and several as a list, text beside them ignored', () => {
    const { sdmj } = read(
      `<Models>${model(`<Field name="one">ignored${model('<Field name="x">1</Field>', 'N')}</Field><Field name="many"><Models>${model('', 'N')}${model('', 'N')}</Models></Field><Field name="none"><Models/></Field>`)}</Models>`,
    );
    expect(sdmj as unknown).to.equal([
      {
        __modelname__: 'M',
        one: { __modelname__: 'N', x: '1' },
        many: [{ __modelname__: 'N' }, { __modelname__: 'N' }],
        none: [],
      },
    ]);
  });

  it('takes any namespace, ignores documentId, and keeps the order', () => {
    for (const text of [
      '<s:Models xmlns:s="urn:s"><s:Model name="B" documentId="1"/><s:Model name="A"/></s:Models>',
      '<Models xmlns="urn:x"><Model name="B" documentId="1"/><Model xmlns="" name="A"/></Models>',
    ]) {
      expect(read(text).sdmj as unknown).to.equal([{ __modelname__: 'B' }, { __modelname__: 'A' }]);
    }
  });

  it('collects what was left out, adding up equal ones', () => {
    const { sdmj, leftOut } = read(
      '<Models><LeftOut model="P" reason="no_code" count="2"/><Model name="M"/><LeftOut model="P" ' +
        'reason="no_code"/><LeftOut model="Q" reason="r" count="x"/><LeftOut model="Q" reason="r" where="section ' +
        'A"> in words\n</LeftOut></Models>',
    );
    expect(sdmj as unknown).to.equal([{ __modelname__: 'M' }]);
    expect(leftOut).to.equal([
      { model: 'P', reason: 'no_code', count: 3 },
      { model: 'Q', reason: 'r', count: 1 },
      { model: 'Q', reason: 'r', count: 1, where: 'section A', words: 'in words' },
    ]);
  });

  it('cannot be used to reach the prototype of objects', () => {
    expect(problems(`<Models>${model('<Field name="__proto__">x</Field>')}</Models>`)).to.equal([
      'Model 1: a Field needs the name of a field',
    ]);
    expect(read(`<Models>${model('<Field name="constructor">x</Field>')}</Models>`).sdmj as unknown).to.equal(
      [{ __modelname__: 'M', constructor: 'x' }],
      { prototype: false },
    );
  });

  const faults: readonly (readonly [string, string])[] = [
    [
      `<Models>${model('<Field name="a">1</Field><Field name="a">2</Field>')}</Models>`,
      'Model 1, a: the field occurs twice',
    ],
    [`<Models>${model('<Field>1</Field>')}</Models>`, 'Model 1: a Field needs the name of a field'],
    [`<Models>${model('<Field name="">1</Field>')}</Models>`, 'Model 1: a Field needs the name of a field'],
    [
      `<Models>${model('<Field name="__modelname__">N</Field>')}</Models>`,
      'Model 1: a Field needs the name of a field',
    ],
    [`<Models>${model('<Comment/>')}</Models>`, 'Model 1: a Model holds Field elements only'],
    [`<Models>${model('text')}</Models>`, 'Model 1: a Model holds no text beside its fields'],
    ['<Models><Field name="a"/></Models>', 'element 1: Models holds Model elements only'],
    ['<Models>text</Models>', 'Models: text is allowed in fields only'],
    [
      `<Models>${model('<Field name="a"><b/></Field>')}</Models>`,
      'Model 1, a: a Field holds text, a Model or a Models element only',
    ],
    [
      `<Models>${model(`<Field name="a">${model('')}${model('')}</Field>`)}</Models>`,
      'Model 1, a: a Field holds at most one Model or Models element; several Model elements stand in one Models',
    ],
    [
      `<Models>${model('<Field name="a"><Models><b/></Models></Field>')}</Models>`,
      'Model 1, a, element 1: Models holds Model elements only',
    ],
    [
      `<Models>${model('<Field name="a"><Models><LeftOut/></Models></Field>')}</Models>`,
      'Model 1, a, element 1: Models holds Model elements only',
    ],
    [`<Models>${model('<b xmlns="urn:x"/>')}</Models>`, 'Model 1: a Model holds Field elements only'],
    [
      `<Models>${model('<Field name="a b &lt;SECRET&gt;"><b/></Field>')}</Models>`,
      'Model 1, with this name: a Field holds text, a Model or a Models element only',
    ],
  ];
  for (const [xml, problem] of faults) {
    it(`says "${problem}"`, () => {
      expect(problems(xml)).to.equal([problem]);
    });
  }

  it('names at most 20 faults', () => {
    expect(problems(`<Models>${'<x/>'.repeat(1000)}</Models>`)).to.have.length(20);
  });
});

/** xsd: each kind of broken rule, in our words with its line, never with the value; schemas that do not compile. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { openXmlEngine, type XmlEngine } from '../../../core/xml/engine';
import { gate } from '../../../core/xml/gate';
import { compileSchema, type Schema } from '../../../core/xml/xsd';

export const lab = Lab.script();
const { describe, it, before } = lab;

const schemaText = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:x" xmlns="urn:x" elementFormDefault="qualified">
<xs:simpleType name="Sex"><xs:restriction base="xs:string"><xs:enumeration value="male"/><xs:enumeration value="female"/></xs:restriction></xs:simpleType>
<xs:element name="R"><xs:complexType><xs:sequence>
 <xs:element name="date" type="xs:date" minOccurs="0"/>
 <xs:element name="sex" type="Sex" minOccurs="0"/>
 <xs:element name="code" minOccurs="0"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern value="[a-z]{2}"/></xs:restriction></xs:simpleType></xs:element>
 <xs:element name="short" minOccurs="0"><xs:simpleType><xs:restriction base="xs:string"><xs:maxLength value="3"/></xs:restriction></xs:simpleType></xs:element>
 <xs:element name="big" minOccurs="0"><xs:simpleType><xs:restriction base="xs:decimal"><xs:minInclusive value="5"/><xs:totalDigits value="4"/></xs:restriction></xs:simpleType></xs:element>
 <xs:element name="list" minOccurs="0"><xs:simpleType><xs:list itemType="xs:int"/></xs:simpleType></xs:element>
 <xs:element name="either" minOccurs="0"><xs:simpleType><xs:union memberTypes="xs:date xs:gYear"/></xs:simpleType></xs:element>
 <xs:element name="fixed" fixed="k" type="xs:string" minOccurs="0"/>
 <xs:element name="with" minOccurs="0"><xs:complexType><xs:attribute name="need" type="xs:int" use="required"/></xs:complexType></xs:element>
 <xs:element name="last" type="xs:string"/>
</xs:sequence></xs:complexType></xs:element></xs:schema>`;

const SECRET = 'SECRET-diagnosis';

describe('compileSchema', () => {
  let engine: XmlEngine;
  let schema: Schema;
  const compile = (files: Readonly<Record<string, string>>): ReturnType<typeof compileSchema> =>
    compileSchema(engine, '/f/s.xsd', new Map(Object.entries(files)));
  before(async () => {
    engine = await openXmlEngine();
    schema = compile({ '/f/s.xsd': schemaText }) as Schema;
  });
  const check = (inside: string, root = 'R', from: Schema = schema): readonly string[] => {
    const document = gate(engine, Buffer.from(`<${root} xmlns="urn:x">\n${inside}</${root}>`), 1e6);
    const problems = from.check(document);
    document.free();
    return problems.map(({ line, message }) => `${line}: ${message}`);
  };

  const rows: readonly (readonly [string, string])[] = [
    [`<date>${SECRET}</date><last/>`, '2: element date: the value is not valid for the type date, such as 2025-03-01'],
    [`<sex>${SECRET}</sex><last/>`, "2: element sex: the value must be one of 'male', 'female'"],
    [`<code>${SECRET}</code><last/>`, '2: element code: the value must match the pattern [a-z]{2}'],
    [`<short>${SECRET}</short><last/>`, '2: element short: the value breaks maxLength 3'],
    ['<big>4</big><last/>', '2: element big: the value breaks minInclusive 5'],
    ['<big>123456</big><last/>', '2: element big: the value breaks totalDigits 4'],
    [`<list>1 ${SECRET}</list><last/>`, '2: element list: the value is not valid for the type int'],
    [`<either>${SECRET}</either><last/>`, '2: element either: the value is not valid for its type'],
    [`<fixed>${SECRET}</fixed><last/>`, '2: element fixed: the value must be the fixed one of the schema'],
    ['<with/><last/>', '2: element with: the attribute need is missing'],
    [`<with need="${SECRET}"/><last/>`, '2: element with, attribute need: the value is not valid for the type int'],
    [`<with need="1" extra="${SECRET}"/><last/>`, '2: element with, attribute extra: this attribute is not allowed'],
    [`<with need="1">${SECRET}</with><last/>`, '2: element with: it may not hold text'],
    ['<with need="1"><last/></with><last/>', '2: element with: it may not hold elements'],
    [`${SECRET}<last/>`, '1: element R: it may not hold text'],
    ['<last><b/></last>', '2: element last: it may not hold elements'],
    ['<last/>\n<date>2020-01-01</date>', '3: element date: it is not expected here'],
    ['<with need="1"/>', '1: element R: a child element is missing; expected: last'],
    [
      '<either>2020</either><last xmlns="urn:other"/>',
      '2: element last: it is not expected here; expected: fixed, with, last',
    ],
    [
      '<last xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>',
      '2: element last: xsi:nil is not allowed here',
    ],
    [
      `<last xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="${SECRET}"/>`,
      '2: element last, attribute type: xsi:type does not name a type that fits here',
    ],
  ];
  for (const [inside, problem] of rows) {
    it(`says "${problem}"`, () => {
      const problems = check(inside);
      expect(problems).to.include(problem);
      expect(problems.join()).to.not.contain('SECRET');
    });
  }

  const any = (inside: string): string =>
    `<xs:element name="R"><xs:complexType>${inside}</xs:complexType></xs:element>`;
  const many = (rules: string): string =>
    '<xs:element name="R"><xs:complexType><xs:sequence><xs:element name="a" type="xs:string" ' +
    'maxOccurs="2"/><xs:element name="b" type="xs:string" ' +
    `minOccurs="0"/></xs:sequence></xs:complexType>${rules}</xs:element>`;
  const key = '<xs:key name="k"><xs:selector xpath="a"/><xs:field xpath="."/></xs:key>';
  const simple = (rule: string): string =>
    `<xs:element name="R"><xs:simpleType><xs:restriction base="xs:decimal">${rule}</xs:restriction></xs:simpleType></xs:element>`;
  const head =
    '<xs:element name="head" type="xs:string" abstract="true"/><xs:element name="sub" type="xs:string" substitutionGroup="head"/>';
  const abstractType =
    '<xs:element name="R" type="Abs"/><xs:complexType name="Abs" abstract="true"/><xs:complexType ' +
    'name="Real"><xs:complexContent><xs:extension base="Abs"/></xs:complexContent></xs:complexType>';
  const mixed =
    '<xs:element name="R" fixed="k"><xs:complexType mixed="true"><xs:sequence><xs:element name="a" ' +
    'minOccurs="0"/></xs:sequence></xs:complexType></xs:element>';
  const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"';
  /** Number of the rule in libxml2, a part of a schema, a document, and the message about it. */
  const rules: readonly (readonly [number, string, string, string])[] = [
    [1824, '<xs:element name="R" type="xs:int"/>', '<R>b</R>', 'element R: the value is not valid for the type int'],
    [
      1825,
      '<xs:element name="R" type="L"/><xs:simpleType name="L"><xs:list itemType="xs:int"/></xs:simpleType>',
      '<R>b</R>',
      'element R: the value is not valid for the type L',
    ],
    [
      1826,
      '<xs:element name="R" type="L"/><xs:simpleType name="L"><xs:union memberTypes="xs:int xs:date"/></xs:simpleType>',
      '<R>b</R>',
      'element R: the value is not valid for the type L',
    ],
    [
      1827,
      '<xs:element name="R" type="xs:string"/>',
      '<R n="1"/>',
      'element R, attribute n: this attribute is not allowed',
    ],
    [1828, '<xs:element name="R" type="xs:string"/>', '<R><b/></R>', 'element R: it may not hold elements'],
    [
      1830,
      simple('<xs:length value="3"/>').replace('decimal', 'string'),
      '<R>b</R>',
      'element R: the value breaks length 3',
    ],
    [1833, simple('<xs:minInclusive value="3"/>'), '<R>2</R>', 'element R: the value breaks minInclusive 3'],
    [1834, simple('<xs:maxInclusive value="3"/>'), '<R>4</R>', 'element R: the value breaks maxInclusive 3'],
    [1835, simple('<xs:minExclusive value="3"/>'), '<R>3.0</R>', 'element R: the value breaks minExclusive 3'],
    [1836, simple('<xs:maxExclusive value="3"/>'), '<R>5</R>', 'element R: the value breaks maxExclusive 3'],
    [1837, simple('<xs:totalDigits value="1"/>'), '<R>12</R>', 'element R: the value breaks totalDigits 1'],
    [1838, simple('<xs:fractionDigits value="1"/>'), '<R>1.25</R>', 'element R: the value breaks fractionDigits 1'],
    [1839, simple('<xs:pattern value="1"/>'), '<R>2</R>', 'element R: the value must match the pattern 1'],
    [1841, any(''), '<R>b</R>', 'element R: it may not hold text'],
    [1841, any(''), '<R><b/></R>', 'element R: it may not hold elements'],
    [
      1842,
      any('<xs:simpleContent><xs:extension base="xs:string"/></xs:simpleContent>'),
      '<R><b/></R>',
      'element R: it may not hold elements',
    ],
    [
      1843,
      any('<xs:sequence><xs:element name="a" minOccurs="0"/></xs:sequence>'),
      '<R>b</R>',
      'element R: it may not hold text',
    ],
    [1845, any(''), '<Q/>', 'element Q: the schema does not know this root element'],
    [
      1845,
      any('<xs:sequence><xs:any processContents="strict"/></xs:sequence>'),
      '<R><q/></R>',
      'element q: the schema allows here only elements that it declares, and does not declare this one',
    ],
    [
      1846,
      any('<xs:sequence><xs:element ref="head"/></xs:sequence>') + head,
      '<R><head/></R>',
      'element head: this element is abstract: one of those that can stand for it is expected',
    ],
    [
      1847,
      '<xs:element name="R" type="xs:string"/>',
      `<R ${XSI} xsi:nil="true"/>`,
      'element R: xsi:nil is not allowed here',
    ],
    [
      1848,
      '<xs:element name="R" type="xs:string" nillable="true"/>',
      `<R ${XSI} xsi:nil="true">b</R>`,
      'element R: it must be empty, since xsi:nil says so',
    ],
    [
      1848,
      any('<xs:sequence><xs:element name="a" minOccurs="0"/></xs:sequence>').replace(
        'name="R"',
        'name="R" nillable="true"',
      ),
      `<R ${XSI} xsi:nil="true"><a/></R>`,
      'element R: it must be empty, since xsi:nil says so',
    ],
    [
      1849,
      '<xs:element name="R" type="xs:string" nillable="true" fixed="k"/>',
      `<R ${XSI} xsi:nil="true"/>`,
      'element R: xsi:nil is not allowed here: the schema fixes the value',
    ],
    [
      1851,
      '<xs:element name="R" type="xs:string"/>',
      `<R ${XSI} xsi:type="Nope"/>`,
      'element R, attribute type: xsi:type does not name a type that fits here',
    ],
    [
      1852,
      '<xs:element name="R" type="xs:date"/>',
      `<R ${XSI} xsi:type="xs:string"/>`,
      'element R, attribute type: xsi:type does not name a type that fits here',
    ],
    [1857, mixed, '<R>b</R>', 'element R: the value must be the fixed one of the schema'],
    [
      1858,
      '<xs:element name="R" type="xs:string" fixed="k"/>',
      '<R>b</R>',
      'element R: the value must be the fixed one of the schema',
    ],
    [1866, any(''), '<R n="1"/>', 'element R, attribute n: this attribute is not allowed'],
    [
      1867,
      any('<xs:anyAttribute namespace="##other" processContents="lax"/>'),
      '<R n="1"/>',
      'element R, attribute n: this attribute is not allowed',
    ],
    [1868, any('<xs:attribute name="n" use="required"/>'), '<R/>', 'element R: the attribute n is missing'],
    [1871, many(''), '<R/>', 'element R: a child element is missing; expected: a'],
    [1871, many(''), '<R><b/></R>', 'element b: it is not expected here; expected: a'],
    [
      1874,
      any('<xs:attribute name="n" type="xs:string" fixed="a"/>'),
      '<R n="b"/>',
      'element R, attribute n: the value must be the fixed one of the schema',
    ],
    [1876, abstractType, '<R/>', 'element R: its type is abstract: xsi:type must name one that is derived from it'],
    [
      1876,
      abstractType,
      `<R ${XSI} xsi:type="Abs"/>`,
      'element R: its type is abstract: xsi:type must name one that is derived from it',
    ],
    [1877, many(key), '<R><a>1</a><a>1</a></R>', 'element a: it breaks a key or uniqueness rule of the schema'],
    [
      1877,
      many(key.replaceAll('key', 'unique')),
      '<R><a>1</a><a>1</a></R>',
      'element a: it breaks a key or uniqueness rule of the schema',
    ],
    [
      1877,
      many(`${key}<xs:keyref name="q" refer="k"><xs:selector xpath="b"/><xs:field xpath="."/></xs:keyref>`),
      '<R><a>1</a><b>2</b></R>',
      'element b: it breaks a key or uniqueness rule of the schema',
    ],
    [
      1878,
      any('<xs:anyAttribute processContents="strict"/>'),
      '<R n="1"/>',
      'element R, attribute n: the schema allows here only attributes that it declares, and does not declare this one',
    ],
  ];
  describe('white space around a value', () => {
    const typed = (type: string): Schema =>
      compile({
        '/f/s.xsd': `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:simpleType name="Late"><xs:restriction base="xs:date"><xs:minInclusive value="2000-01-01"/></xs:restriction></xs:simpleType>
        <xs:simpleType name="Either"><xs:union memberTypes="xs:date xs:gYear"/></xs:simpleType><xs:simpleType name="Days"><xs:list itemType="xs:date"/></xs:simpleType>
        <xs:simpleType name="Code"><xs:restriction base="xs:string"><xs:enumeration value="a"/></xs:restriction></xs:simpleType>
        <xs:element name="R"><xs:complexType><xs:sequence><xs:element name="v" type="${type}" maxOccurs="unbounded"/></xs:sequence><xs:attribute name="a" type="${type}"/></xs:complexType></xs:element></xs:schema>`,
      }) as Schema;
    const problemsOf = (xml: string, type: string): readonly string[] => {
      const document = gate(engine, Buffer.from(xml), 1e6);
      const problems = typed(type)
        .check(document)
        .map(({ message }) => message);
      document.free();
      return problems;
    };
    const values: Readonly<Record<string, string>> = {
      'xs:date': '2020-01-01Z',
      'xs:dateTime': '2020-01-01T10:00:00.5+02:00',
      'xs:time': '10:00:00',
      'xs:gYear': '2020',
      'xs:gYearMonth': '2020-01',
      'xs:gMonthDay': '--01-31',
      'xs:duration': 'P1DT2H',
      'xs:int': '5',
      'xs:decimal': '1.5',
      'xs:boolean': 'true',
      'xs:anyURI': 'urn:x',
      'xs:NMTOKEN': 'a',
      Late: '2020-01-01',
      Either: '2020',
      Days: '2020-01-01\n  2020-01-02',
    };
    for (const [type, value] of Object.entries(values)) {
      it(`is no part of a value of the type ${type}`, () => {
        expect(
          problemsOf(`<R a="&#10; ${value}&#9;"><v>\n  ${value}\t\r\n</v><v> ${value}<!-- b --> </v></R>`, type),
        ).to.equal([]);
      });
    }

    it('leaves the rules as they are', () => {
      const date = 'the value is not valid for the type date, such as 2025-03-01';
      for (const wrong of [
        '',
        ' ',
        '2020-13-01',
        ' 2020-13-01 ',
        '2020 -01-01',
        '\u00a02020-01-01',
        '2020-01-01 &amp;',
        ' x ',
      ]) {
        expect(problemsOf(`<R><v>${wrong}</v></R>`, 'xs:date'), wrong).to.equal([`element v: ${date}`]);
      }
      expect(problemsOf('<R a=" x "><v> 2020-01-01 </v></R>', 'xs:date')).to.equal([`element R, attribute a: ${date}`]);
      expect(problemsOf('<R><v> 1999-12-31 </v></R>', 'Late')).to.equal([
        'element v: the value breaks minInclusive 2000-01-01',
      ]);
      expect(problemsOf('<R><v> a </v></R>', 'Code')).to.have.length(1);
      expect(problemsOf('<R><v> <x/>2020-01-01</v></R>', 'xs:date')).to.include('element v: it may not hold elements');
    });

    it('is seen beyond the faults that are told', () => {
      expect(problemsOf(`<R>${'<v> 2020-01-01 </v>'.repeat(300)}</R>`, 'xs:date')).to.equal([]);
      expect(problemsOf(`<R>${'<v> 2020-01-01 </v>'.repeat(300)}<v>x</v></R>`, 'xs:date')).to.have.length(1);
    });
  });

  for (const [number, inside, xml, problem] of rules) {
    it(`says of rule ${number}, ${xml.replace(` ${XSI}`, '')}: ${problem}`, () => {
      const files = new Map([
        ['/f/s.xsd', `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${inside}</xs:schema>`],
      ]);
      const document = gate(engine, Buffer.from(xml), 1e6);
      expect(
        (compileSchema(engine, '/f/s.xsd', files) as Schema).check(document).map(({ message }) => message),
      ).to.include(problem);
      expect(
        engine.validate(engine.compileSchema('/f/s.xsd', files).schema, document.pointer)?.map(({ code }) => code),
      ).to.include(number);
      document.free();
    });
  }

  it('accepts what is valid', () => {
    expect(
      check(
        '<date>2020-01-01</date><sex>male</sex><code>ab</code><short>abc</short><big>5</big><list>1 ' +
          '2</list><either>2020</either><fixed>k</fixed><with need="1"/><last>x</last>',
      ),
    ).to.equal([]);
  });

  it('refuses another root', () => {
    expect(check('', 'Q')).to.equal(['1: element Q: the schema does not know this root element']);
  });

  it('cannot be tricked into repeating values that look like its own words', () => {
    const bait =
      "x' is not an element of the set {'SECRET'}. is not accepted by the pattern 'SECRET'. of the atomic type 'SECRET'.";
    expect(check(`<sex>${bait}</sex><code>${bait}</code><date>${bait}</date><last/>`).join()).to.not.contain('SECRET');
  });

  it('does not repeat names that could not be names', () => {
    expect(check(`<a${'b'.repeat(200)}/>`)).to.equal([
      '2: element with an unusual name: it is not expected here; expected: date, sex, code, short, big, list, either, fixed, with, last',
    ]);
  });

  it('stops at 20 problems', () => {
    const many = compile({
      '/f/s.xsd':
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:x" ' +
        'elementFormDefault="qualified"><xs:element name="R"><xs:complexType><xs:sequence><xs:element name="n" ' +
        'type="xs:int" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element></xs:schema>',
    }) as Schema;
    expect(check('<n>x</n>'.repeat(5000), 'R', many)).to.have.length(20);
  });

  it('reads includes from the given files only, also with names that URIs would change', () => {
    const including = (location: string): ReturnType<typeof compile> =>
      compileSchema(
        engine,
        '/a b/s.xsd',
        new Map([
          [
            '/a b/s.xsd',
            '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include ' +
              `schemaLocation="${location}"/><xs:element name="R" type="T"/></xs:schema>`,
          ],
          [
            '/a b/sub/\u00e4 c.xsd',
            '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:simpleType name="T"><xs:restriction ' +
              'base="xs:int"/></xs:simpleType></xs:schema>',
          ],
        ]),
      );
    expect(including('sub/%C3%A4%20c.xsd')).to.include('check');
    expect(including('/etc/passwd')).to.be.an.array();
  });

  const faulty: readonly (readonly [string, string, number])[] = [
    [
      'an unknown type',
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n<xs:element name="a" type="Nope"/></xs:schema>',
      2,
    ],
    ['an unknown element', '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n\n<xs:elephant/></xs:schema>', 3],
    ['no XML', 'not xml', 1],
    ['another root', '<a/>', 1],
    [
      'a name twice',
      '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">\n<xs:element name="a"/>\n<xs:element name="a"/></xs:schema>',
      3,
    ],
  ];
  for (const [what, text, line] of faulty) {
    it(`refuses a schema with ${what}, with the line`, () => {
      const problems = compile({ '/f/s.xsd': text }) as readonly { file: string; line: number; reason: string }[];
      expect(problems[0]?.file).to.equal('/f/s.xsd');
      expect(problems[0]?.line).to.equal(line);
      expect(problems[0]?.reason).to.match(/^the schema does not compile/);
    });
  }
});

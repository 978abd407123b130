/** stylesheet-rules: what is refused, with its line, and what ordinary stylesheets may do. */
import { readdirSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { libxmljs, parse } from 'xslt';
import { inProject } from '../../../core/base/paths';
import { openXmlEngine, type XmlEngine } from '../../../core/xml/engine';
import { bracedParts, checkStylesheet, functionsIn } from '../../../core/xml/stylesheet-rules';

export const lab = Lab.script();
const { describe, it, before } = lab;

describe('bracedParts', () => {
  const rows: readonly (readonly [string, readonly string[] | null])[] = [
    ['plain', []],
    ['{a}', ['a']],
    ['x{a}y{b}z', ['a', 'b']],
    ['{{a}}', []],
    ["{'}'}", ["'}'"]],
    ['{concat("{", a)}', ['concat("{", a)']],
    ['{a', null],
    ['a}', null],
    ['{{{a}}}', ['a']],
  ];
  for (const [value, parts] of rows) {
    it(`finds ${JSON.stringify(parts)} in ${value}`, () => {
      expect(bracedParts(value)).to.equal(parts as string[] | null);
    });
  }
});

describe('functionsIn', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['a/b', []],
    ['document("x")', ['document']],
    ['document  ("x")', ['document']],
    ['"document(1)"', []],
    ["concat('f(', g(1))", ['concat', 'g']],
    ['a and (b or (c))', []],
    ['x:y(1) div (2)', ['x:y']],
    ['child::node()/text()', []],
    ['self::document', []],
    ['child::document()', ['document']],
  ];
  for (const [expression, names] of rows) {
    it(`finds ${names.join(', ') || 'none'} in ${expression}`, () => {
      expect(functionsIn(expression)).to.equal(names as string[]);
    });
  }
});

const sheet = (body: string, attributes = ''): string =>
  '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"\n ' +
  'xmlns:exsl="http://exslt.org/common" xmlns:dyn="http://exslt.org/dynamic" xmlns:str="http://exslt.org/strings" ' +
  'xmlns:func="http://exslt.org/functions" xmlns:my="urn:my" xmlns:saxon="http://icl.com/saxon" ' +
  `${attributes}>\n${body}\n</xsl:stylesheet>`;
const value = (expression: string): string =>
  `<xsl:template match="/"><a><xsl:value-of select="${expression}"/></a></xsl:template>`;

describe('checkStylesheet', () => {
  let engine: XmlEngine;
  before(async () => {
    engine = await openXmlEngine();
  });
  const check = (text: string): readonly string[] => {
    const tree = engine.tree(text, '/s.xsl');
    const problems = checkStylesheet(engine, [{ file: '/s.xsl', tree }]).map(
      ({ line, reason }) => `${line}: ${reason}`,
    );
    tree.dispose();
    return problems;
  };

  const refused: readonly (readonly [string, string])[] = [
    [value("document('/etc/passwd')"), '3: document() is not allowed: a stylesheet reads nothing but its document'],
    [value("document ('')"), '3: document() is not allowed: a stylesheet reads nothing but its document'],
    [
      '<xsl:template match="/">\n<a b="{document(\'x\')}"/></xsl:template>',
      '4: document() is not allowed: a stylesheet reads nothing but its document',
    ],
    [
      '<xsl:variable name="v" select="document(\'x\')"/>',
      '3: document() is not allowed: a stylesheet reads nothing but its document',
    ],
    [
      '<xsl:key name="k" match="a" use="document(\'x\')"/>',
      '3: document() is not allowed: a stylesheet reads nothing but its document',
    ],
    [
      '<xsl:template match="a[document(\'x\')]"/>',
      '3: document() is not allowed: a stylesheet reads nothing but its document',
    ],
    [value("dyn:evaluate('document(1)')"), '3: there is no function dyn:evaluate()'],
    [value("saxon:evaluate('1')"), '3: there is no function saxon:evaluate()'],
    [value('unknown()'), '3: there is no function unknown()'],
    [value('unbound:f()'), '3: there is no function unbound:f()'],
    [value('my:f(1)'), '3: there is no function my:f()'],
    [value("str:shout('a')"), '3: there is no function str:shout()'],
    [value("exsl:document('a')"), '3: there is no function exsl:document()'],
    [value('a/un:b'), '3: the prefix un is not declared'],
    [value('child::un:* | my:a'), '3: the prefix un is not declared'],
    ['<xsl:template match="un:a"/>', '3: the prefix un is not declared'],
    [value('$nope + 1'), '3: there is no variable or parameter nope'],
    ['<xsl:template match="/"><a b="{$nope}"/></xsl:template>', '3: there is no variable or parameter nope'],
    [value('a['), '3: not an XPath expression: a['],
    ['<xsl:template match="/"><xsl:if test="1 +"/></xsl:template>', '3: not an XPath expression: 1 +'],
    ['<xsl:template match="a["/>', '3: not an XPath expression: a['],
    ['<xsl:template match="/"><a b="{c"/></xsl:template>', '3: the braces in the attribute b do not match'],
    [
      '<xsl:template match="/"><xsl:document href="/tmp/x"/></xsl:template>',
      '3: xsl:document is not allowed: a stylesheet writes no files',
    ],
    [
      '<xsl:template match="/"><exsl:document href="/tmp/x"/></xsl:template>',
      '3: document is not allowed: a stylesheet writes no files',
    ],
    [
      '<xsl:template match="/"><xsl:result-document/></xsl:template>',
      '3: there is no element xsl:result-document in XSLT 1.0',
    ],
    ['<xsl:template match="/"><xsl:call-template name="none"/></xsl:template>', '3: there is no template named none'],
    [
      '<xsl:template match="/"><xsl:if>\n<xsl:if test="1"/></xsl:if></xsl:template>',
      '3: xsl:if needs the attribute test',
    ],
    [
      '<xsl:template match="/">\n<xsl:element/><xsl:element name="a"/></xsl:template>',
      '4: xsl:element needs the attribute name',
    ],
    ['<xsl:template match="/"><xsl:call-template/></xsl:template>', '3: xsl:call-template needs the attribute name'],
    [
      '<xsl:template match="/"><xsl:variable\nname="a" selct="1"/></xsl:template>',
      '4: xsl:variable has no attribute selct in XSLT 1.0',
    ],
    [
      '<xsl:template match="/"><xsl:apply-templates slect="a"/></xsl:template>',
      '3: xsl:apply-templates has no attribute slect in XSLT 1.0',
    ],
    ['<xsl:template match="/" as="item()"/>', '3: xsl:template has no attribute as in XSLT 1.0'],
    ['<xsl:template match="/"><xsl:value-of slect="a"/></xsl:template>', '3: xsl:value-of needs the attribute select'],
    ['<xsl:output doctype-system="a.dtd"/>', '3: xsl:output must not write a DOCTYPE'],
    [
      '<xsl:key name="k" match="a" use="b"/><xsl:template match="/"><xsl:value-of select="concat(\'key(x\', key( ' +
        "'j' , 1))\"/></xsl:template>",
      '3: there is no key j',
    ],
    ['<xsl:key name="k" match="a"/>', '3: xsl:key needs the attribute use'],
    ['<xsl:template/>', '3: xsl:template needs the attribute match or name, else it never runs'],
    [
      '<xsl:template match="/"><xsl:choose><xsl:otherwise/></xsl:choose></xsl:template>',
      '3: xsl:choose needs an xsl:when',
    ],
    [
      '<xsl:template name="a"/>\n<xsl:template name="a"/>\n<xsl:template match="/"><xsl:call-template\nname="a"/></xsl:template>',
      '4: there is a template named a already',
    ],
    [
      '<xsl:template match="/"/>\n<p/>',
      '4: p is in no namespace: at the top only xsl: elements, and those in namespaces of your own, may stand',
    ],
    [
      '<xsl:template match="/"><xsl:message>hello</xsl:message></xsl:template>',
      '3: xsl:message is allowed with terminate="yes" only: it refuses the document',
    ],
    ['<xsl:output method="text"/>', '3: xsl:output must be of method xml and encoding UTF-8'],
    ['<xsl:output encoding="ISO-8859-1"/>', '3: xsl:output must be of method xml and encoding UTF-8'],
    ['<xsl:include href="x.xsl" xml:base="/etc/"/>', '3: xml:base is not allowed'],
    [
      '<xsl:template match="/"><a xsl:extension-element-prefixes="saxon"/></xsl:template>',
      '3: the extension elements of saxon are not allowed',
    ],
  ];
  for (const [body, problem] of refused) {
    it(`refuses ${body.replace('\n', ' ').slice(0, 90)}`, () => {
      expect(check(sheet(body))).to.equal([problem]);
    });
  }

  it('takes declared prefixes, axes, the prefix xml and variables of any place', () => {
    const body = `<xsl:param name="p"/><xsl:variable name="my:v" select="1"/><xsl:template name="t"><xsl:param name="q"/></xsl:template>`;
    expect(
      check(sheet(body + value("self::my:a/@xml:lang | descendant::b[. = 'x:y $z'] | *[$p = $my:v or $q]"))),
    ).to.equal([]);
    expect(
      check(
        sheet(
          '<xsl:key name="my:k" match="a" use="b"/><xsl:key name="k" match="a" ' +
            `use="b"/>${value("key('my:k', 1) | key($p, 2) | key('k', '1') | my:f()")}<func:function name="my:f"/>`,
        ),
      ),
    ).to.equal(['3: there is no variable or parameter p']);
    expect(
      check(
        sheet(
          '<xsl:output indent="yes" omit-xml-declaration="yes"/><xsl:template match="/" my:note="x" priority="1" ' +
            'mode="m"><xsl:value-of select="1" disable-output-escaping="no"/></xsl:template>',
        ),
      ),
    ).to.equal([]);
    expect(
      check(sheet('<xsl:template match="/"><a xmlns:in="urn:in"><xsl:value-of select="in:b"/></a></xsl:template>')),
    ).to.equal([]);
  });

  it('leaves open what a missing part may define', () => {
    const tree = engine.tree(
      sheet(
        '<xsl:template match="/"><xsl:call-template name="t"/><xsl:value-of select="$v + my:f(1)"/><xsl:if/></xsl:template>',
      ),
      '/s.xsl',
    );
    expect(checkStylesheet(engine, [{ file: '/s.xsl', tree }], false).map(({ reason }) => reason)).to.equal([
      'xsl:if needs the attribute test',
    ]);
    tree.dispose();
  });

  it('refuses extension prefixes on the root', () => {
    expect(check(sheet(value('1'), 'extension-element-prefixes="saxon"'))).to.equal([
      '2: the extension elements of saxon are not allowed',
    ]);
  });

  it('refuses another root', () => {
    expect(check('<a/>')).to.equal(['1: the root must be xsl:stylesheet']);
  });

  it('finds all problems at once', () => {
    expect(check(sheet(value('a[') + value('f()') + '<xsl:frob/>'))).to.have.length(3);
  });

  const allowed: readonly string[] = [
    value("concat(a, 'document(')"),
    value('exsl:node-set(a)/b'),
    value("str:tokenize(a, ',')"),
    '<xsl:key name="k" match="a" use="@b"/>' + value("key('k', 'x')"),
    '<xsl:template match="/"><a b="{{literal}} {c} {concat(\'}\', d)}"/></xsl:template>',
    '<xsl:template name="t"/><xsl:template match="/"><xsl:call-template name="t"/></xsl:template>',
    '<func:function name="my:f"><func:result select="1"/></func:function>' + value('my:f(1)'),
    '<xsl:template match="/"><xsl:message terminate="yes">no</xsl:message></xsl:template>',
    '<xsl:key name="k" match="a" use="b"/><xsl:template match="key(\'k\', \'x\') | a/b[position() = last()] | text()"/>',
    '<xsl:output method="xml" encoding="utf-8"/>',
    '<xsl:template match="/"><xsl:for-each select="a"><xsl:sort select="@b" order="{c}"/><xsl:number ' +
      'value="position()" format="{d}"/></xsl:for-each></xsl:template>',
  ];
  /** The functions of EXSLT in the namespaces that the guide names, but for those that it excepts. */
  const dates =
    'date-time date time year month-in-year month-name month-abbreviation week-in-year week-in-month day-in-year ' +
    'day-in-month day-of-week-in-month day-in-week day-name day-abbreviation hour-in-day minute-in-hour ' +
    'second-in-minute leap-year add difference duration add-duration sum seconds';
  const math = 'min max highest lowest abs sqrt power log exp constant random sin cos tan asin acos atan atan2';
  const guide = Object.entries({
    common: 'node-set object-type',
    strings: 'tokenize split replace concat padding align encode-uri decode-uri',
    math,
    sets: 'difference intersection distinct has-same-node leading trailing',
    'dates-and-times': dates,
  }).map(([name, names]) => ({ namespace: `http://exslt.org/${name}`, names: names.split(' ') }));

  it('allows the functions of EXSLT that the guide means, and the engine knows them', () => {
    expect(guide).to.have.length(5);
    for (const { namespace, names } of guide) {
      const calls = names
        .map((name) => value(`f:${name}()`))
        .join('')
        .replaceAll('<xsl:template match="/">', '<xsl:template match="a">');
      expect(check(sheet(calls, `xmlns:f="${namespace}"`)), namespace).to.equal([]);
      const asks = names
        .map((name) => `<xsl:if test="not(function-available('f:${name}'))">${name} </xsl:if>`)
        .join('');
      const asking = parse(
        libxmljs.parseXml(
          sheet(`<xsl:template match="/"><missing>${asks}</missing></xsl:template>`, `xmlns:f="${namespace}"`),
        ),
      );
      expect(asking.apply(libxmljs.parseXml('<a/>'), {}, { outputFormat: 'string' })).to.match(/<missing[^>]*\/>/);
    }
  });

  for (const body of allowed) {
    it(`allows ${body.slice(0, 90)}`, () => {
      expect(check(sheet(body))).to.equal([]);
    });
  }
});

describe('bundled stylesheets', () => {
  it('ask no union with keys for its first: the engine sometimes finds nothing then', () => {
    const folder = inProject('pipeline-config');
    const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.xsl'));
    expect(sheets.length).to.be.above(10);
    for (const sheet of sheets) {
      // A bar in a text of the stylesheet joins nothing.
      const written = readFileSync(inProject('pipeline-config', sheet), 'utf8').replaceAll("'|'", '');
      const [...unions] = written.matchAll(/"[^"]*key\([^"]*\|[^"]*"/g);
      const first = unions.map(([union]) => union).filter((union) => /\]\)(?:\[self::[\w:]+\])?\[1\]/.test(union));
      expect(first, sheet).to.be.empty();
    }
  });
});

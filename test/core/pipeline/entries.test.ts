/**
 * entries, entry-files and compile: which formats load, which override others, and every start-up problem with file and
 * line.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { compileEntry } from '../../../core/pipeline/compile';
import { documentType, entriesOf, loadEntries, type Entry } from '../../../core/pipeline/entries';
import { openXmlEngine, type XmlEngine } from '../../../core/xml/engine';
import type { Models } from '../../../core/facts/model/models';
import {
  entryYaml,
  noteFormat,
  noteModels,
  noteSchema,
  noteStylesheet,
  removeFolder,
  stylesheet,
  transformFormat,
  VOCAB,
  writeFolder,
  type Files,
} from '../../support/formats';

export const lab = Lab.script();
const { describe, it, before } = lab;

describe('documentType', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['', 'Models', 'Models'],
    ['urn:astm-org:CCR', 'ContinuityOfCareRecord', 'urn:astm-org:CCR#ContinuityOfCareRecord'],
    ['https://v/xml/documents#', 'Lab', 'https://v/xml/documents#Lab'],
    ['https://v/', 'Lab', 'https://v/Lab'],
  ];
  for (const [namespace, root, type] of rows) {
    it(`is ${type}`, () => {
      expect(documentType(namespace, root)).to.equal(type);
    });
  }
});

describe('loadEntries', () => {
  let engine: XmlEngine;
  let models: Models;
  before(async () => {
    engine = await openXmlEngine();
    models = noteModels();
  });
  const load = async (
    ...folders: readonly Files[]
  ): Promise<{ readonly entries: readonly Entry[]; readonly problems: readonly string[] }> => {
    const paths = folders.map(writeFolder);
    const { entries, problems } = loadEntries(engine, paths, VOCAB, models);
    for (const entry of problems.length > 0 ? [] : entries) {
      const compiled = await compileEntry(entry, { engine, complaints: () => '', models });
      problems.push(
        ...('entry' in compiled ? [] : compiled.map(({ file, line, reason }) => `${file}:${line}: ${reason}`)),
      );
    }
    paths.forEach(removeFolder);
    return {
      entries: entries.filter(({ standsIn }) => !standsIn),
      problems: problems.map((problem) =>
        paths.reduce((text, path, number) => text.replaceAll(path, String(number)), problem),
      ),
    };
  };

  it('reads a folder at any depth, with samples, ignoring what begins with a dot', async () => {
    const files = Object.fromEntries(Object.entries(noteFormat).map(([name, text]) => [`deep/er/${name}`, text]));
    const { entries, problems } = await load({
      ...files,
      'deep/er/note/sample-1.xml': '',
      'deep/er/note/invalid-1.xml': '',
      'deep/er/note/other.xml': '',
      '.old/note/document.yaml': 'broken: [',
      'README.md': '',
    });
    expect(problems).to.equal([]);
    const [entry] = entries;
    expect([entry?.name, entry?.type, entry?.models]).to.equal(['note', 'urn:test:note#Note', ['Note']]);
    expect(entry?.samples.map((file) => file.split('/').at(-1))).to.equal(['sample-1.xml']);
    expect(entry?.invalid.map((file) => file.split('/').at(-1))).to.equal(['invalid-1.xml']);
    expect(entriesOf(entries).find('urn:test:note#Note')?.name).to.equal('note');
    expect(entriesOf(entries).find('urn:test:note#note')).to.be.undefined();
  });

  it('takes the format of demographics that comes with the service where the folders have none', async () => {
    const [without, own] = [
      writeFolder(noteFormat),
      writeFolder({
        'd/document.yaml':
          'document: d\nidentify: { root: Demographics, namespace: "{vocab_base}/xml/documents#" }\ntransform: { ' +
          'module: t.mjs }\nstore: { models: [Demographics] }',
        'd/t.mjs': 'export default () => [];',
      }),
    ];
    const demographicsIn = (folders: readonly string[]): readonly Entry[] => {
      const { entries, problems } = loadEntries(engine, folders, VOCAB, models);
      expect(problems).to.equal([]);
      return entries.filter(({ type }) => type === `${VOCAB}/xml/documents#Demographics`);
    };
    const [standIn] = demographicsIn([without]);
    expect([standIn?.standsIn, standIn?.models, standIn?.samples]).to.equal([true, ['Demographics'], []]);
    expect('entry' in (await compileEntry(standIn!, { engine, complaints: () => '', models }))).to.be.true();
    expect(demographicsIn([without, own]).map(({ name, standsIn }) => [name, standsIn])).to.equal([['d', false]]);
    [without, own].forEach(removeFolder);
  });

  it('fills the placeholder in yaml, schema and stylesheet', async () => {
    const { entries, problems } = await load({
      'a/document.yaml':
        'document: a\nidentify: { root: A, namespace: "{vocab_base}/d#" }\nvalidate: { schema: s.xsd ' +
        '}\ntransform: { stylesheet: t.xsl }\nstore: { models: [Note] }',
      'a/s.xsd':
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{vocab_base}/d#"><xs:element name="A"/></xs:schema>',
      'a/t.xsl': stylesheet('<xsl:template match="/"><Models xmlns="{vocab_base}/d#"/></xsl:template>'),
    });
    expect(problems).to.equal([]);
    expect(entries[0]?.type).to.equal(`${VOCAB}/d#A`);
    expect(JSON.stringify(entries)).to.not.contain('{vocab_base}');
  });

  it('lets a later folder override an entry of the same type', async () => {
    const { entries, problems } = await load(noteFormat, {
      ...noteFormat,
      'note/document.yaml': entryYaml('note', 'Note', 'override: true'),
    });
    expect(problems).to.equal([]);
    expect(entries).to.have.length(1);
    expect(entries[0]?.schema).to.be.null();
  });

  it('accepts an entry that has only a type', async () => {
    expect((await load({ 'a/document.yaml': entryYaml('a', 'A', '') })).problems).to.equal([]);
  });

  it('accepts store without a transform, for whoever takes the transform away for a while', async () => {
    const { problems } = await load(withYaml('transform: { stylesheet: transform.xsl }\n', ''));
    expect(problems).to.equal([]);
  });

  it('compiles schemas and stylesheets with includes', async () => {
    const { problems } = await load({
      ...noteFormat,
      'common/types.xsd':
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:simpleType name="T"><xs:restriction ' +
        'base="xs:string"/></xs:simpleType></xs:schema>',
      'note/schema.xsd': noteSchema
        .replace(
          '<xs:element name="Note">',
          '<xs:include schemaLocation="../common/types.xsd"/><xs:element name="Note">',
        )
        .replace('name="title" type="xs:string"', 'name="title" type="T"'),
      'note/transform.xsl': noteStylesheet.replace(
        '<xsl:template',
        '<xsl:include href="parts/more.xsl"/><xsl:template',
      ),
      'note/parts/more.xsl': stylesheet(
        '<xsl:import href="../base.xsl"/><xsl:template name="t"><xsl:call-template name="u"/></xsl:template>',
      ),
      'note/base.xsl': stylesheet('<xsl:template name="u"/>'),
    });
    expect(problems).to.equal([]);
  });

  it('takes files of any name, written as URIs where files name each other', async () => {
    const { problems } = await load({
      'gr\u00f6\u00dfe/document.yaml': entryYaml(
        'note',
        'Note',
        'validate: { schema: "\u65e5 \u672c.xsd" }\ntransform: { stylesheet: "\u00fc.xsl" }\nstore: { models: [Note] }',
      ),
      'gr\u00f6\u00dfe/\u65e5 \u672c.xsd': noteSchema
        .replace('<xs:element name="Note">', '<xs:include schemaLocation="%C3%A4%201.xsd"/><xs:element name="Note">')
        .replace('name="title" type="xs:string"', 'name="title" type="T"'),
      'gr\u00f6\u00dfe/\u00e4 1.xsd':
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:simpleType name="T"><xs:restriction ' +
        'base="xs:string"/></xs:simpleType></xs:schema>',
      'gr\u00f6\u00dfe/\u00fc.xsl': noteStylesheet.replace(
        '<xsl:template',
        '<xsl:include href="%C3%A4%201.xsl"/><xsl:template',
      ),
      'gr\u00f6\u00dfe/\u00e4 1.xsl': stylesheet('<xsl:template name="u"/>'),
    });
    expect(problems).to.equal([]);
  });

  it('changes the fingerprint with each file, not with the place', async () => {
    const prints = async (...folders: readonly Files[]): Promise<string | undefined> =>
      (await load(...folders)).entries[0]?.fingerprint;
    const before = await prints(noteFormat);
    expect(await prints(noteFormat)).to.equal(before);
    expect(await prints({ ...noteFormat, 'note/schema.xsd': `${noteSchema} ` })).to.not.equal(before);
    expect(await prints({ ...noteFormat, 'note/transform.xsl': `${noteStylesheet} ` })).to.not.equal(before);
    expect(
      await prints({
        ...noteFormat,
        'note/document.yaml': noteFormat['note/document.yaml']?.replace('[Note]', '[Note, Part]') ?? '',
      }),
    ).to.not.equal(before);
  });

  const yaml = 'note/document.yaml';
  const change = (files: Files): Files => ({ ...noteFormat, ...files });
  const withYaml = (from: string, to: string): Files => change({ [yaml]: noteFormat[yaml]?.replace(from, to) ?? '' });
  const xslt = (body: string): Files => change({ 'note/transform.xsl': stylesheet(body) });
  const second = (name: string, root: string, rest = ''): Files =>
    change({ 'other/document.yaml': entryYaml(name, root, rest) });
  const code = (text: string, file = 'transform.js'): Files => transformFormat('A', file, text);

  const rows: readonly (readonly [string, readonly Files[], readonly string[]])[] = [
    [
      'bad YAML',
      [change({ [yaml]: 'document: note\nidentify: [' })],
      [`0/${yaml}:2: not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]`],
    ],
    [
      'definitions that would be passed over for their name',
      [
        change({
          'a/document.yml': '',
          'b/Document.YAML': '',
          '.c/document.yml': '',
          'd/documents.yaml': '',
          'e/document.yaml.txt': '',
          'f/document.json': '{}',
        }),
      ],
      ['a/document.yml', 'b/Document.YAML', 'd/documents.yaml', 'e/document.yaml.txt', 'f/document.json'].map(
        (file) => `0/${file}:1: a file of this name is not read: name it document.yaml`,
      ),
    ],
    [
      'an empty file',
      [change({ [yaml]: '' })],
      [`0/${yaml}:1: "document.yaml" has no keys: it needs document, and identify or intake`],
    ],
    [
      'an unknown key',
      [withYaml('document: note', 'document: note\ncolour: red')],
      [
        `0/${yaml}:2: "colour" is not allowed: it can be document, identify, intake, validate, transform, narrative, ` +
          'store, override',
      ],
    ],
    [
      'an unknown inner key',
      [withYaml('root: Note', 'root: Note, roots: 1')],
      [`0/${yaml}:2: "identify.roots" is not allowed: it can be root, namespace`],
    ],
    [
      'a model that is no list',
      [withYaml('[Note]', 'Note')],
      [`0/${yaml}:5: "store.models" must be all, or a list of models such as [Problem]`],
    ],
    ['no name', [withYaml('document: note\n', '')], [`0/${yaml}:1: "document" is required`]],
    ['no root', [withYaml('root: Note,', '')], [`0/${yaml}:2: "identify.root" is required`]],
    [
      'a word for true',
      [withYaml('document: note', 'document: note\noverride: yes')],
      [`0/${yaml}:2: "override" must be true or false`],
    ],
    [
      'a root with a prefix',
      [withYaml('root: Note', 'root: "n:Note"')],
      [`0/${yaml}:2: "identify.root" must be the name of an element, without a prefix`],
    ],
    [
      'a schema of another kind',
      [withYaml('schema.xsd', 'schema.XSD')],
      [`0/${yaml}:3: "validate.schema" must name a file that ends with .xsd`],
    ],
    [
      'two documents',
      [withYaml('document: note', 'document: note\n---')],
      [`0/${yaml}:2: not valid YAML: a second document begins here, and a file holds one`],
    ],
    [
      'a transform without models',
      [withYaml('\nstore: { models: [Note] }', '')],
      [`0/${yaml}:1: transform needs store: name the models that it may produce, or write models: all`],
    ],
    [
      'two transforms',
      [withYaml('stylesheet: transform.xsl', 'stylesheet: transform.xsl, module: m.js')],
      [`0/${yaml}:4: "transform" takes one of [stylesheet, module], not several`],
    ],
    [
      'an unknown model',
      [withYaml('[Note]', '[Note,\n  Horoscope]')],
      [`0/${yaml}:6: there is no data model Horoscope: add its file to a folder that SVC_DATAMODELS_DIR names`],
    ],
    [
      'a model in another case',
      [withYaml('[Note]', '[note]')],
      [`0/${yaml}:5: there is no data model note; Note differs in upper and lower case`],
    ],
    [
      'demographics that cannot become Demographics',
      [
        change({
          'd/document.yaml': 'document: d\nidentify: { root: Demographics, namespace: "{vocab_base}/xml/documents#" }',
        }),
      ],
      [
        '0/d/document.yaml:1: documents of this type must become Demographics: it needs a transform, and store: { models: [Demographics] }',
      ],
    ],
    ['a missing schema', [withYaml('schema.xsd', 'none.xsd')], [`0/${yaml}:3: none.xsd: there is no such file`]],
    ['a missing stylesheet', [withYaml('transform.xsl', 'none.xsl')], [`0/${yaml}:4: none.xsl: there is no such file`]],
    [
      'a missing module',
      [withYaml('stylesheet: transform.xsl', 'module: none.js')],
      [`0/${yaml}:4: none.js: there is no such file`],
    ],
    [
      'two entries for one type',
      [second('other', 'Note')],
      [
        '0/other/document.yaml:2: the type urn:test:note#Note has an entry already in 0/note/document.yaml; ' +
          'override: true replaces one of an earlier folder',
      ],
    ],
    [
      'two entries for one type in two folders',
      [noteFormat, { 'b/document.yaml': entryYaml('b', 'Note', '') }],
      [
        '1/b/document.yaml:2: the type urn:test:note#Note has an entry already in 0/note/document.yaml; override: ' +
          'true replaces one of an earlier folder',
      ],
    ],
    [
      'an override in the same folder',
      [second('other', 'Note', 'override: true')],
      [
        '0/other/document.yaml:2: the type urn:test:note#Note has an entry already in 0/note/document.yaml of the same folder',
      ],
    ],
    [
      'two entries of one name',
      [second('Note', 'Other')],
      ['0/other/document.yaml:1: the name Note is taken already by 0/note/document.yaml: choose another'],
    ],
    [
      'a schema that does not compile',
      [change({ 'note/schema.xsd': noteSchema.replace('xs:decimal', 'xs:decimul') })],
      [
        "0/note/schema.xsd:4: the schema does not compile: element decl. '{urn:test:note}size', attribute 'type': The QName value '{http://www.w3.org/2001/XMLSchema}decimul' does not resolve to a(n) type definition.",
      ],
    ],
    [
      'a schema that is no XML',
      [change({ 'note/schema.xsd': '<a>\n<b></a>' })],
      ['0/note/schema.xsd:2: not well-formed XML: Opening and ending tag mismatch: b line 2 and a'],
    ],
    [
      'a schema with a DOCTYPE',
      [change({ 'note/schema.xsd': `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${noteSchema}` })],
      ['0/note/schema.xsd:1: a DOCTYPE is not allowed: delete it'],
    ],
    [
      'a schema from the network',
      [
        change({
          'note/schema.xsd': noteSchema.replace(
            '<xs:element name="Note">',
            '\n<xs:import namespace="u" schemaLocation="http://example.org/x.xsd"/><xs:element name="Note">',
          ),
        }),
      ],
      ['0/note/schema.xsd:3: http://example.org/x.xsd is not fetched: put a copy beside this file and name that'],
    ],
    [
      'a schema from outside the folders',
      [
        change({
          'note/schema.xsd': noteSchema.replace(
            '<xs:element name="Note">',
            '<xs:include schemaLocation="../../../../../etc/x.xsd"/><xs:element name="Note">',
          ),
        }),
      ],
      ['0/note/schema.xsd:2: ../../../../../etc/x.xsd is outside the pipeline-config folders: put a copy there'],
    ],
    [
      'a schema that includes a missing one',
      [
        change({
          'note/schema.xsd': noteSchema.replace(
            '<xs:element name="Note">',
            '<xs:include schemaLocation="more.xsd"/><xs:element name="Note">',
          ),
        }),
      ],
      ['0/note/schema.xsd:2: more.xsd: there is no such file'],
    ],
    [
      'a schema whose namespace is no URI',
      [change({ 'note/schema.xsd': '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:a b"/>' })],
      ["0/note/schema.xsd:1: xmlns: 'urn:a b' is not a valid URI"],
    ],
    [
      'a stylesheet that is no XML',
      [change({ 'note/transform.xsl': '<xsl:stylesheet>' })],
      ['0/note/transform.xsl:1: not well-formed XML: Namespace prefix xsl on stylesheet is not defined'],
    ],
    [
      'a stylesheet with a wrong expression',
      [xslt('\n<xsl:template match="/"><xsl:value-of select="a["/></xsl:template>')],
      ['0/note/transform.xsl:3: not an XPath expression: a['],
    ],
    [
      'a stylesheet that does not compile',
      [xslt('<xsl:variable name="v" select="1"/>\n<xsl:variable name="v" select="2"/>')],
      ['0/note/transform.xsl:3: the stylesheet does not compile: redefinition of global variable v'],
    ],
    [
      'a pattern that does not compile',
      [xslt('<xsl:template match="/"/>\n<xsl:template match="a/parent::b"/>')],
      ["0/note/transform.xsl:3: the stylesheet does not compile: xsltCompilePattern : failed to compile 'a/parent::b'"],
    ],
    [
      'a pattern that does not compile in an included file',
      [
        change({
          'note/transform.xsl': stylesheet('<xsl:include href="more.xsl"/>\n<xsl:template match="/"/>'),
          'note/more.xsl': stylesheet('\n<xsl:template match="parent::c[1 &lt; 2]"/>'),
        }),
      ],
      ["0/note/more.xsl:3: the stylesheet does not compile: xsltCompilePattern : failed to compile 'parent::c[1 < 2]'"],
    ],
    [
      'two templates of one name',
      [xslt('<xsl:template match="/"/>\n<xsl:template name="a"/>\n<xsl:template name="a"/>')],
      ['0/note/transform.xsl:4: there is a template named a already'],
    ],
    [
      'a schema that does not know the root',
      [withYaml('root: Note', 'root: Notes')],
      [
        '0/note/schema.xsd:1: the schema declares no element Notes in the namespace urn:test:note, which ' +
          `0/${yaml} identifies: no document would pass`,
      ],
    ],
    [
      'a schema that does not know the namespace',
      [withYaml('namespace: "urn:test:note"', 'namespace: ""')],
      [
        `0/note/schema.xsd:1: the schema declares no element Note without a namespace, which 0/${yaml} identifies: no document would pass`,
      ],
    ],
    [
      'a stylesheet with document()',
      [xslt('<xsl:template match="/"><a><xsl:copy-of select="document(\'/etc/passwd\')"/></a></xsl:template>')],
      ['0/note/transform.xsl:2: document() is not allowed: a stylesheet reads nothing but its document'],
    ],
    [
      'a stylesheet that includes from outside',
      [xslt('<xsl:include href="../other.xsl"/>')],
      [
        '0/note/transform.xsl:2: ../other.xsl is outside the folder of its stylesheet and the folders `common` of ' +
          'pipeline-config: put a copy there',
      ],
    ],
    [
      'a stylesheet that includes from the network',
      [xslt('<xsl:import href="https://example.org/a.xsl"/>')],
      ['0/note/transform.xsl:2: https://example.org/a.xsl is not fetched: put a copy beside this file and name that'],
    ],
    [
      'a stylesheet that includes a missing one',
      [xslt('<xsl:include href="b.xsl"/>')],
      ['0/note/transform.xsl:2: b.xsl: there is no such file'],
    ],
    [
      'stylesheets that include each other',
      [
        change({
          'note/transform.xsl': stylesheet('<xsl:include href="b.xsl"/>'),
          'note/b.xsl': stylesheet('<xsl:include href="transform.xsl"/>'),
        }),
      ],
      [
        '0/note/transform.xsl:2: the stylesheet does not compile: xsl:include : recursion detected on included URL 0/note/b.xsl',
      ],
    ],
    [
      'a fault in an included stylesheet',
      [
        change({
          'note/transform.xsl': stylesheet('<xsl:include href="b.xsl"/>'),
          'note/b.xsl': stylesheet('\n<xsl:frob/>'),
        }),
      ],
      ['0/note/b.xsl:3: there is no element xsl:frob in XSLT 1.0'],
    ],
    [
      'a module that exports nothing',
      [code('module.exports = {};')],
      ['0/A/transform.js:1: the module has no default export that is a function'],
    ],
    [
      'a module that does not parse',
      [code('\nmodule.exports = (;')],
      ["0/A/transform.js:2: the module does not load: Unexpected token ';'"],
    ],
    [
      'a module that fails while it loads',
      [code('\n\nthrow new Error("no");', 'transform.mjs')],
      ['0/A/transform.mjs:3: the module does not load: no'],
    ],
    [
      'an ES module that does not parse',
      [code('export default () => [];\n\nconst a = ;', 'transform.mjs')],
      ["0/A/transform.mjs:3: the module does not load: Unexpected token ';'"],
    ],
    [
      'a helper of an ES module that does not parse',
      [
        {
          ...code('import { x } from "./parts/h \u00e4.mjs";\nexport default () => x;', 'transform.mjs'),
          'A/parts/h \u00e4.mjs': '\nexport const x = (;',
        },
      ],
      ["0/A/parts/h \u00e4.mjs:2: the module does not load: Unexpected token ';'"],
    ],
    [
      'a helper of a CommonJS module that does not parse',
      [{ ...code('module.exports = require("./h.js");'), 'A/h.js': '\n\nmodule.exports = (;' }],
      ["0/A/h.js:3: the module does not load: Unexpected token ';'"],
    ],
    [
      'a helper that fails while it loads',
      [{ ...code('import "./h.mjs";\nexport default () => [];', 'transform.mjs'), 'A/h.mjs': '\n\n\nnull.x;' }],
      ["0/A/h.mjs:4: the module does not load: Cannot read properties of null (reading 'x')"],
    ],
    [
      'a helper that lacks an export',
      [{ ...code('\nimport { x } from "./h.mjs";\nexport default () => [];', 'transform.mjs'), 'A/h.mjs': '' }],
      [
        "0/A/transform.mjs:2: the module does not load: The requested module './h.mjs' does not provide an export named 'x'",
      ],
    ],
    [
      'a schema that names a file with characters that no URI has',
      [
        change({
          'note/schema.xsd': noteSchema.replace(
            '<xs:element name="Note">',
            '\n<xs:include schemaLocation="gr\u00f6\u00dfe 1.xsd"/><xs:element name="Note">',
          ),
          'note/gr\u00f6\u00dfe 1.xsd': '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>',
        }),
      ],
      [
        '0/note/schema.xsd:3: gr\u00f6\u00dfe 1.xsd is not written as a URI: write gr%C3%B6%C3%9Fe%201.xsd, or give the file another name',
      ],
    ],
    [
      'a stylesheet that names a file with characters that no URI has',
      [change({ 'note/transform.xsl': stylesheet('<xsl:include href="50%.xsl"/>'), 'note/50%.xsl': stylesheet('') })],
      ['0/note/transform.xsl:2: 50%.xsl is not written as a URI: write 50%25.xsl, or give the file another name'],
    ],
    [
      'a part outside, and not what it may define',
      [
        {
          ...xslt(
            '<xsl:import href="../lib/i.xsl"/><xsl:template match="/">\n<xsl:call-template name="t"/></xsl:template>',
          ),
          'lib/i.xsl': stylesheet('<xsl:template name="t"/>'),
        },
      ],
      [
        '0/note/transform.xsl:2: ../lib/i.xsl is outside the folder of its stylesheet and the folders `common` of ' +
          'pipeline-config: put a copy there',
      ],
    ],
    [
      'one mistake once',
      [xslt('<xsl:template match="/">\n<a x="{1"/></xsl:template>')],
      ['0/note/transform.xsl:3: the braces in the attribute x do not match'],
    ],
    [
      'an import of nothing',
      [code('\nimport x from "./gone.mjs";\nexport default () => x;', 'transform.mjs')],
      ["0/A/transform.mjs:2: the module does not load: Cannot find module '0/A/gone.mjs'"],
    ],
    ['a missing folder', [], ['/nowhere/at/all: there is no such folder (SVC_PIPELINE_CONFIG_DIR)']],
    [
      'everything at once',
      [
        change({
          [yaml]: noteFormat[yaml]?.replace('[Note]', '[Nope]') ?? '',
          'note/schema.xsd': '<a',
          'note/transform.xsl': stylesheet('<xsl:frob/>'),
          'b/document.yaml': 'x: 1',
        }),
      ],
      [
        '0/b/document.yaml:1: "document" is required',
        '0/b/document.yaml:1: "x" is not allowed: it can be document, identify, intake, validate, transform, narrative, ' +
          'store, override',
        '0/b/document.yaml:1: "identify" is required',
        `0/${yaml}:5: there is no data model Nope; the nearest: Note`,
        "0/note/schema.xsd:1: not well-formed XML: Couldn't find end of Start Tag a line 1",
        '0/note/transform.xsl:2: there is no element xsl:frob in XSLT 1.0',
      ],
    ],
  ];
  for (const [what, folders, expected] of rows) {
    it(`names ${what}`, async () => {
      const found =
        folders.length === 0
          ? loadEntries(engine, ['/nowhere/at/all'], VOCAB, models).problems
          : (await load(...folders)).problems;
      expect(found).to.equal(expected as string[]);
    });
  }

  it('changes the fingerprint of a module with each file of its folder that it may import', async () => {
    const print = async (more: Files): Promise<string | undefined> =>
      (await load({ ...code('export default () => [];', 't.mjs'), ...more })).entries[0]?.fingerprint;
    const alone = await print({ 'A/README.md': 'x', 'other.mjs': '' });
    expect(await print({})).to.equal(alone);
    const helped = await print({ 'A/lib/h.mjs': 'export const x = 1;' });
    expect(helped).to.not.equal(alone);
    expect(await print({ 'A/lib/h.mjs': 'export const x = 2;' })).to.not.equal(helped);
  });

  it('leaves the fingerprints of stylesheets as they are, whatever lies beside them', async () => {
    const before = (await load(noteFormat)).entries[0]?.fingerprint;
    expect((await load({ ...noteFormat, 'note/h.mjs': '' })).entries[0]?.fingerprint).to.equal(before);
  });

  it('names a module that is a folder or no text, and links that lead nowhere, beside all other problems', () => {
    const folder = writeFolder({
      ...code('', 'folder.js/x.txt'),
      'A/document.yaml': entryYaml('a', 'A', 'transform: { module: folder.js }\nstore: { models: all }'),
      'b/document.yaml': entryYaml('b', 'B', 'transform: { module: t.js }\nstore: { models: [Nope] }'),
      'c/document.yaml': 'a: &x\n  b: *x',
    });
    writeFileSync(join(folder, 'b/t.js'), Buffer.from([0x2f, 0x2f, 0xe9]));
    symlinkSync('.', join(folder, 'b/again'));
    symlinkSync('..', join(folder, 'c/up'));
    symlinkSync('nowhere', join(folder, 'gone'));
    symlinkSync('nobody@host', join(folder, '.#document.yaml'));
    const { problems } = loadEntries(engine, [folder], VOCAB, models);
    removeFolder(folder);
    expect(problems.map((problem) => problem.replace(`${folder}/`, ''))).to.equal([
      'gone:1: it cannot be read: the link leads nowhere',
      'c/document.yaml:2: not valid YAML: the alias names a part that contains the alias itself',
      'A/document.yaml:3: folder.js: the file cannot be read (EISDIR)',
      'b/document.yaml:4: there is no data model Nope; the nearest: Note',
      'b/document.yaml:3: t.js: the file is not UTF-8 text: save it in UTF-8',
    ]);
  });

  it('takes modules of every kind', async () => {
    for (const [file, text] of [
      ['a.js', 'module.exports = () => [];'],
      ['a.cjs', 'exports.default = () => [];'],
      ['a.mjs', 'export default async () => [];'],
      ['b.js', 'export default () => [];'],
    ] as const) {
      expect((await load(code(text, file))).problems).to.equal([]);
    }
  });

  it('keeps the text of all files, so that later changes on disk cannot reach it', async () => {
    const { entries } = await load(noteFormat);
    expect(entries[0]?.schema?.files.map(([name, text]) => [name.split('/').at(-1), text])).to.equal([
      ['schema.xsd', noteSchema],
    ]);
  });
});

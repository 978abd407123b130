/**
 * formats: hostile drop-in formats: what they cannot do, at load and at run time, and that the service keeps working.
 */
import { readdirSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { AppError, SetupError } from '../../core/base/errors';
import { openReader } from '../../core/pipeline/readers/document-reader';
import {
  entryYaml,
  noteFormat,
  noteModels,
  noteXml,
  openTestReader,
  removeFolder,
  settingsFor,
  stylesheet,
  transformFormat,
  writeFolder,
  type Files,
  type TestReader,
} from '../support/formats';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const xs = (body: string): string =>
  '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:test:note" targetNamespace="urn:test:note" ' +
  `elementFormDefault="qualified">${body}</xs:schema>`;
const schemaFormat = (root: string, schema: string): Files => ({
  [`${root}/document.yaml`]: entryYaml(root.toLowerCase(), root, 'validate: { schema: schema.xsd }'),
  [`${root}/schema.xsd`]: schema,
});

/** Formats that are refused when they are loaded, with the words of the refusal. */
const refusedAtLoad: readonly (readonly [string, Files, RegExp])[] = [
  [
    'a schema that includes itself through a missing file',
    schemaFormat('A', xs('<xs:include schemaLocation="a.xsd"/>')),
    /a\.xsd: there is no such file/,
  ],
  [
    'a schema with an entity bomb',
    schemaFormat('A', `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>${xs('')}`),
    /DOCTYPE/,
  ],
  [
    'a stylesheet 5,000 elements deep',
    transformFormat(
      'A',
      't.xsl',
      stylesheet(`<xsl:template match="/">${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</xsl:template>`),
    ),
    /not well-formed|depth/,
  ],
  [
    'a document.yaml of multiplying aliases',
    {
      'a/document.yaml': `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(',')}]`).join('\n')}`,
    },
    /not valid YAML/,
  ],
  [
    'a schema by an absolute name',
    schemaFormat('A', xs('<xs:include schemaLocation="/etc/passwd"/>')),
    /outside the pipeline-config folders/,
  ],
  [
    'a schema by a file address',
    schemaFormat('A', xs('<xs:include schemaLocation="file:///etc/passwd"/>')),
    /is not fetched/,
  ],
  [
    'a stylesheet by an escaped way out',
    transformFormat('A', 't.xsl', stylesheet('<xsl:include href="%2e%2e/%2e%2e/etc/passwd"/>')),
    /outside the folder/,
  ],
  [
    'a schema named outside',
    { 'a/document.yaml': entryYaml('a', 'A', 'validate: { schema: ../../../../../../etc/passwd.xsd }') },
    /outside|no such file/,
  ],
  [
    'a module that kills its process',
    transformFormat('A', 't.js', 'process.kill(process.pid, "SIGKILL");'),
    /cannot be loaded: the process that did it ended/,
  ],
];

/** Stylesheets that fail at run time, when a document comes. */
const stylesheets: Readonly<Record<string, string>> = {
  Roman: '<xsl:template match="/"><Models><xsl:number value="1e300" format="I"/></Models></xsl:template>',
  Padding:
    '<xsl:template match="/"><Models><xsl:value-of select="string-length(str:padding(4000000000, \'x\'))" ' +
    'xmlns:str="http://exslt.org/strings"/></Models></xsl:template>',
  Twice:
    '<xsl:template match="/"><Models><xsl:call-template name="t"/></Models></xsl:template><xsl:template ' +
    'name="t"><xsl:param name="n" select="0"/><xsl:if test="$n &lt; 60"><xsl:call-template name="t"><xsl:with-param ' +
    'name="n" select="$n + 1"/></xsl:call-template><xsl:call-template name="t"><xsl:with-param name="n" select="$n ' +
    '+ 1"/></xsl:call-template></xsl:if></xsl:template>',
  Products:
    '<xsl:template match="/"><Models><xsl:value-of select="count(//n:b[count(//n:b[count(//n:b[count(//n:b) &gt; ' +
    '1]) &gt; 1]) &gt; 1])"/></Models></xsl:template>',
  Output:
    '<xsl:template match="/"><Models><xsl:call-template name="t"/></Models></xsl:template><xsl:template ' +
    `name="t"><xsl:param name="n" select="0"/><a b="${'x'.repeat(1000)}"/><xsl:if test="$n &lt; ` +
    '40"><xsl:call-template name="t"><xsl:with-param name="n" select="$n + ' +
    '1"/></xsl:call-template><xsl:call-template name="t"><xsl:with-param name="n" select="$n + ' +
    '1"/></xsl:call-template></xsl:if></xsl:template>',
  Complaints:
    '<xsl:template match="/"><Models><xsl:for-each select="//n:b"><xsl:for-each select="//n:b"><xsl:value-of ' +
    'select="count(1)"/></xsl:for-each></xsl:for-each></Models></xsl:template>',
};
const modules: Readonly<Record<string, string>> = {
  Heap: 'module.exports = () => { const all = []; for (;;) { all.push({ a: all.length }); } };',
  Buffers: 'module.exports = () => { const all = []; for (;;) { all.push(Buffer.alloc(50e6, 1)); } };',
  Rejects: 'module.exports = () => Promise.reject("SECRET");',
  Later:
    'module.exports = () => { setTimeout(() => { throw new Error("SECRET"); }, 50); return new Promise(() => {}); };',
  Deep: 'module.exports = () => { let a = {}; for (let n = 0; n < 1e6; n++) a = { a }; return a; };',
  Stack: 'module.exports = function again() { return again(); };',
};

describe('hostile formats', () => {
  for (const [what, files, words] of refusedAtLoad) {
    it(`refuses ${what}`, async () => {
      const folder = writeFolder(files);
      const error = await openReader(settingsFor(folder, { xmlWorkers: 1 }), noteModels()).then(
        async (reader) => reader.close(),
        (failure: unknown) => failure,
      );
      removeFolder(folder);
      expect(error).to.be.an.instanceof(SetupError);
      expect((error as SetupError).message).to.match(words);
    });
  }

  describe('while they run', () => {
    let reader: TestReader;
    before(async () => {
      const formats = [
        noteFormat,
        ...Object.entries(stylesheets).map(([root, body]) => transformFormat(root, 't.xsl', stylesheet(body))),
        ...Object.entries(modules).map(([root, text]) => transformFormat(root, 't.js', text)),
        schemaFormat(
          'Pattern',
          xs(
            '<xs:element name="Pattern"><xs:simpleType><xs:restriction base="xs:string"><xs:pattern ' +
              'value="((a|b|ab)*)*c"/></xs:restriction></xs:simpleType></xs:element>',
          ),
        ),
      ];
      reader = await openTestReader(Object.assign({}, ...formats) as Files, { transformSeconds: 2, xmlWorkers: 2 });
    });
    after(() => reader.close());

    for (const root of [...Object.keys(stylesheets), ...Object.keys(modules)]) {
      it(`answers 400 for ${root} and goes on`, async () => {
        const stuck = reader.read(Buffer.from(`<${root} xmlns="urn:test:note">${'<b/>'.repeat(3000)}</${root}>`)).then(
          () => undefined,
          (failure: unknown) => failure,
        );
        const [other, error] = await Promise.all([reader.read(noteXml('<title>t</title>')), stuck]);
        expect(other.facts).to.have.length(1);
        expect(error).to.be.an.instanceof(AppError);
        const { status, message, details } = error as AppError;
        expect(status).to.equal(400);
        expect(JSON.stringify([message, details])).to.not.contain('SECRET');
      });
    }

    it('answers a value that makes a pattern explode', async () => {
      const error = await reader
        .read(Buffer.from(`<Pattern xmlns="urn:test:note">${'ab'.repeat(5000)}</Pattern>`))
        .then(
          () => undefined,
          (failure: unknown) => failure,
        );
      expect((error as AppError).status).to.equal(400);
    });

    it('reads an ordinary document after all of them', async () => {
      expect((await reader.read(noteXml('<title>t</title>'))).facts).to.have.length(1);
    });
  });

  describe('and the world outside', () => {
    let server: Server;
    let calls = 0;
    before(async () => {
      server = createServer((_request, response) => {
        calls += 1;
        response.end('<a/>');
      });
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
    });
    after(() => {
      server.close();
    });

    it('is never called by schemas, stylesheets or documents', async () => {
      const { port } = server.address() as { port: number };
      const address = `http://127.0.0.1:${port}/x`;
      const bad = [
        schemaFormat('A', xs(`<xs:import namespace="urn:o" schemaLocation="${address}"/>`)),
        transformFormat('A', 't.xsl', stylesheet(`<xsl:import href="${address}"/>`)),
        transformFormat(
          'A',
          't.xsl',
          stylesheet(`<xsl:template match="/"><xsl:copy-of select="document('${address}')"/></xsl:template>`),
        ),
      ];
      for (const files of bad) {
        const folder = writeFolder(files);
        await expect(openReader(settingsFor(folder, { xmlWorkers: 1 }), noteModels())).to.reject(SetupError);
        removeFolder(folder);
      }
      const reader = await openTestReader(noteFormat);
      for (const text of [
        `<!DOCTYPE a SYSTEM "${address}"><a/>`,
        `<!DOCTYPE a [<!ENTITY % x SYSTEM "${address}"> %x;]><a/>`,
        `<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="${address}"/>`,
      ]) {
        await reader.read(Buffer.from(text)).catch(() => undefined);
      }
      await reader.close();
      expect(calls).to.equal(0);
    });

    it('keeps no temporary file of a stylesheet with includes', async () => {
      const folders = (): readonly string[] =>
        readdirSync(tmpdir()).filter((name) => name.startsWith('svc-stylesheet-'));
      const before = new Set(folders());
      const reader = await openTestReader({
        ...noteFormat,
        'note/transform.xsl': stylesheet('<xsl:include href="more.xsl"/>'),
        'note/more.xsl': noteFormat['note/transform.xsl'] ?? '',
      });
      expect((await reader.read(noteXml('<title>t</title>'))).facts).to.have.length(1);
      await reader.close();
      expect(folders().filter((name) => !before.has(name))).to.equal([]);
    });

    it('does not grow by a link inside a folder that leads back to it', async () => {
      const folder = writeFolder(noteFormat);
      symlinkSync(folder, join(folder, 'loop'));
      const reader = await openReader(settingsFor(folder, { xmlWorkers: 1 }), noteModels());
      expect((await reader.read(noteXml('<title>t</title>'))).facts).to.have.length(1);
      await reader.close();
      removeFolder(folder);
    });
  });
});

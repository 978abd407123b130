/**
 * reader-pool: what reading a document reports, and that hangs, crashes, floods and reloads do not affect other
 * documents.
 */
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { AppError } from '../../../../core/base/errors';
import { SetupError } from '../../../../core/base/errors';
import { inProject } from '../../../../core/base/paths';
import { openReader } from '../../../../core/pipeline/readers/document-reader';
import { readersOf } from '../../../support/readers';
import { until } from '../../../support/receiver';
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
} from '../../../support/formats';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const xml = (root: string, inside = ''): Buffer => Buffer.from(`<${root} xmlns="urn:test:note">${inside}</${root}>`);
const title = '<title>t</title>';

const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
  try {
    await work;
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it succeeded');
};

const lives = (id: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    // The process has ended, perhaps between two reads.
    return false;
  }
};

const twice = '<xsl:call-template name="twice"><xsl:with-param name="n" select="$n + 1"/></xsl:call-template>';
const endless = stylesheet(`<xsl:template match="/"><Models><xsl:call-template name="twice"/></Models></xsl:template>
  <xsl:template name="twice"><xsl:param name="n" select="0"/><xsl:if test="$n &lt; 100">${twice}${twice}</xsl:if></xsl:template>`);
const growing =
  stylesheet(`<xsl:template match="/"><Models><xsl:call-template name="grow"><xsl:with-param name="s" select="'xxxxxxxxxxxxxxxx'"/></xsl:call-template></Models></xsl:template>
  <xsl:template name="grow"><xsl:param name="s"/><xsl:call-template name="grow"><xsl:with-param name="s" select="concat($s, $s)"/></xsl:call-template></xsl:template>`);
const recursive = stylesheet(
  '<xsl:template match="/"><Models><xsl:call-template name="r"/></Models></xsl:template><xsl:template ' +
    'name="r"><xsl:call-template name="r"/></xsl:template>',
);
/** Ends by itself after 5,000 steps, with one parameter at each. */
const deep = stylesheet(`<xsl:template match="/"><Models><xsl:call-template name="r"/></Models></xsl:template>
<xsl:template name="r"><xsl:param name="n" select="0"/>
  <xsl:if test="$n &lt; 5000"><xsl:call-template name="r"><xsl:with-param name="n" select="$n + 1"/></xsl:call-template></xsl:if></xsl:template>`);
/** Keeps eight variables at each of 2,500 steps. */
const wide = stylesheet(`<xsl:template match="/"><Models><xsl:call-template name="r"/></Models></xsl:template>
<xsl:template name="r"><xsl:param name="n" select="0"/>${[...'abcdefgh'].map((name) => `<xsl:variable name="${name}" select="1"/>`).join('')}
  <xsl:if test="$n &lt; 2500"><xsl:call-template name="r"><xsl:with-param name="n" select="$n + 1"/></xsl:call-template></xsl:if></xsl:template>`);
const functional =
  stylesheet(`<func:function xmlns:func="http://exslt.org/functions" name="n:f"><func:result select="n:f()"/></func:function>
<xsl:template match="/"><Models><xsl:value-of select="n:f()"/></Models></xsl:template>`).replace(
    'version="1.0"',
    'version="1.0" xmlns:func="http://exslt.org/functions" extension-element-prefixes="func"',
  );
const note = "{ __modelname__: 'Note', title: document.type }";

const formats = {
  ...noteFormat,
  ...transformFormat('Endless', 't.xsl', endless),
  ...transformFormat('Growing', 't.xsl', growing),
  ...transformFormat('Recursive', 't.xsl', recursive),
  ...transformFormat('Deep', 't.xsl', deep),
  ...transformFormat('Wide', 't.xsl', wide),
  ...transformFormat('Functional', 't.xsl', functional),
  ...transformFormat(
    'Namespaced',
    't.xsl',
    stylesheet(
      '<xsl:template match="/"><Models xmlns="urn:x"><Model name="Note"><Field name="title">t</Field></Model></Models></xsl:template>',
    ),
  ),
  ...transformFormat(
    'Mixed',
    't.xsl',
    stylesheet(
      '<xsl:include href="field.xsl"/><xsl:template match="/"><Models xmlns="urn:x"><Model ' +
        'name="Note"><xsl:call-template name="f"/></Model></Models></xsl:template>',
    ),
  ),
  ...({
    'Mixed/field.xsl': stylesheet('<xsl:template name="f"><Field name="title">t</Field></xsl:template>'),
  } as Files),
  ...transformFormat(
    'Message',
    't.xsl',
    stylesheet(
      '<xsl:template match="/"><Models/><xsl:message terminate="yes">SECRET <xsl:value-of select="."/></xsl:message></xsl:template>',
    ),
  ),
  ...transformFormat(
    'Undeclared',
    't.xsl',
    stylesheet(
      '<xsl:template match="/"><Models>\n<Model name="{$nothing}"/></Models></xsl:template><xsl:template ' +
        'name="other"><xsl:variable name="nothing"/></xsl:template>',
    ),
  ),
  ...transformFormat('NotModels', 't.xsl', stylesheet('<xsl:template match="/"><Other/></xsl:template>')),
  ...transformFormat('Nothing', 't.xsl', stylesheet('<xsl:template match="/"/>')),
  ...transformFormat('Two', 't.xsl', stylesheet('<xsl:template match="/"><Models/><Models/></xsl:template>')),
  ...transformFormat(
    'PartOnly',
    't.xsl',
    stylesheet('<xsl:template match="/"><Models><Model name="Part"/></Models></xsl:template>'),
  ),
  ...transformFormat(
    'Many',
    't.js',
    `module.exports = (document) => Array.from({ length: Number(document.root.text()) }, () => (${note}));`,
  ),
  ...transformFormat(
    'Sdmx',
    't.js',
    'module.exports = async (document) => `<Models><Model name="Note"><Field ' +
      'name="title">${document.root.attr("a").value()}</Field></Model><LeftOut model="X" reason="r"/></Models>`;',
  ),
  ...transformFormat(
    'Doctype',
    't.js',
    `module.exports = () => '<!DOCTYPE Models [<!ENTITY a "b">]><Models><Model name="Note"><Field name="title">t ` +
      `&a;</Field></Model></Models>';`,
  ),
  ...transformFormat(
    'Declared',
    't.js',
    `module.exports = () => '<?xml version="1.0" encoding="ISO-8859-1"?><Models><Model name="Note"><Field ` +
      `name="title">Zo\u00eb</Field></Model></Models>';`,
  ),
  ...transformFormat(
    'Counted',
    't.xsl',
    stylesheet(
      '<xsl:template match="/"><Models><Model name="Note"><Field name="title"><xsl:value-of ' +
        'select="string-length(/*)"/></Field></Model></Models></xsl:template>',
    ),
  ),
  ...transformFormat(
    'CountedByModule',
    't.js',
    "module.exports = (document) => ({ __modelname__: 'Note', title: String(document.root.text().length) });",
  ),
  ...transformFormat(
    'Nested',
    't.mjs',
    "export default (document) => ({ __modelname__: 'Note', title: 't', size: 1.5, parts: [{ __modelname__: 'Part', title: document.xml.slice(0, 5) }] });",
  ),
  ...transformFormat(
    'Environment',
    't.js',
    "module.exports = () => ({ __modelname__: 'Note', title: Object.keys(process.env).sort().join() });",
  ),
  ...transformFormat('Throws', 't.js', 'module.exports = (document) => {\n  throw new TypeError(document.xml);\n};'),
  ...transformFormat('Hangs', 't.js', 'module.exports = () => { for (;;) {} };'),
  ...transformFormat('Never', 't.js', 'module.exports = () => new Promise(() => {});'),
  ...transformFormat('Exits', 't.js', 'module.exports = () => process.exit(0);'),
  ...transformFormat(
    'Noisy',
    't.js',
    `module.exports = (document) => { console.error('a note'); setImmediate(() => console.error('and later')); return ${note}; };`,
  ),
  ...transformFormat(
    'NotANumber',
    't.js',
    "module.exports = (document) => ({ __modelname__: 'Note', title: 't', size: Number(document.root.text()) });",
  ),
  ...transformFormat(
    'NotAText',
    't.js',
    "module.exports = (document) => ({ __modelname__: 'Note', title: Number(document.root.text()) });",
  ),
  ...transformFormat('NoReturn', 't.js', 'module.exports = async () => { [].map(() => 1); };'),
  ...transformFormat('Circle', 't.js', 'module.exports = () => { const a = {}; a.a = a; return a; };'),
  ...transformFormat(
    'Slow',
    't.js',
    `module.exports = async (document) => { await new Promise((done) => setTimeout(done, 400)); return ${note}; };`,
  ),
};

describe('openReader', () => {
  let reader: TestReader;
  before(async () => {
    reader = await openTestReader(formats, { transformSeconds: 1, xmlWorkers: 2 });
  });
  after(() => reader.close());

  describe('read', () => {
    it('tells type, entry, facts and what was left out', async () => {
      const read = await reader.read(noteXml('<title>a</title><title>b</title><size>1.5</size><x xmlns="urn:other"/>'));
      const facts = read.facts.map(({ statement, ...fact }) => ({
        ...fact,
        isStatement: typeof statement === 'string',
      }));
      expect({ ...read, facts }).to.equal({
        type: 'urn:test:note#Note',
        entry: 'note',
        fingerprint: reader.entries.find('urn:test:note#Note')?.fingerprint ?? '',
        validated: true,
        facts: ['a', 'b'].map((text) => ({
          model: 'Note',
          values: { title: text, size: 1.5 },
          children: { parts: [] },
          isStatement: true,
        })),
        leftOut: [{ model: 'Note', reason: 'foreign', count: 1 }],
      });
    });

    it('lets an unknown type pass without an entry', async () => {
      expect(await reader.read(Buffer.from('<a/>'))).to.equal({
        type: 'a',
        entry: null,
        fingerprint: null,
        validated: false,
        facts: [],
        leftOut: [],
      });
    });

    it('reads UTF-16 as it reads UTF-8', async () => {
      const { facts } = await reader.read(
        Buffer.concat([
          Buffer.from([0xff, 0xfe]),
          Buffer.from('<Note xmlns="urn:test:note"><title>\u00e9\u{1F600}</title></Note>', 'utf16le'),
        ]),
      );
      expect(facts[0]?.values['title']).to.equal('\u00e9\u{1F600}');
    });

    it('refuses what its schema refuses, with the line', async () => {
      const { code, details } = await failureOf(reader.read(noteXml(`\n${title}<size>SECRET</size>`)));
      expect([code, details]).to.equal([
        'invalid_document',
        [
          {
            line: 2,
            message: 'element size: the value is not valid for the type decimal, such as 5.1',
            kind: 'value',
            name: 'size',
          },
        ],
      ]);
    });

    it('refuses facts that do not fit their model', async () => {
      const { code, details } = await failureOf(reader.read(noteXml('<title/>')));
      expect([code, details.length]).to.equal(['invalid_document', 1]);
    });

    it('refuses models that the entry does not name', async () => {
      const { code, message } = await failureOf(reader.read(xml('PartOnly')));
      expect([code, message]).to.equal([
        'invalid_document',
        'The document was refused: 1 of its fields does not fit the data model.',
      ]);
    });

    const NO_MODELS =
      'the transform did not yield a Models element: check what its templates match, and in which namespace';
    const failing: readonly (readonly [string, string])[] = [
      [
        'Recursive',
        'its templates or functions call each other too deeply, seen in line 2 of t.xsl: without an end, or for too many steps',
      ],
      [
        'Deep',
        'its templates or functions call each other too deeply, seen in line 3 of t.xsl: without an end, or for too many steps',
      ],
      [
        'Wide',
        'its templates or functions call each other too deeply, seen in line 3 of t.xsl: without an end, or for too many steps',
      ],
      ['Functional', 'its templates or functions call each other too deeply: without an end, or for too many steps'],
      ['Message', 'its stylesheet refused it (xsl:message)'],
      ['Undeclared', 'the instruction Model in line 3 of t.xsl failed'],
      ['NotModels', NO_MODELS],
      ['Nothing', NO_MODELS],
      ['Doctype', NO_MODELS],
      ['Two', NO_MODELS],
      ['Throws', 'its module threw TypeError in line 2'],
      ['Circle', 'its module returned something that JSON cannot hold: let it return SDMJ, or SDMX as text'],
      ['NoReturn', 'its module returned nothing: for a document without facts let it return []'],
      ['Exits', 'the process that read it ended'],
    ];
    for (const [root, reason] of failing) {
      it(`answers transform_failed for ${root}: ${reason}`, async () => {
        const { status, code, message } = await failureOf(reader.read(xml(root, 'SECRET')));
        expect([status, code, message]).to.equal([
          400,
          'transform_failed',
          `The document could not be transformed into facts: ${reason}.`,
        ]);
      });
    }

    for (const root of ['Namespaced', 'Mixed']) {
      it(`takes output in a namespace: ${root}`, async () => {
        expect((await reader.read(xml(root))).facts.map(({ values }) => values['title'])).to.equal(['t']);
      });
    }

    it('takes SDMX text and nested objects from modules', async () => {
      const sdmx = await reader.read(Buffer.from('<Sdmx xmlns="urn:test:note" a="x"/>'));
      expect([sdmx.facts[0]?.values['title'], sdmx.leftOut]).to.equal(['x', [{ model: 'X', reason: 'r', count: 1 }]]);
      const { facts } = await reader.read(xml('Nested'));
      expect((facts[0]?.children['parts'] as readonly object[])[0]).to.include({
        model: 'Part',
        values: { title: '<?xml' },
      });
    });

    it('takes a string from a module for what it is, whatever encoding it declares', async () => {
      expect((await reader.read(xml('Declared'))).facts[0]?.values['title']).to.equal('Zo\u00eb');
    });

    it('has transforms see documents whose texts have more than 10,000,000 bytes together', async () => {
      const patient = await openTestReader(formats, { xmlWorkers: 1, transformSeconds: 20 });
      for (const root of ['Counted', 'CountedByModule']) {
        const { facts } = await patient.read(
          xml(root, `<a>${'x'.repeat(9_000_000)}</a><b>${'x'.repeat(1_400_000)}</b>`),
        );
        expect([root, facts[0]?.values['title']]).to.equal([root, '10400000']);
      }
      await patient.close();
    });

    it('refuses no document for what a module wrote to stderr before it', async () => {
      const own = await openTestReader(formats, { xmlWorkers: 1 });
      for (let round = 0; round < 3; round += 1) {
        expect((await own.read(xml('Noisy'))).facts).to.have.length(1);
        expect((await own.read(noteXml(title))).facts).to.have.length(1);
      }
      await own.close();
    });

    it('refuses numbers of modules that are none', async () => {
      for (const text of ['x', '1e400']) {
        const { code, details } = await failureOf(reader.read(xml('NotANumber', text)));
        expect([code, details.map(({ message }) => message)]).to.equal([
          'invalid_document',
          ['Note 1: size must be a number'],
        ]);
        expect((await failureOf(reader.read(xml('NotAText', text)))).details.map(({ message }) => message)).to.equal([
          'Note 1: title must be text',
        ]);
      }
    });

    it('gives modules no environment', async () => {
      const { facts } = await reader.read(xml('Environment'));
      // The sandbox sets PWD to its root folder. npm run tool coverage adds a name, too.
      expect(facts[0]?.values['title']).to.match(/^NODE_NO_WARNINGS,(?:NODE_V8_COVERAGE,)?(?:PWD,)?TZ$/);
    });

    it('brings long lists of facts over in order, up to 10,000', async () => {
      const patient = await openTestReader(formats, { xmlWorkers: 1, transformSeconds: 60 });
      expect((await patient.read(xml('Many', '10000'))).facts).to.have.length(10_000);
      expect((await failureOf(patient.read(xml('Many', '10001')))).code).to.equal('invalid_document');
      await patient.close();
    });
  });

  it('gives way to the server with all threads of its readers', async () => {
    await reader.inspect(noteXml('<title>t</title>'));
    const niceness = (thread: string): string | undefined =>
      readFileSync(`${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16];
    const ofThreads = (id: number): readonly (string | undefined)[] =>
      readdirSync(`/proc/${id}/task`).map((thread) => niceness(`/proc/${id}/task/${thread}`));
    // A reader that replaces another one may have just started.
    const readers = (): readonly number[] => readersOf(process.pid);
    await until(() =>
      Promise.resolve(
        readers().length > 0 &&
          readers().every(
            (id) =>
              ofThreads(id).length > 1 && ofThreads(id).every((one) => Number(one) === Math.min(19, getPriority() + 5)),
          ),
      ),
    );
  });

  describe('inspect', () => {
    it('tells the type and applies no schema', async () => {
      expect(await reader.inspect(noteXml('<nonsense/>'))).to.equal({ type: 'urn:test:note#Note' });
      expect((await failureOf(reader.inspect(Buffer.from('nonsense')))).code).to.equal('invalid_document');
    });
  });

  describe('isolation', () => {
    for (const root of ['Endless', 'Hangs', 'Never']) {
      it(`ends ${root} after the time limit while others are read`, async () => {
        let ended = false;
        const stuck = failureOf(reader.read(xml(root), 'one')).finally(() => {
          ended = true;
        });
        let others = 0;
        while (!ended) {
          await reader.read(noteXml(title), 'other');
          others += 1;
        }
        const { code, message } = await stuck;
        expect([code, message]).to.equal([
          'transform_failed',
          'The document could not be transformed into facts: it took longer than 1 seconds.',
        ]);
        expect(others).to.be.above(0);
      });
    }

    it('brings in more processes while all are stuck', async () => {
      const own = await openTestReader(formats, { transformSeconds: 8, xmlWorkers: 2 });
      let ended = false;
      const stuck = Promise.all([1, 2].map(() => failureOf(own.read(xml('Never'), 'one')))).finally(() => {
        ended = true;
      });
      await own.read(noteXml(title), 'other');
      expect(ended).to.be.false();
      expect((await stuck).map(({ code }) => code)).to.equal(['transform_failed', 'transform_failed']);
      await own.close();
    });

    for (const xmlWorkers of [1, 2]) {
      it(`keeps a reader for others while one floods ${xmlWorkers} of them`, async () => {
        const own = await openTestReader(formats, { transformSeconds: 2, xmlWorkers });
        let stuck = 0;
        const flood = Promise.all(
          Array.from({ length: 4 }, () =>
            failureOf(own.read(xml('Never'), 'flood')).finally(() => {
              stuck += 1;
            }),
          ),
        );
        let read = 0;
        while (stuck < 3) {
          await own.read(noteXml(title), 'other');
          read += 1;
        }
        // In one queue with the flood the first read would have waited for the end of the flood, and there would be no
        // second.
        expect(read).to.be.above(1);
        expect((await flood).map(({ code }) => code)).to.equal(Array.from({ length: 4 }, () => 'transform_failed'));
        await own.close();
      });
    }

    it('ends a stylesheet that eats memory', async () => {
      const { code } = await failureOf(reader.read(xml('Growing')));
      expect(code).to.equal('transform_failed');
      expect((await reader.read(noteXml(title))).facts).to.have.length(1);
    });

    it('reads a document again when somebody kills its process', async () => {
      const reading = reader.read(xml('Slow'));
      await wait(150);
      readersOf(process.pid).forEach((id) => process.kill(id, 'SIGKILL'));
      expect((await reading).facts).to.have.length(1);
    });

    it('loses none of 200 documents when its processes are killed all the time', async () => {
      let done = 0;
      let killing = true;
      const killer = (async () => {
        for (let round = 0; round < 5; round += 1) {
          // A document whose second reader ends, too, is given up. Such a document is read first, so 35 documents later
          // it has been read.
          const next = done + 35;
          await until(() => done >= next || !killing);
          readersOf(process.pid)
            .slice(0, killing ? 1 : 0)
            .forEach((id) => process.kill(id, 'SIGKILL'));
        }
      })();
      const read = await Promise.all(
        Array.from({ length: 200 }, async (_, number) => {
          const { facts } = await reader.read(noteXml(`<title>${number}</title>`), 'one of many');
          done += 1;
          return facts;
        }),
      ).finally(() => {
        killing = false;
      });
      await killer;
      expect(read.map((facts) => facts[0]?.values['title'])).to.equal(
        Array.from({ length: 200 }, (_, number) => String(number)),
      );
    });
  });

  describe('reload', () => {
    it('refuses a broken configuration with all problems and keeps the old one', async () => {
      const broken = writeFolder({
        'a/document.yaml': entryYaml('a', 'A', 'validate: { schema: none.xsd }'),
        'b/document.yaml': 'x',
      });
      const error = (await failureOf(reader.reload(settingsFor(broken), noteModels()))) as unknown as SetupError;
      removeFolder(broken);
      expect(error).to.be.an.instanceof(SetupError);
      expect(error.problems).to.have.length(2);
      expect(reader.entries.find('urn:test:note#A')).to.be.undefined();
      expect((await reader.read(noteXml(title))).entry).to.equal('note');
    });

    it('names the file when loading a module never ends or kills its process', async () => {
      const deadly = writeFolder(transformFormat('A', 't.js', 'process.exit(1);'));
      const error = (await failureOf(reader.reload(settingsFor(deadly), noteModels()))) as unknown as SetupError;
      removeFolder(deadly);
      expect(error.problems).to.equal([
        `${join(deadly, 'A/document.yaml')}:1: it cannot be loaded: the process that did it ended`,
      ]);
    });

    it('switches later documents over while earlier ones finish with the old configuration', async () => {
      const own = await openTestReader(
        { ...noteFormat, ...transformFormat('Slow', 't.js', formats['Slow/t.js'] ?? '') },
        { xmlWorkers: 2 },
      );
      const early = own.read(xml('Slow'));
      writeFileSync(join(own.folder, 'note/document.yaml'), entryYaml('new-note', 'Note', ''));
      await own.reload(settingsFor(own.folder, { xmlWorkers: 2 }), noteModels());
      expect((await own.read(noteXml(title))).entry).to.equal('new-note');
      expect((await early).entry).to.equal('slow');
      await own.close();
    });

    it('does not see changes on disk before, not even in processes that are started later', async () => {
      const own = await openTestReader(noteFormat, { xmlWorkers: 1 });
      writeFileSync(join(own.folder, 'note/transform.xsl'), 'broken');
      readersOf(process.pid).forEach((id) => process.kill(id, 'SIGKILL'));
      expect((await own.read(noteXml(title))).facts).to.have.length(1);
      await own.close();
    });
  });

  it('takes the format of a module that no longer loads out of use, alone, in processes that are started later', async () => {
    const folder = writeFolder({ ...noteFormat, ...transformFormat('Sound', 't.mjs', 'export default () => [];') });
    const told: string[] = [];
    const own = await openReader(settingsFor(folder, { xmlWorkers: 1 }), noteModels(), (problems) =>
      told.push(...problems),
    );
    expect((await own.read(xml('Sound'))).entry).to.equal('sound');
    writeFileSync(join(folder, 'Sound/t.mjs'), '\nexport default () => ];');
    readersOf(process.pid).forEach((id) => process.kill(id, 'SIGKILL'));
    const { status, code, message, headers } = await failureOf(own.read(xml('Sound')));
    expect([status, code, headers['retry-after']]).to.equal([503, 'out_of_order', '60']);
    expect(message).to.contain('the module of the format sound does not load');
    expect((await own.read(noteXml(title))).facts).to.have.length(1);
    expect(told).to.equal([`${join(folder, 'Sound/t.mjs')}:2: the module does not load: Unexpected token ']'`]);
    writeFileSync(join(folder, 'Sound/t.mjs'), 'process.exit(1);');
    readersOf(process.pid).forEach((id) => process.kill(id, 'SIGKILL'));
    await until(() => told.length > 1, 'a second problem');
    expect(told[1]).to.equal(
      `${join(folder, 'Sound/document.yaml')}:1: it cannot be loaded: the process that did it ended`,
    );
    writeFileSync(join(folder, 'Sound/t.mjs'), 'export default () => [];');
    expect((await own.read(xml('Sound'))).entry).to.equal('sound');
    await own.close();
    removeFolder(folder);
  });

  it('says how many documents it can have at once: as many as there are processes, and as its queue holds', async () => {
    const own = await openTestReader(noteFormat, { xmlWorkers: 2 });
    expect(own.atOnce).to.equal(2);
    await own.reload(settingsFor(own.folder, { xmlWorkers: 2, maxDocumentBytes: 200_000_000 }), noteModels());
    expect(own.atOnce).to.equal(1);
    await own.reload(settingsFor(own.folder, { xmlWorkers: 2, maxDocumentBytes: 1_000_000_000 }), noteModels());
    expect(own.atOnce).to.equal(1);
    await own.close();
  });

  describe('close', () => {
    it('finishes what was handed in and leaves no process behind', async () => {
      const others = new Set(readersOf(process.pid));
      const own = await openTestReader(transformFormat('Slow', 't.js', formats['Slow/t.js'] ?? ''), { xmlWorkers: 2 });
      const reading = own.read(xml('Slow'));
      await own.close();
      expect((await reading).facts).to.have.length(1);
      expect(readersOf(process.pid).filter((id) => !others.has(id))).to.equal([]);
    });

    it('ends with the server, even in the middle of an endless loop', async () => {
      const folder = writeFolder(transformFormat('Hangs', 't.js', 'module.exports = () => { for (;;) {} };'));
      const script = `
        const { openReader } = require(${JSON.stringify(join(__dirname, '../../../../core/pipeline/readers/document-reader.js'))});
        const { loadModels } = require(${JSON.stringify(join(__dirname, '../../../../core/facts/model/models.js'))});
        const folder = ${JSON.stringify(folder)};
        require('fs').writeFileSync(folder + '/note.yaml', '__modelname__: Note\\ntitle: String');
        const { models } = loadModels([folder], 'v');
        openReader({ pipelineConfigDirs: [folder], vocabBase: 'v', maxDocumentBytes: 1e6, transformSeconds: 100, xmlWorkers: 2 }, models).then((reader) => {
          void reader.read(Buffer.from('<Hangs xmlns="urn:test:note"/>'));
          setTimeout(() => console.log('hanging'), 300);
        });`;
      const parent = spawn(process.execPath, ['-e', script], {
        cwd: inProject(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => {
        createInterface(parent.stdout).once('line', resolve);
      });
      const readers = readersOf(parent.pid ?? 0);
      expect(readers.length).to.be.above(0);
      parent.kill('SIGKILL');
      await until(() => !readers.some(lives), 'the end of the readers');
      removeFolder(folder);
    });
  });
});

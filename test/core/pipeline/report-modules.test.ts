/**
 * report-modules: which modules load, what they may do, and that one that hangs, throws or ends its process does not
 * affect others.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import type { SetupError } from '../../../core/base/errors';
import { loadModels } from '../../../core/facts/model/models';
import { openReader, type DocumentReader } from '../../../core/pipeline/readers/document-reader';
import { ReportFailure, type ReportPage } from '../../../core/pipeline/report-modules';
import {
  noteFormat,
  noteModel,
  noteXml,
  removeFolder,
  settingsFor,
  writeFolder,
  type Files,
} from '../../support/formats';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const page: ReportPage = { facts: [], total: 7, record: { id: 'r' }, carenet: null };

const modules: Files = {
  'common.js': 'exports.to_json = (facts, total, record, carenet) => JSON.stringify([facts, total, record, carenet])',
  'whole.cjs': 'module.exports = { to_json: () => "one" }',
  'named.mjs': 'export const to_json = async () => "one"',
  'default.mjs': 'export default { to_json: () => "one", to_xml: () => "two" }',
  'environment.js': 'exports.to_json = () => Object.keys(process.env).sort().join()',
  'throws.js': 'exports.to_json = (facts) => {\n  throw new TypeError("SECRET");\n}',
  'number.js': 'exports.to_json = () => 1',
  'hangs.js': 'exports.to_json = () => { for (;;) {} }; exports.to_xml = () => "fine"',
  'never.js': 'exports.to_json = () => new Promise(() => {})',
  'exits.js': 'exports.to_json = () => process.exit(0)',
};

const open = async (folder: string): Promise<DocumentReader> => {
  const { models } = loadModels([join(folder, 'models')], 'x');
  return openReader(settingsFor(join(folder, 'formats'), { transformSeconds: 1, xmlWorkers: 1 }), models);
};

const folderWith = (files: Files): string =>
  writeFolder({
    ...Object.fromEntries(Object.entries(noteFormat).map(([name, text]) => [`formats/${name}`, text])),
    'models/note.yaml': noteModel,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`models/${name}`, text])),
    ...Object.fromEntries(
      Object.keys(files)
        .filter((name) => !name.includes('/'))
        .map((name) => [
          `models/${name}.yaml`,
          `__modelname__: M${name.replace('.', '')}\nserializers: ./${name}\na: String`,
        ]),
    ),
  });

const failureOf = async (work: Promise<unknown>): Promise<Error> => {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it succeeded');
};

describe('modules that write reports', () => {
  let folder: string;
  let reader: DocumentReader;
  const write = (name: string): Promise<string> => reader.write(join(folder, 'models', name), 'to_json', page);

  before(async () => {
    folder = folderWith(modules);
    reader = await open(folder);
  });
  after(async () => {
    await reader.close();
    removeFolder(folder);
  });

  it('load from CommonJS and ES modules, by name and by default export', async () => {
    for (const name of ['whole.cjs', 'named.mjs', 'default.mjs']) {
      expect(await write(name)).to.equal('one');
    }
    expect(await write('common.js')).to.equal('[[],7,{"id":"r"},null]');
  });

  it('are known by what they can write', () => {
    const writes = (name: string, method: 'to_json' | 'to_xml' | 'to_rdf'): boolean =>
      reader.writes(join(folder, 'models', name), method);
    expect([
      writes('whole.cjs', 'to_json'),
      writes('whole.cjs', 'to_xml'),
      writes('default.mjs', 'to_xml'),
      writes('other.js', 'to_json'),
    ]).to.equal([true, false, true, false]);
  });

  it('get no environment', async () => {
    // Node passes the first of these on to every process while coverage is measured; the sandbox of the readers sets
    // the second to `/`.
    const names = (await write('environment.js'))
      .split(',')
      .filter((name) => !['NODE_V8_COVERAGE', 'PWD'].includes(name));
    expect(names).to.equal(['NODE_NO_WARNINGS', 'TZ']);
  });

  for (const [name, reason] of [
    ['throws.js', 'its module threw TypeError in line 2'],
    ['number.js', 'its to_json made no text'],
    ['exits.js', 'the process that read it ended'],
    ['unknown.js', 'it is not loaded'],
    ['hangs.js', 'it took longer than 1 seconds'],
    ['never.js', 'it took longer than 1 seconds'],
  ] as const) {
    it(`fail with a reason that quotes no fact: ${name}`, async () => {
      const failure = await failureOf(write(name));
      expect(failure).to.be.instanceOf(ReportFailure);
      expect(failure.message).to.equal(reason);
    });
  }

  it('are left alone for a while after they hung, so that callers are told at once and documents pass', async () => {
    await wait(1100);
    const hanging = Array.from({ length: 10 }, () => failureOf(write('hangs.js')));
    const document = reader.read(noteXml('<title>t</title>'));
    expect((await Promise.all(hanging)).map(({ message }) => message)).to.equal([
      'it took longer than 1 seconds',
      ...Array.from({ length: 9 }, () => 'it is left alone for a while after it hung or ended its process'),
    ]);
    expect((await document).facts.length).to.equal(1);
    expect(await write('whole.cjs')).to.equal('one');
    // Other functions of the module can still be called.
    expect(await reader.write(join(folder, 'models/hangs.js'), 'to_xml', page)).to.equal('fine');
    await wait(1100);
    expect((await failureOf(write('hangs.js'))).message).to.equal('it took longer than 1 seconds');
  });

  it('stop the start when they are of no use, each with its line', async () => {
    const broken = {
      'a.js': 'exports.toXml = () => "x"',
      'b.js': '\nexports.to_xml = (',
      'c.js': 'throw new Error("no luck")',
      'd.js': 'exports.to_xml = () => ""',
      'e/e.js': 'export const to_xml = () => "";',
      'e/package.json': '{"type":"commonjs"}',
    };
    const other = folderWith(broken);
    writeFileSync(join(other, 'models/e.yaml'), '__modelname__: E\nserializers: ./e/e.js\na: String');
    const { problems } = (await failureOf(open(other))) as SetupError;
    expect(problems.map((problem) => problem.slice(other.length + '/models/'.length)).sort()).to.equal([
      'a.js:1: it exports none of the functions to_json, to_xml, to_rdf',
      'b.js:2: the module does not load: Unexpected end of input',
      'c.js:1: the module does not load: no luck',
      "e/e.js:1: the module does not load: Unexpected token 'export': give it a name that ends with .mjs",
    ]);
    removeFolder(other);
  });

  it('are taken in anew with a reload', async () => {
    const first = folderWith({ 'a.js': 'exports.to_json = () => "one"' });
    const own = await open(first);
    const second = folderWith({ 'a.js': 'exports.to_json = () => "two"' });
    const { models } = loadModels([join(second, 'models')], 'x');
    await own.reload(settingsFor(join(second, 'formats')), models);
    expect(own.writes(join(first, 'models', 'a.js'), 'to_json')).to.be.false();
    expect(await own.write(join(second, 'models', 'a.js'), 'to_json', page)).to.equal('two');
    await own.close();
    removeFolder(first);
    removeFolder(second);
  });
});

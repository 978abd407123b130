/** serializers: modules of deployers: which load, which are of no use, and that a changed one is seen. */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { loadModels, type Model } from '../../../core/datamodel/models';
import { ownSerializer, serializerProblems } from '../../../core/reports/serializers';
import { removeFolder, writeFolder } from '../../support/formats';

export const lab = Lab.script();
const { describe, it, afterEach } = lab;

let folder = '';
afterEach(() => removeFolder(folder));

const modelWith = (file: string, text: string): { model: Model; problems: Promise<readonly string[]> } => {
  folder = writeFolder({ 'm.yaml': `__modelname__: M\nserializers: ./${file}\na: String`, [file]: text });
  const { models } = loadModels([folder], 'x');
  return { model: models.find('M')!, problems: serializerProblems(models) };
};
const record = { id: 'r' };

describe('serializers of a deployer', () => {
  it('load from CommonJS, from ES modules, by name and by default export', async () => {
    for (const [file, text] of [
      ['a.js', 'exports.to_json = () => "one"'], ['b.cjs', 'module.exports = { to_json: () => "one" }'], ['c.mjs', 'export const to_json = async () => "one"'], ['d.mjs', 'export default { to_json: () => "one" }'],
    ] as const) {
      const { model, problems } = modelWith(file, text);
      expect(await problems).to.equal([]);
      expect(await (await ownSerializer(model, 'to_json'))!([], 0, record, null)).to.equal('one');
      expect(await ownSerializer(model, 'to_rdf')).to.be.undefined();
      removeFolder(folder);
    }
  });

  it('are loaded anew when the file has changed', async () => {
    const { model } = modelWith('a.js', 'exports.to_xml = () => "one"');
    expect(await (await ownSerializer(model, 'to_xml'))!([], 0, record, null)).to.equal('one');
    writeFileSync(join(folder, 'a.js'), 'exports.to_xml = () => "two"');
    utimesSync(join(folder, 'a.js'), 1, 1);
    expect(await (await ownSerializer(model, 'to_xml'))!([], 0, record, null)).to.equal('two');
  });

  it('are told of when they are of no use', async () => {
    expect((await modelWith('a.js', 'exports.toXml = () => "x"').problems).join()).to.contain('a.js:1: it exports none of the functions to_json, to_xml, to_rdf');
    removeFolder(folder);
    expect((await modelWith('a.js', 'exports.to_xml = (').problems).join()).to.contain('a.js:1: it cannot be loaded:');
    removeFolder(folder);
    expect((await modelWith('a.js', 'throw new Error("no luck")').problems).join()).to.contain('a.js:1: it cannot be loaded: no luck');
  });

  it('are no matter for models without them', async () => {
    expect(await ownSerializer({ name: 'M' } as Model, 'to_xml')).to.be.undefined();
  });
});

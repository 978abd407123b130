/**
 * corpus: no kept input makes its target fail, and a planted failure is found, shortened, written to a file and
 * reported.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { corpusOf, runCampaign, tryInputs, type Outcome } from './campaign';
import { targetNames } from './targets';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const LONG_ENOUGH = 60;

describe('kept inputs', () => {
  for (const name of targetNames) {
    it(`are borne by ${name}`, async () => {
      const corpus = corpusOf(name);
      expect(corpus.length).to.be.above(2);
      const failures = await tryInputs(name, corpus, LONG_ENOUGH);
      expect(failures.map(({ input, reason }) => [input.toString('latin1'), reason])).to.equal([]);
    });
  }
});

describe('a campaign', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const campaign = (target: string, inputSeconds: number): Promise<Outcome> =>
    runCampaign({ target, seed: 7, seconds: 240, findings: join(folder, 'failed'), kept: undefined, inputSeconds });

  it('finds a fault, and writes the shortest input that shows it', async () => {
    const { finding } = await campaign('planted-fault', LONG_ENOUGH);
    expect(finding?.reason).to.contain('two of them');
    expect(finding?.input.toString()).to.equal('<b<b');
    expect(readFileSync(finding!.file, 'latin1')).to.equal(finding!.input.toString('latin1'));
    const [again] = await tryInputs('planted-fault', [readFileSync(finding!.file)], LONG_ENOUGH);
    expect(again?.reason).to.contain('two of them');
    expect(await tryInputs('planted-fault', [Buffer.from('<b')], LONG_ENOUGH)).to.equal([]);
  });

  it('finds an input that never ends, and writes it', async () => {
    const { finding } = await campaign('planted-stop', 1);
    expect(finding?.reason).to.equal('it did not end in time');
    expect(readFileSync(finding!.file).toString()).to.equal('<b');
  });

  it('refuses a target that there is not', async () => {
    await expect(tryInputs('nothing', [Buffer.from('a')], LONG_ENOUGH)).to.reject(/There is no target nothing/);
  });
});

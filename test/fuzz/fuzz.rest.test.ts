/** fuzz: one minute of mutated inputs, others in each run; `npm run tool fuzz` runs for hours. */
import { randomInt } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { runCampaign } from './campaign';
import { targetNames } from './targets';

export const lab = Lab.script();
const { describe, it } = lab;

const SECONDS = Number(process.env['SVC_TEST_FUZZ_SECONDS'] ?? 60);
const seed = Number(process.env['SVC_TEST_SEED'] ?? randomInt(1, 2 ** 31));

describe(`mutated inputs, seed ${seed}`, () => {
  for (const name of targetNames) {
    it(`are borne by ${name}`, async () => {
      const { tried, finding } = await runCampaign({
        target: name,
        seed,
        seconds: SECONDS / targetNames.length,
        findings: inProject('var/fuzz/failed'),
        kept: undefined,
        inputSeconds: 30,
      });
      expect(finding?.reason, `npm run tool fuzz -- --target ${name} --input ${finding?.file}`).to.be.undefined();
      expect(tried).to.be.above(0);
    });
  }
});

/** any-order: a document says the same whatever the same process read before it. The seed makes the order. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import type { DocumentReader } from '../../core/pipeline/readers/document-reader';
import { openBundledReader } from '../support/bundled-reader';
import { below, randomFrom, type Random } from '../support/random';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const ROUNDS = 3;

function filesIn(folder: string, pattern: RegExp): readonly string[] {
  return readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .sort();
}

const files = [
  ...filesIn('pipeline-config', /sample[^/]*\.(?:xml|json)$/),
  ...filesIn('test/fixtures', /\.(?:xml|json)$/),
];

function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  const all = [...list];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = below(random, at + 1);
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}

describe('documents that one process reads', () => {
  let reader: DocumentReader;
  before(async () => {
    reader = await openBundledReader({ xmlWorkers: 1 });
  });
  after(() => reader.close());

  async function saidBy(file: string): Promise<string> {
    const read = reader.read(readFileSync(inProject(file)));
    return read.then(
      ({ facts, leftOut }) => JSON.stringify([facts, leftOut]),
      (error: unknown) => String(error),
    );
  }

  it('say the same in any order', async () => {
    const seed = Number(process.env['SVC_TEST_SEED'] ?? Date.now() % 1_000_000);
    const random = randomFrom(seed);
    expect(files.length).to.be.above(60);
    const first = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const file of shuffled(files, random)) {
        const said = await saidBy(file);
        expect(said, `${file}, SVC_TEST_SEED=${seed}`).to.equal(first.get(file) ?? said);
        first.set(file, said);
      }
    }
  });
});

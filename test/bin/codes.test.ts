/** codes: `svc codes load`, as an operator runs it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { command } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('svc codes load', () => {
  let folder: string;
  let settings: Record<string, string>;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-codes-'));
    settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}` };
    expect((await command(['migrate'], settings)).code).to.equal(0);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('loads a file, and says that a second time changes nothing', async () => {
    const file = join(folder, 'cvx.txt');
    writeFileSync(file, '03 |MMR|measles, mumps and rubella virus vaccine||Active|False|2010/05/28\n');
    expect(await command(['codes', 'load', 'cvx', file], settings)).to.include({
      code: 0,
      stdout: 'CVX: 1 added, 0 changed, 0 unchanged, 0 lines skipped\n',
    });
    expect((await command(['codes', 'load', 'cvx', file], settings)).stdout).to.equal(
      'CVX: 0 added, 0 changed, 1 unchanged, 0 lines skipped\n',
    );
  });

  it('fails with one clear line for a file that is missing or unknown, and for wrong usage', async () => {
    const missing = await command(['codes', 'load', 'cvx', join(folder, 'none.txt')], settings);
    expect(missing.code).to.equal(1);
    expect(missing.stderr).to.contain('none.txt: the file cannot be read (ENOENT)');
    const strange = join(folder, 'strange.txt');
    writeFileSync(strange, 'hello\n');
    const unknown = await command(['codes', 'load', 'cvx', strange], settings);
    expect(unknown.code).to.equal(1);
    expect(unknown.stderr).to.contain('not a file of a known coding system');
    expect((await command(['codes', 'load', 'cvx'], settings)).code).to.equal(2);
  });
});

/** backup: `svc backup` into a folder, and the restore drill of `svc backup verify`. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Sqlite } from '../../core/db/sqlite/better-sqlite';
import { command } from '../support/svc';
import { inProject } from '../../core/base/paths';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const KEY = 'a-key-of-the-backup-test-long-enough';

describe('svc backup', () => {
  let folder: string;
  let copies: string;
  let settings: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-backup-'));
    copies = join(folder, 'copies');
    mkdirSync(copies);
    settings = { SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}`, SVC_SECRET_KEY: KEY };
    const made = await command(
      [
        'accounts',
        'create',
        'ann@people.example',
        '--record',
        inProject('pipeline-config/demographics/sample-full.xml'),
      ],
      settings,
    );
    expect(made.code, made.stderr).to.equal(0);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The name of a copy has its time to the second. */
  const stale = (day: number): string => `svc-2020-01-0${day}T000000Z.sqlite`;

  it('keeps the newest copies of a folder, and touches no other file there', async () => {
    for (const name of [stale(1), stale(2), stale(3), 'mine.sqlite']) {
      writeFileSync(join(copies, name), 'old');
    }
    const ran = await command(['backup', copies, '--keep', '2'], settings);
    expect(ran.code, ran.stderr).to.equal(0);
    const left = readdirSync(copies).sort();
    expect(left).to.have.length(3);
    expect(left.slice(0, 2)).to.equal(['mine.sqlite', stale(3)]);
  });

  it('practises the restore of the newest copy, and leaves nothing behind', async () => {
    const files = readdirSync(copies);
    const ran = await command(['backup', 'verify', copies, '--json'], settings);
    expect(ran.code, ran.stderr).to.equal(0);
    const { documentsChecked, auditRows, problems } = JSON.parse(ran.stdout) as {
      documentsChecked: number;
      auditRows: number;
      problems: readonly string[];
    };
    expect([documentsChecked, problems]).to.equal([1, []]);
    expect(auditRows).to.be.above(0);
    expect(readdirSync(copies)).to.equal(files);
  });

  it('finds a document that is not what was stored', async () => {
    const copy = join(folder, 'changed.sqlite');
    expect((await command(['backup', copy], settings)).code).to.equal(0);
    const database = new Sqlite(copy);
    database.prepare("update document set content = cast('<a/>' as blob)").run();
    database.close();
    const ran = await command(['backup', 'verify', copy], settings);
    expect(ran.code).to.equal(1);
    expect(ran.stderr).to.contain('is not what was stored');
  });

  it('finds an audit row that was changed, and a key that is another', async () => {
    const copy = join(folder, 'audit.sqlite');
    expect((await command(['backup', copy], settings)).code).to.equal(0);
    const database = new Sqlite(copy);
    database.prepare('update audit set status = 418').run();
    database.close();
    const changed = await command(['backup', 'verify', copy], settings);
    expect([changed.code, changed.stderr]).to.equal([1, changed.stderr]);
    expect(changed.stderr).to.contain('audit chain');
    const other = await command(['backup', 'verify', copies], { ...settings, SVC_SECRET_KEY: `${KEY}-no` });
    expect(other.code).to.equal(1);
  });

  it('refuses what it cannot do', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const refusals: readonly [readonly string[], number, string][] = [
      [['backup', join(folder, 'x.sqlite'), '--keep', '2'], 1, 'is no folder'],
      [['backup', join(folder, 'x.sqlite'), '--every', '6h'], 1, 'is no folder'],
      [['backup', copies, '--every', '6'], 2, 'say 30m, 6h or 1d'],
      [['backup', copies, '--every', '30d'], 2, '24d at most'],
      [['backup', copies, '--keep', '0'], 2, 'say how many'],
      [['backup', 'verify', empty], 1, 'holds no backup'],
      [['backup', 'verify', join(copies, 'mine.sqlite')], 1, 'is no SQLite database'],
      [['backup', 'verify', join(folder, 'nothing')], 1, 'nothing'],
    ];
    for (const [words, code, why] of refusals) {
      const ran = await command(words, settings);
      expect([ran.code, words]).to.equal([code, words]);
      expect(ran.stderr).to.contain(why);
    }
  });
});

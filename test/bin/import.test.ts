/** import: unpacked health data is removed when an import ends, also when a signal ends it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { until } from '../support/receiver';
import { environment } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

describe('svc import', () => {
  let folder: string;
  const at = (...names: string[]): string => join(folder, ...names);

  /** Makes an archive of some rows and then a file that takes some time to read. */
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-import-test-'));
    mkdirSync(at('temporary'));
    mkdirSync(at('record-1', 'documents'), { recursive: true });
    writeFileSync(at('record-1', 'facts.jsonl'), '{"name":"Appendectomy"}\n');
    writeFileSync(at('record-1', 'documents', 'long'), '');
    truncateSync(at('record-1', 'documents', 'long'), 1 << 29);
    execFileSync(
      'tar',
      ['-C', folder, '-czf', at('archive.tar.gz'), 'record-1/facts.jsonl', 'record-1/documents/long'],
      { env: { ...process.env, GZIP: '-1' } },
    );
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`leaves nothing unpacked when ${signal} ends it`, async () => {
      const child = spawn(inProject('bin', 'svc'), ['import', at('archive.tar.gz')], {
        env: { ...environment({ SVC_DATABASE_URL: `sqlite:${at('there.sqlite')}` }), TMPDIR: at('temporary') },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
      const unpacked = (): string[] => readdirSync(at('temporary'), { recursive: true }).map(String);
      await until(() => unpacked().some((name) => name.endsWith('facts.jsonl')), 'the rows of the archive');
      child.kill(signal);
      expect(await ended).to.equal([code, null]);
      expect(unpacked()).to.equal([]);
    });
  }
});

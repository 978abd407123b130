/** memory: a record of many documents is exported and imported with a small heap. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { systemClock, toTimestamp } from '../../../core/base/clock';
import { newId, sha256 } from '../../../core/base/ids';
import { inProject } from '../../../core/base/paths';
import type { Database } from '../../../core/db/database';
import { openDatabase } from '../../../core/db/open';
import { insertRows } from '../../../core/db/insert-rows';
import { svc, environment } from '../../support/svc';

export const lab = Lab.script();
const { describe, it } = lab;

/** SVC_TEST_DOCUMENTS=100000 runs the size that the operator guide names. */
const DOCUMENTS = Number(process.env['SVC_TEST_DOCUMENTS'] ?? 30_000);
/** The program itself needs a third of it; the rows of 30,000 documents alone would need more than the rest. */
const HEAP_MEGABYTES = 56;
/**
 * Freed buffers are given back late, so the process is larger than its heap. Its size does not grow with the record.
 */
const PROCESS_MEGABYTES = 320;

const makeRecord = async ({ transaction }: Database, documents: number): Promise<string> => {
  const recordId = newId();
  const now = toTimestamp(systemClock.now());
  await transaction((trx) =>
    trx('principal').insert({
      id: 'admin@apps.svc.example',
      kind: 'adminapp',
      name: 'Administration',
      created_at: now,
    }),
  );
  await transaction((trx) =>
    trx('record').insert({
      id: recordId,
      label: 'A Long Life',
      search_label: 'a long life',
      owner_id: null,
      creator_id: 'admin@apps.svc.example',
      created_at: now,
    }),
  );
  for (let start = 0; start < documents; start += 1000) {
    const rows = Array.from({ length: Math.min(1000, documents - start) }, (_, offset) => {
      const content = Buffer.from(`<Note number="${start + offset}">${'All was well. '.repeat(100)}</Note>`);
      const id = newId();
      return {
        id,
        record_id: recordId,
        lineage_id: id,
        latest_id: id,
        latest_created_at: now,
        status: 'active',
        nevershare: 0,
        type: 'urn:example#Note',
        media_type: 'application/xml',
        size: content.length,
        digest: sha256(content),
        creator_id: 'admin@apps.svc.example',
        created_at: now,
        content,
      };
    });
    await transaction(async (trx) => {
      await insertRows(
        trx,
        'document',
        [
          'id',
          'record_id',
          'lineage_id',
          'type',
          'media_type',
          'size',
          'digest',
          'creator_id',
          'created_at',
          'content',
        ],
        rows,
      );
      await insertRows(
        trx,
        'document_lineage',
        ['id', 'record_id', 'type', 'latest_id', 'latest_created_at', 'status', 'nevershare', 'created_at'],
        rows,
      );
    });
  }
  return recordId;
};

/**
 * Runs a command with a capped heap and resolves to the peak memory of the process in megabytes, as Linux counts it.
 */
const peakOf = (args: readonly string[], settings: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${HEAP_MEGABYTES}`, inProject('bin', 'svc'), ...args],
      { env: environment(settings), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let [peak, stderr] = [0, ''];
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const timer = setInterval(() => {
      const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    }, 20);
    child.on('exit', (code) => {
      clearInterval(timer);
      if (code === 0) {
        resolve(peak);
      } else {
        reject(new Error(`${args.join(' ')}: ${stderr}`));
      }
    });
  });

describe('an archive of many documents', () => {
  it(
    `of ${DOCUMENTS} is written and read within ${HEAP_MEGABYTES} MB of heap`,
    { skip: process.platform !== 'linux' },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-memory-'));
      const settings = (name: string) => ({ SVC_DATABASE_URL: `sqlite:${join(folder, name)}` });
      await svc(['migrate'], settings('a.sqlite'));
      const database = await openDatabase(settings('a.sqlite').SVC_DATABASE_URL, 1);
      const recordId = await makeRecord(database, DOCUMENTS);
      await database.close();
      const file = join(folder, 'record.tar.gz');
      const out = await peakOf(['export', recordId, file], settings('a.sqlite'));
      const back = await peakOf(['import', '--quiet', file], settings('b.sqlite'));
      rmSync(folder, { recursive: true, force: true });
      process.stdout.write(
        `peak of the process for ${DOCUMENTS} documents: export ${Math.round(out)} MB, import ${Math.round(back)} MB\n`,
      );
      expect(out).to.be.below(PROCESS_MEGABYTES);
      expect(back).to.be.below(PROCESS_MEGABYTES);
    },
  );
});

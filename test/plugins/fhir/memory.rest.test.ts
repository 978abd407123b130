/**
 * memory: `$everything` and `$export` of a large record need no more heap of a real process than those of a small one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { toTimestamp } from '../../../core/base/clock';
import { newToken, sha256 } from '../../../core/base/ids';
import { openDatabase } from '../../../core/db/open';
import { insertAccessToken } from '../../../core/tokens/store';
import { factList } from '../../bench/documents';
import { highestMemoryOf } from '../../bench/service';
import { httpClient, type Client } from '../../support/client';
import { direct } from '../../support/direct';
import { medications } from '../../support/server';
import { serve, type Served } from '../../support/svc';
import { authorizeApp, createAccount, createRecord, signIn, succeeded } from '../../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

/** SVC_TEST_FACTS=100000 runs the size that the documentation promises. */
const FACTS = Number(process.env['SVC_TEST_FACTS'] ?? 20_000);
const FEW = 2000;
const AT_ONCE = 1000;
/**
 * The service itself needs a third of it. The JSON text of 20,000 facts alone has 30 MB, and its objects need several
 * times as much.
 */
const HEAP_MEGABYTES = 96;
/**
 * Freed buffers are given back late, so the size of the process varies by some megabytes; a record in memory would need
 * far more.
 */
const MORE_MEGABYTES = 80;
const OWNER = 'owner@memory.example';

describe('a record of many facts at the FHIR door', { skip: process.platform !== 'linux' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-fhir-memory-'));
  const settings = {
    SVC_DATABASE_URL: `sqlite:${join(folder, 'svc.sqlite')}`,
    SVC_AUDIT_HEAD: join(folder, 'audit.head'),
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}`,
  };
  let served: Served;
  let large: { readonly id: string; readonly token: string };
  let small: typeof large;

  const giveToken = async (recordId: string): Promise<string> => {
    const database = await openDatabase(settings.SVC_DATABASE_URL, 1);
    const token = newToken();
    await insertAccessToken(direct(database), {
      tokenHash: sha256(token),
      // A SMART token signs nothing.
      secret: 'none',
      kind: 'smart',
      appId: medications!.consumer.key,
      accountId: OWNER,
      recordId,
      carenetId: null,
      createdAt: toTimestamp(Date.now()),
      expiresAt: toTimestamp(Date.now() + 3_600_000),
      scopes: 'patient/*.rs',
    });
    await database.close();
    return token;
  };
  const makeRecord = async (call: Client, facts: number): Promise<typeof large> => {
    const id = await createRecord(call, OWNER, 'Many', 'Facts');
    const app = await authorizeApp(call, medications!, await signIn(call, OWNER), { record_id: id });
    for (let made = 0; made < facts; made += AT_ONCE) {
      succeeded(await call(app, 'POST', `/records/${id}/documents/`, { body: factList(AT_ONCE) }));
    }
    return { id, token: await giveToken(id) };
  };

  before(async () => {
    const filling = await serve({ ...settings, NODE_OPTIONS: '' });
    const call = httpClient(filling.url);
    await createAccount(call, OWNER);
    small = await makeRecord(call, FEW);
    large = await makeRecord(call, FACTS);
    await filling.stop();
    served = await serve(settings);
  });
  after(async () => {
    await served?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, { token }: typeof large, headers: Readonly<Record<string, string>> = {}) =>
    fetch(path.startsWith('http') ? path : `${served.url}/fhir/${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  /** How many times a mark occurs in a body of any length. */
  const countIn = async ({ body, status }: Response, mark: string): Promise<number> => {
    expect(status).to.equal(200);
    let [count, rest] = [0, ''];
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      const parts = (rest + Buffer.from(chunk).toString('latin1')).split(mark);
      count += parts.length - 1;
      rest = parts.at(-1)!.slice(-mark.length);
    }
    return count;
  };
  const memory = (): number => highestMemoryOf(served.process.pid!);
  const report = (what: string, few: number, many: number): void => {
    process.stdout.write(
      `peak of the process, ${what}: ${Math.round(few)} MB for ${FEW} facts, ${Math.round(many)} MB for ${FACTS}\n`,
    );
    expect(many - few).to.be.below(MORE_MEGABYTES);
  };
  const PROCEDURE = '"resourceType":"Procedure"';

  it(`goes out as one Bundle within ${HEAP_MEGABYTES} MB of heap`, async () => {
    const everything = async (record: typeof large): Promise<number> =>
      countIn(await get(`Patient/${record.id}/$everything`, record), PROCEDURE);
    expect(await everything(small)).to.equal(FEW);
    const few = memory();
    expect(await everything(large)).to.equal(FACTS);
    report('$everything', few, memory());
  });

  it('and as files, which are written and fetched', async () => {
    const exported = async (record: typeof large): Promise<number> => {
      const begun = await get(`Patient/${record.id}/$export`, record, { prefer: 'respond-async' });
      expect(begun.status).to.equal(202);
      const status = begun.headers.get('content-location')!;
      let state = await get(status, record);
      while (state.status === 202) {
        await setTimeout(200);
        state = await get(status, record);
      }
      const { output } = (await state.json()) as { output: readonly { type: string; url: string }[] };
      const { url } = output.find(({ type }) => type === 'Procedure')!;
      return countIn(await get(url, record), PROCEDURE);
    };
    expect(await exported(small)).to.equal(FEW);
    const few = memory();
    expect(await exported(large)).to.equal(FACTS);
    report('$export', few, memory());
  });
});

/**
 * reprocess: `svc reprocess` runs documents of all formats again while a server answers, and no report shows a gap or a
 * duplicate.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import type { Database } from '../../core/db/database';
import { openDatabase } from '../../core/db/open';
import { httpClient, type Client, type Credentials } from '../support/client';
import { databases } from '../support/databases';
import { medications } from '../support/server';
import { command, environment, serve, svc, type Served } from '../support/svc';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const DOCUMENTS = Number(process.env['REPROCESS_DOCUMENTS'] ?? 200);
const MEASURED = process.env['REPROCESS_DOCUMENTS'] !== undefined;
const RECORDS = 4;
const AT_ONCE = 8;
const PAGE = 200;
const PAUSE = 20;

const say = (text: string): void => {
  if (MEASURED) {
    process.stdout.write(`\n${text}\n`);
  }
};
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
const describeTimes = (times: readonly number[]): string => {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted.length} answered, p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms, slowest ${percentile(sorted, 1)} ms`;
};

/** Every sample of every bundled format except demographics, which belong to a record and make no facts. */
const samples = readdirSync(inProject('pipeline-config'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['common', 'demographics'].includes(entry.name))
  .flatMap(({ name }) =>
    readdirSync(inProject('pipeline-config', name))
      .filter((file) => /^sample.*\.xml$/.test(file))
      .map((file) =>
        readFileSync(inProject('pipeline-config', name, file), 'utf8').replaceAll(
          '{vocab_base}',
          'https://svc.example/vocab',
        ),
      ),
  );

/** A report, with all its pages in either order, that is read while its facts are made anew. */
type Look = { readonly who: Credentials; readonly path: string };

/**
 * Removes what differs each time: the ids that a report makes for itself and the time of the request. The rest must
 * stay the same.
 */
const stable = (text: string): string =>
  text
    .replace(/<CCRDocumentObjectID>[^<]*/g, '')
    .replace(/<Value>\d\d\/\d\d\/\d\d<\/Value>/, '')
    .replace(/<ExactDateTime>\d{4}-\d\d-\d\dT[\d:.]+Z<\/ExactDateTime>/, '');

for (const leg of databases) {
  describe(`svc reprocess on ${DOCUMENTS} documents of ${samples.length} kinds, on ${leg.name}`, () => {
    let folder: string;
    let settings: Record<string, string>;
    let drop: () => Promise<void>;
    let served: Served;
    let database: Database;
    let call: Client;
    let looks: readonly Look[] = [];
    let cheap: Look;
    let first: ReadonlyMap<Look, string>;

    const ask = async ({ who, path }: Look): Promise<string> => {
      try {
        // A connection of its own: the server may close an idle one at any time, and that would look like a failed
        // request.
        return stable(succeeded(await call(who, 'GET', path, { headers: { connection: 'close' } })).text);
      } catch (error) {
        const { message, cause } = error as Error;
        throw new Error(
          `${path}: ${message} ${String(cause ?? '')}, the server ` +
            `${served.process.exitCode === null ? 'lives' : 'is gone'}: ${served.stderr().slice(-1000)}`,
          { cause: error },
        );
      }
    };
    const remaining = async (old: readonly string[]): Promise<number> =>
      Number(
        (
          (await direct(database)('document').whereIn('fingerprint', old).count({ count: '*' }).first()) as {
            count: number;
          }
        ).count,
      );
    const fingerprints = async (): Promise<readonly string[]> =>
      (await direct(database)('document').whereNotNull('fingerprint').distinct().pluck('fingerprint')) as string[];

    /** Changes the text of every stylesheet and reloads the server. From then on all documents are out of date. */
    const changeFormats = async (text: string): Promise<void> => {
      for (const name of readdirSync(join(folder, 'formats'))) {
        const file = join(folder, 'formats', name, 'transform.xsl');
        if (existsSync(file)) {
          appendFileSync(file, `<!-- ${text} -->\n`);
        }
      }
      const line = 'the configuration was read again';
      const before = served.stderr().split(line).length;
      served.process.kill('SIGHUP');
      for (let round = 0; served.stderr().split(line).length === before; round += 1) {
        expect(round).to.be.below(600);
        await pause(50);
      }
    };

    /**
     * Reads reports without end, and one cheap document list. It returns a function that stops the reading and resolves
     * to the result.
     */
    const startReading = (): (() => Promise<{ readonly looked: number; readonly times: readonly number[] }>) => {
      let going = true;
      let looked = 0;
      const times: number[] = [];
      const lookers = [0, 1].map(async (one) => {
        for (let at = one; going; at = (at + 1) % looks.length) {
          const look = looks[at]!;
          expect((await ask(look)) === first.get(look), `${look.path} says something else than before`).to.be.true();
          looked += 1;
        }
      });
      const knocking = (async () => {
        while (going) {
          const began = performance.now();
          await ask(cheap);
          times.push(performance.now() - began);
          await pause(PAUSE);
        }
      })();
      const all = Promise.all([...lookers, knocking]);
      // A failure is reported when the reading is stopped; before that nothing awaits it.
      all.catch(() => {
        going = false;
      });
      return async () => {
        going = false;
        await all;
        return { looked, times };
      };
    };

    /** The demographics of each record are a document, too. */
    const ALL = DOCUMENTS + RECORDS;
    const startReprocess = (): ChildProcess =>
      spawn(inProject('bin', 'svc'), ['reprocess'], { env: environment(settings), stdio: 'ignore' });

    before(async () => {
      const created = await leg.create();
      drop = created.drop;
      folder = mkdtempSync(join(tmpdir(), 'svc-reprocess-'));
      cpSync(inProject('pipeline-config'), join(folder, 'formats'), { recursive: true });
      settings = {
        SVC_DATABASE_URL: created.url,
        SVC_LOG_LEVEL: 'info',
        SVC_PIPELINE_CONFIG_DIR: join(folder, 'formats'),
        SVC_MAIL_DIR: join(folder, 'mail'),
      };
      served = await serve(settings);
      call = httpClient(served.url);
      database = await openDatabase(created.url, 1);
      await createAccount(call, 'alice@example.org');
      await createAccount(call, 'carol@example.org');
      const alice = await signIn(call, 'alice@example.org');
      const records: { readonly id: string; readonly app: Credentials }[] = [];
      for (let number = 0; number < RECORDS; number += 1) {
        const id = await createRecord(call, 'alice@example.org');
        records.push({ id, app: await authorizeApp(call, medications!, alice, { record_id: id }) });
      }
      let next = 0;
      const began = performance.now();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let number = next; number < DOCUMENTS; number = next) {
            next += 1;
            const { id, app } = records[number % RECORDS]!;
            succeeded(
              await call(app, 'POST', `/records/${id}/documents/`, {
                body: samples[Math.floor(number / RECORDS) % samples.length]!,
              }),
            );
          }
        }),
      );
      say(
        `${leg.name}: ${DOCUMENTS} documents posted, ${((DOCUMENTS / (performance.now() - began)) * 1000).toFixed(0)} a second`,
      );
      const { id, app } = records[0]!;
      const carenet = attribute(succeeded(await call(alice, 'GET', `/records/${id}/carenets/`)).text, 'Carenet', 'id');
      succeeded(
        await call(alice, 'POST', `/carenets/${carenet}/accounts/`, {
          form: { account_id: 'carol@example.org', write: 'false' },
        }),
      );
      for (const type of ['Procedure', 'Problem', 'VitalSigns']) {
        succeeded(
          await call(alice, 'POST', `/records/${id}/autoshare/carenets/${carenet}/bytype/set`, { form: { type } }),
        );
      }
      const carol = await signIn(call, 'carol@example.org');
      const pages = (path: string): readonly string[] =>
        Array.from(
          { length: Math.ceil((DOCUMENTS * 2) / RECORDS / PAGE) },
          (_, page) => `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&offset=${page * PAGE}`,
        );
      const models = [
        'Allergy',
        'AllergyExclusion',
        'Encounter',
        'Equipment',
        'Fill',
        'Immunization',
        'LabResult',
        'Measurement',
        'Medication',
        'Problem',
        'Procedure',
        'SimpleClinicalNote',
        'VitalSigns',
      ];
      looks = [
        ...records.flatMap((record) =>
          models.map((model) => ({
            who: record.app,
            path: `/records/${record.id}/reports/${model}/?aggregate_by=count*`,
          })),
        ),
        ...models.flatMap((model) => pages(`/records/${id}/reports/${model}/`).map((path) => ({ who: app, path }))),
        ...pages(`/records/${id}/reports/Procedure/?order_by=name`).map((path) => ({ who: app, path })),
        ...pages(`/records/${id}/reports/Problem/?order_by=-startDate&response_format=application/xml`).map((path) => ({
          who: app,
          path,
        })),
        ...['problems', 'vitals', 'medications', 'measurements/HBA1C'].flatMap((report) =>
          pages(`/records/${id}/reports/minimal/${report}/`).map((path) => ({ who: app, path })),
        ),
        ...['Procedure', 'Problem', 'VitalSigns'].flatMap((model) =>
          pages(`/carenets/${carenet}/reports/${model}/`).map((path) => ({ who: carol, path })),
        ),
        { who: app, path: `/records/${id}/reports/experimental/ccr` },
        { who: app, path: `/records/${id}/problems/` },
      ];
      cheap = { who: app, path: `/records/${id}/documents/?limit=1` };
      first = new Map(await Promise.all([...looks].map(async (look) => [look, await ask(look)] as const)));
    });
    after(async () => {
      await database.close();
      await served.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('changes no report and holds up no request while it runs', async () => {
      const quiet = startReading();
      await pause(MEASURED ? 10_000 : 300);
      say(`${leg.name}, without reprocessing: ${describeTimes((await quiet()).times)}`);
      await changeFormats('one');
      const stop = startReading();
      const began = performance.now();
      const ran = await svc(['reprocess'], settings);
      const seconds = (performance.now() - began) / 1000;
      const { looked, times } = await stop();
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.equal(`${ALL} documents brought up to date, 0 refused\n`);
      expect(looked).to.be.above(10);
      say(
        `${leg.name}: ${ALL} documents in ${seconds.toFixed(1)} s, ${(ALL / seconds).toFixed(0)} a second; ` +
          `${looked} reports read meanwhile, all as before; the document list: ${describeTimes(times)}`,
      );
      expect((await command(['reprocess'], settings)).stdout).to.contain('0 documents');
    });

    it('goes on where it was killed', async () => {
      const old = await fingerprints();
      expect(await remaining(old)).to.equal(ALL);
      await changeFormats('two');
      const stop = startReading();
      const child = startReprocess();
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      while ((await remaining(old)) > ALL / 2) {
        expect(child.exitCode).to.be.null();
        await pause(10);
      }
      child.kill('SIGKILL');
      await ended;
      // The database may still commit what was sent to it before.
      await pause(200);
      const left = await remaining(old);
      expect(left).to.be.above(0).and.to.be.below(ALL);
      const ran = await svc(['reprocess'], settings);
      const { looked } = await stop();
      expect(ran.stdout).to.equal(`${left} documents brought up to date, 0 refused\n`);
      say(
        `${leg.name}: killed with ${left} of ${ALL} documents left; the second run brought these up to date; ` +
          `${looked} reports read meanwhile, all as before`,
      );
      for (const look of looks) {
        expect((await ask(look)) === first.get(look), look.path).to.be.true();
      }
    });
  });
}

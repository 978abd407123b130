/**
 * round-trip: a record is exported from one installation and imported into another with everything that belongs to it;
 * broken archives are refused.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { exportRecord } from '../../../core/archive/export';
import { importRecord, type Imported } from '../../../core/archive/import';
import { undoImport } from '../../../core/archive/unfinished';
import { linesOf as readLines } from '../../../core/base/lines';
import { inProject } from '../../../core/base/paths';
import { operatorName } from '../../../core/audit/operator';
import { verifyAudit } from '../../../core/audit/verify';
import { factTables } from '../../../core/facts/model/fact-tables';
import { sha256 } from '../../../core/base/ids';
import { reprocess } from '../../../core/pipeline/reprocess';
import { forgetRecord } from '../../../core/records/forget';
import { insertRows } from '../../../core/db/insert-rows';
import { closeRecord } from '../../../core/records/erasure-store';
import { referredStatement } from '../../../core/facts/store';
import type { Credentials } from '../../support/client';
import { databases, type DatabaseLeg } from '../../support/databases';
import { admin, medications, startService, ui, type TestService } from '../../support/server';
import {
  attribute,
  authorizeApp,
  createAccount,
  createRecord,
  makeWorld,
  signIn,
  succeeded,
  type World,
} from '../../support/world';
import {
  filesOf,
  fillRecord,
  NS,
  procedure,
  quiet,
  readArchive,
  rewriteArchive,
  toolsOf,
  writeArchive,
} from '../../support/archives';
import { direct } from '../../support/direct';
import * as accountStore from '../../../core/accounts/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const isRow = (name: string): boolean => name.endsWith('.jsonl');
const linesOf = (text: string | undefined): Record<string, unknown>[] =>
  (text ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/**
 * Leaves out the columns of the audit log's chains, which differ by writer, and the marks of an import. They are no
 * part of what happened.
 */
const happened = (text: string | undefined) =>
  linesOf(text).map(({ writer_id: _w, writer_seq: _s, hash: _h, imported_by: _b, imported_at: _a, ...row }) => row);

/** Leaves out the marks of imported rows, which these rows keep in every later export. */
const unmarked = (text: string | undefined): string =>
  (text ?? '').replace(/,"imported_by":(?:"[^"]*"|null),"imported_at":(?:"[^"]*"|null)/g, '');

const legs: readonly (readonly [DatabaseLeg, DatabaseLeg])[] = databases.flatMap((from) =>
  databases.filter((to) => databases.length === 1 || to !== from).map((to) => [from, to] as const),
);

for (const [from, to] of legs) {
  describe(`a record from ${from.name} to ${to.name}`, () => {
    let folder: string;
    let here: TestService;
    let there: TestService;
    let world: World;
    let archive: string;
    let original: Map<string, string>;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
      archive = join(folder, 'record.tar.gz');
      [here, there] = [await startService(from), await startService(to)];
      world = await makeWorld(here);
      await createAccount(here.call, 'carol@example.org', 'Carol Lee');
      await fillRecord(here, world);
      await writeArchive(here, world.recordId, archive);
      original = await filesOf(archive);
    });
    after(async () => {
      await here.stop();
      await there.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const countEverything = async ({
      services: { database, models },
    }: TestService): Promise<Record<string, number>> => {
      const counts: Record<string, number> = {};
      for (const table of [
        'principal',
        'record',
        'document',
        'document_lineage',
        'document_status',
        'record_message',
        'message',
        'notification',
        'carenet',
        ...[...factTables(models()).values()].map((plan) => plan.table),
      ]) {
        counts[table] = Number(((await direct(database)(table).count({ n: '*' }).first()) as { n: number }).n);
      }
      // The service writes other rows of this table from time to time.
      const marks = direct(database)('installation').where('name', 'like', 'import:%');
      counts['unfinished imports'] = Number(((await marks.count({ n: '*' }).first()) as { n: number }).n);
      return counts;
    };

    it('holds every document byte for byte, and rows of every kind', async () => {
      for (const line of linesOf(original.get('documents.jsonl'))) {
        const content = Buffer.from(original.get(String(line['file'])) ?? '', 'latin1');
        const { bytes } = succeeded(
          await here.call(world.alice, 'GET', `/records/${world.recordId}/documents/${String(line['id'])}`),
        );
        expect(content.equals(bytes)).to.be.true();
        expect(sha256(content)).to.equal(String(line['digest']));
      }
      expect(linesOf(original.get('documents.jsonl')).length).to.equal(9);
      const empty = [...original].filter(([name, text]) => isRow(name) && text === '').map(([name]) => name);
      expect(empty.filter((name) => !name.startsWith('facts/'))).to.equal([]);
      expect(linesOf(original.get('facts/Fill.jsonl')).length).to.equal(2);
      expect(linesOf(original.get('facts/Problem.jsonl'))[0]).to.include({ partial_dates: { startDate: 'month' } });
      const lines = original.get('index.html')?.split('\n') ?? [];
      expect(lines).to.include('<h1>Ann Lee</h1>');
      expect(
        lines
          .filter((line) => line.includes('>From the hospital</a></td><td>Procedure</td>'))
          .map((line) => line.replace(/.*<td>(.*)<\/td><\/tr>/, '$1')),
      ).to.equal(['latest', 'replaced']);
      expect(lines.find((line) => line.includes('>Note</a></td>'))).to.match(
        /href="documents\/[^"]*\.xml\.txt".*<td>latest, archived<\/td><\/tr>$/,
      );
      expect(lines.find((line) => line.includes('<td>Procedure</td>'))).to.match(/href="documents\/[^".]*\.xml"/);
    });

    it('has a manifest that sha256sum reads', () => {
      const lines = original.get('manifest.sha256')!.trim().split('\n');
      expect(lines.length).to.equal(original.size - 1);
      for (const line of lines) {
        expect(sha256(Buffer.from(original.get(line.slice(66))!, 'latin1'))).to.equal(line.slice(0, 64));
      }
    });

    it('comes out of the other installation as it went in, apart from times of the export and the note of the import', async () => {
      const imported = await readArchive(there, archive);
      expect(imported).to.include({ recordId: world.recordId, newIds: false, documents: 9, leftOut: [] });
      expect([...imported.newAccounts]).to.equal(['alice@example.org', 'bob@example.org', 'carol@example.org']);
      const again = join(folder, 'again.tar.gz');
      await writeArchive(there, world.recordId, again);
      const copy = await filesOf(again);
      expect([...copy.keys()]).to.equal([...original.keys()]);
      for (const [name, text] of original) {
        if (!['record.json', 'index.html', 'manifest.sha256', 'audits.jsonl'].includes(name)) {
          // Documents of FHIR are to be read anew, which makes the resources that go out as they came.
          const told = (lines: string | undefined): string | undefined =>
            unmarked(lines)?.replace(/("entry":"fhir-bundle","fingerprint":)(?:null|"[0-9a-f]+")/g, '$1null');
          expect(told(copy.get(name)), name).to.equal(told(text));
        }
      }
      const { exported_at: _a, ...opening } = JSON.parse(original.get('record.json')!) as Record<string, unknown>;
      expect(JSON.parse(copy.get('record.json')!)).to.include(opening);
      const audits = happened(copy.get('audits.jsonl'));
      expect(audits.slice(0, -1)).to.equal(happened(original.get('audits.jsonl')));
      expect(audits.at(-1)).to.include({ function_name: 'record_import', record_id: world.recordId });
    });

    it('is used there like any other record, once its owner can sign in', async () => {
      const { call, services } = there;
      expect(await accountStore.findAccount(direct(services.database), 'alice@example.org')).to.include({
        state: 'uninitialized',
        primarySecret: null,
        authSystems: [],
      });
      succeeded(
        await call(admin, 'POST', `/accounts/${encodeURIComponent('alice@example.org')}/authsystems/`, {
          form: { system: 'password', username: 'alice', password: 'correct horse battery' },
        }),
      );
      await accountStore.updateAccount(direct(services.database), 'alice@example.org', { state: 'active' });
      const report = succeeded(await call(admin, 'GET', `/records/${world.recordId}`));
      expect(attribute(report.text, 'Record', 'label')).to.equal('Ann Lee');
    });

    it('says of calls and messages that it brought in who did so, and never that they were seen here', async () => {
      const { call, services } = there;
      const session = succeeded(
        await call(ui, 'POST', '/oauth/internal/session_create', {
          form: { username: 'alice', password: 'correct horse battery' },
        }),
      ).text;
      const pairs = new URLSearchParams(session);
      const alice: Credentials = {
        consumer: ui!.consumer,
        token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
      };
      const audits = `/records/${world.recordId}/audits/query/?function_name=`;
      const told = new RegExp(`<Imported imported_by="${operatorName()}" imported_at="20[^"]*Z"/>`);
      const { text: brought } = succeeded(await call(alice, 'GET', `${audits}document_create`));
      expect(brought.match(/<AuditEntry>/g)!.length).to.equal(brought.match(new RegExp(told, 'g'))!.length);
      const { text: own } = succeeded(await call(alice, 'GET', `${audits}record_import`));
      expect(own).to.contain(`req_domain="${operatorName()}"`).and.to.not.contain('<Imported');
      const { text: inbox } = succeeded(await call(alice, 'GET', '/accounts/alice%40example.org/inbox/'));
      expect(inbox).to.match(/<imported imported_by="[^"]+@[^"]*" imported_at="20[^"]*Z"\/>/);
      const report = await verifyAudit(await toolsOf(there));
      expect(report.imported).to.equal(linesOf(original.get('audits.jsonl')).length);
      // The hash covers the mark: without it the row is no longer what was written.
      const rows = () => direct(services.database)('audit').where({ function_name: 'document_create' });
      const marks = (await rows().first('imported_by', 'imported_at')) as Record<string, string>;
      await rows().update({ imported_by: null, imported_at: null });
      expect((await verifyAudit(await toolsOf(there))).problems.length).to.be.above(0);
      await rows().update(marks);
      expect((await verifyAudit(await toolsOf(there))).problems).to.equal([]);
    });

    it('keeps both audit logs whole', async () => {
      for (const service of [here, there]) {
        await service.services.audit.drain();
        expect((await verifyAudit(await toolsOf(service))).problems).to.equal([]);
      }
    });

    it('gets new ids where its own are taken, the same ones wherever a row is named', async () => {
      const twin = await readArchive(there, archive);
      expect(twin.newIds).to.be.true();
      expect(twin.recordId).to.not.equal(world.recordId);
      expect(twin.recordId.slice(0, 13)).to.equal(world.recordId.slice(0, 13));
      const file = join(folder, 'twin.tar.gz');
      await writeArchive(there, twin.recordId, file);
      const copy = await filesOf(file);
      const documents = linesOf(copy.get('documents.jsonl'));
      const before = linesOf(original.get('documents.jsonl'));
      expect(documents.map(({ digest }) => digest)).to.equal(before.map(({ digest }) => digest));
      expect(documents.some(({ id }) => before.some((other) => other['id'] === id))).to.be.false();
      const ids = new Set(documents.map(({ id }) => id));
      for (const [name, column] of [
        ['lineages.jsonl', 'latest_id'],
        ['status-history.jsonl', 'lineage_id'],
        ['relations.jsonl', 'object_lineage_id'],
        ['placements.jsonl', 'lineage_id'],
        ['facts/Procedure.jsonl', 'document_id'],
        ['notifications.jsonl', 'document_id'],
      ] as const) {
        expect(
          linesOf(copy.get(name)).filter((line) => !ids.has(line[column])),
          name,
        ).to.equal([]);
        expect(linesOf(copy.get(name)).length, name).to.equal(linesOf(original.get(name)).length);
      }
      const fills = linesOf(copy.get('facts/Fill.jsonl'));
      expect(new Set(fills.map((fill) => fill['parent_id']))).to.equal(
        new Set(linesOf(copy.get('facts/Medication.jsonl')).map(({ id }) => id)),
      );
      const told = linesOf(original.get('facts/Fill.jsonl')).map((fill) => fill['statement_id']);
      const statements = fills.map((fill) => fill['statement_id']);
      expect(new Set(statements).size).to.equal(new Set(told).size).and.to.equal(fills.length);
      expect(statements.some((id) => told.includes(id))).to.be.false();
    });

    it('leads from a panel to its results under new ids, too, however often', async () => {
      const alice = await signIn(here.call, 'alice@example.org');
      const recordId = await createRecord(here.call, 'alice@example.org', 'Panel', 'Lee');
      const body = readFileSync(inProject('pipeline-config/ccda/sample-clinic-summary.xml'), 'utf8');
      succeeded(await here.call(alice, 'POST', `/records/${recordId}/documents/`, { body }));
      const knex = direct(here.services.database);
      const rows = (model: string, record: string): Promise<readonly Record<string, string>[]> =>
        knex(`fact_${model}`).where({ _record_id: record }).select('*') as never;
      const statements = async (record: string): Promise<readonly string[]> =>
        (await rows('labresult', record)).map((row) => row['_statement']!).sort();
      const named = async (record: string): Promise<readonly string[]> =>
        (await rows('labpanelresult', record))
          .map((row) => referredStatement(row['_lineage_id']!, row['result']!)!.id)
          .sort();
      expect(await named(recordId))
        .to.equal(await statements(recordId))
        .and.to.have.length(3);
      const seen = new Set(await statements(recordId));
      let from = recordId;
      for (const round of [1, 2]) {
        const file = join(folder, `panels-${round}.tar.gz`);
        await writeArchive(here, from, file);
        const twin = await readArchive(here, file);
        expect(twin.newIds).to.be.true();
        expect(await named(twin.recordId)).to.equal(await statements(twin.recordId));
        (await statements(twin.recordId)).forEach((id) => seen.add(id));
        from = twin.recordId;
      }
      expect(seen.size).to.equal(9);
    });

    it('is read without the files that earlier releases did not write', async () => {
      const earlier = join(folder, 'earlier.tar.gz');
      await rewriteArchive(archive, earlier, folder, (name, text) => (name.startsWith('sent-') ? undefined : text));
      expect([...(await filesOf(earlier)).keys()].filter((name) => name.startsWith('sent-'))).to.equal([]);
      expect((await readArchive(here, earlier)).documents).to.equal(9);
    });

    it("shows the operator's export in the audits of the record", async () => {
      const row = await direct(here.services.database)('audit')
        .where({ record_id: world.recordId, function_name: 'record_export' })
        .first();
      expect(row).to.include({ successful: 1, principal_id: null });
    });

    const broken: readonly { readonly name: string; readonly make: (tar: Buffer) => Buffer; readonly says: RegExp }[] =
      [
        {
          name: 'a byte of a document was changed',
          make: (tar) => {
            const copy = Buffer.from(tar);
            copy[copy.indexOf('Colonoscopy')] = 0x42;
            return gzipSync(copy);
          },
          says: /1 of \d+ files differ/,
        },
        {
          name: 'its end is missing',
          make: (tar) => gzipSync(tar.subarray(0, tar.length >> 1)),
          says: /no manifest|not a whole archive/,
        },
        {
          name: 'the compressed file is cut off',
          make: (tar) => gzipSync(tar).subarray(0, 5000),
          says: /no manifest|not a whole archive/,
        },
        { name: 'it is no archive', make: () => Buffer.from('I am a text'), says: /not a whole archive/ },
        { name: 'it is empty', make: () => Buffer.alloc(0), says: /not a whole archive/ },
        {
          name: 'a file lies outside its folder',
          make: (tar) => {
            const copy = Buffer.from(tar);
            return gzipSync(renamed(copy, '../evil.json'));
          },
          says: /never writes/,
        },
      ];
    for (const { name, make, says } of broken) {
      it(`is refused when ${name}, and leaves nothing`, async () => {
        const scratch = (): readonly string[] =>
          readdirSync(tmpdir()).filter((entry) => entry.startsWith('svc-import-'));
        // Another import on this machine may be running, or may have been killed.
        const others = scratch();
        const counts = await countEverything(there);
        const file = join(folder, `${name}.tar.gz`);
        writeFileSync(file, make(gunzipSync(readFileSync(archive))));
        const error = await readArchive(there, file).then(
          () => undefined,
          (failure: Error) => failure,
        );
        expect(error?.name).to.equal('SetupError');
        expect(error?.message).to.match(says);
        expect(await countEverything(there)).to.equal(counts);
        expect(scratch().filter((entry) => !others.includes(entry))).to.equal([]);
      });
    }

    it('is refused when the digests fit but a line of documents.jsonl lies, and leaves nothing', async () => {
      const file = join(folder, 'liar.tar.gz');
      await rewriteArchive(archive, file, folder, (name, text) =>
        name === 'documents.jsonl' ? text.replace(/"digest":"[0-9a-f]{64}"/, `"digest":"${'0'.repeat(64)}"`) : text,
      );
      const counts = await countEverything(there);
      const error = await readArchive(there, file).then(
        () => undefined,
        (failure: Error) => failure,
      );
      expect(error?.message).to.match(/does not have the digest/);
      expect(await countEverything(there)).to.equal(counts);
    });

    for (const name of ['audits.jsonl', 'inboxes.jsonl']) {
      it(`is refused when ${name} has a row of another record, and leaves nothing`, async () => {
        const file = join(folder, `foreign-${name}.tar.gz`);
        await rewriteArchive(archive, file, folder, (one, text) =>
          one === name
            ? text.replace(/"record_id":"[^"]*"/, '"record_id":"01900000-0000-7000-8000-00000000000f"')
            : text,
        );
        const counts = await countEverything(there);
        await expect(readArchive(there, file)).to.reject(
          `the archive's ${name} has a row of another record: nothing was imported`,
        );
        expect(await countEverything(there)).to.equal(counts);
      });
    }

    it('is refused when one of its people is an app here', async () => {
      const file = join(folder, 'stranger.tar.gz');
      await rewriteArchive(archive, file, folder, (name, text) =>
        name === 'principals.jsonl'
          ? text.replace('"bob@example.org","kind":"account"', '"connector@apps.svc.example","kind":"account"')
          : text,
      );
      const error = await readArchive(there, file).then(
        () => undefined,
        (failure: Error) => failure,
      );
      expect(error?.message).to.match(/connector@apps.svc.example is an account in the archive and an app here/);
    });

    it('leaves no trace when it breaks in the middle, and what a dead import left goes with the next one', async () => {
      const counts = await countEverything(there);
      const tools = await toolsOf(there);
      let stored = 0;
      await importRecord(tools, archive, {
        ...quiet,
        stored: () => {
          stored += 1;
          if (stored === 3) {
            throw new Error('pulled the plug');
          }
        },
      }).catch(() => undefined);
      expect(await countEverything(there)).to.equal(counts);
      const dead = '01999999-0000-7000-8000-000000000001';
      const knex = direct(there.services.database);
      await knex('installation').insert({
        name: `import:${dead}`,
        content: '{}',
        changed_at: '2020-01-01T00:00:00.000000Z',
      });
      await knex('document_lineage').insert({
        id: dead,
        record_id: dead,
        type: 'x',
        latest_id: dead,
        latest_created_at: 'x',
        status: 'active',
        nevershare: 0,
        created_at: 'x',
      });
      await knex('document').insert({
        id: dead,
        record_id: dead,
        lineage_id: dead,
        type: 'x',
        media_type: 'x',
        size: 0,
        digest: 'x',
        creator_id: 'x',
        created_at: 'x',
        content: Buffer.alloc(0),
      });
      // The import died before the lineages were written.
      const alone = '01999999-0000-7000-8000-000000000002';
      await knex('document').insert({
        id: alone,
        record_id: dead,
        lineage_id: alone,
        type: 'x',
        media_type: 'x',
        size: 0,
        digest: 'x',
        creator_id: 'x',
        created_at: 'x',
        content: Buffer.alloc(0),
      });
      await knex('carenet_preference').insert({ carenet_id: dead, lineage_id: dead, shared: 1, changed_at: 'x' });
      await knex('app_document').insert({
        id: dead,
        app_id: 'x',
        scope: dead,
        type: null,
        media_type: 'x',
        size: 0,
        digest: 'x',
        status: 'active',
        creator_id: 'x',
        created_at: 'x',
        updated_at: 'x',
        content: Buffer.alloc(0),
      });
      // More facts than one batch deletes.
      const { _seq: _own, ...fact } = (await knex('fact_procedure').first()) as Record<string, unknown>;
      await there.services.database.transaction((trx) =>
        insertRows(
          trx,
          'fact_procedure',
          Object.keys(fact),
          Array.from({ length: 1200 }, (_, number) => ({
            ...fact,
            _id: `${dead.slice(0, 24)}${100_000 + number}`,
            _record_id: dead,
          })),
        ),
      );
      await readArchive(there, join(folder, 'nothing.tar.gz')).catch(() => undefined);
      expect(await countEverything(there)).to.equal(counts);
      expect([
        await knex('carenet_preference').where({ lineage_id: dead }),
        await knex('app_document').where({ scope: dead }),
      ]).to.equal([[], []]);
    });

    it('is never undone once the record is there', async () => {
      const counts = await countEverything(there);
      await undoImport(await toolsOf(there), world.recordId);
      expect(await countEverything(there)).to.equal(counts);
    });

    it('is not undone either while the record is being forgotten, which then removes it', async () => {
      const tools = await toolsOf(there);
      const { recordId } = await readArchive(there, archive);
      await there.services.database.transaction((trx) => closeRecord(trx, recordId));
      const counts = await countEverything(there);
      await undoImport(tools, recordId);
      expect(await countEverything(there)).to.equal(counts);
      expect((await forgetRecord(tools, recordId)) ?? 0).to.be.above(0);
    });

    it('leaves no file open that was read in part', { skip: process.platform !== 'linux' }, async () => {
      const file = join(folder, 'lines');
      writeFileSync(file, 'a line\n'.repeat(200_000));
      const openNow = (): number =>
        readdirSync('/proc/self/fd').filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`) === file;
          } catch {
            return false;
          }
        }).length;
      const allClosed = async (): Promise<void> => {
        for (let round = 0; openNow() > 0; round += 1) {
          expect(round).to.be.below(100);
          await new Promise((resolve) => {
            setTimeout(resolve, 10);
          });
        }
      };
      for await (const line of readLines(file)) {
        expect(line).to.equal('a line');
        expect(openNow()).to.equal(1);
        break;
      }
      await allClosed();
      const lines = readLines(file);
      await lines.next();
      expect(openNow()).to.equal(1);
      await lines.return(undefined);
      await allClosed();
      let count = 0;
      for await (const _line of readLines(file)) {
        count += 1;
      }
      expect(count).to.equal(200_000);
      await allClosed();
    });

    it('is not written over a file that is there, nor made for a record that is not', async () => {
      for (const [record, file, says] of [
        [world.recordId, archive, /is there already/],
        ['01999999-0000-7000-8000-000000000009', join(folder, 'none.tar.gz'), /there is no record/],
      ] as const) {
        const error = await writeArchive(here, record, file).then(
          () => undefined,
          (failure: Error) => failure,
        );
        expect(error?.message).to.match(says);
      }
      expect(existsSync(join(folder, 'none.tar.gz'))).to.be.false();
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).to.equal([]);
    });

    it('leaves facts of models out that are unknown where it is written or read, and lets reprocess make them again', async () => {
      const recordId = await createRecord(here.call, 'alice@example.org', 'Model', 'Less');
      const app: Credentials = await authorizeApp(here.call, medications!, world.alice, { record_id: recordId });
      succeeded(await here.call(app, 'POST', `/records/${recordId}/documents/`, { body: procedure('Left out') }));
      const without = async (service: TestService) => {
        const tools = await toolsOf(service);
        return { ...tools, tables: new Map([...tools.tables].filter(([model]) => model !== 'Procedure')) };
      };
      // An earlier import may have used the ids of the archive.
      const dueThere = async ({ recordId: record_id }: Imported): Promise<boolean> =>
        (
          (await direct(there.services.database)('document')
            .where({ record_id, type: `${NS}Procedure` })
            .first('fingerprint')) as { fingerprint: string | null }
        ).fingerprint === null;
      const forget = async ({ recordId: imported }: Imported): Promise<unknown> =>
        forgetRecord(await toolsOf(there), imported);

      const file = join(folder, 'without-here.tar.gz');
      const { leftOut } = await exportRecord(await without(here), recordId, file, quiet);
      expect(leftOut).to.equal([
        'facts of 1 documents in fact_procedure, whose model is not in SVC_DATAMODELS_DIR: svc reprocess makes them again where it is',
      ]);
      const poor = await readArchive(there, file);
      expect([poor.leftOut, await dueThere(poor)]).to.equal([[], true]);
      await forget(poor);

      const whole = join(folder, 'without-there.tar.gz');
      expect(((await writeArchive(here, recordId, whole)) as { leftOut: readonly string[] }).leftOut).to.equal([]);
      const imported = await importRecord(await without(there), whole, quiet);
      expect(imported.leftOut.filter((line) => line.includes('model'))).to.equal([
        'there is no data model Procedure here: facts of it were left out; svc reprocess makes them once there is',
      ]);
      expect(await dueThere(imported)).to.be.true();
      await reprocess(
        { ...(await toolsOf(there)), reader: there.services.reader },
        { recordId: imported.recordId },
        () => undefined,
      );
      expect(await dueThere(imported)).to.be.false();
      expect(
        (
          (await direct(there.services.database)('fact_procedure')
            .where({ _record_id: imported.recordId })
            .first('name')) as { name: string }
        ).name,
      ).to.equal('Left out');
      await forget(imported);
      const other = await toolsOf(there);
      const plan = other.tables.get('Procedure')!;
      const tables = new Map(other.tables).set('Procedure', {
        ...plan,
        columns: plan.columns.map((column) =>
          column.name === 'name' ? { ...column, kind: 'number' as const } : column,
        ),
      });
      const changed = await importRecord({ ...other, tables }, whole, quiet);
      expect(changed.leftOut.filter((line) => line.includes('model'))).to.equal([
        'the data model Procedure is another one here: facts that do not fit it were left out; svc reprocess makes them again',
      ]);
      expect(await dueThere(changed)).to.be.true();
      await forget(changed);
      expect(await dueThere(await readArchive(there, whole))).to.be.false();
    });

    it('shows one moment although documents arrive while it is written', async () => {
      const recordId = await createRecord(here.call, 'alice@example.org', 'Busy', 'Lee');
      const app: Credentials = await authorizeApp(here.call, medications!, world.alice, { record_id: recordId });
      let writing = true;
      const writer = (async () => {
        for (let number = 0; writing && number < 400; number += 1) {
          succeeded(
            await here.call(app, 'POST', `/records/${recordId}/documents/`, { body: procedure(`Number ${number}`) }),
          );
        }
      })();
      for (let round = 0; round < 5; round += 1) {
        const file = join(folder, `busy-${round}.tar.gz`);
        const { documents } = await writeArchive(here, recordId, file);
        const files = await filesOf(file);
        expect(linesOf(files.get('documents.jsonl')).length).to.equal(documents);
        expect(linesOf(files.get('lineages.jsonl')).length).to.equal(documents);
        // The demographics document has no fact.
        expect(linesOf(files.get('facts/Procedure.jsonl')).length).to.equal(documents - 1);
      }
      writing = false;
      await writer;
    });
  });
}

/** Renames the first file of a tar, and corrects the checksum of its header. */
function renamed(tar: Buffer, name: string): Buffer {
  tar.fill(0, 0, 100);
  tar.write(name, 0);
  tar.fill(0, 345, 500);
  tar.fill(0x20, 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return tar;
}

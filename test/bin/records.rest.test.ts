/**
 * records: an operator makes accounts with records, adds documents to them and changes accounts, without an HTTP
 * client.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { machineZone } from '../../core/base/time-zones';
import { openDatabase } from '../../core/db/open';
import { exportXml, inExport, phoneAt, zipOf } from '../support/apple-health';
import { httpClient, type Answer, type Client, type Credentials } from '../support/client';
import { databases } from '../support/databases';
import { admin, medications, ui } from '../support/server';
import { linkText, sealedFile, startGiver } from '../support/links-of-others';
import { command, environment, serve, type Ran } from '../support/svc';
import { demographics, succeeded } from '../support/world';
import { direct } from '../support/direct';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const jsonLines = <T>({ stdout, stderr }: Ran): readonly T[] => {
  expect(stdout, stderr).to.not.equal('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
};

const sample = (name: string): string => inProject('pipeline-config', 'procedure', name);

for (const leg of databases) {
  describe(`svc records, put, accounts and approve on ${leg.name}`, () => {
    let settings: Record<string, string>;
    let drop: () => Promise<void>;
    let folder: string;
    let ann: string;
    let password: string;
    let recordId: string;
    let other: string;

    before(async () => {
      const made = await leg.create();
      drop = made.drop;
      settings = { SVC_DATABASE_URL: made.url };
      folder = mkdtempSync(join(tmpdir(), 'svc-records-'));
      ann = join(folder, 'ann.xml');
      writeFileSync(ann, demographics('Ann', 'Lee'));
    });
    after(async () => {
      rmSync(folder, { recursive: true, force: true });
      await drop();
    });

    const rows = async (table: string): Promise<readonly Record<string, unknown>[]> => {
      const database = await openDatabase(settings['SVC_DATABASE_URL']!, 1);
      try {
        return (await direct(database)(table).select('*')) as Record<string, unknown>[];
      } finally {
        await database.close();
      }
    };

    it('accounts create --record makes both, on a database that was not there before', async () => {
      const args = ['accounts', 'create', 'Ann@people.example', '--name', 'Ann Lee', '--record', ann, '--json'];
      const [made] = jsonLines<{ id: string; password: string; record: string }>(await command(args, settings));
      expect(made!.id).to.equal('ann@people.example');
      ({ password, record: recordId } = made!);
      const [listed] = jsonLines(await command(['records', 'list', 'ann@people.example', '--json'], settings));
      expect(listed).to.include({ id: recordId, label: 'Ann Lee', kind: 'owned' });
    });

    it('accounts create --record makes neither when the document is refused or the id is taken', async () => {
      const refused = await command(
        ['accounts', 'create', 'bob@people.example', '--record', sample('sample-appendectomy.xml')],
        settings,
      );
      expect([refused.code, refused.stdout]).to.equal([1, '']);
      expect(refused.stderr).to.contain('it is not a demographics document');
      const taken = await command(['accounts', 'create', 'ann@people.example', '--record', ann], settings);
      expect(taken.stderr).to.contain('ann@people.example is in use already');
      expect((await rows('account')).length).to.equal(1);
      expect((await rows('record')).length).to.equal(1);
    });

    it('records create makes another one; an unknown owner, a file that is none and no owner are refused', async () => {
      const made = await command(['records', 'create', '--owner', 'ANN@people.example', ann], settings);
      expect(made.stdout, made.stderr).to.match(/^record \S+ {2}Ann Lee {2}owned by ann@people\.example\n$/);
      other = made.stdout.split(' ')[1]!;
      for (const [args, code, says] of [
        [['--owner', 'nobody@people.example', ann], 1, 'there is no account nobody@people.example'],
        [['--owner', 'ann@people.example', join(folder, 'nowhere.xml')], 1, 'nowhere.xml: there is no such file'],
        [['--owner', 'ann@people.example', sample('invalid-no-name.xml')], 1, 'invalid-no-name.xml: invalid_document'],
        [[ann], 2, '--owner'],
      ] as const) {
        const refused = await command(['records', 'create', ...args], settings);
        expect([refused.code, refused.stdout], refused.stderr).to.equal([code, '']);
        expect(refused.stderr).to.contain(says);
      }
      expect((await command(['records', 'list', 'nobody@people.example'], settings)).code).to.equal(1);
      expect((await rows('record')).length).to.equal(2);
    });

    it('put stores what it can, names what it cannot with its line, and ends with 1', async () => {
      const files = [sample('sample-appendectomy.xml'), sample('invalid-no-name.xml'), join(folder, 'none.xml')];
      const ran = await command(['put', recordId, ...files, sample('sample-colonoscopy.xml')], settings);
      expect(ran.code).to.equal(1);
      expect(ran.stdout.trim().split('\n').length).to.equal(2);
      expect(ran.stdout).to.match(/^\S+ {2}\S+#Procedure {2}1 Procedure {2}.*sample-appendectomy\.xml\n/);
      expect(ran.stderr).to.contain('line 5: element location: it is not expected here');
      expect(ran.stderr).to.contain('none.xml: there is no such file');
      expect(ran.stderr).to.contain('documents: 4 of 4').and.to.contain('2 of 4 files not stored');
      expect((await rows('document')).length).to.equal(4);
      expect((await rows('fact_procedure')).length).to.equal(2);
    });

    it('put refuses an unknown record, and says nothing of what is stored with --quiet', async () => {
      const unknown = await command(['put', 'no-such-record', sample('sample-appendectomy.xml')], settings);
      expect([unknown.code, unknown.stdout]).to.equal([1, '']);
      expect(unknown.stderr).to.contain('there is no record no-such-record');
      const quiet = await command(['put', recordId, '--quiet', sample('sample-name-only.xml')], settings);
      expect([quiet.code, quiet.stdout]).to.equal([0, '']);
    });

    it('put wraps a PDF in a document, and refuses what is neither XML nor a file that it knows', async () => {
      const pdf = join(folder, 'Letter of March.pdf');
      writeFileSync(pdf, '%PDF-1.4\n\xff');
      const zip = join(folder, 'things.zip');
      writeFileSync(zip, Buffer.from('504b030414000000', 'hex'));
      const ran = await command(['put', other, '--kind', 'Letter', '--date', '2025-03-02', pdf, zip], settings);
      expect(ran.code, ran.stderr).to.equal(1);
      expect(ran.stdout).to.match(/^\S+ {2}\S+#File {2}.*Letter of March\.pdf\n$/);
      expect(ran.stderr).to.contain('things.zip: invalid_document');
      const [fact] = await rows('fact_storedfile');
      expect(fact).to.include({
        title: 'Letter of March.pdf',
        kind: 'Letter',
        media_type: 'application/pdf',
      });
      const wrong = await command(['put', other, '--date', 'in March', pdf], settings);
      expect([wrong.code, wrong.stdout], wrong.stderr).to.equal([1, '']);
      expect(wrong.stderr).to.contain('invalid_document');
    });

    it('keeps what cannot be read as a file when it is told to', async () => {
      const broken = join(folder, 'broken.xml');
      writeFileSync(broken, '<a><b></a>');
      const refused = await command(['put', other, broken], settings);
      expect([refused.code, refused.stderr.includes('not well-formed')]).to.equal([1, true]);
      const archive = join(folder, 'portal.zip');
      writeFileSync(
        archive,
        zipOf([
          { name: 'broken.xml', bytes: '<c><d></c>' },
          { name: 'table.xlsx', bytes: 'PK\x03\x04' },
        ]),
      );
      const kept = await command(['put', other, '--as-file', broken, archive], settings);
      expect(kept.code, kept.stderr).to.equal(0);
      expect(kept.stdout.split('1 StoredFile')).to.have.length(4);
      // The website takes files of this size, too.
      const image = join(folder, 'scan.dcm');
      writeFileSync(image, Buffer.alloc(9_000_000, 0x81));
      const large = await command(['put', other, '--as-file', image], settings);
      expect([large.code, large.stdout.includes('1 StoredFile')], large.stderr).to.equal([0, true]);
      const empty = join(folder, 'nothing.xml');
      writeFileSync(empty, '');
      expect((await command(['put', other, '--as-file', empty], settings)).code).to.equal(1);
    });

    it('put takes a CSV in once, however often it is given, and says what it left out', async () => {
      const csv = inProject('pipeline-config', 'blood-pressure-csv', 'sample-week.csv');
      const first = await command(['put', other, csv], settings);
      expect(first.code, first.stderr).to.equal(0);
      expect(first.stdout).to.match(/#Models {2}4 VitalSigns {2}.*sample-week\.csv\n/);
      expect(first.stdout).to.contain('\nleft out  1 Rows: Systolic is no number');
      expect(first.stdout).to.contain('\ncheck     4 Dates: they can be read in two ways');
      expect(first.stdout).to.match(
        /^times are read as those of clocks in \S+ \(the time zone of this machine; --time-zone/,
      );
      const [zone, again] = jsonLines(await command(['put', other, csv, '--json'], settings));
      expect(zone).to.include({ time_zone: machineZone(), time_zone_from: 'machine' });
      expect(again).to.include({ document: first.stdout.split('\n')[1]!.split(' ')[0], there: true });
      expect((await rows('fact_vitalsigns')).length).to.equal(4);
      const labels = (await rows('document_lineage')).map(({ label }) => label);
      expect(labels.filter((label) => String(label).includes('rows'))).to.equal([]);
      const wrong = join(folder, 'wrong.csv');
      writeFileSync(wrong, 'Date,Time,Systolic\n');
      const refused = await command(['put', other, wrong], settings);
      expect([refused.code, refused.stdout]).to.equal([1, '']);
      expect(refused.stderr).to.contain('wrong.csv: invalid_document').and.to.contain('no column Diastolic;');
      const empty = join(folder, 'empty.csv');
      writeFileSync(empty, readFileSync(csv, 'utf8').replace(/\n[^]*/, '\n'));
      expect((await command(['put', other, empty], settings)).stderr).to.contain('it has no rows');
    });

    it('put reads times in the zone that is said, else in that of the person, and tells which one', async () => {
      const csv = inProject('pipeline-config', 'omron-csv', 'sample-report.csv');
      const zones = async (...more: string[]): Promise<unknown> =>
        jsonLines<object>(await command(['ingest', csv, '--json', ...more], settings))[0];
      expect(await zones('--time-zone', 'Asia/Tokyo')).to.include({ time_zone: 'Asia/Tokyo' });
      const wrong = await command(['put', other, csv, '--time-zone', 'Mars'], settings);
      expect([wrong.code, wrong.stdout]).to.equal([1, '']);
      expect(wrong.stderr).to.contain('--time-zone: Mars is no time zone: give a name such as Europe/Berlin');
      await command(['put', other, csv, '--time-zone', 'Asia/Tokyo'], settings);
      const times = (await rows('fact_vitalsigns')).map(({ date }) => String(date));
      expect(times.filter((time) => time.startsWith('2025-01-05T23:46'))).to.have.length(1);
    });

    it('what was done stands in the audit log as done by the operator, refusals too', async () => {
      const audits = (await rows('audit')).filter(({ principal_id: id }) => id === 'operator');
      const told = audits.map(({ function_name: name, method, successful }) =>
        [name, method, Number(successful)].join(' '),
      );
      expect(told.filter((one) => one === 'document_create SVC 1').length).to.equal(11);
      expect(told.filter((one) => one === 'document_create SVC 0').length).to.equal(5);
      expect(told.filter((one) => one === 'record_create SVC 1').length).to.equal(2);
      const stored = audits.filter(
        (row) => row['function_name'] === 'document_create' && Number(row['successful']) === 1,
      );
      const documents = (await rows('document')).filter((row) => row['creator_id'] === 'operator');
      const ofCreation = audits.filter((row) => row['function_name'] === 'record_create');
      expect([...stored, ...ofCreation].map((row) => String(row['document_id'])).sort()).to.equal(
        documents.map((row) => String(row['id'])).sort(),
      );
      const verified = await command(['verify-audit'], settings);
      expect(verified.code, verified.stderr).to.equal(0);
    });

    it('put says what of a document is no fact', async () => {
      const fhir = inProject('pipeline-config', 'fhir-bundle', 'sample-search-result.xml');
      const ran = await command(['put', other, fhir], settings);
      expect(ran.stdout).to.match(/#Bundle {2}4 Problem, 3 Allergy, .* {2}.*sample-search-result\.xml\n/);
      expect(ran.stdout).to.match(/\nleft out {2}1 \w+ \(\w+\): .* {2}.*sample-search-result\.xml\n/);
    });

    const signInAs = async (call: Client, secret: string): Promise<Answer> =>
      call(ui, 'POST', '/oauth/internal/session_create', {
        form: { username: 'ann@people.example', password: secret },
      });

    it('put takes an export of Apple Health in once, and of a later one what is new, as new versions', async () => {
      const count = async (): Promise<number> =>
        (await rows('fact_vitalsigns')).filter(({ heart_rate_value: value }) => value !== null).length;
      const pulses = (...days: readonly string[]): string =>
        exportXml(
          days.map((day) => ({
            type: 'HeartRate',
            value: '61',
            unit: 'count/min',
            start: phoneAt(day, 9),
            source: day,
          })),
        );
      const give = async (name: string, bytes: Buffer | string): Promise<Ran> => {
        writeFileSync(join(folder, name), bytes);
        return command(['put', other, join(folder, name), '--json'], settings);
      };
      const before = await count();
      const first = jsonLines<{ document?: string }>(await give('export.xml', pulses('2025-02-01', '2025-03-01')));
      expect(first.map((line) => Object.keys(line))).to.equal([
        ['file', 'document', 'type', 'digest', 'facts', 'leftOut', 'readings'],
        ['file', 'document', 'type', 'digest', 'facts', 'leftOut', 'readings'],
        ['file', 'leftOut'],
      ]);
      expect(await count()).to.equal(before + 2);
      const later = pulses('2025-02-01', '2025-03-01', '2025-03-05', '2025-04-01');
      const archive = zipOf([
        { name: inExport('export.xml'), bytes: later, follows: true },
        {
          name: inExport('clinical-records/MedicationOrder-1.json'),
          bytes: '{"resourceType":"MedicationOrder","status":"active"}',
        },
      ]);
      for (const again of [false, true]) {
        const ran = await give('export.zip', archive);
        expect([ran.code, ran.stderr.includes('1 of 4 documents not stored')], ran.stderr).to.equal([1, true]);
        expect(ran.stderr).to.contain(`bytes: ${archive.length} of ${archive.length}`);
        const told = jsonLines<Record<string, unknown>>(ran);
        expect(told[0]).to.include({ document: first[0]!.document, there: true });
        expect(told.slice(1, 3).map(({ there, renewed }) => ({ there, renewed }))).to.equal(
          again
            ? [
                { there: true, renewed: undefined },
                { there: true, renewed: undefined },
              ]
            : [
                { there: undefined, renewed: true },
                { there: undefined, renewed: undefined },
              ],
        );
        expect(told[4]).to.include({ code: 'invalid_document' });
        expect(told[4]!['file']).to.match(/export\.zip \(Clinical record: MedicationOrder\)$/);
        expect(await count()).to.equal(before + 4);
      }
    });

    it('the owner reads what was put, with the operator as its creator, and an app is approved', async () => {
      const served = await serve(settings);
      try {
        const call = httpClient(served.url);
        const pairs = new URLSearchParams(succeeded(await signInAs(call, password)).text);
        const session: Credentials = {
          consumer: ui!.consumer,
          token: { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! },
        };
        const { text } = succeeded(await call(session, 'GET', `/records/${recordId}/documents/`));
        expect(text).to.contain('total_document_count="4"');
        expect(text).to.contain(
          '<creator id="operator" type="adminapp"><fullname>Operator (command line)</fullname></creator>',
        );

        const asked = new URLSearchParams(
          succeeded(await call(medications, 'POST', '/oauth/request_token', { form: { svc_record_id: recordId } }))
            .text,
        );
        const token = { key: asked.get('oauth_token')!, secret: asked.get('oauth_token_secret')! };
        const approve = (more: Record<string, string>, on = recordId): Promise<Ran> =>
          command(['approve', token.key, '--account', 'ann@people.example', '--record', on, '--json'], {
            ...settings,
            // These name no secret of the website, so that its app is the bundled one.
            SVC_MANIFESTS_DIR: inProject('manifests'),
            ...more,
          });
        for (const [more, on, says] of [
          [{ SVC_BASE_URL: 'https://health.example' }, recordId, 'at health.example, a person says yes at the website'],
          [{ SVC_HOST: '0.0.0.0' }, recordId, 'svc approve is for development'],
          [{}, 'no-such-record', 'the id is not the one of the request token'],
        ] as const) {
          const refused = await approve(more, on);
          expect([refused.code, refused.stdout]).to.equal([1, '']);
          expect(refused.stderr).to.contain(says);
        }
        expect((await rows('session_token')).length).to.equal(1);
        const [yes] = jsonLines<{ verifier: string; redirect: string }>(await approve({}));
        expect(yes!.redirect).to.contain(`oauth_token=${token.key}`).and.to.contain(yes!.verifier);
        const access = new URLSearchParams(
          succeeded(
            await call({ consumer: medications!.consumer, token }, 'POST', '/oauth/access_token', {
              oauth: { oauth_verifier: yes!.verifier },
            }),
          ).text,
        );
        const app = {
          consumer: medications!.consumer,
          token: { key: access.get('oauth_token')!, secret: access.get('oauth_token_secret')! },
        };
        succeeded(await call(app, 'GET', `/records/${recordId}/reports/Procedure/`));
        // The session in which the account gave its consent has been removed again.
        expect((await rows('session_token')).length).to.equal(1);

        expect((await command(['accounts', 'disable', 'ann@people.example'], settings)).code).to.equal(0);
        expect((await call(session, 'GET', `/records/${recordId}`)).status).to.equal(403);
        expect((await call(app, 'GET', `/records/${recordId}`)).status).to.equal(403);
        expect((await signInAs(call, password)).status).to.equal(403);
        const disabled = await approve({});
        expect(disabled.stderr).to.contain('the account ann@people.example is disabled');
        expect((await command(['accounts', 'enable', 'ann@people.example'], settings)).stdout).to.contain(
          'can sign in',
        );
        succeeded(await signInAs(call, password));

        const reset = await command(['accounts', 'reset', 'ann@people.example', '--json'], settings);
        const [given] = jsonLines<{ link: string; code: string }>(reset);
        expect((await signInAs(call, password)).status).to.equal(403);
        const primary = given!.link.split('/').at(-1)!;
        expect(given!.link).to.startWith(`${served.url}/my/accounts/ann%40people.example/reset_password/`);
        succeeded(
          await call(ui, 'POST', `/accounts/ann%40people.example/initialize/${primary}`, {
            form: { secondary_secret: given!.code },
          }),
        );
        succeeded(await signInAs(call, password));

        const renewed = promisify(execFile)(
          inProject('bin', 'svc'),
          ['accounts', 'reset', 'ann@people.example', '--password-stdin'],
          { env: environment(settings) },
        );
        renewed.child.stdin?.end('another good passphrase\n');
        await renewed;
        expect((await signInAs(call, password)).status).to.equal(403);
        succeeded(await signInAs(call, 'another good passphrase'));

        const newcomer = 'cleo@people.example';
        const ann = '/accounts/ann%40people.example';
        const rename = `${ann}/authsystems/password/set-username`;
        succeeded(await call(admin, 'POST', `${ann}/info-set`, { form: { contact_email: newcomer } }));
        succeeded(await call(admin, 'POST', rename, { form: { username: newcomer } }));
        const taken = await command(['accounts', 'create', newcomer], settings);
        expect([taken.code, taken.stdout]).to.equal([1, '']);
        expect(taken.stderr).to.contain(`${newcomer} is in use already, as an account or as a user name`);
        const back = { form: { username: 'ann@people.example' } };
        succeeded(await call(admin, 'POST', rename, back));
      } finally {
        await served.stop();
      }
    });

    it('approve refuses when there is no UI app whose secret the service made', async () => {
      const database = await openDatabase(settings['SVC_DATABASE_URL']!, 1);
      await direct(database)('app').where({ kind: 'ui' }).update({ retired_at: '2026-01-01T00:00:00.000000Z' });
      await database.close();
      const args = ['approve', 'token', '--account', 'ann@people.example', '--record', recordId];
      const refused = await command(args, { ...settings, SVC_MANIFESTS_DIR: inProject('manifests') });
      expect([refused.code, refused.stdout]).to.equal([1, '']);
      expect(refused.stderr).to.contain('every UI app here has another: say yes at the website');
    });

    it('accounts disable and reset of one that is not there are refused', async () => {
      for (const args of [['disable'], ['enable'], ['reset'], ['reset', '--password']]) {
        const refused = await command(['accounts', ...args, 'nobody@people.example'], settings);
        expect([refused.code, refused.stdout]).to.equal([1, '']);
        expect(refused.stderr).to.contain('there is no account nobody@people.example');
      }
    });

    it('put --link stores what is behind a link, and what is doubtful with --yes only', async () => {
      const giver = await startGiver();
      try {
        const key = randomBytes(32);
        const open = { ...settings, SVC_CALLBACK_ALLOW_PRIVATE: '1' };
        const give = (family: string): string => {
          const patient = {
            resourceType: 'Patient',
            name: [{ family, given: ['Ann'.repeat(family.length > 3 ? 3 : 1)] }],
          };
          const bundle = { resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient }] };
          giver.answers.set(`/${family}`, () => ({ body: sealedFile(JSON.stringify(bundle), key) }));
          return linkText({ url: `${giver.base}/${family}`, flag: 'U', key: key.toString('base64url') });
        };
        const put = (...args: readonly string[]) => command(['put', recordId, ...args, '--json'], open);
        const [stored] = jsonLines<{ document: string; from: string }>(await put('--link', give('Lee')));
        expect(stored!.from).to.equal(giver.host);
        const row = (await rows('document')).find(({ id }) => id === stored!.document);
        expect(row!['came_from']).to.equal(giver.host);
        const doubtful = await put('--link', give('Somebody'));
        expect([doubtful.code, doubtful.stderr]).to.equal([1, doubtful.stderr]);
        expect(doubtful.stderr).to.contain('somebody else').and.contain('--yes');
        expect((await put('--link', give('Somebody'), '--yes')).code).to.equal(0);
        expect((await put('--link', 'hello')).stderr).to.contain('not a link');
        expect((await put()).code).to.not.equal(0);
      } finally {
        await giver.close();
      }
    });
  });
}

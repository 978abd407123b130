/** drop-in: a new format is a folder that an operator copies in: SIGHUP, reprocess, overrides, broken folders. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import { httpClient, type Client, type Credentials } from '../support/client';
import { databases } from '../support/databases';
import { readersOf } from '../support/readers';
import { until } from '../support/receiver';
import { medications } from '../support/server';
import { command, serve, type Served } from '../support/svc';
import { attribute, authorizeApp, createAccount, createRecord, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const put = (path: string, text: string): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

const model = (more = ''): string =>
  `__modelname__: PeakFlow\nmeasuredAt: { type: Date, required: true, index: true }\nlitres: Number\n${more}`;
const definition =
  'document: peak-flow\nidentify: { root: PeakFlow, namespace: "urn:lung" }\nvalidate: { schema: schema.xsd ' +
  '}\ntransform: { stylesheet: transform.xsl }\nstore: { models: [PeakFlow] }\n';
const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:lung" elementFormDefault="qualified">
<xs:element name="PeakFlow"><xs:complexType><xs:attribute name="at" type="xs:dateTime" use="required"/><xs:attribute name="litres" type="xs:decimal" use="required"/></xs:complexType></xs:element></xs:schema>`;
const stylesheet = (
  factor: string,
): string => `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:l="urn:lung" exclude-result-prefixes="l">
<xsl:template match="/l:PeakFlow"><Models><Model name="PeakFlow"><Field name="measuredAt"><xsl:value-of select="@at"/></Field><Field name="litres"><xsl:value-of select="@litres * ${factor}"/></Field></Model></Models></xsl:template></xsl:stylesheet>`;
const document = (litres: number): string =>
  `<PeakFlow xmlns="urn:lung" at="2026-01-0${litres}T08:00:00Z" litres="${litres}"/>`;

for (const leg of databases) {
  describe(`a format that is dropped in, on ${leg.name}`, () => {
    let folder: string;
    let settings: Record<string, string>;
    let drop: () => Promise<void>;
    let served: Served;
    let call: Client;
    let app: Credentials;
    let recordId: string;

    const formats = (...parts: string[]): string => join(folder, 'formats', ...parts);
    const models = (...parts: string[]): string => join(folder, 'models', ...parts);
    const facts = async (query = ''): Promise<Record<string, unknown>[]> =>
      JSON.parse(succeeded(await call(app, 'GET', `/records/${recordId}/reports/PeakFlow/${query}`)).text) as Record<
        string,
        unknown
      >[];
    const post = async (litres: number, where = ''): Promise<string> =>
      attribute(
        succeeded(await call(app, 'POST', `/records/${recordId}/documents/${where}`, { body: document(litres) })).text,
        'Document',
        'id',
      );
    const said = (text: string): number => served.stderr().split(text).length - 1;
    const reload = async (line: string): Promise<void> => {
      const before = said(line);
      served.process.kill('SIGHUP');
      await until(() => said(line) > before);
    };

    before(async () => {
      const created = await leg.create();
      drop = created.drop;
      folder = mkdtempSync(join(tmpdir(), 'svc-drop-in-'));
      mkdirSync(formats(), { recursive: true });
      mkdirSync(models(), { recursive: true });
      settings = {
        SVC_DATABASE_URL: created.url,
        SVC_LOG_LEVEL: 'info',
        SVC_PIPELINE_CONFIG_DIR: `${inProject('pipeline-config')}:${formats()}`,
        SVC_DATAMODELS_DIR: `${inProject('datamodels')}:${models()}`,
      };
      served = await serve(settings);
      call = httpClient(served.url);
      await createAccount(call, 'alice@example.org');
      recordId = await createRecord(call, 'alice@example.org');
      app = await authorizeApp(call, medications!, await signIn(call, 'alice@example.org'), { record_id: recordId });
    });
    after(async () => {
      await served.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('is stored raw before anybody knows it, and has no report', async () => {
      await post(1);
      expect((await call(app, 'GET', `/records/${recordId}/reports/PeakFlow/`)).status).to.equal(404);
      const ran = await command(['reprocess', '--type', 'urn:lung#PeakFlow'], settings);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.equal('0 documents brought up to date, 0 refused\n');
    });

    it('has no reprocessing under a misspelt type, which looks like work that is done', async () => {
      for (const [given, meant] of [
        ['urn:lung#Peakflow', 'urn:lung#Peakflow'],
        ['PeakFlow', 'https://svc.example/vocab/xml/documents#PeakFlow'],
      ]) {
        const ran = await command(['reprocess', '--type', given!], settings);
        expect([ran.code, ran.stdout]).to.equal([1, '']);
        expect(ran.stderr).to.equal(
          `svc: there is no document type ${meant}: neither a format nor a stored document has it\n`,
        );
      }
      expect((await command(['reprocess', '--type', 'Procedure'], settings)).code).to.equal(0);
    });

    it('is read, stored and reported after SIGHUP, and no request fails meanwhile', async () => {
      put(models('peak-flow.yaml'), model());
      put(formats('peak-flow', 'document.yaml'), definition);
      put(formats('peak-flow', 'schema.xsd'), schema);
      put(formats('peak-flow', 'transform.xsl'), stylesheet('1'));
      let going = true;
      const statuses = new Set<number>();
      const traffic = (async () => {
        while (going) {
          statuses.add((await call(app, 'GET', `/records/${recordId}/documents/`)).status);
        }
      })();
      await reload('the configuration was read again');
      going = false;
      await traffic;
      expect([...statuses]).to.equal([200]);
      await post(2);
      expect((await facts()).map((fact) => fact['litres'])).to.equal([2]);
      expect((await facts('?litres=2&date_range=measuredAt*2026-01-01*')).length).to.equal(1);
      expect(
        (await call(app, 'POST', `/records/${recordId}/documents/`, { body: '<PeakFlow xmlns="urn:lung"/>' })).status,
      ).to.equal(400);
      expect(await (await fetch(`${served.url}/openapi.json`)).text()).to.contain(
        '| peak-flow | `PeakFlow` | `urn:lung` | yes | `PeakFlow` |',
      );
    });

    it('brings documents that were stored before it up to date by reprocess, which then has nothing left to do', async () => {
      const ran = await command(['reprocess', '--record', recordId], settings);
      expect(ran.code, ran.stderr).to.equal(0);
      expect(ran.stdout).to.contain('1 documents brought up to date');
      expect((await facts('?order_by=litres')).map((fact) => fact['litres'])).to.equal([1, 2]);
      expect((await command(['reprocess'], settings)).stdout).to.contain('0 documents');
    });

    it('is what was asked for last, however long one that was asked for before takes', async () => {
      const read = 'the configuration was read again';
      const saidBefore = said(read);
      put(
        formats('slow', 'document.yaml'),
        'document: slow\nidentify: { root: Slow, namespace: "urn:lung" }\ntransform: { module: slow.mjs }\nstore: { models: [PeakFlow] }\n',
      );
      const before = readersOf(served.process.pid!).length;
      put(
        formats('slow', 'slow.mjs'),
        'await new Promise((resolve) => setTimeout(resolve, 3000));\nexport default () => [];\n',
      );
      served.process.kill('SIGHUP');
      // The format cannot report from inside the sandbox. A new reader process shows that the folder is being read.
      await until(() => readersOf(served.process.pid!).length > before);
      rmSync(formats('slow'), { recursive: true });
      served.process.kill('SIGHUP');
      await until(() => said(read) === saidBefore + 2);
      expect(await (await fetch(`${served.url}/openapi.json`)).text()).to.not.contain('`Slow`');
    });

    it('stays as it was when the new configuration is broken, and the reason is told', async () => {
      put(formats('peak-flow', 'transform.xsl'), '<broken');
      put(models('peak-flow.yaml'), model('ghost: String\n'));
      await reload('the new configuration is broken');
      expect(served.stderr()).to.contain('transform.xsl');
      // Even the tables of the broken configuration were not made.
      expect((await command(['migrate', '--dry-run'], settings)).stdout).to.match(
        /pending +add column fact_peakflow\.ghost/,
      );
      put(models('peak-flow.yaml'), model());
      await post(3);
      expect((await facts()).length).to.equal(3);
    });

    it('takes another stylesheet and another field', async () => {
      put(models('peak-flow.yaml'), model('note: String\n'));
      put(formats('peak-flow', 'transform.xsl'), stylesheet('10'));
      await reload('the configuration was read again');
      const [newest] = await facts();
      expect(newest).to.include({ litres: 3, note: null });
      expect((await command(['reprocess', '--type', 'PeakFlow'], settings)).stdout).to.contain('3 documents');
      expect((await facts('?order_by=litres')).map((fact) => fact['litres'])).to.equal([10, 20, 30]);
    });

    it('tells its author in metrics and log what became of its documents, and never what they say', async () => {
      put(
        formats('peak-flow', 'transform.xsl'),
        stylesheet('10').replace(
          '<Models>',
          '<xsl:if test="@litres = 4"><xsl:message terminate="yes">four <xsl:value-of select="@at"/></xsl:message></xsl:if><Models>',
        ),
      );
      await reload('the configuration was read again');
      for (const [body, code] of [
        [document(4), 'transform_failed'],
        ['<PeakFlow xmlns="urn:lung"/>', 'invalid_document'],
        ['<Other xmlns="urn:lung"/>', ''],
        ['<PeakFlow', 'invalid_document'],
      ] as const) {
        const { status, text } = await call(app, 'POST', `/records/${recordId}/documents/`, { body });
        expect([status, text.includes(`code="${code}"`)], text).to.equal([code === '' ? 200 : 400, code !== '']);
      }
      const counted = [
        ...(await (await fetch(`${served.url}/metrics`)).text()).matchAll(
          /^svc_documents_read_total\{format="(\S+)",outcome="(\S+)"\} (\d+)$/gm,
        ),
      ].map(([, ...parts]) => parts.join(' '));
      // The tests above posted two documents that were accepted, one that was refused, and one in no format of its own.
      // The demographics came with the record.
      expect(counted.sort()).to.equal([
        'demographics read 1',
        'none read 2',
        'peak-flow invalid_document 2',
        'peak-flow read 2',
        'peak-flow transform_failed 1',
        'unknown invalid_document 1',
      ]);
      const lines = served
        .stderr()
        .split('\n')
        .filter((line) => line.includes('a document could not be transformed'));
      expect(lines.length).to.equal(1);
      expect(JSON.parse(lines[0]!) as object).to.include({ level: 40, format: 'peak-flow', bytes: document(4).length });
      expect(served.stderr()).to.not.contain('2026-01-04');
      put(formats('peak-flow', 'transform.xsl'), stylesheet('10'));
      await reload('the configuration was read again');
    });

    it('keeps the facts of a document that the present schema refuses, and says so', async () => {
      put(formats('peak-flow', 'schema.xsd'), schema.replace('xs:decimal', 'xs:date'));
      const ran = await command(['reprocess'], settings);
      expect(ran.code).to.equal(1);
      expect(ran.stdout).to.contain('0 documents brought up to date, 3 refused');
      expect((await facts()).length).to.equal(3);
    });

    it('stops the check when it claims a type twice, unless it says override', async () => {
      put(formats('peak-flow', 'schema.xsd'), schema);
      put(
        formats('z-other', 'document.yaml'),
        definition
          .replace('document: peak-flow', 'document: other')
          .replace(/schema\.xsd/, '../peak-flow/schema.xsd')
          .replace(/transform\.xsl/, '../peak-flow/transform.xsl'),
      );
      const twice = await command(['check'], settings);
      expect(twice.code).to.equal(1);
      expect(twice.stderr).to.contain('peak-flow/document.yaml').and.to.contain('z-other/document.yaml');
      rmSync(formats('z-other'), { recursive: true });
      expect((await command(['check'], settings)).code).to.equal(0);
    });

    it('comes back without what was said by versions that were replaced while it was away', async () => {
      await reload('the configuration was read again');
      const old = await post(5);
      expect((await facts('?order_by=litres')).map((fact) => fact['litres'])).to.equal([10, 20, 30, 50]);
      rmSync(formats('peak-flow'), { recursive: true });
      rmSync(models('peak-flow.yaml'));
      await reload('the configuration was read again');
      await post(6, `${old}/replace`);
      const without = await command(['reprocess'], settings);
      expect([without.code, without.stdout]).to.equal([0, '3 documents brought up to date, 0 refused\n']);
      expect(without.stderr).to.startWith(
        'svc: warning: no format here has the type urn:lung#PeakFlow: the facts of 3 of its documents go.',
      );
      put(models('peak-flow.yaml'), model('note: String\n'));
      put(formats('peak-flow', 'document.yaml'), definition);
      put(formats('peak-flow', 'schema.xsd'), schema);
      put(formats('peak-flow', 'transform.xsl'), stylesheet('10'));
      await reload('the configuration was read again');
      expect(await facts()).to.equal([]);
      const again = await command(['reprocess'], settings);
      expect([again.code, again.stderr.includes('warning')], again.stderr).to.equal([0, false]);
      expect((await facts('?order_by=litres')).map((fact) => fact['litres'])).to.equal([10, 20, 30, 60]);
    });
  });
}

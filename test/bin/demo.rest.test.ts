/** demo: the data that `svc demo` makes can be read back, and the reports show what it posted. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { documentsOf, people } from '../../bin/demo/documents';
import type { Told } from '../../bin/demo/story';
import { inProject } from '../../core/base/paths';
import { httpClient } from '../support/client';
import { databases } from '../support/databases';
import { freePort } from '../support/ports';
import { command, serve, svc } from '../support/svc';
import { succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it } = lab;

const VOCAB = 'https://svc.example/vocab';
const fieldValues = (xml: string, model: string, field: string): string[] =>
  [...xml.matchAll(new RegExp(`<Model name="${model}">(.*?)(?=<Model |</Model>)`, 'gs'))].flatMap(
    (match) => new RegExp(`<Field name="${field}">([^<]*)<`).exec(match[1]!)?.[1] ?? [],
  );

for (const leg of databases) {
  describe(`svc demo on ${leg.name}`, () => {
    it('fills an empty database and refuses a filled one; the reports answer what it posted', async () => {
      const { url, drop } = await leg.create();
      const settings = { SVC_DATABASE_URL: url, SVC_MANIFESTS_DIR: inProject('manifests') };
      const ran = await command(['demo', '--json'], settings);
      expect(ran.code, ran.stderr).to.equal(0);
      const { stdout: shown } = await command(['apps', 'secret', 'medications'], settings);
      const secret = shown.trimEnd();
      expect(ran.stdout + ran.stderr).to.not.contain(secret);
      const made = JSON.parse(ran.stdout) as Told[];
      expect(made.map((told) => told.person.accountId)).to.equal(people.map((person) => person.accountId));

      const again = await command(['demo'], settings);
      expect(again.code).to.equal(1);
      expect(again.stderr).to.contain('empty database');

      const served = await serve(settings);
      const call = httpClient(served.url);
      for (const told of made) {
        const app = { ...told.app, consumer: { key: told.app.consumer.key, secret } };
        const posted = documentsOf(told.person, VOCAB).map(({ xml }) => xml);
        expect(told.documentIds.length).to.equal(posted.length);
        for (const [index, id] of told.documentIds.entries()) {
          expect(succeeded(await call(app, 'GET', `/records/${told.recordId}/documents/${id}`)).text).to.equal(
            posted[index]!,
          );
        }
        const report = async (model: string): Promise<Record<string, unknown>[]> =>
          JSON.parse(
            succeeded(await call(app, 'GET', `/records/${told.recordId}/reports/${model}/?order_by=created_at`)).text,
          ) as Record<string, unknown>[];
        const all = posted.join('');
        const vitals = await report('VitalSigns');
        expect(vitals.map((fact) => String(fact['bp_systolic_value']))).to.equal(
          fieldValues(all, 'VitalSigns', 'bp_systolic_value'),
        );
        const drugs = await report('Medication');
        expect(drugs.map((fact) => fact['drugName_identifier'])).to.equal(
          fieldValues(all, 'Medication', 'drugName_identifier'),
        );
        expect(drugs.map((fact) => (fact['fulfillments'] as unknown[]).length)).to.equal([3, 1]);
        expect((await report('Allergy')).map((fact) => fact['allergen_title'])).to.equal([
          'penicillin G',
          'Strawberries',
        ]);
        expect(drugs.map((fact) => fact['status_title'])).to.equal(['Active', 'Completed']);
        const named = async (model: string, field: string): Promise<readonly unknown[]> =>
          (await report(model)).map((fact) => fact[field]);
        expect(await named('Problem', 'name_title')).to.equal([
          'Hypertensive disorder',
          'Seasonal allergic rhinitis',
          'Acute bronchitis',
        ]);
        expect(await named('Immunization', 'product_name_identifier')).to.equal(['09', '140', '140']);
        expect((await report('Procedure')).map((fact) => fact['name'])).to.equal(['Colonoscopy', 'Appendectomy']);
      }
      await served.stop();
      await drop();
    });

    it('signs as apps whose key is their id; of two at once, one says who is in the way', async () => {
      const { url, drop } = await leg.create();
      const manifests = mkdtempSync(join(tmpdir(), 'svc-demo-'));
      cpSync(inProject('manifests'), manifests, { recursive: true });
      for (const app of ['admin/administration', 'ui/website', 'user/medications']) {
        const file = join(manifests, app, 'credentials.json');
        writeFileSync(file, '{}');
      }
      const settings = { SVC_DATABASE_URL: url, SVC_MANIFESTS_DIR: manifests };
      const both = await Promise.all([svc(['demo'], settings), svc(['demo'], settings)]);
      expect(both.map(({ code }) => code).sort(), both.map(({ stderr }) => stderr).join()).to.equal([0, 1]);
      expect(both.find(({ code }) => code === 1)!.stderr).to.match(
        /^svc: svc demo needs (an empty database|the database for itself)/m,
      );
      rmSync(manifests, { recursive: true });
      await drop();
    });

    it('prints a signed curl line that works', async () => {
      const { url, drop } = await leg.create();
      const settings = { SVC_DATABASE_URL: url };
      // The line names the address from the settings, so demo and service must use the same port.
      const port = String(await freePort());
      const ran = await command(['demo'], { ...settings, SVC_PORT: port });
      expect(ran.code, ran.stderr).to.equal(0);
      const line = /^ {2}(curl .*)$/m.exec(ran.stdout)?.[1] ?? '';
      const served = await serve({ ...settings, SVC_PORT: port });
      const { stdout } = await promisify(execFile)('sh', ['-c', `${line.replace('curl ', 'curl -s -f ')}`]);
      const groups = JSON.parse(stdout) as { group: string; value: number }[];
      expect(groups.map(({ group }) => group)).to.equal(['2022', '2023', '2024']);
      await served.stop();
      await drop();
    });
  });
}

/**
 * examples: the complete programs of the app developer guide run against a service. Each gets access in all three ways,
 * and all agree.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { inProject } from '../../core/base/paths';
import type { Client, Credentials } from '../support/client';
import { databases } from '../support/databases';
import { connector, medications, startService, type TestService } from '../support/server';
import { attribute, child, createAccount, createRecord, signIn, succeeded } from '../support/world';
import { direct } from '../support/direct';
import * as appStore from '../../core/apps/store';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const programs: readonly {
  readonly name: string;
  readonly command: readonly string[];
  readonly needs: readonly string[];
}[] = [
  { name: 'JavaScript', command: [process.execPath, inProject('docs/examples/app.mjs')], needs: [] },
  { name: 'Python', command: ['python3', inProject('docs/examples/app.py')], needs: [] },
  { name: 'shell', command: ['bash', inProject('docs/examples/app.sh')], needs: ['/usr/bin/curl', '/usr/bin/openssl'] },
];

type Run = { readonly lines: readonly string[]; readonly code: number; readonly stderr: string };

/** Runs a program. `answer` is called with each line that it prints, and its result is typed in. */
const run = (
  command: readonly string[],
  args: readonly string[],
  app: Credentials,
  answer: (line: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Promise<Run> =>
  new Promise((resolve, reject) => {
    const [program = '', ...rest] = command;
    const process_ = spawn(program, [...rest, ...args], {
      env: { PATH: process.env['PATH'], APP_KEY: app!.consumer.key, APP_SECRET: app!.consumer.secret },
    });
    const lines: string[] = [];
    let [open, stderr] = ['', ''];
    process_.stdout.on('data', (chunk: Buffer) => {
      const parts = (open + chunk.toString()).split('\n');
      open = parts.pop() ?? '';
      for (const line of parts.filter((part) => part !== '')) {
        lines.push(line);
        answer(line).then((typed) => typed !== undefined && process_.stdin.write(`${typed}\n`), reject);
      }
    });
    process_.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    process_.on('error', reject);
    process_.on('close', (code) => resolve({ lines, code: code ?? 1, stderr }));
  });

const expected = [/^stored [0-9a-f-]{36}$/, /^stored [0-9a-f-]{36}$/, /^average 131$/];

const matches = ({ lines, code, stderr }: Run, patterns: readonly RegExp[]): void => {
  expect(code, stderr).to.equal(0);
  expect(lines.length, lines.join('\n')).to.equal(patterns.length);
  patterns.forEach((pattern, index) => expect(lines[index]).to.match(pattern));
  const stored = lines.filter((line) => line.startsWith('stored'));
  expect(new Set(stored).size).to.equal(stored.length);
};

for (const leg of databases) {
  describe(`the example programs on ${leg.name}`, () => {
    let service: TestService;
    let call: Client;
    let alice: Exclude<Credentials, null>;
    let base: string;

    before(async () => {
      service = await startService(leg);
      ({ call } = service);
      base = service.running.url;
      await createAccount(call, 'alice@example.org', 'Alice Lee');
      alice = await signIn(call, 'alice@example.org');
    });
    after(() => service.stop());

    /** Does what the website does when the person agrees. */
    const approve = async (token: string, recordId: string): Promise<string> => {
      const path = `/oauth/internal/request_tokens/${encodeURIComponent(token)}`;
      succeeded(await call(alice, 'POST', `${path}/claim`));
      const approved = new URLSearchParams(
        succeeded(await call(alice, 'POST', `${path}/approve`, { form: { record_id: recordId } })).text,
      );
      return new URL(approved.get('location')!).searchParams.get('oauth_verifier')!;
    };

    /** The address at which the website opens an app for a record, or for one of its carenets. */
    const startUrl = async (app: Credentials, recordId: string, carenetId = ''): Promise<string> => {
      const id = app!.consumer.key;
      succeeded(await call(alice, 'PUT', `/records/${recordId}/apps/${encodeURIComponent(id)}`));
      if (carenetId !== '') {
        succeeded(await call(alice, 'PUT', `/carenets/${carenetId}/apps/${encodeURIComponent(id)}`));
      }
      const { text } = succeeded(
        await call(
          alice,
          'POST',
          `/accounts/${encodeURIComponent('alice@example.org')}/apps/${encodeURIComponent(id)}/connect_credentials`,
          { form: carenetId === '' ? { record_id: recordId } : { carenet_id: carenetId } },
        ),
      );
      const header = child(text, 'OAuthHeader')!.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      const { indexUrl } = (await appStore.findUserApp(direct(service.services.database), id))!;
      const address = indexUrl!
        .replace('{record_id}', carenetId === '' ? recordId : '')
        .replace('{carenet_id}', carenetId);
      return `${address}&oauth_header=${encodeURIComponent(header)}`;
    };

    for (const { name, command, needs } of programs) {
      const skip = needs.some((program) => !existsSync(program));

      it(`${name}: the dance`, { skip }, async () => {
        const recordId = await createRecord(call, 'alice@example.org');
        const ran = await run(command, [base, 'dance', recordId], medications, async (line) => {
          const token = /^request token: (.+)$/.exec(line)?.[1];
          return token && approve(token, recordId);
        });
        matches(ran, [/^request token: /, /^say yes at: http.*\/my\/authorize\?oauth_token=./, ...expected]);
      });

      it(`${name}: a wrong verifier ends it with the service's words`, { skip }, async () => {
        const recordId = await createRecord(call, 'alice@example.org');
        const ran = await run(command, [base, 'dance', recordId], medications, async (line) =>
          line.startsWith('request token') ? 'guess' : undefined,
        );
        expect(ran.code).to.not.equal(0);
        expect(ran.stderr + ran.lines.join('')).to.match(/403/);
      });

      it(`${name}: an autonomous app on two records`, { skip }, async () => {
        await direct(service.services.database)('record_app').where({ app_id: connector!.consumer.key }).delete();
        for (const _ of [1, 2]) {
          const recordId = await createRecord(call, 'alice@example.org');
          succeeded(
            await call(alice, 'PUT', `/records/${recordId}/apps/${encodeURIComponent(connector!.consumer.key)}`),
          );
        }
        matches(await run(command, [base, 'autonomous'], connector), [...expected, ...expected]);
      });

      it(`${name}: opened by the website`, { skip }, async () => {
        const recordId = await createRecord(call, 'alice@example.org');
        matches(await run(command, [base, 'connect', await startUrl(medications, recordId)], medications), [
          /^opened by alice@example.org$/,
          ...expected,
        ]);
      });

      it(
        `${name}: opened by the website for a carenet, where it reads what the carenet contains`,
        { skip },
        async () => {
          const recordId = await createRecord(call, 'alice@example.org');
          const carenetId = attribute(
            succeeded(await call(alice, 'POST', `/records/${recordId}/carenets/`, { form: { name: 'Ward' } })).text,
            'Carenet',
            'id',
          );
          const address = await startUrl(medications, recordId, carenetId);
          const opened = /^opened by alice@example.org$/;
          matches(await run(command, [base, 'connect', address], medications), [opened, /^average unknown$/]);
          for (const systolic of [120, 125]) {
            const body =
              '<Models><Model name="VitalSigns"><Field name="date">2026-01-05</Field><Field ' +
              `name="bp_systolic_value">${systolic}</Field></Model></Models>`;
            const documentId = attribute(
              succeeded(await call(alice, 'POST', `/records/${recordId}/documents/`, { body })).text,
              'Document',
              'id',
            );
            if (systolic === 125) {
              succeeded(await call(alice, 'PUT', `/records/${recordId}/documents/${documentId}/carenets/${carenetId}`));
            }
          }
          matches(await run(command, [base, 'connect', address], medications), [opened, /^average 125$/]);
        },
      );

      it(`${name}: not opened by an address that somebody else wrote`, { skip }, async () => {
        const recordId = await createRecord(call, 'alice@example.org');
        const forged = (await startUrl(medications, recordId)).replace(
          'alice%2540example.org',
          'mallory%2540example.org',
        );
        expect(forged).to.contain('mallory');
        const ran = await run(command, [base, 'connect', forged], medications);
        expect(ran.code).to.not.equal(0);
        expect(ran.stderr).to.contain('was not signed by the service');
      });
    }
  });
}

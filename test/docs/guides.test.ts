/** guides: links have a target, commands and settings exist, and the deployer guide is followed to the letter. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { Command } from 'commander';
import { parse } from 'dotenv';
import { parseAllDocuments } from 'yaml';
import { addCommands } from '../../bin/commands';
import { inProject, projectRoot } from '../../core/base/paths';
import { settings } from '../../core/config/schema';
import { databases } from '../support/databases';
import { admin, startService } from '../support/server';
import { environment } from '../support/svc';
import { appSecrets } from '../support/test-manifests';
import { makeSite, readable } from '../support/site';
import { child, createAccount, createRecord, PASSWORD, signIn, succeeded } from '../support/world';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const guides: readonly string[] = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(inProject('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'pipeline-config/README.md',
  'datamodels/README.md',
  'manifests/README.md',
];
const textOf = (file: string): string => readFileSync(inProject(file), 'utf8');
const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .trim()
    .replaceAll(' ', '-');
const anchorsIn = (file: string): readonly string[] =>
  [...withoutCode(textOf(file)).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1]!));

describe('the guides', () => {
  for (const file of guides) {
    it(`${file} has links that lead somewhere`, () => {
      const broken = [...withoutCode(textOf(file)).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)]
        .map((match) => match[1]!)
        .filter((link) => {
          const [path = '', anchor] = link.split('#');
          const target = path === '' ? file : relative(projectRoot, join(projectRoot, dirname(file), path));
          return !existsSync(inProject(target)) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
        });
      expect(broken).to.equal([]);
    });

    it(`${file} names commands, options and settings that exist`, async () => {
      const program = new Command('svc');
      await addCommands(program);
      const wrong = [...textOf(file).matchAll(/bin\/svc ([a-z][a-z_-]*)((?: [^\n`|&;)]*)?)/g)]
        .filter(([, name, rest = '']) => {
          const command = program.commands.find((one) => one.name() === name || one.aliases().includes(name!));
          const sub = command?.commands.find((one) => rest.trim().split(' ')[0] === one.name());
          const known = [...(command?.options ?? []), ...(sub?.options ?? [])].map(({ long }) => long);
          return (
            !command ||
            (rest.match(/--[a-z-]+/g) ?? []).some((option) => !known.includes(option) && option !== '--help')
          );
        })
        .map(([whole]) => whole);
      expect(wrong).to.equal([]);
      const names = [...textOf(file).matchAll(/\bSVC_[A-Z_]+\b/g)]
        .map(([name]) => name)
        .filter((name) => !settings[name] && !/^SVC_(TEST|REQUIRE)_/.test(name));
      expect(names).to.equal([]);
    });
  }

  it('show YAML that is YAML', () => {
    for (const file of guides) {
      for (const [, text] of textOf(file).matchAll(/^```yaml\n([\s\S]*?)^```/gm)) {
        expect(
          parseAllDocuments(text!).flatMap((document) => document.errors),
          `${file}: ${text}`,
        ).to.equal([]);
      }
    }
  });

  it('alert on metrics that the service has', async () => {
    const service = await startService(databases[0]!);
    await service.call(null, 'GET', '/version');
    const metrics = (await service.call(null, 'GET', '/metrics')).text;
    await service.stop();
    for (const [name] of textOf('docs/operating.md').matchAll(/\bsvc_[a-z_]+/g)) {
      if (name !== 'svc_test') {
        expect(metrics, name).to.contain(name);
      }
    }
  });

  it('have pictures with a text for those who cannot see them', () => {
    for (const picture of readdirSync(inProject('docs/pictures'))) {
      expect(textOf(`docs/pictures/${picture}`), picture).to.match(/<title>[^<]{30,}<\/title>/);
    }
  });
});

for (const leg of databases) {
  describe(`the queries of the guide for apps on ${leg.name}`, () => {
    it('find what it says', async () => {
      const service = await startService(leg);
      await createAccount(service.call, 'ann@people.example', 'Ann Lee');
      const recordId = await createRecord(service.call, 'ann@people.example');
      const ann = await signIn(service.call, 'ann@people.example');
      for (const [date, weight] of [
        ['2026-01-05', 70],
        ['2026-01-19', 71.5],
        ['2026-02-02', 71],
      ] as const) {
        const body = `<Models><Model name="VitalSigns"><Field name="date">${date}</Field><Field name="weight_value">${weight}</Field><Field name="weight_unit">kg</Field></Model></Models>`;
        succeeded(await service.call(ann, 'POST', `/records/${recordId}/documents/`, { body }));
      }
      const rows = [...textOf('docs/developing-apps.md').matchAll(/^\| `(\?[^`]+)` \| [^|]+ \| `([^`]+)` \|$/gm)];
      expect(rows.length).to.equal(12);
      for (const [, query, expected] of rows) {
        const answer = JSON.parse(
          succeeded(await service.call(ann, 'GET', `/records/${recordId}/reports/VitalSigns/${query!}`)).text,
        ) as { weight_value?: number; group?: string; value?: number }[];
        const shown = answer.map(({ weight_value: weight, group, value }) => {
          const found = String(value ?? weight);
          return group === undefined ? found : `${group}: ${found}`;
        });
        expect(shown.join(', ') || 'nothing', query!).to.equal(expected!);
      }
      await service.stop();
    });
  });

  describe(`the deployer guide, followed on ${leg.name}`, () => {
    let folder: string;
    let database: { readonly url: string; readonly drop: () => Promise<void> };
    const text = textOf('docs/deploying.md');

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'svc-deploy-'));
      database = await leg.create();
    });
    after(async () => {
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('its files and commands work, and the records answer the question', async () => {
      // The guide assumes the service's folder. This folder looks like it and is writable.
      for (const name of ['node_modules', 'core', 'plugins', 'datamodels', 'pipeline-config', 'manifests']) {
        symlinkSync(inProject(name), join(folder, name));
      }
      cpSync(inProject('package.json'), join(folder, 'package.json'));
      cpSync(inProject('dist'), join(folder, 'dist'), { recursive: true });
      mkdirSync(join(folder, 'bin'));
      cpSync(inProject('bin', 'svc'), join(folder, 'bin', 'svc'));

      const files = [...text.matchAll(/`(local\/[^`]+)`[^\n]*\n\n```\w+\n([\s\S]*?)^```/gm)];
      expect(files.map(([, path]) => path)).to.include([
        'local/datamodels/sleep-night.yaml',
        'local/pipeline-config/sleep-diary/transform.xsl',
        'local/manifests/user/sleep/manifest.json',
      ]);
      expect(files.length).to.equal(10);
      for (const [, path, content] of files) {
        mkdirSync(dirname(join(folder, path!)), { recursive: true });
        writeFileSync(join(folder, path!), content!);
      }
      const chosen = parse(/```env\n([\s\S]*?)```/.exec(text)![1]!);
      const env = environment({ SVC_DATABASE_URL: database.url, ...chosen });
      const said: string[] = [];
      for (const command of /```sh\n([\s\S]*?)```/.exec(text)![1]!.trim().split('\n')) {
        const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
        said.push(stdout);
      }
      expect(said[0]).to.contain('all fine');
      expect(said[1]).to.contain('SleepNight').and.to.contain('6.5').and.to.contain('7.5');
      expect(said[2]).to.contain('fact_sleepnight');
      expect(said[4]).to.contain('sleep@clinic.example');

      const inFolder = (name: string): string =>
        (chosen[name] ?? '')
          .split(':')
          .map((path) => join(folder, path))
          .join(':');
      const service = await startService(
        { name: leg.name, create: () => Promise.resolve({ url: database.url, drop: () => Promise.resolve() }) },
        {
          ...Object.fromEntries(Object.keys(chosen).map((name) => [name, inFolder(name)])),
          SVC_MANIFESTS_DIR: `${inFolder('SVC_MANIFESTS_DIR')}:${appSecrets}`,
        },
      );
      await createAccount(service.call, 'ann@people.example', 'Ann Lee');
      const recordId = await createRecord(service.call, 'ann@people.example');
      const ann = await signIn(service.call, 'ann@people.example');
      succeeded(
        await service.call(ann, 'PUT', `/records/${recordId}/apps/${encodeURIComponent('sleep@clinic.example')}`),
      );
      const app = { consumer: { key: 'sleep@clinic.example', secret: 'replace-this-by-thirty-random-bytes' } };
      const pairs = new URLSearchParams(
        succeeded(
          await service.call(
            app,
            'POST',
            `/apps/${encodeURIComponent(app.consumer.key)}/records/${recordId}/access_token`,
          ),
        ).text,
      );
      const token = { key: pairs.get('oauth_token')!, secret: pairs.get('oauth_token_secret')! };
      const sample = readFileSync(join(folder, 'local/pipeline-config/sleep-diary/sample-two-nights.xml'));
      succeeded(await service.call({ ...app, token }, 'POST', `/records/${recordId}/documents/`, { body: sample }));
      const question = /^GET (\S+)$/m.exec(text)![1]!.replace('{RECORD_ID}', recordId);
      const answer = JSON.parse(
        succeeded(await service.call({ ...app, token }, 'GET', `${question}&response_format=application/json`)).text,
      ) as object[];
      expect(answer).to.equal([{ __modelname__: 'AggregateReport', group: '2026-01', value: 7 }]);
      expect(child((await service.call(admin, 'GET', '/apps/sleep%40clinic.example')).text, 'name')).to.equal(
        'Sleep diary',
      );
      expect((await service.call(null, 'GET', '/openapi.json')).text).to.contain('SleepNight');

      const heard = (ear: string, hertz: number, threshold: number): string =>
        `<Model name="HearingThreshold"><Field name="measured_on">2026-01-0${threshold / 5}</Field><Field name="ear">${ear}</Field>` +
        `<Field name="hertz">${hertz}</Field><Field name="threshold">${threshold}</Field></Model>`;
      const body = `<Models>${heard('left', 1000, 15)}${heard('left', 1000, 25)}${heard('right', 4000, 40)}</Models>`;
      succeeded(await service.call(ann, 'POST', `/records/${recordId}/documents/`, { body }));
      const site = makeSite(service.running.server, 'de');
      await site.submit(await site.open('/my/sign-in'), { username: 'ann@people.example', password: PASSWORD });
      const page = await site.open(`/my/records/${recordId}/data/HearingThreshold`);
      const shown = readable(page);
      expect(shown).to.contain(['Hörtests', 'Gemessen am', 'Ohr', 'links', 'rechts', '1.000', 'dB']);
      expect(shown).to.not.contain('left').and.to.not.contain('Hearing');
      expect(page.text).to.contain('<svg');
      const timeline = readable(await site.open(`/my/records/${recordId}/timeline`));
      expect(timeline).to.contain('rechts, 4.000 Hz');
      const form = (await site.open(`/my/records/${recordId}/add/HearingThreshold`)).text;
      expect(form).to.contain(['Von 125 bis 8000', '<option value="left">links</option>']);
      await service.stop();
    });
  });
}

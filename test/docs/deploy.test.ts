/** deploy: everything that the files for operators name exists: metrics, settings, commands, units. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { parse } from 'yaml';
import { inProject } from '../../core/base/paths';
import { settings } from '../../core/config/schema';
import { databases } from '../support/databases';
import { startService } from '../support/server';

export const lab = Lab.script();
const { describe, it } = lab;

const folder = inProject('docs/deploy');
const files = readdirSync(folder);
const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
const expressions = (text: string): readonly string[] => [...text.matchAll(/\bsvc_[a-z0-9_]+/g)].map(([name]) => name);

type Rules = {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
};
type Dashboard = {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
};

describe('docs/deploy', () => {
  it('asks for metrics that the service has', async () => {
    const service = await startService(databases[0]!);
    try {
      await service.running.server.inject({ method: 'GET', url: '/version' });
      const { payload } = await service.running.server.inject({ method: 'GET', url: '/metrics' });
      const present = new Set([...payload.matchAll(/^([a-z0-9_]+)(?:\{| )/gm)].map(([, name]) => name!));
      const declared = new Set([...payload.matchAll(/^# TYPE ([a-z0-9_]+)/gm)].map(([, name]) => name!));
      const rules = (parse(read('alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);
      const panels = (JSON.parse(read('grafana-dashboard.json')) as Dashboard).panels;
      const asked = [
        ...rules.map(({ expr }) => expr),
        ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ];
      expect(asked.length).to.be.at.least(15);
      const names = [...new Set(asked.flatMap(expressions))];
      expect(names.length).to.be.at.least(8);
      // Counters of documents are exported only after the first document.
      expect(names.filter((name) => !present.has(name) && !declared.has(name))).to.equal([]);
    } finally {
      await service.stop();
    }
  });

  it('names settings and commands that exist', () => {
    const known = new Set(Object.keys(settings));
    const text = [...files.map(read), readFileSync(inProject('Containerfile'), 'utf8')].join('\n');
    const named = [...new Set([...text.matchAll(/\bSVC_[A-Z_]+/g)].map(([name]) => name))];
    expect(named.length).to.be.at.least(6);
    // SVC_NAME is the host name for the proxy; compose asks for it.
    expect(named.filter((name) => name !== 'SVC_NAME' && !known.has(name))).to.equal([]);
  });

  it('has a compose file whose secrets, networks and volumes are declared', () => {
    const compose = parse(read('compose.yaml')) as Record<string, Record<string, Record<string, unknown>>>;
    const missing = (names: readonly string[], what: string): readonly string[] =>
      names.filter((name) => !Object.hasOwn(compose[what] ?? {}, name));
    for (const service of Object.values(compose['services']!)) {
      for (const what of ['secrets', 'networks']) {
        const given = service[what] ?? [];
        // A network may come with the address of the service in it.
        expect(missing(Array.isArray(given) ? (given as string[]) : Object.keys(given), what)).to.equal([]);
      }
      const volumes = ((service['volumes'] as string[] | undefined) ?? []).map((volume) => volume.split(':')[0]!);
      expect(missing(volumes, 'volumes').filter((name) => !name.startsWith('.'))).to.equal([]);
    }
    // The service believes the proxy's own address about its callers, and no other one.
    const { svc, proxy } = compose['services'] as Record<string, Record<string, Record<string, unknown>>>;
    expect(svc!['environment']!['SVC_TRUSTED_PROXIES']).to.equal(
      (proxy!['networks']!['outside'] as Record<string, unknown>)['ipv4_address'],
    );
    expect(existsSync(inProject('Containerfile'))).to.be.true();
  });

  it('has units that refuse the system calls they do not allow, and whose commands can all read the key', () => {
    const units = files.filter((name) => name.endsWith('.service'));
    expect(units.length).to.be.at.least(3);
    for (const unit of units) {
      const text = read(unit);
      // Node.js tries system calls that no set of systemd contains. Without an error number for them systemd would kill
      // it at its start.
      expect(text, unit)
        .to.match(/^SystemCallFilter=/m)
        .and.to.match(/^SystemCallErrorNumber=EPERM$/m);
      expect(text, unit).to.match(/^StateDirectoryMode=0700$/m);
      // Only commands of ExecStart can read the files of LoadCredential.
      expect(text, unit).to.not.match(/^ExecStart(?:Pre|Post)=/m);
    }
  });

  const analyze = '/usr/bin/systemd-analyze';
  it('has units that are hardened', { skip: !existsSync(analyze) }, () => {
    for (const unit of files.filter((name) => name.endsWith('.service'))) {
      const said = execFileSync(analyze, ['security', '--offline=yes', `${folder}/${unit}`], { encoding: 'utf8' });
      const exposure = Number(/exposure level for \S+: (\d+\.\d)/.exec(said)?.[1]);
      expect(exposure, unit).to.be.below(3);
    }
  });
});

/**
 * reader-break-out: what an attacker finds after breaking into a reader process. A module plays the broken engine and
 * tries the network, other processes, the database, secret files, writing and signals. With bubblewrap it finds
 * nothing; without it, the environments of the service still contain no secret.
 */
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { secretSettings } from '../../core/config/environment';
import { inProject } from '../../core/base/paths';
import { protection } from '../../core/pipeline/readers/reader-sandbox';
import { noteFormat, noteXml, openTestReader, transformFormat, type TestReader } from '../support/formats';
import { serve } from '../support/svc';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const KEY = 'only for tests: 0123456789abcdef';

/** Reports, in the title of its fact, which of the attempts in the document's text succeeded. */
const burglar = `
const fs = require('node:fs'), net = require('node:net');
const asks = (value) => { try { return Boolean(value()); } catch { return false; } };
const connects = (port) => new Promise((done) => {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('connect', () => done(true)).on('error', () => done(false));
});
module.exports = async (document) => {
  const { port, parent, database, key, folder } = JSON.parse(document.root.text());
  const others = () => fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
  const found = {
    network: await connects(port),
    processes: asks(() => others().length > 3),
    environment: asks(() => others().some((id) => asks(() => fs.readFileSync('/proc/' + id + '/environ', 'utf8').includes(key)))),
    memory: asks(() => fs.openSync('/proc/' + parent + '/mem', 'r')),
    signal: asks(() => process.kill(parent, 0)),
    database: asks(() => fs.readFileSync(database)),
    dotenv: asks(() => fs.readdirSync(${JSON.stringify(inProject())}).includes('README.md')),
    writing: asks(() => { fs.writeFileSync(folder + '/was-here', 'x'); return true; }),
    home: asks(() => fs.readdirSync('/etc').includes('passwd')),
  };
  return { __modelname__: 'Note', title: Object.keys(found).filter((name) => found[name]).join(' ') || 'nothing' };
};`;

describe('who breaks into a reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-break-in-'));
  const database = join(folder, 'svc.sqlite');
  const path = process.env['PATH'];
  let listener: Server;
  let reader: TestReader | undefined;
  before(async () => {
    writeFileSync(database, 'rows');
    listener = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
  });
  after(async () => {
    process.env['PATH'] = path;
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const tries = async (): Promise<string> => {
    reader = await openTestReader(
      { ...noteFormat, ...transformFormat('Burglar', 't.js', burglar) },
      { transformSeconds: 30, xmlWorkers: 2 },
    );
    try {
      const asked = {
        port: (listener.address() as AddressInfo).port,
        parent: process.pid,
        database,
        key: KEY,
        folder: reader.folder,
      };
      expect((await reader.read(noteXml('<title>fine</title>'))).facts).to.have.length(1);
      const { facts } = await reader.read(
        Buffer.from(`<Burglar xmlns="urn:test:note">${JSON.stringify(asked)}</Burglar>`),
      );
      return String(facts[0]?.values['title']);
    } finally {
      expect(existsSync(join(reader.folder, 'was-here'))).to.equal(!protection().holds);
      await reader.close();
    }
  };

  it('finds nothing where bubblewrap works', async (flags: { note: (text: string) => void }) => {
    if (!protection().holds && process.env['SVC_REQUIRE_SANDBOX'] !== '1') {
      flags.note(`bubblewrap does not work here: ${protection().reason}`);
      return;
    }
    expect(await tries()).to.equal('nothing');
  });

  it('finds what the user of the service finds where there is no bubblewrap, and the doctor says why', async () => {
    process.env['PATH'] = folder;
    let found: string;
    try {
      expect(protection()).to.equal({ holds: false, reason: 'bubblewrap (bwrap) is not installed' });
      found = await tries();
    } finally {
      process.env['PATH'] = path;
    }
    expect(found.split(' ')).to.include(['network', 'processes', 'signal', 'database', 'writing']);
  });

  for (const args of [[], ['--workers', '2']]) {
    it(`finds no secret in the environments of \`svc serve ${args.join(' ')}\``, async () => {
      const served = await serve(
        {
          SVC_SECRET_KEY: KEY,
          SVC_DATABASE_URL: `sqlite:${join(folder, `${args.length}.sqlite`)}`,
          SVC_SMTP_URL: 'smtp://u:geheim@localhost:1',
          OTEL_EXPORTER_OTLP_HEADERS: 'key=geheim',
          OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'key=geheim',
        },
        args,
      );
      const ids = [served.process.pid!];
      for (const id of ids) {
        const { stdout } = spawnSync('pgrep', ['-P', String(id)], { encoding: 'utf8' });
        ids.push(...stdout.split('\n').filter(Boolean).map(Number));
      }
      const environments = ids.map((id) =>
        existsSync(`/proc/${id}`) ? readFileSync(`/proc/${id}/environ`, 'utf8') : '',
      );
      const arguments_ = ids.map((id) =>
        existsSync(`/proc/${id}`) ? readFileSync(`/proc/${id}/cmdline`, 'utf8') : '',
      );
      expect(ids.length).to.be.at.least(args.length === 0 ? 2 : 5);
      expect(
        environments.filter((text) => text.includes(KEY) || text.includes('geheim') || text.includes('.sqlite')),
      ).to.equal([]);
      expect(arguments_.filter((text) => text.includes(KEY) || text.includes('geheim'))).to.equal([]);
      const health = await fetch(`${served.url}/health/ready`);
      expect(health.status).to.equal(200);
      expect(await served.stop('SIGTERM')).to.equal(0);
    });
  }

  it('is looked at by a list of secret settings that bin/svc shares', () => {
    const shell = readFileSync(inProject('bin', 'svc'), 'utf8');
    expect(/^for name in (.*); do$/m.exec(shell)?.[1]?.split(' ')).to.equal([...secretSettings]);
    for (const name of secretSettings) {
      expect(shell).to.include([`\${${name}:+${name}=$${name}}`, `[ -z "$${name}" ] || unset ${name}`]);
    }
  });
});

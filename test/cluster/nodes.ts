/** nodes: three mariadbd that form one Galera cluster on loopback. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findMariadb, freePort } from '../support/mariadb';
import { until } from '../support/receiver';

const providers = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so', '/usr/lib/libgalera_smm.so'];
const provider = providers.find((path) => existsSync(path));

/** True when this machine has all that a cluster needs. */
export const clusterPossible = (): boolean =>
  provider !== undefined && findMariadb() !== undefined && ['mariabackup', 'socat', 'lsof', 'rsync'].every((name) => ['/usr/bin', '/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name))));

export type Node = {
  readonly name: string;
  /** host:port for SQL. */
  readonly address: string;
  readonly start: (first?: boolean) => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly sql: (statement: string) => string;
  /** It is one of the cluster and has caught up. */
  readonly synced: () => boolean;
  readonly log: () => string;
};

type Ports = { readonly sql: number; readonly group: number; readonly ist: number; readonly sst: number };

const takePorts = async (): Promise<Ports> => ({ sql: await freePort(), group: await freePort(), ist: await freePort(), sst: await freePort() });

/** In a file and not on the command line, where the backup tool of the state transfer finds and refuses some of them. */
const inFile = [
  'innodb_buffer_pool_size=64M', 'innodb_log_file_size=32M', 'innodb_autoinc_lock_mode=2', 'innodb_flush_log_at_trx_commit=1', 'max_connections=200', 'binlog_format=ROW', 'default_storage_engine=InnoDB',
];

const makeNode = (name: string, folder: string, ports: Ports, peers: readonly Ports[]): Node => {
  const user = userInfo().username;
  const socket = join(folder, 'socket');
  const data = join(folder, 'data');
  const logFile = join(folder, 'log');
  execFileSync('mkdir', ['-p', folder]);
  execFileSync('mariadb-install-db', ['--no-defaults', `--datadir=${data}`, `--user=${user}`, '--auth-root-authentication-method=normal', '--skip-test-db'], { stdio: 'pipe' });
  // A file of its own, because the transfer scripts would read the machine's.
  const settings = join(folder, 'my.cnf');
  writeFileSync(settings, `[mariadbd]\n${inFile.join('\n')}\n[sst]\nsst-syslog=-1\n`);
  let child: ChildProcess | undefined;
  const sql = (statement: string): string =>
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-N', '-e', statement], { stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 }).toString().trim();
  const synced = (): boolean => {
    try {
      return sql("show status like 'wsrep_local_state_comment'").endsWith('Synced') && sql("show status like 'wsrep_ready'").endsWith('ON');
    } catch {
      return false;
    }
  };
  const begin = (first: boolean): ChildProcess => {
    const log = openSync(logFile, 'a');
    return spawn(findMariadb()!, [
      `--defaults-file=${settings}`, `--user=${user}`, `--datadir=${data}`, `--socket=${socket}`, `--port=${ports.sql}`, '--bind-address=127.0.0.1', '--skip-name-resolve',
      `--pid-file=${join(folder, 'pid')}`,
      '--wsrep-on=ON', `--wsrep-provider=${provider!}`, '--wsrep-cluster-name=svc-test', `--wsrep-node-name=${name}`, `--wsrep-node-address=127.0.0.1`,
      `--wsrep-cluster-address=gcomm://${peers.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
      '--wsrep-sst-method=mariabackup', '--wsrep-sst-auth=root:', `--wsrep-sst-receive-address=127.0.0.1:${ports.sst}`,
      `--wsrep-provider-options=base_port=${ports.group};gmcast.listen_addr=tcp://127.0.0.1:${ports.group};ist.recv_addr=127.0.0.1:${ports.ist};gcache.size=128M;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.inactive_check_period=PT0.5S;evs.keepalive_period=PT0.5S`,
      ...(first ? ['--wsrep-new-cluster'] : []),
    ], { stdio: ['ignore', log, log] });
  };
  return {
    name, sql, synced,
    address: `127.0.0.1:${ports.sql}`,
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : ''),
    start: async (first = false) => {
      child = begin(first);
      await until(() => {
        if (child!.exitCode !== null || child!.signalCode !== null) {
          throw new Error(`node ${name} ended with ${child!.exitCode ?? child!.signalCode}: ${readFileSync(logFile, 'utf8').slice(-3000)}`);
        }
        return synced();
      }, 120_000, `node ${name} synced`);
    },
    kill: async () => {
      if (child && child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => { child!.once('exit', resolve); });
        child.kill('SIGKILL');
        await ended;
      }
    },
  };
};

export type Cluster = { readonly nodes: readonly Node[]; readonly stop: () => Promise<void> };

/** Starts the first node, then lets the others join it. */
export const startCluster = async (): Promise<Cluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cluster-'));
  const ports = [await takePorts(), await takePorts(), await takePorts()];
  const nodes = ports.map((own, index) => makeNode(`node${index + 1}`, join(folder, `node${index + 1}`), own, ports));
  for (const [index, node] of nodes.entries()) {
    await node.start(index === 0);
  }
  nodes[0]!.sql('create database svc');
  return {
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

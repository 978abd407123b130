/** nodes: three mariadbd processes that form one Galera cluster on loopback. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findMariadb } from '../support/mariadb';
import { freePort } from '../support/ports';
import { sleep } from '../support/receiver';

const providers = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib/libgalera_smm.so',
];
const provider = providers.find((path) => existsSync(path));

const tools = ['mariadb-install-db', 'mariadb', 'mariadb-backup', 'socat', 'lsof', 'rsync'];
const folders = ['/usr/bin', '/usr/sbin', '/bin', '/sbin'];

/** The programs of a cluster that this machine lacks. */
export const missingPrograms = (): readonly string[] => [
  ...(findMariadb() === undefined ? ['mariadbd'] : []),
  ...(provider === undefined ? ['galera-4'] : []),
  ...tools.filter((name) => !folders.some((folder) => existsSync(join(folder, name)))),
];

export type Node = {
  readonly name: string;
  readonly data: string;
  /** host:port for SQL connections. */
  readonly address: string;
  readonly start: (first?: boolean) => Promise<void>;
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Stops the node without ending it, like a machine that hangs or has lost its network. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Removes its position in the log of changes, so that its next start copies everything from another node. */
  readonly forget: () => void;
  readonly sql: (statement: string) => string;
  /** Whether it is a member of the cluster and has caught up. */
  readonly synced: () => boolean;
  /** How many members it sees in the cluster. A node that was frozen still reports the old number at first. */
  readonly knows: () => number;
  /** How its last start caught up: by a full copy, or by the changes that it had missed. */
  readonly caughtUpBy: () => 'copy' | 'increment' | 'nothing';
  readonly log: () => string;
};

type Ports = { readonly sql: number; readonly group: number; readonly ist: number; readonly sst: number };

const takePorts = async (): Promise<Ports> => ({
  sql: await freePort(),
  group: await freePort(),
  ist: await freePort(),
  sst: await freePort(),
});

/**
 * These settings are in a file because the backup tool of the state transfer would refuse some of them on the command
 * line.
 */
const inFile = [
  'innodb_buffer_pool_size=64M',
  'innodb_log_file_size=32M',
  'innodb_autoinc_lock_mode=2',
  'innodb_flush_log_at_trx_commit=1',
  'max_connections=200',
  'binlog_format=ROW',
  'default_storage_engine=InnoDB',
];

const START_MILLISECONDS = 240_000;

const makeNode = (
  name: string,
  folder: string,
  ports: Ports,
  peers: readonly Ports[],
  suspectSeconds: number,
  // eslint-disable-next-line max-lines-per-function -- its inner functions share the state at its top
): Node => {
  const user = userInfo().username;
  const socket = join(folder, 'socket');
  const data = join(folder, 'data');
  const logFile = join(folder, 'log');
  mkdirSync(folder, { recursive: true });
  // A settings file of its own, because the transfer scripts would otherwise read that of the machine.
  const settings = join(folder, 'my.cnf');
  writeFileSync(settings, `[mariadbd]\n${inFile.join('\n')}\n[sst]\nsst-syslog=-1\nsst-log-archive=0\n`);
  let child: ChildProcess | undefined;
  /** Length of the log file when the node was last started. */
  let started = 0;
  const sql = (statement: string): string =>
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-N', '-e', statement], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    })
      .toString()
      .trim();
  const synced = (): boolean => {
    try {
      return (
        sql("show status like 'wsrep_local_state_comment'").endsWith('Synced') &&
        sql("show status like 'wsrep_ready'").endsWith('ON')
      );
    } catch {
      return false;
    }
  };
  const log = (): string => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  const own = [
    `--defaults-file=${settings}`,
    `--user=${user}`,
    `--datadir=${data}`,
    `--socket=${socket}`,
    `--pid-file=${join(folder, 'pid')}`,
    '--wsrep-on=ON',
    `--wsrep-provider=${provider!}`,
    `--wsrep-cluster-address=gcomm://${peers.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
    '--wsrep-sst-method=mariabackup',
    '--wsrep-sst-auth=root:',
  ];
  /**
   * The position that a killed node had reached, as `galera_recovery` finds it for systemd. Without it every restart
   * would need a full copy.
   */
  const recovered = (): readonly string[] => {
    if (!existsSync(join(data, 'grastate.dat'))) {
      return [];
    }
    const { stderr } = spawnSync(findMariadb()!, [...own, '--wsrep-recover', '--disable-log-error'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 60_000,
    });
    const position = /WSREP: Recovered position:\s*([\da-f-]{36}:\d+)/.exec(stderr.toString())?.[1];
    return position === undefined ? [] : [`--wsrep-start-position=${position}`];
  };
  const begin = (first: boolean): ChildProcess => {
    const position = first ? [] : recovered();
    started = log().length;
    const output = openSync(logFile, 'a');
    const server = spawn(
      findMariadb()!,
      [
        ...own,
        `--port=${ports.sql}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        '--wsrep-cluster-name=svc-test',
        `--wsrep-node-name=${name}`,
        '--wsrep-node-address=127.0.0.1',
        `--wsrep-sst-receive-address=127.0.0.1:${ports.sst}`,
        `--wsrep-provider-options=base_port=${ports.group};gmcast.listen_addr=tcp://127.0.0.1:${ports.group};ist.recv_addr=127.0.0.1:${ports.ist};gcache.size=128M;evs.suspect_timeout=PT${suspectSeconds}S;evs.inactive_timeout=PT${2 * suspectSeconds}S;evs.inactive_check_period=PT0.5S;evs.keepalive_period=PT0.5S`,
        ...position,
        ...(first ? ['--wsrep-new-cluster'] : []),
      ],
      { stdio: ['ignore', output, output], detached: true },
    );
    closeSync(output);
    return server;
  };
  /** Ends the scripts of a state transfer, which outlive the server and wait at its port for minutes. */
  const endScripts = (): void => {
    try {
      process.kill(-child!.pid!, 'SIGKILL');
    } catch {
      // There is no script left.
    }
  };
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => {
        child!.once('exit', resolve);
      });
      child.kill(signal);
      await ended;
    }
    if (child) {
      endScripts();
    }
  };
  return {
    name,
    sql,
    synced,
    log,
    data,
    knows: () => Number(sql("show status like 'wsrep_cluster_size'").split('\t')[1]),
    address: `127.0.0.1:${ports.sql}`,
    caughtUpBy: () => {
      const since = log().slice(started);
      if (/Proceeding with SST/.test(since)) {
        return 'copy';
      }
      return /WSREP: IST received/.test(since) ? 'increment' : 'nothing';
    },
    forget: () => {
      rmSync(join(data, 'grastate.dat'), { force: true });
    },
    freeze: () => {
      child?.kill('SIGSTOP');
    },
    thaw: () => {
      child?.kill('SIGCONT');
    },
    start: async (first = false) => {
      child = begin(first);
      for (const end = Date.now() + START_MILLISECONDS; !synced(); await sleep(200)) {
        const aborted = child.signalCode === 'SIGABRT';
        if (child.exitCode !== null || (child.signalCode !== null && !aborted) || Date.now() > end) {
          throw new Error(
            `node ${name} ${Date.now() > end ? 'is not one of the cluster' : `ended with ${child.exitCode ?? child.signalCode}`}: ${log().slice(-3000)}`,
          );
        }
        // A node that gives up joining ends, and systemd starts it again. A node that stays up outside the cluster must
        // be restarted by its operator.
        if (aborted || /WSREP: Applier thread exiting/.test(log().slice(started))) {
          await kill('SIGKILL');
          child = begin(first);
        }
      }
    },
    kill,
  };
};

export type Cluster = {
  readonly nodes: readonly Node[];
  readonly form: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts one node alone and the others on copies of its files. A state transfer to each would take 10 seconds, for
 * which its script sleeps.
 */
const form = async (nodes: readonly Node[]): Promise<void> => {
  const [first, ...others] = nodes as [Node, ...Node[]];
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${first.data}`,
      `--user=${userInfo().username}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    { stdio: 'pipe' },
  );
  await first.start(true);
  first.sql('create database svc');
  await first.kill('SIGTERM');
  for (const { data } of others) {
    cpSync(first.data, data, { recursive: true, filter: (path) => !path.endsWith('gvwstate.dat') });
  }
  await first.start(true);
  for (const node of others) {
    await node.start();
  }
};

/**
 * Makes three nodes of one cluster, with an empty database `svc`.
 * @param suspectSeconds how long a node may be silent before the others treat it as lost
 */
export const makeCluster = async (suspectSeconds: number): Promise<Cluster> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-cluster-'));
  const ports = [await takePorts(), await takePorts(), await takePorts()];
  const nodes = ports.map((own, index) =>
    makeNode(`node${index + 1}`, join(folder, `node${index + 1}`), own, ports, suspectSeconds),
  );
  return {
    nodes,
    form: () => form(nodes),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

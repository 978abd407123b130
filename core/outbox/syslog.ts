/**
 * syslog: sends audit rows to a syslog server. A delivery of the outbox names rows of one chain, which are read when it
 * is sent. The rows stay in the log, so that none is lost, whatever happens on the way.
 */
import { createSocket } from 'node:dgram';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { wireTime } from '../base/clock';
import type { Config } from '../config/schema';
import type { Database } from '../db/database';
import { readChain, type ChainRow } from '../audit/store';
import { auditMessage } from './audit-message';
import type { Kind } from './kind';
import { framed, syslogLine, type SyslogMessage, type SyslogPayload } from './syslog-line';

const WAIT = 10_000;
const HOUR = 3600;
/** A delivery is never given up. */
const HUNDRED_YEARS = 3_153_600_000;

type Target = { readonly scheme: string; readonly host: string; readonly port: number };

function targetOf(address: string): Target {
  const [, scheme = '', host = '', port = ''] = /^(\w+):\/\/(.*):(\d+)$/.exec(address) ?? [];
  return { scheme, host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

type Send = (lines: readonly Buffer[]) => Promise<void>;

/** Sends lines as datagrams, whose arrival is not confirmed. */
function byDatagrams({ host, port }: Target): Send {
  return async (lines) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    try {
      for (const line of lines) {
        await new Promise<void>((resolve, reject) => {
          socket.send(line, port, host, (error) => (error ? reject(error) : resolve()));
        });
      }
    } finally {
      socket.close();
    }
  };
}

/** A receiver that closes a connection without reading it does so within this time. */
const EARLY = 100;

/**
 * Sends lines on a connection. Syslog has no acknowledgement. A server that has read everything closes its side after
 * we have closed ours. A server that closes with something unread resets the connection, or closes it before us. In
 * every other case, all lines are sent again.
 */
function byStream(open: () => Socket): Send {
  return (lines) =>
    new Promise((resolve, reject) => {
      const socket = open();
      let ended = false;
      const fail = (error: Error): void => {
        socket.destroy();
        reject(error);
      };
      const over = (): void => {
        if (ended) {
          resolve();
        } else {
          fail(Object.assign(new Error('closed too early'), { code: 'ECONNRESET' }));
        }
      };
      socket.setTimeout(WAIT, () => fail(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
      socket.once('error', fail);
      socket.once('end', over);
      socket.once('close', over);
      // Reads whatever the server says, so that its end is seen.
      socket.resume();
      socket.write(Buffer.concat(lines.map(framed)), () => {
        setTimeout(() => {
          ended = !socket.destroyed;
          socket.end();
        }, EARLY);
      });
    });
}

function syslogSender(address: string): Send {
  const target = targetOf(address);
  const { scheme, host, port } = target;
  switch (scheme) {
    case 'udp':
      return byDatagrams(target);
    case 'tls':
      return byStream(() =>
        connectTls({ host, port, minVersion: 'TLSv1.2', ...(isIP(host) === 0 ? { servername: host } : {}) }),
      );
    default:
      return byStream(() => connectTcp({ host, port }));
  }
}

function messageOf(row: ChainRow, host: string): SyslogMessage {
  return {
    at: wireTime(String(row['requested_at'])),
    host,
    id: 'DICOM+RFC3881',
    severity: Number(row['status']) < 400 ? 5 : 4,
    text: auditMessage(row, host),
  };
}

/** The number of rows for one connection. */
const PART = 500;

/** @returns undefined if no server is named: then no rows are added, and waiting rows go on waiting */
export function syslogKind(
  { auditSyslog }: Pick<Config, 'auditSyslog'>,
  { reads }: Pick<Database, 'reads'>,
): Kind | undefined {
  if (auditSyslog === '') {
    return undefined;
  }
  const send = syslogSender(auditSyslog);
  const host = hostname();
  return {
    deliver: async (payload) => {
      const what = payload as SyslogPayload;
      if ('head' in what) {
        await send([syslogLine({ at: wireTime(what.at), host, id: 'audit-head', severity: 5, text: what.head })]);
        return;
      }
      for (let after = what.after; after < what.to;) {
        const rows = await readChain(reads, what.chain, after, Math.min(PART, what.to - after));
        if (rows.length === 0) {
          return;
        }
        await send(rows.map((row) => syslogLine(messageOf(row, host))));
        after = Number(rows[rows.length - 1]!['writer_seq']);
      }
    },
    retryAfterSeconds: (attempts) => Math.min(HOUR, 5 * 2 ** (attempts - 1)),
    giveUpAfterSeconds: HUNDRED_YEARS,
    atOnce: 2,
    leavesNothing: true,
  };
}

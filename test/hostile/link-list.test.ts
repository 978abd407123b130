/**
 * link-list: hostile links and cards are given to the website, one after the other. SVC_TEST_LINKS says how many (60 if it
 * does not; `npm run tool hostile-links` gives 500), SVC_TEST_SEED which. None reaches a private address, is answered by
 * 500, stores anything, or makes the service large or slow.
 */
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { databases } from '../support/databases';
import { startGiver, type Giver } from '../support/links-of-others';
import { expectQuick } from '../support/quick';
import { randomFrom } from '../support/random';
import { startService, type TestService } from '../support/server';
import { formsOf } from '../support/site';
import { makeSiteRecord, type SiteRecord } from '../support/site-record';
import { hostileLinks, privateLink, type HostileLink } from './link-list';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const COUNT = Number(process.env['SVC_TEST_LINKS'] ?? 60);
const SEED = Number(process.env['SVC_TEST_SEED'] ?? 77);
/** Seconds of processor time for one link, in the service and its readers: a busy machine needs more of the clock. */
const MOST_SECONDS = 15;
const MOST_BYTES = 250_000_000;

/** Ticks in a second. */
const TICKS = 100;
const PAGE_BYTES = 4096;

type Process = { readonly pid: number; readonly seconds: number; readonly bytes: number };

/** This process and those that it has started, as they are now; one may end meanwhile. */
function processesNow(pid = process.pid): readonly Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const numbers = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (Number(numbers[11]) + Number(numbers[12])) / TICKS;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
    const inner = children.flatMap((child) => processesNow(Number(child)));
    return [{ pid, seconds, bytes: Number(numbers[21]) * PAGE_BYTES }, ...inner];
  } catch {
    return [];
  }
}

/** The processor time of all of them, also of those that have ended, and the most bytes that the others had at a time. */
function watchProcesses() {
  const seconds = new Map<number, number>();
  let mostOfReaders = 0;
  const look = (): void => {
    const all = processesNow();
    all.forEach((one) => seconds.set(one.pid, one.seconds));
    mostOfReaders = Math.max(mostOfReaders, ...all.slice(1).map(({ bytes }) => bytes));
  };
  const timer = setInterval(look, 50);
  return {
    secondsUsed: (): number => {
      look();
      return [...seconds.values()].reduce((sum, one) => sum + one, 0);
    },
    mostOfReaders: (): number => mostOfReaders,
    stop: () => clearInterval(timer),
  };
}

function atShare(values: readonly number[], share: number): string {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
}

describe(`hostile links and cards (seed ${SEED})`, () => {
  let giver: Giver;
  let trap: Server;
  let trapped = 0;
  before(async () => {
    giver = await startGiver();
    trap = createServer((socket) => {
      trapped += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, resolve));
  });
  after(async () => {
    await giver.close();
    await new Promise((resolve) => trap.close(resolve));
  });

  const storedIn = async ({ call }: TestService, { credentials, recordId }: SiteRecord): Promise<string> =>
    /total_document_count="(\d+)"/.exec((await call(credentials, 'GET', `/records/${recordId}/documents/`)).text)![1]!;

  /** Gives all of them. */
  const giveAll = async (service: TestService, links: readonly HostileLink[]) => {
    const made = await makeSiteRecord(service);
    const base = `/my/records/${made.recordId}`;
    const stored = await storedIn(service, made);
    const before = process.memoryUsage().rss;
    const watch = watchProcesses();
    const [used, waited]: [number[], number[]] = [[], []];
    let [growth, dearest] = [0, ''];
    for (const { name, text, passcode, isRefused } of links) {
      const form = formsOf(await made.owner.open(`${base}/add`)).find(({ fields }) => fields['what'] === 'link')!;
      const [began, at] = [watch.secondsUsed(), performance.now()];
      const { status } = await made.owner.post(`${base}/add`, {
        ...{ ...form.fields, link: text },
        ...(passcode === undefined ? {} : { passcode }),
      });
      waited.push((performance.now() - at) / 1000);
      const seconds = watch.secondsUsed() - began;
      expect([name, isRefused ? status >= 400 : status >= 200, status < 500]).to.equal([name, true, true]);
      dearest = seconds > Math.max(0, ...used) ? name : dearest;
      used.push(seconds);
      growth = Math.max(growth, process.memoryUsage().rss - before);
    }
    watch.stop();
    expect(await storedIn(service, made)).to.equal(stored);
    expect(Math.max(...used), dearest).to.be.below(MOST_SECONDS);
    expect(growth).to.be.below(MOST_BYTES);
    expectQuick(Math.max(...waited), MOST_SECONDS, 'seconds by the clock');
    const told = (values: readonly number[]): string =>
      `p50 ${atShare(values, 0.5)}, p99 ${atShare(values, 0.99)}, most ${atShare(values, 1)} s`;
    process.stdout.write(
      `\n${links.length} links: processor ${told(used)} (${dearest.slice(0, 60)}); clock ${told(waited)}; ` +
        `service ${Math.round(growth / 1e6)} MB more, a reader at most ${Math.round(watch.mostOfReaders() / 1e6)} MB\n`,
    );
  };
  const making = (start: number) => ({ random: randomFrom(start), giver, trap: (trap.address() as AddressInfo).port });

  it('reach no private address', async () => {
    const socket = connect((trap.address() as AddressInfo).port, '127.0.0.1');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(trapped).to.equal(1);
    const service = await startService(databases[0]!, { SVC_RATE_CONSUMER_PER_MINUTE: '0' });
    try {
      const count = Math.ceil(COUNT / 3);
      await giveAll(
        service,
        Array.from({ length: count }, (_, index) => privateLink(making(SEED + index))),
      );
      // That was the one above.
      expect(trapped).to.equal(1);
    } finally {
      await service.stop();
    }
  });

  it('are refused, or looked at without harm', async () => {
    const settings = { SVC_RATE_CONSUMER_PER_MINUTE: '0', SVC_CALLBACK_ALLOW_PRIVATE: '1' };
    const service = await startService(databases[0]!, settings);
    try {
      await giveAll(service, hostileLinks(making(SEED), COUNT - Math.ceil(COUNT / 3)));
    } finally {
      await service.stop();
    }
  });
});

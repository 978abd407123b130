/**
 * received-links: a link that a stranger made leads into this network, never ends, is far too large, or pretends to be
 * something else. Nothing private is asked, and nothing is stored.
 */
import { randomBytes } from 'node:crypto';
import { connect, createServer as createPlain, type AddressInfo, type Server } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateRawSync } from 'node:zlib';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { LinkRefused } from '../../core/received/failures';
import { askGuarded } from '../../core/received/guarded-request';
import { receive } from '../../core/received/receive';
import {
  answerEndlessly,
  cardOf,
  digitsOf,
  linkText,
  makeIssuer,
  sealedFile,
  startGiver,
  type Giver,
} from '../support/links-of-others';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const HOSTS = [
  'localhost',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.3.4',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fd00::1]',
  '[ff02::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:db8::1]',
  '127.0.0.1.',
  'localhost.',
];

describe('links of strangers', () => {
  let giver: Giver;
  let trap: Server;
  let trapped = 0;
  let port = 0;
  const key = randomBytes(32);
  before(async () => {
    giver = await startGiver();
    trap = createPlain((socket) => {
      trapped += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, resolve));
    ({ port } = trap.address() as AddressInfo);
  });
  after(async () => {
    await giver.close();
    trap.close();
  });

  const stepOf = async (text: string, allowPrivate = true): Promise<string> => {
    try {
      await receive({ text, passcode: '', recipient: 'x', now: Date.now(), allowPrivate });
      return 'read';
    } catch (error) {
      if (error instanceof LinkRefused) {
        return error.step;
      }
      throw error;
    }
  };
  const to = (url: string, flag = 'U'): string => linkText({ url, flag, key: key.toString('base64url') });

  it('reach no address of this machine or its network, however it is written', async () => {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(trapped).to.equal(1);
    for (const host of HOSTS) {
      for (const flag of ['U', '']) {
        const step = await stepOf(to(`https://${host}:${port}/x`, flag), false);
        expect([host, ['closed', 'unreachable'].includes(step)]).to.equal([host, true]);
      }
    }
    expect(trapped).to.equal(1);
  });

  it('use no other way than https', async () => {
    for (const url of ['http://example.org/x', 'ftp://example.org/', 'file:///etc/passwd', 'data:,x', 'javascript:1']) {
      expect([url, await stepOf(to(url), false), await stepOf(to(url))]).to.equal([url, 'closed', 'closed']);
    }
    expect(await stepOf(to('https://user:pass@example.org/x'), false)).to.equal('closed');
  });

  it('are looked at again at each redirect, three at most', async () => {
    const file = sealedFile('{"resourceType":"Patient"}', key);
    giver.answers.set('/end', () => ({ body: file }));
    [1, 2, 3, 4].forEach((left) =>
      giver.answers.set(`/hop${left}`, () => ({ status: 302, location: left === 1 ? '/end' : `/hop${left - 1}` })),
    );
    expect(await stepOf(to(`${giver.base}/hop3`))).to.equal('read');
    expect(await stepOf(to(`${giver.base}/hop4`))).to.equal('unreachable');
    giver.answers.set('/out', () => ({ status: 307, location: 'http://10.0.0.1/x' }));
    giver.answers.set('/file', () => ({ status: 301, location: 'file:///etc/passwd' }));
    giver.answers.set('/odd', () => ({ status: 301, location: 'http://[::' }));
    expect(await stepOf(to(`${giver.base}/out`))).to.equal('closed');
    expect(await stepOf(to(`${giver.base}/file`))).to.equal('closed');
    expect(await stepOf(to(`${giver.base}/odd`))).to.equal('unreachable');
  });

  it('are given up when they are too large: bombs, endless answers, manifests of 50,000 files', async () => {
    const bomb = sealedFile(Buffer.alloc(100_000_000), key, { zip: true });
    giver.answers.set('/bomb', () => ({ body: bomb }));
    giver.answers.set('/endless', () => answerEndlessly);
    const many = Array.from({ length: 50_000 }, () => ({ embedded: 'x' }));
    giver.answers.set('/many', () => ({ type: 'application/json', body: JSON.stringify({ files: many }) }));
    for (const odd of ['[null]', '[7]', '["x"]', '[[]]', '[{}]', '[{"location":{}}]']) {
      giver.answers.set('/odd-list', () => ({ type: 'application/json', body: `{"files":${odd}}` }));
      expect([odd, await stepOf(to(`${giver.base}/odd-list`, ''))]).to.equal([odd, 'unreachable']);
    }
    const deep = `{"files":${'['.repeat(100_000)}`;
    giver.answers.set('/deep', () => ({ type: 'application/json', body: deep }));
    const before = process.memoryUsage().rss;
    expect(await stepOf(to(`${giver.base}/bomb`))).to.equal('large');
    expect(await stepOf(to(`${giver.base}/endless`))).to.equal('large');
    expect(await stepOf(to(`${giver.base}/many`, ''))).to.equal('large');
    expect(await stepOf(to(`${giver.base}/deep`, ''))).to.equal('empty');
    expect(process.memoryUsage().rss - before).to.be.below(250_000_000);
  });

  it('are given up after ten seconds where nothing is said, or a letter at a time', async () => {
    giver.answers.set('/mute', () => () => undefined);
    giver.answers.set('/drip', () => (response) => {
      const timer = setInterval(() => response.write('A'), 100);
      response.on('close', () => clearInterval(timer));
    });
    setFlagsFromString('--expose-gc');
    const collect = setInterval(runInNewContext('gc') as () => void, 500);
    const open = { allowPrivate: true, deadline: new AbortController().signal };
    const asked = { method: 'GET', accept: 'application/jose', mostBytes: 1_000_000 } as const;
    const asking = ['/mute', '/drip'].map((path) =>
      askGuarded({ ...asked, url: `${giver.base}${path}` }, open).catch((error: LinkRefused) => error.step),
    );
    // Nothing else ends them.
    const late = new Promise((resolve) => setTimeout(resolve, 60_000, 'late').unref());
    expect(await Promise.all(asking.map((one) => Promise.race([one, late])))).to.equal(['unreachable', 'unreachable']);
    clearInterval(collect);
  });

  it('cannot make the same trouble with cards', async () => {
    const issuer = makeIssuer(giver);
    const far = cardOf({ ...issuer, iss: 'https://169.254.169.254/latest' }, { resourceType: 'Bundle' });
    const files = await receive({
      text: `shc:/${digitsOf(far)}`,
      passcode: '',
      recipient: 'x',
      now: Date.now(),
      allowPrivate: false,
    });
    expect(files[0]!.signature).to.equal('unchecked');
    const bomb = `${Buffer.from('{"alg":"ES256","zip":"DEF"}').toString('base64url')}.${deflateRawSync(
      Buffer.alloc(50_000_000),
    ).toString('base64url')}.AA`;
    expect(await stepOf(JSON.stringify({ verifiableCredential: [bomb] }))).to.equal('large');
    for (const text of [
      '{"verifiableCredential":{}}',
      '{"verifiableCredential":[1]}',
      '{"verifiableCredential":["a.b.c.d"]}',
    ]) {
      expect(['none', 'empty'].includes(await stepOf(text))).to.equal(true);
    }
    expect(await stepOf(`shc:/1/99/${'12'.repeat(50)}`)).to.equal('none');
  });
});

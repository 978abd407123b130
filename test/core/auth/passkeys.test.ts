/** passkeys: at which addresses browsers make them, and which answers are valid. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { passkeyPlace, readNewPasskey, readShownPasskey } from '../../../core/auth/passkeys';
import { makeAuthenticator, type Bent } from '../../support/authenticator';

export const lab = Lab.script();
const { describe, it } = lab;

const ORIGIN = 'https://health.example:8443';
const PLACE = { host: 'health.example', origin: ORIGIN };
const CHALLENGE = Buffer.from('a challenge of the tests, long enough').toString('base64url');
const asked = { challenge: CHALLENGE };

describe('where passkeys are made', () => {
  for (const [address, place] of [
    ['https://health.example:8443/below', PLACE],
    ['https://health.example', { host: 'health.example', origin: 'https://health.example' }],
    ['http://localhost:8080', { host: 'localhost', origin: 'http://localhost:8080' }],
    ['http://svc.localhost', { host: 'svc.localhost', origin: 'http://svc.localhost' }],
    ['http://127.0.0.1:8080', 'number'],
    ['https://192.0.2.7', 'number'],
    ['https://[2001:db8::7]:8443', 'number'],
    ['http://health.example', 'insecure'],
    ['http://notlocalhost', 'insecure'],
  ] as const) {
    it(`${address}: ${typeof place === 'string' ? `none, ${place}` : place.host}`, () => {
      expect(passkeyPlace(address)).to.equal(place);
    });
  }
});

describe('an answer of a browser that made a passkey', () => {
  it('counts, with the transports that are known', async () => {
    const key = makeAuthenticator(ORIGIN);
    const made = await readNewPasskey(PLACE, CHALLENGE, key.make(asked));
    expect([made?.credentialId, made?.counter, made?.transports]).to.equal([key.id, 1, ['usb']]);
  });

  it('does not count with an id that is longer than the standard allows', async () => {
    const sizes = [1023, 1100].map(async (bytes) => {
      const sent = makeAuthenticator(ORIGIN, true, bytes).make(asked);
      return (await readNewPasskey(PLACE, CHALLENGE, sent)) !== undefined;
    });
    expect(await Promise.all(sizes)).to.equal([true, false]);
  });

  const x5c = (format: string): Bent => ({
    attestation: [
      format,
      new Map<string, number | Buffer | readonly Buffer[]>([
        ['alg', -7],
        ['sig', Buffer.alloc(70)],
        ['x5c', [Buffer.alloc(40)]],
      ]),
    ],
  });
  const bent: Readonly<Record<string, Bent>> = {
    'another origin': { origin: 'https://health.example' },
    'an origin that begins alike': { origin: `${ORIGIN}.evil.example` },
    'another host': { rpId: 'evil.example' },
    'a host above': { rpId: 'example' },
    'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
    'another purpose': { type: 'webauthn.get' },
    'nobody present': { absent: true },
    'certificates of its maker': x5c('packed'),
    'certificates in another format': x5c('fido-u2f'),
  };
  for (const [what, one] of Object.entries(bent)) {
    it(`does not count with ${what}, and asks nobody`, async () => {
      const before = globalThis.fetch;
      let fetched = 0;
      globalThis.fetch = () => {
        fetched += 1;
        return Promise.reject(new Error('no network'));
      };
      try {
        expect(await readNewPasskey(PLACE, CHALLENGE, makeAuthenticator(ORIGIN).make(asked, one))).to.be.undefined();
        expect(fetched).to.equal(0);
      } finally {
        globalThis.fetch = before;
      }
    });
  }

  for (const sent of ['', 'null', '[]', '{', '{"id":"x"}', '{"id":"x","response":{}}', '{"id":1,"response":{}}']) {
    it(`does not count when it is ${sent || 'empty'}`, async () => {
      expect(await readNewPasskey(PLACE, CHALLENGE, sent)).to.be.undefined();
      expect(await readShownPasskey(PLACE, CHALLENGE, [], sent)).to.be.undefined();
    });
  }
});

describe('what a passkey signed', () => {
  const held = async () => {
    const key = makeAuthenticator(ORIGIN);
    const made = (await readNewPasskey(PLACE, CHALLENGE, key.make(asked)))!;
    return { key, passkey: { ...made, id: 'p', name: 'Key', createdAt: '', lastUsedAt: null } };
  };

  it('counts, and says how often it signed', async () => {
    const { key, passkey } = await held();
    expect(await readShownPasskey(PLACE, CHALLENGE, [passkey], key.show(asked))).to.equal({ id: 'p', counter: 2 });
  });

  const bent: Readonly<Record<string, Bent>> = {
    'another origin': { origin: 'http://health.example:8443' },
    'another host': { rpId: 'evil.example' },
    'another challenge': { challenge: Buffer.alloc(32).toString('base64url') },
    'another purpose': { type: 'webauthn.create' },
    'nobody present': { absent: true },
    'a count that has not grown': { counter: 1 },
    'a signature that is none': { signature: Buffer.from('3006020101020101', 'hex') },
  };
  for (const [what, one] of Object.entries(bent)) {
    it(`does not count with ${what}`, async () => {
      const { key, passkey } = await held();
      expect(await readShownPasskey(PLACE, CHALLENGE, [passkey], key.show(asked, one))).to.be.undefined();
    });
  }

  it('does not count when another passkey signed in its name', async () => {
    const [{ passkey }, { key }] = [await held(), await held()];
    const forged = {
      ...(JSON.parse(key.show(asked)) as object),
      id: passkey.credentialId,
      rawId: passkey.credentialId,
    };
    expect(await readShownPasskey(PLACE, CHALLENGE, [passkey], JSON.stringify(forged))).to.be.undefined();
  });
});

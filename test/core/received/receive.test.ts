/**
 * receive: links and cards as clinics, apps and issuers give them, made again from the catalogue of the profile and from
 * the base specification: what is read, and at which step the others are refused.
 */
import { randomBytes } from 'node:crypto';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { LinkRefused } from '../../../core/received/failures';
import { receive, type ReceivedFile } from '../../../core/received/receive';
import {
  attestedAs,
  attestedBy,
  cardOf,
  damaged,
  digitsOf,
  linkText,
  makeIssuer,
  sealedFile,
  startGiver,
  type Giver,
} from '../../support/links-of-others';

export const lab = Lab.script();
const { describe, it, before, after } = lab;

const NOW = Date.parse('2026-11-28T12:00:00Z');
const LATER = Math.floor(NOW / 1000) + 3600;
const BUNDLE = JSON.stringify({
  resourceType: 'Bundle',
  type: 'collection',
  timestamp: '2026-11-28T11:00:00Z',
  entry: [
    { fullUrl: 'urn:uuid:1', resource: { resourceType: 'Patient', name: [{ family: 'Ångström' }] } },
    { fullUrl: 'urn:uuid:2', resource: { resourceType: 'Condition', subject: { reference: 'urn:uuid:1' } } },
  ],
});

describe('links and cards of others', () => {
  let giver: Giver;
  let key: Buffer;
  before(async () => {
    giver = await startGiver();
    key = randomBytes(32);
  });
  after(() => giver.close());

  const get = (text: string, passcode = '', allowPrivate = true): Promise<readonly ReceivedFile[]> =>
    receive({ text, passcode, recipient: 'A personal health record', now: NOW, allowPrivate });
  const payload = (more: object = {}, path = '/file') => ({
    url: `${giver.base}${path}`,
    flag: 'U',
    key: key.toString('base64url'),
    exp: LATER,
    ...more,
  });
  const serve = (body = sealedFile(BUNDLE, key), path = '/file'): void => {
    giver.answers.set(path, () => ({ body }));
  };
  const stepOf = async (text: string, passcode = '', allowPrivate = true): Promise<string> => {
    try {
      await get(text, passcode, allowPrivate);
      return 'read';
    } catch (error) {
      if (error instanceof LinkRefused) {
        return [error.step, error.detail].filter((part) => part !== '').join(' ');
      }
      throw error;
    }
  };

  it('are read bare, behind a viewer and in a sentence, with every label, with the bytes as decrypted', async () => {
    serve();
    const texts = [
      linkText(payload()),
      linkText(payload(), 'https://viewer.example/open#'),
      `Here it is: ${linkText(payload())} . Bye`,
      linkText(payload({ label: 'Alice — Lee' })),
      linkText(payload({ label: 'José Müller' })),
    ];
    for (const text of texts) {
      const files = await get(text);
      expect(files.map(({ bytes, from, signature }) => [bytes.toString('utf8'), from, signature])).to.equal([
        [BUNDLE, giver.host, null],
      ]);
    }
    expect((await get(texts[4]!))[0]!.name).to.equal('José Müller');
    const { url, method, cookie } = giver.asked.at(-1)!;
    expect([method, cookie]).to.equal(['GET', '']);
    expect(new URL(url, giver.base).searchParams.get('recipient')).to.equal('A personal health record');
  });

  it('are read with keys and payloads of every letter, and inflated', async () => {
    const odd = Buffer.alloc(32, 0xfb);
    expect(odd.toString('base64url')).to.contain('-').and.contain('_');
    giver.answers.set('/odd', () => ({ body: sealedFile(BUNDLE, odd, { zip: true }) }));
    const text = linkText(payload({ key: odd.toString('base64url'), label: '???>>>' }, '/odd'));
    expect(await stepOf(text)).to.equal('read');
  });

  it('are taken by the base specification where only the profile refuses them', async () => {
    serve();
    const { exp: _exp, ...endless } = payload();
    expect(await stepOf(linkText(endless))).to.equal('read');
    serve(sealedFile(BUNDLE.replace('"collection"', '"document"'), key));
    expect(await stepOf(linkText(payload()))).to.equal('read');
  });

  it('say at which step they go wrong', async () => {
    serve();
    const good = linkText(payload());
    giver.answers.set('/damaged', () => ({ body: damaged(sealedFile(BUNDLE, key)) }));
    giver.answers.set('/words', () => ({ body: sealedFile('Good day', key) }));
    giver.answers.set('/gone', () => ({ status: 410 }));
    giver.answers.set('/broken', () => ({ status: 500 }));
    const cases: readonly (readonly [string, string])[] = [
      ['hello', 'none'],
      ['', 'none'],
      [good.slice(0, good.length - 20), 'none'],
      [linkText(payload({ key: 'short' })), 'none'],
      [linkText(payload({ url: 'not an address' })), 'none'],
      [linkText(payload({ flag: 'UP' })), 'flags'],
      [linkText(payload({ exp: LATER - 7200 })), 'expired 2026-11-28'],
      [linkText(payload({}, '/nowhere')), 'gone'],
      [linkText(payload({}, '/gone')), 'gone'],
      [linkText(payload({}, '/broken')), 'unreachable'],
      [linkText(payload({}, '/damaged')), 'sealed'],
      [linkText(payload({ key: randomBytes(32).toString('base64url') })), 'sealed'],
      [linkText(payload({}, '/words')), 'empty'],
      [linkText(payload({ flag: 'P' })), 'passcode'],
    ];
    for (const [text, step] of cases) {
      expect([await stepOf(text), text.slice(0, 30)]).to.equal([step, text.slice(0, 30)]);
    }
  });

  it('are fetched by their manifest, embedded and by location, and with a passcode', async () => {
    giver.answers.set('/one', () => ({ body: sealedFile(BUNDLE, key, { zip: true }) }));
    giver.answers.set('/manifest', ({ body }) => {
      const { passcode, recipient } = JSON.parse(body) as { passcode?: string; recipient: string };
      return passcode === '123456' && recipient === 'A personal health record'
        ? {
            type: 'application/json',
            body: JSON.stringify({
              files: [
                { contentType: 'application/fhir+json', location: `${giver.base}/one` },
                { contentType: 'application/fhir+json', embedded: sealedFile(BUNDLE, key) },
                { contentType: 'application/smart-api-access', embedded: sealedFile('{"aud":"x"}', key) },
              ],
            }),
          }
        : { status: 401, type: 'application/json', body: '{"remainingAttempts":4}' };
    });
    for (const flag of ['P', 'LP']) {
      const text = linkText(payload({ flag }, '/manifest'));
      const before = giver.asked.length;
      expect(await stepOf(text)).to.equal('passcode');
      expect(giver.asked.length).to.equal(before);
      expect(await stepOf(text, 'wrong')).to.equal('wrong 4');
      expect((await get(text, '123456')).length).to.equal(2);
    }
    giver.answers.set('/plain', () => ({
      type: 'application/json',
      body: JSON.stringify({ files: [{ contentType: 'application/fhir+json', embedded: sealedFile(BUNDLE, key) }] }),
    }));
    for (const flag of ['', 'L']) {
      expect((await get(linkText(payload({ flag }, '/plain')))).length).to.equal(1);
    }
  });

  it('say which app has made them, if its key has signed that, and are read all the same if not', async () => {
    const bundle = JSON.parse(BUNDLE) as object;
    const madeWith = async (more: object, slashes = '/'): Promise<string> => {
      const text = JSON.stringify({ ...bundle, ...more }).replaceAll('/', slashes);
      serve(sealedFile(text, key), '/made');
      const [file] = await get(linkText(payload({}, '/made')));
      expect(file!.bytes.toString('utf8')).to.equal(text);
      return file!.madeWith;
    };
    const [app, other, lost] = [makeIssuer(giver), makeIssuer(giver), makeIssuer(giver, { lost: true })];
    expect(await madeWith(attestedBy(app))).to.equal(giver.host);
    expect(await madeWith(attestedBy(app), '\\/')).to.equal(giver.host);
    const asked = giver.asked.length;
    for (const claims of [{ iat: LATER }, { iat: 'x' }, { jti: '' }, { iss: 7 }, { iss: 'app' }]) {
      expect(await madeWith(attestedBy(app, claims)), JSON.stringify(claims)).to.equal('');
    }
    for (const text of ['', 'nothing', 'e30.e30.AA', 'a.b.c.d', 'x'.repeat(9000)]) {
      expect(await madeWith(attestedAs(text)), text).to.equal('');
    }
    // Nobody was asked for a key but the giver for its files.
    expect(giver.asked.slice(asked).filter(({ url }) => !url.startsWith('/made'))).to.equal([]);
    expect(await madeWith(attestedBy({ ...app, key: other.key }))).to.equal('');
    expect(await madeWith(attestedBy({ ...app, kid: other.kid }))).to.equal('');
    expect(await madeWith(attestedBy(lost))).to.equal('');
    expect(await madeWith(attestedBy({ ...app, iss: 'http://10.0.0.1/' }))).to.equal('');
    expect(await madeWith({})).to.equal('');
  });

  it('are cards, whose signature is checked with the keys of their issuer', async () => {
    const bundle = JSON.parse(BUNDLE) as object;
    const issuer = makeIssuer(giver);
    const [good, lost] = [cardOf(issuer, bundle), cardOf(makeIssuer(giver, { lost: true }), bundle)];
    const wrong = `${good.slice(0, good.lastIndexOf('.'))}.${cardOf(issuer, {}).split('.')[2]}`;
    const signatureOf = async (card: string) => (await get(`shc:/${digitsOf(card)}`))[0]!.signature;
    expect([await signatureOf(good), await signatureOf(lost), await signatureOf(wrong)]).to.equal([
      'checked',
      'unchecked',
      'wrong',
    ]);
    const [file] = await get(`shc:/${digitsOf(good)}`);
    expect([file!.from, file!.expired, JSON.parse(file!.bytes.toString('utf8'))]).to.equal([giver.host, '', bundle]);
    const digits = digitsOf(good);
    const cut = 2 * Math.floor(digits.length / 4);
    const parts = [`shc:/2/2/${digits.slice(cut)}`, `shc:/1/2/${digits.slice(0, cut)}`];
    expect((await get(parts.join('\n'))).length).to.equal(1);
    expect(await stepOf(parts[0]!)).to.equal('none');
    expect((await get(JSON.stringify({ verifiableCredential: [good, lost] }))).length).to.equal(2);
    const old = await get(`shc:/${digitsOf(cardOf(issuer, bundle, { exp: 1_700_000_000 }))}`);
    expect([old[0]!.expired, old[0]!.signature]).to.equal(['2023-11-14', 'checked']);
    giver.answers.set('/card', () => ({
      body: sealedFile(JSON.stringify({ verifiableCredential: [good] }), key, { cty: 'application/smart-health-card' }),
    }));
    expect((await get(linkText(payload({}, '/card'))))[0]!.signature).to.equal('checked');
    expect(await stepOf(`shc:/${digitsOf(cardOf(issuer, bundle, { vc: {} }))}`)).to.equal('empty');
  });

  it('are cards whose numbers keep their digits, and whose depth stops nothing', async () => {
    const issuer = makeIssuer(giver);
    const bundle = { ...(JSON.parse(BUNDLE) as object), total: 'here' };
    const carded = (put: string): string =>
      `shc:/${digitsOf(cardOf(issuer, bundle, {}, (text) => text.replace('"here"', put)))}`;
    const [file] = await get(carded('7.50'));
    expect([file!.signature, file!.bytes.toString('utf8')]).to.equal([
      'checked',
      JSON.stringify(bundle).replace('"here"', '7.50'),
    ]);
    const large = await get(carded('12345678901234567890'));
    expect(large[0]!.bytes.toString('utf8')).to.contain(':12345678901234567890');
    expect(await stepOf(carded(`${'['.repeat(200_000)}${']'.repeat(200_000)}`))).to.equal('none');
  });
});

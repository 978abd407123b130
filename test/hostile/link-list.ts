/**
 * link-list: makes hostile links and cards, of each kind in turn and otherwise by chance, and says what a giver answers
 * behind them.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import {
  answerEndlessly,
  cardOf,
  digitsOf,
  linkText,
  makeIssuer,
  sealedFile,
  type Giver,
} from '../support/links-of-others';
import { below, pick, type Random } from '../support/random';

/** One hostile link or card. */
export type HostileLink = {
  readonly name: string;
  readonly text: string;
  readonly passcode?: string;
  /** Whether it can only be refused; others may be read, and are never stored by that. */ readonly isRefused: boolean;
};

type Making = {
  readonly random: Random;
  readonly giver: Giver;
  /** Where nothing may arrive. */ readonly trap: number;
};
type Make = (making: Making) => HostileLink;

const KEY = randomBytes(32);
const key = KEY.toString('base64url');
const BUNDLE = '{"resourceType":"Bundle","type":"collection","entry":[]}';

let paths = 0;
/** Serves something at an address of its own. */
function serve({ giver }: Making, answer: Parameters<Giver['answers']['set']>[1]): string {
  const path = `/hostile-${(paths += 1)}`;
  giver.answers.set(path, answer);
  return `${giver.base}${path}`;
}
const linkTo = (url: unknown, flag: unknown = 'U', more: object = {}): string => linkText({ url, flag, key, ...more });
const refused = (name: string, text: string, more: Partial<HostileLink> = {}): HostileLink => ({
  ...{ name, text, isRefused: true },
  ...more,
});
const maybe = (name: string, text: string): HostileLink => ({ name, text, isRefused: false });
const served = (making: Making, name: string, body: string, isRefused = true): HostileLink => ({
  ...{ name, isRefused },
  text: linkTo(serve(making, () => ({ body }))),
});

const octet = (random: Random): number => below(random, 256);
/** An IPv4 address of each private, special or documentary kind. */
const PRIVATE: readonly ((random: Random) => readonly number[])[] = [
  (random) => [127, octet(random), octet(random), octet(random)],
  (random) => [10, octet(random), octet(random), octet(random)],
  (random) => [172, 16 + below(random, 16), octet(random), octet(random)],
  (random) => [192, 168, octet(random), octet(random)],
  (random) => [169, 254, octet(random), octet(random)],
  (random) => [100, 64 + below(random, 64), octet(random), octet(random)],
  (random) => [0, octet(random), octet(random), octet(random)],
  (random) => [198, 18 + below(random, 2), octet(random), octet(random)],
  (random) => [224 + below(random, 32), octet(random), octet(random), octet(random)],
  (random) => [192, 0, pick(random, [0, 2]), octet(random)],
];
const hex = (number: number): string => number.toString(16);
const whole = ([a, b, c, d]: readonly number[]): number => ((a! * 256 + b!) * 256 + c!) * 256 + d!;
const halves = ([a, b, c, d]: readonly number[]): string => `${hex(a! * 256 + b!)}:${hex(c! * 256 + d!)}`;
/** The ways in which an address can be written. */
const WRITTEN: readonly ((ip: readonly number[]) => string)[] = [
  (ip) => ip.join('.'),
  (ip) => `${ip.join('.')}.`,
  (ip) => String(whole(ip)),
  (ip) => `0x${hex(whole(ip))}`,
  (ip) => ip.map((part) => `0${part.toString(8)}`).join('.'),
  (ip) => ip.map((part) => `0x${hex(part)}`).join('.'),
  ([a, ...rest]) => `${a}.${whole([0, ...rest])}`,
  (ip) => ip.join('.').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (ip) => ip.join('\u3002'),
  (ip) => `[::ffff:${ip.join('.')}]`,
  (ip) => `[::${halves(ip)}]`,
  (ip) => `[64:ff9b::${halves(ip)}]`,
  (ip) => `[2002:${halves(ip)}::1]`,
];
const NAMED = ['localhost', 'LOCALHOST.', 'a.localhost', 'ip6-localhost', '[::1]', '[::]', '[fe80::1]', '[fd12::9]'];

/** Links that lead to a private address. They are given where private addresses may not be asked. */
export const privateLink: Make = ({ random, trap }) => {
  const host = below(random, 5) === 0 ? pick(random, NAMED) : pick(random, WRITTEN)(pick(random, PRIVATE)(random));
  const user = below(random, 8) === 0 ? 'example.org@' : '';
  const scheme = pick(random, ['https', 'https', 'https', 'http', 'HTTPS', 'ftp', 'wss']);
  const url = `${scheme}://${user}${host}:${trap}/x`;
  if (below(random, 4) === 0) {
    const issuer = { iss: url, kid: 'x', key: makeIssuer({ base: '', answers: new Map() } as unknown as Giver).key };
    return maybe(`card of ${url}`, `shc:/${digitsOf(cardOf(issuer, { resourceType: 'Bundle' }))}`);
  }
  return refused(`link to ${url}`, linkTo(url, pick(random, ['U', '', 'L', 'LP'])), { passcode: 'x' });
};

const badPayload: Make = ({ random, giver }) => {
  const url = `${giver.base}/nothing`;
  const payload = pick<unknown>(random, [
    null,
    7,
    [url],
    { url },
    { url, key: [key] },
    { url, key: `${key}A` },
    { url: [url], key },
    { url: 'x'.repeat(12_000), key },
    { url: `${giver.base}/${'x'.repeat(12_000)}`, key, flag: 'U' },
    { url, key, flag: { U: 1 } },
    { url, key, flag: 'UP' },
    { url, key, flag: 'U', exp: -1e308 },
    { url, key, flag: 'U', exp: 1e-308 },
    { url, key, flag: 'U', label: '\u202e\u0000'.repeat(2000) },
    JSON.parse(`{"__proto__":{"url":"${url}","key":"${key}"}}`),
    { constructor: { prototype: { url, key } } },
  ]);
  return refused(`payload ${JSON.stringify(payload).slice(0, 60)}`, linkText(payload as object));
};

const noise: Make = ({ random }) => {
  const length = 1 + below(random, 3000);
  const letters = Array.from({ length }, () => String.fromCodePoint(below(random, 0x2fff))).join('');
  const digits = Array.from({ length }, () => below(random, 10)).join('');
  const text = pick(random, [
    `shlink:/${Buffer.from(letters).toString('base64url')}`,
    `shlink:/${letters}`,
    `shc:/${digits}`,
    `shc:/1/${below(random, 100)}/${digits}`,
    `shc:/0/0/${digits}`,
    'shc:/1/2/12'.repeat(500),
    `{"verifiableCredential":["${digits}"]}`,
    letters,
  ]);
  return refused('noise', text);
};

function jwe(head: unknown, iv: Buffer, tagBytes: number): string {
  const coded = Buffer.from(typeof head === 'string' ? head : JSON.stringify(head)).toString('base64url');
  const cipher = createCipheriv('aes-256-gcm', KEY, iv).setAAD(Buffer.from(coded));
  const sealed = Buffer.concat([cipher.update(BUNDLE), cipher.final()]);
  const parts = [iv, sealed, cipher.getAuthTag().subarray(0, tagBytes)].map((part) => part.toString('base64url'));
  return [coded, '', ...parts].join('.');
}

const badFile: Make = (making) => {
  const { random } = making;
  const good = { alg: 'dir', enc: 'A256GCM' };
  const file = pick(random, [
    sealedFile(BUNDLE, randomBytes(32)),
    `${sealedFile(BUNDLE, KEY)}A`.replace(/.{3}$/, 'AAA'),
    sealedFile(BUNDLE, KEY).slice(0, -below(random, 60) - 1),
    jwe(good, randomBytes(12), 4 + below(random, 12)),
    jwe(good, randomBytes(16), 16),
    jwe({ ...good, alg: 'none' }, randomBytes(12), 16),
    jwe({ ...good, enc: 'A128CBC-HS256' }, randomBytes(12), 16),
    jwe({ ...good, zip: 'DEF' }, randomBytes(12), 16),
    jwe({ ...good, zip: 'GZIP' }, randomBytes(12), 16),
    jwe('null', randomBytes(12), 16),
    jwe('[[[[', randomBytes(12), 16),
    '....',
    '.'.repeat(100_000),
    '',
    '\u0000'.repeat(1000),
    sealedFile('not health data', KEY),
  ]);
  return served(making, 'file', file);
};

/** Made once: they are large to make, and small to send. */
const BOMB = sealedFile(Buffer.alloc(100_000_000), KEY, { zip: true });
const CARD_BOMB = deflateRawSync(Buffer.alloc(50_000_000)).toString('base64url');

const bomb: Make = (making) => {
  const { random } = making;
  const head = Buffer.from('{"alg":"ES256","zip":"DEF"}').toString('base64url');
  return pick(random, [
    () => served(making, 'bomb', BOMB),
    () => refused('card bomb', JSON.stringify({ verifiableCredential: [`${head}.${CARD_BOMB}.AA`] })),
    () => {
      const files = [{ embedded: BOMB }, { embedded: BOMB }];
      const url = serve(making, () => ({ type: 'application/json', body: JSON.stringify({ files }) }));
      return refused('bombs in a manifest', linkTo(url, ''));
    },
  ])();
};

const manifest: Make = (making) => {
  const { random, giver } = making;
  const many = pick(random, [51, 1000, 50_000]);
  const files = pick<unknown>(random, [
    Array.from({ length: many }, () => ({ embedded: 'x' })),
    [null],
    [7],
    {},
    'files',
    [],
    [{ location: 'file:///etc/passwd' }],
    [{ location: 'http://10.0.0.1/' }],
    [{ location: `${giver.base}/nothing` }],
    [{ location: { toString: 'x' } }],
    [{ embedded: {}, location: 7 }],
    [{ contentType: 'application/smart-api-access', embedded: sealedFile(BUNDLE, KEY) }],
  ]);
  const body = pick(random, [JSON.stringify({ files }), JSON.stringify({ files }), '['.repeat(200_000), 'null', '']);
  const url = serve(making, () => ({ type: 'application/json', body }));
  return refused(`manifest ${body.slice(0, 60)}`, linkTo(url, pick(random, ['', 'L'])));
};

const attempts: Make = (making) => {
  const left = pick(making.random, ['"<b>"', '1e308', '-1', '{}', 'null', '99999999999999999999', '[]']);
  const body = `{"remainingAttempts":${left}}`;
  const url = serve(making, () => ({ status: 401, type: 'application/json', body }));
  return refused(`tries ${left}`, linkTo(url, 'P'), { passcode: 'x' });
};

const statuses: Make = (making) => {
  const { random, giver } = making;
  const location = pick(random, ['file:///etc/passwd', 'http://[::', '//', 'http://10.1.2.3/', '', `${giver.base}/`]);
  const status = pick(random, [204, 206, 301, 302, 307, 308, 399, 401, 418, 500, 503]);
  const url = serve(making, ({ url: own }) => ({ status, location: location || own, body: 'x' }));
  return refused(`status ${status} ${location}`, linkTo(url));
};

const endless: Make = (making) => {
  const url = serve(making, () => answerEndlessly);
  return refused('endless', linkTo(url, pick(making.random, ['U', ''])));
};

/** Says nothing, or a letter at a time, for longer than anybody waits. */
function drip(response: ServerResponse, isMute: boolean): void {
  if (!isMute) {
    response.writeHead(200, { 'content-type': 'application/jose' });
    const timer = setInterval(() => response.write('A'), 200);
    response.on('close', () => clearInterval(timer));
  }
}

const slow: Make = (making) => {
  const isMute = below(making.random, 2) === 0;
  const url = serve(making, () => (response) => drip(response, isMute));
  return refused(isMute ? 'mute' : 'slow', linkTo(url, pick(making.random, ['U', ''])));
};

const giant: Make = (making) => {
  const { random } = making;
  const deep = 10_000 + below(random, 90_000);
  const content = pick(random, [
    () => `{"resourceType":"Bundle","type":"collection","entry":[${'{},'.repeat(500_000)}{}]}`,
    () => `{"resourceType":"Bundle","x":${'['.repeat(deep)}${']'.repeat(deep)}}`,
    () => `{"resourceType":"Patient","name":[${'{"family":"x"},'.repeat(200_000)}{}]}`,
    () => `{"resourceType":"Bundle","type":"collection","entry":[{"resource":{"resourceType":"${'x'.repeat(9e6)}"}}]}`,
    () => `{"resourceType":"Bundle","${'"'.repeat(100)}`,
    () => '{"resourceType":{"resourceType":[]},"__proto__":{"type":"collection"}}',
    () =>
      `{"resourceType":"Bundle","meta":{"extension":[{"url":"app-attestation","valueString":"${'.'.repeat(4000)}"}]}}`,
  ])();
  const body = sealedFile(content, KEY, { zip: below(random, 2) === 0 });
  return served(making, `giant JSON ${content.slice(0, 60)}`, body, false);
};

const card: Make = (making) => {
  const { random, giver } = making;
  const issuer = makeIssuer(giver, { lost: below(random, 2) === 0 });
  const bundle = pick<object>(random, [
    { resourceType: 7 },
    { resourceType: 'Bundle', type: 'collection', entry: 'all' },
    { resourceType: 'Bundle', type: 'collection', entry: [{ resource: null }, { resource: [] }] },
    { resourceType: 'Bundle', entry: [{ fullUrl: 'resource:0', resource: { resourceType: 'Patient', name: 7 } }] },
  ]);
  const jws = cardOf(issuer, bundle, pick<object>(random, [{}, { exp: 1e300 }, { exp: 'x' }, { nbf: {} }]));
  const text = pick(random, [
    `shc:/${digitsOf(jws)}`,
    JSON.stringify({ verifiableCredential: Array.from({ length: 1 + below(random, 40) }, () => jws) }),
    JSON.stringify({ verifiableCredential: [jws.replace(/\.[^.]*$/, '.AAAA')] }),
  ]);
  return maybe('card', text);
};

const manyCards: Make = () =>
  refused(
    'a thousand cards',
    JSON.stringify({ verifiableCredential: Array.from({ length: 1000 }, () => 'e30.e30.A') }),
  );

/** Slow ones are few, because each takes as long as a request may. */
const QUICK = [badPayload, noise, badFile, badFile, bomb, manifest, manifest, attempts, statuses, endless, giant, card];

/** So many of them, of each kind in turn. Those that lead to private addresses are made by `privateLink`. */
export function hostileLinks(making: Making, count: number): readonly HostileLink[] {
  const rare = (index: number): Make => (index % 60 === 29 ? manyCards : QUICK[index % QUICK.length]!);
  return Array.from({ length: count }, (_, index) => (index % 30 === 14 ? slow : rare(index))(making));
}

/** signature: headers are read strictly; base strings and signatures follow RFC 5849. */
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import {
  BadCredentials,
  baseString,
  isForm,
  parseAuthorization,
  percentEncode,
  sign,
  verifyBody,
  verifySignature,
  type SignedRequest,
} from '../../../core/auth/signature';

export const lab = Lab.script();
const { describe, it } = lab;

const BASE = 'https://phr.example.org';

const headerOf = (values: Record<string, string>): string =>
  `OAuth realm="", ${Object.entries(values)
    .map(([name, value]) => `${name}="${percentEncode(value)}"`)
    .join(', ')}`;

const common = { oauth_signature_method: 'HMAC-SHA1', oauth_timestamp: '1700000000', oauth_version: '1.0' };

const request = (part: Partial<SignedRequest>): SignedRequest => ({
  method: 'GET',
  rawPath: '/',
  rawQuery: '',
  authorization: undefined,
  mediaType: '',
  body: null,
  ...part,
});

const search = request({ rawPath: '/accounts/search', rawQuery: 'fullname=Ann%20Lee' });
const searchHeader = {
  ...common,
  oauth_consumer_key: 'adm@apps.example.org',
  oauth_nonce: 'n0nce0001',
  oauth_signature: 'gu7kHGDI2UU7KEGGeiL+gfw8cJI=',
};
const searchSecrets = { consumerSecret: 'adm-secret', tokenSecret: '' };

const change = request({
  method: 'POST',
  rawPath: '/accounts/ann%40example.org/authsystems/password/change',
  mediaType: 'application/x-www-form-urlencoded',
  body: Buffer.from('old=a+b&new=c%2Bd'),
});
const changeHeader = {
  ...common,
  oauth_consumer_key: 'ui@apps.example.org',
  oauth_token: 'TOKENtoken1234567890',
  oauth_nonce: 'n0nce0002',
};
const changeSecrets = { consumerSecret: 'ui-secret', tokenSecret: 'SECRETsecret12345678' };

const post = request({
  method: 'POST',
  rawPath: '/records/R1/documents/',
  mediaType: 'application/xml',
  body: Buffer.from('<a/>'),
});
const postHeader = {
  ...common,
  oauth_consumer_key: 'app@apps.example.org',
  oauth_token: 'TOKENtoken1234567890',
  oauth_nonce: 'n0nce0003',
  oauth_content_type: 'application/xml',
  oauth_body_hash: '25qoZjLG8syZaEot0V0rZIKOdiI=',
  oauth_signature: 'aNWiDfc1eWHl1V4g9/VnDu6R/A0=',
};

const verified = (
  asked: SignedRequest,
  values: Record<string, string>,
  secrets: typeof searchSecrets,
  base = BASE,
): boolean => verifySignature(asked, parseAuthorization(headerOf(values)), base, secrets);

describe('base string', () => {
  it('is the one of the test vector', () => {
    const { oauth_signature: _left, ...signed } = searchHeader;
    expect(baseString('GET', `${BASE}/accounts/search`, [...Object.entries(signed), ['fullname', 'Ann Lee']])).to.equal(
      'GET&https%3A%2F%2Fphr.example.org%2Faccounts%2Fsearch&fullname%3DAnn%2520Lee%26oauth_consumer_key%3Dadm%2540apps.example.org%26oauth_nonce%3Dn0nce0001%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1700000000%26oauth_version%3D1.0',
    );
  });

  it('sorts by encoded name, then by encoded value, and keeps repeated parameters (RFC 5849 3.4.1.3.2)', () => {
    const pairs = [
      ['b5', '=%3D'],
      ['a3', 'a'],
      ['c@', ''],
      ['a2', 'r b'],
      ['oauth_nonce', '7d8f3e4a'],
      ['c2', ''],
      ['a3', '2 q'],
    ] as const;
    expect(baseString('POST', 'http://example.com/request', pairs)).to.equal(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_nonce%3D7d8f3e4a',
    );
  });

  it('encodes what encodeURIComponent leaves alone', () => {
    expect(percentEncode("!'()*-._~ é")).to.equal('%21%27%28%29%2A-._~%20%C3%A9');
  });

  it('is signed as in the Twitter example of the OAuth documentation', () => {
    expect(
      sign(
        'GET&http%3A%2F%2Fphotos.example.net%2Fphotos&file%3Dvacation.jpg%26oauth_consumer_key%3Ddpf43f3p2l4k3l03%26oauth_nonce%3Dkllo9940pd9333jh%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1191242096%26oauth_token%3Dnnch734d00sl2jdk%26oauth_version%3D1.0%26size%3Doriginal',
        'kd94hf93k423kf44',
        'pfkkdhi9sl3r4s00',
      ),
    ).to.equal('tR3+Ty81lMeYAr/Fid0kMTYa/WM=');
  });
});

describe('signature', () => {
  it('of a two-legged call with a query passes, and not after any change', () => {
    expect(verified(search, searchHeader, searchSecrets)).to.be.true();
    expect(verified({ ...search, rawQuery: 'fullname=Ann+Lee' }, searchHeader, searchSecrets)).to.be.true();
    expect(verified({ ...search, rawQuery: 'fullname=Bob' }, searchHeader, searchSecrets)).to.be.false();
    expect(verified({ ...search, method: 'POST' }, searchHeader, searchSecrets)).to.be.false();
    expect(verified({ ...search, rawPath: '/accounts/searches' }, searchHeader, searchSecrets)).to.be.false();
    expect(verified(search, { ...searchHeader, oauth_nonce: 'other' }, searchSecrets)).to.be.false();
    expect(verified(search, searchHeader, { ...searchSecrets, tokenSecret: 'x' })).to.be.false();
    expect(verified(search, { ...searchHeader, oauth_signature: 'short' }, searchSecrets)).to.be.false();
  });

  it('takes any realm that can be quoted, and nothing else than parameters with commas between them', () => {
    const header = headerOf(searchHeader);
    for (const realm of ['', 'Health Records', 'Health, Records', '100%', 'a\\"b', 'x=\\"y\\", oauth_nonce=\\"z\\"']) {
      expect(
        verifySignature(
          search,
          parseAuthorization(header.replace('realm=""', `realm="${realm}"`)),
          BASE,
          searchSecrets,
        ),
        realm,
      ).to.be.true();
    }
    for (const broken of [
      `${header},`,
      `${header} x`,
      header.replace(', ', ' '),
      header.replace(', ', ',,'),
      header.replace('realm=""', 'realm="a"b"'),
      'OAuth',
      'OAuth ',
    ]) {
      expect(() => parseAuthorization(broken), broken).to.throw(BadCredentials, 'the header is malformed');
    }
  });

  it('keeps a question mark at the start of a query or a form', () => {
    const values = { ...common, oauth_consumer_key: 'a', oauth_nonce: 'n' };
    const signedWith = (pairs: readonly (readonly [string, string])[]): Record<string, string> => ({
      ...values,
      oauth_signature: sign(baseString('POST', `${BASE}/`, [...Object.entries(values), ...pairs]), 's', ''),
    });
    const asked = request({
      method: 'POST',
      rawQuery: '?limit=1',
      mediaType: 'application/x-www-form-urlencoded',
      body: Buffer.from('?x=1'),
    });
    expect(
      verified(
        asked,
        signedWith([
          ['?limit', '1'],
          ['?x', '1'],
        ]),
        { consumerSecret: 's', tokenSecret: '' },
      ),
    ).to.be.true();
    expect(
      verified(
        asked,
        signedWith([
          ['limit', '1'],
          ['x', '1'],
        ]),
        { consumerSecret: 's', tokenSecret: '' },
      ),
    ).to.be.false();
  });

  it('covers the form of a token-signed call', () => {
    const values = { ...changeHeader, oauth_signature: 'TjjYtMKi4f7RNOS+ARcySwkzPNs=' };
    expect(verified(change, values, changeSecrets)).to.be.true();
    expect(verified({ ...change, body: Buffer.from('old=a+b&new=other') }, values, changeSecrets)).to.be.false();
  });

  it('of old clients, made over a bare @, passes for a path with %40', () => {
    expect(
      verified(change, { ...changeHeader, oauth_signature: '8UWNipU1Z4MWYjTAjfNhqMnQLF4=' }, changeSecrets),
    ).to.be.true();
  });

  it('with a body hash passes', () => {
    expect(verified(post, postHeader, changeSecrets)).to.be.false();
    expect(
      verified(post, postHeader, { consumerSecret: 'app-secret', tokenSecret: 'SECRETsecret12345678' }),
    ).to.be.true();
  });

  it('is made over the public address: host in lower case, no default port, its path kept', () => {
    expect(verified(search, searchHeader, searchSecrets, 'HTTPS://PHR.Example.org:443')).to.be.true();
    expect(verified(search, searchHeader, searchSecrets, 'http://phr.example.org')).to.be.false();
    expect(verified(search, searchHeader, searchSecrets, 'https://phr.example.org/api')).to.be.false();
  });

  it('covers the query of every method', () => {
    const values = { ...changeHeader, oauth_signature: 'TjjYtMKi4f7RNOS+ARcySwkzPNs=' };
    expect(verified({ ...change, rawQuery: 'x=1' }, values, changeSecrets)).to.be.false();
  });

  it('counts oauth_callback once when it stands in the header and in the form', () => {
    const values = { ...changeHeader, oauth_callback: 'oob' };
    const base = baseString('POST', `${BASE}/oauth/request_token`, Object.entries(values));
    const asked = request({
      method: 'POST',
      rawPath: '/oauth/request_token',
      mediaType: change.mediaType,
      body: Buffer.from('oauth_callback=oob'),
    });
    const signed = { ...values, oauth_signature: sign(base, changeSecrets.consumerSecret, changeSecrets.tokenSecret) };
    expect(verified(asked, signed, changeSecrets)).to.be.true();
    expect(verified({ ...asked, body: Buffer.from('oauth_callback=other') }, signed, changeSecrets)).to.be.false();
  });

  it('is refused when protocol parameters stand outside the header', () => {
    expect(() => verified({ ...search, rawQuery: 'oauth_token=x' }, searchHeader, searchSecrets)).to.throw(
      BadCredentials,
    );
  });
});

describe('header', () => {
  const good = headerOf(searchHeader);

  it('is read whatever its spacing and the case of its scheme', () => {
    expect(parseAuthorization(good.replace('OAuth', 'oauth').replaceAll(', ', ',')).consumerKey).to.equal(
      'adm@apps.example.org',
    );
  });

  it('takes a blank token as none', () => {
    expect(parseAuthorization(`${good}, oauth_token=""`).token).to.be.null();
  });

  const bad: Record<string, string> = {
    'another scheme': 'Basic abc',
    'no parameters': 'OAuth',
    'a repeated parameter': `${good}, oauth_nonce="again"`,
    'a parameter without quotes': good.replace('"n0nce0001"', 'n0nce0001'),
    'broken percent-encoding': good.replace('n0nce0001', '%zz'),
    'a stray comma': `${good},`,
    'another method': good.replace('HMAC-SHA1', 'PLAINTEXT'),
    'no method': good.replace('oauth_signature_method="HMAC-SHA1", ', ''),
    'another version': good.replace('oauth_version="1.0"', 'oauth_version="2.0"'),
    'no consumer key': good.replace(/oauth_consumer_key="[^"]*", /, ''),
    'no nonce': good.replace('oauth_nonce="n0nce0001", ', ''),
    'no timestamp': good.replace('oauth_timestamp="1700000000", ', ''),
    'no signature': good.replace(/, oauth_signature="[^"]*"/, ''),
  };
  for (const [what, header] of Object.entries(bad)) {
    it(`with ${what} is refused`, () => {
      expect(header).to.not.equal(good);
      expect(() => parseAuthorization(header)).to.throw(BadCredentials);
    });
  }
});

describe('body', () => {
  const header = (values: Record<string, string>) => parseAuthorization(headerOf({ ...postHeader, ...values }));

  it('must fit its hash and its type where they are signed', () => {
    verifyBody(post, header({}));
    expect(() => verifyBody({ ...post, body: Buffer.from('<b/>') }, header({}))).to.throw(BadCredentials);
    expect(() => verifyBody({ ...post, body: null }, header({}))).to.throw(BadCredentials);
    expect(() => verifyBody({ ...post, mediaType: 'text/xml' }, header({}))).to.throw(BadCredentials);
  });

  it('may come without a hash', () => {
    const { oauth_body_hash: _hash, ...without } = postHeader;
    verifyBody(post, parseAuthorization(headerOf(without)));
  });

  it('counts as form parameters unless it is XML', () => {
    const type = 'application/x-www-form-urlencoded';
    expect(isForm(type, Buffer.from('a=1'))).to.be.true();
    expect(isForm(type, Buffer.from(' \r\n<a>=</a>'))).to.be.false();
    expect(isForm(type, Buffer.from('\ufeff<a/>'))).to.be.false();
    expect(isForm(type, Buffer.from('\ufeff<a/>', 'utf16le'))).to.be.false();
    expect(isForm(type, Buffer.from('\ufeffa=1'))).to.be.true();
    expect(isForm('text/plain', Buffer.from('a=1'))).to.be.false();
    expect(isForm(type, null)).to.be.false();
  });
});

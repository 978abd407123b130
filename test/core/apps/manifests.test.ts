/** manifests: what a folder may say, and every mistake with its file and line. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as Lab from '@hapi/lab';
import { expect } from '@hapi/code';
import { readManifests, type Manifests } from '../../../core/apps/manifests';
import { inProject } from '../../../core/base/paths';

export const lab = Lab.script();
const { describe, it, beforeEach, afterEach } = lab;

const VOCAB = 'https://vocab.example';
const good = {
  id: 'a@apps.example',
  name: 'A',
  description: 'Does a',
  index: 'https://a.example/start?r={record_id}',
  oauth_callback_url: 'https://a.example/back',
};

/** An app that acts by itself at the FHIR door. */
const alone = {
  ...good,
  index: undefined,
  mode: 'background',
  autonomous_reason: 'Watches',
  grant_types: ['client_credentials'],
  scope: 'system/*.rs',
  jwks: { keys: [{ kty: 'RSA', kid: 'a' }] },
};

describe('manifests', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const put = (place: string, manifest: unknown, credentials: unknown = { consumer_secret: 's3cret' }): void => {
    mkdirSync(join(root, place), { recursive: true });
    writeFileSync(
      join(root, place, 'manifest.json'),
      typeof manifest === 'string' ? manifest : JSON.stringify(manifest, null, 1),
    );
    if (credentials !== null) {
      writeFileSync(
        join(root, place, 'credentials.json'),
        typeof credentials === 'string' ? credentials : JSON.stringify(credentials),
      );
    }
  };
  const read = (): Manifests => readManifests({ manifestsDirs: [root], vocabBase: VOCAB });
  const problemWith = (manifest: unknown, credentials?: unknown): string => {
    put('user/a', manifest, credentials);
    const { apps, problems, broken } = read();
    expect(apps).to.have.length(0);
    expect(broken).to.have.length(1);
    return problems.join('\n').replaceAll(root, '');
  };

  it('that come with the service are all good', () => {
    const { apps, problems, warnings } = readManifests({ manifestsDirs: [inProject('manifests')], vocabBase: VOCAB });
    expect(problems).to.equal([]);
    expect(warnings).to.equal([]);
    expect(apps.map(({ id }) => id)).to.equal([
      'ui@apps.svc.example',
      'admin@apps.svc.example',
      'connector@apps.svc.example',
      'medications@apps.svc.example',
    ]);
    expect(Object.keys(apps.find(({ id }) => id.startsWith('medications'))!.manifest['requires'] as object)).to.include(
      `${VOCAB}/xml/documents#Medication`,
    );
  });

  it('give every field, with the defaults of those left out', () => {
    put('user/a', good);
    const [app] = read().apps;
    expect(app).to.include({
      id: 'a@apps.example',
      kind: 'user',
      name: 'A',
      author: '',
      version: '',
      svcVersion: null,
      autonomous: false,
      autonomousReason: null,
      frameable: true,
      hasUi: true,
      indexUrl: 'https://a.example/start?r={record_id}',
      callbackUrl: 'https://a.example/back',
      icon: null,
      folder: 'user/a',
      consumerKey: 'a@apps.example',
      secret: 's3cret',
    });
  });

  it('of background apps need no start address', () => {
    put('user/a', { ...good, mode: 'background', index: undefined, autonomous_reason: 'night work' });
    expect(read().apps[0]).to.include({
      autonomous: true,
      autonomousReason: 'night work',
      indexUrl: null,
      hasUi: false,
      frameable: false,
    });
  });

  it("in the platform's own form are taken as they are", () => {
    put('user/a', {
      name: 'P',
      description: 'd',
      author: 'x',
      id: 'p@apps.example',
      version: '.1a',
      mode: 'ui',
      scope: 'record',
      index: 'http://localhost:8001/index.html',
      icon: 'http://localhost:8001/i.png',
      smart_version: '0.4',
      requires: {
        'http://smartplatforms.org/terms#Medication': { methods: ['GET'], codes: ['http://purl.example/RXNORM/1'] },
      },
      optimalBrowserEnvironments: ['desktop', 'mobile'],
    });
    const { apps, warnings } = read();
    expect(Object.keys(apps[0]!.manifest)).to.include(['smart_version', 'requires', 'optimalBrowserEnvironments']);
    expect(apps[0]!.svcVersion).to.equal('2.0.0');
    for (const release of ['0.40', '0.5']) {
      put('user/a', { ...good, svc_version: undefined, smart_version: release });
      expect(read().apps[0]!.svcVersion).to.be.null();
    }
    expect(warnings).to.equal([]);
  });

  it('of admin and UI apps need no more than a name and their kind', () => {
    put('admin/x', { id: 'x@apps.example', name: 'X', description: 'd', ui_app: false });
    put('ui/y', { id: 'y@apps.example', name: 'Y', description: 'd', ui_app: true });
    expect(read().apps.map(({ id, kind }) => [id, kind])).to.equal([
      ['y@apps.example', 'ui'],
      ['x@apps.example', 'admin'],
    ]);
  });

  it('with small oddities are taken with a warning', () => {
    put('user/a', {
      ...good,
      description: undefined,
      index: 'https://a.example/?a=1&amp;b={carenet_id}',
      intents: [],
      mode: 'ui',
      has_ui: false,
    });
    const { apps, warnings, problems } = read();
    expect(problems).to.equal([]);
    expect(apps[0]!.indexUrl).to.equal('https://a.example/?a=1&b={carenet_id}');
    expect(warnings.join('\n')).to.contain([
      'the key intents is not known',
      'no description',
      '&amp;',
      'has_ui is false',
    ]);
  });

  const client = { ...good, redirect_uris: ['https://a.example/'] };
  const key = { kty: 'EC', crv: 'P-384', kid: 'one', x: 'x', y: 'y' };

  it('need no credentials for an app that proves itself without a secret', () => {
    put('user/public', { ...client, token_endpoint_auth_method: 'none' }, null);
    put('user/keys', { ...client, id: 'b@apps.example', jwks: { keys: [key] } }, null);
    const { apps, problems } = read();
    expect(problems).to.equal([]);
    expect(apps.map(({ id, consumerKey, secret }) => `${id} ${consumerKey} ${secret}.`)).to.equal([
      'b@apps.example b@apps.example .',
      'a@apps.example a@apps.example .',
    ]);
    put(
      'user/public',
      { ...client, token_endpoint_auth_method: 'none' },
      { consumer_key: 'pulse', consumer_secret: '' },
    );
    expect(read().apps.map(({ consumerKey }) => consumerKey)).to.equal(['b@apps.example', 'pulse']);
  });

  it('need credentials for every other app', () => {
    put('user/a', client, null);
    put('user/b', { ...client, id: 'b@apps.example', token_endpoint_auth_method: 'client_secret_post' }, null);
    put('user/c', { ...good, id: 'c@apps.example' }, null);
    put('ui/d', { id: 'd@apps.example', name: 'D', ui_app: true }, null);
    const { apps, problems } = read();
    expect(apps).to.equal([]);
    expect(problems.length).to.equal(4);
    problems.forEach((problem) => expect(problem).to.contain('credentials.json'));
  });

  it('may ask for scopes that other services grant, which are left out', () => {
    const scope = 'openid profile email fhirUser launch launch/encounter user/*.rs system/*.read patient/*.rs';
    put('user/a', { ...client, scope });
    const { apps, problems, warnings } = read();
    expect(problems).to.equal([]);
    expect((apps[0]!.manifest['smart_client'] as { scope: string }).scope).to.equal(
      'openid fhirUser launch patient/*.rs',
    );
    for (const word of ['profile', 'email', 'launch/encounter', 'user/*.rs', 'system/*.read']) {
      expect(warnings.join('\n')).to.contain(`the scope ${word} is not one of this service`);
    }
    expect(warnings.length).to.equal(5);
  });

  const mistakes: Record<string, [unknown, RegExp]> = {
    'that are not JSON': ['{\n "id": "a@b",\n "name" "A"\n}', /manifest\.json:3: not valid JSON/],
    'that are empty': ['', /manifest\.json:1: not valid JSON/],
    'without an id': [{ ...good, id: undefined }, /manifest\.json:1: "id" is required/],
    'whose id is not e-mail-shaped': [{ ...good, id: 'labs' }, /manifest\.json:2: "id"/],
    'without a name': [{ ...good, name: undefined }, /"name" is required/],
    'with an unknown mode': [{ ...good, mode: 'both' }, /"mode" must be one of/],
    'with another scope': [{ ...good, scope: 'patient openid' }, /"scope" has patient, which is no scope/],
    'with a scope that is misspelt': [
      { ...good, scope: 'openid patient/Observation.sr profiles' },
      /"scope" has patient\/Observation.sr, profiles, which is no scope/,
    ],
    'that send people nowhere': [{ ...good, redirect_uris: [] }, /"redirect_uris" must contain at least 1/],
    'that send people to a path': [{ ...good, redirect_uris: ['/back'] }, /must be an absolute address/],
    'that send people to a script': [
      { ...good, redirect_uris: ['javascript:alert(1)'] },
      /must begin with https, http/,
    ],
    'that send people to a wildcard': [
      { ...good, redirect_uris: ['https://a.example/', 'https://*.example.org/'] },
      /"redirect_uris\[1\]" has the wildcard \*, which can match no address/,
    ],
    'that send people to any path': [{ ...good, redirect_uris: ['https://a.example/*'] }, /has the wildcard \*/],
    'that begin at a wildcard': [{ ...good, index: 'https://*.example.org/' }, /"index" has the wildcard \*/],
    'that send people to a fragment': [{ ...good, redirect_uris: ['https://a.example/#x'] }, /must have no fragment/],
    'that send people with a password': [
      { ...good, redirect_uris: ['https://a:b@a.example/'] },
      /must have no fragment/,
    ],
    'that mix devices with plain http': [
      { ...good, redirect_uris: ['org.example.app:/back', 'http://a.example/'] },
      /mixes addresses of a device/,
    ],
    'whose way of proof is not known': [
      { ...good, redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'client_secret_jwt' },
      /"token_endpoint_auth_method" must be one of/,
    ],
    'that prove with a key and have none': [
      { ...good, redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'private_key_jwt' },
      /needs either "jwks" or "jwks_uri"/,
    ],
    'whose keys are private': [
      { ...good, redirect_uris: ['https://a.example/'], jwks: { keys: [{ kty: 'RSA', kid: 'a', d: 'x' }] } },
      /only public keys belong here/,
    ],
    'whose keys are fetched in the clear': [
      { ...good, redirect_uris: ['https://a.example/'], jwks_uri: 'http://a.example/keys' },
      /"jwks_uri" must be an https address/,
    ],
    'that act by themselves and send people somewhere': [
      { ...alone, redirect_uris: ['https://a.example/'] },
      /acts by itself, so it has no other grant and no "redirect_uris"/,
    ],
    'that act by themselves with a secret': [
      { ...alone, token_endpoint_auth_method: 'client_secret_basic' },
      /needs "private_key_jwt"/,
    ],
    'that act by themselves without a key': [{ ...alone, jwks: undefined }, /needs "private_key_jwt"/],
    'that act by themselves while somebody is signed in': [
      { ...alone, mode: 'ui', index: good.index },
      /needs the mode background/,
    ],
    'that act by themselves and do not say why': [{ ...alone, autonomous_reason: '' }, /an "autonomous_reason"/],
    'that act by themselves and want to write': [
      { ...alone, scope: 'system/*.rs system/Observation.c' },
      /such as system\/\*\.rs, and not system\/Observation\.c/,
    ],
    'that act by themselves and name no scope': [{ ...alone, scope: undefined }, /needs a "scope" of system scopes/],
    'that have keys and are no client': [{ ...good, jwks_uri: 'https://a.example/keys' }, /without "redirect_uris"/],
    'of a ui app without a start address': [{ ...good, index: undefined }, /"index" is required/],
    'whose start address is a script': [
      { ...good, index: 'javascript:alert(1)' },
      /"index" must be an http or https address/,
    ],
    'whose start address is no address': [{ ...good, index: 'https://' }, /"index" must be an http or https address/],
    'whose start address has no such port': [
      { ...good, index: 'https://a.example:99999/' },
      /"index" must be an http or https address/,
    ],
    'whose callback has a space in its host': [
      { ...good, oauth_callback_url: 'http://exa mple/back' },
      /oauth_callback_url/,
    ],
    'whose callback is a script': [{ ...good, oauth_callback_url: 'data:text/html,x' }, /oauth_callback_url/],
    'for a newer interface': [
      { ...good, svc_version: '3.0' },
      /manifest\.json:7: "svc_version" asks for a newer interface/,
    ],
    'whose flags are text': [{ ...good, frameable: 'true' }, /"frameable" must be a boolean/],
    'whose requirements name no methods': [
      { ...good, requires: { 'http://x.example/t#A': {} } },
      /methods" is required/,
    ],
    'whose requirements name another method': [
      { ...good, requires: { 'http://x.example/t#A': { methods: ['PATCH'] } } },
      /must be one of/,
    ],
    'that are a list': ['[]', /must be of type object/],
  };
  for (const [what, [manifest, message]] of Object.entries(mistakes)) {
    it(`${what} are refused`, () => {
      expect(problemWith(manifest)).to.match(message);
    });
  }

  it('with bad credentials are refused', () => {
    expect(problemWith(good, 'no')).to.match(/credentials\.json:1: not valid JSON/);
    expect(problemWith(good, { consumer_secret: 'x'.repeat(61) })).to.match(/at most|less than or equal to 60/);
    expect(problemWith(good, { consumer_secret: 'schlüssel' }))
      .to.match(/"consumer_secret" must be printable ASCII/)
      .and.to.not.contain('schl');
    rmSync(join(root, 'user/a/credentials.json'));
    expect(read().problems.join()).to.match(/credentials\.json:1: there is no such file/);
  });

  it('may name no secret: then the service makes one, unless the app proves who it is without', () => {
    put('user/a', good, {});
    expect(read()).to.include({ problems: [] });
    expect(read().apps[0]).to.include({ consumerKey: 'a@apps.example', secret: undefined });
    put('user/a', { ...client, token_endpoint_auth_method: 'none' }, {});
    expect(read().apps[0]).to.include({ secret: '' });
    put('user/a', { ...client, token_endpoint_auth_method: 'client_secret_basic' }, {});
    expect(read().apps[0]).to.include({ secret: undefined });
  });

  it('of user apps only may have the empty secret', () => {
    put('user/a', good, { consumer_key: 'key-a', consumer_secret: '' });
    expect(read().apps[0]).to.include({ consumerKey: 'key-a', secret: '' });
    put('admin/x', { id: 'x@apps.example', name: 'X', description: 'd', ui_app: false }, { consumer_secret: '' });
    expect(read().problems.join()).to.match(
      /admin\/x\/credentials\.json:1: "consumer_secret" is not allowed to be empty/,
    );
  });

  it('whose kind and folder disagree are refused', () => {
    put('admin/x', { id: 'x@apps.example', name: 'X', ui_app: true });
    expect(read().problems.join()).to.match(/"ui_app" does not agree with the folder admin/);
  });

  it('with one id or key twice are refused', () => {
    put('user/a', good);
    put('user/b', { ...good, name: 'B' });
    const place = (file: string, line: number): string => `${join(root, file)}:${line}`;
    expect(read()).to.include({
      problems: [`${place('user/b/manifest.json', 2)}: its id is that of ${place('user/a/manifest.json', 2)}`],
      broken: [{ folder: 'user/b', id: good.id }],
    });
    expect(read().apps.map(({ folder }) => folder)).to.equal(['user/a']);
    put(
      'user/b',
      { ...good, id: 'b@apps.example' },
      '{\n "consumer_secret": "x",\n "consumer_key": "a@apps.example" }',
    );
    expect(read()).to.include({
      problems: [
        `${place('user/b/credentials.json', 3)}: its consumer_key is that of ${place('user/a/manifest.json', 2)}`,
      ],
      broken: [{ folder: 'user/b', id: 'b@apps.example' }],
    });
  });

  it('with one app in two trees name both files', () => {
    put('one/user/a', good);
    put('two/user/a', good);
    const { apps, problems } = readManifests({
      manifestsDirs: [join(root, 'one'), join(root, 'two')],
      vocabBase: VOCAB,
    });
    expect(problems).to.equal([
      `${join(root, 'two/user/a/manifest.json')}:2: its id is that of ${join(root, 'one/user/a/manifest.json')}:2`,
    ]);
    expect(apps).to.have.length(1);
  });

  it('keep the id of a broken one when that much is readable', () => {
    put('user/a', { ...good, mode: 'no' });
    put('user/b', '{');
    expect(read().broken).to.equal([
      { folder: 'user/a', id: 'a@apps.example' },
      { folder: 'user/b', id: undefined },
    ]);
  });

  it('that stand where nobody looks are a problem, and whose they might be is kept', () => {
    put('users/a', good);
    put('User', '{');
    put('user', good);
    put('.git/b', good);
    put('shared', good);
    rmSync(join(root, 'shared/manifest.json'));
    const { apps, problems, broken } = read();
    expect(apps).to.equal([]);
    const reason = 'it is not read: an app is a folder in admin, ui or user, so name its folder user/NAME';
    expect(problems).to.equal(
      ['User', 'user', 'users/a'].map((place) => `${join(root, place, 'manifest.json')}:1: ${reason}`),
    );
    expect(broken).to.equal([
      { folder: 'User', id: undefined },
      { folder: 'user', id: good.id },
      { folder: 'users/a', id: good.id },
    ]);
  });

  it('may stand in a folder that is a link', () => {
    put('elsewhere', good);
    mkdirSync(join(root, 'tree/user'), { recursive: true });
    symlinkSync(join(root, 'elsewhere'), join(root, 'tree/user/a'));
    symlinkSync(join(root, 'nowhere'), join(root, 'tree/user/b'));
    const { apps, problems } = readManifests({ manifestsDirs: [join(root, 'tree')], vocabBase: VOCAB });
    expect(problems).to.equal([]);
    expect(apps.map(({ folder }) => folder)).to.equal(['user/a']);
  });

  it('in a folder that is not there are a problem', () => {
    const { problems, missingRoots } = readManifests({ manifestsDirs: ['/nowhere/manifests'], vocabBase: VOCAB });
    expect(problems).to.equal(['/nowhere/manifests: there is no such folder (SVC_MANIFESTS_DIR)']);
    expect(missingRoots).to.equal(['/nowhere/manifests']);
  });

  it('in a folder that cannot be read are a problem, and those of other folders are read', () => {
    put('good/user/a', good);
    mkdirSync(join(root, 'bad'));
    writeFileSync(join(root, 'bad/user'), 'this is no folder');
    const { apps, problems, missingRoots } = readManifests({
      manifestsDirs: [join(root, 'bad'), join(root, 'good')],
      vocabBase: VOCAB,
    });
    expect(apps.map(({ folder }) => folder)).to.equal(['user/a']);
    expect(problems).to.equal([`${join(root, 'bad/user')}: the folder cannot be read (ENOTDIR) (SVC_MANIFESTS_DIR)`]);
    expect(missingRoots).to.equal([join(root, 'bad')]);
  });

  it('take other credentials from a later folder that has nothing else, so that no shipped file is edited', () => {
    put('shipped/user/a', good);
    put('shipped/user/b', { ...good, id: 'b@apps.example' });
    mkdirSync(join(root, 'local/user/a'), { recursive: true });
    const keys = join(root, 'local/user/a/credentials.json');
    writeFileSync(keys, '{ "consumer_secret": "one of my own" }');
    const both = (): Manifests =>
      readManifests({ manifestsDirs: [join(root, 'shipped'), join(root, 'local')], vocabBase: VOCAB });
    expect(both().problems).to.equal([]);
    expect(both().apps.map(({ id, secret }) => [id, secret])).to.equal([
      ['a@apps.example', 'one of my own'],
      ['b@apps.example', 's3cret'],
    ]);
    writeFileSync(keys, '{ "consumer_secret": 5 }');
    expect(both().problems).to.equal([`${keys}:1: "consumer_secret" must be a string`]);
    expect(both().apps.map(({ id }) => id)).to.equal(['b@apps.example']);
    expect(both().broken).to.equal([{ folder: 'user/a', id: 'a@apps.example' }]);
  });

  it('miss the manifest where no earlier folder has the app whose credentials are there', () => {
    mkdirSync(join(root, 'user/a'), { recursive: true });
    writeFileSync(join(root, 'user/a/credentials.json'), '{ "consumer_secret": "one of my own" }');
    expect(read().problems).to.equal([`${join(root, 'user/a/manifest.json')}:1: there is no such file`]);
    expect(read().broken).to.equal([{ folder: 'user/a', id: undefined }]);
  });
});

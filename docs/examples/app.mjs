// A complete app in JavaScript: Node 20, nothing installed.
//
//   APP_KEY=... APP_SECRET=... node app.mjs BASE dance RECORD       asks for access to a record, then uses it
//   APP_KEY=... APP_SECRET=... node app.mjs BASE autonomous         a background app: every record that enabled it
//   APP_KEY=... APP_SECRET=... node app.mjs BASE connect START_URL  opened by the website for a signed-in person
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createInterface } from 'node:readline/promises';

const [base, command, argument] = process.argv.slice(2);
const app = { key: process.env.APP_KEY, secret: process.env.APP_SECRET };

// --- signing (OAuth 1.0a, HMAC-SHA1) ---------------------------------------------------------------------------------------

const encode = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signature over method, address and every parameter, made with the app's secret and the token's. */
const signature = (method, url, parameters, tokenSecret = '') => {
  const { origin, pathname } = new URL(url);
  const pairs = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).sort().join('&');
  const text = [method, encode(origin + pathname), encode(pairs)].join('&');
  return createHmac('sha1', `${encode(app.secret)}&${encode(tokenSecret)}`).update(text).digest('base64');
};

/** One signed call. A form is signed with its fields, any other body is not part of the signature. */
const call = async (method, path, { token, form, xml, oauth = {} } = {}) => {
  const url = base + path;
  const header = {
    oauth_consumer_key: app.key, oauth_nonce: randomUUID(), oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)), oauth_version: '1.0', ...(token ? { oauth_token: token.key } : {}), ...oauth,
  };
  const parameters = [...Object.entries(header), ...Object.entries(form ?? {}), ...new URL(url).searchParams];
  header.oauth_signature = signature(method, url, parameters, token?.secret);
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `OAuth ${Object.entries(header).map(([name, value]) => `${name}="${encode(value)}"`).join(', ')}`,
      ...(xml ? { 'content-type': 'application/xml' } : {}),
    },
    body: form ? new URLSearchParams(form) : xml,
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  }
  return text;
};

const tokenIn = (text) => {
  const pairs = new URLSearchParams(text);
  return { key: pairs.get('oauth_token'), secret: pairs.get('oauth_token_secret'), record: pairs.get('xoauth_svc_record_id') };
};

// --- the three ways into a record ------------------------------------------------------------------------------------------

/** The person lets the app in: request token, approval on the website, verifier, access token. */
const dance = async (record) => {
  const request = tokenIn(await call('POST', '/oauth/request_token', { form: { svc_record_id: record }, oauth: { oauth_callback: 'oob' } }));
  console.log(`request token: ${request.key}`);
  console.log(`say yes at: ${base}/my/authorize?oauth_token=${encodeURIComponent(request.key)}`);
  const input = createInterface({ input: process.stdin });
  const verifier = await input.question('');
  input.close();
  return tokenIn(await call('POST', '/oauth/access_token', { token: request, oauth: { oauth_verifier: verifier.trim() } }));
};

/** A background app asks for a token of its own for each record that enabled it. */
const autonomous = async () => {
  const path = `/apps/${encode(app.key)}/records/`;
  const ids = [...(await call('GET', path)).matchAll(/<Record (?:[^>]* )?id="([^"]+)"/g)].map((match) => match[1]);
  return Promise.all(ids.map(async (id) => ({ ...tokenIn(await call('POST', `${path}${id}/access_token`)), record: id })));
};

/**
 * The website opens the app with a signed header in its address: it says who and which record, and carries a token. For a carenet it
 * names no record: the id is in the address, where the manifest's index has {carenet_id}. Changing it there only leads to 403.
 */
const connect = (startUrl) => {
  const url = new URL(startUrl);
  const header = url.searchParams.get('oauth_header').replace(/^OAuth /, '');
  const values = Object.fromEntries([...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, decodeURIComponent(value)]));
  const { oauth_signature: given, realm: _realm, ...signed } = values;
  const made = signature('GET', url.origin + url.pathname, Object.entries(signed));
  // Only the service and this app can make it, so nobody else can open the app in somebody's name.
  if (given.length !== made.length || !timingSafeEqual(Buffer.from(given), Buffer.from(made)) || Math.abs(Date.now() / 1000 - signed.oauth_timestamp) > 300) {
    throw new Error('the start address was not signed by the service, or is old');
  }
  console.log(`opened by ${signed.smart_user_id}`);
  return { key: signed.smart_oauth_token, secret: signed.smart_oauth_token_secret, record: signed.smart_record_id, carenet: url.searchParams.get('carenet_id') };
};

// --- what the app does -----------------------------------------------------------------------------------------------------

const reading = (systolic) => `<VitalSign xmlns="https://svc.example/vocab/xml/documents#">
  <dateMeasured>2026-01-05T08:00:00Z</dateMeasured>
  <name type="http://loinc.org" value="8480-6">Systolic blood pressure</name>
  <value>${systolic}</value>
  <unit type="http://unitsofmeasure.org" value="mm[Hg]">millimetres of mercury</unit>
</VitalSign>`;

const work = async (token) => {
  const place = token.record ? `/records/${token.record}` : `/carenets/${token.carenet}`;
  // In a carenet an app only reads.
  for (const systolic of token.record ? [128, 134] : []) {
    const stored = await call('POST', `${place}/documents/`, { token, xml: reading(systolic) });
    console.log(`stored ${/<Document (?:[^>]* )?id="([^"]+)"/.exec(stored)[1]}`);
  }
  const report = `${place}/reports/VitalSigns/?aggregate_by=avg*bp_systolic_value&response_format=application/json`;
  const [{ value }] = JSON.parse(await call('GET', report, { token }));
  console.log(`average ${value ?? 'unknown'}`);
};

const tokens = command === 'dance' ? [await dance(argument)] : command === 'connect' ? [connect(argument)] : await autonomous();
for (const token of tokens) {
  await work(token);
}

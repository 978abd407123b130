/** reference: the page of the API reference: it shows openapi.json, finds calls by typing, and signs those that a reader tries. */
import type { Page } from './serialize';

const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API reference - Personal Health Records Service</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <style>
    body { margin: 0; }
    #bar { position: sticky; top: 0; z-index: 2; background: #1f2933; color: #fff; font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 1px 6px #0006; }
    #bar form { max-width: 1420px; margin: auto; padding: .7em 20px; display: flex; flex-wrap: wrap; gap: .5em .8em; align-items: end; }
    #bar label { display: flex; flex-direction: column; gap: .15em; flex: 1 1 10em; }
    #bar .search { flex: 2 1 18em; }
    #bar input { font: inherit; padding: .35em .5em; border: 1px solid #52606d; border-radius: 4px; min-width: 0; }
    #bar small { flex-basis: 100%; color: #cbd2d9; }
    #reference .info { margin: 24px 0; }
    #reference .info table { font-size: 13px; }
    #reference .info table td { padding: 3px 12px 3px 0; vertical-align: top; }
    #reference .info table thead tr th { padding: 3px 12px 3px 0; }
    #reference .topbar, #reference .scheme-container, #reference .filter { display: none; }
    .searching #reference .information-container, .searching #reference .models { display: none; }
    #reference details summary { cursor: pointer; font-weight: bold; }
    #nothing { max-width: 1420px; margin: 2em auto; padding: 0 20px; font: 16px system-ui, sans-serif; }
  </style>
</head>
<body>
  <div id="bar">
    <form autocomplete="off">
      <label class="search">Find a call <input name="search" type="search" placeholder="words of its path, name or meaning: shares, record_search, blood" autofocus></label>
      <label>Consumer key <input name="key"></label>
      <label>Consumer secret <input name="secret" type="password"></label>
      <label>Token (optional) <input name="token"></label>
      <label>Token secret <input name="tokenSecret" type="password"></label>
      <small>Calls that you try are signed with these in your browser. Nothing is stored, nothing goes anywhere but here.</small>
    </form>
  </div>
  <div id="reference"></div>
  <p id="nothing" hidden>No call fits these words.</p>
  <script>var module = {}, exports = module.exports = {};</script>
  <script src="docs/oauth-1.0a.js"></script>
  <script>window.OAuth = module.exports; module = undefined; exports = undefined;</script>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/start.js"></script>
</body>
</html>
`;

const script = `'use strict';
const form = document.querySelector('#bar form');

// Signs with the browser's own HMAC: the page holds no library for it. crypto.subtle wants https or localhost.
const hmacSha1 = async (text, key) => {
  const bytes = (value) => new TextEncoder().encode(value);
  const made = await crypto.subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', made, bytes(text)));
  return btoa(String.fromCharCode(...signed));
};

const sign = async (request) => {
  const values = Object.fromEntries(new FormData(form));
  if (!values.key || request.loadSpec) {
    return request;
  }
  const oauth = OAuth({
    consumer: { key: values.key, secret: values.secret },
    signature_method: 'HMAC-SHA1',
    hash_function: () => '',
  });
  const token = values.token ? { key: values.token, secret: values.tokenSecret } : undefined;
  const isForm = String(request.headers['Content-Type'] || '').startsWith('application/x-www-form-urlencoded');
  const data = isForm && request.body ? Object.fromEntries(new URLSearchParams(request.body)) : {};
  const call = { url: new URL(request.url, location.href).href, method: request.method || 'GET', data };
  const header = oauth.authorize(call, token);
  const parameters = { ...header };
  delete parameters.oauth_signature;
  header.oauth_signature = await hmacSha1(oauth.getBaseString(call, parameters), oauth.getSigningKey(token && token.secret));
  for (const name of Object.keys(data)) {
    delete header[name];
  }
  request.headers.Authorization = oauth.toHeader(header).Authorization;
  return request;
};

// Every word has to be in the call's method, path, name or meaning; an area of which nothing is left goes too.
const fits = (words) => (operation) => {
  const text = [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'operationId']), operation.getIn(['operation', 'summary'])].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};
const search = () => ({
  fn: {
    opsFilter: (areas, phrase) => {
      const words = String(phrase).toLowerCase().split(/\\s+/).filter(Boolean);
      const left = areas.map((area) => area.update('operations', (operations) => operations.filter(fits(words)))).filter((area) => area.get('operations').size > 0);
      document.getElementById('nothing').hidden = left.size > 0;
      return left;
    },
  },
});

// A reply that is there as text is shown as it is; the page would make one out of a schema.
const replies = () => ({
  afterLoad() {
    const make = this.fn.getSampleSchema;
    this.fn.getSampleSchema = (schema, type, config, reply) => (typeof reply === 'string' ? reply : make(schema, type, config, reply));
  },
});

const reference = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  filter: true,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  requestInterceptor: sign,
  plugins: [search, replies],
});

form.addEventListener('submit', (event) => event.preventDefault());
form.elements.search.addEventListener('input', ({ target }) => {
  const phrase = target.value.trim();
  document.getElementById('nothing').hidden = true;
  document.body.classList.toggle('searching', phrase !== '');
  reference.layoutActions.updateFilter(phrase === '' ? true : phrase);
  // What is found is shown at once, not folded away inside its area.
  const open = phrase.length > 1;
  for (const area of reference.specSelectors.taggedOperations().keySeq()) {
    reference.layoutActions.show(['operations-tag', area], open);
  }
});
`;

const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const startPage: Page = { type: 'text/html; charset=utf-8', body: html, headers: { 'content-security-policy': policy } };
export const signingScript: Page = { type: 'text/javascript; charset=utf-8', body: script };

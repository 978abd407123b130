/** reference: the page of the API reference: it shows openapi.json and signs the calls that a reader tries. */
import type { Page } from './serialize';

const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>API reference - Personal Health Records Service</title>
  <link rel="stylesheet" href="docs/swagger-ui.css">
  <style>
    #keys { font: 14px sans-serif; max-width: 1420px; margin: 1em auto; padding: 0 20px; display: flex; flex-wrap: wrap; gap: .6em; align-items: end; }
    #keys label { display: flex; flex-direction: column; gap: .2em; }
    #keys input { padding: .4em; min-width: 16em; }
    .swagger-ui .topbar { display: none; }
  </style>
</head>
<body>
  <form id="keys" autocomplete="off">
    <label>Consumer key <input name="key"></label>
    <label>Consumer secret <input name="secret" type="password"></label>
    <label>Token (optional) <input name="token"></label>
    <label>Token secret <input name="tokenSecret" type="password"></label>
    <span>Calls tried below are signed with these in your browser; nothing is stored.</span>
  </form>
  <div id="reference"></div>
  <script>var module = {}, exports = module.exports = {};</script>
  <script src="docs/oauth-1.0a.js"></script>
  <script>window.OAuth = module.exports; module = undefined; exports = undefined;</script>
  <script src="docs/swagger-ui-bundle.js"></script>
  <script src="docs/start.js"></script>
</body>
</html>
`;

const script = `'use strict';
// Signs with the browser's own HMAC: the page holds no library for it. crypto.subtle wants https or localhost.
const hmacSha1 = async (text, key) => {
  const bytes = (value) => new TextEncoder().encode(value);
  const made = await crypto.subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', made, bytes(text)));
  return btoa(String.fromCharCode(...signed));
};

const sign = async (request) => {
  const values = Object.fromEntries(new FormData(document.getElementById('keys')));
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

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  filter: true,
  deepLinking: true,
  docExpansion: 'none',
  tryItOutEnabled: true,
  requestInterceptor: sign,
});
`;

const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const startPage: Page = { type: 'text/html; charset=utf-8', body: html, headers: { 'content-security-policy': policy } };
export const signingScript: Page = { type: 'text/javascript; charset=utf-8', body: script };

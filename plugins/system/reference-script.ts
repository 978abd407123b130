/** reference-script: the script of the API reference page. */
import type { Page } from './serialize';

const script = `'use strict';
const form = document.querySelector('#bar form');
const found = document.getElementById('found');

// A wide screen has room for the form that signs; on a narrow one it opens on demand.
const wide = matchMedia('(min-width: 800px)');
const openFields = () => { form.querySelector('details').open = wide.matches; };
wide.addEventListener('change', openFields);
openFields();

// svc demo prints a link with the keys of its app behind the sign #, which browsers send nowhere. Only on the machine
// itself: elsewhere, a link of somebody else could make people write into a record of that person. The secret of the
// app is never taken from a link.
if (location.hash.startsWith('#key=') && ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname)) {
  const given = new URLSearchParams(location.hash.slice(1));
  for (const name of ['key', 'token', 'tokenSecret']) {
    form.elements[name].value = given.get(name) || '';
  }
  form.querySelector('details').open = true;
  history.replaceState(null, '', location.pathname + location.search);
}

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

// Every word must be in the call's method, path, name or description, or among its other names (x-words). An area in
// which no call is left is hidden, too.
const fits = (words) => (operation) => {
  const text = [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'operationId']), operation.getIn(['operation', 'summary']), operation.getIn(['operation', 'x-words'])].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
};
const search = () => ({
  fn: {
    opsFilter: (areas, phrase) => {
      const words = String(phrase).toLowerCase().split(/\\s+/).filter(Boolean);
      const left = areas.map((area) => area.update('operations', (operations) => operations.filter(fits(words)))).filter((area) => area.get('operations').size > 0);
      const count = left.reduce((sum, area) => sum + area.get('operations').size, 0);
      found.textContent = count === 0 ? 'No call fits these words.' : count === 1 ? 'One call fits these words.' : count + ' calls fit these words.';
      return left;
    },
  },
});

// An example that is a text is shown as it is, because the library would make one out of the schema. Forms stay empty for the reader.
const samples = () => ({
  afterLoad() {
    const make = this.fn.getSampleSchema;
    this.fn.getSampleSchema = (schema, type, config, reply) => {
      if (typeof reply === 'string') {
        return reply;
      }
      // So the library asks for the first value of a form's field.
      const field = type === false && schema ? (schema.toJS ? schema.toJS() : schema) : { type: 'object' };
      return ['array', 'object'].includes(field.type) ? make(schema, type, config, reply) : field.default ?? '';
    };
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
  plugins: [search, samples],
});

// The library draws some lists without a name for screen readers.
const names = { 'examples-select-element': 'Example', 'content-type': 'Media type' };
const nameLists = () => {
  for (const list of document.querySelectorAll('#reference select:not([aria-label])')) {
    list.setAttribute('aria-label', names[list.className] || 'Value');
  }
};
new MutationObserver(nameLists).observe(document.getElementById('reference'), { childList: true, subtree: true });

form.addEventListener('submit', (event) => event.preventDefault());
form.elements.search.addEventListener('input', ({ target }) => {
  const phrase = target.value.trim();
  found.textContent = '';
  document.body.classList.toggle('searching', phrase !== '');
  reference.layoutActions.updateFilter(phrase === '' ? true : phrase);
  // Calls that were found are shown at once and not folded inside their area.
  const open = phrase.length > 1;
  for (const area of reference.specSelectors.taggedOperations().keySeq()) {
    reference.layoutActions.show(['operations-tag', area], open);
  }
});
`;

/** Runs before the page is drawn, so that a dark page never flashes white. */
const colours = `'use strict';
const dark = matchMedia('(prefers-color-scheme: dark)');
const choose = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', choose);
choose();
`;

function page(body: string): Page {
  return { type: 'text/javascript; charset=utf-8', body };
}

export const [startScript, coloursScript] = [page(script), page(colours)];

/**
 * fhir-app: an app for patients in the browser, without a library. It asks the person for a record, and lists the
 * documents in it. It is a module script of a page with <main></main> at the redirect address of the app's manifest.
 */
const fhir = 'https://phr.example/fhir';
const clientId = 'pulse@apps.example';
const here = location.origin + location.pathname;
const query = new URLSearchParams(location.search);
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)));
const urlSafe = (text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const random = () => urlSafe(encode(crypto.getRandomValues(new Uint8Array(32))));
const show = (text) => document.querySelector('main').append(text, document.createElement('br'));
const smart = await (await fetch(`${fhir}/.well-known/smart-configuration`)).json();

const ask = async () => {
  const [verifier, state] = [random(), random()];
  sessionStorage.setItem(state, verifier);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const launch = query.get('launch'); // The website opened the app for a record.
  const context = launch ? { launch, scope: 'launch patient/*.rs' } : { scope: 'launch/patient patient/*.rs' };
  const pkce = { code_challenge: urlSafe(encode(hash)), code_challenge_method: 'S256' };
  const asked = { response_type: 'code', client_id: clientId, redirect_uri: here, aud: fhir, state, ...context, ...pkce };
  location.assign(`${smart.authorization_endpoint}?${new URLSearchParams(asked)}`);
};

const exchange = async (code, code_verifier) => {
  const form = { grant_type: 'authorization_code', code, code_verifier, redirect_uri: here, client_id: clientId };
  return (await fetch(smart.token_endpoint, { method: 'POST', body: new URLSearchParams(form) })).json();
};

const read = async (path, token) =>
  (await fetch(`${fhir}/${path}`, { headers: { authorization: `Bearer ${token}` } })).json();

const verifier = sessionStorage.getItem(query.get('state'));
if (query.has('error')) {
  show(`You said no (${query.get('error')}).`);
} else if (query.has('code') && verifier) {
  const { access_token, patient } = await exchange(query.get('code'), verifier);
  const { name } = await read(`Patient/${patient}`, access_token);
  show(`Documents of ${name[0].given[0]} ${name[0].family}:`);
  const { entry = [] } = await read(`DocumentReference?patient=${patient}`, access_token);
  entry.forEach(({ resource }) => show(`${resource.date.slice(0, 10)} ${resource.content[0].attachment.contentType}`));
} else {
  await ask();
}

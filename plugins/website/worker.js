/**
 * worker: what a person keeps on this telephone. Pages come from the service as long as it answers. Without a network
 * the emergency card, the overview, today's medicines and two quick forms open from here, and readings wait here until
 * they arrive. Everything kept is sealed under keys that cannot be exported; one key is for pages, and the end of the
 * session removes it with what it opens. The other is for readings that wait for their person.
 */
(() => {
  'use strict';

  const SITE = new URL('.', self.location.href).pathname.replace(/\/$/, '');
  const DAYS_30 = 30 * 86_400_000;
  /** A clock may be put right by so much. */
  const MENDED = 120_000;
  /** Everything that is kept is read anew after so long. */
  const FRESH = 6 * 3_600_000;
  /** A network that does not answer for so long is none, for a page that is kept. */
  const PATIENCE = 4000;
  const LOOK = 'svc-look';
  const STORES = ['keys', 'facts', 'pages', 'readings'];

  // --- The store of the device ---------------------------------------------------------------------------------------

  const settled = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  let opened;
  const open = () => {
    opened ??= (() => {
      const request = indexedDB.open('svc-telephone', 1);
      request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
      return settled(request);
    })();
    return opened;
  };
  const inStore = async (name, mode, work) => {
    const transaction = (await open()).transaction(name, mode);
    const done = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await settled(work(transaction.objectStore(name)));
    await done;
    return result;
  };
  const get = (name, key) => inStore(name, 'readonly', (store) => store.get(key));
  const put = (name, key, value) => inStore(name, 'readwrite', (store) => store.put(value, key));
  const drop = (name, key) => inStore(name, 'readwrite', (store) => store.delete(key));
  const clear = (name) => inStore(name, 'readwrite', (store) => store.clear());
  const keysOf = (name) => inStore(name, 'readonly', (store) => store.getAllKeys());

  const keyFor = async (name) => {
    const known = await get('keys', name);
    if (known) {
      return known;
    }
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
    await put('keys', name, key);
    return key;
  };
  const seal = async (name, value) => {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return { iv, data: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyFor(name), bytes) };
  };
  const unseal = async (name, sealed) => {
    const key = sealed && (await get('keys', name));
    if (!key) {
      return undefined;
    }
    const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.iv }, key, sealed.data);
    return JSON.parse(new TextDecoder().decode(bytes));
  };

  /** When the service was reached last, the latest time that was seen, and whose pages these are. */
  const facts = () => get('facts', 'now');

  const waitingCount = async () => (await keysOf('readings')).length;

  /** Removes the key of pages and all that it opens; and the key of readings once none waits. */
  const forget = async () => {
    await drop('keys', 'pages');
    await clear('pages');
    await clear('facts');
    if ((await waitingCount()) === 0) {
      await drop('keys', 'readings');
      await caches.delete(LOOK);
      await self.registration.unregister();
    }
  };
  /** As `forget`, with the readings of this person that still wait. Those of others stay for them. */
  const forgetAll = async (person) => {
    for (const id of await keysOf('readings')) {
      if ((await get('readings', id))?.person === person) {
        await drop('readings', id);
      }
    }
    await forget();
  };

  /** Whether pages may be shown: kept, of the last 30 days by this clock, which has not gone back. */
  const stillKept = async () => {
    const known = await facts();
    const now = Date.now();
    if (!known) {
      return undefined;
    }
    if (now - known.contact > DAYS_30 || now < known.seen - MENDED) {
      await forget();
      return undefined;
    }
    await put('facts', 'now', { ...known, seen: Math.max(now, known.seen) });
    return known;
  };

  // --- What is asked of the service ----------------------------------------------------------------------------------

  /** Who is signed in, and what they may keep; undefined without a network, null for nobody. */
  const ask = async () => {
    try {
      const answer = await fetch(`${SITE}/kept`, { redirect: 'manual', cache: 'no-store' });
      if (answer.type === 'opaqueredirect' || answer.status === 403) {
        return null;
      }
      return answer.ok ? await answer.json() : undefined;
    } catch {
      return undefined;
    }
  };

  const pathsOf = (told) => told.records.flatMap(({ paths }) => paths);

  const keepLook = async (html) => {
    const look = await caches.open(LOOK);
    for (const [, address] of html.matchAll(/(?:href|src)="([^"]*\/(?:style\.css|icon\.svg)[^"]*)"/g)) {
      const url = address.replaceAll('&amp;', '&');
      if (!(await look.match(url))) {
        await look.add(url).catch(() => undefined);
      }
    }
  };

  const keepPage = async (path, answer) => {
    const html = await answer.text();
    const policy = answer.headers.get('content-security-policy') ?? "default-src 'none'; style-src 'self'";
    await put('pages', path, await seal('pages', { html, policy, at: Date.now() }));
    await keepLook(html);
  };

  /** Reads a page anew; one that is not there any more is removed. */
  const readPage = async (path) => {
    const answer = await fetch(path, { redirect: 'manual', cache: 'no-store' });
    if (answer.status === 200) {
      await keepPage(path, answer);
    } else if (answer.status === 404 || answer.status === 403) {
      await drop('pages', path);
    }
  };

  const noteContact = async (told) => {
    const now = Date.now();
    const known = await facts();
    await put('facts', 'now', { ...known, contact: now, seen: now, person: told.person });
    await put('pages', 'told', await seal('pages', told));
  };

  const readAll = async (told) => {
    for (const path of pathsOf(told)) {
      await readPage(path).catch(() => undefined);
    }
    await put('facts', 'now', { ...(await facts()), read: Date.now() });
  };

  let checking;
  /**
   * A contact with the service: pages go if the session has ended, another person is signed in, or a share has ended;
   * readings that wait are sent if their person is signed in. @returns what the service told
   */
  const check = () => {
    checking ??= checkNow().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  const checkNow = async () => {
    const [known, waiting] = [await facts(), await waitingCount()];
    if (!known && waiting === 0) {
      return undefined;
    }
    const told = await ask();
    if (told === undefined) {
      return undefined;
    }
    if (known && (told === null || told.person !== known.person)) {
      await forget();
    }
    if (told === null) {
      return null;
    }
    const stays = await facts();
    if (stays) {
      await noteContact(told);
      const allowed = new Set([...pathsOf(told), 'told']);
      for (const path of await keysOf('pages')) {
        if (!allowed.has(path)) {
          await drop('pages', path);
        }
      }
    }
    const sent = await send(told);
    if (stays && (sent > 0 || Date.now() - (stays.read ?? 0) > FRESH)) {
      await readAll(told);
    }
    if (!stays && (await waitingCount()) === 0) {
      await forget();
    }
    return told;
  };

  /** Begins to keep pages for the person who is signed in. @returns how many are kept */
  const keep = async () => {
    const told = await ask();
    if (!told) {
      return 0;
    }
    await noteContact(told);
    await readAll(told);
    return (await keysOf('pages')).length - 1;
  };

  // --- Readings ------------------------------------------------------------------------------------------------------

  const isReading = (path) => /\/records\/[^/]+\/quick\/(?:weight|blood-pressure)$/.test(path);

  const readingsOf = async (person) => {
    const all = [];
    for (const id of await keysOf('readings')) {
      const sealed = await get('readings', id);
      if (sealed?.person === person) {
        all.push({ id, refused: sealed.refused === true, ...(await unseal('readings', sealed)) });
      }
    }
    return all.sort((one, other) => one.at - other.at);
  };

  const wait = async (person, id, path, fields) =>
    put('readings', id, { person, ...(await seal('readings', { path, fields, at: Date.now() })) });

  /** Sends one reading. The service stores an id once, so it may be sent again. @returns whether it is stored */
  const sendOne = async (told, { id, path, fields }) => {
    const body = new URLSearchParams(fields.filter(([name]) => name !== 'crumb' && name !== 'form'));
    body.set('crumb', told.crumb);
    body.set('form', id);
    body.set('waited', '1');
    const answer = await fetch(path, { method: 'POST', body });
    if (new RegExp(`^${path}/saved/[^/]+$`).test(new URL(answer.url).pathname)) {
      await drop('readings', id);
      return true;
    }
    const sealed = await get('readings', id);
    if (sealed && (answer.status === 400 || answer.status === 404)) {
      await put('readings', id, { ...sealed, refused: true });
    }
    return false;
  };

  /** Those that a form is just sending, and that the service may ask about. */
  const underWay = new Set();

  /** @returns how many were stored */
  const send = async (told) => {
    let sent = 0;
    for (const reading of await readingsOf(told.person)) {
      if (!reading.refused && !underWay.has(reading.id)) {
        try {
          sent += Number(await sendOne(told, reading));
        } catch {
          // The network went again: it stays, and is sent at the next contact.
          return sent;
        }
      }
    }
    return sent;
  };

  // --- Pages without a network ---------------------------------------------------------------------------------------

  const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

  const whenWords = (at, { locale, zone }) =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone }).format(at);

  const valueOf = (fields, name) => fields.find(([one]) => one === name)?.[1] ?? '';

  const readingWords = ({ fields }) => {
    const [upper, lower] = [valueOf(fields, 'bp_systolic_value'), valueOf(fields, 'bp_diastolic_value')];
    const [weight, pulse] = [valueOf(fields, 'weight_value'), valueOf(fields, 'heart_rate_value')];
    return [
      upper || lower ? `${upper} / ${lower} mmHg` : '',
      pulse === '' ? '' : `${pulse} /min`,
      weight === '' ? '' : `${weight} kg`,
    ]
      .filter((part) => part !== '')
      .join(', ');
  };

  const waitingList = (readings, told) =>
    readings.length === 0
      ? ''
      : `<p><b>${escaped(told.texts.waiting)}</b></p><ul data-waiting="${readings.length}">${readings
          .map(
            (one) =>
              `<li><bdi>${escaped(readingWords(one))}</bdi> · ${escaped(whenWords(one.at, told))}${
                one.refused ? ` · ${escaped(told.texts.refused)}` : ''
              }</li>`,
          )
          .join('')}</ul>`;

  const banner = (title, inside) =>
    `<div class="say wait" role="status"><div><h2 class="title">${title}</h2>${inside}</div></div>`;

  const answerWith = (html, policy, status = 200) =>
    new Response(html, {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      },
    });

  const POLICY =
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  const page = (told, title, inside, status) =>
    answerWith(
      `<!doctype html><html lang="${escaped(told.language)}" dir="${escaped(told.dir)}"><head><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width, initial-scale=1">' +
        `<title>${escaped(title)}</title><link rel="stylesheet" href="${escaped(told.style)}"></head>` +
        `<body class="no-side"><main id="main" class="slim"><h1>${escaped(title)}</h1>${inside}</main></body></html>`,
      POLICY,
      status,
    );

  const linksTo = (told) =>
    `<ul>${told.records
      .map(({ name, links }) =>
        links
          .map(
            ({ path, text }) =>
              `<li><a href="${escaped(path)}">${escaped(text)}</a> · <bdi>${escaped(name)}</bdi></li>`,
          )
          .join(''),
      )
      .join('')}</ul>`;

  /** A new form has an id of its own, made here, and the time of now. */
  const renewed = (html, path, told) => {
    if (!isReading(path)) {
      return html;
    }
    const parts = new Intl.DateTimeFormat('en-CA', {
      timeZone: told.zone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    }).formatToParts(Date.now());
    const part = (type) => parts.find((one) => one.type === type)?.value.padStart(2, '0') ?? '';
    const [day, time] = [`${part('year')}-${part('month')}-${part('day')}`, `${part('hour')}:${part('minute')}`];
    const filled = (all, type, value) =>
      all.replace(/<input\b[^>]*>/g, (tag) =>
        tag.includes(` type="${type}"`) ? tag.replace(/ value="[^"]*"/, ` value="${value}"`) : tag,
      );
    const own = html
      .replace(/(<input type="hidden" name="form" value=")[^"]*"/, `$1${crypto.randomUUID()}"`)
      .replace(/(<summary>[^]*?<bdi>)\d\d:\d\d(<\/bdi>)/, `$1${time}$2`);
    return filled(filled(own, 'date', day), 'time', time);
  };

  const told = async () => unseal('pages', await get('pages', 'told'));

  /** A kept page, with the time that it is of, and the readings that wait. */
  const fromHere = async (path) => {
    const known = await stillKept();
    const kept = known && (await unseal('pages', await get('pages', path)));
    const said = kept && (await told());
    if (!said) {
      return undefined;
    }
    const { texts } = said;
    const waiting = await readingsOf(known.person);
    const title = escaped(texts.asOf.replace('{date}', whenWords(kept.at, said)));
    const note = banner(title, `<p>${escaped(texts.open)}</p>${waitingList(waiting, said)}`);
    const html = renewed(kept.html, path, said).replace(/<main id="main"[^>]*>/, (tag) => `${tag}${note}`);
    return answerWith(html, kept.policy);
  };

  const gone = () =>
    new Response('<!doctype html><meta charset="utf-8"><title>No network</title><p>There is no network.</p>', {
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
    });

  const nothing = async () => {
    const said = (await stillKept()) && (await told());
    return said ? page(said, said.texts.noNetwork, `<p>${escaped(said.texts.these)}</p>${linksTo(said)}`, 503) : gone();
  };

  // --- What the browser asks -----------------------------------------------------------------------------------------

  const inTime = (promise) =>
    Promise.race([promise, new Promise((_, fail) => setTimeout(() => fail(new Error('late')), PATIENCE))]);

  /** A page that is looked at: from the service, else from here. */
  const look = async (event, path) => {
    const isStart = path === `${SITE}/`;
    const isKept = (await facts()) !== undefined && (isStart || (await get('pages', path)) !== undefined);
    try {
      if (isKept && !navigator.onLine) {
        throw new Error('no network');
      }
      const asked = fetch(event.request);
      const answer = await (isKept ? inTime(asked) : asked);
      if (isKept && answer.status >= 502) {
        throw new Error('no service');
      }
      const isPlain = new URL(event.request.url).search === '';
      const copy = isKept && isPlain && answer.status === 200 ? answer.clone() : undefined;
      event.waitUntil(
        check()
          .then(async (said) => {
            if (copy && said && pathsOf(said).includes(path) && (await facts())) {
              await keepPage(path, copy);
            }
          })
          .catch(() => undefined),
      );
      return answer;
    } catch {
      if (isStart) {
        const said = (await stillKept()) && (await told());
        const first = said && pathsOf(said)[0];
        return (first && (await fromHere(first))) || nothing();
      }
      return (await fromHere(path)) ?? nothing();
    }
  };

  /**
   * What the service says when it has read a form: a redirect to what is stored, whose status a worker does not see; a page
   * that asks, or says what is wrong. The crumb of a form from here may be an old one, which is no answer.
   */
  const ANSWERED = [0, 200, 400, 404];

  /** A reading that is sent: it waits here from before it is sent until it is known that it has arrived. */
  const reading = async (event, path) => {
    const known = await stillKept();
    if (!known) {
      return fetch(event.request);
    }
    const fields = [...(await event.request.clone().formData())].map(([name, value]) => [name, String(value)]);
    const id = valueOf(fields, 'form') || crypto.randomUUID();
    const isWhole = valueOf(fields, 'more') === '' && valueOf(fields, 'change') === '';
    if (isWhole) {
      underWay.add(id);
      await wait(known.person, id, path, fields);
    }
    try {
      const answer = await fetch(event.request);
      if (!ANSWERED.includes(answer.status)) {
        throw new Error('not taken');
      }
      await drop('readings', id);
      underWay.delete(id);
      event.waitUntil(check().catch(() => undefined));
      return answer;
    } catch {
      underWay.delete(id);
      event.waitUntil(check().catch(() => undefined));
      await self.registration.sync?.register('readings').catch(() => undefined);
      const said = await told();
      if (!said || !isWhole) {
        return nothing();
      }
      const waiting = await readingsOf(known.person);
      return page(
        said,
        said.texts.waits,
        `${banner(escaped(said.texts.waitsWhy), waitingList(waiting, said))}<p><a href="${escaped(path)}">${escaped(
          said.texts.another,
        )}</a></p>${linksTo(said)}`,
      );
    }
  };

  /** Signing out removes what is kept. It says first how many readings wait, after it has tried to send them. */
  const signOut = async (event) => {
    const known = await facts();
    const said = known && (await told());
    const fields = [...(await event.request.clone().formData())];
    const isSure = fields.some(([name]) => name === 'anyway');
    if (said && !isSure) {
      await check().catch(() => undefined);
      const waiting = await readingsOf(known.person);
      if (waiting.length > 0) {
        const inputs = fields
          .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
          .join('');
        return page(
          said,
          said.texts.signOut.replace('{n}', new Intl.NumberFormat(said.locale).format(waiting.length)),
          `${waitingList(waiting, said)}<p>${escaped(said.texts.signOutWhy)}</p>` +
            `<form method="post" action="${SITE}/sign-out">${inputs}<input type="hidden" name="anyway" value="1">` +
            `<div class="buttons"><button class="button">${escaped(said.texts.signOutAnyway)}</button>` +
            `<a class="button first" href="${SITE}/">${escaped(said.texts.stay)}</a></div></form>`,
        );
      }
    }
    if (known) {
      await forgetAll(known.person);
    }
    try {
      return await fetch(event.request);
    } catch {
      return said ? page(said, said.texts.removed, `<p>${escaped(said.texts.removedWhy)}</p>`, 503) : gone();
    }
  };

  const styleFromHere = async (request) => {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await caches.match(request.url);
      if (kept) {
        return kept;
      }
      throw error;
    }
  };

  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname, search } = new URL(request.url);
    if (origin !== self.location.origin || !pathname.startsWith(`${SITE}/`)) {
      return;
    }
    if (request.mode === 'navigate' && request.method === 'GET') {
      // The password was changed on this device: what is kept goes, as at a sign-out elsewhere.
      if (pathname === `${SITE}/account` && /[?&]note=password(?:&|$)/.test(search)) {
        event.waitUntil(forget().catch(() => undefined));
      }
      event.respondWith(look(event, pathname));
    } else if (request.mode === 'navigate' && pathname === `${SITE}/sign-out`) {
      event.respondWith(signOut(event));
    } else if (request.mode === 'navigate' && isReading(pathname)) {
      event.respondWith(reading(event, pathname));
    } else if (request.destination === 'style' || request.destination === 'image') {
      event.respondWith(styleFromHere(request));
    }
  });

  self.addEventListener('sync', (event) => event.waitUntil(check()));

  const answers = {
    keep: async () => ({ kept: await keep() }),
    state: async () => ({
      on: (await stillKept()) !== undefined,
      waiting: await waitingCount(),
    }),
    remove: async () => {
      await check().catch(() => undefined);
      await forget();
      return { on: false, waiting: await waitingCount() };
    },
  };
  self.addEventListener('message', (event) => {
    const answer = answers[event.data?.ask];
    if (answer && event.ports[0]) {
      event.waitUntil(
        answer().then(
          (value) => event.ports[0].postMessage(value),
          () => event.ports[0].postMessage({ failed: true }),
        ),
      );
    }
  });
})();

/** site: a person's browser without scripts: it keeps cookies, follows links, and fills in the forms of a page. */
import type { Server } from '@hapi/hapi';

export type SitePage = {
  readonly status: number;
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The answer as it came. */ readonly bytes?: Buffer;
};

/** A list of pairs where a name occurs several times. */
export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

export type TestFile = {
  readonly field: string;
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly type?: string;
};

const BOUNDARY = 'a-boundary-of-the-tests';

const quoted = (name: string): string => name.replaceAll('"', '%22').replace(/\r?\n/g, '%0A');

const pairsOf = (fields: Fields): readonly (readonly [string, string])[] =>
  Array.isArray(fields)
    ? (fields as readonly (readonly [string, string])[])
    : Object.entries(fields as Readonly<Record<string, string>>);

/** The body of a form with files, as browsers send it. */
const multipart = (fields: Fields, files: readonly TestFile[]): Buffer =>
  Buffer.concat([
    ...pairsOf(fields).map(([name, value]) =>
      Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`),
    ),
    ...files.flatMap(({ field, name, bytes, type = 'application/octet-stream' }) => [
      Buffer.from(
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${quoted(name)}"\r\ncontent-type: ${type}\r\n\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);

export type Site = {
  readonly cookies: Map<string, string>;
  readonly headers: Record<string, string>;
  /** Follows redirects. */ readonly open: (path: string) => Promise<SitePage>;
  /** Does not follow redirects. */ readonly get: (path: string) => Promise<SitePage>;
  readonly post: (path: string, fields: Fields) => Promise<SitePage>;
  /** Sends a form with files, whatever the page contains. */
  readonly upload: (path: string, fields: Fields, files: readonly TestFile[]) => Promise<SitePage>;
  /** Fills in the form of a page that has a file field. */
  readonly send: (page: SitePage, files: readonly TestFile[], fields?: Fields) => Promise<SitePage>;
  /**
   * Fills in the form of a page that has these fields, keeps the values of the page in all others, and sends it.
   * @param about a text in the right form, where several have the fields
   */
  readonly submit: (page: SitePage, fields: Readonly<Record<string, string>>, about?: string) => Promise<SitePage>;
};

const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The text that a person reads: the words of the page below its header. */
export const readable = ({ text }: SitePage): string =>
  plain(
    (/<main[^>]*>([^]*)<\/main>/.exec(text)?.[1] ?? '')
      .replace(/<\/?(?:a|b|bdi|code|span)\b[^>]*>/g, '')
      .replace(/<[^>]+>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();

/** The same page without the lines that name what is folded below them. */
export const unfolded = (page: SitePage): SitePage => ({
  ...page,
  text: page.text.replace(/<details class="day"[^>]*><summary>[^]*?<\/summary>/g, '<details>'),
});

export const formsOf = ({
  text,
}: SitePage): readonly { action: string; fields: Record<string, string>; html: string }[] =>
  [...text.matchAll(/<form\b[^]*?<\/form>/g)].map(([html]) => {
    const fields: Record<string, string> = {};
    for (const [tag] of html.matchAll(/<(?:input|select|textarea)\b(?:"[^"]*"|[^>"])*>/g)) {
      const name = / name="([^"]*)"/.exec(tag)?.[1];
      // Of several radio buttons the checked one is used.
      if (name !== undefined && (!/ type="radio"/.test(tag) || / checked/.test(tag) || !(name in fields))) {
        fields[name] = plain(/ value="([^"]*)"/.exec(tag)?.[1] ?? '');
      }
    }
    for (const [, name, text] of html.matchAll(/<textarea\b[^>]* name="([^"]*)"[^>]*>([^]*?)<\/textarea>/g)) {
      fields[name!] = plain(text!.replace(/^\n/, ''));
    }
    for (const [, name, inside] of html.matchAll(/<select\b[^>]* name="([^"]*)"[^>]*>([^]*?)<\/select>/g)) {
      const options = [...inside!.matchAll(/<option\b[^>]*>/g)].map(([tag]) => tag);
      const chosen = options.find((tag) => / selected\b/.test(tag)) ?? options[0] ?? '';
      fields[name!] = plain(/ value="([^"]*)"/.exec(chosen)?.[1] ?? '');
    }
    return { action: plain(/ action="([^"]*)"/.exec(html)?.[1] ?? ''), fields, html };
  });

/** The form of a page with a file field, with the page's values of the other fields. */
const fileForm = (page: SitePage, files: readonly TestFile[]): { action: string; fields: Record<string, string> } => {
  const form = formsOf(page).find(({ html }) => html.includes('type="file"'));
  if (!form) {
    throw new Error(`no form for files on ${page.path}: ${readable(page)}`);
  }
  const given = Object.entries(form.fields).filter(([name]) => !files.some(({ field }) => field === name));
  return { action: form.action, fields: Object.fromEntries(given) };
};

const keepCookies = (cookies: Map<string, string>, given: unknown): void => {
  for (const line of [given ?? []].flat() as string[]) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (/Max-Age=0/.test(line)) {
      cookies.delete(name!);
    } else {
      cookies.set(name!, value!);
    }
  }
};

/** A browser of one person, in this process. */
export const makeSite = (server: Server, language = 'en'): Site => {
  const cookies = new Map<string, string>();
  const headers: Record<string, string> = { accept: 'text/html', 'accept-language': language, host: 'svc.example' };
  const ask = async (
    method: string,
    url: string,
    payload?: string | Buffer,
    type = 'application/x-www-form-urlencoded',
  ): Promise<SitePage> => {
    const response = await server.inject({
      method,
      url,
      headers: {
        ...headers,
        ...(cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(payload === undefined ? {} : { 'content-type': type }),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    keepCookies(cookies, response.headers['set-cookie']);
    const { statusCode: status, payload: text, rawPayload: bytes } = response;
    return { status, path: url, text, headers: response.headers, bytes };
  };
  const follow = async (page: SitePage): Promise<SitePage> => {
    let here = page;
    for (let hops = 0; here.status === 303 && hops < 5; hops += 1) {
      here = await ask('GET', String(here.headers['location']));
    }
    return here;
  };
  const post = (path: string, fields: Fields): Promise<SitePage> =>
    ask('POST', path, new URLSearchParams(fields as Record<string, string>).toString());
  const upload: Site['upload'] = (path, fields, files) =>
    ask('POST', path, multipart(fields, files), `multipart/form-data; boundary=${BOUNDARY}`);
  return {
    cookies,
    headers,
    get: (path) => ask('GET', path),
    open: async (path) => follow(await ask('GET', path)),
    post,
    upload,
    send: async (page, files, fields = {}) => {
      const form = fileForm(page, files);
      return follow(await upload(form.action, { ...form.fields, ...Object.fromEntries(pairsOf(fields)) }, files));
    },
    submit: async (page, fields, about = '') => {
      const form = formsOf(page).find(
        (one) => one.html.includes(about) && Object.keys(fields).every((name) => name in one.fields),
      );
      if (!form) {
        throw new Error(`no form with ${Object.keys(fields).join(', ')} on ${page.path}: ${readable(page)}`);
      }
      return follow(await post(form.action, { ...form.fields, ...fields }));
    },
  };
};

/** site: a person's browser without a script: it keeps cookies, follows links, and fills in the forms that a page shows. */
import type { Server } from '@hapi/hapi';

export type SitePage = {
  readonly status: number;
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

export type Site = {
  readonly cookies: Map<string, string>;
  readonly headers: Record<string, string>;
  /** Follows redirects. */ readonly open: (path: string) => Promise<SitePage>;
  /** One answer as it came. */ readonly get: (path: string) => Promise<SitePage>;
  readonly post: (path: string, fields: Readonly<Record<string, string>>) => Promise<SitePage>;
  /**
   * Fills in the form of a page that has these fields, with what the page filled in already, and sends it.
   * @param about a text that stands in the right form, where several have the fields
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

/** What a person reads: the words of the page beneath its heading band. */
export const readable = ({ text }: SitePage): string =>
  plain(
    (/<main[^>]*>([^]*)<\/main>/.exec(text)?.[1] ?? '')
      .replace(/<\/?(?:a|b|bdi|code|span)\b[^>]*>/g, '')
      .replace(/<[^>]+>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();

export const formsOf = ({
  text,
}: SitePage): readonly { action: string; fields: Record<string, string>; html: string }[] =>
  [...text.matchAll(/<form\b[^]*?<\/form>/g)].map(([html]) => {
    const fields: Record<string, string> = {};
    for (const [tag] of html.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)) {
      const name = / name="([^"]*)"/.exec(tag)?.[1];
      if (name !== undefined) {
        fields[name] = plain(/ value="([^"]*)"/.exec(tag)?.[1] ?? '');
      }
    }
    for (const [, name, options] of html.matchAll(/<select\b[^>]* name="([^"]*)"[^>]*>([^]*?)<\/select>/g)) {
      fields[name!] = plain(
        / value="([^"]*)"[^>]* selected/.exec(options!)?.[1] ?? / value="([^"]*)"/.exec(options!)?.[1] ?? '',
      );
    }
    return { action: plain(/ action="([^"]*)"/.exec(html)?.[1] ?? ''), fields, html };
  });

/** A browser of one person, in this process. */
export const makeSite = (server: Server, language = 'en'): Site => {
  const cookies = new Map<string, string>();
  const headers: Record<string, string> = { accept: 'text/html', 'accept-language': language, host: 'svc.example' };
  const keep = (given: unknown): void => {
    for (const line of [given ?? []].flat() as string[]) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0/.test(line)) {
        cookies.delete(name!);
      } else {
        cookies.set(name!, value!);
      }
    }
  };
  const ask = async (method: string, url: string, payload?: string): Promise<SitePage> => {
    const response = await server.inject({
      method,
      url,
      headers: {
        ...headers,
        ...(cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(payload === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    keep(response.headers['set-cookie']);
    return { status: response.statusCode, path: url, text: response.payload, headers: response.headers };
  };
  const follow = async (page: SitePage): Promise<SitePage> => {
    let here = page;
    for (let hops = 0; here.status === 303 && hops < 5; hops += 1) {
      here = await ask('GET', String(here.headers['location']));
    }
    return here;
  };
  const post = (path: string, fields: Readonly<Record<string, string>>): Promise<SitePage> =>
    ask('POST', path, new URLSearchParams(fields).toString());
  return {
    cookies,
    headers,
    get: (path) => ask('GET', path),
    open: async (path) => follow(await ask('GET', path)),
    post,
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

/** bare: makes a page outside the addresses of the website. It knows no person, and shows one message. */
import { renderToString } from 'preact-render-to-string';
import { STYLE } from '../http/style';
import { languageFor } from '../../../core/base/languages';
import { wordsIn } from '../words/words';
import { Mark } from './icons';
import { Head } from './layout';

type Bare = {
  readonly site: string;
  readonly acceptLanguage: string;
  /** Names of texts. */ readonly title: string;
  readonly text: string;
  /** The detail for developers, which is in English and shown as it is. */ readonly detail: string;
};

/** No script runs in the page, and nothing is loaded from other sites. */
export const BARE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export function barePage({ site, acceptLanguage, title, text, detail }: Bare): string {
  const words = wordsIn(languageFor(acceptLanguage), 'UTC');
  const page = (
    <html lang={words.language} dir={words.dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${words.say(title)} · ${words.say('frame.name')}`}</title>
        <link rel="icon" href={`${site}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${site}/${STYLE}`} />
      </head>
      <body class="no-side">
        <header class="top">
          <a class="brand" href={`${site}/`}>
            <Mark />
            <span>{words.say('frame.name')}</span>
          </a>
        </header>
        <main id="main">
          <Head title={words.say(title)}>{words.say(text)}</Head>
          <details class="more-below">
            <summary>{words.say('add.technical')}</summary>
            <p class="soft small" lang="en" dir="ltr">
              {detail}
            </p>
          </details>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}`;
}

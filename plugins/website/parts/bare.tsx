/** bare: a page outside of the website's own addresses: it knows nobody, and says one thing. */
import { renderToString } from 'preact-render-to-string';
import { STYLE } from '../style';
import { languageFor } from '../../../core/base/languages';
import { wordsIn } from '../words';
import { Mark } from './icons';
import { Head } from './layout';

export type Bare = {
  readonly site: string;
  readonly acceptLanguage: string;
  /** Names of texts. */ readonly title: string;
  readonly text: string;
  /** What a developer wants to know; in English, as it is. */ readonly detail: string;
};

/** Nothing runs in it, and nothing comes from elsewhere. */
export const BARE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export const barePage = ({ site, acceptLanguage, title, text, detail }: Bare): string => {
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
      <body>
        <header>
          <div class="top">
            <div class="wrap">
              <a class="home" href={`${site}/`}>
                <Mark />
                <span>{words.say('frame.name')}</span>
              </a>
            </div>
          </div>
        </header>
        <main id="main">
          <div class="wrap">
            <Head title={words.say(title)}>{words.say(text)}</Head>
            <details class="more-below">
              <summary>{words.say('add.technical')}</summary>
              <p class="soft small" lang="en" dir="ltr">
                {detail}
              </p>
            </details>
          </div>
        </main>
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}`;
};

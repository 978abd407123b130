/** frame: the frame of every page: the band, the name of the record with its tabs, and the foot. */
import type { JSX } from 'preact';
import { languages } from '../../../core/base/languages';
import type { InRecord, Shown, Visit } from '../http/page';
import { SCRIPT, STYLE } from '../http/style';
import { Icon, Mark } from './icons';
import { PrintedFor } from './printed';

type Framed = { readonly visit: Visit };

const current = (visit: Visit, path: string) => (visit.path === path ? { 'aria-current': 'page' as const } : {});

const MOST_SAID = 99;

/** How many messages wait to be read. */
const Unread = ({ visit: { person, words } }: Framed): JSX.Element | null => {
  const count = person?.unread ?? 0;
  return count === 0 ? null : (
    <span class="count">
      {words.number(Math.min(count, MOST_SAID))}
      {count > MOST_SAID && '+'}
      <span class="unseen"> {words.say('frame.unread', { count })}</span>
    </span>
  );
};

const Site = ({ visit }: Framed): JSX.Element => {
  const { say } = visit.words;
  const link = (path: string, text: string, more?: JSX.Element) => (
    <li>
      <a href={path === `${visit.site}/` ? `${path}?all=1` : path} {...current(visit, path)}>
        {text}
        {more && <> {more}</>}
      </a>
    </li>
  );
  return (
    <nav aria-label={say('frame.site')}>
      <ul>
        {link(`${visit.site}/`, say('frame.records'))}
        {link(`${visit.site}/inbox/`, say('frame.inbox'), <Unread visit={visit} />)}
        {link(`${visit.site}/account`, say('frame.account'))}
        <li>
          <form method="post" action={`${visit.site}/sign-out`}>
            <input type="hidden" name="crumb" value={visit.crumb} />
            <button>{say('frame.sign-out')}</button>
          </form>
        </li>
      </ul>
    </nav>
  );
};

/** Tabs of a record and of a carenet: name of the text -> path after the base. */
const recordTabs = {
  overview: '',
  timeline: 'timeline',
  documents: 'documents/',
  sharing: 'sharing',
  apps: 'apps',
  history: 'history',
  export: 'export',
} as const;
const carenetTabs = { overview: '', timeline: 'timeline', documents: 'documents/' } as const;

/** The tab that a page belongs to: the longest path that begins its address. */
const tabOf = (path: string, base: string, tabs: Readonly<Record<string, string>>): string => {
  const rest = path.slice(base.length);
  const under = Object.entries(tabs).filter(
    ([, tab]) => tab !== '' && (rest === tab || rest.startsWith(`${tab.replace(/\/$/, '')}/`)),
  );
  if (tabs['sharing'] !== undefined && /^links(\/|$)/.test(rest)) {
    return 'sharing';
  }
  // Pages for adding belong to the button next to the tabs, and to no tab.
  return under[0]?.[0] ?? (/^add(-file)?(\/|$)/.test(rest) ? '' : 'overview');
};

const Record = ({ visit, record }: Framed & { readonly record: InRecord }): JSX.Element => {
  const { say } = visit.words;
  const inCarenet = record.carenet !== undefined;
  const tabs = inCarenet ? carenetTabs : recordTabs;
  const here = tabOf(visit.path, record.base, tabs);
  const label = say('frame.record-of', { name: record.name });
  const items = Object.entries(tabs).map(([name, path]) => (
    <li>
      <a href={`${record.base}${path}`} {...(name === here ? { 'aria-current': 'page' as const } : {})}>
        {say(`frame.${name}`)}
      </a>
    </li>
  ));
  return (
    <div class="record">
      <div class="wrap">
        <a class="who plain" href={record.base}>
          <bdi>{record.name}</bdi>
          {inCarenet && (
            <span class="of">
              {' '}
              · <bdi>{record.carenet}</bdi>
            </span>
          )}
        </a>
        <nav class="tabs" aria-label={label}>
          <ul>{items}</ul>
        </nav>
        <details class="menu">
          <summary>{say('frame.menu')}</summary>
          <nav aria-label={label}>
            <ul>{items}</ul>
          </nav>
        </details>
        {!inCarenet && (
          <a class="button first little" href={`${record.base}add`}>
            <Icon name="add" />
            {say('frame.add')}
          </a>
        )}
      </div>
    </div>
  );
};

const Foot = ({ visit }: Framed): JSX.Element => {
  const { say, language } = visit.words;
  return (
    <footer class="foot">
      <div class="wrap">
        <ul>
          <li>{say('frame.foot')}</li>
          <li>
            {visit.person ? <a href={`${visit.site}/account`}>{languages[language].name}</a> : languages[language].name}
          </li>
        </ul>
      </div>
    </footer>
  );
};

/**
 * The title in the tab of the browser. It names the record, because people who look after several have a tab of each
 * open.
 */
const titleOf = ({ words }: Visit, { title, record }: Shown): string => {
  const name = record && !title.includes(record.name) ? record.name : '';
  return [title, name, record?.carenet, words.say('frame.name')].filter(Boolean).join(' · ');
};

/** A whole document of this site. */
export const Frame = ({ visit, shown }: Framed & { readonly shown: Shown }): JSX.Element => {
  const { say, language, dir } = visit.words;
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{titleOf(visit, shown)}</title>
        <link rel="icon" href={`${visit.site}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${visit.site}/${STYLE}`} />
        {shown.script && <script src={`${visit.site}/${SCRIPT}`} />}
      </head>
      <body>
        <a class="unseen skip" href="#main">
          {say('frame.skip')}
        </a>
        <header>
          <div class="top">
            <div class="wrap">
              <a class="home" href={`${visit.site}/`}>
                <Mark />
                <span class={visit.person ? 'home-name' : undefined}>{say('frame.name')}</span>
              </a>
              {visit.person && <Site visit={visit} />}
            </div>
          </div>
          {shown.record && <Record visit={visit} record={shown.record} />}
        </header>
        <main id="main" tabindex={-1}>
          <div class="wrap">
            {shown.record && <PrintedFor visit={visit} name={shown.record.name} born={shown.record.born} />}
            {shown.body}
          </div>
        </main>
        <Foot visit={visit} />
      </body>
    </html>
  );
};

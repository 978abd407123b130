/** frame: the frame of every page: whose record it is, the places of the record and of the site, and the foot. */
import type { JSX } from 'preact';
import type { SignedIn } from '../../../core/auth/browser-sessions';
import { languages } from '../../../core/base/languages';
import type { InRecord, Shown, Visit } from '../http/page';
import { MANIFEST, SCRIPT, STYLE, TELEPHONE_SCRIPT, TOUCH_ICON } from '../http/style';
import { Icon, Mark } from './icons';
import { groupsOf, hereOf, type Place } from './places';
import { PrintedFor } from './printed';
import { Sheet } from './sheet';
import { ageWords, Avatar, hueOf } from './who';
import { circleName } from '../words/circle-names';

type Framed = { readonly visit: Visit };
type InFrame = Framed & { readonly record: InRecord };

function current(here: boolean) {
  return here ? { 'aria-current': 'page' as const } : {};
}

const MOST_SAID = 99;

/** How many messages wait to be read. */
function Unread({ visit: { person, words } }: Framed): JSX.Element | null {
  const count = person?.unread ?? 0;
  return count === 0 ? null : (
    <span class="count">
      {words.number(Math.min(count, MOST_SAID))}
      {count > MOST_SAID && '+'}
      <span class="unseen"> {words.say('frame.unread', { count })}</span>
    </span>
  );
}

function SignOut({ visit }: Framed): JSX.Element {
  return (
    <form method="post" action={`${visit.site}/sign-out`}>
      <input type="hidden" name="crumb" value={visit.crumb} />
      <button>
        <Icon name="out" turn />
        <span class="w">{visit.words.say('frame.sign-out')}</span>
      </button>
    </form>
  );
}

function allRecords({ site }: Visit): string {
  return `${site}/?all=1`;
}

/** The places of the site: words on a wide screen, icons on a telephone. */
function Site({ visit }: Framed): JSX.Element {
  const { say } = visit.words;
  const link = (path: string, text: string, icon: JSX.Element, more?: JSX.Element): JSX.Element => (
    <a href={path} {...current(visit.path === path.replace(/\?.*/, ''))}>
      {icon}
      <span class="w">{text}</span> {more}
    </a>
  );
  return (
    <nav class="site" aria-label={say('frame.site')}>
      <ul>
        <li>{link(allRecords(visit), say('frame.records'), <Icon name="people" />)}</li>
        <li class="inbox">
          {link(`${visit.site}/inbox/`, say('frame.inbox'), <Icon name="inbox" />, <Unread visit={visit} />)}
        </li>
        <li>{link(`${visit.site}/account`, say('frame.account'), <Icon name="person" />)}</li>
        <li>
          <SignOut visit={visit} />
        </li>
      </ul>
    </nav>
  );
}

const SWITCH = 'whose-record';
const MORE = 'more-places';

/** The name of the record, and under it the circle or the age. */
function Named({ visit, record }: InFrame): JSX.Element {
  const age = ageWords(record.born, visit.now, visit.words);
  return (
    <span>
      <b>
        <bdi>{record.name}</bdi>
      </b>
      {record.carenet !== undefined && (
        <small class="of">
          <bdi>{record.carenet}</bdi>
        </small>
      )}
      {record.carenet === undefined && age !== '' && <small>{age}</small>}
    </span>
  );
}

function Whose(of: InFrame): JSX.Element {
  return (
    <button class="whose" type="button" popovertarget={SWITCH}>
      <Avatar name={of.record.name} hue={hueOf(of.record.base)} />
      <Named {...of} />
      <span class="chev" aria-hidden="true" />
    </button>
  );
}

/** "Search this record": a field on wide screens, and a link to it on telephones. */
function Find({ visit, record }: InFrame): JSX.Element | null {
  const { say } = visit.words;
  const action = `${record.base}search`;
  return visit.path === action ? (
    <div class="find" />
  ) : (
    <>
      <form class="find" role="search" aria-label={say('search.find')} method="get" action={action}>
        <div class="search">
          <Icon name="search" />
          <label class="unseen" for="find">
            {say('frame.search')}
          </label>
          <input id="find" name="q" type="search" placeholder={say('frame.search')} autocomplete="off" dir="auto" />
        </div>
      </form>
      <a class="find-link" href={action}>
        <Icon name="search" />
        <span class="unseen">{say('frame.search')}</span>
      </a>
    </>
  );
}

type OtherRecord = SignedIn['records'][number];

function baseOf({ site }: Visit, { id, carenetId }: OtherRecord): string {
  return carenetId === null ? `${site}/records/${id}/` : `${site}/carenets/${carenetId}/`;
}

/** As the frame says whose record another one is. */
function inFrame(visit: Visit, other: OtherRecord): InRecord {
  return {
    base: baseOf(visit, other),
    name: other.label,
    born: other.born,
    ...(other.carenetId === null ? {} : { carenet: circleName(other.carenetName ?? '', visit.words) }),
  };
}

/** Whose record the page is about, and the other records of the person. */
function Switch({ visit, record, others }: InFrame & { readonly others: readonly InRecord[] }): JSX.Element {
  return (
    <Sheet visit={visit} id={SWITCH} title={visit.words.say('frame.whose')}>
      <li>
        <a href={record.base} aria-current="true">
          <Avatar name={record.name} hue={hueOf(record.base)} />
          <Named visit={visit} record={record} />
        </a>
      </li>
      {others.map((other) => (
        <li>
          <a href={other.base}>
            <Avatar name={other.name} hue={hueOf(other.base)} />
            <Named visit={visit} record={other} />
          </a>
        </li>
      ))}
      <li class="part">
        <a href={allRecords(visit)}>
          <Icon name="people" />
          {visit.words.say('frame.records')}
        </a>
      </li>
      <li>
        <a href={`${visit.site}/start`}>
          <Icon name="add" />
          {visit.words.say('records.start')}
        </a>
      </li>
    </Sheet>
  );
}

type Listed = InFrame & { readonly places: readonly Place[]; readonly here: string; readonly apart?: boolean };

function Places({ record, places, here, apart = false }: Listed): readonly JSX.Element[] {
  return places.map(({ name, path, icon, text }, at) => (
    <li {...(apart && at === 0 ? { class: 'part' } : {})}>
      <a href={`${record.base}${path}`} {...current(name === here)}>
        <Icon name={icon} />
        {text}
      </a>
    </li>
  ));
}

/** The places of a record beside the page, on wide screens. */
function Beside({ visit, record }: InFrame): JSX.Element {
  const here = hereOf(visit, record);
  return (
    <nav class="places" aria-label={visit.words.say('frame.record-of', { name: record.name })}>
      {record.carenet === undefined && (
        <a class="button first" href={`${record.base}add`}>
          <Icon name="add" />
          {visit.words.say('frame.add')}
        </a>
      )}
      {groupsOf(visit, record).map(({ title, places }) => (
        <>
          {title !== '' && <h2>{title}</h2>}
          <ul>{Places({ visit, record, places, here })}</ul>
        </>
      ))}
    </nav>
  );
}

/** The places that a thumb reaches, on telephones. */
function Bar({ visit, record }: InFrame): JSX.Element {
  const here = hereOf(visit, record);
  const { say } = visit.words;
  const [overview, timeline, documents] = groupsOf(visit, record)[0]!.places as readonly [Place, Place, Place];
  const link = ({ name, path, icon, text }: Place): JSX.Element => (
    <a href={`${record.base}${path}`} {...current(name === here)}>
      <Icon name={icon} />
      {text}
    </a>
  );
  return (
    <nav class={record.carenet === undefined ? 'bar' : 'bar four'} aria-label={say('frame.main-places')}>
      {link(overview)}
      {link(timeline)}
      {record.carenet === undefined && (
        <a class="add" href={`${record.base}quick/`}>
          <Icon name="add" />
          <span class="unseen">{say('frame.add')}</span>
        </a>
      )}
      {link(documents)}
      <button type="button" popovertarget={MORE}>
        <Icon name="more" />
        {say('frame.more')}
      </button>
    </nav>
  );
}

/** The places that the bar has no room for. */
function More({ visit, record }: InFrame): JSX.Element {
  const here = hereOf(visit, record);
  const { say } = visit.words;
  return (
    <Sheet visit={visit} id={MORE} title={say('frame.more-places')}>
      {groupsOf(visit, record)
        .slice(1)
        .map(({ places }) => Places({ visit, record, places, here, apart: true }))}
      <li class="part">
        <a href={`${visit.site}/inbox/`}>
          <Icon name="inbox" />
          {say('frame.inbox')}
        </a>
      </li>
      <li>
        <a href={`${visit.site}/account`}>
          <Icon name="person" />
          {say('frame.account')}
        </a>
      </li>
      <li>
        <SignOut visit={visit} />
      </li>
    </Sheet>
  );
}

function Foot({ visit }: Framed): JSX.Element {
  const { say, language } = visit.words;
  return (
    <footer class="foot">
      <ul class="line">
        <li>{say('frame.foot')}</li>
        <li>
          {visit.person ? <a href={`${visit.site}/account`}>{languages[language].name}</a> : languages[language].name}
        </li>
      </ul>
    </footer>
  );
}

/**
 * The title in the tab of the browser. It names the record, because people who look after several have a tab of each
 * open.
 */
function frameTitle({ words }: Visit, { title, record }: Shown): string {
  const name = record && !title.includes(record.name) ? record.name : '';
  return [title, name, record?.carenet, words.say('frame.name')].filter(Boolean).join(' · ');
}

/** Says as whom the owner sees a carenet, and leads back. Each look is a row of the owner's own. */
function Lens({ visit, record, as }: InFrame & { readonly as: NonNullable<InRecord['as']> }): JSX.Element {
  const { say, rich } = visit.words;
  const sharing = `${visit.site}/records/${encodeURIComponent(as.recordId)}/sharing`;
  const name = <bdi>{as.person?.name ?? record.carenet}</bdi>;
  return (
    <div class="lens no-print" role="note">
      <Icon name="eye" />
      <p>{rich(as.person ? 'person.lens' : 'person.lens-circle', { name })}</p>
      {as.person && (
        <a href={`${sharing}/${encodeURIComponent(as.person.id)}`}>
          {say('person.lens-change', { name: as.person.name })}
        </a>
      )}
      <a href={sharing}>{say('person.lens-back')}</a>
    </div>
  );
}

function Top({ visit, record }: Framed & { readonly record: InRecord | undefined }): JSX.Element {
  return (
    <header class="top">
      {record ? (
        <>
          <Whose visit={visit} record={record} />
          <Find visit={visit} record={record} />
        </>
      ) : (
        <a class="brand" href={`${visit.site}/`}>
          <Mark />
          <span class={visit.person ? 'w' : undefined}>{visit.words.say('frame.name')}</span>
        </a>
      )}
      {visit.person && <Site visit={visit} />}
    </header>
  );
}

/** What scripts find a page of a record by. */
function recordOf({ params }: Visit, record: InRecord | undefined) {
  return record && params['RECORD_ID'] !== undefined ? { 'data-record': params['RECORD_ID'] } : {};
}

/** A whole document of this site. */
export function Frame({ visit, shown }: Framed & { readonly shown: Shown }): JSX.Element {
  const { say, language, dir } = visit.words;
  const records = (visit.person?.records ?? []).map((one) => inFrame(visit, one));
  const own = records.find(({ base }) => base === shown.record?.base);
  // Every page of a record says the age; a page that has just changed it knows better.
  const record = shown.record && { ...own, ...shown.record };
  const others = records.filter((one) => one !== own);
  return (
    <html
      lang={language}
      dir={dir}
      data-theme={visit.person?.theme || undefined}
      data-size={visit.person?.size || undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>{frameTitle(visit, shown)}</title>
        <link rel="icon" href={`${visit.site}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${visit.site}/${STYLE}`} />
        {visit.person && <link rel="manifest" href={`${visit.site}/${MANIFEST}`} />}
        {visit.person && <link rel="apple-touch-icon" href={`${visit.site}/${TOUCH_ICON}`} />}
        {shown.script && <script src={`${visit.site}/${SCRIPT}`} />}
        {shown.script === 'telephone' && <script src={`${visit.site}/${TELEPHONE_SCRIPT}`} />}
      </head>
      <body class={record ? hueOf(record.base) : 'no-side'} {...recordOf(visit, record)}>
        <a class="unseen skip" href="#main">
          {say('frame.skip')}
        </a>
        <Top visit={visit} record={record} />
        {record && <Beside visit={visit} record={record} />}
        <main id="main" tabindex={-1} class={shown.slim ? 'slim' : undefined}>
          {record?.as && <Lens visit={visit} record={record} as={record.as} />}
          {record && <PrintedFor visit={visit} name={record.name} born={record.born} />}
          {shown.body}
        </main>
        <Foot visit={visit} />
        {record && (
          <>
            <Bar visit={visit} record={record} />
            <Switch visit={visit} record={record} others={others} />
            <More visit={visit} record={record} />
          </>
        )}
      </body>
    </html>
  );
}

/** narrow: how a list of documents is searched, narrowed down, seen and put in order, each choice a link. */
import type { JSX } from 'preact';
import type { PersonVisit } from '../../http/page';
import { Icon, type IconName } from '../../parts/icons';
import { addressWith } from '../../parts/pager';
import { dateWords } from '../../words/facts';
import {
  askedFor,
  isAskedFor,
  isNarrowed,
  narrowing,
  sortOf,
  sorts,
  type Features,
  type Narrowing,
  type People,
} from './ordered';

const statuses = ['active', 'archived', 'void'] as const;
type Status = (typeof statuses)[number];

const MOST_LETTERS = 200;

const views = [
  ['list', 'table'],
  ['grid', 'app'],
] as const;

export function viewOf({ query }: PersonVisit): 'list' | 'grid' {
  return query['view'] === 'grid' ? 'grid' : 'list';
}

export function statusAsked({ query }: PersonVisit): Status {
  return statuses.find((known) => known === query['status']) ?? 'active';
}

export function searchedWords({ query }: PersonVisit): string {
  return (query['q'] ?? '').trim().slice(0, MOST_LETTERS);
}

/** What stays in the address from one choice and page to the next. */
export function keptQuery(visit: PersonVisit): Readonly<Record<string, string>> {
  return {
    q: searchedWords(visit),
    status: statusAsked(visit) === 'active' ? '' : statusAsked(visit),
    view: viewOf(visit) === 'list' ? '' : viewOf(visit),
    texts: visit.query['texts'] === '1' ? '1' : '',
    sort: sortOf(visit) === 'care' && visit.query['sort'] === undefined ? '' : sortOf(visit),
    ...Object.fromEntries(narrowing.map((name) => [name, askedFor(visit, name)])),
  };
}

/** The field, above everything. */
export function SearchField({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  const hidden = Object.entries(keptQuery(visit)).filter(([name, value]) => name !== 'q' && value !== '');
  return (
    <form
      class="line no-print"
      method="get"
      action={visit.path}
      role="search"
      aria-label={say('documents.search-label')}
    >
      <div class="search grow">
        <Icon name="search" />
        <label class="unseen" for="field-q">
          {say('documents.search')}
        </label>
        <input
          id="field-q"
          name="q"
          type="search"
          value={searchedWords(visit)}
          placeholder={say('documents.search-label')}
          maxLength={MOST_LETTERS}
          dir="auto"
        />
      </div>
      {hidden.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class="button">{say('search.find')}</button>
    </form>
  );
}

type Chip = { readonly name: Narrowing; readonly value: string; readonly text: string; readonly count: number };

type Counted = {
  readonly visit: PersonVisit;
  readonly people: People;
  /** Of all that the words found, before it is narrowed down. */ readonly features: readonly Features[];
};

/** How many chips of each sort stand in the row; the others are folded. */
const MOST_CHIPS: Readonly<Record<Narrowing, number>> = { from_whom: 4, kind: 7, tag: 7, day: 1 };

const icons: Readonly<Partial<Record<Narrowing, IconName>>> = { from_whom: 'people', kind: 'document', tag: 'tag' };

/** The values of one sort with how many documents have them, the most frequent first. */
function chipsOf({ visit, people, features }: Counted, name: Narrowing): readonly Chip[] {
  const counts = new Map<string, { value: string; count: number }>();
  for (const own of features.filter((one) => isAskedFor(visit, one, name))) {
    for (const value of name === 'kind' ? own.kind.slice(0, 1) : own[name]) {
      const known = counts.get(value.toLowerCase());
      counts.set(value.toLowerCase(), { value: known?.value ?? value, count: (known?.count ?? 0) + 1 });
    }
  }
  const names = new Map(people.map(({ key, name: said }) => [key, said]));
  const textOf = (value: string): string => (name === 'from_whom' ? (names.get(value) ?? '') : value);
  return [...counts.values()]
    .map(({ value, count }): Chip => ({ name, value, text: textOf(value), count }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => b.count - a.count || a.text.localeCompare(b.text, visit.words.locale));
}

/** A value that many documents have. Pressed again, it no longer counts. */
function ChipLink({ visit, chip }: { readonly visit: PersonVisit; readonly chip: Chip }): JSX.Element {
  const { name, value, text, count } = chip;
  const isAsked = askedFor(visit, name).toLowerCase() === value.toLowerCase();
  const icon = icons[name];
  return (
    <a
      class="chip"
      href={addressWith(visit, { ...keptQuery(visit), [name]: isAsked ? '' : value })}
      {...(isAsked ? { 'aria-current': 'true' as const } : {})}
    >
      {icon && <Icon name={icon} />}
      <bdi>{text}</bdi> <span class="soft">{visit.words.number(count)}</span>
    </a>
  );
}

/** Senders, kinds and tags, each with how many documents it has; nothing where there is no choice. */
export function Chips(counted: Counted): JSX.Element | null {
  const { visit, features } = counted;
  const { say, number } = visit.words;
  const all = (['from_whom', 'kind', 'tag'] as const).map((name) => {
    const own = chipsOf(counted, name);
    const asked = askedFor(visit, name).toLowerCase();
    const shown = own.filter(({ value }, index) => index < MOST_CHIPS[name] || value.toLowerCase() === asked);
    return { shown, folded: own.filter((chip) => !shown.includes(chip)) };
  });
  const shown = all.flatMap((one) => one.shown);
  const folded = all.flatMap((one) => one.folded);
  return shown.length < 2 && !isNarrowed(visit) ? null : (
    <>
      <nav class="chips roll gap no-print" aria-label={say('documents.narrow')}>
        <a
          class="chip"
          href={addressWith(visit, { ...keptQuery(visit), ...Object.fromEntries(narrowing.map((name) => [name, ''])) })}
          {...(isNarrowed(visit) ? {} : { 'aria-current': 'true' as const })}
        >
          {say('documents.any')} <span class="soft">{number(features.length)}</span>
        </a>
        {shown.map((chip) => (
          <ChipLink visit={visit} chip={chip} />
        ))}
      </nav>
      {folded.length > 0 && (
        <details class="fold no-print">
          <summary>{say('documents.more-chips', { count: folded.length })}</summary>
          <div class="chips">
            {folded.map((chip) => (
              <ChipLink visit={visit} chip={chip} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

/** The two views and the orders, as links. */
export function ViewAndOrder({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  const { say } = visit.words;
  return (
    <div class="line apart gap no-print">
      <nav class="seg" aria-label={say('documents.view')}>
        {views.map(([view, icon]) => (
          <a
            href={addressWith(visit, { ...keptQuery(visit), view: view === 'list' ? '' : view })}
            {...(view === viewOf(visit) ? { 'aria-current': 'true' as const } : {})}
          >
            <span class="line together">
              <Icon name={icon} />
              {say(`documents.view-${view}`)}
            </span>
          </a>
        ))}
      </nav>
      <nav class="small line" aria-label={say('documents.sort')}>
        {sorts.map((sort) => (
          <a
            href={addressWith(visit, { ...keptQuery(visit), sort })}
            {...(sort === sortOf(visit) ? { 'aria-current': 'true' as const, class: 'order' } : {})}
          >
            {say(`documents.by-${sort}`)}
          </a>
        ))}
      </nav>
    </div>
  );
}

/** The documents that are not in use, or the way back to those that are. */
export function OtherStatuses({ visit }: { readonly visit: PersonVisit }): JSX.Element {
  return (
    <p class="line small gap no-print">
      {statuses
        .filter((status) => status !== statusAsked(visit))
        .map((status) => (
          <a href={addressWith(visit, { status: status === 'active' ? '' : status })}>
            {visit.words.say(`documents.list-${status}`)}
          </a>
        ))}
    </p>
  );
}

/** The day whose documents are listed, with a link to all. */
export function OfDay({ visit }: { readonly visit: PersonVisit }): JSX.Element | null {
  const day = askedFor(visit, 'day');
  return day === '' ? null : (
    <p class="gap">
      <bdi>{visit.words.say('documents.of-day', { date: dateWords(day, visit.words) })}</bdi>{' '}
      <a href={addressWith(visit, { ...keptQuery(visit), day: '' })}>{visit.words.say('documents.all')}</a>
    </p>
  );
}

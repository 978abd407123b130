/** pager: says which part of a list a page shows, and links to the parts before and after it. */
import type { JSX } from 'preact';
import type { Pages } from '../../../core/http/places';
import type { Visit } from '../http/page';

/** The address of this page with other values in its query; empty ones are left out. */
export function addressWith(visit: Visit, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return given.length === 0 ? visit.path : `${visit.path}?${new URLSearchParams(given).toString()}`;
}

export function Pager({
  visit,
  pages,
  shown,
  total,
  place = 'place',
  query = {},
  of,
  at,
  always = false,
}: {
  readonly visit: Visit;
  readonly pages: Pages;
  /** How many entries this page shows. */ readonly shown: number;
  /** Absent: they were not counted. */ readonly total?: number;
  /** The name of the place in the address. Pages with several lists have several. */ readonly place?: string;
  /** The rest of the query of the address. */ readonly query?: Readonly<Record<string, string>>;
  /** The name of the list, on pages with several. */ readonly of?: string;
  /** The id of the element at which the list begins. */ readonly at?: string;
  /** Whether to say how many there are even if one page shows all of them. */ readonly always?: boolean;
}): JSX.Element | null {
  const { say, number } = visit.words;
  const isBeyond = (visit.query[place] ?? '') !== '';
  const leads = pages.previous !== undefined || pages.next !== undefined;
  if (!leads && (shown === 0 ? !isBeyond : !always)) {
    return null;
  }
  const to = (there: string): string => `${addressWith(visit, { ...query, [place]: there })}${at ? `#${at}` : ''}`;
  const [first, last] = [number(pages.before + 1), number(pages.before + shown)];
  const hidden = of !== undefined && <span class="unseen"> {of}</span>;
  return (
    <nav
      class="more line-links"
      aria-label={of === undefined ? say('pager.label') : say('pager.label-of', { list: of })}
    >
      {shown > 0 && (
        <span>
          {total === undefined
            ? say('pager.part', { first, last })
            : say('pager.place', { first, last, total: number(Math.max(total, pages.before + shown)) })}
        </span>
      )}
      {shown === 0 && <a href={to('')}>{say('pager.beginning')}</a>}
      {pages.previous !== undefined && (
        <a href={to(pages.previous)} rel="prev">
          {say('pager.previous')}
          {hidden}
        </a>
      )}
      {pages.next !== undefined && (
        <a href={to(pages.next)} rel="next">
          {say('pager.next')}
          {hidden}
        </a>
      )}
    </nav>
  );
}

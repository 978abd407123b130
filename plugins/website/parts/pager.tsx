/** pager: which part of a list a page shows, and the way to the parts before and after it. */
import type { JSX } from 'preact';
import type { Visit } from '../page';

/** Where a part of a list begins: a whole number from 0 on, whatever stands in the address. */
export const offsetOf = ({ query }: Visit): number => {
  const given = query['offset'] ?? '';
  return /^\d{1,9}$/.test(given) ? Number(given) : 0;
};

/** The address of this page with other values in its query; empty ones are left out. */
export const addressWith = (visit: Visit, values: Readonly<Record<string, string>>): string => {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return given.length === 0 ? visit.path : `${visit.path}?${new URLSearchParams(given).toString()}`;
};

export const Pager = ({
  visit,
  offset,
  shown,
  size,
  total,
  query,
}: {
  readonly visit: Visit;
  readonly offset: number;
  /** How many this page shows. */ readonly shown: number;
  /** How many a page shows at most. */ readonly size: number;
  readonly total: number;
  /** What else stands in the address. */ readonly query: Readonly<Record<string, string>>;
}): JSX.Element | null => {
  const { say, number } = visit.words;
  if (total <= size && offset === 0) {
    return null;
  }
  const to = (first: number): string => addressWith(visit, { ...query, offset: first === 0 ? '' : String(first) });
  const next = Math.min(size, total - offset - shown);
  return (
    <nav class="more aside line-links" aria-label={say('pager.label')}>
      {shown > 0 && (
        <span>
          {say('pager.place', { first: number(offset + 1), last: number(offset + shown), total: number(total) })}
        </span>
      )}
      {offset > 0 && <a href={to(Math.max(0, offset - size))}>{say('pager.previous')}</a>}
      {shown > 0 && next > 0 && <a href={to(offset + size)}>{say('pager.next', { count: next })}</a>}
    </nav>
  );
};

/**
 * places: how the pages of a list at a door link to each other. A link holds a place, which is sealed text: a place may
 * name what others must not read, and only this installation can make one.
 */
import Joi from 'joi';
import type { Services } from '../services';
import type { ListPart, Place, Seek } from '../db/page';
import { wholeNumber } from './inputs';

/** A place, the list that it belongs to, and the number of rows before it when it was made. */
type Mark = Place & { readonly list: string; readonly before: number };

/** The links from one page of a list to the pages around it. */
export type Pages = {
  /** How many rows precede this page, as far as is known: others may add and remove rows meanwhile. */
  readonly before: number;
  readonly previous?: string;
  readonly next?: string;
};

export type Seeking = { readonly limit: number; readonly place?: string | undefined };

/** The keys of a query that reads a list part by part. */
export function seekingKeys(most: number) {
  return {
    limit: wholeNumber.max(most).default(most),
    place: Joi.string().empty('').max(4000),
  };
}

function openMark({ sealing }: Pick<Services, 'sealing'>, list: string, text: string | undefined): Mark | undefined {
  try {
    const mark = text === undefined ? undefined : (JSON.parse(sealing.open(text)) as Mark);
    return mark?.list === list ? mark : undefined;
  } catch {
    return undefined;
  }
}

type Opened = {
  readonly seek: Seek;
  /** @param part what was read from there */
  readonly pagesOf: (part: Pick<ListPart<unknown>, 'rows' | 'ends' | 'more'>) => Pages;
};

/**
 * Opens the place at which a page begins. A text that is no place of this list means its beginning.
 * @param list names the list and its owner
 * @param skipped rows to leave out when there is no place
 */
export function openPlace(
  services: Pick<Services, 'sealing'>,
  list: string,
  { limit, place: text }: Seeking,
  skipped = 0,
): Opened {
  const mark = openMark(services, list, text);
  const seal = (sealed: Mark): string => services.sealing.seal(JSON.stringify(sealed));
  return {
    seek: { limit, ...(mark ? { place: { keys: mark.keys, back: mark.back } } : {}) },
    pagesOf: ({ rows, ends, more }) => {
      if (!ends) {
        return { before: 0 };
      }
      const [isBack, hasMore] = [mark?.back ?? false, more];
      const counted = isBack ? Math.max(0, mark!.before - rows.length) : (mark?.before ?? skipped);
      const before = isBack && !hasMore ? 0 : counted;
      const hasPrevious = isBack ? hasMore : mark !== undefined || skipped > 0;
      const hasNext = isBack || hasMore;
      return {
        before,
        ...(hasPrevious ? { previous: seal({ list, keys: ends[0], back: true, before }) } : {}),
        ...(hasNext ? { next: seal({ list, keys: ends[1], back: false, before: before + rows.length }) } : {}),
      };
    },
  };
}

/** inputs: what a caller may ask of lines. */
import Joi from 'joi';
import { pagingKeys } from '../../core/http/inputs';

export type Format = 'application/xml' | 'text/xml' | 'application/json';

const STANDINGS = ['all', 'open', 'over', 'undone'] as const;

export type LineQuery = { readonly response_format: Format };
export type LinesQuery = LineQuery & {
  readonly standing: (typeof STANDINGS)[number];
  readonly limit: number;
  readonly offset: number;
  /** For doors: of so many of the newest statements of each line the documents are read. */
  readonly _sources?: string;
  /** For doors: `newest` puts what happened on a day in the order of days, the newest first. */
  readonly _order?: string;
};

/** More sources of one line are on the page of that line. */
const MOST_SOURCES = 10;

/** How many statements of each line have their sources read; none for other callers than doors. */
export function sourcesAsked({ _sources = '' }: LinesQuery): number {
  return /^\d{1,2}$/.test(_sources) ? Math.min(Number(_sources), MOST_SOURCES) : 0;
}

const format = {
  response_format: Joi.string()
    .empty('')
    .valid('application/xml', 'text/xml', 'application/json')
    .default('application/xml'),
};

export const lineQuery: Joi.ObjectSchema<LineQuery> = Joi.object<LineQuery>(format).unknown(true);

export const linesQuery: Joi.ObjectSchema<LinesQuery> = Joi.object<LinesQuery>({
  ...format,
  standing: Joi.string()
    .empty('')
    .valid(...STANDINGS)
    .default('all'),
  limit: pagingKeys.limit,
  offset: pagingKeys.offset,
}).unknown(true);

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
  readonly _sources: number;
};

/** More sources of one line are on the page of that line. */
const MOST_SOURCES = 10;

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
  _sources: Joi.number().integer().min(0).max(MOST_SOURCES).default(0),
}).unknown(true);

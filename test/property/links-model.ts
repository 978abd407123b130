/**
 * links-model: what the holder of a health link sees, written a second time on top of the model of sharing: links with
 * what they rest on, and the openings that still show something.
 */
import type { Carenet, Doc, Model } from './model';

export const MOST_WRONG = 100;
/** How long an opening can be used. */
export const OPENING_MINUTES = 60;

export type Opening = { readonly link: Link; readonly at: number; readonly ticket: string };

export type Link = {
  readonly id: string;
  readonly url: string;
  readonly key: string;
  readonly maker: string;
  /** Who owned the record when the link was made. */
  readonly owner: string | null;
  readonly carenet: Carenet | null;
  readonly passcode: string;
  readonly docs: readonly Doc[];
  /** In milliseconds; null for a link without an end. */
  readonly until: number | null;
  /** Names of the openers, the latest first. */
  readonly openers: string[];
  wrong: number;
  /** Ended for good: nothing brings it back. */
  gone: boolean;
};

/** Ends links when rights were taken back. A right that is given again does not restore a link. */
export const endLinks = (model: Model, links: readonly Link[]): void =>
  links.forEach((link) => {
    const lostCarenet = link.carenet !== null && !model.carenets.includes(link.carenet);
    if (lostCarenet || model.owner !== link.owner || !model.controls(link.maker)) {
      link.gone = true;
    }
  });

export const over = (link: Link, now: number): 'expired' | 'passcodes' | null => {
  if (link.until !== null && link.until <= now) {
    return 'expired';
  }
  return link.wrong >= MOST_WRONG ? 'passcodes' : null;
};

export const opens = (link: Link, now: number): boolean => !link.gone && over(link, now) === null;

/** An opening shows something while its link lasts, but no longer than an hour. */
export const shows = ({ link, at }: Opening, now: number): boolean =>
  opens(link, now) && now < at + OPENING_MINUTES * 60_000;

const lies = (model: Model, carenet: Carenet | null, doc: Doc): boolean =>
  carenet === null || model.holds(carenet, doc);

/** Whether a document may be chosen: by any version that the maker sees there. */
export const mayChoose = (model: Model, carenet: Carenet | null, doc: Doc, version: string): boolean =>
  carenet === null || model.shows(carenet, doc, version);

/** The latest versions of the documents that the link shows now. */
export const taken = (model: Model, { carenet, docs }: Link): readonly string[] =>
  docs.filter((doc) => doc.status === 'active' && lies(model, carenet, doc)).map((doc) => doc.versions.at(-1)!);

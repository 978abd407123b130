/** comments: collects longer texts of facts, which a Continuity of Care Record keeps in a section of their own. */
import { wireTime } from '../../../core/base/clock';
import type { Id } from '../../../core/base/types';
import type { Missing } from '../../../core/lines/newer';
import type { Scalar } from '../../../core/facts/model/model';
import type { StoredFact } from '../../../core/db/plans';
import { element, type XmlElement } from '../../../core/xml/write';
import { isSet } from '../minimal/parts';
import { actorLink, named, SYSTEM_ACTOR } from './parts';

export type Comments = {
  /** Adds a text and answers the id by which objects refer to it; undefined without a text. */
  readonly add: (fact: StoredFact, words: Scalar | undefined) => string | undefined;
  readonly elements: () => readonly XmlElement[];
};

/** "Not in the newer list of its sender of 2026-03-03": the sender does not list it any more, and does not say that it has ended. */
const missingWords = ({ date }: Missing): string =>
  `Not in the newer list of its sender${date === '' ? '' : ` of ${date.slice(0, 10)}`}.`;

/** @param missing the statements that the newest list of their sender does not have any more */
export const collectComments = (missing: ReadonlyMap<Id, Missing> = new Map()): Comments => {
  const found: XmlElement[] = [];
  return {
    add: (fact, words) => {
      const lack = missing.get(fact.statementId);
      const told = [isSet(words) ? String(words) : '', lack ? missingWords(lack) : ''].filter(Boolean).join(' ');
      if (told === '') {
        return undefined;
      }
      const id = `comment-${fact.id}`;
      found.push(
        element('Comment', {}, [
          element('CommentObjectID', {}, id),
          element('DateTime', {}, [element('ExactDateTime', {}, wireTime(fact.createdAt))]),
          named('Description', told),
          actorLink('Source', SYSTEM_ACTOR),
        ]),
      );
      return id;
    },
    elements: () => found,
  };
};

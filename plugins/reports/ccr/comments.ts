/** comments: collects longer texts of facts, which a Continuity of Care Record keeps in a section of their own. */
import { wireTime } from '../../../core/base/clock';
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

export const collectComments = (): Comments => {
  const found: XmlElement[] = [];
  return {
    add: (fact, words) => {
      if (!isSet(words)) {
        return undefined;
      }
      const id = `comment-${fact.id}`;
      found.push(
        element('Comment', {}, [
          element('CommentObjectID', {}, id),
          element('DateTime', {}, [element('ExactDateTime', {}, wireTime(fact.createdAt))]),
          named('Description', words),
          actorLink('Source', SYSTEM_ACTOR),
        ]),
      );
      return id;
    },
    elements: () => found,
  };
};

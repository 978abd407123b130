/** comments: collects longer texts of facts, which a Continuity of Care Record keeps in a section of their own. */
import { wireTime } from '../../../core/base/clock';
import type { Id } from '../../../core/base/types';
import type { Missing } from '../../../core/lines/newer';
import type { Scalar } from '../../../core/facts/model/model';
import type { StoredFact } from '../../../core/facts/plans';
import { element, type XmlElement } from '../../../core/xml/write';
import { isSet } from '../minimal/parts';
import { actorLink, describeNamed, SYSTEM_ACTOR } from './parts';

export type Comments = {
  /** Adds a text and answers the id by which objects refer to it; undefined without a text. */
  readonly add: (fact: StoredFact, words: Scalar | undefined) => string | undefined;
  readonly elements: () => readonly XmlElement[];
};

/** "Not in the newer list of its sender of 2026-03-03": the sender does not list it any more, and does not say that it has ended. */
function missingWords({ date }: Missing): string {
  return `Not in the newer list of its sender${date === '' ? '' : ` of ${date.slice(0, 10)}`}.`;
}

/**
 * @param missing the statements that the newest list of their sender does not have any more
 * @param notes what sources say differently, by statement
 */
export function collectComments(
  missing: ReadonlyMap<Id, Missing> = new Map(),
  notes: ReadonlyMap<Id, string> = new Map(),
): Comments {
  const found = new Map<string, XmlElement>();
  return {
    add: (fact, words) => {
      const lack = missing.get(fact.statementId);
      const note = notes.get(fact.statementId) ?? '';
      const told = [isSet(words) ? String(words) : '', note, lack ? missingWords(lack) : ''].filter(Boolean).join(' ');
      const id = `comment-${fact.id}`;
      if (told === '') {
        return undefined;
      }
      // Objects that are made of one fact share its first comment.
      const comment = element('Comment', {}, [
        element('CommentObjectID', {}, id),
        element('DateTime', {}, [element('ExactDateTime', {}, wireTime(fact.createdAt))]),
        describeNamed('Description', told),
        actorLink('Source', SYSTEM_ACTOR),
      ]);
      found.set(id, found.get(id) ?? comment);
      return id;
    },
    elements: () => [...found.values()],
  };
}

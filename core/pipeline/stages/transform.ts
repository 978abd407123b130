/** transform: turns a validated document into facts that are checked against their data models. */
import { basename } from 'node:path';
import { errors } from '../../base/errors';
import { countLetters, countStated, readFacts, type PlaceOf } from '../../facts/model/fact';
import type { Models } from '../../facts/model/models';
import type { EntryTransform } from '../entries';
import type { Transformed, Validated } from '../steps';

/** The most facts of one document: more would block all other callers while they are stored. */
const FACTS_PER_DOCUMENT = 10_000;

/**
 * The most facts that only group others, such as panels. They are counted separately, because each fact may be in a
 * panel of its own.
 */
const TOGETHER_PER_DOCUMENT = 2 * FACTS_PER_DOCUMENT;

/**
 * The most characters in the facts of one document, four times what the largest document holds: the facts of one may
 * repeat a text thousands of times, and the server has them all in memory.
 */
const LETTERS_PER_DOCUMENT = 40_000_000;

/**
 * Finds the line of the stylesheet that writes a field or model of this name. In a module names may be made anywhere.
 */
function placeFinder(transform: EntryTransform | null): PlaceOf {
  return (name) => {
    for (const [file, text] of transform?.kind === 'stylesheet' ? transform.source.files : []) {
      const line = text.split('\n').findIndex((one) => one.includes(`"${name}"`) || one.includes(`'${name}'`)) + 1;
      if (line > 0) {
        return `line ${line} of ${basename(file)}`;
      }
    }
    return undefined;
  };
}

/** @throws AppError transform_failed, or invalid_document naming every field that does not match its model */
export function transform(models: Models) {
  return async (validated: Validated): Promise<Transformed> => {
    const { entry, document, type } = validated;
    if (!entry?.transform || validated.isLeftOut === true) {
      return { ...validated, facts: [], leftOut: validated.unread ?? [] };
    }
    const { sdmj, leftOut: unkept, ...said } = await entry.transform({ type, xml: document.cleanText() });
    const leftOut = [...(validated.unread ?? []), ...unkept];
    const facts = readFacts(models, sdmj, entry.entry.models, placeFinder(entry.entry.transform));
    const { stated, together } = countStated(models, facts);
    if (stated > FACTS_PER_DOCUMENT) {
      throw errors.invalidDocument(`it holds more than ${FACTS_PER_DOCUMENT} facts`);
    }
    if (together > TOGETHER_PER_DOCUMENT) {
      throw errors.invalidDocument(`it holds more than ${TOGETHER_PER_DOCUMENT} panels and members of them`);
    }
    if (countLetters(facts) > LETTERS_PER_DOCUMENT) {
      throw errors.invalidDocument(`its facts hold more than ${LETTERS_PER_DOCUMENT} characters`);
    }
    return { ...validated, facts, leftOut, ...said };
  };
}

/** transform: a validated document -> facts, checked against their data models. */
import { errors } from '../../base/errors';
import { countFacts, readFacts } from '../../datamodel/fact';
import type { Models } from '../../datamodel/models';
import type { Transformed, Validated } from '../steps';

/** More facts than this in one document would hold up everybody else while they are stored. */
const FACTS_PER_DOCUMENT = 10_000;

/** @throws AppError transform_failed, or invalid_document naming every field that does not fit its model */
export const transform =
  (models: Models) =>
  async (validated: Validated): Promise<Transformed> => {
    const { entry, document, type } = validated;
    if (!entry?.transform) {
      return { ...validated, facts: [], leftOut: [] };
    }
    const { sdmj, leftOut } = await entry.transform({ type, xml: document.cleanText() });
    const facts = readFacts(models, sdmj, entry.entry.models);
    if (countFacts(facts) > FACTS_PER_DOCUMENT) {
      throw errors.invalidDocument(`it holds more than ${FACTS_PER_DOCUMENT} facts`);
    }
    return { ...validated, facts, leftOut };
  };

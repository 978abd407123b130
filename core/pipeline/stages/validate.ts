/** validate: the document against the schema of its entry, when there is one. */
import { errors } from '../../base/errors';
import { FHIR } from '../../fhir/json-to-xml';
import { versionInTree } from '../../fhir/other-versions';
import type { Identified, Validated } from '../steps';

/** @throws AppError invalid_document with a line and a rule per fault */
export const validate = (identified: Identified): Validated => {
  const schema = identified.entry?.schema ?? null;
  const problems = schema?.check(identified.document) ?? [];
  if (problems.length > 0) {
    const { document } = identified;
    const tree = document.root.namespace === FHIR ? document.tree() : null;
    throw (
      (tree ? versionInTree(tree) : undefined) ??
      errors.invalidDocument('it does not fit the schema of its type', problems)
    );
  }
  return { ...identified, validated: schema !== null };
};

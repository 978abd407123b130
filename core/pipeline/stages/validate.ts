/** validate: checks the document against the schema of its entry, if there is one. */
import { errors } from '../../base/errors';
import { bindingRefusal } from '../../fhir/bindings';
import { FHIR } from '../../fhir/json-to-xml';
import { versionInTree } from '../../fhir/other-versions';
import type { Identified, Validated } from '../steps';

/**
 * Checks the codes that FHIR requires. This runs after the schema, which ensures that dates are dates and lists are
 * lists.
 */
const checkCodes = ({ document }: Identified): void => {
  const tree = document.root.namespace === FHIR ? document.tree() : null;
  const refusal = tree ? bindingRefusal(tree) : undefined;
  if (refusal) {
    throw refusal;
  }
};

/**
 * @throws AppError invalid_document with a line and a rule per fault, or with the path of a code that FHIR does not
 * allow there
 */
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
  checkCodes(identified);
  return { ...identified, validated: schema !== null };
};

/** ontology: the vocabulary of the RDF replies as an OWL document. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import type { Call } from '../../core/http/route';

const document = readFileSync(inProject('plugins', 'reports', 'ontology.owl'), 'utf8');

export const readOntology = ({ services }: Call): Promise<string> =>
  Promise.resolve(
    document
      .replaceAll('{platform_base}', services.config.platformBase)
      .replaceAll('{vocab_base}', services.config.vocabBase),
  );

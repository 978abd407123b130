/** ontology: the vocabulary of the RDF replies as an OWL document. */
import { readFileSync } from 'node:fs';
import { inProject } from '../../core/base/paths';
import type { Call } from '../../core/http/route';

const document = readFileSync(inProject('plugins', 'reports', 'ontology.owl'), 'utf8');

export function readOntology({ services }: Call): Promise<string> {
  return Promise.resolve(
    document
      .replaceAll('{platform_base}', services.config.platformBase)
      .replaceAll('{vocab_base}', services.config.vocabBase),
  );
}

/** describe: describes what the FHIR door can do with the present configuration. */
import { capabilityStatement } from './capability';
import type { Resource } from '../../../core/fhir/resource';
import type { Call } from '../../../core/http/route';
import { projectVersion } from '../../../core/base/paths';
import { fhirBase } from '../asking';
import { supportedTypes } from './supported-types';

const since = new Date().toISOString();

export function describeDoor({ services }: Call): Promise<Resource> {
  return Promise.resolve(
    capabilityStatement({
      base: fhirBase(services),
      address: services.baseUrl(),
      version: projectVersion,
      since,
      types: supportedTypes(services),
      smart: services.config.website,
    }),
  );
}

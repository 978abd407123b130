/**
 * capability: describes what the FHIR door can do as a CapabilityStatement, made from the table of supported types
 * (pure).
 */
import { profilesFor } from '../../../core/fhir/profiles';
import { filled, type Resource } from '../../../core/fhir/resource';
import type { SupportedType } from '../search/supported';

type CapabilityFacts = {
  /** Address of the door, without a slash at its end. */
  readonly base: string;
  /** Public address of the service. */
  readonly address: string;
  readonly version: string;
  /** When this process started to offer this, as a FHIR dateTime. */
  readonly since: string;
  readonly types: readonly SupportedType[];
  /** True when clients can obtain tokens, because the authorization pages are served. */
  readonly smart: boolean;
};

const OAUTH_URIS = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris';
/** The guides of which all is offered that they require of a server. */
const GUIDES = [
  'http://hl7.org/fhir/uv/ipa/CapabilityStatement/ipa-server',
  'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
];

function securityOf({ address, smart }: CapabilityFacts): object {
  return {
    ...(smart
      ? {
          extension: [
            {
              url: OAUTH_URIS,
              extension: [
                ['authorize', 'authorize'],
                ['token', 'token'],
                ['introspect', 'introspect'],
                ['revoke', 'revoke'],
              ].map(([url, path]) => ({ url, valueUri: `${address}/oauth2/${path}` })),
            },
          ],
        }
      : {}),
    cors: true,
    service: [
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/restful-security-service',
            code: 'SMART-on-FHIR',
            display: 'SMART-on-FHIR',
          },
        ],
        text: 'OAuth 2.0 with the profile of SMART App Launch',
      },
    ],
    description: 'A token opens one record, or one carenet of it, as far as its scopes go.',
  };
}

function resourceOf({
  type,
  says,
  interactions,
  search,
  includes,
  reverseIncludes,
  operations,
}: SupportedType): object {
  return filled({
    type,
    supportedProfile: search.length === 0 ? [] : profilesFor(type),
    documentation: says,
    interaction: interactions.map((code) => ({ code })),
    versioning: interactions.includes('vread') ? 'versioned' : 'no-version',
    readHistory: interactions.includes('vread'),
    updateCreate: false,
    conditionalCreate: interactions.includes('create'),
    conditionalRead: 'full-support',
    conditionalUpdate: false,
    searchInclude: includes,
    searchRevInclude: reverseIncludes,
    searchParam: search.map(({ name, definition, type: kind, says: documentation }) =>
      filled({ name, definition, type: kind, documentation }),
    ),
    operation: operations.map(({ name, definition, says: documentation }) =>
      filled({ name, definition, documentation }),
    ),
  });
}

export function capabilityStatement(facts: CapabilityFacts): Resource {
  const { base, version, since, types } = facts;
  const creates = types.some(({ interactions }) => interactions.includes('create'));
  return {
    resourceType: 'CapabilityStatement',
    url: `${base}/metadata`,
    version,
    name: 'PersonalHealthRecords',
    title: 'Personal Health Records Service',
    status: 'active',
    date: since,
    publisher: 'Personal Health Records Service',
    kind: 'instance',
    instantiates: GUIDES,
    software: { name: 'Personal Health Records Service', version },
    implementation: { description: 'Personal health records', url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json', 'application/fhir+xml', 'xml'],
    patchFormat: undefined,
    rest: [
      filled({
        mode: 'server',
        documentation:
          'Reads of what documents say, searches, and documents in. What was stored is changed by nobody through this door.',
        security: securityOf(facts),
        resource: types.map(resourceOf),
        interaction: creates ? [{ code: 'transaction' }, { code: 'batch' }] : [],
      }),
    ],
  };
}

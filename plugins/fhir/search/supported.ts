/**
 * supported: the table of what the FHIR door can do with each type, from which routes and metadata are made (pure).
 */

type Interaction = 'read' | 'vread' | 'history-instance' | 'search-type' | 'create';

export type SearchParameter = {
  readonly name: string;
  readonly type: 'token' | 'date' | 'string' | 'reference' | 'uri' | 'number' | 'quantity' | 'composite';
  readonly modifiers: readonly string[];
  /** The type of the second part of a composite; the first is a token. */
  readonly second?: string;
  /** The address of a parameter that HL7 has defined. */
  readonly definition?: string;
  readonly says: string;
};

type Operation = { readonly name: string; readonly definition: string; readonly says?: string };

export type SupportedType = {
  readonly type: string;
  readonly says: string;
  readonly interactions: readonly Interaction[];
  readonly search: readonly SearchParameter[];
  readonly sortable: readonly string[];
  readonly includes: readonly string[];
  readonly reverseIncludes: readonly string[];
  readonly operations: readonly Operation[];
};

const HL7 = 'http://hl7.org/fhir/SearchParameter';

function parameter(
  definition: string,
  type: SearchParameter['type'],
  says: string,
  modifiers: readonly string[] = [],
): SearchParameter {
  return {
    name: definition.slice(definition.indexOf('-') + 1),
    type,
    modifiers,
    definition: `${HL7}/${definition}`,
    says,
  };
}

/** Parameters of every type that can be searched. */
export const commonParameters: readonly SearchParameter[] = [
  { ...parameter('Resource-id', 'token', 'Ids, separated by commas'), name: '_id' },
  { ...parameter('Resource-lastUpdated', 'date', 'When it was changed last'), name: '_lastUpdated' },
];

/** The parameter with the modifier `missing`, except for elements that every resource has. */
function withMissing(one: SearchParameter): SearchParameter {
  return commonParameters.includes(one) ? one : { ...one, modifiers: [...one.modifiers, 'missing'] };
}

function ownType(type: string, says: string, { search = [], ...more }: Partial<SupportedType>): SupportedType {
  return {
    type,
    says,
    interactions: ['read', 'vread', 'history-instance', 'search-type'],
    search: search.map(withMissing),
    sortable: [],
    includes: [],
    reverseIncludes: [],
    operations: [],
    ...more,
  };
}

/** For types with one resource or none, which are in any order at once. */
const sortableAlone: readonly string[] = ['_id', '_lastUpdated'];

function patientParameter(type: string): SearchParameter {
  return parameter(`${type}-patient`, 'reference', 'The record; a token sees one');
}

/** Types that are not made of facts. */
export const ownTypes: readonly SupportedType[] = [
  ownType('Patient', 'The record, with its demographics where they are to be seen', {
    search: commonParameters,
    sortable: sortableAlone,
    reverseIncludes: ['Provenance:target'],
    operations: [
      {
        name: 'everything',
        definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
        says: 'With `start`, `end`, `_since`, `_type` and `_count`; without `_count` one Bundle that is made while it is sent',
      },
      {
        name: 'export',
        definition: 'http://hl7.org/fhir/uv/bulkdata/OperationDefinition/patient-export',
        says: 'For one Patient: asynchronous, NDJSON, with `_type`, `_typeFilter`, `_elements`, `_since` and `_outputFormat`',
      },
      { name: 'summary', definition: 'http://hl7.org/fhir/uv/ips/OperationDefinition/summary' },
    ],
  }),
  ownType(
    'RelatedPerson',
    'Whoever gave the token, when it is not the owner of the record, and who is close to the person',
    {
      interactions: ['read', 'vread', 'search-type'],
      search: [...commonParameters, patientParameter('RelatedPerson')],
      sortable: sortableAlone,
      reverseIncludes: ['Provenance:target'],
    },
  ),
  ownType('DocumentReference', 'Every version of every document of the record', {
    search: [
      ...commonParameters,
      { ...patientParameter('DocumentReference'), definition: `${HL7}/clinical-patient` },
      parameter('DocumentReference-subject', 'reference', 'The record'),
      parameter('DocumentReference-status', 'token', '`current`, `superseded` or `entered-in-error`', ['not']),
      parameter(
        'clinical-type',
        'token',
        'What the document says that it is, such as `http://loinc.org|34133-9`, or namespace and root element',
        ['not'],
      ),
      parameter('DocumentReference-category', 'token', '`clinical-note`, which all have', ['not']),
      parameter('DocumentReference-date', 'date', 'When the document was stored'),
      parameter('DocumentReference-period', 'date', 'The time of care, of documents that tell it'),
      {
        name: 'care-date',
        type: 'date',
        modifiers: [],
        says: 'The time of care, or when the document was stored where it tells none; no parameter of HL7',
      },
      parameter('DocumentReference-contenttype', 'token', 'Media type of the document', ['not']),
    ],
    sortable: ['date', '_lastUpdated'],
    reverseIncludes: ['Provenance:target'],
    operations: [{ name: 'docref', definition: 'http://hl7.org/fhir/uv/ipa/OperationDefinition/docref' }],
  }),
  ownType('Binary', 'The bytes of a document as they were stored', { interactions: ['read', 'vread'] }),
  ownType('Provenance', 'Who stored a document, through which app, and when', {
    interactions: ['read', 'vread', 'search-type'],
    search: [
      ...commonParameters,
      parameter('Provenance-patient', 'reference', 'The record'),
      parameter('Provenance-target', 'reference', 'What it is about'),
      parameter('Provenance-recorded', 'date', 'When the document was stored'),
    ],
    // A Provenance never changes, so both parameters mean the time of storing.
    sortable: ['recorded', '_lastUpdated'],
  }),
];

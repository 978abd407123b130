/**
 * search-parameters: the search parameters of R4 for the types that are served. They are read from
 * `search-parameters-r4.json`, which was made from HL7's definitions.
 */
import words from './search-parameters-r4.json';

export type SearchType =
  'token' | 'date' | 'string' | 'reference' | 'quantity' | 'uri' | 'number' | 'composite' | 'special';
type SearchParameter = {
  readonly name: string;
  readonly type: SearchType;
  /** Its canonical address. */
  readonly definition: string;
};

const lines: Readonly<Record<string, string>> = words;

function readParameterLine(line: string): ReadonlyMap<string, SearchParameter> {
  return new Map(
    line.split(' ').map((word) => {
      const [, name = '', type = '', id = ''] = /^([^=]+)=(\w+):(.+)$/.exec(word) ?? [];
      return [name, { name, type: type as SearchType, definition: `http://hl7.org/fhir/SearchParameter/${id}` }];
    }),
  );
}

const read = new Map<string, ReadonlyMap<string, SearchParameter>>();

/**
 * The search parameters that R4 defines for a type, or under `Resource` for all types (`_id`, `_lastUpdated`). Empty
 * for a type that is not served.
 */
export function searchParametersOf(type: string): ReadonlyMap<string, SearchParameter> {
  if (!read.has(type)) {
    read.set(type, Object.hasOwn(lines, type) ? readParameterLine(lines[type]!) : new Map());
  }
  return read.get(type)!;
}

/**
 * formats: reads entries from the publishers' own files of coding systems. The first line of a file shows which format
 * it has.
 */
import type { CodeEntry } from './store';

/** Makes an entry of one line's fields; undefined for a line without an entry, such as a retired code. */
type Read = (fields: readonly string[]) => CodeEntry | undefined;

/** How a file is cut into fields, and how the fields of a line become an entry. */
export type Format = {
  readonly name: string;
  readonly cut: 'csv' | 'tabs' | 'bars' | 'columns';
  /** True: the first line names the fields. */
  readonly header: boolean;
  /** @param names fields of the first line, lower case */
  readonly reader: (names: readonly string[]) => Read;
};

function given(text: string | undefined): string | null {
  return text?.trim() || null;
}

function entry(
  code: string | undefined,
  fullValue: string | undefined,
  rest: Partial<Omit<CodeEntry, 'code' | 'fullValue'>> = {},
): CodeEntry | undefined {
  const [key, name] = [given(code), given(fullValue)];
  return key === null || name === null
    ? undefined
    : { code: key, fullValue: name, consumerValue: null, abbreviation: null, umlsCode: null, ...rest };
}

/** A field by its name in the header. */
function fieldByName(names: readonly string[]) {
  return (fields: readonly string[], name: string): string | undefined => {
    const index = names.indexOf(name);
    return index < 0 ? undefined : fields[index];
  };
}

const loinc: Format = {
  name: 'LOINC table',
  cut: 'csv',
  header: true,
  reader: (names) => (fields) => {
    const field = fieldByName(names);
    return entry(field(fields, 'loinc_num'), field(fields, 'long_common_name') || field(fields, 'component'), {
      abbreviation: given(field(fields, 'shortname')),
      consumerValue: given(field(fields, 'consumer_name')),
    });
  },
};

const loincTabs: Format = { ...loinc, cut: 'tabs' };

const rxTerms: Format = {
  name: 'RxTerms',
  cut: 'bars',
  header: true,
  reader: (names) => (fields) => {
    const field = fieldByName(names);
    return given(field(fields, 'is_retired')) !== null
      ? undefined
      : entry(field(fields, 'rxcui'), field(fields, 'full_name'), {
          consumerValue: given(field(fields, 'display_name')),
          abbreviation: given(field(fields, 'display_name_synonym')),
        });
  },
};

/** Further names of a concept that has a name already. */
const otherNames = new Set(['SY', 'TMSY', 'ET', 'PSN']);

const rxNorm: Format = {
  name: 'RxNorm concepts',
  cut: 'bars',
  header: false,
  reader: () => (fields) =>
    fields[1] === 'ENG' &&
    fields[11] === 'RXNORM' &&
    !otherNames.has(fields[12] ?? '') &&
    (fields[16] === 'N' || fields[16] === '')
      ? entry(fields[0], fields[14], { abbreviation: given(fields[12]) })
      : undefined,
};

const cvx: Format = {
  name: 'CVX',
  cut: 'bars',
  header: false,
  reader: () => (fields) => entry(fields[0], fields[2] || fields[1], { abbreviation: given(fields[1]) }),
};

const vaccines: Format = {
  name: 'HL7 vaccines',
  cut: 'bars',
  header: false,
  reader:
    () =>
    ([code, name, description, umls]) =>
      code?.trim().toLowerCase() === 'code'
        ? undefined
        : entry(code, name, { consumerValue: given(name), abbreviation: given(description), umlsCode: given(umls) }),
};

// The fully specified name ends with its semantic tag, "(disorder)", which nobody says.
function snomedEntry(
  code: string | undefined,
  name: string | undefined,
  umls: string | undefined,
): CodeEntry | undefined {
  return entry(code, name, { consumerValue: given(name?.replace(/\s*\([^()]*\)\s*$/, '')), umlsCode: given(umls) });
}

const snomed: Format = {
  name: 'SNOMED CT core subset',
  cut: 'bars',
  header: true,
  reader: (names) => (fields) => {
    const field = fieldByName(names);
    // A line that has lost a column has its values in the wrong fields.
    return fields.length !== names.length
      ? undefined
      : snomedEntry(field(fields, 'snomed_cid'), field(fields, 'snomed_fsn'), field(fields, 'umls_cui'));
  },
};

const SNOMED_FIELDS = 10;
const snomedBare: Format = {
  ...snomed,
  header: false,
  reader: () => (fields) =>
    fields.length === SNOMED_FIELDS ? snomedEntry(fields[0], fields[1], fields[3]) : undefined,
};

/** The order file leaves out the dot that everybody writes. */
function dotted(code: string): string {
  return code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code;
}

const icd10: Format = {
  name: 'ICD-10-CM order file',
  cut: 'columns',
  header: false,
  reader:
    () =>
    ([line = '']) =>
      entry(dotted(line.slice(6, 13).trim()), line.slice(77) || line.slice(16, 76), {
        abbreviation: given(line.slice(16, 76)),
      }),
};

const own: Format = {
  name: 'own table',
  cut: 'csv',
  header: true,
  reader: (names) => (fields) => {
    const field = fieldByName(names);
    return entry(field(fields, 'code'), field(fields, 'full_value'), {
      consumerValue: given(field(fields, 'consumer_value')),
      abbreviation: given(field(fields, 'abbreviation')),
      umlsCode: given(field(fields, 'umls_code')),
    });
  },
};

const signs: readonly { readonly format: Format; readonly sign: RegExp }[] = [
  { format: loinc, sign: /^"?LOINC_NUM"?,/i },
  { format: loincTabs, sign: /^"?LOINC_NUM"?\t/i },
  { format: rxTerms, sign: /^RXCUI\|(?=.*\|FULL_NAME\|)/i },
  { format: snomed, sign: /^SNOMED_CID\|SNOMED_FSN\|/i },
  { format: snomedBare, sign: /^\d{6,18}\|[^|]+\|[^|]*\|(C\d{7})?\|([^|]*\|){5}[^|]*$/ },
  { format: rxNorm, sign: /^\d+\|[A-Z]{3}\|([^|]*\|){15,}/ },
  { format: cvx, sign: /^\d+\s*\|[^|]*\|[^|]*\|[^|]*\|[^|]*\|(True|False)/i },
  { format: vaccines, sign: /^(code|[A-Z0-9.-]{1,20})\s*\|[^|]+\|[^|]*\|[^|]*$/i },
  { format: icd10, sign: /^\d{5} [A-Z0-9]{3,7} {1,5}[01] / },
  { format: own, sign: /^(?=(.*,)?\s*"?code"?\s*(,|$))(?=(.*,)?\s*"?full_value"?\s*(,|$))/i },
];

/** The format of a file by its first line; undefined for an unknown one. */
export function formatOf(firstLine: string): Format | undefined {
  return signs.find(({ sign }) => sign.test(firstLine.replace(/^\uFEFF/, '')))?.format;
}

export const formatNames: readonly string[] = [...new Set(signs.map(({ format }) => format.name))];

/** The columns of a table of one's own. */
export const OWN_COLUMNS = 'code and full_value, and if you like consumer_value, abbreviation and umls_code';

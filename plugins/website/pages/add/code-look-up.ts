/** code-look-up: finds codes for a typed text in the coding systems of the service that fit the field. */
import { AppError } from '../../../../core/base/errors';
import type { Ask } from '../../http/operations';
import { operations } from '../../http/operations';

export type FoundCode = {
  readonly identifier: string;
  readonly system: string;
  readonly title: string;
  readonly also: string;
};

/** Short name of a coding system -> how documents name it. */
const systemNames: Readonly<Record<string, string>> = {
  rxterms: 'http://purl.bioontology.org/ontology/RXNORM/',
  rxnorm: 'http://purl.bioontology.org/ontology/RXNORM/',
  loinc: 'http://purl.bioontology.org/ontology/LNC/',
  snomed: 'http://purl.bioontology.org/ontology/SNOMEDCT/',
  cvx: 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#',
  'hl7-v3-vaccines': 'http://www2a.cdc.gov/nip/IIS/IISStandards/vaccines.asp?rpt=cvx#',
  'icd-10-cm': 'http://hl7.org/fhir/sid/icd-10-cm',
};

/** The systems that fit the name of a field. All other fields use SNOMED CT, which covers most of medicine. */
const fitting: readonly (readonly [RegExp, readonly string[]])[] = [
  [/drug|medic/i, ['rxterms', 'rxnorm']],
  [/product|vaccin|immuni/i, ['hl7-v3-vaccines', 'cvx']],
  [/test|\blab/i, ['loinc']],
  [/./, ['snomed', 'icd-10-cm']],
];

const SHOWN = 12;

type Entry = { readonly code: string; readonly consumer_value: string | null; readonly full_value: string };

async function searchIn(ask: Ask, system: string, typed: string): Promise<readonly FoundCode[]> {
  try {
    const entries = (await ask(operations.codes.codingSystemQuery, {
      params: { SYSTEM_SHORT_NAME: system },
      query: { q: [...typed].slice(0, 200).join('') },
    })) as readonly Entry[];
    return entries.map(({ code, consumer_value: plain, full_value: full }) => ({
      identifier: code,
      system: systemNames[system] ?? system,
      title: plain ?? full,
      also: plain === null || plain === full ? '' : full,
    }));
  } catch (error) {
    // The service does not have this coding system.
    if (error instanceof AppError && error.code === 'not_found') {
      return [];
    }
    throw error;
  }
}

/** @param field the name of the field and that of its model */
export async function lookUp(ask: Ask, field: string, typed: string): Promise<readonly FoundCode[]> {
  if (typed === '') {
    return [];
  }
  const [, systems] = fitting.find(([pattern]) => pattern.test(field))!;
  const found = await Promise.all(systems.map((system) => searchIn(ask, system, typed)));
  const one = new Map(found.flat().map((code) => [`${code.system} ${code.identifier}`, code]));
  return [...one.values()].slice(0, SHOWN);
}

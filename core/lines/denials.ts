/** denials: of what somebody says that there is none known: allergies, medicines or problems (pure). */

/** The model of these statements. */
export const DENIAL = 'AllergyExclusion';

/** What is denied by other codes than those of allergies. */
const BY_CODE: Readonly<Record<string, 'Medication' | 'Problem'>> = {
  '787481004': 'Medication',
  '160245001': 'Problem',
};

export type Denied = 'Allergy' | 'Medication' | 'Problem';

/** The model of which such a statement says that nothing is known. */
export function deniedBy(values: Readonly<Record<string, unknown>>): Denied {
  return BY_CODE[String(values['name_identifier'] ?? '')] ?? 'Allergy';
}

/** The code and the words by which somebody says that there are none. */
export const NONE_KNOWN: Readonly<Record<Denied, { readonly code: string; readonly title: string }>> = {
  Allergy: { code: '160244002', title: 'No known allergies' },
  Medication: { code: '787481004', title: 'No known medications' },
  Problem: { code: '160245001', title: 'No known problems' },
};

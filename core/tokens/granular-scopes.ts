/**
 * granular-scopes: the parts of types of resources for which a SMART scope can be given alone, such as
 * `patient/Observation.rs?category=laboratory` (SMART App Launch 2.2; US Core asks for these categories).
 */

const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';
const US_CORE = 'http://hl7.org/fhir/us/core/CodeSystem';

/** Type -> code system -> codes of its categories. */
const CATEGORIES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Condition: {
    [`${TERMINOLOGY}/condition-category`]: ['problem-list-item', 'encounter-diagnosis'],
    [`${US_CORE}/condition-category`]: ['health-concern'],
    [`${US_CORE}/us-core-category`]: ['sdoh'],
  },
  Observation: {
    [`${TERMINOLOGY}/observation-category`]: [
      'activity',
      'exam',
      'imaging',
      'laboratory',
      'procedure',
      'social-history',
      'survey',
      'therapy',
      'vital-signs',
    ],
    [`${US_CORE}/us-core-category`]: ['sdoh', 'functional-status', 'disability-status', 'cognitive-status'],
  },
};

/** A category as a search writes it: `laboratory`, in any system, or `system|laboratory`. */
export type Category = string;

/** The types with such parts. */
export const granularTypes: readonly string[] = Object.keys(CATEGORIES);

function qualifiedOf(type: string): readonly Category[] {
  return Object.entries(CATEGORIES[type] ?? {}).flatMap(([system, codes]) => codes.map((code) => `${system}|${code}`));
}

export function codeOf(category: Category): string {
  return category.slice(category.lastIndexOf('|') + 1);
}

const known = new Map(
  granularTypes.map((type) => {
    const qualified = qualifiedOf(type);
    return [type, new Set([...qualified, ...qualified.map(codeOf)])];
  }),
);

/** The categories of a type that a scope can name, with their systems and without. */
export function categoriesOf(type: string): readonly Category[] {
  return [...(known.get(type) ?? [])];
}

export function isCategoryOf(type: string, category: Category): boolean {
  return known.get(type)?.has(category) === true;
}

/** Whether all that has one category has the other one, too. */
export function isWithin(category: Category, wider: Category): boolean {
  return category === wider || codeOf(category) === wider;
}

type Categorized = { readonly category?: unknown };
type Coding = { readonly system?: unknown; readonly code?: unknown };

/** Whether a resource has one of some categories. */
export function hasCategory({ category }: Categorized, wanted: readonly Category[]): boolean {
  const concepts = (Array.isArray(category) ? category : []) as readonly { readonly coding?: unknown }[];
  return concepts.some(({ coding }) =>
    ((Array.isArray(coding) ? coding : []) as readonly Coding[]).some(
      ({ system, code }) =>
        typeof code === 'string' && (wanted.includes(code) || wanted.includes(`${String(system ?? '')}|${code}`)),
    ),
  );
}

/** fhir-statements: counts the statements in FHIR JSON by kind, without the service's stylesheets (pure). */
import { add, type Judged, type Kind, type Statements } from './statements';

type Json = { readonly [key: string]: unknown };

const list = (value: unknown): readonly Json[] => {
  if (Array.isArray(value)) {
    return value as Json[];
  }
  return value ? [value as Json] : [];
};
const codesOf = (concept: unknown): readonly string[] =>
  list(concept).flatMap(({ coding }) => list(coding).map(({ code }) => String(code)));

const saysSomething = (concept: unknown): boolean =>
  list(concept).some(
    ({ text, coding }) => Boolean(text) || list(coding).some(({ code, display }) => Boolean(code) || Boolean(display)),
  );

const takenBack = ({ status, verificationStatus }: Json): string | undefined =>
  status === 'entered-in-error' || codesOf(verificationStatus).includes('entered-in-error') ? 'taken back' : undefined;

const named = (resource: Json, concept: unknown, negated: readonly string[] = []): Judged => {
  if (negated.includes(String(resource['status'])) || resource['doNotPerform'] === true) {
    return 'negated';
  }
  return takenBack(resource) ?? (saysSomething(concept) ? 1 : 'says nothing');
};

const medication = (resource: Json, byReference: (reference: unknown) => Json | undefined): Judged => {
  const reference = resource['medicationReference'] as Json | undefined;
  const concept =
    resource['medicationCodeableConcept'] ??
    byReference(reference)?.['code'] ??
    (reference?.['display'] && { text: 'x' });
  return ['proposal', 'option'].includes(String(resource['intent']))
    ? 'planned'
    : named(resource, concept, ['not-taken']);
};

const values = (part: Json): boolean => Object.keys(part).some((name) => name.startsWith('value'));
const numbers = (part: Json): boolean => {
  const quantity = part['valueQuantity'] as Json | undefined;
  return (
    (quantity?.['value'] !== undefined && quantity['comparator'] === undefined) || part['valueInteger'] !== undefined
  );
};

const observation = (resource: Json): readonly [Kind, Judged] | undefined => {
  const categories = list(resource['category']).flatMap(codesOf);
  const parts = [...list(resource['component']), ...(values(resource) ? [resource] : [])];
  const panel = parts.length === 0 && list(resource['hasMember']).length > 0 ? 'panel' : undefined;
  const judge = (count: number, none: string): Judged => takenBack(resource) ?? panel ?? (count > 0 ? count : none);
  if (categories.includes('vital-signs') || categories.includes('vital-sign')) {
    return ['VitalSigns', judge(parts.filter(numbers).length, 'no number')];
  }
  return categories.includes('laboratory') ? ['LabResult', judge(Math.max(parts.length, 1), 'no value')] : undefined;
};

const allergy = (resource: Json): Judged => {
  const reactions = list(resource['reaction']).flatMap(({ manifestation }) => list(manifestation)).length;
  const judged = named(
    resource,
    resource['code'] ?? list(resource['reaction']).find(({ substance }) => substance)?.['substance'],
  );
  return typeof judged === 'number' ? Math.max(1, reactions) : judged;
};

const judge = (
  resource: Json,
  byReference: (reference: unknown) => Json | undefined,
): readonly [Kind, Judged] | undefined => {
  switch (resource['resourceType']) {
    case 'AllergyIntolerance':
      return ['Allergy', allergy(resource)];
    case 'Condition':
      return ['Problem', named(resource, resource['code'])];
    case 'MedicationRequest':
    case 'MedicationStatement':
      return ['Medication', medication(resource, byReference)];
    case 'Immunization':
      return ['Immunization', named(resource, resource['vaccineCode'])];
    case 'Procedure':
      return ['Procedure', named(resource, resource['code'], ['not-done'])];
    case 'Encounter':
      return [
        'Encounter',
        takenBack(resource) ?? (['planned', 'cancelled'].includes(String(resource['status'])) ? 'not taken place' : 1),
      ];
    case 'Observation':
      return observation(resource);
    default:
      return undefined;
  }
};

/** Counts the statements of a Bundle or of one resource. */
export const inFhir = (json: string): Statements => {
  const root = JSON.parse(json) as Json;
  const entries = root['resourceType'] === 'Bundle' ? list(root['entry']) : [{ resource: root }];
  const byReference = (reference: unknown): Json | undefined => {
    const wanted = (reference as Json | undefined)?.['reference'];
    return entries.find(({ fullUrl, resource }) => {
      const { resourceType, id } = (resource ?? {}) as Json;
      return wanted !== undefined && (fullUrl === wanted || `${String(resourceType)}/${String(id)}` === wanted);
    })?.resource as Json | undefined;
  };
  const statements: Statements = new Map();
  for (const { resource } of entries) {
    const judged = resource ? judge(resource as Json, byReference) : undefined;
    if (judged) {
      add(statements, ...judged);
    }
  }
  return statements;
};

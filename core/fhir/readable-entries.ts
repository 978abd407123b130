/**
 * readable-entries: one resource that is not as FHIR R4 has it does not refuse a Bundle. It is left out and told, and
 * everything else is read. What is stored stays as it came.
 */
import type { AppError } from '../base/errors';
import type { LeftOut } from '../base/left-out';

/** Resources that only say something together with others. A Bundle that keeps nothing but these is refused. */
const SUPPORT = new Set([
  'Patient',
  'RelatedPerson',
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'Location',
  'Medication',
  'Specimen',
  'Provenance',
  'Composition',
  'OperationOutcome',
]);

export function saysSomething(type: string): boolean {
  return !SUPPORT.has(type);
}

/** Each entry of these has an outcome of its own, or all have one together, so nothing is left out silently. */
const STRICT = new Set(['transaction', 'batch']);

export function mayLeaveOut(bundleType: unknown): boolean {
  return typeof bundleType === 'string' && !STRICT.has(bundleType);
}

function refusalReason({ details }: AppError): string {
  const version = details.find(({ kind }) => kind === 'version')?.message;
  if (version === undefined) {
    return 'not_valid';
  }
  return version.includes('R5') ? 'fhir_r5' : 'fhir_older';
}

const ELEMENT = /([A-Za-z]{1,64})(\[\d+\])?$/;

/**
 * The element that a refusal names; empty when it names none. A schema names the element after the one that is missing,
 * which would mislead.
 */
export function elementOf({ details }: Pick<AppError, 'details'>): string {
  const named = details.find(({ name, kind }) => name !== undefined && (kind !== 'misplaced' || name.includes('.')));
  return ELEMENT.exec(named?.name ?? '')?.[1] ?? '';
}

const WORDS: Readonly<Record<string, string>> = {
  not_valid: 'it is not as FHIR R4 has it',
  fhir_r5: 'it is FHIR R5, and R4 is read: ask its sender for R4',
  fhir_older: 'it is FHIR DSTU2 or STU3, and R4 is read: ask its sender for R4',
  fhir_converted: 'it is FHIR DSTU2 or STU3, and was read as R4 by the maps between the versions',
  fhir_r5_converted: 'it is FHIR R5, and was read as R4 by the maps between the versions',
  narrative: 'its text for people could not be read as markup, and was left out',
  cleaned: 'something that FHIR does not allow in a resource, such as a script in its text, was left out of it',
  mended: 'an empty value in it was passed over, and the rest was read',
  mended_code: 'a code in it is written otherwise than FHIR R4 writes it, and was read as that code',
  mended_value: 'a number, date or time in it is not written as FHIR R4 writes it: what is certain of it was read',
  code_left: 'a code in it that FHIR R4 does not have was left out, and the rest was read',
};

function told(model: string, reason: string, where: string): LeftOut {
  return {
    model,
    reason,
    count: 1,
    where,
    words: WORDS[reason]!,
  };
}

/** What is told of a resource that was left out, or of a part of it. */
export function unreadEntry(model: string, index: number, refusal: AppError): LeftOut {
  const element = elementOf(refusal);
  const place = element === '' || element === 'resource' ? '' : `, ${element}`;
  return told(model, refusalReason(refusal), `entry ${index + 1}${place}`);
}

/** What is told of a resource that stands alone and was left out: nothing of its document is read. */
export function unreadAlone(model: string, refusal: AppError): LeftOut {
  const element = elementOf(refusal);
  return told(model, 'not_valid', element === '' || element === model ? model : `${model}, ${element}`);
}

/** Whether the one resource of a document was left out. */
export function isLeftAlone({ reason, where = '', model }: LeftOut): boolean {
  return reason === 'not_valid' && where.split(',')[0] === model;
}

/**
 * Whether a resource that stands alone may be left out, as a Bundle would leave it out. Programs are refused instead, since
 * their senders can mend it. One of another version of FHIR is refused by name.
 */
export function mayLeaveAlone(type: string, refusal: AppError): boolean {
  return saysSomething(type) && type !== 'Bundle' && refusalReason(refusal) === 'not_valid';
}

/** What is told of a part that was mended or left out. @param path its place, such as `Patient.gender` */
export function mendedPart(model: string, path: string, reason: 'mended_code' | 'mended_value' | 'code_left'): LeftOut {
  const entry = /^Bundle\.entry\[(\d+)\]/.exec(path)?.[1];
  const element = path.replace(/^.*\.(?=[^.]+$)/, '').replace(/\[\d+\]$/, '');
  const place = entry === undefined ? model : `entry ${Number(entry) + 1}`;
  return told(model, reason, `${place}, ${element}`);
}

export function mendedEntry(model: string, index: number): LeftOut {
  return told(model, 'mended', `entry ${index + 1}`);
}

/**
 * What is told of a resource of another version that was read as R4.
 * @param where its entry, or its type if it is alone
 * @param isNewer it is of R5, and not of an older version
 */
export function convertedEntry(model: string, where: string, isNewer = false): LeftOut {
  return told(model, isNewer ? 'fhir_r5_converted' : 'fhir_converted', where);
}

/** What is told where a resource that was turned into R4 is not valid there. */
const UNCONVERTED: Readonly<Record<string, string>> = { fhir_converted: 'fhir_older', fhir_r5_converted: 'fhir_r5' };

export function isConverted({ reason }: LeftOut): boolean {
  return Object.hasOwn(UNCONVERTED, reason);
}

function entryName({ where = '' }: LeftOut): string {
  return where.replace(/,.*/, '');
}

/**
 * What was told first, and what was left out later: a resource that was turned into R4 and is not valid there was not
 * read after all.
 */
export function joinUnread(first: readonly LeftOut[], later: readonly LeftOut[]): readonly LeftOut[] {
  const converted = new Map(
    first.filter(isConverted).map((one) => [entryName(one), UNCONVERTED[one.reason]!] as const),
  );
  const lost = new Set(later.map(entryName));
  return [
    ...first.filter((one) => !isConverted(one) || !lost.has(entryName(one))),
    ...later.map((one) => {
      const reason = converted.get(entryName(one));
      return reason === undefined ? one : { ...one, reason, words: WORDS[reason]! };
    }),
  ];
}

/** What is told of a narrative that nobody can read. @param where its entry, or its type if it is alone */
export function narrativeLeft(model: string, where: string): LeftOut {
  return told(model, 'narrative', where);
}

/** What is told of a resource that had something that FHIR does not allow. @param index its entry; absent: it is alone */
export function cleanedEntry(model: string, index: number | undefined): LeftOut {
  return told(model, 'cleaned', index === undefined ? model : `entry ${index + 1}`);
}

/** What is told of empty values in a resource that stands alone. */
export function mendedAlone(model: string): LeftOut {
  return told(model, 'mended', model);
}
